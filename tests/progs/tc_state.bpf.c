// SPDX-License-Identifier: GPL-2.0
/* tc: drops IP packets for which no XDP program has left a parse state that says where TCP is. */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_endian.h>
#include <bpf_gro/parse.h>

char _license[] SEC("license") = "GPL";

#define TC_ACT_OK	0
#define TC_ACT_SHOT	2

SEC("tc")
int tc_state(struct __sk_buff *skb)
{
	const struct gro_parse_state *st = gro_parse_find((void *)(long)skb->data_meta, (void *)(long)skb->data);

	if (skb->protocol != bpf_htons(0x0800) && skb->protocol != bpf_htons(0x86dd))
		return TC_ACT_OK;
	if (!st || bpf_htons(st->net_proto) != skb->protocol)
		return TC_ACT_SHOT;
	if (st->proto == IPPROTO_ICMP || st->proto == 58 /* ICMPv6 */)
		return TC_ACT_OK;
	return st->proto == IPPROTO_TCP && st->trans_off == st->net_off + (st->net_proto == 0x0800 ? 20 : 40) ? TC_ACT_OK : TC_ACT_SHOT;
}
