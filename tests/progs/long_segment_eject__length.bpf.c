// SPDX-License-Identifier: GPL-2.0
/* Joins a segment that is longer than the first. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro), *held;

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	held = bpf_gro_find_held(gro, PORTS, 0, sizeof(*held));
	if (held && gro->diff & BPF_GRO_DIFF_LONG && gro->len > gro->hdr_len)
		return bpf_gro_join_flush(BPF_GRO_R_LONG);
	return tcp_verdict(gro, th, held);
}

COMPLETE_AS_TCP

POLICY("long_segment_eject");
