// SPDX-License-Identifier: GPL-2.0
/*
 * One packet through a policy: run the program, hold it to the contract, carry its verdict out.
 *
 * The program only states an intention; packets change after it has ended. So whatever it returned, the order of a
 * flow is kept here, and a breach of the contract costs the policy its slots but no packet.
 */
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/ip.h>
#include <linux/jiffies.h>
#include <net/ip.h>

#include "ports.h"
#define CREATE_TRACE_POINTS
#include "trace.h"

#define GRO_SLOW_RUNS		8
#define GRO_SLOW_EVERY		16

/*
 * A slow run proves nothing by itself: interrupts or a hypervisor may have taken the CPU away, again and again on a busy host. But those
 * hit any packet. A policy is slow when GRO_SLOW_RUNS runs were, with no more than GRO_SLOW_EVERY packets from one to the next.
 */
void gro_run_was_slow(struct gro_policy *pol, struct gro_pcpu_stats *st, unsigned long ticks)
{
	u64 packets = 0;
	u32 i;

	for (i = 0; i < __BPF_GRO_VERDICT_MAX; i++)
		packets += st->verdict[i];
	if (packets - st->slow_at > GRO_SLOW_EVERY)
		st->slow = 0;
	st->slow_at = packets;
	if (++st->slow >= GRO_SLOW_RUNS)
		gro_violation(pol, BPF_GRO_V_SLOW, jiffies_to_msecs(ticks), st->slow);
}

/* What is rarely true of a packet. */
static noinline u32 gro_rare_flags(struct gro_run *r, struct sk_buff *skb)
{
	u32 flags = 0;

	if (skb_metadata_len(skb)) {
		WRITE_ONCE(r->pol->meta, 1);
		/* Before a tunnel header gro_meta_prepare() has seen to that. */
		if (NAPI_GRO_CB(skb)->encap_mark && gro_parse_no_hold(skb))
			NAPI_GRO_CB(skb)->flush |= 1;
	}
	if (NAPI_GRO_CB(skb)->encap_mark)
		flags |= BPF_GRO_F_ENCAP;
	if (NAPI_GRO_CB(skb)->flush)
		flags |= BPF_GRO_F_NET_FLUSH;
	if (skb->dev->features & NETIF_F_GRO_FRAGLIST)
		flags |= BPF_GRO_F_CHAIN_DEV;
	if (skb_is_gso(skb)) {
		flags |= BPF_GRO_F_GSO;
		r->pub.gso_size = skb_shinfo(skb)->gso_size;
		r->pub.gso_segs = skb_shinfo(skb)->gso_segs;
	}
	return flags;
}

static void gro_run_init(struct gro_run *r, const struct gro_slot *slot, struct gro_policy *pol,
			 struct list_head *head, struct sk_buff *skb)
{
	struct napi_gro_cb *cb = NAPI_GRO_CB(skb);
	u32 off = cb->data_offset;

	r->skb = skb;
	r->pol = pol;
	r->head = head;
	r->stamp = pol->stamp;
	r->key = pol->key;
	r->declared = !!pol->key;
	r->csum = 0;
	r->kind = slot->kind;
	r->want = 0;
	r->pub.offset = off;
	r->pub.len = skb->len - off;
	r->pub.flags = slot->flags;
	r->pub.proto = slot->proto;
	if (unlikely(gro_is_rare(skb)))
		r->pub.flags |= gro_rare_flags(r, skb);

	if (likely(off <= cb->frag0_len)) {
		r->hdr = (u8 *)cb->frag0 + off;
		r->pub.avail = cb->frag0_len - off;
	} else {
		r->hdr = skb->data + off;
		r->pub.avail = off < skb_headlen(skb) ? skb_headlen(skb) - off : 0;
	}
}

/* What a run of the program may have left behind. */
static void gro_run_reset(struct gro_run *r)
{
	r->held = NULL;
	r->foreign = NULL;
	r->looked = 0;
	r->matched = false;
	r->pub.diff = 0;
	r->pub.hdr_len = 0;
	r->pub.merge_or = 0;
	r->pub.chain = 0;
}

