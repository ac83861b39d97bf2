// SPDX-License-Identifier: GPL-2.0
/* Goes on behind a header whose checksum nobody has validated. */
#include "udp.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	if (bpf_gro_match_layer(gro, BPF_GRO_RANGE(0, 4)))
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	return bpf_gro_layer(gro, 8, bpf_htons(0x0800));
}

COMPLETE_AS_UDP

GRE_POLICY("gre_unchecked_eject");
