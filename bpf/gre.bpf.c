// SPDX-License-Identifier: GPL-2.0
/*
 * GRE, version 0 with or without checksum and key, over IPv4 and IPv6. What is inside is joined by its own layers: IPv4, IPv6, Ethernet,
 * and there TCP and UDP, natively or by their policies.
 *
 * Joins: packets of one tunnel, that is with the same flags, protocol and key, if their layers inside do.
 * Never joins: sequence numbers, routing, version 1 (PPTP), other protocols and tunnels in tunnels, which splitting could not give back: they are left to
 * native code. Packets with a wrong checksum of the tunnel's.
 * Differs from native GRE: it finds the key behind a checksum, where native code takes the checksum for the key; and aggregates that
 * have a checksum get new ones when they are split, where native code repeats the first (wrong for a last, shorter packet).
 *
 * Options: keys, exact.
 */
#include "vmlinux.h"
#include <bpf_gro/bpf_gro.h>

char _license[] SEC("license") = "GPL";

BPF_GRO_SUMMARY("GRE over IPv4 and IPv6, with key and checksum: what is inside is joined");

const volatile __u32 keys[16];
BPF_GRO_OPTION_HELP(keys, "join only in tunnels with one of these keys (not 0); none: in all tunnels");

const volatile bool exact = true;
BPF_GRO_OPTION_HELP(exact, "packets split again have checksums of their own; off: as native, all that of the first");

#define ETH_P_IP	0x0800
#define ETH_P_IPV6	0x86dd
#define ETH_P_TEB	0x6558	/* Ethernet */

#define GRE_CSUM	bpf_htons(0x8000)
#define GRE_KEY		bpf_htons(0x2000)

/* Flags, version and protocol. */
#define GRE_BASE	BPF_GRO_RANGE(0, 4)

static __always_inline bool known(__be16 protocol)
{
	return protocol == bpf_htons(ETH_P_IP) || protocol == bpf_htons(ETH_P_IPV6) || protocol == bpf_htons(ETH_P_TEB);
}

static __always_inline bool key_listed(__u32 key)
{
	__u32 i;

	for (i = 0; i < 16 && keys[i]; i++)
		if (keys[i] == key)
			return true;
	return false;
}

/* 4, 8 or 12 bytes of header are in reach; or, if the packet has them, will be the next time. */
static __always_inline bool in_reach(struct bpf_gro *gro, __u32 len)
{
	if (len <= gro->avail)
		return true;
	if (len == 4)
		bpf_gro_header(gro, 0, 4);
	else if (len == 8)
		bpf_gro_header(gro, 0, 8);
	else
		bpf_gro_header(gro, 0, 12);
	return false;
}

SEC("struct_ops/gre_receive")
int BPF_PROG(gre_receive, struct bpf_gro *gro, const struct gre_base_hdr *gh)
{
	const __be32 *word = (const __be32 *)(gh + 1);
	__u32 len = sizeof(*gh);
	__be16 flags;

	if (gro->flags & BPF_GRO_F_ENCAP)
		return bpf_gro_next();
	if (!in_reach(gro, len))
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	flags = gh->flags;
	if (flags & ~(GRE_CSUM | GRE_KEY) || !known(gh->protocol))
		return bpf_gro_next();
	if (flags & GRE_CSUM)
		len += 4;
	if (flags & GRE_KEY)
		len += 4;
	if (!in_reach(gro, len))
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	if (flags & GRE_CSUM && bpf_gro_csum(gro, BPF_GRO_CSUM_PLAIN))
		return bpf_gro_pass(BPF_GRO_R_CHECKSUM);

	bpf_gro_match_layer(gro, GRE_BASE);
	if (flags & GRE_KEY)
		bpf_gro_match_layer(gro, BPF_GRO_RANGE(len - 4, 4));
	if (keys[0] && !key_listed(flags & GRE_KEY ? bpf_ntohl(flags & GRE_CSUM ? word[1] : word[0]) : 0))
		return bpf_gro_pass(BPF_GRO_R_FILTERED);
	return bpf_gro_layer(gro, len, gh->protocol);
}

SEC("struct_ops/gre_complete")
int BPF_PROG(gre_complete, struct bpf_gro *gro)
{
	const struct gre_base_hdr *gh = bpf_gro_header(gro, 0, sizeof(*gh));

	if (exact && gh && gh->flags & GRE_CSUM)
		return bpf_gro_finish(gro, BPF_GRO_GSO_GRE | BPF_GRO_GSO_GRE_CSUM, 0);
	return bpf_gro_finish(gro, BPF_GRO_GSO_GRE, 0);
}

SEC(".struct_ops.link")
struct bpf_gro_ops gre = {
	.receive = (void *)gre_receive,
	.complete = (void *)gre_complete,
	.slots = {
		{ BPF_GRO_SLOT_IP, IPPROTO_GRE },
		{ BPF_GRO_SLOT_IP6, IPPROTO_GRE },
	},
	.name = "gre",
};