/*
 * Bring the header bytes that the program asked for into the linear part. True if it has to run again. frag0 may point into
 * a fragment that the pull has freed: whoever comes after us must not read it.
 */
static noinline bool gro_run_pull(struct gro_run *r)
{
	struct sk_buff *skb = r->skb;
	u32 want = r->want;

	r->want = 0;
	if (want > r->pub.len)
		return false;
	if (!pskb_may_pull(skb, r->pub.offset + want)) {
		r->looked = 2;
		return false;
	}
	NAPI_GRO_CB(skb)->frag0 = skb->data;
	NAPI_GRO_CB(skb)->frag0_len = skb_headlen(skb);
	r->hdr = skb->data + r->pub.offset;
	r->pub.avail = skb_headlen(skb) - r->pub.offset;
	return true;
}

/* Breaches of a hold; BPF_GRO_V_NONE if there is none. */
static enum bpf_gro_violation gro_check_hold(const struct gro_run *r, u32 verdict)
{
	if (!r->looked)
		return BPF_GRO_V_NO_LOOKUP;
	if (r->held && verdict == BPF_GRO_HOLD)
		return BPF_GRO_V_ORDER;
	if (!r->held && verdict == BPF_GRO_FLUSH_HELD)
		return BPF_GRO_V_NOT_FOUND;
	if (!r->pub.hdr_len || r->pub.hdr_len > r->pub.avail)
		return BPF_GRO_V_HDR_LEN;
	if (r->pub.hdr_len == r->pub.len)
		return BPF_GRO_V_LENGTH;
	if (unlikely(r->pub.flags & BPF_GRO_F_OUTER))
		return gro_check_hold_outer(r);
	return BPF_GRO_V_NONE;
}

/*
 * Breaches of a join. What bpf_gro_find_held() reported was for this header length, and only the last segment may be short: GSO
 * cuts equal ones.
 */
static enum bpf_gro_violation gro_check_join(const struct gro_run *r, u32 verdict, u32 len)
{
	if (unlikely(!r->held))
		return BPF_GRO_V_NOT_FOUND;
	if (unlikely(r->pub.diff & BPF_GRO_DIFF_NEVER)) {
		if (r->pub.diff & BPF_GRO_DIFF_LIMIT)
			return BPF_GRO_V_LIMIT;
		if (r->pub.diff & (BPF_GRO_DIFF_LONG | BPF_GRO_DIFF_GSO))
			return BPF_GRO_V_LENGTH;
		return BPF_GRO_V_REFUSED;
	}
	if (unlikely(r->pub.hdr_len != r->held_hdr || r->pub.hdr_len > r->pub.avail))
		return BPF_GRO_V_HDR_LEN;
	if (unlikely(len != r->pub.held_gso_size) && verdict == BPF_GRO_JOIN &&
	    !(r->pub.flags & BPF_GRO_F_GSO && len == r->pub.gso_segs * r->pub.gso_size))
		return BPF_GRO_V_LENGTH;
	if (unlikely(r->pub.merge_or) && r->pub.merge_off + sizeof(u32) > r->held_hdr)
		return BPF_GRO_V_MERGE;
	return BPF_GRO_V_NONE;
}

/*
 * A packet of a free slot that no policy has looked at: the owner is gone, dead, or left it to native code that is not there. What
 * is held here was held by a policy, and its key tells whether it is of this packet's flow: then it leaves first.
 */
static noinline struct sk_buff *gro_free_receive(struct list_head *head, struct sk_buff *skb)
{
	u32 off = skb_gro_offset(skb), key, end;
	const u8 *hdr, *held;
	struct sk_buff *p;

	NAPI_GRO_CB(skb)->flush |= 1;
	list_for_each_entry(p, head, list) {
		if (!NAPI_GRO_CB(p)->same_flow)
			continue;
		key = gro_stamp(p)->key;
		end = BPF_GRO_RANGE_OFF(key) + BPF_GRO_RANGE_LEN(key);
		held = skb_transport_header(p);
		hdr = skb_gro_header(skb, off + end, off);
		if (hdr && held + end <= p->data + NAPI_GRO_CB(p)->data_offset && gro_key_equal(hdr, held, key))
			return p;
		NAPI_GRO_CB(p)->same_flow = 0;
	}
	return NULL;
}

