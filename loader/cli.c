// SPDX-License-Identifier: GPL-2.0
/*
 * The command line: parsed by, and explained from, the tables of verbs.c. Options may stand anywhere; `--` ends them.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "groctl.h"

/**
 * cli_verb() - find a verb
 * @name: its name
 *
 * Return: the verb, or NULL.
 */
const struct verb *cli_verb(const char *name)
{
	const struct verb *v;

	for (v = verbs; v->name; v++)
		if (!strcmp(v->name, name))
			return v;
	return NULL;
}

static int find_long(const char *name, size_t len)
{
	int i;

	for (i = 0; i < __OPT_MAX; i++)
		if (strlen(option_defs[i].name) == len && !strncmp(option_defs[i].name, name, len))
			return i;
	return -1;
}

static int find_short(char letter)
{
	int i;

	for (i = 0; i < __OPT_MAX; i++)
		if (option_defs[i].letter == letter)
			return i;
	return -1;
}

/* An option without a value counts once; with one there are at most as many as words. */
static void add_value(struct cli *cli, int id, const char *value)
{
	if (!option_defs[id].arg)
		cli->opt[id].n = 0;
	cli->opt[id].v[cli->opt[id].n++] = value;
}

/* An optional value is taken from the next word only if that is a number: it may as well be an argument. */
static bool is_value_of(const struct option_def *def, const char *word)
{
	if (!word)
		return false;
	return !def->optional || isdigit((unsigned char)word[0]) || word[0] == '.';
}

/* One word that starts with '-'. Returns how many words it took, or a negative exit code. */
static int parse_option(struct cli *cli, char **argv)
{
	const char *word = argv[0], *value = NULL, *c;
	const struct option_def *def;
	int id, taken = 1;

	if (word[1] == '-') {
		size_t len = strcspn(word + 2, "=");

		id = find_long(word + 2, len);
		if (id < 0)
			return -fail(RC_USAGE, "no option '%.*s': see groctl --help", (int)len + 2, word);
		def = &option_defs[id];
		if (word[2 + len] == '=')
			value = word + 2 + len + 1;
		if (value && !def->arg)
			return -fail(RC_USAGE, "option --%s takes no value", def->name);
		if (def->arg && !value && is_value_of(def, argv[1])) {
			value = argv[1];
			taken = 2;
		}
		if (def->arg && !value && !def->optional)
			return -fail(RC_USAGE, "option --%s needs a value: %s", def->name, def->arg);
		add_value(cli, id, value);
		return taken;
	}
	for (c = word + 1; *c; c++) {
		id = find_short(*c);
		if (id < 0)
			return -fail(RC_USAGE, "no option '-%c': see groctl --help", *c);
		def = &option_defs[id];
		if (!def->arg) {
			add_value(cli, id, NULL);
			continue;
		}
		if (c[1]) {
			value = c + 1;
		} else if (is_value_of(def, argv[1])) {
			value = argv[1];
			taken = 2;
		} else if (!def->optional) {
			return -fail(RC_USAGE, "option -%c needs a value: %s", *c, def->arg);
		}
		add_value(cli, id, value);
		break;
	}
	return taken;
}

static int check_options(const struct cli *cli)
{
	char spelling[64];
	int i;

	for (i = 0; i < __OPT_MAX; i++) {
		if (!cli->opt[i].n)
			continue;
		if (!((cli->verb->options | OPT_EVERY_VERB) & 1U << i))
			return fail(RC_USAGE, "%s takes no option --%s", cli->verb->name, option_defs[i].name);
		if (cli->opt[i].n > 1 && option_defs[i].arg && i != OPT_DEV && i != OPT_DRIVER && i != OPT_SET) {
			cli_option_spelling(i, spelling, sizeof(spelling));
			return fail(RC_USAGE, "option %s is given twice", spelling);
		}
	}
	return RC_OK;
}

/**
 * cli_parse() - parse a command line
 * @cli: filled; free it with cli_free() in any case
 * @argc: as main() got it
 * @argv: as main() got it
 *
 * With --help or --version the rest may be missing, and @cli->verb may be NULL.
 *
 * Return: exit code.
 */
