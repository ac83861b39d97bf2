// SPDX-License-Identifier: GPL-2.0
/*
 * The IP layers for what nearly all packets are: a sound header in reach, without options or extension headers, before a slot with an
 * owner. Network and transport layer are looked up at once, and the plain join is carried out here. Everything else goes on as it
 * came, to the kernel's IPv4 layer or to hook_ip6.c, and from there to receive.c.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <net/ip.h>

#include "ports.h"

/* Bits @m of byte @i of eight that gro_load8() has loaded. */
#ifdef __LITTLE_ENDIAN
#define GRO_BYTE(i, m)		((u64)(m) << 8 * (i))
#else
#define GRO_BYTE(i, m)		((u64)(m) << 8 * (7 - (i)))
#endif

#define GRO_IP_ID		(GRO_BYTE(4, 0xff) | GRO_BYTE(5, 0xff))
#define GRO_IP_TTL		GRO_BYTE(0, 0xff)	/* of the second eight */
#define GRO_IP_FLOW		(GRO_BYTE(1, 0xff) | GRO_BYTE(4, 0xff) | GRO_BYTE(5, 0xff) | GRO_BYTE(6, 0xff) | GRO_BYTE(7, 0xff))
#define GRO_IP6_LEN		(GRO_BYTE(4, 0xff) | GRO_BYTE(5, 0xff))
#define GRO_IP6_FLOW		(GRO_BYTE(0, 0xf0) | GRO_BYTE(1, 0x0f) | GRO_BYTE(2, 0xff) | GRO_BYTE(3, 0xff) | GRO_BYTE(6, 0xff))

/*
 * How a packet's network header differs from a held one's, eight bytes at a time: zero where they are equal. Held packets have no
 * IPv4 options, and no extension headers if their next header is that of the slot: the ports follow. So IPv4: version, length, ID and
 * fragment; TTL, protocol, checksum, source; destination and ports. IPv6: first word, length, next header, hop limit; the addresses and
 * the ports are in @rest.
 */
struct gro_net {
	u64 first;
	u64 second;
	u64 rest;
};

/* Nonzero: not of one flow. What may differ within a flow is a matter of joining. */
static __always_inline u64 gro_net_compare(struct gro_net *d, const u8 *nh, const u8 *held, const bool ports, const u32 kind)
{
	const u8 *src = nh + 8, *held_src = held + 8;

	if (kind == BPF_GRO_SLOT_IP) {
		d->second = gro_load8(nh + 8) ^ gro_load8(held + 8);
		if (ports)
			d->rest = gro_load8(nh + 16) ^ gro_load8(held + 16);
		else
			d->rest = gro_load4(nh + 16) ^ gro_load4(held + 16);
		return (d->second & GRO_IP_FLOW) | d->rest;
	}
	d->first = gro_load8(nh) ^ gro_load8(held);
	d->rest = (gro_load8(src) ^ gro_load8(held_src)) | (gro_load8(src + 8) ^ gro_load8(held_src + 8)) |
		  (gro_load8(src + 16) ^ gro_load8(held_src + 16)) | (gro_load8(src + 24) ^ gro_load8(held_src + 24));
	if (ports)
		d->rest |= gro_load4(nh + 40) ^ gro_load4(held + 40);
	return (d->first & GRO_IP6_FLOW) | d->rest;
}

/* Of the held packets of the same link-layer flow, those of another network-layer flow are out. */
static __always_inline void gro_net_same_flow(struct list_head *head, const u8 *nh, u32 off, const u32 kind)
{
	struct gro_net d;
	struct sk_buff *p;

	list_for_each_entry(p, head, list)
		if (NAPI_GRO_CB(p)->same_flow && gro_net_compare(&d, nh, p->data + off, false, kind))
			NAPI_GRO_CB(p)->same_flow = 0;
}

/* Right version and length, right packet length, no fragment. */
static __always_inline bool gro_net_sound(const void *nh, u32 len, const u32 kind)
{
	if (kind == BPF_GRO_SLOT_IP) {
		const struct iphdr *iph = nh;

		return *(const u8 *)iph == 0x45 && ntohs(iph->tot_len) == len && !(iph->frag_off & ~htons(IP_DF)) &&
		       !ip_fast_csum(iph, 5);
	} else {
		const struct ipv6hdr *iph = nh;

		return *(const u8 *)iph >> 4 == 6 && ntohs(iph->payload_len) == len - sizeof(*iph);
	}
}

