// SPDX-License-Identifier: GPL-2.0
/*
 * How the packets of device igb1 lie in memory: bytes in the linear part as GRO gets them, and whether what GRO made of them is joined by page
 * fragments or by frag_list.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

char _license[] SEC("license") = "GPL";

#define ETH_HLEN	14
#define LARGE		512	/* packets from here on had a header length asked for */
#define MAX_FRAGS	17

__u64 packets;		/* large ones */
__u64 linear_min;		/* 0: none yet */
__u64 linear_max;
__u64 page_heads;		/* packets whose linear part is itself a page fragment, which GRO can join as one */
__u64 by_frags;		/* aggregates */
__u64 by_list;

static __always_inline bool ours(struct sk_buff *skb)
{
	const char *name = skb->dev->name;

	return name[0] == 'i' && name[1] == 'g' && name[2] == 'b' && name[3] == '1' && !name[4];
}

SEC("tp_btf/napi_gro_receive_entry")
int BPF_PROG(layout_in, struct sk_buff *skb)
{
	__u64 linear = skb->len - skb->data_len + ETH_HLEN;

	if (!ours(skb) || skb->len < LARGE)
		return 0;
	__sync_fetch_and_add(&packets, 1);
	if (BPF_CORE_READ_BITFIELD(skb, head_frag))
		__sync_fetch_and_add(&page_heads, 1);
	if (!linear_min || linear < linear_min)
		linear_min = linear;
	if (linear > linear_max)
		linear_max = linear;
	return 0;
}

SEC("tp_btf/netif_receive_skb")
int BPF_PROG(layout_out, struct sk_buff *skb)
{
	struct skb_shared_info *shinfo = (void *)skb->head + skb->end;

	if (!ours(skb) || !BPF_CORE_READ(shinfo, gso_size))
		return 0;
	/* Not those that had no room for more fragments. */
	if (BPF_CORE_READ(shinfo, frag_list) && BPF_CORE_READ(shinfo, nr_frags) < MAX_FRAGS)
		__sync_fetch_and_add(&by_list, 1);
	else
		__sync_fetch_and_add(&by_frags, 1);
	return 0;
}
