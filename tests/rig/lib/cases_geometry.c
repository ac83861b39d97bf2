// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Cases 1 to 4, 7, 14: metadata, header copy, kinds of head, marks. */
#include <string.h>

#include "cases.h"

static void set_meta(struct ctx *c, bool same)
{
	uint32_t i;

	for (i = 0; i < c->t.nr; i++) {
		c->t.p[i].g.meta_len = 8;
		memset(c->t.p[i].meta, same ? 1 : i, 8);
	}
}

/* Metadata that differs on each packet (a timestamp): nothing joins, and nothing is overtaken. */
static void t_meta_differs(struct ctx *c)
{
	uint32_t i;

	/* Eight: the table of a hash value holds no more. */
	case_train(c, "tcp4", 8);
	set_meta(c, false);
	run_train(c, 0);
	expect_segs(c, 1, 1, 1, 1, 1, 1, 1, 1);
	case_in_order(c, __LINE__);
	for (i = 0; i < c->out.nr; i++)
		expect(c, c->out.items[i].meta[0] == i, "packet %u has metadata %u", i + 1,
		       c->out.items[i].meta[0]);
	expect_sent(c);
}

static void t_meta_16(struct ctx *c)
{
	case_train(c, "tcp4", 16);
	set_meta(c, false);
	run_train(c, 0);
	expect(c, c->out.nr == 16, "%u packets", c->out.nr);
	case_in_order(c, __LINE__);
}

static void t_meta_psh(struct ctx *c)
{
	case_train(c, "tcp4", 4);
	c->t.p[3].frame[14 + 20 + 13] |= RIG_PSH;
	rig_fini(&c->t.p[3]);
	set_meta(c, false);
	run_train(c, 0);
	expect(c, c->out.nr == 4, "%u packets", c->out.nr);
	/* The one with PSH is not held and goes up before those that are: native GRO reorders, a policy does not. */
	if (!policy_attached)
		todo(c, "native: the one with PSH overtakes");
	case_in_order(c, __LINE__);
}

static void t_meta_same(struct ctx *c)
{
	case_train(c, "tcp4", 16);
	set_meta(c, true);
	run_train(c, 0);
	expect_segs(c, 16);
	expect(c, case_out(c, 0)->meta_len == 8, "metadata %u", case_out(c, 0)->meta_len);
	expect_sent(c);
}

static void t_meta_some(struct ctx *c)
{
	/* One packet without metadata among those with: as different as another value. */
	case_train(c, "tcp4", 3);
	set_meta(c, true);
	c->t.p[1].g.meta_len = 0;
	run_train(c, 0);
	expect_segs(c, 1, 1, 1);
	expect_sent(c);
}

struct shape {
	uint32_t linear, head, frags, list;
};

/* Eight packets each: with a page head every packet brings two fragments. */
static void shapes(struct ctx *c, const char *spec, const struct shape *s, uint32_t nr)
{
	uint32_t i, j;

	for (i = 0; i < nr; i++) {
		again(c);
		case_train(c, spec, 8);
		for (j = 0; j < 8; j++) {
			c->t.p[j].g.head = s[i].head;
			rig_shape(&c->t.p[j], s[i].linear, 0);
		}
		run_train(c, 0);
		expect_segs(c, 8);
		expect(c, case_out(c, 0)->nr_frags == s[i].frags && case_out(c, 0)->nr_list == s[i].list,
		       "linear %u, head %u: %u fragments, list %u", s[i].linear, s[i].head,
		       case_out(c, 0)->nr_frags, case_out(c, 0)->nr_list);
		expect_sent(c);
		if (c->failed)
			return;
	}
}

static void t_linear4(struct ctx *c)
{
	static const struct shape s[] = {
		{ 66, RIG_HEAD_KMALLOC, 8, 0 }, { 86, RIG_HEAD_KMALLOC, 1, 7 },
		{ 128, RIG_HEAD_KMALLOC, 1, 7 }, { 256, RIG_HEAD_KMALLOC, 1, 7 },
		{ 66, RIG_HEAD_PAGE, 8, 0 }, { 86, RIG_HEAD_PAGE, 15, 0 },
		{ 128, RIG_HEAD_PAGE, 15, 0 }, { 256, RIG_HEAD_PAGE, 15, 0 },
		{ 66, RIG_HEAD_POOL, 8, 0 }, { 128, RIG_HEAD_POOL, 15, 0 },
		{ 65, RIG_HEAD_KMALLOC, 8, 0 }, { 67, RIG_HEAD_KMALLOC, 1, 7 },
	};

	shapes(c, "tcp4", s, sizeof(s) / sizeof(*s));
}

