/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What stats.c and stats_watch.c share.
 */
#ifndef STATS_H
#define STATS_H

#include "groctl.h"

void stats_add(struct bpf_gro_stats *sum, const struct bpf_gro_stats *s);
void stats_sum(const struct kernel *k, uint32_t id, struct bpf_gro_stats *sum);
double stats_mean(const struct bpf_gro_stats *s);
uint64_t stats_delivered(const struct bpf_gro_stats *s);
void stats_counters(const struct bpf_gro_stats *s, const char *prefix, bool details);

#endif /* STATS_H */
