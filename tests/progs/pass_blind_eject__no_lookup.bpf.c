// SPDX-License-Identifier: GPL-2.0
/* Passes a sound packet without looking for the held packet of the flow. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro);

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	(void)th;
	return bpf_gro_pass(BPF_GRO_R_POLICY);
}

COMPLETE_AS_TCP

POLICY("pass_blind_eject");
