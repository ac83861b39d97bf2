// SPDX-License-Identifier: GPL-2.0
/*
 * What comes up, kept as it is. The device's rx_handler is the first place after GRO that a module
 * can stand at; before it the stack has moved a tag in the frame to the skb (skb_vlan_untag) and
 * reset the network offset to skb->data, nothing else. Turning packets into records happens later,
 * when they are read.
 */
#include <linux/if_vlan.h>

#include "rig.h"

rx_handler_result_t rig_capture(struct sk_buff **pskb)
{
	struct sk_buff *skb = *pskb;
	struct rig *rig = rcu_dereference(skb->dev->rx_handler_data);

	if (READ_ONCE(rig->deliver))
		return RX_HANDLER_PASS;
	/* A packet tap on the device may have it too. */
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (unlikely(!skb)) {
		atomic_inc(&rig->lost);
		return RX_HANDLER_CONSUMED;
	}
	if (unlikely(skb_queue_len_lockless(&rig->queue) >= RIG_MAX_QUEUE)) {
		atomic_inc(&rig->lost);
		kfree_skb(skb);
		return RX_HANDLER_CONSUMED;
	}
	skb_queue_tail(&rig->queue, skb);
	return RX_HANDLER_CONSUMED;
}

void rig_queue_drop(struct rig *rig)
{
	skb_queue_purge(&rig->queue);
	skb_queue_purge(&rig->clones);
	kvfree(rig->pending);
	rig->pending = NULL;
	rig->pending_len = 0;
}

static u32 rig_nr_list(const struct sk_buff *skb)
{
	const struct sk_buff *member;
	u32 nr = 0;

	skb_walk_frags(skb, member)
		nr++;
	return nr;
}

u32 rig_out_size(const struct sk_buff *skb)
{
	u32 size = sizeof(struct rig_out);

	size += skb_shinfo(skb)->nr_frags * sizeof(u32);
	size += rig_nr_list(skb) * sizeof(struct rig_member);
	size += skb_metadata_len(skb);
	size += skb->data - skb_mac_header(skb) + skb->len;
	return ALIGN(size, 8);
}

static u32 rig_out_flags(const struct rig *rig, const struct sk_buff *skb)
{
	const struct skb_shared_info *shinfo = skb_shinfo(skb);
	u32 flags = 0;

	if (skb->head_frag)
		flags |= RIG_O_HEAD_FRAG;
	if (skb->pp_recycle)
		flags |= RIG_O_PP_RECYCLE;
	if (skb_cloned(skb))
		flags |= RIG_O_CLONED;
	if (skb->encapsulation)
		flags |= RIG_O_ENCAP;
	if (shinfo->flags & SKBFL_SHARED_FRAG)
		flags |= RIG_O_SHARED_FRAG;
	if (shinfo->flags & SKBFL_ZEROCOPY_ENABLE)
		flags |= RIG_O_ZEROCOPY;
	if (skb_is_decrypted(skb))
		flags |= RIG_O_DECRYPTED;
	if (skb->l4_hash)
		flags |= RIG_O_L4_HASH;
	if (skb->sw_hash)
		flags |= RIG_O_SW_HASH;
	if (skb_vlan_tag_present(skb))
		flags |= RIG_O_VLAN;
#ifdef CONFIG_NET_RX_BUSY_POLL
	if (skb->napi_id == rig->napi.napi_id)
		flags |= RIG_O_NAPI_ID;
#endif
	if (skb->sk)
		flags |= RIG_O_SK;
	if (skb_dst(skb))
		flags |= RIG_O_DST;
	if (skb_has_extensions((struct sk_buff *)skb))
		flags |= RIG_O_EXT;
	if (shinfo->nr_frags && rig_page_is_pool(skb_frag_page(&shinfo->frags[0])))
		flags |= RIG_O_FRAG_POOL;
	if (skb->encap_hdr_csum)
		flags |= RIG_O_ENCAP_CSUM;
	if (skb->slow_gro)
		flags |= RIG_O_SLOW_GRO;
	if (skb_is_redirected(skb))
		flags |= RIG_O_REDIRECTED;
	return flags;
}

