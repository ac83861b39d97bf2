// SPDX-License-Identifier: GPL-2.0
/*
 * groctl stats --watch: one line per policy and interval; in JSON one document a line. Ends with SIGINT or SIGTERM, exit code 0, or when
 * nobody reads any more.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "groctl.h"
#include "stats.h"

#define HEAD_EVERY	20	/* lines */

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void wait_until(double when)
{
	struct timespec ts;

	ts.tv_sec = when;
	ts.tv_nsec = (when - ts.tv_sec) * 1e9;
	while (!stop && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

/* Counters only grow as long as the policy is the same one. */
static void difference(struct bpf_gro_stats *d, const struct bpf_gro_stats *s, const struct bpf_gro_stats *before)
{
	int i;

	*d = *s;
	d->packets -= before->packets;
	d->bytes -= before->bytes;
	d->held -= before->held;
	d->joined -= before->joined;
	d->passed -= before->passed;
	d->native -= before->native;
	d->carried -= before->carried;
	d->joined_frag -= before->joined_frag;
	d->joined_list -= before->joined_list;
	d->joined_chain -= before->joined_chain;
	d->aggregates -= before->aggregates;
	d->wire_segs -= before->wire_segs;
	for (i = 0; i < BPF_GRO_REASONS_MAX; i++)
		d->reason[i] -= before->reason[i];
	for (i = 0; i < BPF_GRO_HIST_BUCKETS; i++)
		d->hist[i] -= before->hist[i];
}

static int top_reason(const struct bpf_gro_stats *s)
{
	int best = 0, i;

	for (i = 1; i < BPF_GRO_REASONS_MAX; i++)
		if (s->reason[i] > s->reason[best] || (!best && s->reason[i]))
			best = i;
	return best;
}

static void line(const struct bpf_gro_policy_status *pol, const struct bpf_gro_stats *d, double seconds)
{
	int why = top_reason(d);

	out_open(NULL);
	out_str("name", "%-16s", pol->name);
	out_uint("id", NULL, pol->id);
	out_double("seconds", NULL, seconds);
	if (out_json)
		stats_counters(d, "", true);
	out_text(" %12.0f %12.0f %10.1f %9.2f  ", d->packets / seconds, stats_delivered(d) / seconds,
		 d->bytes * 8 / seconds / 1e6, stats_mean(d));
	if (why)
		out_text("%s %lu", reason_name(why), (unsigned long)d->reason[why]);
	out_text("\n");
	out_close();
}

static const struct bpf_gro_policy_status *policy_before(const struct kernel *before, uint32_t id)
{
	int i;

	for (i = 0; i < before->npolicies; i++)
		if (before->policies[i].id == id)
			return &before->policies[i];
	return NULL;
}

static int show(const struct kernel *k, const struct kernel *before, const char *name, double seconds)
{
	struct bpf_gro_stats s, b, d;
	int i, n = 0;

	out_open_array("policies");
	for (i = 0; i < k->npolicies; i++) {
		const struct bpf_gro_policy_status *pol = &k->policies[i];

		if (name && strcmp(name, pol->name))
			continue;
		memset(&b, 0, sizeof(b));
		stats_sum(k, pol->id, &s);
		if (policy_before(before, pol->id))
			stats_sum(before, pol->id, &b);
		difference(&d, &s, &b);
		line(pol, &d, seconds);
		n++;
	}
	out_close();
	return n;
}

static void head(void)
{
	out_text("%-16s %12s %12s %10s %9s  %s\n", "policy", "packets/s", "delivered/s", "Mbit/s", "segs/aggr",
		 "most frequent reason");
}

/**
 * stats_watch() - print what happens in each interval
 * @cli: command line
 * @seconds: length of an interval
 *
 * Return: exit code.
 */
int stats_watch(const struct cli *cli, double seconds)
{
	struct sigaction action = { .sa_handler = on_signal };
	const char *name = cli->nargs ? cli->args[0] : NULL;
	struct kernel before = {}, k = {};
	int code, lines = HEAD_EVERY;
	double last, t;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	code = kernel_read(&before, KERNEL_STATS);
	if (!code && name && !kernel_policy(&before, name, 0))
		code = fail(RC_FAIL, "no policy '%s' is attached", name);
	last = now();
	while (!code && !stop && !ferror(stdout)) {
		wait_until(last + seconds);
		if (stop)
			break;
		code = kernel_read(&k, KERNEL_STATS);
		if (code)
			break;
		t = now();
		if (lines >= HEAD_EVERY) {
			head();
			lines = 0;
		}
		lines += show(&k, &before, name, t - last);
		out_flush(false);
		last = t;
		kernel_free(&before);
		before = k;
		memset(&k, 0, sizeof(k));
	}
	kernel_free(&before);
	kernel_free(&k);
	return code;
}
