/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside bpf_gro.ko: how policies, slots and the packet in hand are kept.
 *
 * Control side: everything that changes owners runs under RTNL and gro_mutex (in this order). Packet side: RCU only.
 */
#ifndef _BPF_GRO_GRO_H
#define _BPF_GRO_GRO_H

#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/protocol.h>
#include <net/gro.h>
#include <bpf_gro/abi.h>
#include <bpf_gro/parse.h>

#include "compat.h"

struct bpf_link;
struct bpf_prog;

#define GRO_PROTOS	256
#define GRO_DEVS_MAX	32	/* names that fit into BPF_GRO_DEVICES_LEN are at most this many */

/* Counters of one policy at one slot of one device, on one CPU. Written by that CPU's softirq only. */
struct gro_pcpu_stats {
	u64 verdict[8];		/* by enum bpf_gro_verdict */
	u64 bytes;
	u64 joined_list;
	u64 joined_chain;
	u64 aggregates;
	u64 wire_segs;
	u64 reason[BPF_GRO_REASONS_MAX];
	u64 hist[BPF_GRO_HIST_BUCKETS];
	u64 slow_at;		/* packets at the last slow run, see gro_run_was_slow() */
	u32 slow;		/* slow runs in a row */
};

/* A device that a policy names. @dev is the device that has the name now, NULL if none has. */
struct gro_policy_dev {
	struct net_device *dev;
	char name[IFNAMSIZ];
};

/**
 * struct gro_policy - a registered policy
 * @receive_prog: the program behind @receive where it can be called directly, else NULL
 * @receive: struct_ops trampoline, or the self-test's C function
 * @flags: enum bpf_gro_ops_flags
 * @key: header bytes that tell flows apart, 0 if receive looks for itself
 * @compare: header bytes to compare with the held packet
 * @reach: header bytes needed for both
 * @ports: the key is ports, the checksum the module's business: the fast path of layer.c
 * @metadata: enum bpf_gro_metadata
 * @dead: enum bpf_gro_violation once the policy broke the contract; native from the next packet on
 * @meta: a packet with XDP metadata has been seen: it has to be looked for from now on
 * @odd: either of these, for the fast path
 * @stamp: marks packets that this policy held, so that it joins to no other's
 *
 * The first cache line is all that the packet side reads per packet.
 */
struct gro_policy {
	const struct bpf_prog *receive_prog;
	int (*receive)(struct bpf_gro *gro, const struct bpf_gro_hdr *hdr, const struct bpf_gro_hdr *held);
	union {
		struct {
			u32 dead;
			u32 meta;
		};
		u64 odd;
	};
	u32 stamp;
	u32 flags;
	u32 key;
	u32 compare;
	u32 reach;
	bool ports;
	u8 metadata;
	const struct bpf_prog *complete_prog;
	int (*complete)(struct bpf_gro *gro);

	/* control side */
	struct list_head list;
	const void *kdata;
	struct bpf_link *link;
	u32 id;
	u32 nslots;
	u32 ndevs;
	u32 dead_arg[2];
	bool published;
	u64 netns_cookie;
	u32 netns_inum;
	struct bpf_gro_slot slots[BPF_GRO_SLOTS_MAX];
	struct gro_policy_dev devs[GRO_DEVS_MAX];
	struct gro_pcpu_stats __percpu **stats;	/* [slot][device, or one for all] */
	char name[BPF_GRO_NAME_LEN];
	char message[BPF_GRO_MSG_LEN];
};

/* Who owns a slot on a device. */
struct gro_owner {
	const struct net_device *dev;
	struct gro_policy *pol;
	struct gro_pcpu_stats __percpu *stats;
};

/* The owners of a slot, replaced as a whole. */
struct gro_owners {
	struct rcu_head rcu;
	u32 n;
	struct gro_owner any;
	struct gro_owner dev[];
};

/**
 * struct gro_slot - one entry of inet_offloads[] or inet6_offloads[]
 * @owners: NULL while no policy sits here
 * @native: what the entry held before; NULL for a free slot
 * @native_receive: where packets without an owner go: @native's, or the wrapper of an inner IPv6 header
 * @offload: what the entry holds while the slot is hooked
 * @hooked: @offload is in place
 */
struct gro_slot {
	struct gro_owners __rcu *owners;
	const struct net_offload *native;
	struct sk_buff *(*native_receive)(struct list_head *head, struct sk_buff *skb);
	struct net_offload offload;
	struct gro_owners *fresh;	/* table in the making, under gro_mutex */
	u32 flags;	/* enum bpf_gro_flags that hold for all its packets */
	u32 proto;
	u8 kind;
	bool hooked;
};

/*
 * Bytes 40..47 of skb->cb, behind napi_gro_cb, from receive to complete. Zeroed by no one. On a free slot nobody else holds
 * packets, so there @key is valid in each.
 */
struct gro_stamp {
	u32 stamp;	/* of the policy that holds the packet */
	u32 key;	/* BPF_GRO_RANGE by which it told flows apart */
};