/* An offset from the head, as one from the MAC header. The inner ones are 0 as long as unset. */
static s16 rig_off(const struct sk_buff *skb, u32 head_off, bool set)
{
	return set ? (s16)(head_off - skb->mac_header) : RIG_UNSET;
}

static void *rig_out_list(const struct rig *rig, const struct sk_buff *skb, void *p)
{
	const struct sk_buff *s;

	skb_walk_frags(skb, s) {
		struct rig_member *m = p;

		m->len = s->len;
		m->linear = skb_headlen(s);
		m->truesize = s->truesize;
		m->flags = rig_out_flags(rig, s) &
			   (RIG_O_HEAD_FRAG | RIG_O_PP_RECYCLE | RIG_O_SK | RIG_O_SHARED_FRAG |
			    RIG_O_ENCAP);
		m->nr_frags = skb_shinfo(s)->nr_frags;
		m->ip_summed = s->ip_summed;
		m->gso_size = skb_shinfo(s)->gso_size;
		m->nr_list = rig_nr_list(s);
		p += sizeof(*m);
	}
	return p;
}

/* The record of a packet, into zeroed memory of rig_out_size() bytes. */
int rig_out_fill(struct rig *rig, const struct sk_buff *skb, struct rig_out *out, u32 size,
		 u8 kind)
{
	const struct skb_shared_info *shinfo = skb_shinfo(skb);
	u32 mac_len = skb->data - skb_mac_header(skb);
	void *p = out->tail;
	u32 i;

	out->size = size;
	out->kind = kind;
	out->flags = rig_out_flags(rig, skb);
	out->frame_len = mac_len + skb->len;
	out->linear = mac_len + skb_headlen(skb);
	out->truesize = skb->truesize;
	out->hash = skb->hash;
	out->gso_type = rig_gso_from_kernel(shinfo->gso_type);
	out->gso_size = shinfo->gso_size;
	out->gso_segs = shinfo->gso_segs;
	out->protocol = ntohs(skb->protocol);
	out->inner_protocol = ntohs(skb->inner_protocol);
	out->vlan_proto = ntohs(skb->vlan_proto);
	out->vlan_tci = skb->vlan_tci;
	out->data_off = mac_len;
	out->network_off = rig_off(skb, skb->network_header, true);
	out->transport_off = rig_off(skb, skb->transport_header,
				     skb_transport_header_was_set(skb));
	out->inner_mac_off = rig_off(skb, skb->inner_mac_header, skb->inner_mac_header);
	out->inner_network_off = rig_off(skb, skb->inner_network_header,
					 skb->inner_network_header);
	out->inner_transport_off = rig_off(skb, skb->inner_transport_header,
					   skb->inner_transport_header);
	out->mac_len = skb->mac_len;
	out->ip_summed = skb->ip_summed;
	if (skb->ip_summed == CHECKSUM_UNNECESSARY)
		out->csum_level = skb->csum_level;
	if (skb->ip_summed == CHECKSUM_COMPLETE)
		out->csum = (__force u32)skb->csum;
	if (skb->ip_summed == CHECKSUM_PARTIAL) {
		out->csum_start = rig_off(skb, skb->csum_start, true);
		out->csum_offset = skb->csum_offset;
	}
	out->nr_frags = shinfo->nr_frags;
	out->nr_list = rig_nr_list(skb);
	out->meta_len = skb_metadata_len(skb);
	out->pkt_type = skb->pkt_type;

	for (i = 0; i < shinfo->nr_frags; i++) {
		*(u32 *)p = skb_frag_size(&shinfo->frags[i]);
		p += sizeof(u32);
	}
	p = rig_out_list(rig, skb, p);
	if (out->meta_len)
		memcpy(p, skb_metadata_end(skb) - out->meta_len, out->meta_len);
	p += out->meta_len;
	memcpy(p, skb_mac_header(skb), mac_len);
	return skb_copy_bits(skb, 0, p + mac_len, skb->len);
}
