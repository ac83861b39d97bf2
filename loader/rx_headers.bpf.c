// SPDX-License-Identifier: GPL-2.0
/* Asks bpf_rx_header.ko for its status, as status.bpf.c asks bpf_gro.ko. */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf_gro/rx_header.h>

char _license[] SEC("license") = "GPL";

extern int bpf_rx_header_status_module(void *buf, __u32 buf__sz) __ksym;
extern int bpf_rx_header_status_policy(__u32 n, void *buf, __u32 buf__sz) __ksym;
extern int bpf_rx_header_status_device(__u32 n, void *buf, __u32 buf__sz) __ksym;

__u32 n;
__u8 module_buf[sizeof(struct bpf_rx_header_module_status)] __attribute__((aligned(8)));
__u8 policy_buf[sizeof(struct bpf_rx_header_status)] __attribute__((aligned(8)));
__u8 device_buf[sizeof(struct bpf_rx_header_device_status)] __attribute__((aligned(8)));

SEC("syscall")
int headers_module(void *ctx)
{
	return bpf_rx_header_status_module(module_buf, sizeof(module_buf));
}

SEC("syscall")
int headers_policy(void *ctx)
{
	return bpf_rx_header_status_policy(n, policy_buf, sizeof(policy_buf));
}

SEC("syscall")
int headers_device(void *ctx)
{
	return bpf_rx_header_status_device(n, device_buf, sizeof(device_buf));
}