/*
 * The same for a packet of the held one's flow. If all but ID and checksum are equal, the header is as good as the held one's when
 * both differ by as much; when by a multiple of 0xffff, the long way tells.
 */
static __always_inline bool gro_net_sound_beside(struct gro_net *d, const void *nh, const void *held, u32 len, const u32 kind)
{
	const struct iphdr *a = nh, *b = held;

	if (kind == BPF_GRO_SLOT_IP6)
		return gro_net_sound(nh, len, kind);
	d->first = gro_load8(nh) ^ gro_load8(held);
	if (likely(!((d->first & ~GRO_IP_ID) | (d->second & GRO_IP_TTL))) &&
	    likely((__force u16)a->id + (__force u16)a->check == (__force u16)b->id + (__force u16)b->check))
		return ntohs(a->tot_len) == len;
	return gro_net_sound(nh, len, kind);
}

/* The network layer speaks against joining; gro_net_flush() for headers at hand. */
static __always_inline u32 gro_net_flush_beside(const struct gro_net *d, const void *nh, const void *held, struct sk_buff *p,
						const u32 kind)
{
	if (kind == BPF_GRO_SLOT_IP)
		return inet_gro_flush(nh, held, p, false);
	/* Length and flow label are others' business; what is left are hop limit and traffic class. */
	return !!(d->first & ~GRO_IP6_LEN);
}

/* What the device has not validated. */
static noinline bool gro_csum_bad(struct sk_buff *skb, u32 proto, const u32 kind)
{
	if (kind == BPF_GRO_SLOT_IP)
		return skb_gro_checksum_validate(skb, proto, inet_gro_compute_pseudo);
	return skb_gro_checksum_validate(skb, proto, ip6_gro_compute_pseudo);
}

/* The packet has passed the network layer: what the layer would leave behind. */
static __always_inline void gro_layer_passed(struct sk_buff *skb, const void *nh, u32 off, u32 nlen, u8 proto, const u32 kind)
{
	struct napi_gro_cb *cb = NAPI_GRO_CB(skb);

	cb->proto = proto;
	cb->network_offset = off;
	cb->data_offset = off + nlen;
	skb_set_transport_header(skb, off + nlen);
	/* An IPv4 header sums up to nothing. */
	if (kind == BPF_GRO_SLOT_IP6)
		skb_gro_postpull_rcsum(skb, nh, nlen);
}

/*
 * A packet through a policy that tells flows apart by their ports and leaves the checksum to the module (pol->ports): receive.c's
 * gro_owner_receive() for the common case, in one go. True if that was it; *@pp is then the held packet to flush. False if nothing has
 * been done.
 */
static __always_inline bool gro_ports_receive(const struct gro_slot *slot, const struct gro_owner *owner, struct list_head *head,
					      struct sk_buff *skb, void *nh, u32 noff, const u32 nlen, const u32 kind,
					      struct sk_buff **pp)
{
	struct gro_pcpu_stats *st = this_cpu_ptr(owner->stats);
	struct napi_gro_cb *cb = NAPI_GRO_CB(skb);
	struct gro_policy *pol = owner->pol;
	struct gro_run r GRO_UNINITIALIZED;
	u8 *hdr = nh + nlen, *held = NULL, *held_nh = NULL;
	u32 off = noff + nlen, win = cb->frag0_len - off;
	struct gro_net d;
	struct sk_buff *p;
	int ret;

	if (unlikely(pol->reach > win || !gro_hdr_readable(hdr, win)))
		return false;
	r.held_hdr = 0;
	r.held = NULL;
	list_for_each_entry(p, head, list) {
		held_nh = p->data + noff;
		if (unlikely(!NAPI_GRO_CB(p)->same_flow) || unlikely(gro_net_compare(&d, nh, held_nh, true, kind)))
			continue;
		r.held_hdr = NAPI_GRO_CB(p)->data_offset - off;
		if (unlikely(gro_stamp(p)->stamp != pol->stamp || r.held_hdr > win || r.held_hdr < pol->reach))
			return false;
		r.held = p;
		held = held_nh + nlen;
		break;
	}
	if (unlikely(!(r.held ? gro_net_sound_beside(&d, nh, held_nh, skb->len - noff, kind) :
				gro_net_sound(nh, skb->len - noff, kind))))
		return false;
	gro_layer_passed(skb, nh, noff, nlen, slot->proto, kind);
	/* That there is one less to trust is of interest to inner layers only. */
	if (unlikely(!cb->csum_cnt) && unlikely(gro_csum_bad(skb, slot->proto, kind))) {
		gro_net_same_flow(head, nh, noff, kind);
		*pp = gro_owner_receive(slot, owner, head, skb);
		return true;
	}

