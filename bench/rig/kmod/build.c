// SPDX-License-Identifier: GPL-2.0
/*
 * From the records of a train to skbs of exactly the described geometry. Everything is checked
 * before anything is built, and everything is built before anything is fed.
 */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/mm.h>
#include <linux/uaccess.h>
#include <net/checksum.h>

#include "rig.h"

/* The ubuf of RIG_P_ZEROCOPY: nobody waits for it, it only has to be there. */
static void rig_ubuf_complete(struct sk_buff *skb, struct ubuf_info *uarg, bool success)
{
	refcount_dec(&uarg->refcnt);
}

static const struct ubuf_info_ops rig_ubuf_ops = {
	.complete = rig_ubuf_complete,
};

struct ubuf_info rig_ubuf = {
	.ops	= &rig_ubuf_ops,
	.refcnt	= REFCOUNT_INIT(1),
	.flags	= SKBFL_ZEROCOPY_FRAG | SKBFL_DONT_ORPHAN,
};

static const u8 *rig_pkt_meta(const struct rig_pkt *pkt)
{
	return (const u8 *)&pkt->sizes[pkt->nr_frags + pkt->nr_list];
}

static const u8 *rig_pkt_frame(const struct rig_pkt *pkt)
{
	return rig_pkt_meta(pkt) + pkt->meta_len;
}

static enum rig_why rig_check_sizes(const struct rig_pkt *pkt)
{
	u32 max_frag = pkt->frag == RIG_FRAG_POOL ? PAGE_SIZE : RIG_MAX_FRAG;
	u64 sum = pkt->linear;
	u32 i;

	for (i = 0; i < pkt->nr_frags + pkt->nr_list; i++) {
		if (!pkt->sizes[i])
			return RIG_E_SIZES;
		if (i < pkt->nr_frags && (u64)pkt->sizes[i] + pkt->frag_off > max_frag)
			return RIG_E_FRAG;
		sum += pkt->sizes[i];
	}
	if (sum != pkt->frame_len)
		return RIG_E_SIZES;
	return RIG_E_NONE;
}

static enum rig_why rig_check_marks(const struct rig_pkt *pkt, u32 feed_flags)
{
	if (pkt->meta_len > RIG_MAX_META || pkt->meta_len % 4)
		return RIG_E_META;
	if (pkt->csum_level > SKB_MAX_CSUM_LEVEL)
		return RIG_E_CSUM;
	if (pkt->csum == RIG_CSUM_PARTIAL &&
	    (pkt->csum_start < ETH_HLEN || pkt->csum_start + pkt->csum_offset + 2 > pkt->frame_len))
		return RIG_E_CSUM;
	if ((pkt->flags & RIG_P_CLONED) && (pkt->flags & RIG_P_FRAGS))
		return RIG_E_CLONED;
	if ((pkt->flags & RIG_P_ZEROCOPY) &&
	    (!pkt->nr_frags || (feed_flags & RIG_FEED_DELIVER) ||
	     (pkt->flags & (RIG_P_FRAGS | RIG_P_RECYCLE)) || pkt->head == RIG_HEAD_POOL))
		return RIG_E_ZEROCOPY;
	if ((pkt->gso_type & ~RIG_GSO_KNOWN) || (!pkt->gso_size && (pkt->gso_type | pkt->gso_segs)))
		return RIG_E_GSO;
	/* Splitting such a packet walks into BUG_ON()s for some sizes: no driver makes them. */
	if (pkt->gso_size && pkt->nr_list)
		return RIG_E_GSO;
	if ((pkt->flags & RIG_P_VLAN) && pkt->vlan_proto != ETH_P_8021Q &&
	    pkt->vlan_proto != ETH_P_8021AD)
		return RIG_E_VLAN;
	return RIG_E_NONE;
}

static enum rig_why rig_check(const struct rig_pkt *pkt, u32 feed_flags)
{
	enum rig_why why;

	if ((pkt->flags & ~RIG_P_ALL) || pkt->head >= RIG_HEAD_MAX || pkt->frag >= RIG_FRAG_MAX ||
	    pkt->csum >= RIG_CSUM_MAX || pkt->pad0)
		return RIG_E_FLAGS;
	if (pkt->frame_len > RIG_MAX_FRAME || pkt->nr_frags > min(RIG_MAX_FRAGS, MAX_SKB_FRAGS) ||
	    pkt->nr_list > RIG_MAX_LIST || pkt->headroom > 4096 || pkt->tailroom > 4096)
		return RIG_E_BOUNDS;
	why = rig_check_sizes(pkt);
	if (why)
		return why;
	if (pkt->flags & RIG_P_FRAGS) {
		if (pkt->linear || pkt->meta_len || pkt->nr_list || pkt->frame_len < ETH_HLEN)
			return RIG_E_FRAGS;
	} else if (pkt->linear < ETH_HLEN) {
		return RIG_E_LINEAR;
	}
	if (pkt->head == RIG_HEAD_POOL && pkt->linear + pkt->headroom + pkt->meta_len +
	    pkt->tailroom > RIG_MAX_HEAD_POOL)
		return RIG_E_HEAD;
	if (pkt->frag == RIG_FRAG_POOL && pkt->nr_frags && pkt->head != RIG_HEAD_POOL &&
	    !(pkt->flags & RIG_P_RECYCLE))
		return RIG_E_FRAG;
	return rig_check_marks(pkt, feed_flags);
}

