// SPDX-License-Identifier: GPL-2.0
/* Asks for a split that is not its protocol's. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro), *held;

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	held = bpf_gro_find_held(gro, PORTS, 0, sizeof(*held));
	return tcp_verdict(gro, th, held);
}

SEC("struct_ops/complete")
int BPF_PROG(test_complete, struct bpf_gro *gro)
{
	return bpf_gro_finish(gro, 1U << 31, 0);
}

POLICY("complete_wrong_eject");
