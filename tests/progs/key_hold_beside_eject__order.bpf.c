// SPDX-License-Identifier: GPL-2.0
/* Declares a key, and holds a packet beside the held one of its flow that it was given. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro, const struct tcphdr *th, const struct tcphdr *held)
{
	if (gro->avail < sizeof(*th))
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	gro->hdr_len = th->doff * 4;
	return bpf_gro_hold();
}

COMPLETE_AS_TCP

POLICY_WITH_KEY("key_hold_beside_eject", PORTS, 0);
