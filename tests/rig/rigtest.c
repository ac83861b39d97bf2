// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The rig tests itself, against what native GRO of 6.12 and 7.3 is known to do. */
#include <stdlib.h>
#include <string.h>

#include "rigtest.h"

static void sixteen(struct ctx *c, const char *spec)
{
	uint32_t i;

	for (i = 0; i < 16; i++)
		add(c, spec, 0, i, 1448);
}

static const struct rig_out *first(struct ctx *c)
{
	static const struct rig_out none;

	return c->out.nr ? c->out.items[0].o : &none;
}

static void t_joins(struct ctx *c)
{
	sixteen(c, "tcp4");
	run_train(c, 0);
	expect_segs(c, 16);
	expect(c, first(c)->nr_frags == 16, "%u fragments", first(c)->nr_frags);
	expect(c, first(c)->linear == 66, "linear %u", first(c)->linear);
	expect(c, first(c)->gso_size == 1448, "gso_size %u", first(c)->gso_size);
	expect(c, first(c)->gso_type & RIG_GSO_TCPV4, "gso_type %x", first(c)->gso_type);
	expect(c, first(c)->ip_summed == RIG_CSUM_PARTIAL, "ip_summed %u", first(c)->ip_summed);
	expect(c, first(c)->frame_len == 66 + 16 * 1448, "frame_len %u", first(c)->frame_len);
	expect_sent(c);
}

static void t_joins6(struct ctx *c)
{
	sixteen(c, "tcp6");
	run_train(c, 0);
	expect_segs(c, 16);
	expect(c, first(c)->gso_type & RIG_GSO_TCPV6, "gso_type %x", first(c)->gso_type);
	expect_sent(c);
}

static void t_frag_list(struct ctx *c)
{
	uint32_t i;

	sixteen(c, "tcp4");
	for (i = 0; i < 16; i++) {
		c->t.p[i].g.head = RIG_HEAD_KMALLOC;
		rig_shape(&c->t.p[i], 128, 0);
	}
	run_train(c, 0);
	expect_segs(c, 16);
	expect(c, first(c)->nr_frags == 1 && first(c)->nr_list == 15, "%u fragments, list %u",
	       first(c)->nr_frags, first(c)->nr_list);
	if (!c->failed)
		expect(c, c->out.items[0].list[0].linear == 62, "member's linear part %u",
		       c->out.items[0].list[0].linear);
	expect_sent(c);
}

static void stolen(struct ctx *c, uint32_t head)
{
	uint32_t i;

	sixteen(c, "tcp4");
	for (i = 0; i < 16; i++) {
		c->t.p[i].g.head = head;
		rig_shape(&c->t.p[i], 1514, 0);
	}
	run_train(c, 0);
	expect_segs(c, 16);
	expect(c, first(c)->nr_frags == 15 && !first(c)->nr_list, "%u fragments, list %u",
	       first(c)->nr_frags, first(c)->nr_list);
	expect(c, first(c)->linear == 1514, "linear %u", first(c)->linear);
	expect(c, first(c)->flags & RIG_O_HEAD_FRAG, "flags %x", first(c)->flags);
	expect(c, !!(first(c)->flags & RIG_O_PP_RECYCLE) == (head == RIG_HEAD_POOL), "flags %x",
	       first(c)->flags);
	expect_sent(c);
}

static void t_page_head(struct ctx *c)
{
	stolen(c, RIG_HEAD_PAGE);
}

static void t_pool_head(struct ctx *c)
{
	stolen(c, RIG_HEAD_POOL);
}

static void t_pool_frags(struct ctx *c)
{
	uint32_t i;

	sixteen(c, "tcp4");
	for (i = 0; i < 16; i++) {
		c->t.p[i].g.frag = RIG_FRAG_POOL;
		c->t.p[i].g.flags |= RIG_P_RECYCLE;
		rig_shape(&c->t.p[i], 66, 700);
	}
	run_train(c, 0);
	/* Three fragments each: 17 hold five packets, the rest is chained. */
	expect_segs(c, 16);
	expect(c, first(c)->flags & RIG_O_FRAG_POOL, "flags %x", first(c)->flags);
	expect_sent(c);
}

