// SPDX-License-Identifier: GPL-2.0
/*
 * Tunnel headers: a policy at the slot of GRE says how long the header is, which of its bytes tell tunnels apart, and what comes behind.
 *
 * Nothing is held here: what is inside is held by the layers behind, which the module goes on to as the native handler does. So that
 * handler can finish all of it, whatever has become of the policy.
 */
#include <linux/skbuff.h>
#include <net/gre.h>

#include "find.h"
#include "run.h"

/* What is held of the same network flow went through this layer, so its header is there; it may be a shorter one. */
static void gro_layer_compare(const struct gro_run *r, u32 off, u32 len)
{
	struct sk_buff *p;

	list_for_each_entry(p, r->head, list)
		if (NAPI_GRO_CB(p)->same_flow &&
		    (r->pub.offset + off + len > NAPI_GRO_CB(p)->data_offset || memcmp(r->hdr + off, p->data + r->pub.offset + off, len)))
			NAPI_GRO_CB(p)->same_flow = 0;
}

/* bpf_gro_match_layer() */
int gro_match_layer(struct gro_run *r, u32 range)
{
	u32 off = BPF_GRO_RANGE_OFF(range), len = BPF_GRO_RANGE_LEN(range), end = off + len;

	if (!r->head || r->pub.proto != IPPROTO_GRE || !(r->pub.flags & BPF_GRO_F_OUTER) || len > BPF_GRO_KEY_MAX ||
	    off > BPF_GRO_KEY_OFF_MAX)
		return -EINVAL;
	if (end > r->pub.avail) {
		if (end <= r->pub.len)
			r->want = max(r->want, end);
		return -ENODATA;
	}
	r->matched = true;
	r->looked = 1;
	gro_layer_compare(r, off, len);
	return 0;
}

/* Bytes of the header as the native handler reads it when it finishes the aggregate; 0 for one that it does not look into. */
static u32 gro_gre_len(const struct gro_run *r)
{
	const struct gre_base_hdr *greh = (const struct gre_base_hdr *)r->hdr;

	if (r->pub.avail < sizeof(*greh) || greh->flags & ~(GRE_KEY | GRE_CSUM))
		return 0;
	return sizeof(*greh) + (greh->flags & GRE_KEY ? 4 : 0) + (greh->flags & GRE_CSUM ? 4 : 0);
}

/* Breaches of BPF_GRO_LAYER. The native handler finishes what comes of it, so the header has to be what it takes it for. */
enum bpf_gro_violation gro_check_layer(const struct gro_run *r)
{
	const struct gre_base_hdr *greh = (const struct gre_base_hdr *)r->hdr;

	if (r->pub.proto != IPPROTO_GRE || !(r->pub.flags & BPF_GRO_F_OUTER))
		return BPF_GRO_V_VERDICT;
	if (!r->matched || r->held || r->foreign)
		return BPF_GRO_V_NO_LOOKUP;
	if (!r->pub.hdr_len || r->pub.hdr_len > r->pub.avail || r->pub.hdr_len != gro_gre_len(r) ||
	    r->pub.next != ntohs(greh->protocol))
		return BPF_GRO_V_HDR_LEN;
	if (greh->flags & GRE_CSUM && r->csum != 1 && !NAPI_GRO_CB(r->skb)->flush)
		return BPF_GRO_V_CSUM;
	return BPF_GRO_V_NONE;
}

/**
 * gro_layer_behind() - on to the layer behind a tunnel header
 * @r: the run, checked
 * @why: filled in when there is none: enum bpf_gro_reason
 *
 * Return: the held packet to flush, or NULL. ERR_PTR(-ENOENT) if the packet has to pass: nothing has been done.
 */
struct sk_buff *gro_layer_behind(struct gro_run *r, u32 *why)
{
	const struct gre_base_hdr *greh = (const struct gre_base_hdr *)r->hdr;
	const struct packet_offload *ptype;
	struct sk_buff *skb = r->skb, *pp;

	*why = BPF_GRO_R_RECURSION;
	/* Nor can splitting find the checksum of a GRE header that FoU carries. */
	if (NAPI_GRO_CB(skb)->encap_mark || (NAPI_GRO_CB(skb)->is_fou && greh->flags & GRE_CSUM))
		return ERR_PTR(-ENOENT);
	*why = BPF_GRO_R_NO_LAYER;
	ptype = gro_find_receive_by_type(htons(r->pub.next));
	if (!ptype)
		return ERR_PTR(-ENOENT);

	/* Whatever the program compared: layers behind look for their headers where this packet has them. */
	gro_layer_compare(r, 0, sizeof(*greh));
	NAPI_GRO_CB(skb)->encap_mark = 1;
	/* A right checksum over all of it says what the inner ones have to add up to. */
	if (r->csum == 1)
		skb_gro_checksum_try_convert(skb, IPPROTO_GRE, null_compute_pseudo);
	skb_gro_pull(skb, r->pub.hdr_len);
	skb_gro_postpull_rcsum(skb, r->hdr, r->pub.hdr_len);
	pp = call_gro_receive(ptype->callbacks.gro_receive, r->head, skb);
	skb_gro_flush_final(skb, pp, 0);
	return pp;
}

/**
 * gro_layer_flush() - a packet at a tunnel is not to be held, though those of its inner flow may be
 * @r: the run
 *
 * Which those are is known to the layers behind only: they flush them.
 *
 * Return: the held packet to flush, or NULL.
 */
struct sk_buff *gro_layer_flush(struct gro_run *r)
{
	const struct gre_base_hdr *greh = (const struct gre_base_hdr *)r->hdr;
	struct sk_buff *pp;
	u32 why;

	NAPI_GRO_CB(r->skb)->flush |= 1;
	r->pub.hdr_len = gro_gre_len(r);
	if (!r->pub.hdr_len || r->pub.hdr_len > r->pub.avail)
		return NULL;
	r->pub.next = ntohs(greh->protocol);
	pp = gro_layer_behind(r, &why);
	return pp == ERR_PTR(-ENOENT) ? NULL : pp;
}

/* bpf_gro_finish() with BPF_GRO_GSO_GRE. The native handler does the rest, in gro_tunnel_complete(). */
int gro_finish_gre(struct gro_run *r, u32 gso, u32 csum_off)
{
	const struct gre_base_hdr *greh = (const struct gre_base_hdr *)r->hdr;

	if (r->pub.proto != IPPROTO_GRE || !(r->pub.flags & BPF_GRO_F_OUTER) || csum_off || r->pub.avail < sizeof(*greh) ||
	    gso & ~(BPF_GRO_GSO_GRE | BPF_GRO_GSO_GRE_CSUM))
		return -EINVAL;
	/* Splitting writes it where the header has one. */
	if (gso & BPF_GRO_GSO_GRE_CSUM && !(greh->flags & GRE_CSUM))
		return -EINVAL;
	r->gso = gso;
	r->finished = 1;
	return 0;
}

/**
 * gro_tunnel_complete() - an aggregate inside a tunnel of a slot with an owner
 * @slot: the slot
 * @r: the run of the program, which is over
 * @thoff: offset of the tunnel's header
 *
 * Return: what the native handlers of this layer and of those behind return.
 */
int gro_tunnel_complete(const struct gro_slot *slot, const struct gro_run *r, int thoff)
{
	struct sk_buff *skb = r->skb;
	int err = slot->native->callbacks.gro_complete(skb, thoff);

	if (r->finished && r->gso & BPF_GRO_GSO_GRE_CSUM)
		skb_shinfo(skb)->gso_type |= SKB_GSO_GRE_CSUM;
	return err;
}