int cli_parse(struct cli *cli, int argc, char **argv)
{
	const char **room;
	bool options = true;
	int i, taken;

	memset(cli, 0, sizeof(*cli));
	room = calloc((size_t)(__OPT_MAX + 1) * (argc + 1), sizeof(*room));
	if (!room)
		return fail(RC_FAIL, "out of memory");
	for (i = 0; i < __OPT_MAX; i++)
		cli->opt[i].v = room + (size_t)i * (argc + 1);
	cli->args = room + (size_t)__OPT_MAX * (argc + 1);

	for (i = 1; i < argc; i += taken) {
		taken = 1;
		if (options && !strcmp(argv[i], "--")) {
			options = false;
		} else if (options && argv[i][0] == '-' && argv[i][1]) {
			taken = parse_option(cli, argv + i);
			if (taken < 0)
				return -taken;
		} else if (!cli->verb) {
			cli->verb = cli_verb(argv[i]);
			if (!cli->verb)
				return fail(RC_USAGE, "no verb '%s': see groctl --help", argv[i]);
		} else {
			cli->args[cli->nargs++] = argv[i];
		}
	}
	if (cli_has(cli, OPT_HELP) || cli_has(cli, OPT_VERSION))
		return RC_OK;
	if (!cli->verb)
		return fail(RC_USAGE, "a verb is missing: see groctl --help");
	if (cli->nargs < cli->verb->min_args)
		return fail(RC_USAGE, "usage: groctl %s %s", cli->verb->name, cli->verb->args);
	if (cli->nargs > cli->verb->max_args)
		return fail(RC_USAGE, "'%s' is too much; usage: groctl %s %s", cli->args[cli->verb->max_args],
			    cli->verb->name, cli->verb->args);
	return check_options(cli);
}

void cli_free(struct cli *cli)
{
	free(cli->opt[0].v);
}

bool cli_has(const struct cli *cli, enum option_id id)
{
	return cli->opt[id].n;
}

/**
 * cli_value() - the value of an option
 * @cli: command line
 * @id: option
 *
 * Return: its first value, or NULL.
 */
const char *cli_value(const struct cli *cli, enum option_id id)
{
	return cli->opt[id].n ? cli->opt[id].v[0] : NULL;
}

/**
 * cli_option_spelling() - an option as usage shows it
 * @id: option
 * @buf: such as "-d, --dev DEVICE"
 * @size: its size
 *
 * Return: characters.
 */
int cli_option_spelling(enum option_id id, char *buf, size_t size)
{
	const struct option_def *def = &option_defs[id];
	int n = 0;

	if (def->letter)
		n = snprintf(buf, size, "-%c, ", def->letter);
	n += snprintf(buf + n, size - n, "--%s", def->name);
	if (def->arg)
		n += snprintf(buf + n, size - n, def->optional ? "[=%s]" : " %s", def->arg);
	return n;
}

static void usage_options(uint32_t mask)
{
	char buf[64];
	int i;

	for (i = 0; i < __OPT_MAX; i++) {
		if (!(mask & 1U << i))
			continue;
		cli_option_spelling(i, buf, sizeof(buf));
		printf("  %s%-*s  %s\n", option_defs[i].letter ? "" : "    ", option_defs[i].letter ? 24 : 20, buf,
		       option_defs[i].help);
	}
}

/**
 * cli_usage() - print usage on stdout
 * @verb: of this verb; NULL: of all
 */
void cli_usage(const struct verb *verb)
{
	const struct verb *v;
	char buf[64];

	if (verb) {
		printf("Usage: groctl %s%s%s [OPTIONS]\n\n%c%s.\n\n", verb->name, verb->args[0] ? " " : "", verb->args,
		       toupper((unsigned char)verb->summary[0]), verb->summary + 1);
		if (verb->options) {
			printf("Options:\n");
			usage_options(verb->options);
			printf("\n");
		}
		printf("Options of every verb:\n");
		usage_options(OPT_EVERY_VERB);
		return;
	}
	printf("Usage: groctl VERB [ARGUMENTS] [OPTIONS]\n\nGRO policies in BPF: see, attach, replace, detach, count.\n\nVerbs:\n");
	for (v = verbs; v->name; v++) {
		snprintf(buf, sizeof(buf), "%s %s", v->name, v->args);
		printf("  %-32s  %s\n", buf, v->summary);
	}
	printf("\nOptions of every verb (groctl VERB --help shows the others):\n");
	usage_options(OPT_EVERY_VERB);
	printf("\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 not supported here. See groctl(8), bpf_gro(7).\n");
}
