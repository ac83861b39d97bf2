// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Cases 30, 33, 34: sizes, the table of held packets, flushing, checksums in software. */
#include <string.h>

#include "cases.h"

/* 45 full segments and a tail that makes so many bytes of IP in all. */
static void t_tail(struct ctx *c, const char *spec, uint32_t headers, uint32_t total)
{
	struct rig_spec s = { .index = 45, .seq = 45 * 1448 };

	case_train(c, spec, 45);
	s.size = total - headers - 45 * 1448;
	add_spec(c, spec, &s);
	run_train(c, 0);
}

static void t_65535(struct ctx *c)
{
	t_tail(c, "tcp4", 52, 65535);
	expect_segs(c, 46);
	expect(c, case_out(c, 0)->frame_len == 14 + 65535, "frame_len %u", case_out(c, 0)->frame_len);
	expect_sent(c);
}

static void t_65536(struct ctx *c)
{
	t_tail(c, "tcp4", 52, 65536);
	expect_segs(c, 45, 1);
	expect_sent(c);
}

static void t_65535_ip6(struct ctx *c)
{
	t_tail(c, "tcp6", 72, 65535);
	expect_segs(c, 46);
	expect_sent(c);
}

static void t_65536_ip6(struct ctx *c)
{
	t_tail(c, "tcp6", 72, 65536);
	expect_segs(c, 45, 1);
	expect_sent(c);
}

static void t_alone(struct ctx *c)
{
	case_train(c, "tcp4", 1);
	run_train(c, 0);
	expect_segs(c, 1);
	expect(c, !case_out(c, 0)->gso_size && !case_out(c, 0)->gso_type, "gso %u type %x",
	       case_out(c, 0)->gso_size, case_out(c, 0)->gso_type);
	expect(c, case_out(c, 0)->ip_summed == RIG_CSUM_UNNECESSARY, "ip_summed %u",
	       case_out(c, 0)->ip_summed);
	expect_sent(c);
}

/* gro_max_size is the device's: nothing at or over it. */
static void t_limit(struct ctx *c)
{
	uint32_t i;

	case_train(c, "tcp4", 20);
	run_train(c, 0);
	for (i = 0; i < c->out.nr; i++)
		expect(c, case_out(c, i)->frame_len - 14 < 8000, "%u bytes of IP",
		       case_out(c, i)->frame_len - 14);
	/* 52 + 5 * 1448 = 7292, one more is too much. It goes up with the held one, not held itself. */
	expect(c, case_out(c, 0)->gso_segs == 5, "%u segments", case_out(c, 0)->gso_segs);
	case_in_order(c, __LINE__);
	expect_sent(c);
}

static void big(struct ctx *c, const char *spec, uint32_t nr, uint32_t min)
{
	uint32_t i;

	case_train(c, spec, nr);
	run_train(c, 0);
	for (i = 0; i < c->out.nr; i++)
		expect(c, case_out(c, i)->frame_len - 14 < 200000 + 8, "%u bytes of IP",
		       case_out(c, i)->frame_len - 14);
	expect(c, case_out(c, 0)->gso_segs >= min, "%u segments", case_out(c, 0)->gso_segs);
	case_in_order(c, __LINE__);
	expect_sent(c);
}

static void t_big4(struct ctx *c)
{
	big(c, "tcp4", 200, 130);
}

static void t_big6(struct ctx *c)
{
	big(c, "tcp6", 200, 130);
}

/* In a tunnel 64 KiB is the end before 7.x, whatever the device allows. */
static void t_big_tunnel(struct ctx *c)
{
	case_train(c, "ipip-tcp4", 100);
	run_train(c, 0);
	if (kernel_since(7, 0))
		expect_segs(c, 100);
	else
		expect(c, case_out(c, 0)->frame_len - 14 < 65536, "%u bytes of IP",
		       case_out(c, 0)->frame_len - 14);
	expect_sent(c);
}

