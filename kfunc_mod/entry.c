// SPDX-License-Identifier: GPL-2.0
/*
 * Which slot a packet or an aggregate is at.
 *
 * The handlers are not told which entry of inet_offloads[] they were called through. The control block names the innermost protocol that an
 * IP layer saw: neither that of an aggregate's outer layer nor what came behind a UDP header of FoU. So each protocol that can be any of
 * those, which are the ones with a native handler, has entries of its own. On a free slot nothing comes behind, and nothing calls it but an
 * IP layer.
 */
#include "gro.h"

#define GRO_ENTRY(name, kind, proto)								\
	static struct sk_buff *gro_receive_##name(struct list_head *head, struct sk_buff *skb)	\
	{											\
		return gro_slot_receive(&gro_slots[kind][proto], head, skb);			\
	}											\
	static int gro_complete_##name(struct sk_buff *skb, int thoff)				\
	{											\
		return gro_slot_complete(&gro_slots[kind][proto], skb, thoff);			\
	}

#define GRO_ENTRY_BOTH(name, proto)								\
	GRO_ENTRY(ip_##name, BPF_GRO_SLOT_IP, proto)						\
	GRO_ENTRY(ip6_##name, BPF_GRO_SLOT_IP6, proto)

GRO_ENTRY_BOTH(tcp, IPPROTO_TCP)
GRO_ENTRY_BOTH(udp, IPPROTO_UDP)
GRO_ENTRY_BOTH(gre, IPPROTO_GRE)
GRO_ENTRY_BOTH(ipip, IPPROTO_IPIP)
GRO_ENTRY_BOTH(ipv6, IPPROTO_IPV6)
GRO_ENTRY_BOTH(free, (u8)NAPI_GRO_CB(skb)->proto)

struct gro_entry {
	gro_receive_t receive;
	gro_complete_t complete;
};

#define GRO_ENTRY_OF(name)	{ gro_receive_##name, gro_complete_##name }
#define GRO_ENTRY_OF_BOTH(name)	{ GRO_ENTRY_OF(ip_##name), GRO_ENTRY_OF(ip6_##name) }

static const struct gro_entry *gro_entry(u32 kind, u32 proto)
{
	static const struct gro_entry tcp[] = GRO_ENTRY_OF_BOTH(tcp), udp[] = GRO_ENTRY_OF_BOTH(udp), gre[] = GRO_ENTRY_OF_BOTH(gre),
				      ipip[] = GRO_ENTRY_OF_BOTH(ipip), ipv6[] = GRO_ENTRY_OF_BOTH(ipv6),
				      free[] = GRO_ENTRY_OF_BOTH(free);
	bool ip6 = kind == BPF_GRO_SLOT_IP6;

	switch (proto) {
	case IPPROTO_TCP:
		return &tcp[ip6];
	case IPPROTO_UDP:
		return &udp[ip6];
	case IPPROTO_GRE:
		return &gre[ip6];
	case IPPROTO_IPIP:
		return &ipip[ip6];
	case IPPROTO_IPV6:
		return &ipv6[ip6];
	}
	return &free[ip6];
}

gro_receive_t gro_receive_of(u32 kind, u32 proto)
{
	return gro_entry(kind, proto)->receive;
}

gro_complete_t gro_complete_of(u32 kind, u32 proto)
{
	return gro_entry(kind, proto)->complete;
}
