/* SPDX-License-Identifier: GPL-2.0 */
/* As policy.h, for UDP and GRE. */
#ifndef _TESTS_PROGS_UDP_H
#define _TESTS_PROGS_UDP_H

#include "policy.h"

#define COMPLETE_AS_UDP								\
	SEC("struct_ops/complete")						\
	int BPF_PROG(test_complete, struct bpf_gro *gro)			\
	{									\
		return bpf_gro_finish(gro, BPF_GRO_GSO_UDP, offsetof(struct udphdr, check)); \
	}

#define UDP_POLICY(policy_name)							\
	SEC(".struct_ops.link")							\
	struct bpf_gro_ops policy = {						\
		.receive = (void *)test_receive,				\
		.complete = (void *)test_complete,				\
		.slots = {							\
			{ BPF_GRO_SLOT_IP, IPPROTO_UDP },			\
			{ BPF_GRO_SLOT_IP6, IPPROTO_UDP },			\
		},								\
		.name = policy_name,						\
	}

/* A receive that tells tunnels apart and goes on with @next behind @len bytes of header. */
#define RECEIVE_LAYER(len, next)						\
	SEC("struct_ops/receive")						\
	int BPF_PROG(test_receive, struct bpf_gro *gro)				\
	{									\
		if (bpf_gro_match_layer(gro, BPF_GRO_RANGE(0, 4)))		\
			return bpf_gro_pass(BPF_GRO_R_TRUNCATED);		\
		return bpf_gro_layer(gro, len, bpf_htons(next));		\
	}

#define GRE_POLICY(policy_name)							\
	SEC(".struct_ops.link")							\
	struct bpf_gro_ops policy = {						\
		.receive = (void *)test_receive,				\
		.complete = (void *)test_complete,				\
		.slots = {							\
			{ BPF_GRO_SLOT_IP, IPPROTO_GRE },			\
			{ BPF_GRO_SLOT_IP6, IPPROTO_GRE },			\
		},								\
		.name = policy_name,						\
	}

#endif /* _TESTS_PROGS_UDP_H */
