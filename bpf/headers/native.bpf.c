// SPDX-License-Identifier: GPL-2.0
/*
 * The native parse, in BPF: exactly the headers of TCP and UDP over IPv4 and IPv6 go to the linear part.
 *
 * Answers: Ethernet with up to two VLAN tags, IPv4 with options, IPv6 with up to four extension headers, TCP with options, UDP; fragments
 * behind the first end with their network header. The same lengths as the kernel's own parser, for fewer instructions.
 * Leaves to the kernel: everything else (tunnels below the first IP header, MPLS, PPPoE, SCTP, ICMP), and headers that do not end within the limit.
 * Does badly: nothing known; it does what the kernel does.
 *
 * Options: none.
 */
#include "vmlinux.h"
#include <bpf_gro/bpf_gro.h>
#include <bpf_gro/rx_header.h>

char _license[] SEC("license") = "GPL";

BPF_GRO_SUMMARY("the headers and no more: what the kernel's own parser finds, in BPF");

#define ETH_P_IP	0x0800
#define ETH_P_IPV6	0x86dd
#define ETH_P_8021Q	0x8100
#define ETH_P_8021AD	0x88a8
#define VLAN_HLEN	4
#define VLAN_TAGS	2
#define NEXTHDR_HOP	0
#define NEXTHDR_ROUTING	43
#define NEXTHDR_DEST	60
#define IP6_EXT_MAX	4
#define IP_OFFSET	0x1fff

struct vlan_tag {
	__be16 tci;
	__be16 proto;
};

static __always_inline __u32 tcp_end(struct bpf_rx_header *pkt, __u32 off)
{
	const struct tcphdr *th = bpf_rx_header_data(pkt, off, sizeof(*th));
	__u32 len;

	if (!th)
		return 0;
	len = th->doff * 4;
	return off + (len < sizeof(*th) ? sizeof(*th) : len);
}

static __always_inline __u32 transport_end(struct bpf_rx_header *pkt, __u32 off, __u8 proto)
{
	if (proto == IPPROTO_TCP)
		return tcp_end(pkt, off);
	return proto == IPPROTO_UDP ? off + sizeof(struct udphdr) : 0;
}

static __always_inline __u32 ip_end(struct bpf_rx_header *pkt, __u32 off)
{
	const struct iphdr *iph = bpf_rx_header_data(pkt, off, sizeof(*iph));

	if (!iph || iph->version != 4 || iph->ihl < 5)
		return 0;
	off += iph->ihl * 4;
	return iph->frag_off & bpf_htons(IP_OFFSET) ? off : transport_end(pkt, off, iph->protocol);
}

static __always_inline __u32 ip6_end(struct bpf_rx_header *pkt, __u32 off)
{
	const struct ipv6hdr *ip6h = bpf_rx_header_data(pkt, off, sizeof(*ip6h));
	__u8 proto;
	int i;

	if (!ip6h || ip6h->version != 6)
		return 0;
	proto = ip6h->nexthdr;
	off += sizeof(*ip6h);
	for (i = 0; i < IP6_EXT_MAX; i++) {
		const struct ipv6_opt_hdr *opt;

		if (proto != NEXTHDR_HOP && proto != NEXTHDR_ROUTING && proto != NEXTHDR_DEST)
			break;
		opt = bpf_rx_header_data(pkt, off, sizeof(*opt));
		if (!opt)
			return 0;
		proto = opt->nexthdr;
		off += (opt->hdrlen + 1) * 8;
	}
	return transport_end(pkt, off, proto);
}

SEC("struct_ops/header_len")
__u32 BPF_PROG(native_header_len, struct bpf_rx_header *pkt)
{
	__u32 off = sizeof(struct ethhdr), end = 0;
	const struct vlan_tag *tag;
	const struct ethhdr *eth;
	__be16 proto;
	int i;

	eth = bpf_rx_header_data(pkt, 0, sizeof(*eth));
	if (!eth)
		return 0;
	proto = eth->h_proto;
	for (i = 0; i < VLAN_TAGS; i++) {
		if (proto != bpf_htons(ETH_P_8021Q) && proto != bpf_htons(ETH_P_8021AD))
			break;
		tag = bpf_rx_header_data(pkt, off, sizeof(*tag));
		if (!tag)
			return 0;
		proto = tag->proto;
		off += VLAN_HLEN;
	}
	if (proto == bpf_htons(ETH_P_IP))
		end = ip_end(pkt, off);
	else if (proto == bpf_htons(ETH_P_IPV6))
		end = ip6_end(pkt, off);
	/* Headers that are cut off are the kernel's business. */
	return end > pkt->limit ? 0 : end;
}

SEC(".struct_ops.link")
struct bpf_rx_header_ops native = {
	.header_len = (void *)native_header_len,
	.name = "native",
};