/* Copies the records in and checks them all. */
int rig_train_load(struct rig_train *train, u64 buf, u32 len, u32 nr, u32 feed_flags)
{
	enum rig_why why = RIG_E_NONE;
	u32 off = 0, i;

	memset(train, 0, sizeof(*train));
	if (nr > RIG_MAX_PACKETS || len > RIG_MAX_BYTES) {
		train->err_why = RIG_E_BOUNDS;
		return -E2BIG;
	}
	train->nr = nr;
	if (!nr)
		return 0;
	train->pkts = kvcalloc(nr, sizeof(*train->pkts), GFP_KERNEL);
	train->skbs = kvcalloc(nr, sizeof(*train->skbs), GFP_KERNEL);
	if (!train->pkts || !train->skbs)
		goto err_nomem;
	train->buf = vmemdup_user(u64_to_user_ptr(buf), len);
	if (IS_ERR(train->buf)) {
		int err = PTR_ERR(train->buf);

		train->buf = NULL;
		train->err_why = err == -ENOMEM ? RIG_E_NOMEM : RIG_E_TRUNCATED;
		rig_train_unload(train);
		return err;
	}

	for (i = 0; i < nr; i++) {
		const struct rig_pkt *pkt = train->buf + off;
		u64 need;

		why = RIG_E_TRUNCATED;
		if (len - off < sizeof(*pkt) || pkt->size > len - off)
			goto err_inval;
		need = struct_size(pkt, sizes, pkt->nr_frags + pkt->nr_list);
		need += pkt->meta_len + (u64)pkt->frame_len;
		if (pkt->size != ALIGN(need, 8))
			goto err_inval;
		why = rig_check(pkt, feed_flags);
		if (why)
			goto err_inval;
		if (pkt->flags & RIG_P_FRAGS)
			train->frags = true;
		train->pkts[i] = pkt;
		off += pkt->size;
	}
	return 0;

err_inval:
	train->err_pkt = i;
	train->err_why = why;
	rig_train_unload(train);
	return -EINVAL;

err_nomem:
	train->err_why = RIG_E_NOMEM;
	rig_train_unload(train);
	return -ENOMEM;
}

void rig_train_unload(struct rig_train *train)
{
	kvfree(train->pkts);
	kvfree(train->skbs);
	kvfree(train->buf);
	train->pkts = NULL;
	train->skbs = NULL;
	train->buf = NULL;
}

static struct page *rig_pool_page(struct rig *rig)
{
	struct page *page;

	/* The pool has one consumer, which we are by the feed mutex, and wants BH off. */
	local_bh_disable();
	page = page_pool_alloc_pages(rig->pool, GFP_ATOMIC | __GFP_NOWARN);
	local_bh_enable();
	return page;
}

static struct sk_buff *rig_head_page(u32 reserve, u32 room)
{
	u32 order = get_order(SKB_DATA_ALIGN(reserve + room) +
			      SKB_DATA_ALIGN(sizeof(struct skb_shared_info)));
	struct sk_buff *skb;
	struct page *page;

	page = alloc_pages(GFP_KERNEL | __GFP_COMP | __GFP_NOWARN, order);
	if (!page)
		return NULL;
	skb = build_skb(page_address(page), PAGE_SIZE << order);
	if (!skb) {
		__free_pages(page, order);
		return NULL;
	}
	skb_reserve(skb, reserve);
	return skb;
}

static struct sk_buff *rig_head_pool(struct rig *rig, u32 reserve)
{
	struct page *page = rig_pool_page(rig);
	struct sk_buff *skb;

	if (!page)
		return NULL;
	skb = build_skb(page_address(page), PAGE_SIZE);
	if (!skb) {
		page_pool_put_full_page(rig->pool, page, false);
		return NULL;
	}
	skb_mark_for_recycle(skb);
	skb_reserve(skb, reserve);
	return skb;
}

static struct sk_buff *rig_head(struct rig *rig, const struct rig_pkt *pkt)
{
	u32 extra = pkt->headroom + pkt->meta_len;
	u32 reserve = NET_SKB_PAD + NET_IP_ALIGN + extra;
	u32 room = pkt->linear + pkt->tailroom;
	struct sk_buff *skb;

