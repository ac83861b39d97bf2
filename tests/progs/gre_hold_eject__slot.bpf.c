// SPDX-License-Identifier: GPL-2.0
/* Holds packets of a protocol that only carries others. */
#include "udp.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	gro->hdr_len = 4;
	if (bpf_gro_find_held(gro, BPF_GRO_RANGE(0, 4), 0, 4))
		return bpf_gro_join();
	return bpf_gro_hold();
}

COMPLETE_AS_UDP

GRE_POLICY("gre_hold_eject");
