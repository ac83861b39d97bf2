// SPDX-License-Identifier: GPL-2.0
/* Declares a key, and looks for another one as well: it finds nothing, and holds the packet beside the held one of its flow. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro), *held;

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	held = bpf_gro_find_held(gro, BPF_GRO_RANGE(0, 8), 0, sizeof(*held));
	return tcp_verdict(gro, th, held);
}

COMPLETE_AS_TCP

POLICY_WITH_KEY("key_find_eject", PORTS, 0);