/* Only IPv6 may be big. */
static void t_big6_only(struct ctx *c)
{
	expect(c, !rig_set(c->rig, c->features, 200000, 65536), "%s", rig_error(c->rig));
	case_train(c, "tcp4", 60);
	run_train(c, 0);
	expect_segs(c, 45, 15);
	again(c);
	case_train(c, "tcp6", 60);
	run_train(c, 0);
	expect_segs(c, 60);
}

/* flows of one hash value each holding one packet */
static void held(struct ctx *c, uint32_t flows, uint32_t hash_step, uint32_t rounds)
{
	uint32_t i, r;

	for (r = 0; r < rounds; r++)
		for (i = 0; i < flows; i++)
			add(c, "tcp4", i, r, 500)->g.hash = 1 + i * hash_step;
	run_train(c, 0);
	expect_sent(c);
}

static void t_eight(struct ctx *c)
{
	held(c, 8, 8, 4);
	expect(c, c->out.nr == 8, "%u packets", c->out.nr);
}

/* One more than a bucket holds, in turn: each drives out the next one needed. */
static void t_nine(struct ctx *c)
{
	held(c, 9, 8, 4);
	expect(c, c->out.nr == 36, "%u packets", c->out.nr);
}

static void t_64(struct ctx *c)
{
	held(c, 64, 1, 4);
	expect(c, c->out.nr == 64, "%u packets", c->out.nr);
}

/* All in bucket 0, as without a hash. */
static void t_no_hash(struct ctx *c)
{
	uint32_t i, r;

	for (r = 0; r < 4; r++)
		for (i = 0; i < 8; i++)
			add(c, "tcp4", i, r, 500)->g.flags &= ~(RIG_P_HASH | RIG_P_L4_HASH);
	run_train(c, 0);
	expect(c, c->out.nr == 8, "%u packets", c->out.nr);
	expect_sent(c);
}

/* Flows of one hash value: the oldest goes first, nothing is lost. */
static void t_collide(struct ctx *c)
{
	held(c, 12, 0, 3);
	expect(c, c->out.nr == 36, "%u packets", c->out.nr);
}

/* A few packets, after which the driver only flushes. */
static void t_few(struct ctx *c)
{
	uint32_t n;

	for (n = 1; n < 8 && !c->failed; n++) {
		again(c);
		case_train(c, "tcp4", n);
		run_train(c, RIG_FEED_HOLD);
		read_out(c);
		expect(c, c->out.nr == 0, "%u of %u packets before the flush", c->out.nr, n);
		rig_flush(c->rig);
		read_out(c);
		expect_segs(c, n);
	}
}

/* Packets that are not held go up with the flush too, in their place. */
static void t_few_unheld(struct ctx *c)
{
	case_train(c, "tcp4", 3);
	c->t.p[1].frame[14 + 20 + 13] |= RIG_URG;
	rig_fini(&c->t.p[1]);
	run_train(c, 0);
	expect_segs(c, 1, 1, 1);
	case_in_order(c, __LINE__);
	expect_sent(c);
}

/* An empty flush, and one after another. */
static void t_empty(struct ctx *c)
{
	run_train(c, 0);
	expect(c, c->out.nr == 0, "%u packets", c->out.nr);
	run_train(c, RIG_FEED_HOLD);
	rig_flush(c->rig);
	rig_flush(c->rig);
	read_out(c);
	expect(c, c->out.nr == 0, "%u packets", c->out.nr);
}

static void set_csum(struct ctx *c, uint32_t how)
{
	uint32_t i;

	for (i = 0; i < c->t.nr; i++)
		c->t.p[i].g.csum = how;
}

static void csum(struct ctx *c, const char *spec, uint32_t how, int bad, uint32_t want)
{
	again(c);
	case_train(c, spec, 6);
	if (bad >= 0) {
		rig_layer(&c->t.p[bad], RIG_L_TCP, 0)->csum_xor = 0x0100;
		rig_fini(&c->t.p[bad]);
	}
	set_csum(c, how);
	run_train(c, 0);
	expect(c, c->out.nr == want, "%s csum %u bad %d: %u packets", spec, how, bad, c->out.nr);
}

