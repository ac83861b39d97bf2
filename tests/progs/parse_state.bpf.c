// SPDX-License-Identifier: GPL-2.0
/* Joins TCP segments only if their parse state says what GRO has found out itself, and wants that of the aggregate, too. */
#include "policy.h"

#define ETH_HLEN	14

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro, const struct tcphdr *th, const struct tcphdr *held)
{
	const struct gro_parse_state *st = bpf_gro_parse_state(gro);

	if (gro->avail < sizeof(*th) || th->doff < 5 || th->doff * 4 > gro->len)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	gro->hdr_len = th->doff * 4;
	if (!st || st->proto != IPPROTO_TCP || st->trans_off != gro->offset + ETH_HLEN ||
	    st->net_proto != (gro->flags & BPF_GRO_F_IP6 ? 0x86dd : 0x0800) || !st->encap != !(gro->flags & BPF_GRO_F_ENCAP))
		return bpf_gro_pass(BPF_GRO_R_POLICY);
	return tcp_verdict(gro, th, held);
}

SEC("struct_ops/complete")
int BPF_PROG(test_complete, struct bpf_gro *gro)
{
	if (!bpf_gro_parse_state(gro))
		return -1;
	return bpf_gro_finish(gro, BPF_GRO_GSO_TCP, offsetof(struct tcphdr, check));
}

POLICY_WITH_KEY("parse_state", PORTS, BPF_GRO_REST(sizeof(struct tcphdr)));
