// SPDX-License-Identifier: GPL-2.0
/*
 * Network devices of the current network namespace, by rtnetlink: sysfs shows the namespace of its mount instead.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>

#include "groctl.h"

/* Kinds whose packets GRO has seen already, as packets of the device below. */
static const char * const upper_kinds[] = {
	"bond", "team", "bridge", "vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "vrf", "hsr",
};

static const struct rtattr *find_attr(const struct rtattr *a, int len, int type)
{
	for (; RTA_OK(a, len); a = RTA_NEXT(a, len))
		if ((a->rta_type & NLA_TYPE_MASK) == type)
			return a;
	return NULL;
}

static uint32_t attr_u32(const struct rtattr *a)
{
	uint32_t v = 0;

	if (a && RTA_PAYLOAD(a) >= sizeof(v))
		memcpy(&v, RTA_DATA(a), sizeof(v));
	return v;
}

static void attr_str(const struct rtattr *a, char *buf, size_t size)
{
	buf[0] = '\0';
	if (a)
		snprintf(buf, size, "%.*s", (int)RTA_PAYLOAD(a), (const char *)RTA_DATA(a));
}

static int add_device(struct devices *devs, const struct nlmsghdr *nh)
{
	const struct ifinfomsg *ifi = NLMSG_DATA(nh);
	const struct rtattr *first = IFLA_RTA(ifi), *a;
	int len = IFLA_PAYLOAD(nh);
	struct device *dev;

	dev = realloc(devs->v, (devs->n + 1) * sizeof(*dev));
	if (!dev)
		return -ENOMEM;
	devs->v = dev;
	dev += devs->n++;
	memset(dev, 0, sizeof(*dev));
	dev->ifindex = ifi->ifi_index;
	attr_str(find_attr(first, len, IFLA_IFNAME), dev->name, sizeof(dev->name));
	if (!find_attr(first, len, IFLA_LINK_NETNSID))
		dev->lower = attr_u32(find_attr(first, len, IFLA_LINK));
	dev->master = attr_u32(find_attr(first, len, IFLA_MASTER));
	a = find_attr(first, len, IFLA_LINKINFO);
	if (a)
		attr_str(find_attr(RTA_DATA(a), RTA_PAYLOAD(a), IFLA_INFO_KIND), dev->kind, sizeof(dev->kind));
	if (ifi->ifi_flags & IFF_LOOPBACK)
		snprintf(dev->kind, sizeof(dev->kind), "loopback");
	a = find_attr(first, len, IFLA_XDP);
	if (a) {
		a = find_attr(RTA_DATA(a), RTA_PAYLOAD(a), IFLA_XDP_ATTACHED);
		dev->generic_xdp = a && *(const uint8_t *)RTA_DATA(a) == XDP_ATTACHED_SKB;
	}
	return 0;
}

static void read_gro(struct device *dev, int fd)
{
	struct ethtool_value v = { .cmd = ETHTOOL_GGRO };
	struct ifreq ifr = {};

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%.15s", dev->name);
	ifr.ifr_data = (void *)&v;
	if (!ioctl(fd, SIOCETHTOOL, &ifr))
		dev->gro_off = !v.data;
}

static int receive_dump(struct devices *devs, int fd)
{
	static char buf[1 << 17];
	const struct nlmsghdr *nh;
	ssize_t len;
	int err;

	for (;;) {
		len = recv(fd, buf, sizeof(buf), MSG_TRUNC);
		if (len < 0)
			return -errno;
		if (len > (ssize_t)sizeof(buf))
			return -EMSGSIZE;
		for (nh = (const void *)buf; NLMSG_OK(nh, len); nh = NLMSG_NEXT(nh, len)) {
			if (nh->nlmsg_type == NLMSG_DONE)
				return 0;
			if (nh->nlmsg_type == NLMSG_ERROR)
				return ((const struct nlmsgerr *)NLMSG_DATA(nh))->error ?: -EIO;
			if (nh->nlmsg_type != RTM_NEWLINK)
				continue;
			err = add_device(devs, nh);
			if (err)
				return err;
		}
	}
}

/**
 * devices_read() - read all devices of the current network namespace
 * @devs: filled; free it with devices_free() in any case
 *
 * Return: 0 or a negative errno.
 */
int devices_read(struct devices *devs)
{
	struct {
		struct nlmsghdr nh;
		struct ifinfomsg ifi;
	} req = {
		.nh = { sizeof(req), RTM_GETLINK, NLM_F_REQUEST | NLM_F_DUMP, 1, 0 },
	};
	int fd, err, i;

	memset(devs, 0, sizeof(*devs));
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	if (fd < 0)
		return -errno;
	if (send(fd, &req, sizeof(req), 0) < 0)
		err = -errno;
	else
		err = receive_dump(devs, fd);
	close(fd);
	if (err)
		return err;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return 0;
	for (i = 0; i < devs->n; i++)
		read_gro(&devs->v[i], fd);
	close(fd);
	return 0;
}

void devices_free(struct devices *devs)
{
	free(devs->v);
	devs->v = NULL;
	devs->n = 0;
}

const struct device *device_find(const struct devices *devs, const char *name)
{
	int i;

	for (i = 0; i < devs->n; i++)
		if (!strcmp(devs->v[i].name, name))
			return &devs->v[i];
	return NULL;
}

/* The devices below @dev whose names GRO sees, apart by a space. */
static void lower_names(const struct devices *devs, const struct device *dev, char *buf, size_t size)
{
	size_t at = 0;
	int i;

	buf[0] = '\0';
	for (i = 0; i < devs->n && at + 1 < size; i++) {
		if (devs->v[i].ifindex != dev->lower && devs->v[i].master != dev->ifindex)
			continue;
		at += snprintf(buf + at, size - at, "%s%s", at ? " " : "", devs->v[i].name);
	}
}

/**
 * device_warning() - why a policy on this device may have nothing to do
 * @devs: all devices
 * @dev: the device
 * @buf: a sentence
 * @size: its size
 *
 * Return: whether there is something to say.
 */
bool device_warning(const struct devices *devs, const struct device *dev, char *buf, size_t size)
{
	char below[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(upper_kinds); i++) {
		if (strcmp(dev->kind, upper_kinds[i]))
			continue;
		lower_names(devs, dev, below, sizeof(below));
		snprintf(buf, size, "%s is a %s device: GRO sees its packets as packets of the device below%s%s, so a policy on %s sees none",
			 dev->name, dev->kind, below[0] ? ": " : "", below, dev->name);
		return true;
	}
	if (!strcmp(dev->kind, "loopback") || !strcmp(dev->kind, "dummy")) {
		snprintf(buf, size, "%s is a %s device: its packets never pass GRO", dev->name, dev->kind);
		return true;
	}
	if (dev->generic_xdp) {
		snprintf(buf, size, "%s has a generic XDP program, which turns GRO off: use native XDP", dev->name);
		return true;
	}
	if (dev->gro_off) {
		snprintf(buf, size, "GRO is off on %s: ethtool -K %s gro on", dev->name, dev->name);
		return true;
	}
	return false;
}
