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

/* Run the policy's complete. True if it has finished the aggregate. */
static bool gro_policy_complete(struct gro_run *r, const struct gro_slot *slot, struct gro_policy *pol, struct sk_buff *skb, int thoff)
{
	u32 hdrs = NAPI_GRO_CB(skb)->data_offset;
	int ret;

	*r = (struct gro_run){
		.skb = skb,
		.hdr = skb->data + thoff,
		.kind = slot->kind,
		.pub = {
			.offset = thoff,
			.len = skb->len - thoff,
			.flags = slot->flags | BPF_GRO_F_COMPLETE,
			.proto = slot->proto,
			.gso_size = skb_shinfo(skb)->gso_size,
			.gso_segs = NAPI_GRO_CB(skb)->count,
			.chain = NAPI_GRO_CB(skb)->is_flist,
			.avail = hdrs > thoff ? hdrs - thoff : 0,
		},
	};
	if (skb->encapsulation)
		r->pub.flags |= BPF_GRO_F_ENCAP;
	ret = gro_run_complete(r, pol);
	if (unlikely(ret || !r->finished))
		gro_violation(pol, BPF_GRO_V_COMPLETE, ret, r->finished);
	return r->finished;
}

int gro_slot_complete(struct gro_slot *slot, struct sk_buff *skb, int thoff)
{
	const struct gro_owner *owner = gro_slot_owner(slot, skb->dev);
	struct gro_run r;

	/* The stamp is that of the innermost layer: what a tunnel carries may have been held by the policy at the tunnel's own slot. */
	if (owner && gro_stamp(skb)->stamp == owner->pol->stamp && thoff == skb_transport_offset(skb)) {
		/* GSO's control block overlaps ours, and splitting a chain in a tunnel takes what lies there for a checksum. */
		*gro_stamp(skb) = (struct gro_stamp){};
		gro_count_aggregate(owner, skb);
		if (!READ_ONCE(owner->pol->dead) && gro_policy_complete(&r, slot, owner->pol, skb, thoff))
			return 0;
	}
	if (owner && slot->proto == IPPROTO_GRE && slot->native && !READ_ONCE(owner->pol->dead)) {
		gro_count_aggregate(owner, skb);
		gro_policy_complete(&r, slot, owner->pol, skb, thoff);
		return gro_tunnel_complete(slot, &r, thoff);
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