static void t_linear6(struct ctx *c)
{
	static const struct shape s[] = {
		{ 66, RIG_HEAD_KMALLOC, 8, 0 }, { 86, RIG_HEAD_KMALLOC, 8, 0 },
		{ 128, RIG_HEAD_KMALLOC, 1, 7 }, { 256, RIG_HEAD_KMALLOC, 1, 7 },
		{ 86, RIG_HEAD_PAGE, 8, 0 }, { 256, RIG_HEAD_PAGE, 15, 0 },
		{ 256, RIG_HEAD_POOL, 15, 0 },
	};

	shapes(c, "tcp6", s, sizeof(s) / sizeof(*s));
}

static void short_linear(struct ctx *c, const char *spec, uint32_t upto)
{
	uint32_t linear, j;

	for (linear = 14; linear <= upto; linear++) {
		again(c);
		case_train(c, spec, 4);
		for (j = 0; j < 4; j++)
			rig_shape(&c->t.p[j], linear, 0);
		run_train(c, 0);
		expect_segs(c, 4);
		expect(c, case_out(c, 0)->nr_frags == 4, "linear %u: %u fragments", linear,
		       case_out(c, 0)->nr_frags);
		expect_sent(c);
		if (c->failed)
			return;
	}
}

/* Any linear part from 14 bytes on: headers that are not there are pulled, payload is not. */
static void t_short4(struct ctx *c)
{
	short_linear(c, "tcp4", 66);
}

static void t_short6(struct ctx *c)
{
	short_linear(c, "tcp6", 86);
}

static void t_less_than_14(struct ctx *c)
{
	case_train(c, "tcp4", 1);
	rig_shape(&c->t.p[0], 13, 0);
	/* The device is the driver here, and no driver leaves less than 14 to eth_type_trans(). */
	expect(c, rig_feed(c->rig, &c->t, 0) < 0, "taken");
}

/* Headers spread over tiny fragments. */
static void t_tiny_frags(struct ctx *c)
{
	uint32_t i, j;

	for (i = 1; i < 60; i += 3) {
		again(c);
		for (j = 0; j < 4; j++)
			rig_shape(add(c, "tcp4", 0, j, 400), 14, i < 30 ? 30 : i);
		run_train(c, 0);
		expect_segs(c, 4);
		expect_sent(c);
		if (c->failed)
			return;
	}
}

/* MTU 8000, several buffers a packet. */
static void t_multi_buffer(struct ctx *c)
{
	uint32_t i;

	for (i = 0; i < 8; i++) {
		struct rig_packet *p = add(c, "tcp4", 0, i, 7948);

		p->g.frag = RIG_FRAG_POOL;
		p->g.head = RIG_HEAD_NAPI;
		p->g.flags |= RIG_P_RECYCLE;
		rig_shape(p, 66, 4096);
	}
	run_train(c, 0);
	expect_segs(c, 8);
	expect(c, case_out(c, 0)->nr_frags == 16, "%u fragments", case_out(c, 0)->nr_frags);
	expect_sent(c);
}

/* Heads of every kind in one flow; what is stolen is freed once. */
static void t_mixed_heads(struct ctx *c)
{
	static const uint32_t heads[] = { RIG_HEAD_KMALLOC, RIG_HEAD_PAGE, RIG_HEAD_NAPI };
	uint32_t round, i;

	for (round = 0; round < 100 && !c->failed; round++) {
		again(c);
		case_train(c, "tcp4", 12);
		for (i = 0; i < 12; i++) {
			c->t.p[i].g.head = heads[(i + round) % 3];
			rig_shape(&c->t.p[i], (i * 97 + round * 31) % 1514 + 66, 0);
		}
		run_train(c, 0);
		expect_segs(c, 12);
		expect_sent(c);
	}
}

/* A page-pool packet and one that is not do not join, whichever comes first. */
static void t_pool_mixed(struct ctx *c)
{
	uint32_t i, first;

	for (first = 0; first < 2 && !c->failed; first++) {
		again(c);
		case_train(c, "tcp4", 4);
		for (i = 0; i < 4; i++)
			if ((i < 2) == !first)
				c->t.p[i].g.flags |= RIG_P_RECYCLE;
		run_train(c, 0);
		/* The refused one flushes the held one and is held in its place. */
		expect_segs(c, 2, 2);
		case_in_order(c, __LINE__);
		expect_sent(c);
	}
}

