// SPDX-License-Identifier: GPL-2.0
/* Joins a short segment and goes on: the lengths could not be split again. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro), *held;

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	held = bpf_gro_find_held(gro, PORTS, 0, sizeof(*held));
	if (held && !(gro->diff & BPF_GRO_DIFF_NEVER) && gro->len - gro->hdr_len < gro->held_gso_size)
		return bpf_gro_join();
	return tcp_verdict(gro, th, held);
}

COMPLETE_AS_TCP

POLICY("short_middle_eject");