/* Without a device's word GRO sums itself: good joins, bad does not and flushes nobody wrongly. */
static void t_csum(struct ctx *c)
{
	static const char * const specs[] = { "tcp4", "tcp6", "ipip-tcp4", "sit-tcp6" };
	uint32_t i;

	for (i = 0; i < 4 && !c->failed; i++) {
		csum(c, specs[i], RIG_CSUM_NONE, -1, 1);
		expect_sent(c);
		csum(c, specs[i], RIG_CSUM_COMPLETE, -1, 1);
		expect_sent(c);
		/* The bad one in the middle: two before, it, three after it. */
		csum(c, specs[i], RIG_CSUM_NONE, 2, 3);
		expect_sent(c);
		csum(c, specs[i], RIG_CSUM_COMPLETE, 2, 3);
		expect_sent(c);
		csum(c, specs[i], RIG_CSUM_NONE, 0, 2);
		expect_sent(c);
		csum(c, specs[i], RIG_CSUM_NONE, 5, 2);
		expect_sent(c);
	}
}

/* The device has vouched: its word counts, wrong or not. */
static void t_csum_vouched(struct ctx *c)
{
	csum(c, "tcp4", RIG_CSUM_UNNECESSARY, 2, 1);
}

/* Its word for the outer header only: the inner sum is checked. */
static void t_csum_outer(struct ctx *c)
{
	uint32_t i;

	case_train(c, "gre-csum-tcp4", 6);
	for (i = 0; i < 6; i++)
		c->t.p[i].g.csum_level = 0;
	run_train(c, 0);
	expect_segs(c, 6);
	expect_sent(c);
}

static void t_csum_partial(struct ctx *c)
{
	uint32_t i;

	/* From a local sender (veth): nothing to verify, and it stays PARTIAL. */
	case_train(c, "tcp4", 6);
	for (i = 0; i < 6; i++) {
		c->t.p[i].g.csum = RIG_CSUM_PARTIAL;
		c->t.p[i].g.csum_start = 34;
		c->t.p[i].g.csum_offset = 16;
	}
	run_train(c, 0);
	expect_segs(c, 6);
	expect(c, case_out(c, 0)->ip_summed == RIG_CSUM_PARTIAL, "ip_summed %u",
	       case_out(c, 0)->ip_summed);
}

static const struct test tests[] = {
	{ "30-65535-bytes-ipv4", t_65535, 0, 0 },
	{ "30-65536-bytes-ipv4", t_65536, 0, 0 },
	{ "30-65535-bytes-ipv6", t_65535_ip6, 0, 0 },
	{ "30-65536-bytes-ipv6", t_65536_ip6, 0, 0 },
	{ "30-alone", t_alone, 0, 0 },
	{ "30-gro-max-size-8000", t_limit, 0, 8000 },
	{ "30-big-tcp-ipv4", t_big4, 0, 200000 },
	{ "30-big-tcp-ipv6", t_big6, 0, 200000 },
	{ "30-big-tcp-tunnel", t_big_tunnel, 0, 200000 },
	{ "30-big-tcp-ipv6-only", t_big6_only, 0, 0 },
	{ "30-eight-flows-a-bucket", t_eight, 0, 0 },
	{ "30-nine-flows-a-bucket", t_nine, 0, 0 },
	{ "30-64-flows", t_64, 0, 0 },
	{ "30-eight-flows-no-hash", t_no_hash, 0, 0 },
	{ "30-twelve-flows-of-one-hash", t_collide, 0, 0 },
	{ "33-few-packets-then-flush", t_few, 0, 0 },
	{ "33-unheld-keeps-its-place", t_few_unheld, 0, 0 },
	{ "33-empty-flush", t_empty, 0, 0 },
	{ "34-checksum-in-software", t_csum, 0, 0 },
	{ "34-checksum-vouched-for", t_csum_vouched, 0, 0 },
	{ "34-checksum-outer-only", t_csum_outer, 0, 0 },
	{ "34-checksum-partial", t_csum_partial, 0, 0 },
};

SET(cases_table, tests);
