// SPDX-License-Identifier: GPL-2.0
/* Leaves to native code what it has told apart in a way of its own. */
#include "udp.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	gro->hdr_len = sizeof(struct udphdr);
	bpf_gro_find_held(gro, BPF_GRO_RANGE(4, 4), 0, sizeof(struct udphdr));
	return bpf_gro_next();
}

COMPLETE_AS_UDP

UDP_POLICY("udp_next_eject");
