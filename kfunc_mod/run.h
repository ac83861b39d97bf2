/* SPDX-License-Identifier: GPL-2.0 */
/* Running a policy's programs. */
#ifndef _BPF_GRO_RUN_H
#define _BPF_GRO_RUN_H

#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/jiffies.h>

#include "gro.h"

/* A run that crosses this many ticks was slow; see gro_run_was_slow(). */
#define GRO_SLOW_TICKS		max(HZ / 100, 2)

/* receive.c */
void gro_run_was_slow(struct gro_policy *pol, struct gro_pcpu_stats *st, unsigned long ticks);
struct sk_buff *gro_verdict_or_again(const struct gro_slot *slot, struct gro_policy *pol, struct gro_pcpu_stats *st,
				     struct gro_run *r, int ret);
struct sk_buff *gro_join_refused(const struct gro_slot *slot, struct gro_policy *pol, struct gro_pcpu_stats *st, struct gro_run *r,
				 u32 verdict, u32 reason);
struct sk_buff *gro_owner_receive(const struct gro_slot *slot, const struct gro_owner *owner, struct list_head *head,
				  struct sk_buff *skb);

/*
 * GRO runs in softirq context under rcu_read_lock(), on one CPU throughout: all that the struct_ops trampoline would see to.
 * So where the kernel lets us find the program, it is called itself; that saves about 90 instructions a packet.
 */
static __always_inline int gro_run_complete(struct gro_run *r, const struct gro_policy *pol)
{
	u64 args[1] = { (unsigned long)&r->pub };

	if (GRO_DIRECT_CALL && likely(pol->complete_prog))
		return pol->complete_prog->bpf_func(args, pol->complete_prog->insnsi);
	return pol->complete(&r->pub);
}

/* @hdr and @held: BPF_GRO_HDR_MAX bytes that can be read. */
static __always_inline int gro_run_receive(struct gro_run *r, struct gro_policy *pol, struct gro_pcpu_stats *st, const u8 *hdr,
					   const u8 *held)
{
	u64 args[3] = { (unsigned long)&r->pub, (unsigned long)hdr, (unsigned long)held };
	unsigned long start = jiffies;
	int ret;

	if (GRO_DIRECT_CALL && likely(pol->receive_prog))
		ret = pol->receive_prog->bpf_func(args, pol->receive_prog->insnsi);
	else
		ret = pol->receive(&r->pub, (const void *)hdr, (const void *)held);
	if (unlikely(jiffies - start >= GRO_SLOW_TICKS))
		gro_run_was_slow(pol, st, jiffies - start);
	return ret;
}

/*
 * Whether a program may read BPF_GRO_HDR_MAX bytes from @hdr on, @avail of which are header bytes. In the linear part it may: behind
 * that comes struct skb_shared_info. A fragment ends where it ends, but not before its page does.
 */
static __always_inline bool gro_hdr_readable(const u8 *hdr, u32 avail)
{
	return avail >= BPF_GRO_HDR_MAX || offset_in_page(hdr) <= PAGE_SIZE - BPF_GRO_HDR_MAX;
}

/* Not to be held, joined already, with metadata, or to be chained: what the fast paths leave to others. */
static __always_inline bool gro_is_rare_in(const struct sk_buff *skb)
{
	/* One by one: all at once GCC makes more of it. */
	return unlikely(NAPI_GRO_CB(skb)->flush | skb_shinfo(skb)->gso_size) || unlikely(skb_shinfo(skb)->meta_len) ||
	       skb->dev->features & NETIF_F_GRO_FRAGLIST;
}

/* The same, or behind a tunnel header. */
static __always_inline bool gro_is_rare(const struct sk_buff *skb)
{
	return unlikely(NAPI_GRO_CB(skb)->encap_mark) || gro_is_rare_in(skb);
}

#endif /* _BPF_GRO_RUN_H */
