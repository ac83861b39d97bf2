// SPDX-License-Identifier: GPL-2.0
/* Returns a verdict that does not exist, at a slot without a native handler. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	return 99;
}

SEC("struct_ops/complete")
int BPF_PROG(test_complete, struct bpf_gro *gro)
{
	return bpf_gro_finish(gro, BPF_GRO_GSO_CHAIN, 0);
}

SEC(".struct_ops.link")
struct bpf_gro_ops policy = {
	.receive = (void *)test_receive,
	.complete = (void *)test_complete,
	.slots = {
		{ BPF_GRO_SLOT_IP, 253 },
		{ BPF_GRO_SLOT_IP6, 253 },
	},
	.name = "free253_eject",
};
