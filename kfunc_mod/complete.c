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
		.kind = slot->kind,
		.pub = {
			.offset = thoff,
			.len = skb->len - thoff,
			.flags = slot->flags | BPF_GRO_F_COMPLETE,
			.proto = slot->proto,
			.gso_size = skb_shinfo(skb)->gso_size,
			.gso_segs = NAPI_GRO_CB(skb)->count,
			.chain = NAPI_GRO_CB(skb)->is_flist,
			.avail = NAPI_GRO_CB(skb)->data_offset > thoff ? NAPI_GRO_CB(skb)->data_offset - thoff : 0,
		},
	};
	int ret;

	if (skb->encapsulation)
		r.pub.flags |= BPF_GRO_F_ENCAP;
	ret = gro_run_complete(&r, pol);
	if (unlikely(ret || !r.finished))
		gro_violation(pol, BPF_GRO_V_COMPLETE, ret, r.finished);
	return r.finished;
}

static int gro_slot_complete(struct gro_slot *slot, struct sk_buff *skb, int thoff)
{
	const struct gro_owner *owner = gro_slot_owner(slot, skb->dev);

	/* The stamp is that of the innermost layer: what a tunnel carries may have been held by the policy at the tunnel's own slot. */
	if (owner && gro_stamp(skb)->stamp == owner->pol->stamp && thoff == skb_transport_offset(skb)) {
		/* GSO's control block overlaps ours, and splitting a chain in a tunnel takes what lies there for a checksum. */
		*gro_stamp(skb) = (struct gro_stamp){};
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

/*
 * Which slot an aggregate is at. Behind a tunnel the control block names the innermost protocol, so each protocol that can be an
 * outer one, which are those with a native handler, has an entry of its own. On a free slot nothing comes behind.
 */
#define GRO_COMPLETE(name, kind, proto)							\
	static int gro_complete_##name(struct sk_buff *skb, int thoff)			\
	{										\
		return gro_slot_complete(&gro_slots[kind][proto], skb, thoff);		\
	}

#define GRO_COMPLETE_BOTH(name, proto)							\
	GRO_COMPLETE(ip_##name, BPF_GRO_SLOT_IP, proto)					\
	GRO_COMPLETE(ip6_##name, BPF_GRO_SLOT_IP6, proto)

GRO_COMPLETE_BOTH(tcp, IPPROTO_TCP)
GRO_COMPLETE_BOTH(udp, IPPROTO_UDP)
GRO_COMPLETE_BOTH(gre, IPPROTO_GRE)
GRO_COMPLETE_BOTH(ipip, IPPROTO_IPIP)
GRO_COMPLETE_BOTH(ipv6, IPPROTO_IPV6)
GRO_COMPLETE(ip_free, BPF_GRO_SLOT_IP, (u8)NAPI_GRO_CB(skb)->proto)
GRO_COMPLETE(ip6_free, BPF_GRO_SLOT_IP6, (u8)NAPI_GRO_CB(skb)->proto)

gro_complete_t gro_complete_of(u32 kind, u32 proto)
{
	bool ip6 = kind == BPF_GRO_SLOT_IP6;

	switch (proto) {
	case IPPROTO_TCP:
		return ip6 ? gro_complete_ip6_tcp : gro_complete_ip_tcp;
	case IPPROTO_UDP:
		return ip6 ? gro_complete_ip6_udp : gro_complete_ip_udp;
	case IPPROTO_GRE:
		return ip6 ? gro_complete_ip6_gre : gro_complete_ip_gre;
	case IPPROTO_IPIP:
		return ip6 ? gro_complete_ip6_ipip : gro_complete_ip_ipip;
	case IPPROTO_IPV6:
		return ip6 ? gro_complete_ip6_ipv6 : gro_complete_ip_ipv6;
	}
	return ip6 ? gro_complete_ip6_free : gro_complete_ip_free;
}
