// SPDX-License-Identifier: GPL-2.0
/*
 * Slots: who owns each entry of inet_offloads[] and inet6_offloads[], and putting our handler there and back.
 *
 * The tables of owners are rebuilt as a whole from the list of policies whenever something changes: first all memory is
 * taken, then all tables are published, so a change happens or does not.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/rcupdate.h>
#include <linux/module.h>
#include <net/protocol.h>
#include <net/hotdata.h>

#include "gro.h"

struct gro_slot gro_slots[__BPF_GRO_SLOT_MAX][GRO_PROTOS];

/* The devices with a policy at any ip6 slot: for these the IPv6 layer is ours. */
static struct gro_owners __rcu *gro_ip6_owners;

static const char * const gro_slot_names[__BPF_GRO_SLOT_MAX] = {
	[BPF_GRO_SLOT_NONE] = "none",
	[BPF_GRO_SLOT_IP] = "ip",
	[BPF_GRO_SLOT_IP6] = "ip6",
};

const char *gro_slot_name(u32 kind)
{
	return kind < __BPF_GRO_SLOT_MAX ? gro_slot_names[kind] : "unknown";
}

static const struct net_offload __rcu **gro_slot_entry(u32 kind, u32 id)
{
	return kind == BPF_GRO_SLOT_IP6 ? &inet6_offloads[id] : &inet_offloads[id];
}

/*
 * Handlers that live in modules are not taken: their unload would free what we have saved. These live in the kernel
 * wherever they are.
 */
static bool gro_proto_is_builtin(u32 id)
{
	switch (id) {
	case IPPROTO_TCP:
	case IPPROTO_UDP:
	case IPPROTO_GRE:
	case IPPROTO_IPIP:
	case IPPROTO_IPV6:
		return true;
	}
	return false;
}

/* Whether other layers may come behind this protocol that GRO parses, too. */
bool gro_slot_is_outer(u32 id)
{
	return id != IPPROTO_TCP && gro_proto_is_builtin(id);
}

/* Why a slot cannot be owned by any policy, or NULL. */
const char *gro_slot_forbidden(u32 kind, u32 id)
{
	const struct net_offload *have;

	if (id >= GRO_PROTOS)
		return "is not a protocol number (0 to 255)";
	if (gro_slots[kind][id].hooked)
		return NULL;
	have = rcu_access_pointer(*gro_slot_entry(kind, id));
	if (!have) {
		if (kind == BPF_GRO_SLOT_IP6 && ipv6_ext_hdr(id))
			return "is an IPv6 extension header";
		return NULL;
	}
	if (kind == BPF_GRO_SLOT_IP6 && have->flags & INET6_PROTO_GSO_EXTHDR)
		return "is an IPv6 extension header";
	if (!gro_proto_is_builtin(id))
		return "has a handler of a kernel module, which could be unloaded under the policy";
	return NULL;
}

static struct sk_buff *gro_chain_segment(struct sk_buff *skb, netdev_features_t features)
{
	return skb_segment_list(skb, features, skb_mac_header_len(skb));
}

/* Put our handler into the entry. What it does depends on the slot's owners, which are not published yet. */
static int gro_slot_hook(struct gro_slot *slot, u32 kind, u32 id)
{
	const struct net_offload __rcu **entry = gro_slot_entry(kind, id);
	const struct net_offload *native = rcu_access_pointer(*entry);

	slot->kind = kind;
	slot->proto = id;
	slot->native = native;
	slot->flags = (kind == BPF_GRO_SLOT_IP6 ? BPF_GRO_F_IP6 : 0) | (GRO_CWR_EQUAL ? BPF_GRO_F_CWR_EQUAL : 0) |
		      (native ? 0 : BPF_GRO_F_CHAIN_ONLY);
	if (native && gro_slot_is_outer(id))
		slot->flags |= BPF_GRO_F_OUTER | (id == IPPROTO_UDP ? BPF_GRO_F_CHAIN_OK : 0);
	memset(&slot->offload, 0, sizeof(slot->offload));
	if (native) {
		slot->offload = *native;
		slot->native_receive = native->callbacks.gro_receive;
		if (id == IPPROTO_IPV6)
			slot->native_receive = gro_inner_ip6_receive;
	} else {
		slot->native_receive = NULL;
		slot->offload.callbacks.gso_segment = gro_chain_segment;
	}
	slot->offload.callbacks.gro_receive = gro_receive_of(kind, id);
	slot->offload.callbacks.gro_complete = gro_complete_of(kind, id);
	/* Pairs with rcu_dereference() in the IP layers. */
	if (cmpxchg((const struct net_offload **)entry, native, &slot->offload) != native)
		return -EBUSY;
	slot->hooked = true;
	return 0;
}

