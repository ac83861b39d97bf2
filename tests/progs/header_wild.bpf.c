// SPDX-License-Identifier: GPL-2.0
/*
 * A header-length policy that answers anything: another number for each packet, allowed, too large, too small, none. For all igb devices
 * unless it is given another place.
 */
#include "vmlinux.h"
#include <bpf_gro/bpf_gro.h>
#include <bpf_gro/rx_header.h>

char _license[] SEC("license") = "GPL";

const volatile __u32 always;
BPF_GRO_OPTION_HELP(always, "answer this instead, if it is not 0");

SEC("struct_ops/header_len")
__u32 BPF_PROG(wild_header_len, struct bpf_rx_header *pkt)
{
	__u32 r = bpf_get_prandom_u32();

	if (always)
		return always;
	switch (r & 7) {
	case 0:
		return 0;
	case 1:
		return r >> 3 & 15;
	case 2:
		return pkt->limit + 1;
	case 3:
		return r;
	case 4:
		return 100000;
	default:
		return r >> 3 & 255;
	}
}

SEC(".struct_ops.link")
struct bpf_rx_header_ops wild = {
	.header_len = (void *)wild_header_len,
	.driver = "igb",
	.name = "wild",
};
