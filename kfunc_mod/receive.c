// SPDX-License-Identifier: GPL-2.0
/*
 * One packet through a policy: run the program, hold it to the contract, carry its verdict out.
 *
 * The program only states an intention; packets change after it has ended. So whatever it returned, the order of a
 * flow is kept here, and a breach of the contract costs the policy its slots but no packet.
 */
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/jiffies.h>

#include "gro.h"
#include "run.h"
#define CREATE_TRACE_POINTS
#include "trace.h"

/* A run that crosses this many ticks was slow; see gro_run_was_slow(). */
#define GRO_SLOW_TICKS		max(HZ / 100, 2)
#define GRO_SLOW_WEIGHT		16
#define GRO_SLOW_LIMIT		(8 * GRO_SLOW_WEIGHT)

/*
 * One slow run proves nothing: the CPU may have been taken away (interrupts, a hypervisor). A policy that is slow in more
 * than one of GRO_SLOW_WEIGHT packets fills the bucket.
 */
static noinline bool gro_run_was_slow(struct gro_pcpu_stats *st)
{
	st->slow += GRO_SLOW_WEIGHT;
	return st->slow >= GRO_SLOW_LIMIT;
}

static void gro_run_init(struct gro_run *r, const struct gro_slot *slot, u32 stamp, struct list_head *head,
			 struct sk_buff *skb)
{
	struct napi_gro_cb *cb = NAPI_GRO_CB(skb);
	u32 off = cb->data_offset;
	u32 flags = slot->kind == BPF_GRO_SLOT_IP6 ? BPF_GRO_F_IP6 : 0;

	r->skb = skb;
	r->head = head;
	r->stamp = stamp;
	r->kind = slot->kind;
	r->csum = 0;
	r->want = 0;
	r->pub.offset = off;
	r->pub.len = skb->len - off;
	r->pub.proto = slot->proto;
	if (GRO_CWR_EQUAL)
		flags |= BPF_GRO_F_CWR_EQUAL;
	if (unlikely(cb->encap_mark))
		flags |= BPF_GRO_F_ENCAP;
	if (unlikely(cb->flush))
		flags |= BPF_GRO_F_NET_FLUSH;
	if (unlikely(skb->dev->features & NETIF_F_GRO_FRAGLIST))
		flags |= BPF_GRO_F_CHAIN_DEV;
	if (unlikely(!slot->native))
		flags |= BPF_GRO_F_CHAIN_ONLY;
	if (unlikely(skb_is_gso(skb))) {
		flags |= BPF_GRO_F_GSO;
		r->pub.gso_size = skb_shinfo(skb)->gso_size;
		r->pub.gso_segs = skb_shinfo(skb)->gso_segs;
	}
	r->pub.flags = flags;

	if (likely(off <= cb->frag0_len)) {
		r->hdr = (u8 *)cb->frag0 + off;
		r->win = cb->frag0_len - off;
	} else {
		r->hdr = skb->data + off;
		r->win = off < skb_headlen(skb) ? skb_headlen(skb) - off : 0;
	}
}

/* What a run of the program may have left behind. */
static __always_inline void gro_run_reset(struct gro_run *r)
{
	r->held = NULL;
	r->foreign = NULL;
	r->looked = 0;
	r->pub.diff = 0;
	r->pub.hdr_len = 0;
	r->pub.merge_or = 0;
	r->pub.merge_off = 0;
	r->pub.chain = 0;
}

/*
 * Bring the header bytes that the program asked for into the linear part. True if it has to run again. frag0 may point into
 * a fragment that the pull has freed: whoever comes after us must not read it.
 */
static noinline bool gro_run_pull(struct gro_run *r, int *ret)
{
	struct sk_buff *skb = r->skb;
	u32 want = r->want;

	r->want = 0;
	if (want > r->pub.len)
		return false;
	if (!pskb_may_pull(skb, r->pub.offset + want)) {
		*ret = BPF_GRO_RET(BPF_GRO_PASS, BPF_GRO_R_NOMEM);
		r->looked = 1;
		return false;
	}
	NAPI_GRO_CB(skb)->frag0 = skb->data;
	NAPI_GRO_CB(skb)->frag0_len = skb_headlen(skb);
	r->hdr = skb->data + r->pub.offset;
	r->win = skb_headlen(skb) - r->pub.offset;
	return true;
}

/* Breaches that depend on the verdict; BPF_GRO_V_NONE if there is none. */
static __always_inline enum bpf_gro_violation gro_check_payload(const struct gro_run *r, u32 len)
{
	if (unlikely(!r->pub.hdr_len || r->pub.hdr_len > r->win))
		return BPF_GRO_V_HDR_LEN;
	if (unlikely(!len))
		return BPF_GRO_V_LENGTH;
	return BPF_GRO_V_NONE;
}

