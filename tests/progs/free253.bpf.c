// SPDX-License-Identifier: GPL-2.0
/*
 * A policy for IP protocol 253, which no kernel knows: 8 bytes of header, the position of the payload and the number of the flow.
 * tests/freeslot.bats feeds it.
 */
#include "policy.h"

struct free_header {
	__be32 seq;
	__be32 flow;
};

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct free_header *h = bpf_gro_header(gro, 0, sizeof(*h)), *held;

	if (!h)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	gro->hdr_len = sizeof(*h);
	held = bpf_gro_find_held(gro, BPF_GRO_RANGE(4, 4), 0, sizeof(*held));
	if (gro->len == sizeof(*h))
		return bpf_gro_pass(BPF_GRO_R_NO_PAYLOAD);
	if (!held)
		return bpf_gro_hold();
	if (gro->diff & BPF_GRO_DIFF_NEVER || bpf_ntohl(held->seq) + gro->held_len != bpf_ntohl(h->seq))
		return bpf_gro_flush_held(BPF_GRO_R_SEQUENCE);
	return gro->len - sizeof(*h) < gro->held_gso_size ? bpf_gro_join_flush(BPF_GRO_R_SHORT) : bpf_gro_join();
}

SEC("struct_ops/complete")
int BPF_PROG(test_complete, struct bpf_gro *gro)
{
	return bpf_gro_finish(gro, BPF_GRO_GSO_CHAIN, 0);
}

SEC(".struct_ops.link")
struct bpf_gro_ops policy = {
	.receive = (void *)test_receive,
	.complete = (void *)test_complete,
	.slots = {
		{ BPF_GRO_SLOT_IP, 253 },
		{ BPF_GRO_SLOT_IP6, 253 },
	},
	.name = "free253",
};
