/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A packet through a policy that tells flows apart by their ports and leaves the checksum to the module (pol->ports), once the held
 * packet has been looked for: receive.c's general way for the common case, in one go. layer.c comes here with the network header still
 * at hand, receive.c with slots that other layers lead to.
 */
#ifndef _BPF_GRO_PORTS_H
#define _BPF_GRO_PORTS_H

#include "find.h"
#include "join.h"
#include "run.h"
#include "trace.h"

/* All of a run but what the look-up fills in: held, held_at, held_hdr, and what gro_found() sets. @off: of the slot's header. */
static __always_inline void gro_ports_init(struct gro_run *r, const struct gro_slot *slot, struct list_head *head, struct sk_buff *skb,
					   u8 *hdr, u32 off, u32 win, u32 flags, u8 kind)
{
	r->skb = skb;
	r->head = head;
	r->hdr = hdr;
	r->pub.avail = win;
	r->want = 0;
	r->looked = 1;
	r->csum = 1;
	r->kind = kind;
	r->declared = true;
	r->foreign = NULL;
	r->pub.offset = off;
	WRITE_ONCE(r->pub.len, skb->len - off);	/* not both by a shift and an OR */
	r->pub.flags = flags;
	r->pub.proto = slot->proto;
	r->pub.hdr_len = 0;
	r->pub.merge_or = 0;
}

/* The verdict was a plain join, which is nearly every packet of a bulk flow. False if it was another, or needs a closer look. */
static __always_inline bool gro_ports_join(const struct gro_slot *slot, struct gro_policy *pol, struct gro_pcpu_stats *st,
					   struct gro_run *r, int ret, struct sk_buff **pp)
{
	u32 len = r->pub.len - r->held_hdr;
	struct sk_buff *skb = r->skb;
	int joined;

	if (unlikely(ret != BPF_GRO_RET(BPF_GRO_JOIN, BPF_GRO_R_NONE)) ||
	    unlikely(!r->held || r->pub.diff & BPF_GRO_DIFF_NEVER || r->pub.hdr_len != r->held_hdr ||
		     len != r->pub.held_gso_size || r->pub.merge_or || r->want || NAPI_GRO_CB(r->held)->is_flist))
		return false;
	skb_gro_pull(skb, r->held_hdr);
	joined = gro_join_inline(r->held, skb, len);
	if (unlikely(joined < 0)) {
		r->stamp = pol->stamp;
		*pp = gro_join_refused(slot, pol, st, r, BPF_GRO_JOIN, BPF_GRO_R_NONE);
		return true;
	}
	st->joined_list += joined;
	st->bytes += len;
	st->verdict[BPF_GRO_JOIN]++;
	trace_bpf_gro_receive(skb, pol->id, slot->kind, slot->proto, BPF_GRO_JOIN, BPF_GRO_R_NONE, r->pub.diff, len);
	*pp = NULL;
	return true;
}

#endif /* _BPF_GRO_PORTS_H */