static __always_inline enum bpf_gro_violation gro_check_join(const struct gro_run *r, u32 verdict, u32 len)
{
	const struct sk_buff *p = r->held;
	u32 held_hdr;

	if (unlikely(!p))
		return BPF_GRO_V_NOT_FOUND;
	if (unlikely(r->pub.diff & BPF_GRO_DIFF_NEVER)) {
		if (r->pub.diff & BPF_GRO_DIFF_LIMIT)
			return BPF_GRO_V_LIMIT;
		if (r->pub.diff & (BPF_GRO_DIFF_LONG | BPF_GRO_DIFF_GSO))
			return BPF_GRO_V_LENGTH;
		return BPF_GRO_V_REFUSED;
	}
	held_hdr = NAPI_GRO_CB(p)->data_offset - skb_transport_offset(p);
	if (unlikely(r->pub.hdr_len != held_hdr))
		return BPF_GRO_V_HDR_LEN;
	/* Only the last segment may be short: GSO cuts equal ones. */
	if (verdict == BPF_GRO_JOIN) {
		u32 mss = skb_shinfo(p)->gso_size;

		if (unlikely(r->pub.flags & BPF_GRO_F_GSO)) {
			if (len != r->pub.gso_segs * mss)
				return BPF_GRO_V_LENGTH;
		} else if (unlikely(len != mss)) {
			return BPF_GRO_V_LENGTH;
		}
	}
	if (unlikely(r->pub.merge_or && r->pub.merge_off + sizeof(u32) > held_hdr))
		return BPF_GRO_V_MERGE;
	return BPF_GRO_V_NONE;
}

/* Hold @r->skb as the first of an aggregate. dev_gro_receive() does the rest unless an outer layer forbids it. */
static __always_inline void gro_hold(struct gro_run *r)
{
	struct sk_buff *skb = r->skb;

	NAPI_GRO_CB(skb)->is_flist = !!(r->pub.flags & BPF_GRO_F_CHAIN_ONLY) ||
				     (r->pub.chain && (r->pub.flags & BPF_GRO_F_CHAIN_DEV));
	gro_stamp(skb)->stamp = r->stamp;
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
	if (ret == GRO_JOINED_FRAG)
		st->joined_frag++;
	else
		st->joined_list++;
	if (r->pub.merge_or) {
		__be32 *word = (__be32 *)(skb_transport_header(p) + r->pub.merge_off);

		*word |= (__force __be32)r->pub.merge_or;
	}
	return true;
}

struct sk_buff *gro_policy_receive(const struct gro_slot *slot, const struct gro_owner *owner, struct list_head *head,
				   struct sk_buff *skb)
{
	struct gro_pcpu_stats *st = this_cpu_ptr(owner->stats);
	struct gro_policy *pol = owner->pol;
	enum bpf_gro_violation bad = BPF_GRO_V_NONE;
	unsigned long start;
	u32 verdict, reason, len;
	struct sk_buff *pp;
	struct gro_run r;
	int ret, runs = 0;

	gro_run_init(&r, slot, pol->stamp, head, skb);
again:
	gro_run_reset(&r);
	start = jiffies;
	ret = gro_call(pol->receive_prog, pol->receive, &r.pub);
	if (unlikely(jiffies - start >= GRO_SLOW_TICKS)) {
		if (gro_run_was_slow(st))
			gro_violation(pol, BPF_GRO_V_SLOW, jiffies_to_msecs(jiffies - start), 0);
	} else if (unlikely(st->slow)) {
		st->slow--;
	}
	if (unlikely(r.want) && runs++ < 2 && gro_run_pull(&r, &ret))
		goto again;

	verdict = BPF_GRO_RET_VERDICT(ret);
	reason = BPF_GRO_RET_REASON(ret);
	st->packets++;
	if (unlikely(reason >= __BPF_GRO_R_MAX || ret & ~0xffff)) {
		bad = ret & ~0xffff ? BPF_GRO_V_VERDICT : BPF_GRO_V_REASON;
		goto violation;
	}
	len = r.pub.len - r.pub.hdr_len;