static void t_pool_differs(struct ctx *c)
{
	sixteen(c, "tcp4");
	c->t.p[8].g.flags |= RIG_P_RECYCLE;
	run_train(c, 0);
	/* Refused packet goes up alone after the flushed one; then a new aggregate begins. */
	expect(c, c->out.nr >= 2, "%u packets", c->out.nr);
	expect_sent(c);
}

static void t_gro_frags(struct ctx *c)
{
	uint32_t i;

	sixteen(c, "tcp4");
	for (i = 0; i < 16; i++) {
		c->t.p[i].g.flags |= RIG_P_FRAGS;
		rig_shape(&c->t.p[i], 0, 0);
	}
	run_train(c, 0);
	expect_segs(c, 16);
	expect(c, first(c)->nr_frags == 16, "%u fragments", first(c)->nr_frags);
	expect_sent(c);
}

static void t_psh(struct ctx *c)
{
	sixteen(c, "tcp4");
	c->t.p[7].frame[14 + 20 + 13] |= RIG_PSH;
	rig_fini(&c->t.p[7]);
	run_train(c, 0);
	expect_segs(c, 8, 8);
	expect_sent(c);
}

static void t_results(struct ctx *c)
{
	uint8_t r[16];

	sixteen(c, "tcp4");
	if (rig_feed_results(c->rig, &c->t, 0, r))
		expect(c, false, "%s", rig_error(c->rig));
	read_out(c);
	expect(c, r[0] == RIG_R_HELD && r[1] == RIG_R_MERGED_FREE, "%s, %s", rig_result_str(r[0]),
	       rig_result_str(r[1]));
}

static void t_hold(struct ctx *c)
{
	struct rig_train rest = {};
	uint32_t i;

	for (i = 0; i < 8; i++)
		add(c, "tcp4", 0, i, 1448);
	run_train(c, RIG_FEED_HOLD);
	read_out(c);
	expect(c, c->out.nr == 0, "%u packets came up from an open poll", c->out.nr);
	for (i = 8; i < 16; i++)
		rig_spec_packet(rig_train_add(&rest), "tcp4", 0, i, 1448);
	expect(c, !rig_feed(c->rig, &rest, RIG_FEED_HOLD), "%s", rig_error(c->rig));
	expect(c, !rig_flush(c->rig), "%s", rig_error(c->rig));
	read_out(c);
	expect_segs(c, 16);
	rig_train_free(&rest);
}

static void t_gso_input(struct ctx *c)
{
	uint32_t i;

	for (i = 0; i < 4; i++) {
		/* The IDs count wire packets: that of the second is 4 more. */
		struct rig_spec s = { .index = 4 * i, .seq = 4 * 1448 * i, .size = 4 * 1448 };
		struct rig_packet *p = add_spec(c, "tcp4", &s);

		p->g.gso_size = 1448;
		p->g.gso_segs = 4;
		p->g.gso_type = RIG_GSO_TCPV4;
	}
	run_train(c, 0);
	expect_segs(c, 16);
	expect(c, first(c)->gso_size == 1448, "gso_size %u", first(c)->gso_size);
	expect(c, first(c)->nr_segs == 16, "split into %u", first(c)->nr_segs);
}

static void t_fraglist(struct ctx *c)
{
	sixteen(c, "tcp4");
	run_train(c, 0);
	expect_segs(c, 16);
	/* rx-gro-list: TCP packets nobody here has a socket for are chained whole. */
	expect(c, first(c)->nr_list == 15, "list %u", first(c)->nr_list);
	expect(c, first(c)->gso_type & RIG_GSO_FRAGLIST, "gso_type %x", first(c)->gso_type);
	expect_sent(c);
}

static void t_udp_fraglist(struct ctx *c)
{
	sixteen(c, "udp4");
	run_train(c, 0);
	expect_segs(c, 16);
	expect(c, first(c)->gso_type & RIG_GSO_FRAGLIST, "gso_type %x", first(c)->gso_type);
	expect_sent(c);
}

