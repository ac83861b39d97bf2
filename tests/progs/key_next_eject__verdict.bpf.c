// SPDX-License-Identifier: GPL-2.0
/* Declares a key, and gives the packet to native code after the module has looked for its flow. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro, const struct tcphdr *th, const struct tcphdr *held)
{
	return bpf_gro_next();
}

COMPLETE_AS_TCP

POLICY_WITH_KEY("key_next_eject", PORTS, 0);