	switch (verdict) {
	case BPF_GRO_JOIN:
	case BPF_GRO_JOIN_FLUSH:
		bad = gro_check_payload(&r, len);
		if (likely(!bad))
			bad = gro_check_join(&r, verdict, len);
		if (unlikely(bad))
			goto violation;
		skb_gro_pull(skb, r.pub.hdr_len);
		st->bytes += len;
		if (unlikely(!gro_run_join(&r, st))) {
			/* As after any difference: the held one leaves, and this one starts anew if it can. */
			pp = r.held;
			if (verdict == BPF_GRO_JOIN ||
			    (reason == BPF_GRO_R_SHORT && !(r.pub.flags & BPF_GRO_F_GSO))) {
				gro_hold(&r);
				verdict = BPF_GRO_FLUSH_HELD;
			} else {
				NAPI_GRO_CB(skb)->flush |= 1;
				verdict = BPF_GRO_PASS;
			}
			reason = BPF_GRO_R_GEOMETRY;
			break;
		}
		pp = NULL;
		if (verdict == BPF_GRO_JOIN_FLUSH) {
			pp = r.held;
			NAPI_GRO_CB(skb)->flush |= 1;
		}
		break;

	case BPF_GRO_HOLD:
	case BPF_GRO_FLUSH_HELD:
		if (unlikely(!r.looked))
			bad = BPF_GRO_V_NO_LOOKUP;
		else if (unlikely(!!r.held != (verdict == BPF_GRO_FLUSH_HELD)))
			bad = r.held ? BPF_GRO_V_ORDER : BPF_GRO_V_NOT_FOUND;
		else
			bad = gro_check_payload(&r, len);
		if (unlikely(bad))
			goto violation;
		skb_gro_pull(skb, r.pub.hdr_len);
		st->bytes += len;
		gro_hold(&r);
		pp = r.held ?: r.foreign;
		if (unlikely(r.pub.flags & BPF_GRO_F_NET_FLUSH)) {
			verdict = BPF_GRO_PASS;
			if (!reason)
				reason = BPF_GRO_R_NET_FLUSH;
		}
		break;

	case BPF_GRO_PASS:
		if (unlikely(!r.looked && (reason < BPF_GRO_R_TRUNCATED || reason > BPF_GRO_R_CHECKSUM))) {
			bad = BPF_GRO_V_NO_LOOKUP;
			goto violation;
		}
		if (unlikely(r.pub.hdr_len > r.pub.len)) {
			bad = BPF_GRO_V_HDR_LEN;
			goto violation;
		}
		if (likely(r.pub.hdr_len <= r.win))
			skb_gro_pull(skb, r.pub.hdr_len);
		NAPI_GRO_CB(skb)->flush |= 1;
		pp = r.held ?: r.foreign;
		break;

	case BPF_GRO_NEXT:
		/* Native code validates and looks for itself: it must find the packet as it came. */
		if (unlikely(r.looked || r.csum)) {
			bad = BPF_GRO_V_VERDICT;
			goto violation;
		}
		st->verdict[BPF_GRO_NEXT]++;
		if (slot->native_receive)
			return slot->native_receive(head, skb);
		NAPI_GRO_CB(skb)->flush |= 1;
		return NULL;

	default:
		bad = BPF_GRO_V_VERDICT;
		goto violation;
	}

	st->verdict[verdict]++;
	st->reason[reason]++;
	trace_bpf_gro_receive(skb, pol->id, slot->kind, slot->proto, verdict, reason, r.pub.diff, len);
	return pp;

violation:
	gro_violation(pol, bad, ret, r.pub.hdr_len);
	st->verdict[BPF_GRO_PASS]++;
	NAPI_GRO_CB(skb)->flush |= 1;
	return r.held ?: r.foreign;
}

struct sk_buff *gro_slot_receive(const struct gro_slot *slot, struct list_head *head, struct sk_buff *skb)
{
	const struct gro_owner *owner = gro_slot_owner(slot, skb->dev);

	if (likely(owner) && likely(!READ_ONCE(owner->pol->dead)))
		return gro_policy_receive(slot, owner, head, skb);
	if (slot->native_receive)
		return slot->native_receive(head, skb);
	NAPI_GRO_CB(skb)->flush |= 1;
	return NULL;
}

/* The IP layers say in the control block which entry of inet_offloads[] they came through. */
struct sk_buff *gro_ip_receive(struct list_head *head, struct sk_buff *skb)
{
	return gro_slot_receive(&gro_slots[BPF_GRO_SLOT_IP][(u8)NAPI_GRO_CB(skb)->proto], head, skb);
}

struct sk_buff *gro_ip6_slot_receive(struct list_head *head, struct sk_buff *skb)
{
	return gro_slot_receive(&gro_slots[BPF_GRO_SLOT_IP6][(u8)NAPI_GRO_CB(skb)->proto], head, skb);
}
