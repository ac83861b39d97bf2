/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Header-length policies: the contract between bpf_rx_header.ko, BPF programs and user space, and the SDK for authors.
 *
 *	#include "vmlinux.h"
 *	#include <bpf_gro/bpf_gro.h>
 *	#include <bpf_gro/rx_header.h>
 *
 * Everything here is only ever appended to; BPF_RX_HEADER_ABI counts the appendings.
 */
#ifndef _BPF_GRO_RX_HEADER_H
#define _BPF_GRO_RX_HEADER_H

#include <bpf_gro/abi.h>

#define BPF_RX_HEADER_ABI		1

#ifdef __bpf__
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
#endif

#define BPF_RX_HEADER_NAME_LEN		32	/* policy name, with its final zero */
#define BPF_RX_HEADER_DEVICE_LEN	16	/* device name, with its final zero */
#define BPF_RX_HEADER_DRIVER_LEN	32	/* driver name, with its final zero */

/* What header_len may return besides 0. */
#define BPF_RX_HEADER_MIN		14	/* less, and eth_type_trans() has to pull */
#define BPF_RX_HEADER_MAX		256	/* no driver's linear part is made for more */

/* bpf_rx_header.l3 and .l4: what the device says that the packet is. */
enum bpf_rx_header_l3 {
	BPF_RX_HEADER_L3_NONE	= 0,
	BPF_RX_HEADER_L3_IP6	= 1,
	BPF_RX_HEADER_L3_IP	= 2,
};

enum bpf_rx_header_l4 {
	BPF_RX_HEADER_L4_NONE	= 0,
	BPF_RX_HEADER_L4_TCP	= 1,
	BPF_RX_HEADER_L4_UDP	= 2,
};

/* bpf_rx_header.flags */
enum bpf_rx_header_flags {
	BPF_RX_HEADER_F_CQE	= 1U << 0,	/* l3, l4, vlan, tunnel, lro_segs and len come from the completion entry */
};

/**
 * struct bpf_rx_header - a packet whose header length the driver asks for
 * @ifindex:	device
 * @limit:	bytes that the driver would copy at most, and that bpf_rx_header_data() can reach; at most BPF_RX_HEADER_MAX
 * @len:	bytes of the frame; 0 where the driver does not say. Then the frame is at least @limit bytes long
 * @flags:	enum bpf_rx_header_flags
 * @l3:		with BPF_RX_HEADER_F_CQE: enum bpf_rx_header_l3
 * @l4:		with BPF_RX_HEADER_F_CQE: enum bpf_rx_header_l4
 * @vlan:	with BPF_RX_HEADER_F_CQE: it says that the packet came with a VLAN tag; the device may have taken it off
 * @tunnel:	with BPF_RX_HEADER_F_CQE: l3 and l4 are those behind a tunnel header
 * @lro_segs:	with BPF_RX_HEADER_F_CQE: packets that the device joined
 * @driver:	its driver's name
 *
 * Read only. Valid during one call. Softirq context, RCU read side.
 */
struct bpf_rx_header {
	__u32 ifindex;
	__u32 limit;
	__u32 len;
	__u32 flags;
	__u8 l3;
	__u8 l4;
	__u8 vlan;
	__u8 tunnel;
	__u32 lro_segs;
	char driver[BPF_RX_HEADER_DRIVER_LEN];
};

/**
 * struct bpf_rx_header_ops - a header-length policy
 * @header_len:	once per packet whose header length the driver asks for on receive. Returns how many bytes to copy to the linear part,
 *		BPF_RX_HEADER_MIN to BPF_RX_HEADER_MAX; more than the limit is lowered to it. 0: as native. Anything else is counted
 *		as out of bounds, and native, too
 * @flags:	0
 * @device:	name of a device in the network namespace of the registering task. Either this or @driver
 * @driver:	name of a driver: all its devices, in every network namespace, but those that a policy names
 * @name:	letters, digits, '_', '-' and '.'
 */
struct bpf_rx_header_ops {
	__u32 (*header_len)(struct bpf_rx_header *pkt);
	__u64 flags;
	char device[BPF_RX_HEADER_DEVICE_LEN];
	char driver[BPF_RX_HEADER_DRIVER_LEN];
	char name[BPF_RX_HEADER_NAME_LEN];
};

/**
 * struct bpf_rx_header_cqe - what a completion entry says; argument of bpf_rx_header_enter()
 * @len:	bytes of the frame
 * @lro_segs:	packets that the device joined
 * @l3:		enum bpf_rx_header_l3
 * @l4:		enum bpf_rx_header_l4
 * @vlan:	the packet came with a VLAN tag; the device may have taken it off
 * @tunnel:	l3 and l4 are those behind a tunnel header
 */
