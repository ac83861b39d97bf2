// SPDX-License-Identifier: GPL-2.0
/*
 * Policies and the devices that have one. A device is found by its name and network namespace, or by its driver, then known by pointer,
 * never by index. One that is renamed keeps its policy; one that is removed or moved leaves a name that waits for the next to have it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bpf.h>
#include <linux/if_arp.h>
#include <linux/nsproxy.h>
#include <linux/percpu.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/rtnetlink.h>

#include "rx_header.h"

LIST_HEAD(rx_policies);		/* under rx_mutex */
struct hlist_head rx_bindings[1 << RX_BINDING_BITS];	/* by device; written under rx_mutex */
static LIST_HEAD(rx_retired);	/* under rx_mutex */
static u32 rx_last_id;		/* under rx_mutex */

/* Drivers whose calls of eth_get_headlen() no policy may answer. */
static const struct {
	const char *driver;
	const char *why;
} rx_denied[] = {
	{ "cxgb4", "asks for the header length on transmit" },
	{ "cxgb4vf", "asks for the header length on transmit" },
	{ "tun", "asks for the header length of what it is given, and copies nothing" },
	{ "gve", "has no room for more than the real headers" },
};

static const char *rx_denied_why(const char *driver)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rx_denied); i++)
		if (!strcmp(driver, rx_denied[i].driver))
			return rx_denied[i].why;
	return NULL;
}

static const char *rx_driver_of(const struct net_device *dev)
{
	if (dev->dev.parent)
		return dev_driver_string(dev->dev.parent);
	return dev->rtnl_link_ops ? dev->rtnl_link_ops->kind : "";
}

static bool rx_device_ok(const struct net_device *dev)
{
	return dev->type == ARPHRD_ETHER && !rx_denied_why(rx_driver_of(dev));
}

/**
 * rx_policy_create() - make a policy from its members; nothing sees it yet
 * @ops: checked members
 * @link: its BPF link or NULL
 *
 * Return: the policy, or an ERR_PTR.
 */
struct rx_policy *rx_policy_create(const struct bpf_rx_header_ops *ops, struct bpf_link *link)
{
	struct net *net = current->nsproxy->net_ns;
	struct rx_policy *pol;

	pol = kzalloc(sizeof(*pol), GFP_KERNEL);
	if (!pol)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&pol->list);
	pol->kdata = ops;
	pol->link = link;
	pol->netns_cookie = net->net_cookie;
	pol->netns_inum = net->ns.inum;
	memcpy(pol->device, ops->device, sizeof(pol->device));
	memcpy(pol->driver, ops->driver, sizeof(pol->driver));
	memcpy(pol->name, ops->name, sizeof(pol->name));
	return pol;
}

/* After rx_policy_remove(), or if it was never added: no packet sees it. */
void rx_policy_destroy(struct rx_policy *pol)
{
	kfree(pol);
}

void rx_counts_add(struct bpf_rx_header_counts *to, const struct rx_binding *b)
{
	int cpu;

	/* Not read at one instant: each is right by itself. */
	for_each_possible_cpu(cpu) {
		const struct rx_counts *c = per_cpu_ptr(b->counts, cpu);

		to->asked += READ_ONCE(c->asked);
		to->answered += READ_ONCE(c->answered);
		to->native += READ_ONCE(c->native);
		to->lowered += READ_ONCE(c->lowered);
		to->bounds += READ_ONCE(c->bounds);
		to->elsewhere += READ_ONCE(c->elsewhere);
		to->bytes += READ_ONCE(c->bytes);
	}
}

static struct rx_binding *rx_binding_create(struct rx_policy *pol, const struct net_device *dev)
{
	struct rx_binding *b = kzalloc(sizeof(*b), GFP_KERNEL);

	if (!b)
		return NULL;
	b->counts = alloc_percpu(struct rx_counts);
	if (!b->counts) {
		kfree(b);
		return NULL;
	}
	b->dev = dev;
	b->pol = pol;
	b->header_len = pol->kdata->header_len;
	strscpy(b->driver, rx_driver_of(dev), sizeof(b->driver));
	/* It asks for the minimum to be sent inline, too; so does what it calls its sub-functions, mlx5_core.sf. */
	b->enter = strstarts(b->driver, "mlx5_core");
	return b;
}

/* Let go of the bindings that were replaced. Packets of other CPUs may still use them before. */
static void rx_free_retired(void)
{
	struct rx_binding *b, *next;

	if (list_empty(&rx_retired))
		return;
	synchronize_net();
	list_for_each_entry_safe(b, next, &rx_retired, retired) {
		rx_counts_add(&b->pol->past, b);
		free_percpu(b->counts);
		kfree(b);
	}
	INIT_LIST_HEAD(&rx_retired);
}

/* The policy that @dev is to have: one that names it before one for its driver. */
static struct rx_policy *rx_policy_for(const struct net_device *dev)
{
	struct rx_policy *pol, *found = NULL;

	if (!rx_device_ok(dev))
		return NULL;
	list_for_each_entry(pol, &rx_policies, list) {
		if (pol->dev == dev)
			return pol;
		if (pol->driver[0] && !strcmp(pol->driver, rx_driver_of(dev)))
			found = pol;
	}
	return found;
}

/* Give @dev the policy that it is to have now; @gone: none. */
static int rx_rebind(const struct net_device *dev, bool gone)
{
	struct rx_policy *pol = gone ? NULL : rx_policy_for(dev);
	struct rx_binding *old = rx_binding_find(dev), *b = NULL;
	int err = 0;

	if (pol == (old ? old->pol : NULL))
		return 0;
	if (pol) {
		b = rx_binding_create(pol, dev);
		if (!b)
			err = -ENOMEM;
	}
	if (old && b)
		hlist_replace_rcu(&old->node, &b->node);
	else if (old)
		hlist_del_rcu(&old->node);
	else if (b)
		hash_add_rcu(rx_bindings, &b->node, (unsigned long)dev);
	if (old)
		list_add(&old->retired, &rx_retired);
	return err;
}

