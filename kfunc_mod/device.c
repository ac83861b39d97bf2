// SPDX-License-Identifier: GPL-2.0
/*
 * The devices that a policy names: found by name and network namespace, then known by pointer, never by index. A device that is
 * renamed keeps its policy; one that is removed or moved leaves a name that waits for the next device to have it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/net_namespace.h>

#include "gro.h"

int gro_devices_parse(struct gro_policy *pol, const char *devices)
{
	const char *p = devices;
	u32 i;

	while (*(p += strspn(p, " ,\t\n"))) {
		size_t len = strcspn(p, " ,\t\n");
		char *name = pol->devs[pol->ndevs].name;

		if (pol->ndevs == GRO_DEVS_MAX) {
			gro_refuse("member devices: more than %u names", GRO_DEVS_MAX);
			return -E2BIG;
		}
		if (len >= IFNAMSIZ) {
			gro_refuse("member devices: '%.*s' is longer than a device name can be", (int)len, p);
			return -EINVAL;
		}
		memcpy(name, p, len);
		name[len] = '\0';
		if (!dev_valid_name(name)) {
			gro_refuse("member devices: '%s' cannot be a device name", name);
			return -EINVAL;
		}
		for (i = 0; i < pol->ndevs; i++) {
			if (!strcmp(pol->devs[i].name, name)) {
				gro_refuse("member devices: '%s' is there twice", name);
				return -EINVAL;
			}
		}
		pol->ndevs++;
		p += len;
	}
	return 0;
}

void gro_devices_bind(struct gro_policy *pol, struct net *net)
{
	u32 i;

	ASSERT_RTNL();
	for (i = 0; i < pol->ndevs; i++)
		pol->devs[i].dev = __dev_get_by_name(net, pol->devs[i].name);
}

/* The list as it is now, apart by a space. */
void gro_devices_print(const struct gro_policy *pol, char *buf, size_t len)
{
	size_t at = 0;
	u32 i;

	buf[0] = '\0';
	for (i = 0; i < pol->ndevs; i++)
		at += scnprintf(buf + at, len - at, "%s%s", i ? " " : "", pol->devs[i].name);
}

static bool gro_device_taken(const struct gro_policy *pol, const struct net_device *dev)
{
	struct gro_policy *other;
	u32 i, j, k;

	list_for_each_entry(other, &gro_policies, list) {
		if (other == pol || !other->published)
			continue;
		for (k = 0; k < other->ndevs; k++) {
			if (other->devs[k].dev != dev)
				continue;
			for (i = 0; i < pol->nslots; i++)
				for (j = 0; j < other->nslots; j++)
					if (pol->slots[i].kind == other->slots[j].kind &&
					    pol->slots[i].id == other->slots[j].id)
						return true;
		}
	}
	return false;
}

/* @dev has its name and namespace from now on. True if some policy got it. */
static bool gro_device_found(struct net_device *dev)
{
	struct gro_policy *pol;
	bool found = false;
	u32 i;

	list_for_each_entry(pol, &gro_policies, list) {
		if (!pol->published || pol->netns_cookie != dev_net(dev)->net_cookie)
			continue;
		for (i = 0; i < pol->ndevs; i++) {
			if (pol->devs[i].dev || strcmp(pol->devs[i].name, dev->name))
				continue;
			if (gro_device_taken(pol, dev)) {
				pr_info("policy %s waits: %s belongs to another policy\n", pol->name, dev->name);
				continue;
			}
			/* What the device holds was held natively, or by us before it went away. */
			gro_policy_new_stamp(pol);
			pol->devs[i].dev = dev;
			found = true;
		}
	}
	return found;
}

/* @dev goes away or leaves its namespace. */
static bool gro_device_lost(const struct net_device *dev)
{
	struct gro_policy *pol;
	bool lost = false;
	u32 i;

	list_for_each_entry(pol, &gro_policies, list) {
		for (i = 0; i < pol->ndevs; i++) {
			if (pol->devs[i].dev == dev) {
				pol->devs[i].dev = NULL;
				lost = true;
			}
		}
	}
	return lost;
}

static void gro_device_renamed(const struct net_device *dev)
{
	struct gro_policy *pol;
	u32 i;

	list_for_each_entry(pol, &gro_policies, list)
		for (i = 0; i < pol->ndevs; i++)
			if (pol->devs[i].dev == dev)
				strscpy(pol->devs[i].name, dev->name, IFNAMSIZ);
}

static int gro_device_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	bool change = false;

	mutex_lock(&gro_mutex);
	switch (event) {
	case NETDEV_CHANGENAME:
		gro_device_renamed(dev);
		fallthrough;
	case NETDEV_REGISTER:
		change = gro_device_found(dev);
		break;
	case NETDEV_UNREGISTER:
		change = gro_device_lost(dev);
		break;
	}
	if (event == NETDEV_UNREGISTER && change)
		gro_slots_forget(dev);
	if (change && gro_slots_rebuild())
		pr_warn("no memory to follow %s: its packets go on as before\n", dev->name);
	mutex_unlock(&gro_mutex);
	return NOTIFY_DONE;
}

static struct notifier_block gro_device_notifier = {
	.notifier_call = gro_device_event,
};

int gro_devices_init(void)
{
	return register_netdevice_notifier(&gro_device_notifier);
}

void gro_devices_exit(void)
{
	unregister_netdevice_notifier(&gro_device_notifier);
}