	gro_ports_init(&r, slot, head, skb, hdr, off, win, slot->flags, kind);
	if (likely(r.held)) {
		gro_found(&r, p, held, pol->compare, r.held_hdr, gro_net_flush_beside(&d, nh, held_nh, p, kind));
	} else {
		r.pub.diff = 0;
		r.pub.chain = 0;
	}
	ret = gro_run_receive(&r, pol, st, hdr, held);

	if (likely(gro_ports_join(slot, pol, st, &r, ret, pp)))
		return true;
	/* If there is another run, it looks for the held packet anew, by ports alone, and the network header may have moved by then. */
	if (unlikely(r.want || r.pub.hdr_len > r.pub.avail))
		gro_net_same_flow(head, nh, noff, kind);
	r.stamp = pol->stamp;
	r.key = pol->key;
	*pp = gro_verdict_or_again(slot, pol, st, &r, ret);
	return true;
}

/*
 * The rest of a test that nearly no packet needs. Metadata that is equal in all of the flow is no reason to go the longer way; what XDP
 * keeps out goes no way at all where nothing of its flow is held.
 */
enum gro_layer_way { GRO_WAY_FAST, GRO_WAY_LONGER, GRO_WAY_NONE };

static noinline enum gro_layer_way gro_layer_odd(const struct gro_slot *slot, const struct gro_owner *owner, struct list_head *head,
						 struct sk_buff *skb)
{
	struct gro_pcpu_stats *st = this_cpu_ptr(owner->stats);
	const struct napi_gro_cb *cb = NAPI_GRO_CB(skb);
	struct gro_policy *pol = owner->pol;

	if (READ_ONCE(pol->dead))
		return GRO_WAY_LONGER;
	switch (gro_meta_prepare(pol, head, skb, cb->data_offset)) {
	case GRO_META_PASS:
		st->verdict[BPF_GRO_PASS]++;
		st->reason[BPF_GRO_R_NO_HOLD]++;
		trace_bpf_gro_receive(skb, pol->id, slot->kind, slot->proto, BPF_GRO_PASS, BPF_GRO_R_NO_HOLD, 0,
				      skb_gro_len(skb));
		return GRO_WAY_NONE;
	case GRO_META_DIFFERS:
		return GRO_WAY_LONGER;
	case GRO_META_SAME:
		break;
	}
	if (cb->encap_mark | cb->flush || skb_shinfo(skb)->gso_size || skb->dev->features & NETIF_F_GRO_FRAGLIST)
		return GRO_WAY_LONGER;
	return GRO_WAY_FAST;
}

/* Where a packet goes on if it is not what nearly all are. */
static __always_inline struct sk_buff *gro_layer_longer(struct list_head *head, struct sk_buff *skb, const u32 kind)
{
	if (kind == BPF_GRO_SLOT_IP)
		return gro_native_layer[BPF_GRO_SLOT_IP](head, skb);
	return gro_ip6_receive(head, skb);
}

/* The packet's slot has an owner on its device. */
static __always_inline struct sk_buff *gro_layer_plain(struct list_head *head, struct sk_buff *skb, const struct gro_slot *slot,
						       const struct gro_owner *owner, const u32 kind)
{
	const u32 nlen = kind == BPF_GRO_SLOT_IP ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	struct napi_gro_cb *cb = NAPI_GRO_CB(skb);
	u32 off = cb->data_offset;
	void *nh = cb->frag0 + off;
	struct sk_buff *pp;

	if (likely(owner->pol->ports) && likely(gro_ports_receive(slot, owner, head, skb, nh, off, nlen, kind, &pp)))
		return pp;

	if (!gro_net_sound(nh, skb->len - off, kind))
		return gro_layer_longer(head, skb, kind);
	gro_layer_passed(skb, nh, off, nlen, slot->proto, kind);
	gro_net_same_flow(head, nh, off, kind);
	if (unlikely(gro_recursion_inc_test(skb))) {
		cb->flush |= 1;
		return NULL;
	}
	return gro_owner_receive(slot, owner, head, skb);
}

