// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The policy of docs/writing-a-policy.md: a protocol that Linux does not know, IP protocol 253 (for experiments,
 * RFC 3692), whose header has the position of the payload in the flow and the flow's number.
 *
 * Joins: consecutive packets of one flow, up to the device's size limit; a shorter one ends the aggregate.
 * Never joins: packets without payload, and after a gap.
 */
#include "vmlinux.h"
#include <bpf_gro/bpf_gro.h>

char _license[] SEC("license") = "Dual BSD/GPL";

BPF_GRO_SUMMARY("example: IP protocol 253 with a sequence number");

const volatile __u32 max_segs;
BPF_GRO_OPTION_HELP(max_segs, "packets per aggregate at most; 0: as many as the module allows");

struct seqhdr {
	__be32 seq;	/* position of the payload's first byte */
	__be32 flow;
};

#define SEQ_FLOW	BPF_GRO_RANGE(4, 4)

SEC("struct_ops/seq_receive")
int BPF_PROG(seq_receive, struct bpf_gro *gro, const struct seqhdr *h, const struct seqhdr *held)
{
	__u32 len = gro->len - sizeof(*h);

	if (gro->avail < sizeof(*h))
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	gro->hdr_len = sizeof(*h);
	if (!len)
		return bpf_gro_pass(BPF_GRO_R_NO_PAYLOAD);
	if (!held)
		return bpf_gro_hold();
	if (bpf_ntohl(held->seq) + gro->held_len != bpf_ntohl(h->seq))
		return bpf_gro_flush_held(BPF_GRO_R_SEQUENCE);
	if (gro->diff & BPF_GRO_DIFF_NEVER)
		return bpf_gro_flush_held(bpf_gro_diff_reason(gro->diff));
	if (max_segs && gro->held_segs >= max_segs)
		return bpf_gro_flush_held(BPF_GRO_R_SEGS);
	if (len < gro->held_gso_size)
		return bpf_gro_join_flush(BPF_GRO_R_SHORT);
	return bpf_gro_join();
}

SEC("struct_ops/seq_complete")
int BPF_PROG(seq_complete, struct bpf_gro *gro)
{
	return bpf_gro_finish(gro, BPF_GRO_GSO_CHAIN, 0);
}

SEC(".struct_ops.link")
struct bpf_gro_ops seq = {
	.receive = (void *)seq_receive,
	.complete = (void *)seq_complete,
	.slots = {
		{ BPF_GRO_SLOT_IP, 253 },
		{ BPF_GRO_SLOT_IP6, 253 },
	},
	.key = SEQ_FLOW,
	.name = "seq",
};
