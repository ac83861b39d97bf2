// SPDX-License-Identifier: GPL-2.0
/* Wants metadata treated as nobody knows. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
}

COMPLETE_AS_TCP

SEC(".struct_ops.link")
struct bpf_gro_ops policy = {
	.receive = (void *)test_receive,
	.complete = (void *)test_complete,
	.slots = {
		{ BPF_GRO_SLOT_IP, IPPROTO_TCP },
	},
	.name = "metadata_fail",
	.metadata = 77,
};