static __always_inline struct sk_buff *gro_layer_marked(struct list_head *head, struct sk_buff *skb, const struct gro_slot *slot,
							const struct gro_owner *owner, const u32 kind)
{
	switch (gro_layer_odd(slot, owner, head, skb)) {
	case GRO_WAY_NONE:
		return NULL;
	case GRO_WAY_LONGER:
		return gro_layer_longer(head, skb, kind);
	case GRO_WAY_FAST:
		break;
	}
	return gro_layer_plain(head, skb, slot, owner, kind);
}

/* The same code once more, so that packets without metadata do not pay for registers that have to survive a call. */
static noinline struct sk_buff *gro_ip_layer_marked(struct list_head *head, struct sk_buff *skb, const struct gro_slot *slot,
						    const struct gro_owner *owner)
{
	return gro_layer_marked(head, skb, slot, owner, BPF_GRO_SLOT_IP);
}

static noinline struct sk_buff *gro_ip6_layer_marked(struct list_head *head, struct sk_buff *skb, const struct gro_slot *slot,
						     const struct gro_owner *owner)
{
	return gro_layer_marked(head, skb, slot, owner, BPF_GRO_SLOT_IP6);
}

/* Not in line, so that packets of other devices do not pay for its frame. */
static noinline struct sk_buff *gro_ip_layer_owned(struct list_head *head, struct sk_buff *skb, const struct gro_slot *slot,
						   const struct gro_owner *owner)
{
	if (unlikely(READ_ONCE(owner->pol->odd) || gro_is_rare(skb)))
		return gro_ip_layer_marked(head, skb, slot, owner);
	return gro_layer_plain(head, skb, slot, owner, BPF_GRO_SLOT_IP);
}

static noinline struct sk_buff *gro_ip6_layer_owned(struct list_head *head, struct sk_buff *skb, const struct gro_slot *slot,
						    const struct gro_owner *owner)
{
	if (unlikely(READ_ONCE(owner->pol->odd) || gro_is_rare(skb)))
		return gro_ip6_layer_marked(head, skb, slot, owner);
	return gro_layer_plain(head, skb, slot, owner, BPF_GRO_SLOT_IP6);
}

/* The header is not in reach as a whole: for the kernel. */
static noinline struct sk_buff *gro_ip_layer_split(struct list_head *head, struct sk_buff *skb, u32 off)
{
	const struct gro_owner *owner;
	const u8 *proto;
	u8 buf;

	proto = skb_header_pointer(skb, off + offsetof(struct iphdr, protocol), sizeof(buf), &buf);
	owner = proto ? gro_slot_owner(&gro_slots[BPF_GRO_SLOT_IP][*proto], skb->dev) : NULL;
	if (owner && !READ_ONCE(owner->pol->dead))
		gro_meta_prepare(owner->pol, head, skb, off);
	return gro_native_layer[BPF_GRO_SLOT_IP](head, skb);
}

struct sk_buff *gro_ip_layer_receive(struct list_head *head, struct sk_buff *skb)
{
	u32 off = skb_gro_offset(skb);
	const struct gro_owner *owner;
	const struct gro_slot *slot;

	if (likely(skb_gro_may_pull(skb, off + sizeof(struct iphdr)))) {
		slot = &gro_slots[BPF_GRO_SLOT_IP][((const struct iphdr *)(NAPI_GRO_CB(skb)->frag0 + off))->protocol];
		owner = gro_slot_owner(slot, skb->dev);
		if (owner)
			return gro_ip_layer_owned(head, skb, slot, owner);
	} else {
		return gro_ip_layer_split(head, skb, off);
	}
	return gro_native_layer[BPF_GRO_SLOT_IP](head, skb);
}

struct sk_buff *gro_ip6_layer_receive(struct list_head *head, struct sk_buff *skb)
{
	u32 off = skb_gro_offset(skb);
	const struct gro_owner *owner;
	const struct gro_slot *slot;

	if (likely(skb_gro_may_pull(skb, off + sizeof(struct ipv6hdr)))) {
		slot = &gro_slots[BPF_GRO_SLOT_IP6][((const struct ipv6hdr *)(NAPI_GRO_CB(skb)->frag0 + off))->nexthdr];
		owner = gro_slot_owner(slot, skb->dev);
		if (owner)
			return gro_ip6_layer_owned(head, skb, slot, owner);
	}
	return gro_ip6_receive(head, skb);
}