static inline struct gro_stamp *gro_stamp(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct napi_gro_cb) > 40);
	BUILD_BUG_ON(sizeof_field(struct sk_buff, cb) < 40 + sizeof(struct gro_stamp));
	return (struct gro_stamp *)(skb->cb + 40);
}

/**
 * struct gro_run - one call of receive or complete, on the stack
 * @pub: what the program sees
 * @skb: packet or aggregate
 * @pol: the policy; not set by the fast path, whose policies do not look for themselves
 * @head: its bucket; NULL in complete
 * @hdr: the slot's header
 * @want: bytes that the program asked for beyond pub.avail, which is fixed while it runs
 * @held: held packet of the flow, found by key
 * @held_at: its header
 * @foreign: held packet of the same flow that an earlier owner left
 * @stamp: the policy's
 * @key: what was looked for and not found
 * @held_hdr: header bytes of @held
 * @looked: 1: for the held packet of the flow; 2: headers could not be brought into reach
 * @declared: the policy has a key, so that was before receive began
 * @csum: 0: not asked; 1: right; 2: wrong
 * @finished: bpf_gro_finish() ran
 * @matched: bpf_gro_match_layer() has told tunnels apart
 * @gso: what bpf_gro_finish() was given, for a tunnel
 * @parse: what bpf_gro_parse_state() found
 */
struct gro_run {
	struct bpf_gro pub;
	struct sk_buff *skb;
	struct gro_policy *pol;
	struct list_head *head;
	u8 *hdr;
	u32 want;
	struct sk_buff *held;
	u8 *held_at;
	struct sk_buff *foreign;
	u32 stamp;
	u32 key;
	u32 held_hdr;
	u8 looked;
	u8 csum;
	u8 finished;
	u8 kind;
	bool declared;
	bool matched;
	u32 gso;
	struct gro_parse_state parse;
};

/* For variables on the fast path that are filled in field by field: CONFIG_INIT_STACK_ALL_ZERO would do it twice. */
#if __has_attribute(uninitialized)
#define GRO_UNINITIALIZED	__attribute__((uninitialized))
#else
#define GRO_UNINITIALIZED
#endif

static inline struct gro_run *gro_run(struct bpf_gro *gro)
{
	return container_of(gro, struct gro_run, pub);
}

/* The owner of @slot on @dev, or NULL. Called under rcu_read_lock(). */
static __always_inline const struct gro_owner *gro_slot_owner(const struct gro_slot *slot,
							      const struct net_device *dev)
{
	const struct gro_owners *owners = rcu_dereference(slot->owners);
	u32 i;

	if (unlikely(!owners))
		return NULL;
	for (i = 0; i < owners->n; i++)
		if (owners->dev[i].dev == dev)
			return &owners->dev[i];
	return owners->any.pol ? &owners->any : NULL;
}

/* main.c */
extern struct mutex gro_mutex;
extern bool gro_hooked;			/* the self-test passed */
__printf(1, 2) void gro_refuse(const char *fmt, ...);
void gro_last_refusal(char *buf, size_t len, u64 *count);
void gro_set_message(const char *msg);

/* ops.c: the struct_ops type */
int gro_ops_register(void);

/* policy.c: registration, replacement, ejection */
extern struct list_head gro_policies;
struct gro_policy *gro_policy_create(const struct bpf_gro_ops *ops, struct bpf_link *link, bool is_bpf);
void gro_policy_destroy(struct gro_policy *pol);
int gro_policy_add(struct gro_policy *pol, struct gro_policy *replaces);
void gro_policy_remove(struct gro_policy *pol);
struct gro_policy *gro_policy_of(const void *kdata);
void gro_policy_new_stamp(struct gro_policy *pol);
void gro_violation(struct gro_policy *pol, enum bpf_gro_violation v, u32 a, u32 b);
void gro_policy_init(void);
void gro_policy_exit(void);
const char *gro_violation_text(u32 v);

static inline u32 gro_policy_stats_idx(const struct gro_policy *pol, u32 slot, u32 dev)
{
	return slot * max(pol->ndevs, 1U) + dev;
}

/* device.c: names to devices and back */
int gro_devices_parse(struct gro_policy *pol, const char *devices);
void gro_devices_bind(struct gro_policy *pol, struct net *net);
void gro_devices_print(const struct gro_policy *pol, char *buf, size_t len);
int gro_devices_init(void);
void gro_devices_exit(void);

/* slot.c: entries of inet_offloads[] and inet6_offloads[] */
struct gro_slot *gro_slot_get(u32 kind, u32 id);
const char *gro_slot_name(u32 kind);
const char *gro_slot_forbidden(u32 kind, u32 id);
bool gro_slot_is_outer(u32 id);
int gro_slots_rebuild(void);
void gro_slots_forget(const struct net_device *dev);
bool gro_ip6_owned(const struct net_device *dev);
void gro_slots_exit(void);
extern struct gro_slot gro_slots[__BPF_GRO_SLOT_MAX][GRO_PROTOS];

