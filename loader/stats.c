// SPDX-License-Identifier: GPL-2.0
/*
 * groctl stats: what the policies did since they were attached. stats_watch.c has --watch.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "groctl.h"
#include "stats.h"

#define BAR_WIDTH	40

/**
 * stats_add() - add counters
 * @sum: to these
 * @s: what to add
 */
void stats_add(struct bpf_gro_stats *sum, const struct bpf_gro_stats *s)
{
	int i;

	sum->packets += s->packets;
	sum->bytes += s->bytes;
	sum->held += s->held;
	sum->joined += s->joined;
	sum->passed += s->passed;
	sum->native += s->native;
	sum->carried += s->carried;
	sum->joined_frag += s->joined_frag;
	sum->joined_list += s->joined_list;
	sum->joined_chain += s->joined_chain;
	sum->aggregates += s->aggregates;
	sum->wire_segs += s->wire_segs;
	for (i = 0; i < BPF_GRO_REASONS_MAX; i++)
		sum->reason[i] += s->reason[i];
	for (i = 0; i < BPF_GRO_HIST_BUCKETS; i++)
		sum->hist[i] += s->hist[i];
}

/**
 * stats_sum() - all counters of a policy, on all CPUs
 * @k: read with KERNEL_STATS
 * @id: the policy
 * @sum: filled
 */
void stats_sum(const struct kernel *k, uint32_t id, struct bpf_gro_stats *sum)
{
	int i;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < k->nstats; i++)
		if (k->stats[i].s.policy_id == id && k->stats[i].cpu < 0)
			stats_add(sum, &k->stats[i].s);
}

/* Packets that came in for each that went up the stack. */
double stats_mean(const struct bpf_gro_stats *s)
{
	return s->aggregates ? (double)s->wire_segs / s->aggregates : 0;
}

uint64_t stats_delivered(const struct bpf_gro_stats *s)
{
	return s->packets > s->joined ? s->packets - s->joined : 0;
}

static void row(const char *text_prefix, const struct bpf_gro_stats *s)
{
	out_text("%s", text_prefix);
	out_uint("packets", " %12lu", s->packets);
	out_uint("bytes", NULL, s->bytes);
	out_uint("held", " %10lu", s->held);
	out_uint("joined", " %12lu", s->joined);
	out_uint("passed", " %10lu", s->passed);
	out_uint("native", " %10lu", s->native);
	out_uint("delivered", " %12lu", stats_delivered(s));
	out_uint("aggregates", " %10lu", s->aggregates);
	out_uint("wire_segments", NULL, s->wire_segs);
	out_double("mean_segments", " %9.2f\n", stats_mean(s));
}

static void joins(const struct bpf_gro_stats *s)
{
	out_open("joined_by");
	out_uint("fragment", s->joined ? "  joined by page fragment %lu, " : NULL, s->joined_frag);
	out_uint("list", s->joined ? "fragment list %lu, " : NULL, s->joined_list);
	out_uint("chain", s->joined ? "chain of packets %lu\n" : NULL, s->joined_chain);
	out_close();
}

static void reasons(const struct bpf_gro_stats *s)
{
	bool head = false;
	int i;

	out_open_array("reasons");
	for (i = 1; i < BPF_GRO_REASONS_MAX; i++) {
		if (!s->reason[i])
			continue;
		if (!head)
			out_text("  not joined, or the last of an aggregate\n");
		head = true;
		out_open(NULL);
		out_str("reason", "    %-12s", reason_name(i));
		out_uint("packets", " %12lu", s->reason[i]);
		out_str("text", "  %s\n", reason_text(i));
		out_close();
	}
	out_close();
}

static void bar(uint64_t n, uint64_t most)
{
	int width = most ? (n * BAR_WIDTH + most - 1) / most : 0;

	while (width--)
		out_text("#");
	out_text("\n");
}

static void histogram(const struct bpf_gro_stats *s)
{
	int first = BPF_GRO_HIST_BUCKETS, last = -1, i;
	uint64_t most = 0;
	char range[32];

	for (i = 0; i < BPF_GRO_HIST_BUCKETS; i++) {
		if (!s->hist[i])
			continue;
		if (i < first)
			first = i;
		last = i;
		if (s->hist[i] > most)
			most = s->hist[i];
	}
	out_open_array("histogram");
	if (last >= 0)
		out_text("  segments per aggregate\n");
	for (i = first; i <= last; i++) {
		snprintf(range, sizeof(range), "%lu-%lu", 1UL << i, (2UL << i) - 1);
		out_open(NULL);
		out_text("    %-12s", range);
		out_uint("from", NULL, 1UL << i);
		out_uint("to", NULL, (2UL << i) - 1);
		out_uint("aggregates", " %12lu  ", s->hist[i]);
		bar(s->hist[i], most);
		out_close();
	}
	out_close();
}