/*
 * Put the native handler back. It can finish what we held: the control block is as it leaves it. If somebody else hooked
 * the entry after us, we cannot go, and then neither can the module.
 */
static void gro_slot_unhook(struct gro_slot *slot)
{
	const struct net_offload __rcu **entry = gro_slot_entry(slot->kind, slot->proto);

	if (cmpxchg((const struct net_offload **)entry, &slot->offload, slot->native) != &slot->offload) {
		pr_err("%s %u: another module replaced our handler: it stays, and this module cannot be unloaded\n",
		       gro_slot_name(slot->kind), slot->proto);
		__module_get(THIS_MODULE);
		return;
	}
	slot->hooked = false;
}

static u32 gro_bound_devices(const struct gro_policy *pol)
{
	u32 i, n = 0;

	for (i = 0; i < pol->ndevs; i++)
		n += !!pol->devs[i].dev;
	return n;
}

static void gro_owners_fill(struct gro_owners *owners, struct gro_policy *pol, u32 slot)
{
	u32 i;

	if (!pol->ndevs) {
		owners->any.pol = pol;
		owners->any.stats = pol->stats[gro_policy_stats_idx(pol, slot, 0)];
	}
	for (i = 0; i < pol->ndevs; i++) {
		if (!pol->devs[i].dev)
			continue;
		owners->dev[owners->n].dev = pol->devs[i].dev;
		owners->dev[owners->n].pol = pol;
		owners->dev[owners->n].stats = pol->stats[gro_policy_stats_idx(pol, slot, i)];
		owners->n++;
	}
}

/* Owners of one slot, or of all ip6 slots together with @id < 0. NULL without any; ERR_PTR(-ENOMEM). */
static struct gro_owners *gro_owners_build(u32 kind, int id)
{
	struct gro_owners *owners;
	struct gro_policy *pol;
	bool any = false;
	u32 n = 0, i;

	list_for_each_entry(pol, &gro_policies, list) {
		if (!pol->published)
			continue;
		for (i = 0; i < pol->nslots; i++) {
			if (pol->slots[i].kind != kind || (id >= 0 && pol->slots[i].id != id))
				continue;
			any = true;
			n += gro_bound_devices(pol);
		}
	}
	if (!any)
		return NULL;
	owners = kzalloc(struct_size(owners, dev, n), GFP_KERNEL);
	if (!owners)
		return ERR_PTR(-ENOMEM);
	list_for_each_entry(pol, &gro_policies, list) {
		if (!pol->published)
			continue;
		for (i = 0; i < pol->nslots; i++)
			if (pol->slots[i].kind == kind && (id < 0 || pol->slots[i].id == id))
				gro_owners_fill(owners, pol, i);
	}
	return owners;
}

static void gro_owners_publish(struct gro_owners __rcu **where, struct gro_owners *owners)
{
	struct gro_owners *old = rcu_replace_pointer(*where, owners, lockdep_is_held(&gro_mutex));

	if (old)
		kfree_rcu(old, rcu);
}

#define for_each_gro_slot(slot, kind, id)						\
	for ((kind) = BPF_GRO_SLOT_IP; (kind) < __BPF_GRO_SLOT_MAX; (kind)++)		\
		for ((id) = 0; (id) < GRO_PROTOS && ((slot) = &gro_slots[kind][id]); (id)++)

