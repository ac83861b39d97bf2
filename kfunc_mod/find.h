/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finding the held packet of a flow and telling what speaks against a join: what runs for each packet, inlined into the layers and
 * into the kfunc. The rest is in find.c.
 */
#ifndef _BPF_GRO_FIND_H
#define _BPF_GRO_FIND_H

#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/unaligned.h>

#include "gro.h"

#define GRO_KEY_PORTS	BPF_GRO_RANGE(0, 4)	/* of TCP, UDP, SCTP, DCCP */

#define GRO_RARE_FLAGS	(BPF_GRO_F_GSO | BPF_GRO_F_NET_FLUSH | BPF_GRO_F_CHAIN_DEV | BPF_GRO_F_CHAIN_ONLY)

/* find.c */
bool gro_key_equal(const u8 *hdr, const u8 *held, u32 key);
bool gro_bytes_equal_slow(const u8 *a, const u8 *b, u32 len);
u32 gro_diff_slow(struct gro_run *r, struct sk_buff *p, u32 net);

static __always_inline u32 gro_load4(const u8 *a)
{
	return get_unaligned((const u32 *)a);
}

static __always_inline bool gro_equal4(const u8 *a, const u8 *b)
{
	return gro_load4(a) == gro_load4(b);
}

static __always_inline u64 gro_load8(const u8 *a)
{
	return get_unaligned((const u64 *)a);
}

/* Ports and TCP timestamps are what is compared most: 4 and 12 bytes. */
static __always_inline bool gro_bytes_equal(const u8 *a, const u8 *b, u32 len)
{
	if (likely(len == 12))
		return !((gro_load8(a) ^ gro_load8(b)) | (gro_load4(a + 8) ^ gro_load4(b + 8)));
	if (likely(!len))
		return true;
	return gro_bytes_equal_slow(a, b, len);
}

static __always_inline u32 gro_range_end(u32 range)
{
	return BPF_GRO_RANGE_OFF(range) + BPF_GRO_RANGE_LEN(range);
}

/* Pages of a page pool and others are counted differently; zero-copy ones have an owner that waits for them. */
static __always_inline bool gro_buffers_differ(const struct sk_buff *p, const struct sk_buff *skb)
{
	return p->pp_recycle != skb->pp_recycle ||
	       (skb_shinfo(p)->flags | skb_shinfo(skb)->flags) & SKBFL_ZEROCOPY_ENABLE;
}

/* skb_cmp_decrypted(), in fewer instructions. */
static __always_inline bool gro_decrypted_differs(const struct sk_buff *p, const struct sk_buff *skb)
{
#ifdef CONFIG_SKB_DECRYPTED
	return p->decrypted ^ skb->decrypted;
#else
	return false;
#endif
}

/* The network layer speaks against joining: TTL, traffic class, DF, IP ID. */
static __always_inline u32 gro_net_flush(const struct gro_run *r, struct sk_buff *p, const u8 *held)
{
	u32 back;

	if (unlikely(r->pub.flags & BPF_GRO_F_ENCAP))
		return gro_receive_network_flush(r->hdr, held, p);
	back = held - p->data - NAPI_GRO_CB(p)->network_offset;
	if (r->kind == BPF_GRO_SLOT_IP)
		return inet_gro_flush((void *)(r->hdr - back), (void *)(held - back), p, false);
	return ipv6_gro_flush((void *)(r->hdr - back), (void *)(held - back));
}

/*
 * All that speaks against joining, for a header of the held packet's length: no other can be joined. The common answer, nothing, comes
 * from one chain of tests.
 */
static __always_inline u32 gro_diff(struct gro_run *r, struct sk_buff *p, u32 net)
{
	u32 len = r->pub.len - r->held_hdr, total = p->len + len;
	const struct sk_buff *skb = r->skb;

	if (likely(!net && !(r->pub.flags & GRO_RARE_FLAGS) && len - 1 < r->pub.held_gso_size &&
		   !NAPI_GRO_CB(p)->is_flist && !gro_decrypted_differs(p, skb) && !gro_buffers_differ(p, skb) &&
		   total < netif_get_gro_max_size(p->dev, p) && total < GRO_LEGACY_MAX_SIZE))
		return 0;
	return gro_diff_slow(r, p, net);
}

/* Whether the bytes of @range differ, for a packet whose own header has @hdr_len bytes in reach. */
static __always_inline bool gro_range_differs(const struct gro_run *r, const u8 *held, u32 range, u32 hdr_len)
{
	u32 off = BPF_GRO_RANGE_OFF(range), len = BPF_GRO_RANGE_LEN(range);

	if (likely(len == BPF_GRO_REST_LEN)) {
		if (hdr_len != r->held_hdr || off > r->held_hdr)
			return true;
		len = r->held_hdr - off;
	}
	return off + len > r->held_hdr || !gro_bytes_equal(r->hdr + off, held + off, len);
}

/* Metadata keeps the packet from joining to the held one of its flow: then that leaves first. */
static __always_inline bool gro_meta_apart(const struct gro_policy *pol, const struct sk_buff *p, const struct sk_buff *skb)
{
	return unlikely(READ_ONCE(pol->meta)) && gro_meta_keeps_apart(pol, p, skb);
}

/* Metadata may have kept the held packet of the flow from being compared. */
static __always_inline bool gro_meta_may_hide(const struct gro_run *r, const struct gro_policy *pol)
{
	return READ_ONCE(pol->meta) && r->pub.flags & BPF_GRO_F_ENCAP;
}

/* @p is the held packet of the flow: compare, and fill in what the program sees of it. @net: from gro_net_flush(). */
static __always_inline void gro_found(struct gro_run *r, struct sk_buff *p, u8 *held, u32 range, u32 hdr_len, u32 net)
{
	r->held = p;
	r->held_at = held;
	r->pub.held_len = skb_gro_len(p);
	r->pub.held_segs = NAPI_GRO_CB(p)->count;
	r->pub.held_gso_size = skb_shinfo(p)->gso_size;
	r->pub.diff = gro_diff(r, p, net);
	if (unlikely(gro_range_differs(r, held, range, hdr_len)))
		r->pub.diff |= BPF_GRO_DIFF_RANGE;
	r->pub.chain = NAPI_GRO_CB(p)->is_flist;
}

#endif /* _BPF_GRO_FIND_H */
