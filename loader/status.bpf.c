// SPDX-License-Identifier: GPL-2.0
/*
 * Asks the module for its status. The buffers hold the structs of abi.h byte for byte: no field is relocated here, the module gives
 * an older or newer groctl what both know.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf_gro/abi.h>

char _license[] SEC("license") = "GPL";

extern int bpf_gro_status_module(void *buf, __u32 buf__sz) __ksym __weak;
extern int bpf_gro_status_policy(__u32 n, void *buf, __u32 buf__sz) __ksym __weak;
extern int bpf_gro_status_stats(__u32 n, __s32 cpu, void *buf, __u32 buf__sz) __ksym __weak;

#define NOT_THERE	(-95)	/* EOPNOTSUPP */

__u32 n;
__s32 cpu;
__u8 module_buf[sizeof(struct bpf_gro_module_status)] __attribute__((aligned(8)));
__u8 policy_buf[sizeof(struct bpf_gro_policy_status)] __attribute__((aligned(8)));
__u8 stats_buf[sizeof(struct bpf_gro_stats)] __attribute__((aligned(8)));

SEC("syscall")
int read_module(void *ctx)
{
	if (!bpf_ksym_exists(bpf_gro_status_module))
		return NOT_THERE;
	return bpf_gro_status_module(module_buf, sizeof(module_buf));
}

SEC("syscall")
int read_policy(void *ctx)
{
	if (!bpf_ksym_exists(bpf_gro_status_policy))
		return NOT_THERE;
	return bpf_gro_status_policy(n, policy_buf, sizeof(policy_buf));
}

SEC("syscall")
int read_stats(void *ctx)
{
	if (!bpf_ksym_exists(bpf_gro_status_stats))
		return NOT_THERE;
	return bpf_gro_status_stats(n, cpu, stats_buf, sizeof(stats_buf));
}
