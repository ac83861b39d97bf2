// SPDX-License-Identifier: GPL-2.0
/*
 * The IPv6 layer of GRO, for devices with a policy at an ip6 slot.
 *
 * From 7.3 on the kernel's own calls TCP and UDP by protocol number, so replacing inet6_offloads[] does not reach them. We take the
 * callback of the IPv6 packet_offload, and the entries of protocol 41, through which inner IPv6 headers come. Rules are those of
 * native GRO; packets of other devices go there unchanged.
 */
#include <linux/ipv6.h>
#include <net/ipv6.h>
#include <net/protocol.h>

#include "gro.h"

/* Step over extension headers from @off on. Returns the protocol behind them; @off is where it starts. */
static int gro_ip6_skip_exthdrs(struct sk_buff *skb, u32 *off, int proto)
{
	const struct net_offload *ops;
	struct ipv6_opt_hdr *opt;
	u32 len;

	while ((ops = rcu_dereference(inet6_offloads[proto])) && ops->flags & INET6_PROTO_GSO_EXTHDR) {
		opt = skb_gro_header(skb, *off + sizeof(*opt), *off);
		if (unlikely(!opt))
			break;
		len = ipv6_optlen(opt);
		opt = skb_gro_header(skb, *off + len, *off);
		if (unlikely(!opt))
			break;
		proto = opt->nexthdr;
		*off += len;
	}
	return proto;
}

/* Of the held packets of the same link-layer flow, those with other addresses, label, headers are another flow. */
static __always_inline void gro_ip6_same_flow(struct list_head *head, const struct ipv6hdr *iph, u32 off, u32 nlen)
{
	const __be32 first = *(const __be32 *)iph;
	struct sk_buff *p;

	list_for_each_entry(p, head, list) {
		const struct ipv6hdr *held = (const struct ipv6hdr *)(p->data + off);

		if (!NAPI_GRO_CB(p)->same_flow)
			continue;
		/* Payload length may differ, and so may the traffic class: that is a matter of joining. */
		if ((first ^ *(const __be32 *)held) & htonl(0xf00fffff) ||
		    iph->nexthdr != held->nexthdr ||
		    !ipv6_addr_equal(&iph->saddr, &held->saddr) ||
		    !ipv6_addr_equal(&iph->daddr, &held->daddr) ||
		    (unlikely(nlen > sizeof(*iph)) && memcmp(iph + 1, held + 1, nlen - sizeof(*iph))))
			NAPI_GRO_CB(p)->same_flow = 0;
	}
}

static struct sk_buff *gro_ip6_layer(struct list_head *head, struct sk_buff *skb)
{
	u32 off = skb_gro_offset(skb), end = off + sizeof(struct ipv6hdr);
	const struct net_offload *ops;
	struct sk_buff *pp = NULL;
	const struct gro_owner *owner;
	struct gro_slot *slot;
	struct ipv6hdr *iph;
	u16 flush = 1;
	int proto;

	iph = skb_gro_header(skb, end, off);
	if (unlikely(!iph))
		goto out;
	NAPI_GRO_CB(skb)->network_offsets[NAPI_GRO_CB(skb)->encap_mark] = off;
	flush += ntohs(iph->payload_len) != skb->len - end;

	proto = iph->nexthdr;
	ops = rcu_dereference(inet6_offloads[proto]);
	if (unlikely(!ops || !ops->callbacks.gro_receive)) {
		proto = gro_ip6_skip_exthdrs(skb, &end, proto);
		skb_gro_pull(skb, end - off);
		ops = rcu_dereference(inet6_offloads[proto]);
		if (!ops || !ops->callbacks.gro_receive)
			goto out;
		iph = skb_gro_network_header(skb);
	} else {
		skb_gro_pull(skb, sizeof(*iph));
	}
	skb_set_transport_header(skb, skb_gro_offset(skb));
	NAPI_GRO_CB(skb)->proto = proto;
	flush--;

	slot = &gro_slots[BPF_GRO_SLOT_IP6][proto];
	owner = gro_slot_owner(slot, skb->dev);
	if (owner && !READ_ONCE(owner->pol->dead))
		gro_meta_prepare(owner->pol, head, skb, off);
	gro_ip6_same_flow(head, iph, off, end - off);
	NAPI_GRO_CB(skb)->flush |= flush;
	skb_gro_postpull_rcsum(skb, iph, end - off);

	if (unlikely(gro_recursion_inc_test(skb))) {
		flush = 1;
		goto out;
	}
	if (likely(slot->hooked))
		pp = gro_slot_receive(slot, head, skb);
	else
		pp = ops->callbacks.gro_receive(head, skb);
out:
	skb_gro_flush_final(skb, pp, flush);
	return pp;
}

struct sk_buff *gro_ip6_receive(struct list_head *head, struct sk_buff *skb)
{
	if (likely(gro_ip6_owned(skb->dev)))
		return gro_ip6_layer(head, skb);
	return gro_native_layer[BPF_GRO_SLOT_IP6](head, skb);
}

/* Where packets of protocol 41 go that no policy of that slot wants: IPv6 in IPv4, and in IPv6. */
struct sk_buff *gro_inner_ip6_receive(struct list_head *head, struct sk_buff *skb)
{
	if (NAPI_GRO_CB(skb)->encap_mark) {
		NAPI_GRO_CB(skb)->flush = 1;
		return NULL;
	}
	NAPI_GRO_CB(skb)->encap_mark = 1;
	return gro_ip6_receive(head, skb);
}