/*
 * What an ejected policy still holds of this packet's flow, at this layer. Native code of some slots does not look before it passes a
 * packet: UDP where no socket asked.
 */
static noinline struct sk_buff *gro_dead_held(const struct gro_policy *pol, struct list_head *head, struct sk_buff *skb)
{
	u32 off = skb_gro_offset(skb), key, end;
	const u8 *hdr, *held;
	struct sk_buff *p;

	list_for_each_entry(p, head, list) {
		if (!NAPI_GRO_CB(p)->same_flow || gro_stamp(p)->stamp != pol->stamp)
			continue;
		held = skb_transport_header(p);
		if (held != p->data + off)
			continue;
		key = gro_stamp(p)->key;
		end = gro_range_end(key);
		hdr = skb_gro_header(skb, off + end, off);
		if (hdr && held + end <= p->data + NAPI_GRO_CB(p)->data_offset && gro_key_equal(hdr, held, key))
			return p;
	}
	return NULL;
}

/* As if no policy were there. */
static struct sk_buff *gro_unowned_receive(const struct gro_slot *slot, struct list_head *head, struct sk_buff *skb)
{
	if (likely(slot->native_receive))
		return slot->native_receive(head, skb);
	return gro_free_receive(head, skb);
}

/* Hold @r->skb as the first of an aggregate. dev_gro_receive() does the rest unless an outer layer forbids it. */
static __always_inline void gro_hold(struct gro_run *r)
{
	struct sk_buff *skb = r->skb;

	NAPI_GRO_CB(skb)->is_flist = !!(r->pub.flags & BPF_GRO_F_CHAIN_ONLY) ||
				     (r->pub.chain && (r->pub.flags & (BPF_GRO_F_CHAIN_DEV | BPF_GRO_F_CHAIN_OK)));
	gro_stamp(skb)->stamp = r->stamp;
	gro_stamp(skb)->key = r->held ? gro_stamp(r->held)->key : r->key;
}

/* The join that a checked verdict asks for. False if the buffers do not allow it. */
static __always_inline bool gro_run_join(struct gro_run *r, struct gro_pcpu_stats *st)
{
	struct sk_buff *p = r->held;
	int ret;

	if (unlikely(NAPI_GRO_CB(p)->is_flist)) {
		ret = gro_join_chain(p, r->skb, r->pub.flags & BPF_GRO_F_CHAIN_ONLY);
		if (!ret)
			st->joined_chain++;
		return !ret;
	}
	ret = gro_join(p, r->skb);
	if (unlikely(ret < 0))
		return false;
	st->joined_list += ret;
	if (unlikely(r->pub.merge_or)) {
		__be32 *word = (__be32 *)(skb_transport_header(p) + r->pub.merge_off);

		*word |= (__force __be32)r->pub.merge_or;
	}
	return true;
}

/*
 * The buffers do not allow a join that was within the contract. As after any difference: the held packet leaves, and this one starts
 * anew if it can. Returns the held packet to flush.
 */
struct sk_buff *gro_join_refused(const struct gro_slot *slot, struct gro_policy *pol, struct gro_pcpu_stats *st, struct gro_run *r,
				 u32 verdict, u32 reason)
{
	struct sk_buff *skb = r->skb;

	if (verdict == BPF_GRO_JOIN ||
	    ((reason == BPF_GRO_R_SHORT || reason == BPF_GRO_R_SEGS) && !(r->pub.flags & BPF_GRO_F_GSO))) {
		gro_hold(r);
		verdict = BPF_GRO_FLUSH_HELD;
	} else {
		NAPI_GRO_CB(skb)->flush |= 1;
		verdict = BPF_GRO_PASS;
	}
	st->bytes += skb_gro_len(skb);
	st->verdict[verdict]++;
	st->reason[BPF_GRO_R_GEOMETRY]++;
	trace_bpf_gro_receive(skb, pol->id, slot->kind, slot->proto, verdict, BPF_GRO_R_GEOMETRY, r->pub.diff,
			      skb_gro_len(skb));
	return r->held;
}

