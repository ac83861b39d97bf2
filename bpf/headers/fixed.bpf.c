// SPDX-License-Identifier: GPL-2.0
/*
 * Always the same length: for hosts whose traffic has one kind of headers, and for measuring.
 *
 * Answers: every packet.
 * Does badly: where headers differ. Too short, and GRO has to pull headers; too long, and it chains packets.
 *
 * Options: bytes.
 */
#include "vmlinux.h"
#include <bpf_gro/bpf_gro.h>
#include <bpf_gro/rx_header.h>

char _license[] SEC("license") = "GPL";

BPF_GRO_SUMMARY("always the same length");

/* Ethernet, IPv4 and TCP with timestamps. */
const volatile __u16 bytes = 66;
BPF_GRO_OPTION_HELP(bytes, "14 to 256; others count as out of bounds and are native");

SEC("struct_ops/header_len")
__u32 BPF_PROG(fixed_header_len, struct bpf_rx_header *pkt)
{
	return bytes;
}

SEC(".struct_ops.link")
struct bpf_rx_header_ops fixed = {
	.header_len = (void *)fixed_header_len,
	.name = "fixed",
};
