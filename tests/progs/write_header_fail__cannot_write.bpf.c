// SPDX-License-Identifier: GPL-2.0
/* Writes to header bytes: refused by the verifier. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	struct tcphdr *th = (void *)bpf_gro_header(gro, 0, sizeof(*th));

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	th->psh = 0;
	return bpf_gro_pass(BPF_GRO_R_CHECKSUM);
}

COMPLETE_AS_TCP

POLICY("write_header_fail");
