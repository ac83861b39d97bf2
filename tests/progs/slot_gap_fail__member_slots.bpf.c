// SPDX-License-Identifier: GPL-2.0
/* Leaves a gap in its list of slots. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro), *held;

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	held = bpf_gro_find_held(gro, PORTS, 0, sizeof(*held));
	return tcp_verdict(gro, th, held);
}

COMPLETE_AS_TCP

SEC(".struct_ops.link")
struct bpf_gro_ops policy = {
	.receive = (void *)test_receive,
	.complete = (void *)test_complete,
	.slots = { { BPF_GRO_SLOT_IP, 6 }, { 0, 0 }, { BPF_GRO_SLOT_IP6, 6 } },
	.name = "slot_gap_fail",
};
