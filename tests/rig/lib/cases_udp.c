// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * UDP: what native GRO joins on a device that asks for it, and the cases 15, 16, 23, 25, 26, 27 as far as they are UDP's. The
 * UDP policy in its mode "native" has to give the same.
 */
#include <string.h>

#include "cases.h"

#define FWD	RIG_FEAT_GRO_UDP_FWD
#define LIST	RIG_FEAT_GRO_FRAGLIST
#define VXLAN	"type vxlan dstport 4789 external"

static const char * const both[] = { "udp4", "udp6" };

#define for_both(c, spec, i) \
	for ((i) = 0; (i) < 2 && !(c)->failed && ((spec) = both[i]); (i)++, again(c))

static void datagrams(struct ctx *c, const char *spec, uint32_t from, uint32_t nr, uint32_t size)
{
	uint32_t i;

	for (i = from; i < from + nr; i++)
		add(c, spec, 0, i, size);
}

static void expect_type(struct ctx *c, uint32_t n, uint32_t type)
{
	expect(c, case_out(c, n)->gso_type == type, "gso_type %x of packet %u", case_out(c, n)->gso_type, n + 1);
}

static void t_plain(struct ctx *c)
{
	const char *spec;
	uint32_t i;

	for_both(c, spec, i) {
		datagrams(c, spec, 0, 8, 1200);
		run_train(c, 0);
		expect_segs(c, 8);
		expect_type(c, 0, RIG_GSO_UDP_L4);
		expect(c, case_out(c, 0)->ip_summed == RIG_CSUM_PARTIAL, "ip_summed %u", case_out(c, 0)->ip_summed);
		expect_sent(c);
	}
}

/* Nobody asked. */
static void t_unasked(struct ctx *c)
{
	const char *spec;
	uint32_t i;

	for_both(c, spec, i) {
		datagrams(c, spec, 0, 3, 1200);
		run_train(c, 0);
		expect_segs(c, 1, 1, 1);
		expect_sent(c);
	}
}

static void t_alone(struct ctx *c)
{
	const char *spec;
	uint32_t i;

	for_both(c, spec, i) {
		datagrams(c, spec, 0, 1, 1200);
		run_train(c, 0);
		expect_segs(c, 1);
		expect(c, !case_out(c, 0)->gso_type && !case_out(c, 0)->gso_size, "gso %x", case_out(c, 0)->gso_type);
		expect_sent(c);
	}
}

static void t_64(struct ctx *c)
{
	const char *spec;
	uint32_t i;

	for_both(c, spec, i) {
		datagrams(c, spec, 0, 70, 500);
		run_train(c, 0);
		expect_segs(c, 64, 6);
		expect_sent(c);
	}
}

/* Before 64 KiB. */
static void t_65535(struct ctx *c)
{
	const char *spec;
	uint32_t i;

	for_both(c, spec, i) {
		datagrams(c, spec, 0, 60, 1400);
		run_train(c, 0);
		expect_segs(c, 46, 14);
		expect_sent(c);
	}
}

static void t_limit(struct ctx *c)
{
	datagrams(c, "udp4", 0, 10, 1000);
	run_train(c, 0);
	/* 28 + 3 * 1000, one more reaches 4000; it starts anew */
	expect_segs(c, 3, 3, 3, 1);
	expect_sent(c);
}

static void t_short(struct ctx *c)
{
	const char *spec;
	uint32_t i;

	for_both(c, spec, i) {
		datagrams(c, spec, 0, 4, 1000);
		datagrams(c, spec, 4, 1, 500);
		datagrams(c, spec, 5, 3, 1000);
		run_train(c, 0);
		expect_segs(c, 5, 3);
		expect_sent(c);
	}
}

static void t_long(struct ctx *c)
{
	const char *spec;
	uint32_t i;

	for_both(c, spec, i) {
		datagrams(c, spec, 0, 3, 1000);
		datagrams(c, spec, 3, 2, 1200);
		run_train(c, 0);
		expect_segs(c, 3, 2);
		expect_sent(c);
	}
}

static void t_one_byte(struct ctx *c)
{
	const char *spec;
	uint32_t i;

	for_both(c, spec, i) {
		datagrams(c, spec, 0, 10, 1);
		run_train(c, 0);
		expect_segs(c, 10);
		expect_sent(c);
	}
}

