/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The rig tool: verbs, and the options that describe a train. */
#ifndef RIG_TOOL_H
#define RIG_TOOL_H

#include "rig.h"

/* Exit codes, as groctl's. */
enum { EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_UNSUPPORTED };

struct opts {
	const char *spec;
	uint32_t count, size;	/* per flow */
	uint32_t flows;
	uint32_t linear;	/* 0: the headers */
	uint32_t frag_size;
	uint32_t head, frag, csum;
	uint32_t gro_max;
	uint32_t features;
	uint32_t meta;
	uint32_t ext_len;
	uint32_t dport;
	uint32_t repeat;
	const char *name;	/* of the case */
	const char *dev;	/* wanted name of the device */
	const char *path;	/* for the JSON row: native, layered, ... */
	bool gro_frags, no_ts, fixed_id, no_hash, psh, vlan, split, hex, json, wait, expect_set;
	uint32_t expect;	/* packets that must come up */
};

int opts_parse(struct opts *o, int argc, char **argv);
void opts_help(FILE *f);
int opts_train(const struct opts *o, struct rig_train *t);
int opts_open(const struct opts *o, struct rig *rig);

int cmd_train(struct opts *o);
int cmd_measure(struct opts *o);
int cmd_selftest(struct opts *o);

#endif /* RIG_TOOL_H */
