// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <fnmatch.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "tap.h"

bool policy_attached;
static const char *policies = "";

bool kernel_since(int major, int minor)
{
	struct utsname u;
	int a = 0, b = 0;

	uname(&u);
	sscanf(u.release, "%d.%d", &a, &b);
	return a > major || (a == major && b >= minor);
}

bool expect_at(struct ctx *c, int line, bool ok, const char *text, const char *fmt, ...)
{
	char buf[256];
	va_list ap;

	if (ok)
		return true;
	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	if (!c->failed)
		snprintf(c->why, sizeof(c->why), "line %d: %s: expected %s", line, buf, text);
	c->failed = true;
	return false;
}

void skip(struct ctx *c, const char *why)
{
	snprintf(c->skip, sizeof(c->skip), "%s", why);
}

void todo(struct ctx *c, const char *why)
{
	if (!c->failed)
		snprintf(c->todo, sizeof(c->todo), "%s", why);
}

bool read_out(struct ctx *c)
{
	rig_outs_free(&c->out);
	if (!rig_read_all(c->rig, &c->out, RIG_READ_SPLIT))
		return true;
	return expect_at(c, 0, false, "results", "%s", rig_error(c->rig));
}

bool run_train(struct ctx *c, uint32_t feed_flags)
{
	if (rig_feed(c->rig, &c->t, feed_flags))
		return expect_at(c, 0, false, "the train to be taken", "%s", rig_error(c->rig));
	return feed_flags & RIG_FEED_HOLD ? true : read_out(c);
}

void again(struct ctx *c)
{
	rig_train_clear(&c->t);
	rig_outs_free(&c->out);
}

struct rig_packet *add_spec(struct ctx *c, const char *spec, const struct rig_spec *s)
{
	struct rig_packet *p = rig_train_add(&c->t);

	if (rig_spec_build(p, spec, s))
		expect_at(c, 0, false, "a packet description", "%s", spec);
	return p;
}

struct rig_packet *add(struct ctx *c, const char *spec, uint32_t flow, uint32_t index,
		       uint32_t size)
{
	struct rig_spec s = { .flow = flow, .index = index, .seq = index * size, .size = size };

	return add_spec(c, spec, &s);
}

static uint32_t segs_of(const struct rig_item *item)
{
	return item->o->gso_size ? item->o->gso_segs : 1;
}

bool expect_shape(struct ctx *c, int line, uint32_t nr, const uint32_t *segs)
{
	char want[128] = "", got[128] = "";
	bool ok = c->out.nr == nr;
	uint32_t i;
	size_t n;

	for (i = 0; i < nr && i < c->out.nr; i++)
		ok &= !segs[i] || segs_of(&c->out.items[i]) == segs[i];
	if (ok)
		return true;
	for (i = n = 0; i < nr && n < sizeof(want); i++)
		n += snprintf(want + n, sizeof(want) - n, "%s%u", i ? " " : "", segs[i]);
	for (i = n = 0; i < c->out.nr && n < sizeof(got); i++)
		n += snprintf(got + n, sizeof(got) - n, "%s%u", i ? " " : "",
			      segs_of(&c->out.items[i]));
	return expect_at(c, line, false, want, "segments per packet %s", got);
}

bool expect_sent_at(struct ctx *c, int line)
{
	char msg[200];

	if (!rig_cmp_sent(&c->t, &c->out, msg, sizeof(msg)))
		return true;
	return expect_at(c, line, false, "split again to equal what was sent", "%s", msg);
}

static void show(const struct ctx *c)
{
	char *buf = NULL, *line, *rest;
	size_t size = 0;
	uint32_t i;
	FILE *f = open_memstream(&buf, &size);

	if (!f)
		return;
	for (i = 0; i < c->t.nr && i < 40; i++) {
		fprintf(f, "in %3u ", i + 1);
		rig_print_packet(f, &c->t.p[i], false);
	}
	fprintf(f, "came up: %u\n", c->out.nr);
	rig_print_outs(f, &c->out, false);
	fclose(f);
	for (rest = buf; (line = strsep(&rest, "\n"));)
		if (*line)
			printf("#   %s\n", line);
	free(buf);
}

