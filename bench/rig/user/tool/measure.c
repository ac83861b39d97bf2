// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * rig measure: instructions per packet (nanoseconds, where the clock does not count instructions).
 * The first repetition warms caches and is left out; of the rest the median counts. A train that does not
 * come up as planned, or not whole, is a failure: a packet that was lost or not joined costs less.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "tool.h"

/* What is counted, all per packet. */
enum { RECEIVE, COMPLETE, TOTAL, XDP, RECEIVE_CYCLES, COMPLETE_CYCLES, NR_STATS };

struct stat {
	double median, min, max;
};

static int by_value(const void *a, const void *b)
{
	double d = *(const double *)a - *(const double *)b;

	return d < 0 ? -1 : d > 0;
}

static struct stat stat_of(double *v, uint32_t nr)
{
	qsort(v, nr, sizeof(*v), by_value);
	return (struct stat) { v[nr / 2], v[0], v[nr - 1] };
}

/* Statistics of n samples of nr packets each. 0, or -1 without memory. */
static int stats_of(const struct rig_sample *s, uint32_t n, uint32_t nr, struct stat *st)
{
	double *v = calloc(NR_STATS * n, sizeof(*v));
	uint32_t i;

	if (!v)
		return -1;
	for (i = 0; i < n; i++) {
		double receive = (double)s[i].receive_ns - s[i].empty_ns;
		double complete = (double)s[i].complete_ns - s[i].clock_ns;

		v[RECEIVE * n + i] = receive / nr;
		v[COMPLETE * n + i] = complete / nr;
		v[TOTAL * n + i] = (receive + complete) / nr;
		v[XDP * n + i] = (double)s[i].xdp_ns / nr;
		v[RECEIVE_CYCLES * n + i] = ((double)s[i].receive_cycles - s[i].empty_cycles) / nr;
		v[COMPLETE_CYCLES * n + i] = ((double)s[i].complete_cycles - s[i].clock_cycles) / nr;
	}
	for (i = 0; i < NR_STATS; i++)
		st[i] = stat_of(v + i * n, n);
	free(v);
	return 0;
}

static void print_json(const struct opts *o, const char *name, const struct stat *st, const struct rig_sample *s,
		       uint32_t nr)
{
	struct utsname u;

	uname(&u);
	printf("{\"kernel\":\"%s\",\"case\":\"%s\",\"path\":\"%s\",\"packets\":%u,\"out\":%u,"
	       "\"segments_per_aggregate\":%.2f,\"receive_insns\":%.2f,\"complete_insns\":%.2f,"
	       "\"total_insns\":%.2f,\"total_min\":%.2f,\"total_max\":%.2f,\"xdp_insns\":%.2f,"
	       "\"receive_cycles\":%.1f,\"complete_cycles\":%.1f,"
	       "\"out_segs\":%u,\"out_bytes\":%llu,\"repeat\":%u}\n",
	       u.release, name, o->path, nr, s->out_packets,
	       s->out_packets ? (double)s->out_segs / s->out_packets : 0, st[RECEIVE].median,
	       st[COMPLETE].median, st[TOTAL].median, st[TOTAL].min, st[TOTAL].max, st[XDP].median,
	       st[RECEIVE_CYCLES].median, st[COMPLETE_CYCLES].median, s->out_segs,
	       (unsigned long long)s->out_bytes, o->repeat);
}

static void print_text(const char *name, const struct stat *st, const struct rig_sample *s, uint32_t nr)
{
	printf("%s packets=%u out=%u segs=%u receive=%.2f complete=%.2f total=%.2f min=%.2f max=%.2f",
	       name, nr, s->out_packets, s->out_segs, st[RECEIVE].median, st[COMPLETE].median,
	       st[TOTAL].median, st[TOTAL].min, st[TOTAL].max);
	if (st[XDP].median > 0)
		printf(" xdp=%.2f", st[XDP].median);
	printf("\n");
}

/*
 * Bytes that must come up in all, from the network header on: joined packets have lost their headers,
 * and a tag in the frame has moved out of it on what came up.
 */