/* At a tunnel, and tunnels are told apart: nothing has been looked for at this layer. */
static __always_inline bool gro_is_matched(const struct gro_run *r)
{
	return r->pub.flags & BPF_GRO_F_OUTER && r->matched && !r->held && !r->foreign;
}

static __always_inline bool gro_reason_malformed(u32 reason)
{
	return reason >= BPF_GRO_R_TRUNCATED && reason <= BPF_GRO_R_CHECKSUM;
}

/* Why the held packet of the flow was no candidate. */
static noinline u32 gro_foreign_reason(const struct gro_run *r)
{
	if (gro_stamp(r->foreign)->stamp == r->stamp && skb_metadata_differs(r->foreign, r->skb))
		return BPF_GRO_R_METADATA;
	return BPF_GRO_R_FOREIGN;
}

/* Hold a verdict to the contract and carry it out. Returns the held packet to flush. */
static noinline struct sk_buff *gro_policy_verdict(const struct gro_slot *slot, struct gro_policy *pol,
						   struct gro_pcpu_stats *st, struct gro_run *r, int ret)
{
	u32 verdict = BPF_GRO_RET_VERDICT(ret), reason = BPF_GRO_RET_REASON(ret);
	u32 len = r->pub.len - r->pub.hdr_len;
	enum bpf_gro_violation bad;
	struct sk_buff *skb = r->skb;
	struct sk_buff *pp = r->held ?: r->foreign;
	bool drop;

	if (unlikely(ret & ~0xffff || verdict >= __BPF_GRO_VERDICT_MAX)) {
		bad = BPF_GRO_V_VERDICT;
		goto violation;
	}
	if (unlikely(reason >= __BPF_GRO_R_MAX)) {
		bad = BPF_GRO_V_REASON;
		goto violation;
	}

