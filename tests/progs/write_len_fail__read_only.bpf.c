// SPDX-License-Identifier: GPL-2.0
/* Writes a field that is not its to write: refused by the verifier. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro), *held;

	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	gro->len = 0;
	held = bpf_gro_find_held(gro, PORTS, 0, sizeof(*held));
	return tcp_verdict(gro, th, held);
}

COMPLETE_AS_TCP

POLICY("write_len_fail");
