// SPDX-License-Identifier: GPL-2.0
/* Looks for what is held at this layer, where nothing is, and goes on. */
#include "udp.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	gro->hdr_len = 4;
	bpf_gro_find_held(gro, BPF_GRO_RANGE(0, 4), 0, 4);
	return bpf_gro_layer(gro, 4, bpf_htons(0x0800));
}

COMPLETE_AS_UDP

GRE_POLICY("gre_layer_found_eject");
