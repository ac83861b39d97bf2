// SPDX-License-Identifier: GPL-2.0
/* Flushes a held packet that it did not find. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro), *held;

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	held = bpf_gro_find_held(gro, PORTS, 0, sizeof(*held));
	(void)held;
	return bpf_gro_flush_held(BPF_GRO_R_SEQUENCE);
}

COMPLETE_AS_TCP

POLICY("flush_nothing_eject");