	switch (pkt->head) {
	case RIG_HEAD_PAGE:
		return rig_head_page(reserve, room);
	case RIG_HEAD_POOL:
		return rig_head_pool(rig, reserve);
	case RIG_HEAD_NAPI:
		local_bh_disable();
		skb = napi_alloc_skb(&rig->napi, extra + room);
		local_bh_enable();
		if (skb)
			skb_reserve(skb, extra);
		return skb;
	default:
		skb = alloc_skb(reserve + room, GFP_KERNEL | __GFP_NOWARN);
		if (skb)
			skb_reserve(skb, reserve);
		return skb;
	}
}

static bool rig_add_frag(struct rig *rig, struct sk_buff *skb, const struct rig_pkt *pkt, u32 size,
			 const u8 *data)
{
	u32 truesize = pkt->frag_truesize;
	u32 order = 0;
	struct page *page;

	if (pkt->frag == RIG_FRAG_POOL) {
		page = rig_pool_page(rig);
	} else {
		order = get_order(pkt->frag_off + size);
		page = alloc_pages(GFP_KERNEL | __GFP_COMP | __GFP_NOWARN, order);
	}
	if (!page)
		return false;
	memcpy(page_address(page) + pkt->frag_off, data, size);
	skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, page, pkt->frag_off, size,
			truesize ? truesize : PAGE_SIZE << order);
	return true;
}

static bool rig_add_list(struct sk_buff *skb, struct sk_buff ***last, u32 size, const u8 *data)
{
	struct sk_buff *member;

	member = alloc_skb(NET_SKB_PAD + size, GFP_KERNEL | __GFP_NOWARN);
	if (!member)
		return false;
	skb_reserve(member, NET_SKB_PAD);
	skb_put_data(member, data, size);
	**last = member;
	*last = &member->next;
	skb->len += size;
	skb->data_len += size;
	skb->truesize += member->truesize;
	return true;
}

/* What a driver sets on the skb besides the bytes. Also for the skb of napi_get_frags(). */
static void rig_mark(struct sk_buff *skb, const struct rig_pkt *pkt)
{
	struct skb_shared_info *shinfo = skb_shinfo(skb);

	if (pkt->flags & RIG_P_HASH)
		skb_set_hash(skb, pkt->hash, pkt->flags & RIG_P_L4_HASH ? PKT_HASH_TYPE_L4 :
									  PKT_HASH_TYPE_L3);
	if (pkt->flags & RIG_P_VLAN)
		__vlan_hwaccel_put_tag(skb, htons(pkt->vlan_proto), pkt->vlan_tci);
	skb->encapsulation = !!(pkt->flags & RIG_P_ENCAP);
	if (pkt->flags & RIG_P_SHARED_FRAG)
		shinfo->flags |= SKBFL_SHARED_FRAG;
	if (pkt->flags & RIG_P_ZEROCOPY)
		skb_zcopy_set(skb, &rig_ubuf, NULL);
#ifdef CONFIG_SKB_DECRYPTED
	skb->decrypted = !!(pkt->flags & RIG_P_DECRYPTED);
#endif
	shinfo->gso_size = pkt->gso_size;
	shinfo->gso_segs = pkt->gso_segs;
	shinfo->gso_type = rig_gso_to_kernel(pkt->gso_type);
	if (pkt->flags & RIG_P_RECYCLE)
		skb_mark_for_recycle(skb);

	switch (pkt->csum) {
	case RIG_CSUM_NONE:
		skb->ip_summed = CHECKSUM_NONE;
		break;
	case RIG_CSUM_UNNECESSARY:
		skb->ip_summed = CHECKSUM_UNNECESSARY;
		skb->csum_level = pkt->csum_level;
		break;
	case RIG_CSUM_COMPLETE:
		skb->ip_summed = CHECKSUM_COMPLETE;
		skb->csum = csum_partial(rig_pkt_frame(pkt) + ETH_HLEN, pkt->frame_len - ETH_HLEN,
					 (__force __wsum)pkt->csum_value);
		break;
	case RIG_CSUM_PARTIAL:
		skb->ip_summed = CHECKSUM_PARTIAL;
		break;
	}
}

static struct sk_buff *rig_build(struct rig *rig, const struct rig_pkt *pkt)
{
	const u8 *data = rig_pkt_frame(pkt);
	struct sk_buff *skb, **last;
	u32 i;

