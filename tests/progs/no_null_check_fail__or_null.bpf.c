// SPDX-License-Identifier: GPL-2.0
/* Does not look whether the header is there: refused by the verifier. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = bpf_gro_header(gro, 0, sizeof(*th));

	return bpf_gro_pass(th->psh ? BPF_GRO_R_CHECKSUM : BPF_GRO_R_TRUNCATED);
}

COMPLETE_AS_TCP

POLICY("no_null_check_fail");
