// SPDX-License-Identifier: GPL-2.0
/* Says that the header is longer than the packet. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro), *held;

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	held = bpf_gro_find_held(gro, PORTS, 0, sizeof(*held));
	(void)held;
	gro->hdr_len = gro->len + 1;
	return bpf_gro_hold();
}

COMPLETE_AS_TCP

POLICY("hdr_beyond_eject");
