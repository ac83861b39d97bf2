// SPDX-License-Identifier: GPL-2.0
/* Writes to the header that it is given: refused by the verifier. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro, struct tcphdr *th)
{
	th->window = 0;
	return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
}

COMPLETE_AS_TCP

POLICY_WITH_KEY("write_hdr_fail", PORTS, 0);
