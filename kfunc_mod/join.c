// SPDX-License-Identifier: GPL-2.0
/*
 * Joining a packet to the held one: by moving page fragments, by taking a page-fragment head, or by frag_list.
 *
 * The kernel's own skb_gro_receive() is not exported. What it refuses, bpf_gro_find_held() has reported before (see
 * gro_diff() in find.h) and the contract keeps away from here; what depends on the layout is refused here.
 */
#include <linux/skbuff.h>
#include <linux/module.h>

#include "join.h"

/* All fragments but the first of @from, behind the one at @dst. */
void gro_copy_frags(skb_frag_t *dst, const struct skb_shared_info *from)
{
	memcpy(dst + 1, from->frags + 1, (from->nr_frags - 1) * sizeof(*dst));
}

/* The payload starts in a head that is itself a page fragment: it becomes a fragment of the held packet. */
static noinline int gro_join_head(struct sk_buff *p, struct sk_buff *lp, struct sk_buff *skb, u32 off, u32 len)
{
	struct skb_shared_info *to = skb_shinfo(lp), *from = skb_shinfo(skb);
	u32 have = to->nr_frags, truesize;
	struct page *page = virt_to_head_page(skb->head);
	u32 at = skb->data + off - (u8 *)page_address(page);

	skb_frag_fill_page_desc(&to->frags[have], page, at, skb_headlen(skb) - off);
	memcpy(&to->frags[have + 1], from->frags, from->nr_frags * sizeof(from->frags[0]));
	to->nr_frags = have + 1 + from->nr_frags;

	/* The head goes with the payload: only the sk_buff itself is freed, see napi_skb_free_stolen_head(). */
	truesize = skb->truesize - SKB_DATA_ALIGN(sizeof(struct sk_buff));
	skb->truesize = SKB_DATA_ALIGN(sizeof(struct sk_buff));
	NAPI_GRO_CB(skb)->free = NAPI_GRO_FREE_STOLEN_HEAD;
	gro_join_account(p, lp, skb, len, truesize);
	return GRO_JOINED_FRAG;
}

/* Anything else: the packet as a whole, its headers pulled off, becomes a member of the frag_list. */
static noinline int gro_join_list(struct sk_buff *p, struct sk_buff *skb, u32 off, u32 len)
{
	struct skb_shared_info *from = skb_shinfo(skb);
	u32 headlen = skb_headlen(skb);

	/* skb_segment() cannot split the linear part of a member. */
	if (unlikely(headlen > off + skb_shinfo(p)->gso_size))
		return -E2BIG;

	/* A socket that owns the packet cannot own a part of the aggregate. */
	skb->destructor = NULL;
	skb->sk = NULL;
	if (off > headlen) {
		u32 eat = off - headlen;

		skb_frag_off_add(&from->frags[0], eat);
		skb_frag_size_sub(&from->frags[0], eat);
		skb->data_len -= eat;
		skb->len -= eat;
		off = headlen;
	}
	__skb_pull(skb, off);

	if (NAPI_GRO_CB(p)->last == p)
		skb_shinfo(p)->frag_list = skb;
	else
		NAPI_GRO_CB(p)->last->next = skb;
	NAPI_GRO_CB(p)->last = skb;
	__skb_header_release(skb);
	gro_join_account(p, p, skb, len, skb->truesize);
	return GRO_JOINED_LIST;
}

/**
 * gro_join() - join the payload of @skb, from its GRO offset on, to the held packet
 * @p: the held packet
 * @skb: the packet; bpf_gro_find_held() found nothing that forbids the join
 *
 * Context: softirq.
 * Return: enum gro_joined, or -E2BIG if the layout could not be split again; then nothing has changed.
 */
int gro_join(struct sk_buff *p, struct sk_buff *skb)
{
	u32 off = skb_gro_offset(skb), len = skb_gro_len(skb), headlen = skb_headlen(skb);
	struct sk_buff *lp = NAPI_GRO_CB(p)->last;
	u32 frags = skb_shinfo(lp)->nr_frags + skb_shinfo(skb)->nr_frags;

	if (likely(headlen <= off)) {
		if (likely(frags <= MAX_SKB_FRAGS))
			return gro_join_frags(p, lp, skb, off - headlen, len);
	} else if (skb->head_frag) {
		if (frags + 1 <= MAX_SKB_FRAGS)
			return gro_join_head(p, lp, skb, off, len);
	}
	return gro_join_list(p, skb, off, len);
}

/*
 * Chains on a free slot can only be finished and split by this module: each holds a reference to it until it is finished or
 * freed, whichever comes first.
 */
static void gro_chain_destructor(struct sk_buff *skb)
{
	module_put(THIS_MODULE);
}

static bool gro_chain_ref(struct sk_buff *p)
{
	if (p->destructor || p->sk || !try_module_get(THIS_MODULE))
		return false;
	p->destructor = gro_chain_destructor;
	return true;
}

void gro_chain_release(struct sk_buff *skb)
{
	if (skb->destructor == gro_chain_destructor) {
		skb->destructor = NULL;
		module_put(THIS_MODULE);
	}
}

/**
 * gro_join_chain() - chain the whole packet behind the held one (fraglist)
 * @p: the held packet
 * @skb: the packet
 * @free_slot: no native code can finish the chain
 *
 * Context: softirq.
 * Return: 0, or a negative errno; then the packet can still be held or passed.
 */
int gro_join_chain(struct sk_buff *p, struct sk_buff *skb, bool free_slot)
{
	if (!pskb_may_pull(skb, skb_gro_offset(skb))) {
		NAPI_GRO_CB(skb)->flush = 1;
		return -ENOMEM;
	}
	if (unlikely(free_slot) && NAPI_GRO_CB(p)->count == 1 && !gro_chain_ref(p))
		return -EBUSY;

	if (NAPI_GRO_CB(p)->last == p)
		skb_shinfo(p)->frag_list = skb;
	else
		NAPI_GRO_CB(p)->last->next = skb;
	NAPI_GRO_CB(p)->last = skb;

	/* The splitter finds each packet's headers by its own network header. */
	skb_set_network_header(skb, skb_gro_receive_network_offset(skb));
	skb_pull(skb, skb_gro_offset(skb));
	skb->destructor = NULL;
	skb->sk = NULL;

	NAPI_GRO_CB(p)->count++;
	p->data_len += skb->len;
	p->truesize += skb->truesize;
	p->len += skb->len;
	skb_shinfo(p)->flags |= skb_shinfo(skb)->flags & SKBFL_SHARED_FRAG;
	NAPI_GRO_CB(skb)->same_flow = 1;
	return 0;
}
