/* SPDX-License-Identifier: GPL-2.0 */
/* Tracepoint of every decision; costs a no-op while off. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bpf_gro

#if !defined(_BPF_GRO_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _BPF_GRO_TRACE_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/tracepoint.h>
#include <bpf_gro/abi.h>

#define gro_trace_verdicts			\
	{ BPF_GRO_PASS, "pass" },		\
	{ BPF_GRO_HOLD, "hold" },		\
	{ BPF_GRO_JOIN, "join" },		\
	{ BPF_GRO_JOIN_FLUSH, "join-flush" },	\
	{ BPF_GRO_FLUSH_HELD, "flush-held" },	\
	{ BPF_GRO_NEXT, "next" },		\
	{ BPF_GRO_LAYER, "layer" }

#ifndef BPF_GRO_X
#define BPF_GRO_X(name, str, text) { BPF_GRO_R_##name, str },
#endif

TRACE_EVENT(bpf_gro_receive,

	TP_PROTO(const struct sk_buff *skb, u32 policy, u8 kind, u8 proto, u32 verdict, u32 reason, u32 diff,
		 u32 len),

	TP_ARGS(skb, policy, kind, proto, verdict, reason, diff, len),

	TP_STRUCT__entry(
		__field(const void *,	skbaddr)
		__string(name,		skb->dev->name)
		__field(u32,		policy)
		__field(u8,		kind)
		__field(u8,		proto)
		__field(u32,		verdict)
		__field(u32,		reason)
		__field(u32,		diff)
		__field(u32,		len)
	),

	TP_fast_assign(
		__entry->skbaddr = skb;
		__assign_str(name);
		__entry->policy = policy;
		__entry->kind = kind;
		__entry->proto = proto;
		__entry->verdict = verdict;
		__entry->reason = reason;
		__entry->diff = diff;
		__entry->len = len;
	),

	TP_printk("dev=%s skbaddr=%p policy=%u slot=%s/%u verdict=%s reason=%s diff=%#x len=%u",
		  __get_str(name), __entry->skbaddr, __entry->policy,
		  __entry->kind == BPF_GRO_SLOT_IP6 ? "ip6" : "ip", __entry->proto,
		  __print_symbolic(__entry->verdict, gro_trace_verdicts),
		  __print_symbolic(__entry->reason, BPF_GRO_REASONS(BPF_GRO_X) { -1, NULL }),
		  __entry->diff, __entry->len)
);

#endif /* _BPF_GRO_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
