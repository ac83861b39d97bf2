// SPDX-License-Identifier: GPL-2.0
/*
 * groctl: GRO policies in BPF. One verb a file; verbs.c has the table of them.
 */
#include <stdio.h>
#include <string.h>

#include "groctl.h"

#ifndef BPF_GRO_VERSION
#define BPF_GRO_VERSION "unknown"
#endif

/* Errors of parsing are in JSON as well if --json stands anywhere. */
static bool wants_json(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "--json") || !strcmp(argv[i], "-j"))
			return true;
	return false;
}

static int run(struct cli *cli, int argc, char **argv)
{
	int code = cli_parse(cli, argc, argv);

	if (code)
		return code;
	out_json = cli_has(cli, OPT_JSON);
	out_verbose = cli_has(cli, OPT_VERBOSE);
	if (cli_has(cli, OPT_HELP)) {
		out_json = false;
		cli_usage(cli->verb);
		return RC_OK;
	}
	if (cli_has(cli, OPT_VERSION)) {
		out_str("version", "groctl %s", BPF_GRO_VERSION);
		out_uint("abi", ", ABI %lu\n", BPF_GRO_ABI);
		return RC_OK;
	}
	if (cli_has(cli, OPT_NETNS)) {
		code = netns_enter(cli_value(cli, OPT_NETNS));
		if (code)
			return code;
	}
	return cli->verb->run(cli);
}

int main(int argc, char **argv)
{
	struct cli cli;
	int code;

	out_json = wants_json(argc, argv);
	log_start();
	code = run(&cli, argc, argv);
	kernel_close();
	headers_close();
	pins_unlock();
	cli_free(&cli);
	out_flush(true);
	return code;
}
