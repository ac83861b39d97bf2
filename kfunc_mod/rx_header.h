/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside bpf_rx_header.ko: header-length policies, the devices that have one, the hook.
 *
 * Control side: policies and bindings change under RTNL and rx_mutex (in this order). Packet side: RCU only.
 */
#ifndef _BPF_RX_HEADER_H
#define _BPF_RX_HEADER_H

#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <bpf_gro/rx_header.h>

#include "compat.h"

struct bpf_link;

/* As struct bpf_rx_header_counts, on one CPU. */
struct rx_counts {
	u64 asked;
	u64 answered;
	u64 native;
	u64 lowered;
	u64 bounds;
	u64 elsewhere;
	u64 bytes;
};

/**
 * struct rx_policy - a registered policy
 * @list: in rx_policies
 * @kdata: its struct_ops members
 * @link: its BPF link or NULL
 * @dev: the device that has the name @device now, or NULL
 * @id: never used twice
 * @netns_cookie: network namespace in which @device holds
 * @netns_inum: the same for user space
 * @past: counts of bindings that are gone
 * @device: the one device it is for, or empty
 * @driver: the driver it is for, or empty
 * @name: as registered
 */
struct rx_policy {
	struct list_head list;
	const struct bpf_rx_header_ops *kdata;
	struct bpf_link *link;
	const struct net_device *dev;
	u32 id;
	u64 netns_cookie;
	u32 netns_inum;
	struct bpf_rx_header_counts past;
	char device[BPF_RX_HEADER_DEVICE_LEN];
	char driver[BPF_RX_HEADER_DRIVER_LEN];
	char name[BPF_RX_HEADER_NAME_LEN];
};

/**
 * struct rx_binding - a device and its policy; replaced as a whole
 * @node: in rx_bindings
 * @dev: the device
 * @header_len: the policy's program
 * @counts: of this policy on this device
 * @enter: its driver asks on transmit, too: answered only between bpf_rx_header_enter() and bpf_rx_header_leave()
 * @pol: the policy, for the control side
 * @retired: in the list of those to be freed
 * @driver: its driver's name
 */
struct rx_binding {
	struct hlist_node node;
	const struct net_device *dev;
	u32 (*header_len)(struct bpf_rx_header *pkt);
	struct rx_counts __percpu *counts;
	bool enter;
	struct rx_policy *pol;
	struct list_head retired;
	char driver[BPF_RX_HEADER_DRIVER_LEN];
};

#define RX_BINDING_BITS	6

/* main */
extern struct mutex rx_mutex;
__printf(1, 2) void rx_refuse(const char *fmt, ...);
void rx_last_refusal(char *buf, size_t len, u64 *count);

/* rx_header_policy.c */
extern struct list_head rx_policies;
extern struct hlist_head rx_bindings[1 << RX_BINDING_BITS];
struct rx_policy *rx_policy_create(const struct bpf_rx_header_ops *ops, struct bpf_link *link);
void rx_policy_destroy(struct rx_policy *pol);
int rx_policy_add(struct rx_policy *pol, struct rx_policy *replaces);
void rx_policy_remove(struct rx_policy *pol);
struct rx_policy *rx_policy_of(const void *kdata);
void rx_counts_add(struct bpf_rx_header_counts *to, const struct rx_binding *b);
int rx_devices_init(void);
void rx_devices_exit(void);

/* The binding of @dev, or NULL. Under rcu_read_lock() or rx_mutex. */
static __always_inline struct rx_binding *rx_binding_find(const struct net_device *dev)
{
	struct rx_binding *b;

	hash_for_each_possible_rcu_notrace(rx_bindings, b, node, (unsigned long)dev)
		if (b->dev == dev)
			return b;
	return NULL;
}

/* rx_header_ops.c */
int rx_ops_register(void);

/* rx_header_hook.c */
int rx_hook_get(void);
void rx_hook_put(void);
bool rx_hooked(void);
void rx_hook_exit(void);
int rx_kfunc_register(void);

/* rx_header_status.c */
int rx_status_register(void);

#endif /* _BPF_RX_HEADER_H */