static void t_udp_fwd(struct ctx *c)
{
	sixteen(c, "udp6");
	run_train(c, 0);
	expect_segs(c, 16);
	expect(c, first(c)->gso_type == RIG_GSO_UDP_L4, "gso_type %x", first(c)->gso_type);
	expect_sent(c);
}

static void t_vlan_tag(struct ctx *c)
{
	uint32_t i;

	sixteen(c, "tcp4");
	for (i = 0; i < 16; i++) {
		c->t.p[i].g.flags |= RIG_P_VLAN;
		c->t.p[i].g.vlan_proto = 0x8100;
		c->t.p[i].g.vlan_tci = i < 8 ? 5 : 6;
	}
	run_train(c, 0);
	expect_segs(c, 8, 8);
	expect(c, first(c)->flags & RIG_O_VLAN && first(c)->vlan_tci == 5, "tci %u",
	       first(c)->vlan_tci);
	expect_sent(c);
}

static void t_vlan_frame(struct ctx *c)
{
	sixteen(c, "vlan-tcp4");
	run_train(c, 0);
	expect_segs(c, 16);
	expect(c, first(c)->flags & RIG_O_VLAN && first(c)->vlan_tci == 100, "tci %u",
	       first(c)->vlan_tci);
	expect_sent(c);
}

static void t_meta(struct ctx *c)
{
	uint32_t i;

	sixteen(c, "tcp4");
	for (i = 0; i < 16; i++) {
		c->t.p[i].g.meta_len = 8;
		memset(c->t.p[i].meta, i < 8 ? 1 : 2, 8);
	}
	run_train(c, 0);
	expect_segs(c, 8, 8);
	expect(c, first(c)->meta_len == 8, "metadata %u", first(c)->meta_len);
	if (!c->failed)
		expect(c, c->out.items[0].meta[0] == 1 && c->out.items[1].meta[7] == 2, "bytes %u, %u",
		       c->out.items[0].meta[0], c->out.items[1].meta[7]);
}

static void t_big_tcp(struct ctx *c)
{
	uint32_t i;

	for (i = 0; i < 100; i++)
		add(c, "tcp6", 0, i, 1448);
	run_train(c, 0);
	expect(c, first(c)->gso_segs > 64, "%u segments in the first", first(c)->gso_segs);
	expect(c, first(c)->frame_len > 65536 + 86, "frame_len %u", first(c)->frame_len);
	expect_sent(c);
}

static void csum(struct ctx *c, uint32_t how, uint32_t by, uint32_t want)
{
	uint32_t i;

	sixteen(c, "tcp4");
	for (i = 0; i < 16; i++) {
		c->t.p[i].g.csum = how;
		c->t.p[i].g.csum_value = by;
	}
	run_train(c, 0);
	expect(c, c->out.nr == want, "%u packets", c->out.nr);
	expect_sent(c);
}

static void t_csum_none(struct ctx *c)
{
	csum(c, RIG_CSUM_NONE, 0, 1);
}

static void t_csum_complete(struct ctx *c)
{
	csum(c, RIG_CSUM_COMPLETE, 0, 1);
}

static void t_csum_bad(struct ctx *c)
{
	uint32_t i;

	sixteen(c, "tcp4");
	for (i = 0; i < 16; i++) {
		c->t.p[i].g.csum = RIG_CSUM_NONE;
		rig_layer(&c->t.p[i], RIG_L_TCP, 0)->csum_xor = 0x1111;
		rig_fini(&c->t.p[i]);
		c->t.p[i].g.csum = RIG_CSUM_NONE;
	}
	run_train(c, 0);
	expect(c, c->out.nr == 16, "%u packets", c->out.nr);
	expect_sent(c);
}

