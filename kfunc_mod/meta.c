// SPDX-License-Identifier: GPL-2.0
/*
 * Metadata of XDP programs that differs within a flow.
 *
 * GRO compares it before any handler is called. Where it differs, the packet is of another flow to all that comes after, and is held
 * beside the one it belongs to: nothing joins, and what leaves first is a matter of chance. For the slots of a policy the comparison
 * is taken up again, without metadata; what the difference means is then up to the policy (enum bpf_gro_metadata).
 *
 * Nothing of this runs before a packet with metadata has been seen, see gro_policy.meta.
 */
#include <linux/etherdevice.h>
#include <linux/skbuff.h>
#include <net/dst_metadata.h>
#include <net/pkt_cls.h>

#include "find.h"
#include "run.h"

/* What is compared of packets that the stack, and not only a driver, had in its hands. */
static bool gro_meta_slow_equal(const struct sk_buff *p, const struct sk_buff *skb)
{
	if (p->sk != skb->sk || skb_metadata_dst_cmp(p, skb) || skb_get_nfct(p) != skb_get_nfct(skb))
		return false;
#if IS_ENABLED(CONFIG_NET_TC_SKB_EXT)
	{
		const struct tc_skb_ext *a = skb_ext_find(p, TC_SKB_EXT), *b = skb_ext_find(skb, TC_SKB_EXT);

		if (!a != !b || (a && a->chain != b->chain))
			return false;
	}
#endif
	return gro_compat_psp_equal(p, skb);
}

/* The link layer agrees, and @off bytes behind it, which are VLAN tags. */
static bool gro_meta_link_equal(const struct sk_buff *p, const struct sk_buff *skb, u32 off)
{
	const struct napi_gro_cb *cb = NAPI_GRO_CB(skb);
	u32 maclen = skb->dev->hard_header_len;

	if (skb_get_hash_raw(p) != skb_get_hash_raw(skb) || p->dev != skb->dev || p->vlan_all != skb->vlan_all)
		return false;
	if (maclen == ETH_HLEN ? !!compare_ether_header(skb_mac_header(p), skb_mac_header(skb)) :
				 !!memcmp(skb_mac_header(p), skb_mac_header(skb), maclen))
		return false;
	if (unlikely(skb->slow_gro | p->slow_gro) && !gro_meta_slow_equal(p, skb))
		return false;
	if (likely(!off))
		return true;
	if (off > NAPI_GRO_CB(p)->data_offset)
		return false;
	if (off <= cb->frag0_len)
		return !memcmp(p->data, cb->frag0, off);
	return off <= skb_headlen(skb) && !memcmp(p->data, skb->data, off);
}

/**
 * gro_meta_prepare() - make the held packets that only metadata keeps apart candidates again
 * @pol: the policy at the slot that the packet goes to
 * @head: the packet's bucket
 * @skb: the packet
 * @off: where its network header is; no tunnel is before it
 *
 * Context: softirq, RCU read side, before the network layer compares.
 * Return: what is to become of the packet.
 */
enum gro_meta_found gro_meta_prepare(struct gro_policy *pol, struct list_head *head, struct sk_buff *skb, u32 off)
{
	bool differs = false, candidate = false;
	struct sk_buff *p;

	if (!READ_ONCE(pol->meta)) {
		if (!skb_metadata_len(skb))
			return GRO_META_SAME;
		WRITE_ONCE(pol->meta, 1);
	}
	if (NAPI_GRO_CB(skb)->encap_mark)
		return GRO_META_SAME;
	list_for_each_entry(p, head, list) {
		if (skb_metadata_differs(p, skb)) {
			if (!NAPI_GRO_CB(p)->same_flow && gro_meta_link_equal(p, skb, off))
				NAPI_GRO_CB(p)->same_flow = 1;
			differs |= NAPI_GRO_CB(p)->same_flow;
		}
		candidate |= NAPI_GRO_CB(p)->same_flow;
	}
	if (!skb_metadata_len(skb) || !gro_parse_no_hold(skb))
		return differs ? GRO_META_DIFFERS : GRO_META_SAME;
	/* As for what an outer layer forbids to hold: what is held of its flow is looked for, and leaves first. */
	NAPI_GRO_CB(skb)->flush |= 1;
	return candidate ? GRO_META_DIFFERS : GRO_META_PASS;
}

/* The packet goes on to native code after all: there, such packets are of other flows. */
void gro_meta_undo(struct list_head *head, struct sk_buff *skb)
{
	struct sk_buff *p;

	list_for_each_entry(p, head, list)
		if (NAPI_GRO_CB(p)->same_flow && skb_metadata_differs(p, skb))
			NAPI_GRO_CB(p)->same_flow = 0;
}

/* Whether metadata keeps the packet from joining to the held one of its flow, which leaves first then. */
bool gro_meta_keeps_apart(const struct gro_policy *pol, const struct sk_buff *p, const struct sk_buff *skb)
{
	return pol->metadata == BPF_GRO_METADATA_EXACT && skb_metadata_differs(p, skb);
}

/* Whether the aggregate that @skb joins is to have no metadata from now on. */
bool gro_meta_is_dropped(const struct gro_policy *pol, const struct sk_buff *p, const struct sk_buff *skb)
{
	return pol->metadata == BPF_GRO_METADATA_IGNORE && skb_metadata_differs(p, skb);
}

/**
 * gro_meta_inner() - the held packet that may be of the packet's flow, behind a tunnel header
 * @r: the run
 * @key: header bytes that tell flows apart
 *
 * The outer layers have not compared packets whose metadata differs, and what they would have said is not known here. So what agrees
 * at the link layer and in the key is taken for one of the flow: if it is not, it leaves earlier than it had to, and that is all.
 *
 * Return: the held packet, which has to leave before this one, or NULL.
 */
struct sk_buff *gro_meta_inner(const struct gro_run *r, u32 key)
{
	u32 end = r->pub.offset + gro_range_end(key);
	struct sk_buff *p;

	list_for_each_entry(p, r->head, list) {
		const u8 *held = p->data + r->pub.offset;

		if (NAPI_GRO_CB(p)->same_flow || !skb_metadata_differs(p, r->skb) || !gro_meta_link_equal(p, r->skb, 0))
			continue;
		if (skb_transport_header(p) == held && NAPI_GRO_CB(p)->data_offset >= end && gro_key_equal(r->hdr, held, key))
			return p;
	}
	return NULL;
}