static void t_empty(struct ctx *c)
{
	const char *spec;
	uint32_t i;

	for_both(c, spec, i) {
		datagrams(c, spec, 0, 3, 0);
		run_train(c, 0);
		expect_segs(c, 1, 1, 1);
		expect_sent(c);
	}
}

/* Without checksum splitting would write one. */
static void t_no_csum(struct ctx *c)
{
	struct rig_spec s = { .size = 1000, .no_udp_csum = true };
	const char *spec;
	uint32_t i;

	for_both(c, spec, i) {
		for (s.index = 0; s.index < 3; s.index++)
			add_spec(c, spec, &s);
		run_train(c, 0);
		expect_segs(c, 1, 1, 1);
		expect_sent(c);
	}
}

static void csum(struct ctx *c, const char *spec, uint32_t how, int bad, uint32_t want)
{
	uint32_t i;

	again(c);
	datagrams(c, spec, 0, 6, 1000);
	if (bad >= 0) {
		rig_layer(&c->t.p[bad], RIG_L_UDP, 0)->csum_xor = 0x0100;
		rig_fini(&c->t.p[bad]);
	}
	for (i = 0; i < 6; i++)
		c->t.p[i].g.csum = how;
	run_train(c, 0);
	expect(c, c->out.nr == want, "%s csum %u bad %d: %u packets", spec, how, bad, c->out.nr);
	expect_sent(c);
}

/* Sums in software: the damaged one goes up by itself and flushes nobody. */
static void t_csum(struct ctx *c)
{
	const char *spec;
	uint32_t i;

	for_both(c, spec, i) {
		csum(c, spec, RIG_CSUM_NONE, -1, 1);
		csum(c, spec, RIG_CSUM_COMPLETE, -1, 1);
		/* over IPv4 its ID is missing in between */
		csum(c, spec, RIG_CSUM_NONE, 2, i ? 2 : 3);
		csum(c, spec, RIG_CSUM_COMPLETE, 2, i ? 2 : 3);
		csum(c, spec, RIG_CSUM_NONE, 0, 2);
		csum(c, spec, RIG_CSUM_NONE, 5, 2);
	}
}

static void t_chain(struct ctx *c)
{
	const char *spec;
	uint32_t i;

	for_both(c, spec, i) {
		datagrams(c, spec, 0, 8, 1000);
		datagrams(c, spec, 8, 1, 10);
		run_train(c, 0);
		expect_segs(c, 9);
		expect_type(c, 0, RIG_GSO_UDP_L4 | RIG_GSO_FRAGLIST);
		expect(c, case_out(c, 0)->nr_list == 8, "%u members", case_out(c, 0)->nr_list);
		expect_sent(c);
	}
}

static void t_ttl(struct ctx *c)
{
	uint32_t i;

	datagrams(c, "udp4", 0, 6, 1000);
	for (i = 3; i < 6; i++) {
		((uint8_t *)rig_hdr(&c->t.p[i], RIG_L_IP4, 0))[8] = 63;
		rig_fini(&c->t.p[i]);
	}
	run_train(c, 0);
	expect_segs(c, 3, 3);
	expect_sent(c);
}

/* Other ports, other flow: interleaved ones join each. */
static void t_flows(struct ctx *c)
{
	uint32_t i, f;

	for (i = 0; i < 6; i++)
		for (f = 0; f < 3; f++)
			add(c, "udp4", f, i, 1000)->g.hash = 8;
	run_train(c, 0);
	expect_segs(c, 6, 6, 6);
	expect_sent(c);
}

/* Case 23: fragments amid a flow are not touched, and nothing is lost. */
static void t_fragments(struct ctx *c)
{
	uint32_t i;

	datagrams(c, "udp4", 0, 9, 1000);
	for (i = 3; i < 6; i++) {
		uint8_t *q = rig_hdr(&c->t.p[i], RIG_L_IP4, 0);

		q[6] = i < 5 ? 0x20 : 0;
		q[7] = i > 3 ? 126 : 0;
		rig_fini(&c->t.p[i]);
		c->t.p[i].g.csum = RIG_CSUM_NONE;
	}
	run_train(c, 0);
	expect_sent(c);
	for (i = 0; i < c->out.nr; i++)
		expect(c, !(c->out.items[i].frame[20] & 0x20) || !case_out(c, i)->gso_size, "fragment %u was joined", i);
}