/* hook.c, layer.c, hook_ip6.c: the IP layers, for devices with a policy */
extern gro_receive_t gro_native_layer[__BPF_GRO_SLOT_MAX];
void gro_layer_hook(u32 kind, bool on);
struct sk_buff *gro_ip_layer_receive(struct list_head *head, struct sk_buff *skb);
struct sk_buff *gro_ip6_layer_receive(struct list_head *head, struct sk_buff *skb);
struct sk_buff *gro_ip6_receive(struct list_head *head, struct sk_buff *skb);
struct sk_buff *gro_inner_ip6_receive(struct list_head *head, struct sk_buff *skb);

/* entry.c: what inet_offloads[] and inet6_offloads[] get */
typedef int (*gro_complete_t)(struct sk_buff *skb, int thoff);
gro_receive_t gro_receive_of(u32 kind, u32 proto);
gro_complete_t gro_complete_of(u32 kind, u32 proto);

/* receive.c, complete.c: running a policy */
struct sk_buff *gro_slot_receive(const struct gro_slot *slot, struct list_head *head, struct sk_buff *skb);
int gro_slot_complete(struct gro_slot *slot, struct sk_buff *skb, int thoff);
void gro_finish_chain(struct sk_buff *skb);

/* join.c */
enum gro_joined { GRO_JOINED_FRAG = 0, GRO_JOINED_LIST = 1 };	/* added up in joined_list */
int gro_join(struct sk_buff *p, struct sk_buff *skb);
int gro_join_chain(struct sk_buff *p, struct sk_buff *skb, bool free_slot);
void gro_chain_release(struct sk_buff *skb);

/* kfunc.c */
int gro_kfunc_register(void);
const u8 *bpf_gro_header(struct bpf_gro *gro, u32 off, const size_t rdonly_buf_size);
int bpf_gro_csum(struct bpf_gro *gro, u32 kind);
const u8 *bpf_gro_find_held(struct bpf_gro *gro, u32 key, u32 cmp, const size_t rdonly_buf_size);
int bpf_gro_match_layer(struct bpf_gro *gro, u32 range);
int bpf_gro_has_socket(struct bpf_gro *gro);
int bpf_gro_finish(struct bpf_gro *gro, u32 gso, u32 csum_off);
const u8 *bpf_gro_parse_state(struct bpf_gro *gro, const size_t rdonly_buf_size);

/* udp.c: slots behind which other layers may come, and joins at that of UDP */
const u8 *gro_find_held_outer(struct gro_run *r, u32 key, u32 cmp, u32 size);
int gro_csum_udp(struct gro_run *r);
int gro_finish_udp(struct gro_run *r, u32 csum_off);
enum bpf_gro_violation gro_check_hold_outer(const struct gro_run *r);
bool gro_next_after_look(const struct gro_run *r);

/* tunnel.c: slots that only carry others */
int gro_match_layer(struct gro_run *r, u32 range);
enum bpf_gro_violation gro_check_layer(const struct gro_run *r);
struct sk_buff *gro_layer_behind(struct gro_run *r, u32 *why);
struct sk_buff *gro_layer_flush(struct gro_run *r);
int gro_finish_gre(struct gro_run *r, u32 gso, u32 csum_off);
int gro_tunnel_complete(const struct gro_slot *slot, const struct gro_run *r, int thoff);

/* socket.c: what this host is to a packet */
u32 bpf_gro_udp_socket(struct bpf_gro *gro);
int bpf_gro_is_local(struct bpf_gro *gro);
u32 bpf_gro_nr_held(struct bpf_gro *gro);
u32 bpf_gro_ifindex(struct bpf_gro *gro);

/* meta.c: XDP metadata that differs within a flow */
enum gro_meta_found {
	GRO_META_SAME,		/* no held packet that could be of the flow has other metadata */
	GRO_META_DIFFERS,	/* one has, or the packet is not to be held: the longer way */
	GRO_META_PASS,		/* the packet is not to be held, and nothing is held of its flow */
};

enum gro_meta_found gro_meta_prepare(struct gro_policy *pol, struct list_head *head, struct sk_buff *skb, u32 off);
void gro_meta_undo(struct list_head *head, struct sk_buff *skb);
bool gro_meta_keeps_apart(const struct gro_policy *pol, const struct sk_buff *p, const struct sk_buff *skb);
bool gro_meta_is_dropped(const struct gro_policy *pol, const struct sk_buff *p, const struct sk_buff *skb);
struct sk_buff *gro_meta_inner(const struct gro_run *r, u32 key);

/* parse.c: parse state of an XDP program */
bool gro_parse_get(const struct sk_buff *skb, struct gro_parse_state *st);
bool gro_parse_no_hold(const struct sk_buff *skb);

/* stats.c, status.c */
void gro_stats_read(const struct gro_policy *pol, u32 slot, u32 dev, int cpu, struct bpf_gro_stats *st);
int gro_status_register(void);

/* selftest.c */
int gro_selftest(char *why, size_t len);

#endif /* _BPF_GRO_GRO_H */
