// SPDX-License-Identifier: GPL-2.0
/*
 * groctl list: the catalogue, or one policy; needs neither the module nor privileges.
 */
#include <stdio.h>
#include <string.h>

#include "groctl.h"

static void show_option(const struct policy *pol, const struct policy_option *opt)
{
	char type[256], value[256];

	option_type_text(pol, opt, type, sizeof(type));
	option_value_text(pol, opt, value, sizeof(value));
	out_open(NULL);
	out_str("name", "    -o %s", opt->name);
	out_str("type", "=%s", type);
	out_str("default", value[0] ? "  (default %s)\n" : "\n", value);
	if (opt->help)
		out_str("help", "           %s\n", opt->help);
	out_close();
}

static void show_object(const struct policy *pol, bool options)
{
	struct bpf_gro_slot slots[BPF_GRO_SLOTS_MAX];
	char text[256];
	int i;

	out_open(NULL);
	out_str("name", "%-12s", pol->label);
	out_str("file", NULL, pol->path);
	if (target == &target_gro) {
		policy_slots(pol, slots);
		slots_text(slots, text, sizeof(text));
		out_slots("slots", slots);
		out_text("  %-16s", text);
	}
	out_str("summary", "  %s\n", pol->summary ?: "");
	if (options)
		out_text("    file %s\n", pol->path);
	out_open_array("options");
	for (i = 0; i < pol->noptions && (options || out_json); i++)
		show_option(pol, &pol->options[i]);
	out_close();
	out_close();
}

static int list_one(const char *what)
{
	struct policy pol;
	int code = policy_find(&pol, what);

	if (!code)
		show_object(&pol, true);
	policy_close(&pol);
	return code;
}

static int list_all(bool options)
{
	struct catalogue cat;
	struct policy pol;
	int code = RC_OK, i;

	if (catalogue_read(&cat)) {
		catalogue_free(&cat);
		return fail(RC_FAIL, "out of memory");
	}
	if (!cat.n)
		code = fail(RC_FAIL, "no policies in %s: BPF_GRO_POLICY_DIR names another directory", cat.dirs);
	for (i = 0; i < cat.n; i++) {
		if (policy_open(&pol, cat.v[i].path, cat.v[i].name))
			warn("%s", pol.error);
		else
			show_object(&pol, options);
		policy_close(&pol);
	}
	catalogue_free(&cat);
	return code;
}

/**
 * list_policies() - the target's catalogue, or one policy
 * @what: policy or file, NULL for all
 *
 * Return: exit code.
 */
int list_policies(const char *what)
{
	int code;

	out_open_array("policies");
	code = what ? list_one(what) : list_all(out_verbose);
	out_close();
	return code;
}

int verb_list(const struct cli *cli)
{
	return list_policies(cli->nargs ? cli->args[0] : NULL);
}
