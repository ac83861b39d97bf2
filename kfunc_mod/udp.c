// SPDX-License-Identifier: GPL-2.0
/*
 * Slots behind which other layers may come, and joins at one of them: UDP.
 *
 * A held packet met at such a slot may have been held there, or deeper inside the tunnel that starts there, by native code or by the
 * same policy. So flows are told apart by the bytes at this layer, and only what was held at this layer can be joined to.
 *
 * For UDP the module knows the header, which it has to: whatever a policy says, only equal datagrams with a validated checksum and
 * a right length field are joined, since that is what the kernel's own splitting gives back byte for byte.
 */
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/ip6_checksum.h>
#include <net/udp.h>

#include "find.h"

#define GRO_UDP_SEGS_MAX	64	/* as natively; sockets with UDP_GRO have buffers for so many */

/* What the headers say against a join, apart from network headers. */
static bool gro_udp_headers_differ(const struct gro_run *r, const struct sk_buff *p)
{
	const struct udphdr *held = (const struct udphdr *)skb_transport_header(p);
	const struct udphdr *uh = (const struct udphdr *)r->hdr;

	if (r->pub.avail < sizeof(*uh) || r->held_hdr != sizeof(*uh))
		return true;
	return r->csum != 1 || !uh->check || !held->check || ntohs(uh->len) != r->pub.len || uh->source != held->source ||
	       uh->dest != held->dest;
}

/* All that speaks against joining to the held packet: what the kernel's own joining refuses, and what its splitting would not give back. */
static u32 gro_diff_udp(struct gro_run *r, struct sk_buff *p)
{
	u32 len = r->pub.len - r->held_hdr, total = p->len + len, diff = 0;
	struct sk_buff *skb = r->skb;

	if (gro_receive_network_flush(r->hdr, skb_transport_header(p), p))
		diff |= BPF_GRO_DIFF_NETWORK;
	/* A tunnel's packet that this host built: splitting would take its inner headers for those of the aggregate. */
	if (r->pub.flags & BPF_GRO_F_NET_FLUSH || skb->encapsulation || p->encapsulation)
		diff |= BPF_GRO_DIFF_NET_FLUSH;
	if (gro_udp_headers_differ(r, p))
		diff |= BPF_GRO_DIFF_HEADER;
	if (r->pub.flags & BPF_GRO_F_GSO || skb_shinfo(p)->gso_type)
		diff |= BPF_GRO_DIFF_GSO;
	if (len - 1 >= r->pub.held_gso_size)
		diff |= BPF_GRO_DIFF_LONG;
	if (skb_cmp_decrypted(p, skb))
		diff |= BPF_GRO_DIFF_BUFFER;
	if (NAPI_GRO_CB(p)->count >= GRO_UDP_SEGS_MAX)
		diff |= BPF_GRO_DIFF_LIMIT;
	if (NAPI_GRO_CB(p)->is_flist) {
		if (skb->ip_summed != p->ip_summed || skb->csum_level != p->csum_level)
			diff |= BPF_GRO_DIFF_CHAIN;
		if (p->len + skb->len >= GRO_LEGACY_MAX_SIZE)
			diff |= BPF_GRO_DIFF_LIMIT;
		return diff;
	}
	if (p->pp_recycle != skb->pp_recycle ||
	    (skb_shinfo(p)->flags | skb_shinfo(skb)->flags) & SKBFL_ZEROCOPY_ENABLE)
		diff |= BPF_GRO_DIFF_BUFFER;
	if (total >= netif_get_gro_max_size(p->dev, p) || total >= GRO_LEGACY_MAX_SIZE)
		diff |= BPF_GRO_DIFF_LIMIT;
	return diff;
}

/**
 * gro_find_held_outer() - bpf_gro_find_held() at a slot behind which other layers may come, and in complete
 * @r: the run
 * @key: as there
 * @cmp: as there
 * @size: bytes of the held header wanted
 *
 * Return: as there. A packet of the flow that was held behind this layer is kept as a foreign one: it leaves before this one passes.
 */
noinline const u8 *gro_find_held_outer(struct gro_run *r, u32 key, u32 cmp, u32 size)
{
	u32 kend = gro_range_end(key), end;
	struct bpf_gro *gro = &r->pub;
	struct sk_buff *p;
	int held_hdr;
	u8 *held;

	if (!r->head)
		return NULL;
	r->looked = 1;
	r->key = key;
	end = max(kend, gro->hdr_len);
	if (BPF_GRO_RANGE_LEN(cmp) != BPF_GRO_REST_LEN)
		end = max(end, gro_range_end(cmp));
	if (unlikely(end > r->pub.avail)) {
		if (end <= gro->len)
			r->want = max(r->want, end);
		return NULL;
	}

	list_for_each_entry(p, r->head, list) {
		if (!NAPI_GRO_CB(p)->same_flow)
			continue;
		/* Not its transport header, which is that of its innermost layer. */
		held = p->data + gro->offset;
		held_hdr = NAPI_GRO_CB(p)->data_offset - (int)gro->offset;
		if (held_hdr >= (int)kend && gro_key_equal(r->hdr, held, key))
			goto found;
		NAPI_GRO_CB(p)->same_flow = 0;
	}
	if (unlikely(gro_meta_may_hide(r, r->pol)))
		r->foreign = gro_meta_inner(r, key);
	return NULL;

found:
	if (unlikely(gro_stamp(p)->stamp != r->stamp || held != skb_transport_header(p) || size > held_hdr) ||
	    gro_meta_apart(r->pol, p, r->skb)) {
		r->foreign = p;
		return NULL;
	}
	r->held = p;
	r->held_at = held;
	r->held_hdr = held_hdr;
	NAPI_GRO_CB(r->skb)->is_flist = NAPI_GRO_CB(p)->is_flist;
	gro->held_len = skb_gro_len(p);
	gro->held_segs = NAPI_GRO_CB(p)->count;
	gro->held_gso_size = skb_shinfo(p)->gso_size;
	gro->chain = NAPI_GRO_CB(p)->is_flist;
	gro->diff = gro_diff_udp(r, p);
	if (gro_range_differs(r, held, cmp, gro->hdr_len))
		gro->diff |= BPF_GRO_DIFF_RANGE;
	return held;
}