static void t_csum_partial(struct ctx *c)
{
	uint32_t i;

	sixteen(c, "tcp4");
	for (i = 0; i < 16; i++) {
		c->t.p[i].g.csum = RIG_CSUM_PARTIAL;
		c->t.p[i].g.csum_start = 34;
		c->t.p[i].g.csum_offset = 16;
	}
	run_train(c, 0);
	expect_segs(c, 16);
}

static void t_marks(struct ctx *c)
{
	uint32_t i;

	sixteen(c, "tcp4");
	for (i = 0; i < 16; i++)
		c->t.p[i].g.flags |= RIG_P_SHARED_FRAG;
	run_train(c, 0);
	expect_segs(c, 16);
	expect(c, first(c)->flags & RIG_O_SHARED_FRAG, "flags %x", first(c)->flags);

	again(c);
	sixteen(c, "tcp4");
	for (i = 0; i < 16; i++)
		c->t.p[i].g.flags |= RIG_P_ZEROCOPY;
	run_train(c, 0);
	expect(c, c->out.nr == 16, "%u packets", c->out.nr);
	expect(c, first(c)->flags & RIG_O_ZEROCOPY, "flags %x", first(c)->flags);
	expect_sent(c);

	again(c);
	sixteen(c, "tcp4");
	for (i = 0; i < 8; i++)
		c->t.p[i].g.flags |= RIG_P_DECRYPTED;
	run_train(c, 0);
	expect_segs(c, 8, 8);
	expect(c, first(c)->flags & RIG_O_DECRYPTED, "flags %x", first(c)->flags);
	expect_sent(c);
}

static void t_cloned(struct ctx *c)
{
	uint32_t i;

	sixteen(c, "tcp4");
	for (i = 0; i < 16; i++) {
		c->t.p[i].g.head = RIG_HEAD_KMALLOC;
		c->t.p[i].g.flags |= RIG_P_CLONED;
	}
	run_train(c, 0);
	expect_segs(c, 16);
	expect(c, !(first(c)->flags & RIG_O_CLONED), "flags %x", first(c)->flags);
	expect_sent(c);
}

static void t_input_list(struct ctx *c)
{
	struct rig_packet *p = add(c, "tcp4", 0, 0, 1448);

	p->g.nr_frags = 1;
	p->frags[0] = 448;
	p->g.nr_list = 2;
	p->list[0] = 600;
	p->list[1] = 400;
	run_train(c, 0);
	expect_segs(c, 1);
	expect(c, first(c)->nr_frags == 1 && first(c)->nr_list == 2, "%u fragments, list %u",
	       first(c)->nr_frags, first(c)->nr_list);
	expect_sent(c);
}

static void t_frag0(struct ctx *c)
{
	uint32_t i;

	/* Only the Ethernet header is linear: GRO reads the rest in the fragment and pulls it. */
	sixteen(c, "tcp4");
	for (i = 0; i < 16; i++)
		rig_shape(&c->t.p[i], 14, 0);
	run_train(c, 0);
	expect_segs(c, 16);
	expect(c, first(c)->linear == 66, "linear %u", first(c)->linear);
	expect_sent(c);
}

static void t_gro_off(struct ctx *c)
{
	rig_set(c->rig, RIG_FEAT_RXCSUM, 0, 0);
	sixteen(c, "tcp4");
	run_train(c, 0);
	expect(c, c->out.nr == 16, "%u packets", c->out.nr);
	expect_sent(c);
}

static void t_table(struct ctx *c)
{
	uint32_t i;

	/* Nine flows in one bucket: the ninth drives out the oldest. */
	for (i = 0; i < 9; i++)
		add(c, "tcp4", i, 0, 1448)->g.hash = 8 * (i + 1);
	run_train(c, RIG_FEED_HOLD);
	read_out(c);
	expect(c, c->out.nr == 0, "%u packets (normal batch)", c->out.nr);
	rig_flush(c->rig);
	read_out(c);
	expect(c, c->out.nr == 9, "%u packets", c->out.nr);
	if (!c->failed)
		expect(c, c->out.items[0].o->hash == 8, "first came hash %u",
		       c->out.items[0].o->hash);
}

