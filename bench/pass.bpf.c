// SPDX-License-Identifier: GPL-2.0
/* XDP that does nothing: what running any XDP program costs. */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "GPL";

SEC("xdp")
int pass(struct xdp_md *xdp)
{
	return XDP_PASS;
}
