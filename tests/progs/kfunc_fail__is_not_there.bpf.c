// SPDX-License-Identifier: GPL-2.0
/* Refused: calls a kfunc that the module has not, as a policy for a newer module would. */
#include "policy.h"

extern int bpf_gro_of_next_year(struct bpf_gro *gro) __ksym;

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	return bpf_gro_pass(bpf_gro_of_next_year(gro) ? BPF_GRO_R_CHECKSUM : BPF_GRO_R_TRUNCATED);
}

COMPLETE_AS_TCP

POLICY("kfunc_fail");