/* Case 15: what a tunnel of this host built is not joined as UDP. */
static void t_inner(struct ctx *c)
{
	const char *spec;
	uint32_t i, j;

	for_both(c, spec, i) {
		datagrams(c, spec, 0, 3, 1000);
		for (j = 0; j < 3; j++)
			c->t.p[j].g.flags |= RIG_P_ENCAP;
		run_train(c, 0);
		expect_segs(c, 1, 1, 1);
		expect_sent(c);
	}
}

/* Case 16: what is for a tunnel's socket is the tunnel's, however the device is set. */
static void t_vxlan(struct ctx *c)
{
	if (!case_device(c, "vxlan", VXLAN))
		return;
	case_train(c, "vxlan-tcp4", 8);
	run_train(c, 0);
	expect_segs(c, 8);
	expect_type(c, 0, RIG_GSO_UDP_TUNNEL | RIG_GSO_TCPV4);
	expect_sent(c);

	/* not Ethernet inside: nobody joins it */
	again(c);
	datagrams(c, "ip4/udp/vxlan", 0, 3, 1000);
	run_train(c, 0);
	expect_segs(c, 1, 1, 1);
	expect_sent(c);
	case_devices_gone();
}

/* Case 25: UDP inside VXLAN is looked up by its own header, and joined at both layers' rules. */
static void t_inner_udp(struct ctx *c)
{
	static const char * const specs[] = { "ip4/udp/vxlan/eth/ip4/udp", "ip4/udp/vxlan/eth/ip6/udp" };
	uint32_t i;

	if (!case_device(c, "vxlan", VXLAN))
		return;
	for (i = 0; i < 2 && !c->failed; i++) {
		again(c);
		datagrams(c, specs[i], 0, 8, 1000);
		run_train(c, 0);
		expect_segs(c, 8);
		expect_type(c, 0, RIG_GSO_UDP_TUNNEL | RIG_GSO_UDP_L4);
		expect_sent(c);
	}
	case_devices_gone();
}

static void t_tunnels(struct ctx *c)
{
	static const char * const specs[] = {
		"ip4/ip4/udp", "ip4/ip6/udp", "ip6/ip6/udp", "ip6/ip4/udp", "ip4/gre/ip4/udp", "ip4/grek/ip6/udp", "ip6/gre/ip6/udp",
	};
	uint32_t i;

	for (i = 0; i < sizeof(specs) / sizeof(*specs) && !c->failed; i++) {
		again(c);
		datagrams(c, specs[i], 0, 8, 1000);
		run_train(c, 0);
		expect_segs(c, 8);
		expect_sent(c);
	}
}

static const struct test tests[] = {
	{ "udp-plain", t_plain, FWD, 0 },
	{ "udp-unasked", t_unasked, 0, 0 },
	{ "udp-alone", t_alone, FWD, 0 },
	{ "udp-64-datagrams", t_64, FWD, 0 },
	{ "udp-65535-bytes", t_65535, FWD, 0 },
	{ "udp-gro-max-size-4000", t_limit, FWD, 4000 },
	{ "udp-short-ends", t_short, FWD, 0 },
	{ "udp-long-starts-anew", t_long, FWD, 0 },
	{ "udp-one-byte", t_one_byte, FWD, 0 },
	{ "udp-empty", t_empty, FWD, 0 },
	{ "udp-no-checksum", t_no_csum, FWD, 0 },
	{ "udp-checksum-in-software", t_csum, FWD, 0 },
	{ "udp-chain", t_chain, LIST, 0 },
	{ "udp-chain-short-ends", t_short, LIST, 0 },
	{ "udp-chain-64-datagrams", t_64, LIST, 0 },
	{ "udp-chain-checksum-in-software", t_csum, LIST, 0 },
	{ "udp-ttl", t_ttl, FWD, 0 },
	{ "udp-flows-interleaved", t_flows, FWD, 0 },
	{ "23-udp-fragments", t_fragments, FWD, 0 },
	{ "15-udp-of-a-tunnel-here", t_inner, FWD | LIST, 0 },
	{ "16-udp-vxlan", t_vxlan, FWD, 0 },
	{ "25-udp-in-vxlan", t_inner_udp, FWD, 0 },
	{ "udp-in-tunnels", t_tunnels, FWD, 0 },
};

SET(cases_udp, tests);
