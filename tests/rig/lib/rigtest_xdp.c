// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The rig's native XDP. */
#include <string.h>
#include <unistd.h>

#include "rigtest.h"
#include "xdp.h"

static int with(struct ctx *c, enum xdp_kind kind)
{
	int link = xdp_attach(c->rig->info.ifindex, kind);

	expect(c, link >= 0, "%s", strerror(-link));
	return link;
}

static void train(struct ctx *c, uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++)
		add(c, "tcp4", 0, i, 1448);
}

static void t_pass(struct ctx *c)
{
	int link = with(c, XDP_KIND_PASS);

	train(c, 16);
	run_train(c, 0);
	expect_segs(c, 16);
	expect_sent(c);
	close(link);
}

static void t_drop(struct ctx *c)
{
	int link = with(c, XDP_KIND_DROP);

	train(c, 16);
	run_train(c, 0);
	expect(c, c->out.nr == 0, "%u packets", c->out.nr);
	close(link);
	run_train(c, 0);
	expect_segs(c, 16);
}

static void t_meta(struct ctx *c)
{
	int link = with(c, XDP_KIND_META);

	train(c, 16);
	run_train(c, 0);
	expect_segs(c, 16);
	if (!c->failed)
		expect(c, c->out.items[0].o->meta_len == 8 && c->out.items[0].meta[0] == 0x5a,
		       "metadata of %u bytes", c->out.items[0].o->meta_len);
	expect_sent(c);
	close(link);
}

static void t_meta_seq(struct ctx *c)
{
	int link = with(c, XDP_KIND_META_SEQ);

	train(c, 4);
	run_train(c, 0);
	expect_segs(c, 1, 1, 1, 1);
	if (!c->failed)
		expect(c, !memcmp(c->out.items[2].meta + 4, c->out.items[2].frame + 38, 4),
		       "not the sequence number");
	expect_sent(c);
	close(link);
}

static void t_heads(struct ctx *c)
{
	int link = with(c, XDP_KIND_META);
	uint32_t head, i;

	for (head = 0; head < RIG_HEAD_MAX && !c->failed; head++) {
		again(c);
		train(c, 8);
		for (i = 0; i < 8; i++) {
			c->t.p[i].g.head = head;
			rig_shape(&c->t.p[i], head % 2 ? 1514 : 66, 0);
		}
		run_train(c, 0);
		expect_segs(c, 8);
		expect_sent(c);
	}
	close(link);
}

static void t_measure(struct ctx *c)
{
	struct rig_sample s[2] = {};
	int link = with(c, XDP_KIND_META);

	train(c, 16);
	expect(c, !rig_measure(c->rig, &c->t, 0, 2, s), "%s", rig_error(c->rig));
	expect(c, s[1].xdp_ns > 0 && s[1].out_packets == 1, "xdp %llu ns, %u packets",
	       (unsigned long long)s[1].xdp_ns, s[1].out_packets);
	close(link);
}

static const struct test tests[] = {
	{ "xdp-pass", t_pass, 0, 0 },
	{ "xdp-drop", t_drop, 0, 0 },
	{ "xdp-metadata", t_meta, 0, 0 },
	{ "xdp-metadata-per-packet", t_meta_seq, 0, 0 },
	{ "xdp-heads", t_heads, 0, 0 },
	{ "xdp-measure", t_measure, 0, 0 },
};

SET(rigtest_xdp, tests);
