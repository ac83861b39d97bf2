// SPDX-License-Identifier: GPL-2.0
/*
 * The least that the headers can be, from what the device's completion entry says: no parsing.
 *
 * Answers: packets of mlx5 that the entry calls TCP or UDP over IPv4 or IPv6. Ethernet, a VLAN tag, IP without options, UDP, or TCP with as
 * much of its options as timestamps take. Never more than the real headers, unless assume=on.
 * Leaves to the kernel: tunnels, everything that the entry does not know, and devices without such an entry.
 * Does badly: IP options and extension headers, TCP with other options: the rest of the headers is pulled by GRO.
 *
 * Options: assume.
 */
#include "vmlinux.h"
#include <bpf_gro/bpf_gro.h>
#include <bpf_gro/rx_header.h>

char _license[] SEC("license") = "GPL";

BPF_GRO_SUMMARY("the least that the device's completion entry allows (mlx5), else native");

const volatile bool assume;
BPF_GRO_OPTION_HELP(assume, "do not look at the frame at all: take TCP timestamps for granted, and the entry's VLAN bit for a tag in the frame");

#define ETH_P_8021Q	0x8100
#define ETH_P_8021AD	0x88a8
#define VLAN_HLEN	4
#define TCP_DOFF	12	/* where the length of the TCP header is */
#define TCP_TIMESTAMPS	12	/* bytes, with their padding */

static __always_inline bool has_tag(struct bpf_rx_header *pkt)
{
	const struct ethhdr *eth;

	if (assume)
		return pkt->vlan;
	eth = bpf_rx_header_data(pkt, 0, sizeof(*eth));
	return eth && (eth->h_proto == bpf_htons(ETH_P_8021Q) || eth->h_proto == bpf_htons(ETH_P_8021AD));
}

static __always_inline __u32 tcp_len(struct bpf_rx_header *pkt, __u32 off)
{
	__u32 most = sizeof(struct tcphdr) + TCP_TIMESTAMPS, len;
	const __u8 *doff;

	if (assume)
		return most;
	doff = bpf_rx_header_data(pkt, off + TCP_DOFF, sizeof(*doff));
	len = doff ? (*doff >> 4) * 4 : 0;
	if (len < sizeof(struct tcphdr))
		return sizeof(struct tcphdr);
	return len < most ? len : most;
}

SEC("struct_ops/header_len")
__u32 BPF_PROG(cqe_header_len, struct bpf_rx_header *pkt)
{
	__u32 off = sizeof(struct ethhdr);

	if (!(pkt->flags & BPF_RX_HEADER_F_CQE) || pkt->tunnel)
		return 0;
	if (pkt->l3 == BPF_RX_HEADER_L3_IP)
		off += sizeof(struct iphdr);
	else if (pkt->l3 == BPF_RX_HEADER_L3_IP6)
		off += sizeof(struct ipv6hdr);
	else
		return 0;
	if (pkt->l4 != BPF_RX_HEADER_L4_TCP && pkt->l4 != BPF_RX_HEADER_L4_UDP)
		return 0;
	if (has_tag(pkt))
		off += VLAN_HLEN;
	return off + (pkt->l4 == BPF_RX_HEADER_L4_UDP ? sizeof(struct udphdr) : tcp_len(pkt, off));
}

SEC(".struct_ops.link")
struct bpf_rx_header_ops cqe = {
	.header_len = (void *)cqe_header_len,
	.name = "cqe",
};
