// SPDX-License-Identifier: GPL-2.0
/*
 * Policies from registration to ejection.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/nsproxy.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/rtnetlink.h>
#include <linux/workqueue.h>
#include <net/net_namespace.h>

#include "find.h"

LIST_HEAD(gro_policies);		/* under gro_mutex */
static u32 gro_last_id;			/* under gro_mutex */
static u32 gro_last_stamp;		/* under gro_mutex */

static const char * const gro_violation_texts[] = {
#define BPF_GRO_X(name, str, text)	[BPF_GRO_V_##name] = text,
	BPF_GRO_VIOLATIONS(BPF_GRO_X)
#undef BPF_GRO_X
};

const char *gro_violation_text(u32 v)
{
	return v < ARRAY_SIZE(gro_violation_texts) ? gro_violation_texts[v] : "unknown";
}

/* Never 0 and never used twice since boot started at a random value: old contents of skb->cb do not look like it. */
void gro_policy_new_stamp(struct gro_policy *pol)
{
	do {
		gro_last_stamp = gro_last_stamp * 1664525u + 1013904223u;
	} while (!gro_last_stamp);
	WRITE_ONCE(pol->stamp, gro_last_stamp);
}

/* Find the programs of a policy, so that they can be called without their trampolines. */
static int gro_find_prog(struct bpf_prog *prog, void *data)
{
	struct gro_policy *pol = data;

	if (prog->expected_attach_type == 0)
		pol->receive_prog = prog;
	else if (prog->expected_attach_type == 1)
		pol->complete_prog = prog;
	return 0;
}

static int gro_policy_alloc_stats(struct gro_policy *pol)
{
	u32 n = pol->nslots * max(pol->ndevs, 1U), i;

	pol->stats = kcalloc(n, sizeof(*pol->stats), GFP_KERNEL);
	if (!pol->stats)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		pol->stats[i] = alloc_percpu(struct gro_pcpu_stats);
		if (!pol->stats[i])
			return -ENOMEM;
	}
	return 0;
}

static void gro_policy_free(struct gro_policy *pol)
{
	u32 n = pol->nslots * max(pol->ndevs, 1U), i;

	for (i = 0; pol->stats && i < n; i++)
		free_percpu(pol->stats[i]);
	kfree(pol->stats);
	kfree(pol);
}

/**
 * gro_policy_create() - make a policy from its members; nothing sees it yet
 * @ops: checked members
 * @link: its BPF link or NULL
 * @is_bpf: @ops lies in a struct_ops map
 *
 * Return: the policy, or an ERR_PTR; a refusal is said in words.
 */
struct gro_policy *gro_policy_create(const struct bpf_gro_ops *ops, struct bpf_link *link, bool is_bpf)
{
	struct net *net = current->nsproxy->net_ns;
	struct gro_policy *pol;
	int err;

	pol = kzalloc(sizeof(*pol), GFP_KERNEL);
	if (!pol)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&pol->list);
	pol->kdata = ops;
	pol->link = link;
	pol->receive = ops->receive;
	pol->complete = ops->complete;
	pol->flags = ops->flags;
	pol->key = ops->key;
	pol->compare = ops->compare;
	pol->metadata = ops->metadata;
	pol->ports = pol->key == GRO_KEY_PORTS && pol->flags & BPF_GRO_OPS_CSUM;
	pol->reach = max(gro_range_end(pol->key), BPF_GRO_RANGE_LEN(pol->compare) == BPF_GRO_REST_LEN ?
			 BPF_GRO_RANGE_OFF(pol->compare) : gro_range_end(pol->compare));
	if (GRO_DIRECT_CALL && is_bpf)
		bpf_struct_ops_for_each_prog(ops, gro_find_prog, pol);
	while (pol->nslots < BPF_GRO_SLOTS_MAX && ops->slots[pol->nslots].kind)
		pol->nslots++;
	memcpy(pol->slots, ops->slots, sizeof(pol->slots));
	memcpy(pol->name, ops->name, sizeof(pol->name));
	pol->netns_cookie = net->net_cookie;
	pol->netns_inum = net->ns.inum;

	err = gro_devices_parse(pol, ops->devices);
	err = err ?: gro_policy_alloc_stats(pol);
	if (err) {
		gro_policy_free(pol);
		return ERR_PTR(err);
	}
	return pol;
}

/* After the packet side has let go of it. */
void gro_policy_destroy(struct gro_policy *pol)
{
	synchronize_net();
	gro_policy_free(pol);
}

/* Whether both policies ask for one device: the same name, or every device. @dev is its name, NULL for every. */
static bool gro_policies_share_device(const struct gro_policy *a, const struct gro_policy *b, const char **dev)
{
	u32 i, j;

	*dev = NULL;
	if (!a->ndevs && !b->ndevs)
		return true;
	if (a->netns_cookie != b->netns_cookie)
		return false;
	for (i = 0; i < a->ndevs; i++) {
		*dev = a->devs[i].name;
		for (j = 0; j < b->ndevs; j++)
			if (!strcmp(*dev, b->devs[j].name))
				return true;
	}
	return false;
}

