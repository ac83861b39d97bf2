// SPDX-License-Identifier: GPL-2.0
/* Has splitting write a checksum where the header has none. */
#include "udp.h"

RECEIVE_LAYER(4, 0x0800)

SEC("struct_ops/complete")
int BPF_PROG(test_complete, struct bpf_gro *gro)
{
	return bpf_gro_finish(gro, BPF_GRO_GSO_GRE | BPF_GRO_GSO_GRE_CSUM, 0);
}

GRE_POLICY("gre_csum_absent_eject");
