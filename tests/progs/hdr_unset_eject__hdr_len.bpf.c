// SPDX-License-Identifier: GPL-2.0
/* Never says how long the header is. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro), *held;

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	gro->hdr_len = 0;
	held = bpf_gro_find_held(gro, PORTS, 0, sizeof(*held));
	return held ? bpf_gro_join() : bpf_gro_hold();
}

COMPLETE_AS_TCP

POLICY("hdr_unset_eject");
