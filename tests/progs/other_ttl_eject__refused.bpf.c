// SPDX-License-Identifier: GPL-2.0
/* Joins packets whose network headers differ. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro), *held;

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	held = bpf_gro_find_held(gro, PORTS, 0, sizeof(*held));
	if (held && gro->diff & BPF_GRO_DIFF_NETWORK)
		return bpf_gro_join();
	return tcp_verdict(gro, th, held);
}

COMPLETE_AS_TCP

POLICY("other_ttl_eject");
