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
