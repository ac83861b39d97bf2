// SPDX-License-Identifier: GPL-2.0
/* Does not look whether there is a held packet: refused by the verifier. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro, const struct tcphdr *th, const struct tcphdr *held)
{
	return bpf_gro_pass(held->psh ? BPF_GRO_R_CHECKSUM : BPF_GRO_R_TRUNCATED);
}

COMPLETE_AS_TCP

POLICY_WITH_KEY("held_unchecked_fail", PORTS, 0);