static void refused(struct ctx *c, uint32_t why, int line)
{
	int err = rig_feed(c->rig, &c->t, 0);

	expect_at(c, line, err < 0, "a refusal", "the train was taken");
	expect_at(c, line, strstr(rig_error(c->rig), rig_why_str(why)), rig_why_str(why), "%s",
		  rig_error(c->rig));
	read_out(c);
	expect_at(c, line, c->out.nr == 0, "nothing to come up", "%u packets", c->out.nr);
	again(c);
}

static void t_refused(struct ctx *c)
{
	struct rig_packet *p;

	add(c, "tcp4", 0, 0, 1448);
	add(c, "tcp4", 0, 1, 1448)->frags[0]--;
	refused(c, RIG_E_SIZES, __LINE__);
	p = add(c, "tcp4", 0, 0, 1448);
	rig_shape(p, 13, 0);
	refused(c, RIG_E_LINEAR, __LINE__);
	add(c, "tcp4", 0, 0, 1448)->g.flags |= 1u << 31;
	refused(c, RIG_E_FLAGS, __LINE__);
	add(c, "tcp4", 0, 0, 1448)->g.meta_len = 6;
	refused(c, RIG_E_META, __LINE__);
	p = add(c, "tcp4", 0, 0, 8000);
	p->g.frag = RIG_FRAG_POOL;
	p->g.flags |= RIG_P_RECYCLE;
	refused(c, RIG_E_FRAG, __LINE__);
	p = add(c, "tcp4", 0, 0, 1448);
	p->g.flags |= RIG_P_CLONED | RIG_P_FRAGS;
	rig_shape(p, 0, 0);
	refused(c, RIG_E_CLONED, __LINE__);
	add(c, "tcp4", 0, 0, 1448)->g.gso_type = RIG_GSO_TCPV4;
	refused(c, RIG_E_GSO, __LINE__);
	p = add(c, "tcp4", 0, 0, 1448);
	p->g.head = RIG_HEAD_POOL;
	p->g.headroom = 3000;
	refused(c, RIG_E_HEAD, __LINE__);
	p = add(c, "tcp4", 0, 0, 1448);
	p->g.csum = RIG_CSUM_PARTIAL;
	refused(c, RIG_E_CSUM, __LINE__);
	p = add(c, "tcp4", 0, 0, 1448);
	p->g.flags |= RIG_P_FRAGS;
	refused(c, RIG_E_FRAGS, __LINE__);
}

/* Bytes from nowhere: nothing may be taken that is not well-formed, nothing may break. */
static void t_garbage(struct ctx *c)
{
	uint32_t len, i, j, taken = 0;
	uint8_t *good;
	void *buf;

	srand(1);
	sixteen(c, "tcp4");
	if (rig_pack(&c->t, &buf, &len))
		return;
	good = malloc(len);
	memcpy(good, buf, len);
	for (i = 0; i < 3000; i++) {
		memcpy(buf, good, len);
		for (j = rand() % 3 + 1; j; j--)
			((uint8_t *)buf)[rand() % (i % 2 ? 80 : len)] = rand();
		taken += !rig_feed_raw(c->rig, buf, rand() % 4 ? len : rand() % len, 16, 0);
		if (!(i % 64))
			read_out(c);
	}
	read_out(c);
	expect(c, taken > 0 && taken < 3000, "%u trains were taken", taken);
	free(buf);
	free(good);
}

static void t_close_held(struct ctx *c)
{
	struct rig other;
	uint32_t i;

	for (i = 0; i < 20; i++) {
		again(c);
		sixteen(c, "tcp4");
		c->t.p[3].g.head = RIG_HEAD_POOL;
		c->t.p[4].g.flags |= RIG_P_ZEROCOPY;
		c->t.p[5].g.flags |= RIG_P_CLONED;
		c->t.p[5].g.head = RIG_HEAD_KMALLOC;
		if (rig_open(&other, NULL)) {
			expect(c, false, "%s", rig_error(&other));
			return;
		}
		expect(c, !rig_feed(&other, &c->t, i % 2 ? RIG_FEED_HOLD : 0), "%s",
		       rig_error(&other));
		rig_close(&other);
	}
}

