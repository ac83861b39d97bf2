// SPDX-License-Identifier: GPL-2.0
/* Reads behind the header bytes that it asked for: refused by the verifier. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const __u8 *th = bpf_gro_header(gro, 0, 20);

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	return bpf_gro_pass(th[20] ? BPF_GRO_R_CHECKSUM : BPF_GRO_R_TRUNCATED);
}

COMPLETE_AS_TCP

POLICY("read_beyond_fail");