/* bpf_gro_csum() with BPF_GRO_CSUM_UDP. What it finds out may change what speaks against a join. */
noinline int gro_csum_udp(struct gro_run *r)
{
	const struct udphdr *uh = (const struct udphdr *)r->hdr;
	struct sk_buff *skb = r->skb;
	bool bad;

	if (r->pub.proto != IPPROTO_UDP || r->pub.avail < sizeof(*uh))
		return -EINVAL;
	if (r->kind == BPF_GRO_SLOT_IP6)
		bad = skb_gro_checksum_validate_zero_check(skb, IPPROTO_UDP, uh->check, ip6_gro_compute_pseudo);
	else
		bad = skb_gro_checksum_validate_zero_check(skb, IPPROTO_UDP, uh->check, inet_gro_compute_pseudo);
	r->csum = bad ? 2 : 1;
	if (r->held) {
		if (NAPI_GRO_CB(r->held)->is_flist)
			r->pub.diff = gro_diff_udp(r, r->held) | (r->pub.diff & BPF_GRO_DIFF_RANGE);
		else if (!gro_udp_headers_differ(r, r->held))
			r->pub.diff &= ~BPF_GRO_DIFF_HEADER;
	}
	return bad ? -EBADMSG : 0;
}

/* Breaches of a hold at such a slot. What is held may be joined to: by us, or by native code when the policy is gone. */
enum bpf_gro_violation gro_check_hold_outer(const struct gro_run *r)
{
	const struct udphdr *uh = (const struct udphdr *)r->hdr;

	if (r->pub.proto != IPPROTO_UDP)
		return BPF_GRO_V_SLOT;
	if (r->pub.hdr_len != sizeof(*uh))
		return BPF_GRO_V_HDR_LEN;
	if (ntohs(uh->len) != r->pub.len)
		return BPF_GRO_V_LENGTH;
	if (r->csum != 1 && uh->check && !(r->pub.flags & BPF_GRO_F_NET_FLUSH))
		return BPF_GRO_V_CSUM;
	return BPF_GRO_V_NONE;
}

/*
 * Whether native code may still have the packet after a look: at a UDP slot, where flows were told apart as it does and nothing was
 * found that is the policy's.
 */
bool gro_next_after_look(const struct gro_run *r)
{
	return r->pub.proto == IPPROTO_UDP && r->pub.flags & BPF_GRO_F_OUTER && r->looked == 1 && !r->held &&
	       r->key == GRO_KEY_PORTS;
}

/* bpf_gro_finish() with BPF_GRO_GSO_UDP. */
noinline int gro_finish_udp(struct gro_run *r, u32 csum_off)
{
	struct udphdr *uh = (struct udphdr *)r->hdr;
	struct sk_buff *skb = r->skb;
	struct skb_shared_info *shinfo = skb_shinfo(skb);
	u32 noff = NAPI_GRO_CB(skb)->network_offsets[skb->encapsulation], len = r->pub.len;

	if (r->pub.proto != IPPROTO_UDP || !(r->pub.flags & BPF_GRO_F_OUTER) ||
	    csum_off != offsetof(struct udphdr, check) || r->pub.avail < sizeof(*uh))
		return -EINVAL;

	uh->len = htons(len);
	shinfo->gso_segs = NAPI_GRO_CB(skb)->count;
	shinfo->gso_type |= SKB_GSO_UDP_L4;
	r->finished = 1;
	/* In a tunnel without a header of its own at this point a chain is split like any other aggregate, as natively. */
	if (NAPI_GRO_CB(skb)->is_flist && !NAPI_GRO_CB(skb)->encap_mark) {
		shinfo->gso_type |= SKB_GSO_FRAGLIST;
		__skb_incr_checksum_unnecessary(skb);
		return 0;
	}

	if (r->kind == BPF_GRO_SLOT_IP6) {
		const struct ipv6hdr *iph = (struct ipv6hdr *)(skb->data + noff);

		uh->check = ~csum_ipv6_magic(&iph->saddr, &iph->daddr, len, IPPROTO_UDP, 0);
	} else {
		const struct iphdr *iph = (struct iphdr *)(skb->data + noff);

		uh->check = ~csum_tcpudp_magic(iph->saddr, iph->daddr, len, IPPROTO_UDP, 0);
	}
	skb->csum_start = (u8 *)uh - skb->head;
	skb->csum_offset = csum_off;
	skb->ip_summed = CHECKSUM_PARTIAL;
	if (skb->encapsulation)
		skb->inner_transport_header = skb->transport_header;
	if (skb->remcsum_offload)
		shinfo->gso_type |= SKB_GSO_TUNNEL_REMCSUM;
	return 0;
}