static uint64_t bytes_up(const struct rig_train *t, uint32_t out)
{
	const struct rig_packet *p = &t->p[0];
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < t->nr; i++)
		sum += t->p[i].len - p->layers[1].off;
	sum -= (uint64_t)(t->nr - out) * (p->hdr_len - p->layers[1].off);
	if (p->layers[1].type == RIG_L_VLAN)
		sum -= (uint64_t)out * p->layers[1].len;
	return sum;
}

/* In older kernels an IPv6 aggregate beyond what its length field can tell gets a hop-by-hop header of 8 bytes. */
static bool jumbo(const struct rig_sample *s, const struct rig_train *t)
{
	return t->p[0].layers[1].type == RIG_L_IP6 && s->out_bytes / s->out_packets > 65535 + 40;
}

/* Everything came up, joined as planned. */
static bool as_planned(const struct opts *o, const struct rig_sample *s, const struct rig_train *t)
{
	uint64_t bytes = bytes_up(t, s->out_packets);
	uint32_t expect = s->out_packets;

	if (o->expect_set)
		expect = o->expect;
	else if (!(o->features & RIG_FEAT_GRO))
		expect = t->nr;
	if (s->out_segs != t->nr) {
		fprintf(stderr, "rig: %u packets in, %u came up in all\n", t->nr, s->out_segs);
		return false;
	}
	if (s->out_bytes != bytes && !(jumbo(s, t) && s->out_bytes == bytes + 8 * s->out_packets)) {
		fprintf(stderr, "rig: %llu bytes came up, expected %llu\n",
			(unsigned long long)s->out_bytes, (unsigned long long)bytes);
		return false;
	}
	if (s->out_packets != expect) {
		fprintf(stderr, "rig: %u packets came up, expected %u\n", s->out_packets, expect);
		return false;
	}
	return true;
}

static int report(const struct opts *o, const struct rig_sample *samples, const struct rig_train *t)
{
	uint32_t n = o->repeat > 1 ? o->repeat - 1 : 1, i;
	const struct rig_sample *s = samples + o->repeat - n;
	struct stat st[NR_STATS];
	char name[160];

	for (i = 1; i < n; i++) {
		if (s[i].out_packets != s[0].out_packets || s[i].out_segs != s[0].out_segs ||
		    s[i].out_bytes != s[0].out_bytes) {
			fprintf(stderr, "rig: repetitions differ: %u/%u and %u/%u packets/segments\n",
				s[0].out_packets, s[0].out_segs, s[i].out_packets, s[i].out_segs);
			return EXIT_FAILED;
		}
	}
	if (stats_of(s, n, t->nr, st))
		return EXIT_FAILED;
	if (o->name)
		snprintf(name, sizeof(name), "%s", o->name);
	else
		snprintf(name, sizeof(name), "%s-%ux%u", o->spec, o->size, o->count);
	if (o->json)
		print_json(o, name, st, s, t->nr);
	else
		print_text(name, st, s, t->nr);
	fflush(stdout);
	return as_planned(o, s, t) ? EXIT_DONE : EXIT_FAILED;
}

int cmd_measure(struct opts *o)
{
	struct rig_sample *samples;
	struct rig_train t = {};
	struct rig rig;
	int ret;

	if (!o->repeat || o->repeat > RIG_MAX_REPEAT) {
		fprintf(stderr, "rig: --repeat is 1 to %u\n", RIG_MAX_REPEAT);
		return EXIT_USAGE;
	}
	if (opts_train(o, &t))
		return EXIT_USAGE;
	if (opts_open(o, &rig))
		return EXIT_UNSUPPORTED;
	samples = calloc(o->repeat, sizeof(*samples));
	if (!samples || rig_measure(&rig, &t, 0, o->repeat, samples)) {
		fprintf(stderr, "rig: %s\n", rig_error(&rig));
		ret = EXIT_FAILED;
	} else {
		ret = report(o, samples, &t);
	}
	free(samples);
	rig_train_free(&t);
	rig_close(&rig);
	return ret;
}