/**
 * stats_counters() - counters as JSON members and as the lines below a table
 * @s: counters
 * @prefix: start of their row in the table
 * @details: also joins, reasons and histogram
 */
void stats_counters(const struct bpf_gro_stats *s, const char *prefix, bool details)
{
	row(prefix, s);
	if (!details && !out_json)
		return;
	out_uint("carried", s->carried ? "  handed on to the layer inside %lu\n" : NULL, s->carried);
	joins(s);
	reasons(s);
	histogram(s);
}

static void counter_set(const struct kernel_stats *st)
{
	char slot[32], prefix[96], cpu[16] = "all";

	slot_text(&st->s.slot, slot, sizeof(slot));
	if (st->cpu >= 0)
		snprintf(cpu, sizeof(cpu), "%d", st->cpu);
	snprintf(prefix, sizeof(prefix), "  %-10s %-16s %-4s", slot, st->s.device[0] ? st->s.device : "all", cpu);
	out_open(NULL);
	out_str("slot", NULL, slot);
	if (st->s.device[0])
		out_str("device", NULL, st->s.device);
	else
		out_null("device");
	out_uint("ifindex", NULL, st->s.ifindex);
	if (st->cpu >= 0)
		out_int("cpu", NULL, st->cpu);
	stats_counters(&st->s, prefix, false);
	out_close();
}

static void show(const struct kernel *k, const struct bpf_gro_policy_status *pol)
{
	struct bpf_gro_stats sum;
	char prefix[64];
	int i;

	stats_sum(k, pol->id, &sum);
	out_open(NULL);
	out_str("name", "%s: ", pol->name);
	out_uint("id", "id %lu", pol->id);
	out_str("state", ", %s\n", pol->state == BPF_GRO_STATE_EJECTED ? "ejected" : "active");
	out_text("  %-10s %-16s %-4s %12s %10s %12s %10s %10s %12s %10s %9s\n", "slot", "device", "cpu", "packets", "held",
		 "joined", "passed", "native", "delivered", "aggregates", "segs/aggr");
	out_open_array("counters");
	for (i = 0; i < k->nstats; i++) {
		const struct kernel_stats *st = &k->stats[i];

		/* Of single CPUs only those that did anything. */
		if (st->s.policy_id == pol->id && (st->cpu < 0 || st->s.packets || st->s.aggregates))
			counter_set(st);
	}
	out_close();
	snprintf(prefix, sizeof(prefix), "  %-32s", "sum");
	out_open("sum");
	stats_counters(&sum, prefix, true);
	out_close();
	out_close();
}

static int once(const struct cli *cli)
{
	const char *name = cli->nargs ? cli->args[0] : NULL;
	struct bpf_gro_policy_status *one = NULL;
	struct kernel k = {};
	int code, i;

	code = kernel_read(&k, cli_has(cli, OPT_CPU) ? KERNEL_STATS_CPU : KERNEL_STATS);
	if (!code && name)
		code = kernel_pick(&k, name, &one);
	if (!code && name && !one)
		code = fail(RC_FAIL, "no policy '%s' is attached", name);
	if (!code) {
		out_open_array("policies");
		for (i = 0; i < k.npolicies; i++)
			if (!one || one == &k.policies[i])
				show(&k, &k.policies[i]);
		out_close();
	}
	kernel_free(&k);
	return code;
}

int verb_stats(const struct cli *cli)
{
	const char *value = cli_value(cli, OPT_WATCH);
	double seconds = 1;
	char *end;
	int code;

	if (value) {
		seconds = strtod(value, &end);
		if (end == value || *end || !(seconds >= 0.1 && seconds <= 86400))
			return fail(RC_USAGE, "--watch takes seconds, 0.1 to 86400, not '%s'", value);
	}
	code = need_module();
	if (code)
		return code;
	return cli_has(cli, OPT_WATCH) ? stats_watch(cli, seconds) : once(cli);
}
