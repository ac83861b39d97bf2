// SPDX-License-Identifier: GPL-2.0
/* Gives the second packet of a flow another header length than the first: payload would shift. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro), *held;

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	held = bpf_gro_find_held(gro, PORTS, 0, sizeof(*held));
	if (held) {
		gro->hdr_len = sizeof(*th);
		if (!(gro->diff & BPF_GRO_DIFF_NEVER))
			return bpf_gro_join_flush(BPF_GRO_R_POLICY);
	}
	return tcp_verdict(gro, th, held);
}

COMPLETE_AS_TCP

POLICY("hdr_shrinks_eject");