static void t_zerocopy(struct ctx *c)
{
	case_train(c, "tcp4", 4);
	c->t.p[2].g.flags |= RIG_P_ZEROCOPY;
	run_train(c, 0);
	expect_segs(c, 2, 1, 1);
	case_in_order(c, __LINE__);
	expect_sent(c);
}

static void t_decrypted(struct ctx *c)
{
	case_train(c, "tcp4", 4);
	c->t.p[2].g.flags |= RIG_P_DECRYPTED;
	c->t.p[3].g.flags |= RIG_P_DECRYPTED;
	run_train(c, 0);
	expect_segs(c, 2, 2);
	expect(c, !(case_out(c, 0)->flags & RIG_O_DECRYPTED), "the first is decrypted");
	expect(c, case_out(c, 1)->flags & RIG_O_DECRYPTED, "the second is not decrypted");
	expect_sent(c);
}

/* The mark of a spliced page survives joining, wherever it was and however it joined. */
static void t_shared_frag(struct ctx *c)
{
	static const struct shape s[] = {
		{ 66, RIG_HEAD_KMALLOC, 0, 0 }, { 128, RIG_HEAD_KMALLOC, 0, 0 },
		{ 128, RIG_HEAD_PAGE, 0, 0 }, { 1514, RIG_HEAD_PAGE, 0, 0 },
	};
	uint32_t i, j, marked;

	for (i = 0; i < 4; i++) {
		for (marked = 0; marked < 8; marked++) {
			again(c);
			case_train(c, "tcp4", 8);
			for (j = 0; j < 8; j++) {
				c->t.p[j].g.head = s[i].head;
				rig_shape(&c->t.p[j], s[i].linear, 0);
			}
			c->t.p[marked].g.flags |= RIG_P_SHARED_FRAG;
			run_train(c, 0);
			expect_segs(c, 8);
			expect(c, case_out(c, 0)->flags & RIG_O_SHARED_FRAG,
			       "linear %u, head %u, packet %u marked: lost", s[i].linear,
			       s[i].head, marked + 1);
			if (c->failed)
				return;
		}
	}
}

static void t_shared_frag_list(struct ctx *c)
{
	case_train(c, "tcp4", 4);
	c->t.p[2].g.flags |= RIG_P_SHARED_FRAG;
	run_train(c, 0);
	expect_segs(c, 4);
	expect(c, case_out(c, 0)->nr_list == 3, "list %u", case_out(c, 0)->nr_list);
	expect(c, case_out(c, 0)->flags & RIG_O_SHARED_FRAG, "lost");
}

static void t_no_mark(struct ctx *c)
{
	case_train(c, "tcp4", 8);
	run_train(c, 0);
	expect(c, !(case_out(c, 0)->flags & RIG_O_SHARED_FRAG), "a mark from nowhere");
}

static const struct test tests[] = {
	{ "01-metadata-differs-8", t_meta_differs, 0, 0 },
	{ "01-metadata-differs-16", t_meta_16, 0, 0 },
	{ "01-metadata-differs-psh", t_meta_psh, 0, 0 },
	{ "01-metadata-same", t_meta_same, 0, 0 },
	{ "01-metadata-missing-on-one", t_meta_some, 0, 0 },
	{ "02-linear-66-86-128-256-ipv4", t_linear4, 0, 0 },
	{ "02-linear-66-86-128-256-ipv6", t_linear6, 0, 0 },
	{ "03-linear-14-to-66-ipv4", t_short4, 0, 0 },
	{ "03-linear-14-to-86-ipv6", t_short6, 0, 0 },
	{ "03-linear-13", t_less_than_14, 0, 0 },
	{ "03-headers-in-tiny-fragments", t_tiny_frags, 0, 0 },
	{ "04-mtu-8000-multi-buffer", t_multi_buffer, 0, 0 },
	{ "07-heads-of-every-kind", t_mixed_heads, 0, 0 },
	{ "07-page-pool-flag-differs", t_pool_mixed, 0, 0 },
	{ "07-zero-copy-in-between", t_zerocopy, 0, 0 },
	{ "07-decrypted-differs", t_decrypted, 0, 0 },
	{ "14-shared-frag-survives", t_shared_frag, 0, 0 },
	{ "14-shared-frag-survives-fraglist", t_shared_frag_list, RIG_FEAT_GRO_FRAGLIST, 0 },
	{ "14-no-mark-without-one", t_no_mark, 0, 0 },
};

SET(cases_geometry, tests);
