// SPDX-License-Identifier: GPL-2.0
/*
 * groctl completion: what is made from the tables of verbs and options. `bash` is the completion file, `rst` the option list of the man
 * page, `words KIND` what the completion file asks for while the user types.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "groctl.h"

static void print_options(uint32_t mask)
{
	int i;

	for (i = 0; i < __OPT_MAX; i++) {
		if (!(mask & 1U << i))
			continue;
		if (option_defs[i].letter)
			printf(" -%c", option_defs[i].letter);
		printf(" --%s", option_defs[i].name);
	}
}

static int bash(void)
{
	const struct verb *v;
	int i;

	printf("# SPDX-License-Identifier: GPL-2.0\n"
	       "# bash completion for groctl, printed by `groctl completion bash`: do not edit\n"
	       "# shellcheck shell=bash disable=SC2207 # names of policies and devices have no spaces\n\n"
	       "_groctl_options()\n{\n\tcase $1 in\n");
	for (v = verbs; v->name; v++) {
		printf("\t%s) echo \"", v->name);
		print_options(v->options | OPT_EVERY_VERB);
		printf("\" ;;\n");
	}
	printf("\tesac\n}\n\n_groctl_args()\n{\n\tcase $1 in\n");
	for (v = verbs; v->name; v++)
		for (i = 0; i < 2; i++)
			if (v->complete[i])
				printf("\t%s:%d) echo %s ;;\n", v->name, i + 1, v->complete[i]);
	printf("\tesac\n}\n\n_groctl_value()\n{\n\tcase $1 in\n");
	for (i = 0; i < __OPT_MAX; i++) {
		const struct option_def *def = &option_defs[i];

		if (!def->arg || def->optional)
			continue;
		printf("\t");
		if (def->letter)
			printf("-%c | ", def->letter);
		printf("--%s) echo %s ;;\n", def->name, def->complete ?: "none");
	}
	printf("\tesac\n}\n\n"
	       "_groctl()\n{\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} verb='' args=() word kind i\n\n"
	       "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	       "\t\tword=${COMP_WORDS[i]}\n"
	       "\t\tcase $word in\n"
	       "\t\t-*)\n"
	       "\t\t\tkind=$(_groctl_value \"$word\")\n"
	       "\t\t\t[[ -n $kind ]] && ((i++)) ;;\n"
	       "\t\t*)\n"
	       "\t\t\tif [[ -z $verb ]]; then verb=$word; else args+=(\"$word\"); fi ;;\n"
	       "\t\tesac\n"
	       "\tdone\n"
	       "\tkind=$(_groctl_value \"$prev\")\n"
	       "\tif [[ -n $kind ]]; then\n"
	       "\t\tCOMPREPLY=($(compgen -W \"$(groctl completion words \"$kind\" \"${args[@]: -1}\" 2>/dev/null)\" -- \"$cur\"))\n"
	       "\t\t[[ $kind == options ]] && compopt -o nospace\n"
	       "\telif [[ $cur == -* ]]; then\n"
	       "\t\tCOMPREPLY=($(compgen -W \"$(_groctl_options \"$verb\")\" -- \"$cur\"))\n"
	       "\telif [[ -z $verb ]]; then\n"
	       "\t\tCOMPREPLY=($(compgen -W \"");
	for (v = verbs; v->name; v++)
		printf("%s%s", v == verbs ? "" : " ", v->name);
	printf("\" -- \"$cur\"))\n"
	       "\telse\n"
	       "\t\tkind=$(_groctl_args \"$verb:$((${#args[@]} + 1))\")\n"
	       "\t\t[[ -n $kind ]] || return 0\n"
	       "\t\tCOMPREPLY=($(compgen -W \"$(groctl completion words \"$kind\" 2>/dev/null)\" -- \"$cur\"))\n"
	       "\t\t[[ $kind == policies || $kind == headers ]] && COMPREPLY+=($(compgen -f -X '!*.o' -- \"$cur\"))\n"
	       "\tfi\n"
	       "\treturn 0\n"
	       "} && complete -F _groctl groctl\n");
	return RC_OK;
}

static void rst_options(uint32_t mask)
{
	const struct option_def *def;
	int i;

	for (i = 0; i < __OPT_MAX; i++) {
		if (!(mask & 1U << i))
			continue;
		def = &option_defs[i];
		if (def->letter)
			printf("**-%c**, ", def->letter);
		printf("**--%s**", def->name);
		if (def->arg)
			printf(def->optional ? "\\ [=\\ *%s*\\ ]" : " *%s*", def->arg);
		printf("\n  %s\n\n", def->help);
	}
}

/* The verbs and options of groctl(8), in reStructuredText. */
static int rst(void)
{
	const struct verb *v;
	size_t n;

	printf(".. SPDX-License-Identifier: GPL-2.0\n"
	       ".. printed by `groctl completion rst`: do not edit\n\n"
	       "OPTIONS OF EVERY VERB\n=====================\n\n");
	rst_options(OPT_EVERY_VERB);
	printf("VERBS\n=====\n\n");
	for (v = verbs; v->name; v++) {
		n = printf("groctl %s%s%s\n", v->name, v->args[0] ? " " : "", v->args);
		while (--n)
			putchar('-');
		printf("\n\n%c%s.\n\n", toupper((unsigned char)v->summary[0]), v->summary + 1);
		rst_options(v->options);
	}
	return RC_OK;
}

