// SPDX-License-Identifier: GPL-2.0
/* Cannot finish what it joins. */
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



SEC(".struct_ops.link")
struct bpf_gro_ops policy = {
	.receive = (void *)test_receive,
	.slots = { { BPF_GRO_SLOT_IP, IPPROTO_TCP } },
	.name = "no_complete_fail",
};
