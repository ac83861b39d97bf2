// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Nothing stays behind: skbs in use before and after many sequences, joined in both ways and split. */
#include <stdlib.h>
#include <string.h>

#include "gen.h"
#include "rigtest.h"

#define SEQUENCES	500
/* Those that per-CPU caches keep, and the rest of the system's. A leak is some thousands. */
#define SLACK		400

/* Objects of a slab cache in use; 0 where the kernel does not say. */
static uint32_t in_use(const char *cache)
{
	FILE *f = fopen("/proc/slabinfo", "r");
	uint32_t n, found = 0;
	char line[512], name[64];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s %u", name, &n) == 2 && !strcmp(name, cache))
			found = n;
	if (f)
		fclose(f);
	return found;
}

static int round_of(struct ctx *c, uint64_t seed, uint32_t features)
{
	struct rig rig;
	uint32_t i;
	int err;

	err = rig_open(&rig, NULL);
	if (err)
		return err;
	for (i = 0; !err && i < SEQUENCES; i++) {
		struct rig_outs out = {};
		struct gen_seq s;

		gen_sequence(&s, seed, i);
		s.features |= features;
		err = gen_run(&rig, &s, &out);
		rig_outs_free(&out);
		gen_free(&s);
	}
	if (err)
		expect(c, false, "%s", rig_error(&rig));
	rig_close(&rig);
	return err;
}

static void leak(struct ctx *c, uint32_t features)
{
	static const char cache[] = "skbuff_head_cache";
	uint32_t before, after;

	if (!in_use(cache)) {
		skip(c, "no /proc/slabinfo");
		return;
	}
	if (round_of(c, 77, features))
		return;
	before = in_use(cache);
	if (round_of(c, 78, features))
		return;
	after = in_use(cache);
	expect(c, after < before + SLACK, "%u skbs in use before, %u after", before, after);
}

static void t_plain(struct ctx *c)
{
	leak(c, 0);
}

static void t_fraglist(struct ctx *c)
{
	leak(c, RIG_FEAT_GRO_FRAGLIST);
}

static const struct test tests[] = {
	{ "nothing-leaks", t_plain, 0, 0 },
	{ "nothing-leaks-fraglist", t_fraglist, 0, 0 },
};

SET(rigtest_leak, tests);
