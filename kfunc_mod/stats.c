// SPDX-License-Identifier: GPL-2.0
/* Counters of a policy, as the status kfuncs report them. */
#include <linux/percpu.h>

#include "gro.h"

static void gro_stats_add(struct bpf_gro_stats *to, const struct gro_pcpu_stats *st)
{
	u32 i;

	for (i = 0; i < __BPF_GRO_VERDICT_MAX; i++)
		to->packets += READ_ONCE(st->verdict[i]);
	to->bytes += READ_ONCE(st->bytes);
	to->held += READ_ONCE(st->verdict[BPF_GRO_HOLD]) + READ_ONCE(st->verdict[BPF_GRO_FLUSH_HELD]);
	to->joined += READ_ONCE(st->verdict[BPF_GRO_JOIN]) + READ_ONCE(st->verdict[BPF_GRO_JOIN_FLUSH]);
	to->passed += READ_ONCE(st->verdict[BPF_GRO_PASS]);
	to->native += READ_ONCE(st->verdict[BPF_GRO_NEXT]);
	to->carried += READ_ONCE(st->verdict[BPF_GRO_LAYER]);
	to->joined_list += READ_ONCE(st->joined_list);
	to->joined_chain += READ_ONCE(st->joined_chain);
	/* All joins but those; the counters are not read at one instant. */
	to->joined_frag = to->joined - min(to->joined, to->joined_list + to->joined_chain);
	to->aggregates += READ_ONCE(st->aggregates);
	to->wire_segs += READ_ONCE(st->wire_segs);
	/* Reason 0 is the ordinary verdict. */
	for (i = 1; i < BPF_GRO_REASONS_MAX; i++)
		to->reason[i] += READ_ONCE(st->reason[i]);
	for (i = 0; i < BPF_GRO_HIST_BUCKETS; i++)
		to->hist[i] += READ_ONCE(st->hist[i]);
}

/**
 * gro_stats_read() - counters of @pol at its slot @slot on its device @dev
 * @pol: policy, kept by gro_mutex
 * @slot: index of the slot
 * @dev: index of the device, 0 if the policy names none
 * @cpu: one CPU, or -1 for the sum
 * @st: filled in
 *
 * Counters are not read at one instant: each is right by itself.
 */
void gro_stats_read(const struct gro_policy *pol, u32 slot, u32 dev, int cpu, struct bpf_gro_stats *st)
{
	const struct gro_pcpu_stats __percpu *stats = pol->stats[gro_policy_stats_idx(pol, slot, dev)];
	int i;

	memset(st, 0, sizeof(*st));
	st->policy_id = pol->id;
	st->slot = pol->slots[slot];
	if (pol->ndevs) {
		if (pol->devs[dev].dev)
			st->ifindex = pol->devs[dev].dev->ifindex;
		strscpy(st->device, pol->devs[dev].name, sizeof(st->device));
	}
	for_each_possible_cpu(i)
		if (cpu < 0 || cpu == i)
			gro_stats_add(st, per_cpu_ptr(stats, i));
}
