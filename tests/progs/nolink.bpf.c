// SPDX-License-Identifier: GPL-2.0
/* A policy in a section whose maps have no link: bpftool registers it so, groctl gives it one. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro);

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	return tcp_verdict(gro, th, bpf_gro_find_held(gro, PORTS, 0, sizeof(*th)));
}

COMPLETE_AS_TCP

SEC(".struct_ops")
struct bpf_gro_ops policy = {
	.receive = (void *)test_receive,
	.complete = (void *)test_complete,
	.slots = {
		{ BPF_GRO_SLOT_IP, IPPROTO_TCP },
	},
	.name = "nolink",
};
