/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * TAP for tests on the rig. A test is a function that builds trains, runs them and says what it
 * expects; a failed expectation prints what was sent and what came up, once.
 *
 * Exit: 0 all passed, 1 some failed, 4 nothing could be run (no rig).
 */
#ifndef RIG_TAP_H
#define RIG_TAP_H

#include "rig.h"

struct ctx {
	struct rig *rig;
	struct rig_train t;
	struct rig_outs out;
	uint32_t features;	/* as set now */
	bool failed, shown;
	char why[400];
	char skip[200];
	char todo[200];
};

struct test {
	const char *name;
	void (*run)(struct ctx *c);
	uint32_t features;	/* besides GRO and RXCSUM */
	uint32_t gro_max;	/* 0: 65536 */
};

/* --policy-attached: a policy is at work on the rig; expectations are the same unless a test says so. */
extern bool policy_attached;
/* --policy-attached=NAME,NAME: this one is. */
bool policy_is_attached(const char *name);

struct case_set {
	const struct test *tests;
	int nr;
};

#define SET(name, tests) const struct case_set name = { tests, sizeof(tests) / sizeof(*tests) }

int tap_main(int argc, char **argv, const struct test *tests, int nr);
int tap_sets(int argc, char **argv, const struct case_set **sets, int nr);

/* Feeds c->t, reads into c->out (split too), keeps the train for later comparison. */
bool run_train(struct ctx *c, uint32_t feed_flags);
bool read_out(struct ctx *c);
/* One packet at the end of c->t. */
struct rig_packet *add(struct ctx *c, const char *spec, uint32_t flow, uint32_t index,
		       uint32_t size);
struct rig_packet *add_spec(struct ctx *c, const char *spec, const struct rig_spec *s);
void again(struct ctx *c);	/* forget the train */

#define expect(c, cond, ...) expect_at(c, __LINE__, cond, #cond, __VA_ARGS__)
bool expect_at(struct ctx *c, int line, bool ok, const char *text, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
void skip(struct ctx *c, const char *why);
/* A failure from here on is known and does not count. */
void todo(struct ctx *c, const char *why);

/* So many packets came up, with so many segments each (0 in the list: not looked at). */
bool expect_shape(struct ctx *c, int line, uint32_t nr, const uint32_t *segs);
#define expect_segs(c, ...) \
	expect_shape(c, __LINE__, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, \
		     (uint32_t[]){ __VA_ARGS__ })
/* Split again equals sent. */
bool expect_sent_at(struct ctx *c, int line);
#define expect_sent(c) expect_sent_at(c, __LINE__)
/* Is the running kernel so new? */
bool kernel_since(int major, int minor);

#endif /* RIG_TAP_H */
