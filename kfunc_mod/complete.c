// SPDX-License-Identifier: GPL-2.0
/*
 * An aggregate leaves: the policy that made it finishes it, else native code, else we do. This never fails: the kernel
 * frees an aggregate whose completion fails.
 */
#include <linux/log2.h>

#include "gro.h"
#include "run.h"

static void gro_count_aggregate(const struct gro_owner *owner, const struct sk_buff *skb)
{
	struct gro_pcpu_stats *st = this_cpu_ptr(owner->stats);
	u32 segs = NAPI_GRO_CB(skb)->count;

	st->aggregates++;
	st->wire_segs += segs;
	st->hist[min_t(u32, segs ? ilog2(segs) : 0, BPF_GRO_HIST_BUCKETS - 1)]++;
}

/* True if the policy finished the aggregate. */
static bool gro_policy_complete(const struct gro_slot *slot, const struct gro_owner *owner, struct sk_buff *skb,
				int thoff)
{
	struct gro_policy *pol = owner->pol;
	struct gro_run r = {
		.skb = skb,
		.hdr = skb->data + thoff,
		.win = NAPI_GRO_CB(skb)->data_offset > thoff ? NAPI_GRO_CB(skb)->data_offset - thoff : 0,
		.kind = slot->kind,
		.pub = {
			.offset = thoff,
			.len = skb->len - thoff,
			.flags = slot->flags,
			.proto = slot->proto,
			.gso_size = skb_shinfo(skb)->gso_size,
			.gso_segs = NAPI_GRO_CB(skb)->count,
			.chain = NAPI_GRO_CB(skb)->is_flist,
		},
	};
	int ret;

	if (skb->encapsulation)
		r.pub.flags |= BPF_GRO_F_ENCAP;
	ret = gro_call(pol->complete_prog, pol->complete, &r.pub);
	if (unlikely(ret || !r.finished))
		gro_violation(pol, BPF_GRO_V_COMPLETE, ret, r.finished);
	return r.finished;
}

int gro_slot_complete(struct gro_slot *slot, struct sk_buff *skb, int thoff)
{
	const struct gro_owner *owner = gro_slot_owner(slot, skb->dev);

	if (owner && gro_stamp(skb)->stamp == owner->pol->stamp) {
		gro_count_aggregate(owner, skb);
		if (!READ_ONCE(owner->pol->dead) && gro_policy_complete(slot, owner, skb, thoff))
			return 0;
	}
	if (slot->native)
		return slot->native->callbacks.gro_complete(skb, thoff);

	/* A free slot holds chains only: each packet keeps its own headers, and splitting is by pointer. */
	gro_finish_chain(skb);
	return 0;
}

void gro_finish_chain(struct sk_buff *skb)
{
	struct skb_shared_info *shinfo = skb_shinfo(skb);

	/* No device claims REMCSUM: so none splits a protocol by itself that it cannot know. */
	shinfo->gso_type |= SKB_GSO_FRAGLIST | SKB_GSO_TUNNEL_REMCSUM;
	shinfo->gso_segs = NAPI_GRO_CB(skb)->count;
	gro_chain_release(skb);
}

int gro_ip_complete(struct sk_buff *skb, int thoff)
{
	return gro_slot_complete(&gro_slots[BPF_GRO_SLOT_IP][(u8)NAPI_GRO_CB(skb)->proto], skb, thoff);
}

int gro_ip6_complete(struct sk_buff *skb, int thoff)
{
	return gro_slot_complete(&gro_slots[BPF_GRO_SLOT_IP6][(u8)NAPI_GRO_CB(skb)->proto], skb, thoff);
}
