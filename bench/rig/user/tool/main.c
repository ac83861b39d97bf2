// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The rig tool. */
#include <string.h>

#include "tool.h"

static const struct verb {
	const char *name;
	int (*run)(struct opts *o);
	const char *args, *help;
} verbs[] = {
	{ "selftest", cmd_selftest, "", "check the rig itself" },
	{ "train", cmd_train, "[PACKET [COUNTxSIZE]]", "feed a train, print what came up" },
	{ "measure", cmd_measure, "[PACKET [COUNTxSIZE]]",
	  "instructions per packet (QEMU -icount shift=0,sleep=off; else ns)" },
};

#define NR (sizeof(verbs) / sizeof(*verbs))

static void usage(FILE *f)
{
	size_t i;

	fprintf(f, "usage: rig VERB [OPTIONS]\n\n");
	for (i = 0; i < NR; i++)
		fprintf(f, "  %s %s\n      %s\n", verbs[i].name, verbs[i].args, verbs[i].help);
	fprintf(f, "\nPACKET: %s\n\nOptions:\n", rig_spec_help());
	opts_help(f);
	fprintf(f, "\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 not supported here.\n");
}

int main(int argc, char **argv)
{
	struct opts o;
	size_t i;
	int j;

	for (j = 1; j < argc; j++) {
		if (!strcmp(argv[j], "--help")) {
			usage(stdout);
			return EXIT_DONE;
		}
	}
	if (argc > 1 && !strcmp(argv[1], "--version")) {
		printf("rig, ABI %d\n", RIG_ABI);
		return EXIT_DONE;
	}
	for (i = 0; argc > 1 && i < NR; i++) {
		if (strcmp(verbs[i].name, argv[1]))
			continue;
		if (opts_parse(&o, argc - 2, argv + 2))
			return EXIT_USAGE;
		return verbs[i].run(&o);
	}
	usage(stderr);
	return EXIT_USAGE;
}