/* Inner IPv6 headers come through the handlers of protocol 41: while the IPv6 layer is ours, these are too. */
static bool gro_slot_wanted(const struct gro_slot *slot, u32 kind, u32 id, bool ip6)
{
	return slot->fresh || (ip6 && id == IPPROTO_IPV6 && rcu_access_pointer(*gro_slot_entry(kind, id)));
}

static bool gro_any_published(u32 kind)
{
	const struct gro_policy *pol;
	u32 i;

	list_for_each_entry(pol, &gro_policies, list)
		for (i = 0; pol->published && i < pol->nslots; i++)
			if (pol->slots[i].kind == kind)
				return true;
	return false;
}

/**
 * gro_slots_rebuild() - make tables and hooks fit the published policies
 *
 * Context: gro_mutex held; may sleep.
 * Return: 0, or -ENOMEM or -EBUSY; then nothing has changed.
 */
int gro_slots_rebuild(void)
{
	struct gro_owners *ip6;
	struct gro_slot *slot;
	u32 kind, id;
	int err = 0;

	lockdep_assert_held(&gro_mutex);
	ip6 = gro_owners_build(BPF_GRO_SLOT_IP6, -1);
	if (IS_ERR(ip6))
		return PTR_ERR(ip6);
	for_each_gro_slot(slot, kind, id) {
		slot->fresh = err ? NULL : gro_owners_build(kind, id);
		if (IS_ERR(slot->fresh)) {
			err = PTR_ERR(slot->fresh);
			slot->fresh = NULL;
		}
	}
	/* A hook without owners changes nothing, so hooks come before owners. */
	for_each_gro_slot(slot, kind, id)
		if (!err && !slot->hooked && gro_slot_wanted(slot, kind, id, ip6))
			err = gro_slot_hook(slot, kind, id);
	if (err)
		goto fail;

	for_each_gro_slot(slot, kind, id)
		gro_owners_publish(&slot->owners, slot->fresh);
	gro_owners_publish(&gro_ip6_owners, ip6);
	/* Complete before receive on the way in, receive before complete on the way out. */
	gro_layer_hook(BPF_GRO_SLOT_IP6, !!ip6);
	gro_layer_hook(BPF_GRO_SLOT_IP, gro_any_published(BPF_GRO_SLOT_IP));
	/* A free slot stays ours: an aggregate that it held may be waiting anywhere. */
	for_each_gro_slot(slot, kind, id)
		if (slot->hooked && slot->native && !gro_slot_wanted(slot, kind, id, ip6))
			gro_slot_unhook(slot);
	return 0;

fail:
	for_each_gro_slot(slot, kind, id) {
		kfree(slot->fresh);
		slot->fresh = NULL;
		if (slot->hooked && slot->native && !rcu_access_pointer(slot->owners) &&
		    !(rcu_access_pointer(gro_ip6_owners) && id == IPPROTO_IPV6))
			gro_slot_unhook(slot);
	}
	kfree(ip6);
	return err;
}

/* @dev is gone: no table may know its address any more. Needs no memory. */
void gro_slots_forget(const struct net_device *dev)
{
	struct gro_owners *owners;
	struct gro_slot *slot;
	u32 kind, id, i;

	for_each_gro_slot(slot, kind, id) {
		owners = rcu_dereference_protected(slot->owners, lockdep_is_held(&gro_mutex));
		for (i = 0; owners && i < owners->n; i++)
			if (owners->dev[i].dev == dev)
				WRITE_ONCE(owners->dev[i].dev, NULL);
	}
}

/* Whether some policy sits at an ip6 slot of @dev. Called under rcu_read_lock(). */
bool gro_ip6_owned(const struct net_device *dev)
{
	const struct gro_owners *owners = rcu_dereference(gro_ip6_owners);
	u32 i;

	if (!owners)
		return false;
	for (i = 0; i < owners->n; i++)
		if (owners->dev[i].dev == dev)
			return true;
	return owners->any.pol;
}

/* No policy is left. Free slots go now: each of their aggregates holds a reference to the module, so none is left. */
void gro_slots_exit(void)
{
	struct gro_slot *slot;
	u32 kind, id;

	for_each_gro_slot(slot, kind, id)
		if (slot->hooked)
			gro_slot_unhook(slot);
}