static int rx_rebind_all(void)
{
	struct net_device *dev;
	int err = 0, one;
	struct net *net;

	ASSERT_RTNL();
	down_read(&net_rwsem);
	for_each_net(net) {
		for_each_netdev(net, dev) {
			one = rx_rebind(dev, false);
			err = err ?: one;
		}
	}
	up_read(&net_rwsem);
	rx_free_retired();
	return err;
}

/* The policy that has the device or driver of @pol, other than @replaces. */
static struct rx_policy *rx_policy_conflict(const struct rx_policy *pol, const struct rx_policy *replaces)
{
	struct rx_policy *other;

	list_for_each_entry(other, &rx_policies, list) {
		if (other == replaces)
			continue;
		if (pol->driver[0] && !strcmp(pol->driver, other->driver))
			return other;
		if (pol->dev && other->dev == pol->dev)
			return other;
		if (pol->device[0] && pol->netns_cookie == other->netns_cookie && !strcmp(pol->device, other->device))
			return other;
	}
	return NULL;
}

static int rx_policy_check(const struct rx_policy *pol, const struct rx_policy *replaces)
{
	const char *driver = pol->dev ? rx_driver_of(pol->dev) : pol->driver, *why = rx_denied_why(driver);
	const struct rx_policy *other;

	if (why) {
		rx_refuse("%s%s%sdriver %s %s", pol->dev ? "device " : "", pol->device, pol->dev ? " of " : "", driver, why);
		return -EOPNOTSUPP;
	}
	if (pol->dev && !rx_device_ok(pol->dev)) {
		rx_refuse("device %s is no Ethernet device", pol->device);
		return -EOPNOTSUPP;
	}
	other = rx_policy_conflict(pol, replaces);
	if (other) {
		rx_refuse("%s %s already has the header policy %s", pol->driver[0] ? "driver" : "device",
			  pol->driver[0] ? pol->driver : pol->device, other->name);
		return -EBUSY;
	}
	return 0;
}

/**
 * rx_policy_add() - publish a policy
 * @pol: the policy
 * @replaces: policy whose place it takes in the same step, or NULL
 *
 * Return: 0; -EBUSY, -EOPNOTSUPP with a reason in words; -ENOMEM. On failure nothing has changed.
 */
int rx_policy_add(struct rx_policy *pol, struct rx_policy *replaces)
{
	int err;

	rtnl_lock();
	mutex_lock(&rx_mutex);
	if (pol->device[0])
		pol->dev = __dev_get_by_name(current->nsproxy->net_ns, pol->device);
	err = rx_policy_check(pol, replaces);
	if (err)
		goto unlock;
	pol->id = ++rx_last_id;
	if (replaces)
		list_replace_init(&replaces->list, &pol->list);
	else
		list_add_tail(&pol->list, &rx_policies);
	err = rx_rebind_all();
	if (err) {
		if (replaces)
			list_replace_init(&pol->list, &replaces->list);
		else
			list_del_init(&pol->list);
		/* Without memory to go back a device is native until the next change. */
		rx_rebind_all();
	}
unlock:
	mutex_unlock(&rx_mutex);
	rtnl_unlock();
	return err;
}

void rx_policy_remove(struct rx_policy *pol)
{
	rtnl_lock();
	mutex_lock(&rx_mutex);
	list_del_init(&pol->list);
	/* Devices fall back to a policy of their driver; without memory for that they are native. */
	rx_rebind_all();
	mutex_unlock(&rx_mutex);
	rtnl_unlock();
}

struct rx_policy *rx_policy_of(const void *kdata)
{
	struct rx_policy *pol, *found = NULL;

	mutex_lock(&rx_mutex);
	list_for_each_entry(pol, &rx_policies, list)
		if (pol->kdata == kdata)
			found = pol;
	mutex_unlock(&rx_mutex);
	return found;
}

/* @dev has its name and namespace from now on. */
static void rx_device_found(const struct net_device *dev)
{
	struct rx_policy *pol;

	list_for_each_entry(pol, &rx_policies, list) {
		if (pol->dev == dev)
			strscpy(pol->device, dev->name, sizeof(pol->device));
		else if (!pol->dev && pol->netns_cookie == dev_net(dev)->net_cookie && !strcmp(pol->device, dev->name))
			pol->dev = dev;
	}
	if (rx_rebind(dev, false))
		pr_warn("no memory to follow %s: the kernel decides about its header length\n", dev->name);
}

/* @dev goes away or leaves its namespace. */
static void rx_device_lost(const struct net_device *dev)
{
	struct rx_policy *pol;

	list_for_each_entry(pol, &rx_policies, list)
		if (pol->dev == dev)
			pol->dev = NULL;
	rx_rebind(dev, true);
}

static int rx_device_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);

	mutex_lock(&rx_mutex);
	switch (event) {
	case NETDEV_REGISTER:
	case NETDEV_CHANGENAME:
		rx_device_found(dev);
		break;
	case NETDEV_UNREGISTER:
		rx_device_lost(dev);
		break;
	}
	rx_free_retired();
	mutex_unlock(&rx_mutex);
	return NOTIFY_DONE;
}

static struct notifier_block rx_device_notifier = {
	.notifier_call = rx_device_event,
};

int rx_devices_init(void)
{
	return register_netdevice_notifier(&rx_device_notifier);
}

void rx_devices_exit(void)
{
	unregister_netdevice_notifier(&rx_device_notifier);
}
