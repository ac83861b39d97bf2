// SPDX-License-Identifier: GPL-2.0
/* Declares its key at a slot behind which other layers may come. */
#include "udp.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	return bpf_gro_pass(BPF_GRO_R_POLICY);
}

COMPLETE_AS_UDP

SEC(".struct_ops.link")
struct bpf_gro_ops policy = {
	.receive = (void *)test_receive,
	.complete = (void *)test_complete,
	.key = PORTS,
	.slots = {
		{ BPF_GRO_SLOT_IP, IPPROTO_UDP },
	},
	.name = "udp_key_fail",
};
