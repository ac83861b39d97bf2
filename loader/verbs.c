// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of verbs and options. Parsing, usage, the completion file and the option list of the man page all come from here.
 */
#include "groctl.h"

const struct option_def option_defs[__OPT_MAX] = {
	[OPT_JSON]	= { "json", 'j', NULL, false, NULL, "print JSON" },
	[OPT_VERBOSE]	= { "verbose", 'v', NULL, false, NULL, "print more: options of policies, the verifier's log" },
	[OPT_NETNS]	= { "netns", 'n', "NETNS", false, "netns",
			    "work in this network namespace: a name of `ip netns`, a path or a process id" },
	[OPT_HELP]	= { "help", 'h', NULL, false, NULL, "print usage and end" },
	[OPT_VERSION]	= { "version", 'V', NULL, false, NULL, "print the version and end" },
	[OPT_DEV]	= { "dev", 'd', "DEVICE", false, "devices",
			    "for this device; may be given again. Without it a GRO policy is for all devices that no other policy names" },
	[OPT_DRIVER]	= { "driver", 'D', "DRIVER", false, "drivers", "for all devices of this driver but those that a policy names" },
	[OPT_NAME]	= { "name", 'N', "NAME", false, NULL, "call the policy so, instead of its own name" },
	[OPT_SET]	= { "option", 'o', "KEY=VALUE", false, "options",
			    "set an option of the policy; `groctl list -v` names them" },
	[OPT_ABSENT]	= { "absent", 0, NULL, false, NULL,
			    "take devices that do not exist: the policy waits for one of that name" },
	[OPT_ALL]	= { "all", 'a', NULL, false, NULL, "every policy, also those that other tools registered" },
	[OPT_WATCH]	= { "watch", 'w', "SECONDS", true, NULL, "print what happens in each interval, 1 second by default" },
	[OPT_CPU]	= { "cpu", 'c', NULL, false, NULL, "print each CPU's counters" },
	[OPT_MODE]	= { "mode", 0, "MODE", false, "modes", "native XDP, which is the default, or generic" },
};

#define BIT(o)	(1U << OPT_##o)

const struct verb verbs[] = {
	{ "probe", "", "what this kernel can and cannot do, and why", 0, 0, 0, {}, verb_probe },
	{ "list", "[POLICY|FILE]", "policies of the catalogue; with -v their options", 0, 0, 1, { "policies" }, verb_list },
	{ "check", "POLICY|FILE...", "what is wrong with a policy, as far as it shows before it is loaded", 0, 1, 64, { "policies" },
	  verb_check },
	{ "attach", "POLICY|FILE", "put a policy on its slots", BIT(DEV) | BIT(NAME) | BIT(SET) | BIT(ABSENT), 1, 1,
	  { "policies" }, verb_attach },
	{ "detach", "NAME", "take a policy off its slots: they are native again", BIT(ALL), 0, 1, { "attached" },
	  verb_detach },
	{ "replace", "NAME POLICY|FILE", "put another policy in the place of one, in one step and under load",
	  BIT(DEV) | BIT(SET) | BIT(ABSENT), 2, 2, { "attached", "policies" }, verb_replace },
	{ "status", "[NAME]", "policies in the kernel, those that were ejected and why", 0, 0, 1, { "attached" },
	  verb_status },
	{ "stats", "[NAME]", "packets, aggregates, and why packets do not coalesce", BIT(WATCH) | BIT(CPU), 0, 1,
	  { "attached" }, verb_stats },
	{ "headers", "list|set|show|clear [POLICY|FILE]",
	  "how much of a packet drivers copy to the linear part: policies for it, set, shown and cleared by device or driver",
	  BIT(DEV) | BIT(DRIVER) | BIT(SET) | BIT(ABSENT) | BIT(ALL), 1, 2, { "header-verbs", "headers" }, verb_headers },
	{ "parse", "attach|detach|status [DEVICE]",
	  "parse packets once, in XDP, for tc programs and policies", BIT(MODE) | BIT(SET), 1, 2,
	  { "parse-verbs", "devices" }, verb_parse },
	{ "completion", "bash|rst|words [KIND]",
	  "print the bash completion file, the man page's option list, or words to complete with", 0, 1, 3,
	  { "completions", "kinds" }, verb_completion },
	{},
};
