// SPDX-License-Identifier: GPL-2.0
/* Holds datagrams whose checksum nobody has validated. */
#include "udp.h"

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	gro->hdr_len = sizeof(struct udphdr);
	if (bpf_gro_find_held(gro, PORTS, 0, sizeof(struct udphdr)))
		return bpf_gro_flush_held(BPF_GRO_R_POLICY);
	return bpf_gro_hold();
}

COMPLETE_AS_UDP

UDP_POLICY("udp_hold_unchecked_eject");