	switch (verdict) {
	case BPF_GRO_JOIN:
	case BPF_GRO_JOIN_FLUSH:
		bad = gro_check_join(r, verdict, len);
		if (unlikely(bad))
			goto violation;
		drop = unlikely(READ_ONCE(pol->meta)) && gro_meta_is_dropped(pol, r->held, skb);
		skb_gro_pull(skb, r->pub.hdr_len);
		if (unlikely(!gro_run_join(r, st)))
			return gro_join_refused(slot, pol, st, r, verdict, reason);
		if (unlikely(drop))
			skb_metadata_clear(r->held);
		st->bytes += len;
		if (verdict == BPF_GRO_JOIN_FLUSH)
			NAPI_GRO_CB(skb)->flush |= 1;
		else
			pp = NULL;
		break;

	case BPF_GRO_HOLD:
	case BPF_GRO_FLUSH_HELD:
		bad = gro_check_hold(r, verdict);
		if (unlikely(bad))
			goto violation;
		skb_gro_pull(skb, r->pub.hdr_len);
		st->bytes += len;
		gro_hold(r);
		if (unlikely(r->pub.flags & BPF_GRO_F_NET_FLUSH)) {
			verdict = BPF_GRO_PASS;
			if (!reason)
				reason = BPF_GRO_R_NET_FLUSH;
		}
		break;

	case BPF_GRO_PASS:
		if (unlikely(!r->looked && !gro_reason_malformed(reason))) {
			bad = BPF_GRO_V_NO_LOOKUP;
			goto violation;
		}
		if (unlikely(r->pub.hdr_len > r->pub.len)) {
			bad = BPF_GRO_V_HDR_LEN;
			goto violation;
		}
		if (unlikely(gro_is_matched(r) && !gro_reason_malformed(reason))) {
			st->verdict[BPF_GRO_PASS]++;
			st->reason[reason]++;
			return gro_layer_flush(r);
		}
		if (likely(r->pub.hdr_len <= r->pub.avail))
			skb_gro_pull(skb, r->pub.hdr_len);
		NAPI_GRO_CB(skb)->flush |= 1;
		/* A malformed packet is of no flow: what its key happened to find stays, as natively. */
		if ((r->declared && gro_reason_malformed(reason)) || r->csum == 2)
			pp = NULL;
		break;

	case BPF_GRO_NEXT:
		/* Native code validates and looks for itself: it must find the packet as it came. */
		if (unlikely(r->declared || r->csum || (r->looked && !gro_next_after_look(r)))) {
			bad = BPF_GRO_V_VERDICT;
			goto violation;
		}
		st->verdict[BPF_GRO_NEXT]++;
		if (unlikely(READ_ONCE(pol->meta)))
			gro_meta_undo(r->head, skb);
		return gro_unowned_receive(slot, r->head, skb);

	case BPF_GRO_LAYER:
		bad = gro_check_layer(r);
		if (unlikely(bad))
			goto violation;
		trace_bpf_gro_receive(skb, pol->id, slot->kind, slot->proto, verdict, reason, 0, len);
		/* The policy of what is inside looks for such packets itself (gro_meta_inner()). */
		if (unlikely(READ_ONCE(pol->meta)))
			gro_meta_undo(r->head, skb);
		pp = gro_layer_behind(r, &reason);
		if (likely(pp != ERR_PTR(-ENOENT))) {
			st->verdict[BPF_GRO_LAYER]++;
			st->bytes += len;
			return pp;
		}
		verdict = BPF_GRO_PASS;
		NAPI_GRO_CB(skb)->flush |= 1;
		pp = NULL;
		break;
	}

	if (unlikely(r->foreign) && !reason)
		reason = gro_foreign_reason(r);
	if (unlikely(reason == BPF_GRO_R_NET_FLUSH && READ_ONCE(pol->meta)) && gro_parse_no_hold(skb))
		reason = BPF_GRO_R_NO_HOLD;
	st->verdict[verdict]++;
	st->reason[reason]++;
	trace_bpf_gro_receive(skb, pol->id, slot->kind, slot->proto, verdict, reason, r->pub.diff, len);
	return pp;

violation:
	gro_violation(pol, bad, ret, r->pub.hdr_len);
	st->verdict[BPF_GRO_PASS]++;
	if (gro_is_matched(r))
		return gro_layer_flush(r);
	/* Something of the flow may be held all the same. */
	if (!r->looked)
		return gro_unowned_receive(slot, r->head, skb);
	NAPI_GRO_CB(skb)->flush |= 1;
	return pp;
}

/* The header ends in a fragment that ends with its page. */
static noinline int gro_run_copied(struct gro_run *r, struct gro_policy *pol, struct gro_pcpu_stats *st, const u8 *held)
{
	u8 hdr[BPF_GRO_HDR_MAX] = {};

	memcpy(hdr, r->hdr, min_t(u32, r->pub.avail, sizeof(hdr)));
	return gro_run_receive(r, pol, st, hdr, held);
}

static int gro_run_any(struct gro_run *r, struct gro_policy *pol, struct gro_pcpu_stats *st)
{
	const u8 *held = r->declared && r->held ? r->held_at : NULL;
	bool linear = r->hdr >= r->skb->head && r->hdr <= skb_tail_pointer(r->skb);

	if (likely(linear) || likely(gro_hdr_readable(r->hdr, r->pub.avail)))
		return gro_run_receive(r, pol, st, r->hdr, held);
	return gro_run_copied(r, pol, st, held);
}