static bool one(struct rig *rig, const struct test *t, int n)
{
	struct ctx c = { .rig = rig };
	uint32_t max = t->gro_max ? t->gro_max : 65536;
	struct rig_outs rest = {};

	c.features = RIG_FEAT_GRO | RIG_FEAT_RXCSUM | t->features;
	if (rig_set(rig, c.features, max, max))
		expect_at(&c, 0, false, "features to be set", "%s", rig_error(rig));
	else
		t->run(&c);
	if (*c.skip && !c.failed)
		printf("ok %d %s # SKIP %s\n", n, t->name, c.skip);
	else if (*c.todo && c.failed)
		printf("not ok %d %s # TODO %s\n", n, t->name, c.todo);
	else
		printf("%s %d %s\n", c.failed ? "not ok" : "ok", n, t->name);
	if (c.failed) {
		printf("#   %s\n", c.why);
		show(&c);
	}
	fflush(stdout);
	rig_train_free(&c.t);
	rig_outs_free(&c.out);
	/* Leave nothing behind for the next one. */
	rig_flush(rig);
	rig_read_all(rig, &rest, 0);
	rig_outs_free(&rest);
	return !c.failed || *c.todo;
}

static bool chosen(const char *name, int argc, char **argv)
{
	bool any = false;
	int i;

	for (i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "--", 2))
			continue;
		any = true;
		if (!fnmatch(argv[i], name, 0))
			return true;
	}
	return !any;
}

bool policy_is_attached(const char *name)
{
	size_t len = strlen(name);
	const char *at = policies;

	for (; *at; at += strcspn(at, ","), at += *at == ',')
		if (!strncmp(at, name, len) && (!at[len] || at[len] == ','))
			return true;
	return false;
}

int tap_main(int argc, char **argv, const struct test *tests, int nr)
{
	struct rig_setup setup = { .features = RIG_FEAT_GRO | RIG_FEAT_RXCSUM, .mtu = 9000 };
	int i, n = 0, failed = 0;
	char line[16];
	struct rig rig;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			printf("usage: %s [--dev=NAME] [--wait] [--list] [--policy-attached[=NAME,...]] [TEST-PATTERN...]\n"
			       "--dev: name of the rig's device; --wait: print it, go on after a line on stdin\n",
			       argv[0]);
			return 0;
		}
		if (!strcmp(argv[i], "--list")) {
			for (i = 0; i < nr; i++)
				printf("%s\n", tests[i].name);
			return 0;
		}
		if (!strcmp(argv[i], "--policy-attached"))
			policy_attached = true;
		if (!strncmp(argv[i], "--policy-attached=", 18)) {
			policy_attached = true;
			policies = argv[i] + 18;
		}
		if (!strncmp(argv[i], "--dev=", 6))
			snprintf(setup.name, sizeof(setup.name), "%s", argv[i] + 6);
	}
	if (rig_open(&rig, &setup)) {
		printf("Bail out! %s\n", rig_error(&rig));
		return 4;
	}
	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--wait"))
			continue;
		printf("# %s\n", rig.info.name);
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return 4;
	}
	for (i = 0; i < nr; i++)
		n += chosen(tests[i].name, argc, argv);
	printf("1..%d\n", n);
	for (i = 0, n = 0; i < nr; i++)
		if (chosen(tests[i].name, argc, argv))
			failed += !one(&rig, &tests[i], ++n);
	rig_close(&rig);
	printf("# %d passed, %d failed\n", n - failed, failed);
	return failed ? 1 : 0;
}

int tap_sets(int argc, char **argv, const struct case_set **sets, int nr)
{
	struct test *all = NULL;
	int i, n = 0, ret;

	for (i = 0; i < nr; i++) {
		struct test *grown = realloc(all, (n + sets[i]->nr) * sizeof(*all));

		if (!grown)
			return 1;
		all = grown;
		memcpy(all + n, sets[i]->tests, sets[i]->nr * sizeof(*all));
		n += sets[i]->nr;
	}
	ret = tap_main(argc, argv, all, n);
	free(all);
	return ret;
}
