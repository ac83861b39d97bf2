// SPDX-License-Identifier: GPL-2.0
/*
 * Copies as much as the driver's linear part holds, 256 bytes at most: what mlx5 did before Linux 6.18.
 *
 * Answers: every packet.
 * Does badly: bulk traffic. Payload in the linear part keeps GRO from joining by page fragments; it chains whole packets instead, which costs
 * memory and cache misses. Good where packets are small anyway, or as the other end of a comparison.
 *
 * Options: none.
 */
#include "vmlinux.h"
#include <bpf_gro/bpf_gro.h>
#include <bpf_gro/rx_header.h>

char _license[] SEC("license") = "GPL";

BPF_GRO_SUMMARY("as much as fits, 256 bytes at most: mlx5 before Linux 6.18");

SEC("struct_ops/header_len")
__u32 BPF_PROG(copy_all_header_len, struct bpf_rx_header *pkt)
{
	return BPF_RX_HEADER_MAX;
}

SEC(".struct_ops.link")
struct bpf_rx_header_ops copy_all = {
	.header_len = (void *)copy_all_header_len,
	.name = "copy-all",
};
