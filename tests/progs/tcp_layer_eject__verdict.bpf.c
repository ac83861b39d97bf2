// SPDX-License-Identifier: GPL-2.0
/* Goes on behind a header that carries no layer. */
#include "policy.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	bpf_gro_match_layer(gro, PORTS);
	return bpf_gro_layer(gro, 20, bpf_htons(0x0800));
}

COMPLETE_AS_TCP

POLICY("tcp_layer_eject");
