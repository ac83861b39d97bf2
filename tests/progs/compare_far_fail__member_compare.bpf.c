// SPDX-License-Identifier: GPL-2.0
/* Wants bytes compared where no header is. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro, const struct tcphdr *th, const struct tcphdr *held)
{
	return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
}

COMPLETE_AS_TCP

POLICY_WITH_KEY("compare_far_fail", PORTS, BPF_GRO_RANGE(300, 4));
