/* SPDX-License-Identifier: GPL-2.0 */
/* Joining page fragments, which is nearly every join; the rest is in join.c. */
#ifndef _BPF_GRO_JOIN_H
#define _BPF_GRO_JOIN_H

#include <linux/skbuff.h>

#include "gro.h"

/* join.c */
void gro_copy_frags(skb_frag_t *dst, const struct skb_shared_info *from);

/* Account @len payload bytes that @skb brought to the held packet @p, and to its last member @lp if they went there. */
static __always_inline void gro_join_account(struct sk_buff *p, struct sk_buff *lp, struct sk_buff *skb, u32 len,
					     u32 truesize)
{
	u8 shared = skb_shinfo(skb)->flags & SKBFL_SHARED_FRAG;

	NAPI_GRO_CB(p)->count += NAPI_GRO_CB(skb)->count;
	p->data_len += len;
	p->truesize += truesize;
	p->len += len;
	skb_shinfo(p)->flags |= shared;
	if (lp != p) {
		lp->data_len += len;
		lp->truesize += truesize;
		lp->len += len;
		skb_shinfo(lp)->flags |= shared;
	}
	NAPI_GRO_CB(skb)->same_flow = 1;
}

/* The whole payload lies in fragments, @skip bytes into the first: move them over. */
static __always_inline int gro_join_frags(struct sk_buff *p, struct sk_buff *lp, struct sk_buff *skb, u32 skip, u32 len)
{
	struct skb_shared_info *to = skb_shinfo(lp), *from = skb_shinfo(skb);
	skb_frag_t *dst = to->frags + to->nr_frags;
	u32 kept, moved;

	*dst = *from->frags;
	if (unlikely(from->nr_frags > 1))
		gro_copy_frags(dst, from);
	skb_frag_off_add(dst, skip);
	skb_frag_size_sub(dst, skip);
	to->nr_frags += from->nr_frags;
	from->nr_frags = 0;

	/* What stays with @skb until it is freed: itself and its head. */
	kept = SKB_TRUESIZE(skb_end_offset(skb));
	moved = skb->truesize - kept;
	skb->truesize = kept;
	skb->len -= skb->data_len;
	skb->data_len = 0;
	NAPI_GRO_CB(skb)->free = NAPI_GRO_FREE;
	gro_join_account(p, lp, skb, len, moved);
	return GRO_JOINED_FRAG;
}

/* gro_join(), without a call where whole fragments move. */
static __always_inline int gro_join_inline(struct sk_buff *p, struct sk_buff *skb, u32 len)
{
	u32 off = skb_gro_offset(skb), headlen = skb_headlen(skb);
	struct sk_buff *lp = NAPI_GRO_CB(p)->last;

	if (likely(headlen <= off && skb_shinfo(lp)->nr_frags + skb_shinfo(skb)->nr_frags <= MAX_SKB_FRAGS))
		return gro_join_frags(p, lp, skb, off - headlen, len);
	return gro_join(p, skb);
}

#endif /* _BPF_GRO_JOIN_H */