/* The look-up of a policy with a key. False if header bytes must be brought into reach first. */
static bool gro_find_declared(struct gro_run *r, const struct gro_policy *pol)
{
	struct sk_buff *p;
	u8 *held;

	if (unlikely(pol->reach > r->pub.avail)) {
		r->want = pol->reach;
		return false;
	}
	r->looked = 1;
	list_for_each_entry(p, r->head, list) {
		if (!NAPI_GRO_CB(p)->same_flow)
			continue;
		held = skb_transport_header(p);
		r->held_hdr = NAPI_GRO_CB(p)->data_offset - (held - p->data);
		if (gro_key_equal(r->hdr, held, pol->key) && likely(gro_range_end(pol->key) <= r->held_hdr))
			goto found;
	}
	if (unlikely(gro_meta_may_hide(r, pol)))
		r->foreign = gro_meta_inner(r, pol->key);
	return true;

found:
	if (unlikely(gro_stamp(p)->stamp != r->stamp || r->held_hdr < pol->reach) || gro_meta_apart(pol, p, r->skb)) {
		r->foreign = p;
		return true;
	}
	/*
	 * Where the held header is longer than what is in reach, so may be this one: then the program says so, and this comes again. Until
	 * then they differ; with a header of 0 bytes nothing is equal.
	 */
	gro_found(r, p, held, pol->compare, r->held_hdr <= r->pub.avail ? r->held_hdr : 0, gro_net_flush(r, p, held));
	return true;
}

/**
 * gro_verdict_or_again() - carry a verdict out, after another run if the program asked for header bytes out of reach
 * @slot: the slot
 * @pol: the policy that owns it
 * @st: its counters
 * @r: the run
 * @ret: what the program returned
 *
 * Context: softirq, RCU read side.
 * Return: the held packet to flush, or NULL.
 */
struct sk_buff *gro_verdict_or_again(const struct gro_slot *slot, struct gro_policy *pol, struct gro_pcpu_stats *st,
				     struct gro_run *r, int ret)
{
	int runs;

	for (runs = 0; runs < 2; runs++) {
		if (unlikely(r->pub.hdr_len > r->pub.avail && r->pub.hdr_len <= r->pub.len))
			r->want = max(r->want, r->pub.hdr_len);
		if (likely(!r->want))
			break;
		if (!gro_run_pull(r)) {
			if (r->looked == 2)
				ret = BPF_GRO_RET(BPF_GRO_PASS, BPF_GRO_R_NOMEM);
			break;
		}
		gro_run_reset(r);
		if (r->declared)
			gro_find_declared(r, pol);
		ret = gro_run_any(r, pol, st);
	}
	return gro_policy_verdict(slot, pol, st, r, ret);
}

/* BPF_GRO_OPS_CSUM: the checksum is the module's business. False if it is wrong. */
static __always_inline bool gro_csum_ok(struct gro_run *r, struct sk_buff *skb)
{
	if (likely(NAPI_GRO_CB(skb)->csum_cnt && !NAPI_GRO_CB(skb)->flush)) {
		/* The device has validated it. */
		NAPI_GRO_CB(skb)->csum_cnt--;
		r->csum = 1;
		return true;
	}
	return !bpf_gro_csum(&r->pub, BPF_GRO_CSUM_PSEUDO);
}

/**
 * gro_owner_receive() - one packet through a policy
 * @slot: the slot
 * @owner: its owner on the packet's device
 * @head: the packet's bucket
 * @skb: the packet, its GRO offset at the slot's header
 *
 * Context: softirq, RCU read side.
 * Return: the held packet to flush, or NULL.
 */
struct sk_buff *gro_owner_receive(const struct gro_slot *slot, const struct gro_owner *owner, struct list_head *head,
				  struct sk_buff *skb)
{
	struct gro_pcpu_stats *st = this_cpu_ptr(owner->stats);
	struct gro_run r GRO_UNINITIALIZED;
	struct gro_policy *pol = owner->pol;

