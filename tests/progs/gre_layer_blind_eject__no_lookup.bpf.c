// SPDX-License-Identifier: GPL-2.0
/* Goes on to the layer inside without telling tunnels apart. */
#include "udp.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	return bpf_gro_layer(gro, 4, bpf_htons(0x0800));
}

COMPLETE_AS_UDP

GRE_POLICY("gre_layer_blind_eject");