static void t_measure(struct ctx *c)
{
	struct rig_sample s[3] = {};

	sixteen(c, "tcp4");
	expect(c, !rig_measure(c->rig, &c->t, RIG_MEASURE_KEEP, 3, s), "%s", rig_error(c->rig));
	expect(c, s[2].receive_ns > s[2].empty_ns, "%llu ns", (unsigned long long)s[2].receive_ns);
	expect(c, s[2].out_packets == 1 && s[2].out_segs == 16, "%u packets, %u segments",
	       s[2].out_packets, s[2].out_segs);
	read_out(c);
	expect_segs(c, 16);
}

static void t_big_frame(struct ctx *c)
{
	struct rig_packet *p = add(c, "tcp6", 0, 0, 400000);

	p->g.gso_size = 1448;
	p->g.gso_segs = (400000 + 1447) / 1448;
	p->g.gso_type = RIG_GSO_TCPV6;
	run_train(c, 0);
	expect(c, c->out.nr == 1, "%u packets", c->out.nr);
	expect(c, first(c)->frame_len == 86 + 400000, "frame_len %u", first(c)->frame_len);
}

static const struct test tests[] = {
	{ "joins-16-by-fragments", t_joins, 0, 0 },
	{ "joins-ipv6", t_joins6, 0, 0 },
	{ "linear-128-joins-by-frag-list", t_frag_list, 0, 0 },
	{ "page-head-is-stolen", t_page_head, 0, 0 },
	{ "pool-head-is-stolen", t_pool_head, 0, 0 },
	{ "pool-fragments", t_pool_frags, 0, 0 },
	{ "pool-flag-differs", t_pool_differs, 0, 0 },
	{ "napi-gro-frags", t_gro_frags, 0, 0 },
	{ "frag0", t_frag0, 0, 0 },
	{ "psh-flushes", t_psh, 0, 0 },
	{ "results-per-packet", t_results, 0, 0 },
	{ "hold-over-trains", t_hold, 0, 0 },
	{ "gso-input", t_gso_input, 0, 0 },
	{ "gso-input-400000", t_big_frame, 0, 0 },
	{ "fraglist-tcp", t_fraglist, RIG_FEAT_GRO_FRAGLIST, 0 },
	{ "fraglist-udp", t_udp_fraglist, RIG_FEAT_GRO_FRAGLIST, 0 },
	{ "udp-forwarding", t_udp_fwd, RIG_FEAT_GRO_UDP_FWD, 0 },
	{ "vlan-tag", t_vlan_tag, 0, 0 },
	{ "vlan-in-frame", t_vlan_frame, 0, 0 },
	{ "metadata-differs", t_meta, 0, 0 },
	{ "big-tcp", t_big_tcp, 0, 200000 },
	{ "csum-none", t_csum_none, 0, 0 },
	{ "csum-complete", t_csum_complete, 0, 0 },
	{ "csum-bad", t_csum_bad, 0, 0 },
	{ "csum-partial", t_csum_partial, 0, 0 },
	{ "shared-zerocopy-decrypted", t_marks, 0, 0 },
	{ "cloned", t_cloned, 0, 0 },
	{ "input-frag-list", t_input_list, 0, 0 },
	{ "gro-off", t_gro_off, 0, 0 },
	{ "ninth-flow-of-a-bucket", t_table, 0, 0 },
	{ "refused-with-reason", t_refused, 0, 0 },
	{ "garbage-is-refused", t_garbage, 0, 0 },
	{ "close-with-packets-held", t_close_held, 0, 0 },
	{ "measure", t_measure, 0, 0 },
};

int main(int argc, char **argv)
{
	const struct case_set own = { tests, sizeof(tests) / sizeof(*tests) };
	const struct case_set *sets[] = { &own, &rigtest_xdp, &rigtest_deliver, &rigtest_leak };

	return tap_sets(argc, argv, sets, 4);
}
