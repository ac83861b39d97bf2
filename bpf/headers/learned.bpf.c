// SPDX-License-Identifier: GPL-2.0
/*
 * Learns the length from what GRO then does with the packets, per device.
 *
 * It begins with the least, so that GRO has to pull the headers of each packet that it looks at. What is in the linear part afterwards is
 * what the headers were: that is copied from then on. Where GRO chains packets although they had room for fragments, payload was copied:
 * it begins anew, and stays below the length that was too much. So it settles at the headers of the traffic that joins; where that differs, at the
 * shortest, since a few bytes pulled cost less than a chain. From time to time it forgets what was too much: traffic changes.
 *
 * Answers: every packet.
 * Does badly: traffic that changes faster than relearn= counts, and devices with GRO off, where nothing is learned.
 *
 * Options: relearn.
 */
#include "vmlinux.h"
#include <bpf_gro/bpf_gro.h>
#include <bpf_gro/rx_header.h>

char _license[] SEC("license") = "GPL";

BPF_GRO_SUMMARY("follows what GRO then does: shorter where packets were chained, longer where headers were pulled");

const volatile __u32 relearn = 1 << 16;
BPF_GRO_OPTION_HELP(relearn, "aggregates after which a length that was too much may be tried again; 0: never");

#define DEVICES		64	/* devices whose numbers are equal in the last bits share what is learned */
#define MAX_FRAGS	17	/* the kernel's default for fragments of a packet; a chain behind so many is ordinary */

struct learned {
	__u32 len;		/* 0: nothing seen yet */
	__u32 ceiling;		/* this much was too much; 0: unknown */
	__u32 seen;		/* aggregates since it was */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, DEVICES);
	__type(key, __u32);
	__type(value, struct learned);
} learned_devices SEC(".maps");

static __always_inline struct learned *learned_of(__u32 ifindex)
{
	__u32 key = ifindex % DEVICES;

	return bpf_map_lookup_elem(&learned_devices, &key);
}

SEC("struct_ops/header_len")
__u32 BPF_PROG(learned_header_len, struct bpf_rx_header *pkt)
{
	struct learned *l = learned_of(pkt->ifindex);

	return l && l->len ? l->len : BPF_RX_HEADER_MIN;
}

/*
 * An aggregate on its way up. CPUs may race here: each writes a length that was right for a packet of its own, and the next one
 * that differs mends it.
 */
SEC("tp_btf/netif_receive_skb")
int BPF_PROG(learned_watch, struct sk_buff *skb)
{
	struct skb_shared_info *shinfo = (void *)skb->head + skb->end;
	struct learned *l = learned_of(skb->dev->ifindex);
	__u32 linear, frags;

	if (!l || !skb->len || !skb->data_len || !BPF_CORE_READ(shinfo, gso_size))
		return 0;
	/* data is behind the link-layer header here */
	linear = skb->len - skb->data_len + (skb->data - skb->head) - skb->mac_header;
	frags = BPF_CORE_READ(shinfo, nr_frags);
	if (relearn && ++l->seen >= relearn) {
		l->seen = 0;
		l->ceiling = 0;
	}
	if (BPF_CORE_READ(shinfo, frag_list) && frags < MAX_FRAGS) {
		/* Small packets come whole, without asking: their payload says nothing. */
		if (linear == l->len && l->len > BPF_RX_HEADER_MIN) {
			l->ceiling = l->len;
			l->len = BPF_RX_HEADER_MIN;
			l->seen = 0;
		}
		return 0;
	}
	if (linear > l->len && linear <= BPF_RX_HEADER_MAX && (!l->ceiling || linear < l->ceiling))
		l->len = linear;
	return 0;
}

SEC(".struct_ops.link")
struct bpf_rx_header_ops learned = {
	.header_len = (void *)learned_header_len,
	.name = "learned",
};
