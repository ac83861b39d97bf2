// SPDX-License-Identifier: GPL-2.0
/*
 * Tells bpf_rx_header.ko when mlx5's receive function runs, and what the completion entry of the packet says: mlx5 asks for the header length
 * on transmit, too, and there no policy may answer. The entry's fields are found in the running driver's BTF.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_endian.h>
#include <bpf_gro/rx_header.h>

char _license[] SEC("license") = "GPL";

struct mlx5_cqe64___entry {
	__u8 tls_outer_l3_tunneled;
	__u8 l4_l3_hdr_type;
	__be32 srqn;
	__be32 byte_cnt;
} __attribute__((preserve_access_index));

/* l4_l3_hdr_type, from the top: 3 bits of transport header behind an unused one, 2 of network header, the VLAN bit. */
#define CQE_L4(type)	((type) >> 4 & 7)
#define CQE_L3(type)	((type) >> 2 & 3)
#define CQE_VLAN(type)	((type) & 1)
#define CQE_L4_UDP	2
#define CQE_L3_IP6	1
#define CQE_L3_IP	2
#define CQE_TUNNELED	1

extern int bpf_rx_header_enter(__u64 ip, const struct bpf_rx_header_cqe *cqe) __ksym;
extern void bpf_rx_header_leave(void) __ksym;

static __always_inline __u8 l4_of(__u8 type)
{
	if (!CQE_L4(type))
		return BPF_RX_HEADER_L4_NONE;
	return CQE_L4(type) == CQE_L4_UDP ? BPF_RX_HEADER_L4_UDP : BPF_RX_HEADER_L4_TCP;
}

static __always_inline __u8 l3_of(__u8 type)
{
	if (CQE_L3(type) == CQE_L3_IP)
		return BPF_RX_HEADER_L3_IP;
	return CQE_L3(type) == CQE_L3_IP6 ? BPF_RX_HEADER_L3_IP6 : BPF_RX_HEADER_L3_NONE;
}

SEC("fentry/mlx5e_skb_from_cqe_mpwrq_nonlinear")
int BPF_PROG(mlx5_enter, void *rq, void *wi, struct mlx5_cqe64___entry *entry)
{
	__u8 type = entry->l4_l3_hdr_type;
	struct bpf_rx_header_cqe cqe = {
		.len = bpf_ntohl(entry->byte_cnt),
		.lro_segs = bpf_ntohl(entry->srqn) >> 24,
		.l3 = l3_of(type),
		.l4 = l4_of(type),
		.vlan = CQE_VLAN(type),
		.tunnel = entry->tls_outer_l3_tunneled & CQE_TUNNELED,
	};

	bpf_rx_header_enter(bpf_get_func_ip(ctx), &cqe);
	return 0;
}

SEC("fexit/mlx5e_skb_from_cqe_mpwrq_nonlinear")
int BPF_PROG(mlx5_leave)
{
	bpf_rx_header_leave();
	return 0;
}
