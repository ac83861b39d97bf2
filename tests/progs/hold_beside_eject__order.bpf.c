// SPDX-License-Identifier: GPL-2.0
/* Holds a second packet of a flow beside the first: no flush where order demands one. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro), *held;

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	held = bpf_gro_find_held(gro, PORTS, 0, sizeof(*held));
	(void)held;
	return bpf_gro_hold();
}

COMPLETE_AS_TCP

POLICY("hold_beside_eject");