	skb = rig_head(rig, pkt);
	if (!skb)
		return NULL;
	skb->dev = rig->dev;
	if (pkt->meta_len) {
		memcpy(skb->data - pkt->meta_len, rig_pkt_meta(pkt), pkt->meta_len);
		skb_metadata_set(skb, pkt->meta_len);
	}
	skb_put_data(skb, data, pkt->linear);
	data += pkt->linear;
	for (i = 0; i < pkt->nr_frags; i++) {
		if (!rig_add_frag(rig, skb, pkt, pkt->sizes[i], data))
			goto err;
		data += pkt->sizes[i];
	}
	last = &skb_shinfo(skb)->frag_list;
	for (; i < pkt->nr_frags + pkt->nr_list; i++) {
		if (!rig_add_list(skb, &last, pkt->sizes[i], data))
			goto err;
		data += pkt->sizes[i];
	}
	rig_mark(skb, pkt);
	skb_reset_mac_header(skb);
	if (pkt->csum == RIG_CSUM_PARTIAL) {
		skb->csum_start = skb_headroom(skb) + pkt->csum_start;
		skb->csum_offset = pkt->csum_offset;
	}
	if (pkt->flags & RIG_P_CLONED) {
		struct sk_buff *clone;

		clone = skb_clone(skb, GFP_KERNEL | __GFP_NOWARN);
		if (!clone)
			goto err;
		__skb_queue_tail(&rig->clones, clone);
		/*
		 * GRO writes to the skb_shared_info of what it joins and resets dataref: no clone
		 * may get there. This is what veth does.
		 */
		if (skb_unclone(skb, GFP_KERNEL | __GFP_NOWARN))
			goto err;
	}
	return skb;

err:
	/* A pool page among the fragments goes back to its pool only with the mark. */
	if (pkt->flags & RIG_P_RECYCLE)
		skb_mark_for_recycle(skb);
	kfree_skb(skb);
	return NULL;
}

int rig_train_build(struct rig *rig, struct rig_train *train)
{
	u32 i;

	for (i = 0; i < train->nr; i++) {
		train->skbs[i] = rig_build(rig, train->pkts[i]);
		if (!train->skbs[i]) {
			train->err_pkt = i;
			train->err_why = RIG_E_NOMEM;
			rig_train_drop(train);
			return -ENOMEM;
		}
		if (!(i % 64))
			cond_resched();
	}
	return 0;
}

void rig_train_drop(struct rig_train *train)
{
	u32 i;

	for (i = 0; i < train->nr; i++) {
		kfree_skb(train->skbs[i]);
		train->skbs[i] = NULL;
	}
}

/* The driver's last step, when XDP has run. */
void rig_train_finish(struct rig *rig, struct rig_train *train)
{
	u32 i;

	for (i = 0; i < train->nr; i++) {
		struct sk_buff *skb = train->skbs[i];

		if (skb && !(train->pkts[i]->flags & RIG_P_FRAGS))
			skb->protocol = eth_type_trans(skb, rig->dev);
	}
}

/*
 * napi_gro_frags() wants its packet in the skb of napi_get_frags(): the fragments move over from
 * the one that was built. The empty donor is freed by the caller's rig_train_drop().
 */
gro_result_t rig_feed_frags(struct rig *rig, struct sk_buff *donor)
{
	struct skb_shared_info *from = skb_shinfo(donor), *to;
	struct sk_buff *skb = napi_get_frags(&rig->napi);

	if (unlikely(!skb))
		return GRO_CONSUMED;
	to = skb_shinfo(skb);
	memcpy(to->frags, from->frags, from->nr_frags * sizeof(from->frags[0]));
	to->nr_frags = from->nr_frags;
	/* The skb may be one that GRO gave back, with the mark of its last packet. */
	to->flags = (to->flags & ~SKBFL_SHARED_FRAG) | (from->flags & SKBFL_SHARED_FRAG);
	to->gso_size = from->gso_size;
	to->gso_segs = from->gso_segs;
	to->gso_type = from->gso_type;
	skb->len += donor->data_len;
	skb->data_len += donor->data_len;
	skb->truesize += donor->truesize - SKB_TRUESIZE(skb_end_offset(donor));
	skb->pp_recycle = donor->pp_recycle;
	skb->hash = donor->hash;
	skb->l4_hash = donor->l4_hash;
	skb->sw_hash = donor->sw_hash;
	skb->vlan_all = donor->vlan_all;
	skb->encapsulation = donor->encapsulation;
	skb->ip_summed = donor->ip_summed;
	skb->csum_level = donor->csum_level;
	if (donor->ip_summed == CHECKSUM_PARTIAL) {
		skb->csum_start = donor->csum_start - skb_headroom(donor) + skb_headroom(skb);
		skb->csum_offset = donor->csum_offset;
	} else {
		skb->csum = donor->csum;
	}
#ifdef CONFIG_SKB_DECRYPTED
	skb->decrypted = donor->decrypted;
#endif
	from->nr_frags = 0;
	from->gso_size = 0;
	donor->len = 0;
	donor->data_len = 0;
	return napi_gro_frags(&rig->napi);
}
