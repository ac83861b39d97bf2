// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* rig selftest: is the rig itself in order? A few trains whose result native GRO fixes. */
#include "tool.h"

struct check {
	const char *what, *spec;
	uint32_t linear, head, expect, frags, list;
};

static const struct check checks[] = {
	{ "headers linear: joins by fragments", "tcp4", 66, RIG_HEAD_NAPI, 1, 16, 0 },
	{ "more than headers linear: joins by frag_list", "tcp4", 128, RIG_HEAD_KMALLOC, 1, 1, 15 },
	{ "page head: joins by stolen heads", "tcp4", 1514, RIG_HEAD_PAGE, 1, 15, 0 },
	{ "page pool head", "tcp6", 1534, RIG_HEAD_POOL, 1, 15, 0 },
	{ "IPv6", "tcp6", 86, RIG_HEAD_NAPI, 1, 16, 0 },
	{ "IPIP", "ipip-tcp4", 86, RIG_HEAD_NAPI, 1, 16, 0 },
};

static int run(struct rig *rig, const struct check *c, int n)
{
	struct rig_train t = {};
	struct rig_outs out = {};
	char msg[256] = "";
	uint32_t i;
	int bad = 1;

	for (i = 0; i < 16; i++) {
		struct rig_packet *p = rig_train_add(&t);

		rig_spec_packet(p, c->spec, 0, i, 1448);
		p->g.head = c->head;
		rig_shape(p, c->linear, 0);
	}
	if (rig_feed(rig, &t, 0) || rig_read_all(rig, &out, RIG_READ_SPLIT))
		snprintf(msg, sizeof(msg), "%s", rig_error(rig));
	else if (out.nr != c->expect)
		snprintf(msg, sizeof(msg), "%u packets came up, not %u", out.nr, c->expect);
	else if (out.items[0].o->nr_frags != c->frags || out.items[0].o->nr_list != c->list)
		snprintf(msg, sizeof(msg), "%u fragments and %u list members, not %u and %u",
			 out.items[0].o->nr_frags, out.items[0].o->nr_list, c->frags, c->list);
	else
		bad = rig_cmp_sent(&t, &out, msg, sizeof(msg));
	printf("%s %d %s\n", bad ? "not ok" : "ok", n, c->what);
	if (bad) {
		printf("# %s\n", msg);
		rig_print_outs(stdout, &out, false);
	}
	rig_outs_free(&out);
	rig_train_free(&t);
	return bad;
}

int cmd_selftest(struct opts *o)
{
	const int nr = sizeof(checks) / sizeof(*checks);
	struct rig rig;
	int i, bad = 0;

	if (opts_open(o, &rig))
		return EXIT_UNSUPPORTED;
	printf("1..%d\n", nr);
	for (i = 0; i < nr; i++)
		bad |= run(&rig, &checks[i], i + 1);
	rig_close(&rig);
	return bad ? EXIT_FAILED : EXIT_DONE;
}
