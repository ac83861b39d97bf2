// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* GRE: what tunnels join natively, and so with the GRE policy; what only the policy joins. */
#include <string.h>

#include "cases.h"

static void t_joined(struct ctx *c)
{
	static const char * const specs[] = {
		"ip4/gre/ip4/tcp", "ip4/gre/ip6/tcp", "ip4/grek/ip4/tcp", "ip4/grek/ip6/tcp", "ip4/grec/ip4/tcp", "ip4/grec/ip6/tcp",
		"ip6/gre/ip4/tcp", "ip6/gre/ip6/tcp", "ip6/grek/ip6/tcp", "ip6/grec/ip4/tcp", "ip4/gre/eth/ip4/tcp", "ip6/grek/eth/ip6/tcp",
	};
	uint32_t i;

	for (i = 0; i < sizeof(specs) / sizeof(*specs) && !c->failed; i++) {
		again(c);
		case_train(c, specs[i], 8);
		run_train(c, 0);
		expect_segs(c, 8);
		expect(c, case_out(c, 0)->gso_type & RIG_GSO_GRE, "%s: gso_type %x", specs[i], case_out(c, 0)->gso_type);
		expect_sent(c);
	}
}

/* Nothing is known of the sums: the tunnel's is validated, then the inner one's. */
static void t_csum(struct ctx *c)
{
	static const uint8_t how[] = { RIG_CSUM_NONE, RIG_CSUM_COMPLETE, RIG_CSUM_UNNECESSARY };
	uint32_t i, j;

	for (j = 0; j < 3 && !c->failed; j++) {
		again(c);
		case_train(c, "ip4/grec/ip4/tcp", 8);
		for (i = 0; i < 8; i++)
			c->t.p[i].g.csum = how[j];
		run_train(c, 0);
		expect_segs(c, 8);
		expect_sent(c);
	}
}

/* A wrong sum of the tunnel's: that packet by itself. */
static void t_bad_csum(struct ctx *c)
{
	uint32_t i;

	case_train(c, "ip4/grec/ip4/tcp", 6);
	rig_layer(&c->t.p[2], RIG_L_GRE, 0)->csum_xor = 0x0100;
	rig_fini(&c->t.p[2]);
	for (i = 0; i < 6; i++)
		c->t.p[i].g.csum = RIG_CSUM_NONE;
	run_train(c, 0);
	expect_sent(c);
	expect(c, c->out.nr == 3, "%u packets", c->out.nr);
}

static void t_keys(struct ctx *c)
{
	uint32_t i;

	case_train(c, "ip4/grek/ip4/tcp", 8);
	for (i = 4; i < 8; i++)
		((uint8_t *)rig_hdr(&c->t.p[i], RIG_L_GRE, 0))[7] = 43;
	run_train(c, 0);
	expect_segs(c, 4, 4);
	expect_sent(c);
}

/* Could not be given back when split. */
static void t_sequence(struct ctx *c)
{
	case_train(c, "ip4/gres/ip4/tcp", 4);
	run_train(c, 0);
	expect_segs(c, 1, 1, 1, 1);
	expect_sent(c);
}

static void t_nested(struct ctx *c)
{
	case_train(c, "ip4/gre/ip4/gre/ip4/tcp", 4);
	run_train(c, 0);
	expect_segs(c, 1, 1, 1, 1);
	expect_sent(c);
}

/* Key and checksum: native code takes the checksum for the key. */
static void t_key_csum(struct ctx *c)
{
	case_train(c, "ip4/greck/ip4/tcp", 4);
	run_train(c, 0);
	expect_segs(c, 4);
	expect_sent(c);
}

/* So it joins across tunnels whose keys add up to the same. */
static void t_keys_of_one_sum(struct ctx *c)
{
	static const uint8_t key[2][4] = { { 0, 0, 0, 42 }, { 0, 42, 0, 0 } };
	uint32_t i;

	case_train(c, "ip4/greck/ip4/tcp", 8);
	for (i = 0; i < 8; i++) {
		memcpy(rig_hdr(&c->t.p[i], RIG_L_GRE, 0) + 8, key[i / 4], 4);
		rig_fini(&c->t.p[i]);
	}
	run_train(c, 0);
	if (!policy_is_attached("gre"))
		todo(c, "native GRO takes the checksum for the key");
	expect_segs(c, 4, 4);
	expect_sent(c);
}

/* The last packet of a burst has another length, and so another checksum. */
static void t_csum_short(struct ctx *c)
{
	uint32_t i;

	for (i = 0; i < 4; i++)
		add_spec(c, "ip4/grec/ip4/tcp", &(struct rig_spec){ .index = i, .seq = i * 1448, .size = i < 3 ? 1448 : 700 });
	run_train(c, 0);
	expect_segs(c, 4);
	if (!policy_is_attached("gre"))
		todo(c, "native splitting repeats the checksum of the first");
	expect_sent(c);
}

/* And a packet of another length is of another tunnel to it, so one with PSH overtakes what is held of its own flow. */
static void t_key_csum_order(struct ctx *c)
{
	uint32_t i;

	for (i = 0; i < 4; i++)
		add_spec(c, "ip4/greck/ip4/tcp", &(struct rig_spec){ .index = i, .seq = i * 1448, .size = i < 3 ? 1448 : 700,
			 .tcp_flags = i < 3 ? 0 : 0x18 });
	run_train(c, 0);
	if (!policy_is_attached("gre"))
		todo(c, "native GRO takes the checksum for the key");
	expect_segs(c, 4);
	expect_sent(c);
}

static const struct test tests[] = {
	{ "gre-joined", t_joined, 0, 0 },
	{ "gre-checksum", t_csum, 0, 0 },
	{ "gre-wrong-checksum", t_bad_csum, 0, 0 },
	{ "gre-keys", t_keys, 0, 0 },
	{ "gre-sequence-numbers", t_sequence, 0, 0 },
	{ "gre-in-gre", t_nested, 0, 0 },
	{ "gre-key-and-checksum", t_key_csum, 0, 0 },
	{ "gre-keys-of-one-sum", t_keys_of_one_sum, 0, 0 },
	{ "gre-key-and-checksum-order", t_key_csum_order, 0, 0 },
	{ "gre-checksum-short-last", t_csum_short, 0, 0 },
};

SET(cases_gre, tests);