struct bpf_rx_header_cqe {
	__u32 len;
	__u32 lro_segs;
	__u8 l3;
	__u8 l4;
	__u8 vlan;
	__u8 tunnel;
};

/* Status: read through the kfuncs bpf_rx_header_status_*() by a BPF_PROG_TYPE_SYSCALL program. */

/**
 * struct bpf_rx_header_counts - of a policy, or of a policy on one device
 * @asked:	calls of header_len
 * @answered:	its answers that were used, lowered ones included
 * @native:	it returned 0
 * @lowered:	more than the limit
 * @bounds:	out of bounds: native
 * @elsewhere:	the driver asked, but not on receive: native, header_len was not called
 * @bytes:	sum of the header lengths that were used, native ones included
 *
 * asked = answered + native + bounds.
 */
struct bpf_rx_header_counts {
	__u64 asked;
	__u64 answered;
	__u64 native;
	__u64 lowered;
	__u64 bounds;
	__u64 elsewhere;
	__u64 bytes;
};

enum bpf_rx_header_module_flags {
	BPF_RX_HEADER_MOD_HOOKED	= 1U << 0,	/* eth_get_headlen() is hooked now */
	BPF_RX_HEADER_MOD_MLX5_ASKS	= 1U << 1,	/* this kernel's own mlx5 asks for the header length on receive */
};

/**
 * struct bpf_rx_header_module_status - the module itself
 * @abi:	BPF_RX_HEADER_ABI of the module
 * @flags:	enum bpf_rx_header_module_flags
 * @policies:	policies registered
 * @reserved:	0
 * @refusals:	registrations refused since load
 * @message:	the last refusal, in words
 */
struct bpf_rx_header_module_status {
	__u32 abi;
	__u32 flags;
	__u32 policies;
	__u32 reserved;
	__u64 refusals;
	char message[BPF_GRO_MSG_LEN];
};

enum bpf_rx_header_status_flags {
	BPF_RX_HEADER_ST_ENTER	= 1U << 0,	/* answers only between bpf_rx_header_enter() and bpf_rx_header_leave() */
};

/**
 * struct bpf_rx_header_status - one policy
 * @id:		counts registrations since the module was loaded; never used twice
 * @link_id:	id of its BPF link, 0 if it was registered without one
 * @flags:	enum bpf_rx_header_status_flags
 * @devices_now: devices that it has now
 * @netns_cookie: network namespace in which @device holds
 * @netns_inum:	the same as the inode number of /proc/PID/ns/net
 * @ifindex:	of @device, 0 if it is not there
 * @device:	as registered, kept up to date when it is renamed
 * @driver:	as registered
 * @name:	as registered
 * @counts:	all devices, those that are gone included
 */
struct bpf_rx_header_status {
	__u32 id;
	__u32 link_id;
	__u32 flags;
	__u32 devices_now;
	__u64 netns_cookie;
	__u32 netns_inum;
	__u32 ifindex;
	char device[BPF_RX_HEADER_DEVICE_LEN];
	char driver[BPF_RX_HEADER_DRIVER_LEN];
	char name[BPF_RX_HEADER_NAME_LEN];
	struct bpf_rx_header_counts counts;
};

/**
 * struct bpf_rx_header_device_status - one device that has a policy
 * @policy_id:	the policy
 * @ifindex:	its index
 * @netns_inum:	its network namespace
 * @flags:	enum bpf_rx_header_status_flags
 * @device:	its name
 * @driver:	its driver
 * @counts:	since the policy has it
 */
struct bpf_rx_header_device_status {
	__u32 policy_id;
	__u32 ifindex;
	__u32 netns_inum;
	__u32 flags;
	char device[BPF_RX_HEADER_DEVICE_LEN];
	char driver[BPF_RX_HEADER_DRIVER_LEN];
	struct bpf_rx_header_counts counts;
};

#ifdef __bpf__
#pragma clang attribute pop

/**
 * bpf_rx_header_data() - bytes of the frame, in place
 * @pkt: the packet
 * @off: first byte, counted from the Ethernet header
 * @rdonly_buf_size: bytes wanted; a constant
 *
 * Return: the bytes, or NULL if they do not end within the limit.
 */
extern const __u8 *bpf_rx_header_data(struct bpf_rx_header *pkt, __u32 off, const size_t rdonly_buf_size) __ksym;

/* The verifier takes a kfunc's `void *` for a number, so this returns bytes; give them any type here. */
#define bpf_rx_header_data(pkt, off, size)	((const void *)(bpf_rx_header_data)(pkt, off, size))
#endif /* __bpf__ */

#endif /* _BPF_GRO_RX_HEADER_H */