static void word_policies(const char *arg)
{
	struct catalogue cat;
	int i;

	(void)arg;
	if (!catalogue_read(&cat))
		for (i = 0; i < cat.n; i++)
			puts(cat.v[i].name);
	catalogue_free(&cat);
}

static void word_headers(const char *arg)
{
	target = &target_headers;
	word_policies(arg);
}

static void word_header_verbs(const char *arg)
{
	(void)arg;
	puts("list\nset\nshow\nclear");
}

static void word_attached(const char *arg)
{
	struct pins pins;
	int i;

	(void)arg;
	if (!pins_read(&pins, false))
		for (i = 0; i < pins.n; i++)
			puts(pins.v[i].name);
	pins_free(&pins);
}

static void word_devices(const char *arg)
{
	struct devices devs;
	int i;

	(void)arg;
	if (!devices_read(&devs))
		for (i = 0; i < devs.n; i++)
			puts(devs.v[i].name);
	devices_free(&devs);
}

static void word_entries(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *d;

	while (dir && (d = readdir(dir)))
		if (d->d_name[0] != '.')
			puts(d->d_name);
	if (dir)
		closedir(dir);
}

static void word_netns(const char *arg)
{
	(void)arg;
	word_entries("/run/netns");
}

static void word_drivers(const char *arg)
{
	(void)arg;
	word_entries("/sys/bus/pci/drivers");
}

static void word_options(const char *policy)
{
	struct policy pol = {};
	int code, i;

	if (!policy)
		return;
	code = policy_find(&pol, policy);
	if (code) {
		policy_close(&pol);
		target = &target_headers;
		code = policy_find(&pol, policy);
	}
	if (!code)
		for (i = 0; i < pol.noptions; i++)
			printf("%s=\n", pol.options[i].name);
	policy_close(&pol);
}

static void word_none(const char *arg)
{
	(void)arg;
}

static void word_completions(const char *arg)
{
	(void)arg;
	puts("bash\nrst\nwords");
}

static void word_modes(const char *arg)
{
	(void)arg;
	puts("native\ngeneric");
}

static void word_parse_verbs(const char *arg)
{
	(void)arg;
	puts("attach\ndetach\nstatus");
}

static void word_kinds(const char *arg);

static const struct {
	const char *kind;
	void (*print)(const char *arg);
} words[] = {
	{ "policies", word_policies },
	{ "attached", word_attached },
	{ "drivers", word_drivers },
	{ "headers", word_headers },
	{ "header-verbs", word_header_verbs },
	{ "devices", word_devices },
	{ "netns", word_netns },
	{ "options", word_options },
	{ "completions", word_completions },
	{ "kinds", word_kinds },
	{ "modes", word_modes },
	{ "parse-verbs", word_parse_verbs },
	{ "none", word_none },
};

static void word_kinds(const char *arg)
{
	size_t i;

	(void)arg;
	for (i = 0; i < ARRAY_SIZE(words); i++)
		puts(words[i].kind);
}

int verb_completion(const struct cli *cli)
{
	const char *what = cli->args[0];
	size_t i;

	if (out_json)
		return fail(RC_USAGE, "completion has no JSON");
	if (!strcmp(what, "bash") && cli->nargs == 1)
		return bash();
	if (!strcmp(what, "rst") && cli->nargs == 1)
		return rst();
	if (strcmp(what, "words") || cli->nargs < 2)
		return fail(RC_USAGE, "usage: groctl completion bash, rst, or words KIND [POLICY]");
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(words[i].kind, cli->args[1]))
			continue;
		words[i].print(cli->nargs > 2 ? cli->args[2] : NULL);
		return RC_OK;
	}
	return fail(RC_USAGE, "no kind of words '%s'", cli->args[1]);
}
