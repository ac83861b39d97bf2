// SPDX-License-Identifier: GPL-2.0
/*
 * What speaks against joining a packet to the held one of its flow: the rare cases. The common ones are inline in find.h.
 */
#include "find.h"

bool gro_key_equal(const u8 *hdr, const u8 *held, u32 key)
{
	u32 off = BPF_GRO_RANGE_OFF(key), len = min_t(u32, BPF_GRO_RANGE_LEN(key), BPF_GRO_KEY_MAX);

	return !memcmp(hdr + off, held + off, len);
}

bool gro_bytes_equal_slow(const u8 *a, const u8 *b, u32 len)
{
	return !memcmp(a, b, len);
}

/*
 * What the device's fraglist setting makes of the pair: a chain takes what is not GSO; a GSO packet turns a chain of one back
 * into an ordinary held packet.
 */
static void gro_chain_rules(struct gro_run *r, struct sk_buff *p)
{
	struct sk_buff *skb = r->skb;

	if (r->pub.flags & BPF_GRO_F_CHAIN_DEV) {
		if (!skb_is_gso(skb) || !NAPI_GRO_CB(p)->is_flist) {
			NAPI_GRO_CB(skb)->is_flist = NAPI_GRO_CB(p)->is_flist;
		} else {
			if (NAPI_GRO_CB(p)->count == 1)
				NAPI_GRO_CB(p)->is_flist = 0;
			NAPI_GRO_CB(skb)->is_flist = 0;
		}
	} else if (r->pub.flags & BPF_GRO_F_CHAIN_ONLY) {
		NAPI_GRO_CB(skb)->is_flist = 1;
	}
}

/* Size and buffer rules of a chain. */
static u32 gro_diff_chain(const struct gro_run *r, const struct sk_buff *p)
{
	const struct sk_buff *skb = r->skb;
	u32 diff = 0;

	if (skb->ip_summed != p->ip_summed || skb->csum_level != p->csum_level || NAPI_GRO_CB(p)->count >= 64 ||
	    !NAPI_GRO_CB(skb)->is_flist)
		diff |= BPF_GRO_DIFF_CHAIN;
	if (p->len + skb->len >= GRO_LEGACY_MAX_SIZE)
		diff |= BPF_GRO_DIFF_LIMIT;
	return diff;
}

/* Something speaks against joining, or the packet is of a rare kind: say exactly what. */
u32 gro_diff_slow(struct gro_run *r, struct sk_buff *p, u32 net)
{
	struct sk_buff *skb = r->skb;
	u32 mss = r->pub.held_gso_size, len = r->pub.len - r->held_hdr, total = p->len + len;
	u32 diff = net ? BPF_GRO_DIFF_NETWORK : 0;

	if (NAPI_GRO_CB(p)->is_flist || r->pub.flags & (BPF_GRO_F_CHAIN_DEV | BPF_GRO_F_CHAIN_ONLY))
		gro_chain_rules(r, p);
	if (r->pub.flags & BPF_GRO_F_NET_FLUSH)
		diff |= BPF_GRO_DIFF_NET_FLUSH;
	if (r->pub.flags & BPF_GRO_F_GSO)
		diff |= r->pub.gso_size != mss ? BPF_GRO_DIFF_GSO : 0;
	else if (len - 1 >= mss)
		diff |= BPF_GRO_DIFF_LONG;
	if (skb_cmp_decrypted(p, skb))
		diff |= BPF_GRO_DIFF_BUFFER;
	if (NAPI_GRO_CB(p)->is_flist)
		return diff | gro_diff_chain(r, p);
	if (gro_buffers_differ(p, skb))
		diff |= BPF_GRO_DIFF_BUFFER;
	if (total >= netif_get_gro_max_size(p->dev, p))
		diff |= BPF_GRO_DIFF_LIMIT;
	if (total >= GRO_LEGACY_MAX_SIZE && (NAPI_GRO_CB(skb)->proto != IPPROTO_TCP || !gro_compat_big_tcp_ok(p, skb)))
		diff |= BPF_GRO_DIFF_LIMIT;
	return diff;
}
