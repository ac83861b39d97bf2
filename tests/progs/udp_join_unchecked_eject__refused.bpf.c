// SPDX-License-Identifier: GPL-2.0
/* Validates what it holds, but not what it joins. */
#include "udp.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	gro->hdr_len = sizeof(struct udphdr);
	if (bpf_gro_find_held(gro, PORTS, 0, sizeof(struct udphdr)))
		return bpf_gro_join();
	if (bpf_gro_csum(gro, BPF_GRO_CSUM_UDP))
		return bpf_gro_pass(BPF_GRO_R_CHECKSUM);
	return bpf_gro_hold();
}

COMPLETE_AS_UDP

UDP_POLICY("udp_join_unchecked_eject");
