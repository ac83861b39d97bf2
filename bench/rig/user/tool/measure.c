// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * rig measure: instructions per packet (nanoseconds, where the clock does not count instructions).
 * The first repetition warms caches and is left out; of the rest the median counts.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "tool.h"

static int by_value(const void *a, const void *b)
{
	double d = *(const double *)a - *(const double *)b;

	return d < 0 ? -1 : d > 0;
}

struct stat {
	double median, min, max;
};

static struct stat stat_of(double *v, uint32_t nr)
{
	qsort(v, nr, sizeof(*v), by_value);
	return (struct stat) { v[nr / 2], v[0], v[nr - 1] };
}

static void print_json(const struct opts *o, const char *name, double receive, double complete,
		       double xdp, const struct stat *total, const struct rig_sample *s, uint32_t nr)
{
	struct utsname u;

	uname(&u);
	printf("{\"kernel\":\"%s\",\"case\":\"%s\",\"path\":\"%s\",\"packets\":%u,\"out\":%u,"
	       "\"segments_per_aggregate\":%.2f,\"receive_insns\":%.2f,\"complete_insns\":%.2f,"
	       "\"total_insns\":%.2f,\"total_min\":%.2f,\"total_max\":%.2f,\"xdp_insns\":%.2f,"
	       "\"out_segs\":%u,\"out_bytes\":%llu,\"repeat\":%u}\n",
	       u.release, name, o->path, nr, s->out_packets,
	       s->out_packets ? (double)s->out_segs / s->out_packets : 0, receive, complete,
	       total->median, total->min, total->max, xdp, s->out_segs,
	       (unsigned long long)s->out_bytes, o->repeat);
}

static int report(const struct opts *o, const struct rig_sample *samples, uint32_t nr)
{
	uint32_t n = o->repeat > 1 ? o->repeat - 1 : 1, i;
	const struct rig_sample *s = samples + o->repeat - n;
	double *v = calloc(4 * n, sizeof(*v));
	struct stat receive, complete, total, xdp;
	char name[160];

	if (!v)
		return EXIT_FAILED;
	for (i = 0; i < n; i++) {
		double r = (double)s[i].receive_ns - s[i].empty_ns;
		double c = (double)s[i].complete_ns - s[i].clock_ns;

		v[i] = r / nr;
		v[n + i] = c / nr;
		v[2 * n + i] = (r + c) / nr;
		v[3 * n + i] = (double)s[i].xdp_ns / nr;
		if (s[i].out_packets != s[0].out_packets || s[i].out_segs != s[0].out_segs) {
			fprintf(stderr, "rig: repetitions differ: %u/%u and %u/%u packets/segments\n",
				s[0].out_packets, s[0].out_segs, s[i].out_packets, s[i].out_segs);
			free(v);
			return EXIT_FAILED;
		}
	}
	receive = stat_of(v, n);
	complete = stat_of(v + n, n);
	total = stat_of(v + 2 * n, n);
	xdp = stat_of(v + 3 * n, n);
	if (o->name)
		snprintf(name, sizeof(name), "%s", o->name);
	else
		snprintf(name, sizeof(name), "%s-%ux%u", o->spec, o->size, o->count);

	if (o->json) {
		print_json(o, name, receive.median, complete.median, xdp.median, &total, s, nr);
	} else {
		printf("%s packets=%u out=%u segs=%u receive=%.2f complete=%.2f total=%.2f min=%.2f max=%.2f",
		       name, nr, s->out_packets, s->out_segs, receive.median, complete.median,
		       total.median, total.min, total.max);
		if (xdp.median > 0)
			printf(" xdp=%.2f", xdp.median);
		printf("\n");
	}
	free(v);
	if (s->out_segs != nr) {
		fprintf(stderr, "rig: %u packets in, %u came up in all\n", nr, s->out_segs);
		return EXIT_FAILED;
	}
	if (o->expect_set && s->out_packets != o->expect) {
		fprintf(stderr, "rig: %u packets came up, expected %u\n", s->out_packets, o->expect);
		return EXIT_FAILED;
	}
	return EXIT_DONE;
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
		ret = report(o, samples, t.nr);
	}
	free(samples);
	rig_train_free(&t);
	rig_close(&rig);
	return ret;
}
