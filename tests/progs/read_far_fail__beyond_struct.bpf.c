// SPDX-License-Identifier: GPL-2.0
/* Reads further than the header that it is given may reach: refused by the verifier. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro, const __u8 *hdr)
{
	return bpf_gro_pass(hdr[BPF_GRO_HDR_MAX] ? BPF_GRO_R_CHECKSUM : BPF_GRO_R_TRUNCATED);
}

COMPLETE_AS_TCP

POLICY_WITH_KEY("read_far_fail", PORTS, 0);