	gro_run_init(&r, slot, pol, head, skb);
	gro_run_reset(&r);
	if (pol->flags & BPF_GRO_OPS_CSUM && unlikely(!gro_csum_ok(&r, skb)))
		return gro_policy_verdict(slot, pol, st, &r, BPF_GRO_RET(BPF_GRO_PASS, BPF_GRO_R_CHECKSUM));
	if (r.declared) {
		while (unlikely(!gro_find_declared(&r, pol)) && gro_run_pull(&r))
			;
		if (unlikely(r.looked == 2))
			return gro_policy_verdict(slot, pol, st, &r, BPF_GRO_RET(BPF_GRO_PASS, BPF_GRO_R_NOMEM));
	}
	return gro_verdict_or_again(slot, pol, st, &r, gro_run_any(&r, pol, st));
}

/*
 * The same for most packets of a policy with pol->ports, in one go. Network layers before have told apart what is not of the packet's
 * network flow.
 */
static noinline struct sk_buff *gro_ports_slot_receive(const struct gro_slot *slot, const struct gro_owner *owner,
							struct list_head *head, struct sk_buff *skb)
{
	struct gro_pcpu_stats *st = this_cpu_ptr(owner->stats);
	struct napi_gro_cb *cb = NAPI_GRO_CB(skb);
	u32 off = cb->data_offset, win = cb->frag0_len - off;
	struct gro_policy *pol = owner->pol;
	u8 *hdr = (u8 *)cb->frag0 + off, *held = NULL;
	struct gro_run r GRO_UNINITIALIZED;
	struct sk_buff *p, *pp;
	int ret;

	if (unlikely(off + pol->reach > cb->frag0_len || !gro_hdr_readable(hdr, win)))
		return gro_owner_receive(slot, owner, head, skb);
	r.held_hdr = 0;
	r.held = NULL;
	list_for_each_entry(p, head, list) {
		held = skb_transport_header(p);
		if (unlikely(!NAPI_GRO_CB(p)->same_flow) || !gro_equal4(hdr, held))
			continue;
		r.held_hdr = NAPI_GRO_CB(p)->data_offset - (held - p->data);
		if (unlikely(gro_stamp(p)->stamp != pol->stamp || r.held_hdr > win || r.held_hdr < pol->reach))
			return gro_owner_receive(slot, owner, head, skb);
		r.held = p;
		break;
	}
	gro_ports_init(&r, slot, head, skb, hdr, off, win, slot->flags | (cb->encap_mark ? BPF_GRO_F_ENCAP : 0), slot->kind);
	r.csum = 0;
	r.stamp = pol->stamp;
	r.key = pol->key;
	r.pub.diff = 0;
	r.pub.chain = 0;
	if (unlikely(!gro_csum_ok(&r, skb)))
		return gro_policy_verdict(slot, pol, st, &r, BPF_GRO_RET(BPF_GRO_PASS, BPF_GRO_R_CHECKSUM));
	if (likely(r.held))
		gro_found(&r, p, held, pol->compare, r.held_hdr, gro_net_flush(&r, p, held));
	else
		held = NULL;
	ret = gro_run_receive(&r, pol, st, hdr, held);
	if (likely(gro_ports_join(slot, pol, st, &r, ret, &pp)))
		return pp;
	return gro_verdict_or_again(slot, pol, st, &r, ret);
}

struct sk_buff *gro_slot_receive(const struct gro_slot *slot, struct list_head *head, struct sk_buff *skb)
{
	const struct gro_owner *owner = gro_slot_owner(slot, skb->dev);
	struct sk_buff *p;

	if (likely(owner) && likely(!READ_ONCE(owner->pol->dead))) {
		if (likely(owner->pol->ports) && likely(!READ_ONCE(owner->pol->odd)) && likely(!gro_is_rare_in(skb)))
			return gro_ports_slot_receive(slot, owner, head, skb);
		return gro_owner_receive(slot, owner, head, skb);
	}
	if (unlikely(owner) && slot->proto == IPPROTO_UDP) {
		p = gro_dead_held(owner->pol, head, skb);
		if (p) {
			NAPI_GRO_CB(skb)->flush |= 1;
			return p;
		}
	}
	return gro_unowned_receive(slot, head, skb);
}