/* The slot of @a that @b has, too, or NULL. */
static const struct bpf_gro_slot *gro_policies_share_slot(const struct gro_policy *a, const struct gro_policy *b)
{
	u32 i, j;

	for (i = 0; i < a->nslots; i++)
		for (j = 0; j < b->nslots; j++)
			if (a->slots[i].kind == b->slots[j].kind && a->slots[i].id == b->slots[j].id)
				return &a->slots[i];
	return NULL;
}

/* The policy that sits where @pol wants to sit, other than @replaces. */
static struct gro_policy *gro_policy_conflict(const struct gro_policy *pol, const struct gro_policy *replaces,
					      const struct bpf_gro_slot **slot, const char **dev)
{
	struct gro_policy *other;

	list_for_each_entry(other, &gro_policies, list) {
		if (other == replaces || !other->published)
			continue;
		*slot = gro_policies_share_slot(pol, other);
		if (*slot && gro_policies_share_device(pol, other, dev))
			return other;
	}
	return NULL;
}

/**
 * gro_policy_add() - publish a policy
 * @pol: the policy
 * @replaces: policy whose place it takes in the same step, or NULL
 *
 * Return: 0; -EBUSY with a reason in words if a slot has an owner already; -ENOMEM. On failure nothing has changed.
 */
int gro_policy_add(struct gro_policy *pol, struct gro_policy *replaces)
{
	const struct bpf_gro_slot *slot;
	struct gro_policy *other;
	const char *dev;
	bool was = false;
	int err;

	rtnl_lock();
	mutex_lock(&gro_mutex);
	other = gro_policy_conflict(pol, replaces, &slot, &dev);
	if (other) {
		gro_refuse("policy %s: slot %s %u of %s%s already belongs to policy %s", pol->name,
			   gro_slot_name(slot->kind), slot->id, dev ? "device " : "all devices",
			   dev ?: "", other->name);
		err = -EBUSY;
		goto unlock;
	}
	gro_policy_new_stamp(pol);
	pol->id = ++gro_last_id;
	gro_devices_bind(pol, current->nsproxy->net_ns);
	pol->published = true;
	list_add_tail(&pol->list, &gro_policies);
	if (replaces) {
		/* What it holds may have metadata. */
		pol->meta = READ_ONCE(replaces->meta);
		was = replaces->published;
		replaces->published = false;
	}
	err = gro_slots_rebuild();
	if (err) {
		list_del_init(&pol->list);
		if (replaces)
			replaces->published = was;
	} else if (replaces) {
		list_del_init(&replaces->list);
	}
unlock:
	mutex_unlock(&gro_mutex);
	rtnl_unlock();
	return err;
}

void gro_policy_remove(struct gro_policy *pol)
{
	rtnl_lock();
	mutex_lock(&gro_mutex);
	pol->published = false;
	/* Without memory for the new tables the old ones stay, but nothing of this policy may be called any more. */
	while (gro_slots_rebuild()) {
		WRITE_ONCE(pol->dead, BPF_GRO_V_NONE + 1);
		schedule_timeout_uninterruptible(1);
	}
	list_del_init(&pol->list);
	mutex_unlock(&gro_mutex);
	rtnl_unlock();
}

struct gro_policy *gro_policy_of(const void *kdata)
{
	struct gro_policy *pol;

	mutex_lock(&gro_mutex);
	list_for_each_entry(pol, &gro_policies, list) {
		if (pol->kdata == kdata) {
			mutex_unlock(&gro_mutex);
			return pol;
		}
	}
	mutex_unlock(&gro_mutex);
	return NULL;
}

/* Take the dead off their slots. They stay in the list, so that status can say why, until their link or map goes. */
static void gro_eject_work(struct work_struct *work)
{
	struct gro_policy *pol;

	rtnl_lock();
	mutex_lock(&gro_mutex);
	list_for_each_entry(pol, &gro_policies, list) {
		u32 v = READ_ONCE(pol->dead);

		if (!v || !pol->published)
			continue;
		pol->published = false;
		snprintf(pol->message, sizeof(pol->message), "%s (values %d, %d)", gro_violation_text(v),
			 (int)READ_ONCE(pol->dead_arg[0]), (int)READ_ONCE(pol->dead_arg[1]));
		pr_warn("policy %s ejected: %s; its slots are native again\n", pol->name, pol->message);
		/* Without memory it stays in the tables, but dead: packets go on natively all the same. */
		gro_slots_rebuild();
	}
	mutex_unlock(&gro_mutex);
	rtnl_unlock();
}

static DECLARE_WORK(gro_eject, gro_eject_work);

/**
 * gro_violation() - a policy broke the contract: native from the next packet on
 * @pol: the policy
 * @v: what it did
 * @a: value to report
 * @b: value to report
 *
 * Context: softirq. Only the first violation is kept.
 */
void gro_violation(struct gro_policy *pol, enum bpf_gro_violation v, u32 a, u32 b)
{
	if (cmpxchg(&pol->dead, 0, v))
		return;
	WRITE_ONCE(pol->dead_arg[0], a);
	WRITE_ONCE(pol->dead_arg[1], b);
	schedule_work(&gro_eject);
}

void gro_policy_init(void)
{
	gro_last_stamp = get_random_u32();
}

void gro_policy_exit(void)
{
	cancel_work_sync(&gro_eject);
}
