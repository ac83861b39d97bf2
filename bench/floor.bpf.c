// SPDX-License-Identifier: GPL-2.0
/*
 * A policy for measuring only: it joins without looking at the packet. What it costs above native GRO is what the hook itself costs; what a
 * policy costs above it is the policy's own.
 *
 * Joins: whatever comes behind the same addresses and ports with a header of the same length.
 * Never joins: nothing that the module allows. It is wrong on real traffic: sequence numbers are not looked at.
 * Does badly: wherever packets are not in order.
 *
 * Options: hdr.
 */
#include "vmlinux.h"
#include <bpf_gro/bpf_gro.h>

char _license[] SEC("license") = "GPL";

BPF_GRO_SUMMARY("for measuring only: joins without looking");

const volatile __u32 hdr = 32;
BPF_GRO_OPTION_HELP(hdr, "length of the transport header, bytes");

SEC("struct_ops/floor_receive")
int BPF_PROG(floor_receive, struct bpf_gro *gro, const struct bpf_gro_hdr *th, const struct bpf_gro_hdr *held)
{
	gro->hdr_len = hdr;
	return held ? bpf_gro_join() : bpf_gro_hold();
}

SEC("struct_ops/floor_complete")
int BPF_PROG(floor_complete, struct bpf_gro *gro)
{
	return bpf_gro_finish(gro, BPF_GRO_GSO_TCP, 16);
}

SEC(".struct_ops.link")
struct bpf_gro_ops floor_ops = {
	.receive = (void *)floor_receive,
	.complete = (void *)floor_complete,
	.flags = BPF_GRO_OPS_CSUM,
	.key = BPF_GRO_RANGE(0, 4),
	.slots = {
		{ BPF_GRO_SLOT_IP, IPPROTO_TCP },
		{ BPF_GRO_SLOT_IP6, IPPROTO_TCP },
	},
	.name = "floor",
};
