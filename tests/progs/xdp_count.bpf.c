// SPDX-License-Identifier: GPL-2.0
/* XDP for tests/metadata.bats: 8 bytes of metadata that no two packets have in common, a number; none on each 64th packet. */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "GPL";

__u64 packets;

SEC("xdp")
int xdp_count(struct xdp_md *ctx)
{
	__u64 n = __sync_fetch_and_add(&packets, 1), *meta;

	if (n % 64 == 63 || bpf_xdp_adjust_meta(ctx, -(int)sizeof(*meta)))
		return XDP_PASS;
	meta = (void *)(long)ctx->data_meta;
	if ((void *)(meta + 1) <= (void *)(long)ctx->data)
		*meta = n;
	return XDP_PASS;
}
