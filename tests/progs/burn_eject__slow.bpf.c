// SPDX-License-Identifier: GPL-2.0
/* Takes far too long per packet. */
#include "policy.h"

__u64 burnt;

static int burn(__u64 i, void *ctx)
{
	burnt = burnt * 6364136223846793005ULL + i;
	return 0;
}

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro), *held;

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	bpf_loop(8 << 20, burn, NULL, 0);
	held = bpf_gro_find_held(gro, PORTS, 0, sizeof(*held));
	return tcp_verdict(gro, th, held);
}

COMPLETE_AS_TCP

POLICY("burn_eject");
