/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small TCP policy to break one rule of. NAME_eject__VIOLATION.bpf.c defines what it does wrong and includes the rest;
 * NAME_fail__REASON.bpf.c must be refused at load or registration. tests/eject.bats runs all of them.
 */
#ifndef _TESTS_PROGS_POLICY_H
#define _TESTS_PROGS_POLICY_H

#include "vmlinux.h"
#include <bpf_gro/bpf_gro.h>

char _license[] SEC("license") = "GPL";

#define PORTS	BPF_GRO_RANGE(0, 4)

/* The header of an ordinary TCP packet, its length set; NULL to pass it. */
static __always_inline const struct tcphdr *tcp_header(struct bpf_gro *gro)
{
	const struct tcphdr *th = bpf_gro_header(gro, 0, sizeof(*th));

	if (!th || th->doff < 5 || th->doff * 4 > gro->len)
		return NULL;
	gro->hdr_len = th->doff * 4;
	return th;
}

/* A verdict that keeps the contract. */
static __always_inline int tcp_verdict(struct bpf_gro *gro, const struct tcphdr *th, const struct tcphdr *held)
{
	__u32 len = gro->len - gro->hdr_len;

	if (!len || th->syn || th->rst || th->fin)
		return bpf_gro_pass(BPF_GRO_R_CONTROL);
	if (!held)
		return th->psh ? bpf_gro_pass(BPF_GRO_R_PUSH) : bpf_gro_hold();
	if (gro->diff || th->doff != held->doff || bpf_ntohl(held->seq) + gro->held_len != bpf_ntohl(th->seq))
		return bpf_gro_flush_held(BPF_GRO_R_SEQUENCE);
	if (th->psh || len < gro->held_gso_size)
		return bpf_gro_join_flush(BPF_GRO_R_SHORT);
	return bpf_gro_join();
}

#define COMPLETE_AS_TCP								\
	SEC("struct_ops/complete")						\
	int BPF_PROG(test_complete, struct bpf_gro *gro)			\
	{									\
		return bpf_gro_finish(gro, BPF_GRO_GSO_TCP, offsetof(struct tcphdr, check)); \
	}

#define POLICY(policy_name)	POLICY_WITH_KEY(policy_name, 0, 0)

#define POLICY_WITH_KEY(policy_name, the_key, the_compare)			\
	SEC(".struct_ops.link")							\
	struct bpf_gro_ops policy = {						\
		.receive = (void *)test_receive,				\
		.complete = (void *)test_complete,				\
		.slots = {							\
			{ BPF_GRO_SLOT_IP, IPPROTO_TCP },			\
			{ BPF_GRO_SLOT_IP6, IPPROTO_TCP },			\
		},								\
		.name = policy_name,						\
		.key = the_key,							\
		.compare = the_compare,						\
	}

#endif /* _TESTS_PROGS_POLICY_H */
