// SPDX-License-Identifier: GPL-2.0
/* A key of more bytes than are compared. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro, const struct tcphdr *th, const struct tcphdr *held)
{
	return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
}

COMPLETE_AS_TCP

POLICY_WITH_KEY("key_long_fail", BPF_GRO_RANGE(0, 65), 0);
