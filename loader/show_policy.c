// SPDX-License-Identifier: GPL-2.0
/*
 * A policy in the kernel, as status shows it and as attach and replace report it.
 */
#include <string.h>

#include "groctl.h"

static void show_devices(const struct bpf_gro_policy_status *st)
{
	char list[BPF_GRO_DEVICES_LEN], *rest = list, *name;
	unsigned int n = 0;

	out_open_array("devices");
	memcpy(list, st->devices, sizeof(list));
	while ((name = strsep(&rest, " "))) {
		if (!*name)
			continue;
		out_str("device", NULL, name);
		n++;
	}
	out_close();
	out_uint("devices_now", NULL, st->devices_now);
	if (!n)
		out_text("    devices  all that no other policy names\n");
	else if (n == st->devices_now)
		out_text("    devices  %s\n", st->devices);
	else
		out_text("    devices  %s (%u of %u there now)\n", st->devices, st->devices_now, n);
}

static void show_netns(const struct bpf_gro_policy_status *st)
{
	bool here = st->netns_cookie ? st->netns_cookie == netns_cookie() : st->netns_inum == netns_inum();
	bool named = st->devices[0];
	char name[NETNS_NAME_LEN] = "";

	netns_name(st->netns_inum, name, sizeof(name));
	out_open("netns");
	out_uint("inum", NULL, st->netns_inum);
	out_uint("cookie", NULL, st->netns_cookie);
	if (name[0])
		out_str("name", NULL, name);
	out_bool("here", NULL, here);
	out_close();
	/* Without named devices the namespace means nothing. */
	if (named)
		out_text("    netns    %u%s%s%s\n", st->netns_inum, name[0] ? " " : "", name,
			 here ? " (this one)" : " (another one)");
}

/**
 * show_pin() - a link and where it is pinned
 * @link_id: the link, 0 for none
 * @pins: all pins of bpffs
 */
void show_pin(uint32_t link_id, const struct pins *pins)
{
	const struct pin *pin = pins_find_link(pins, link_id);

	out_uint("link", NULL, link_id);
	if (pin) {
		out_str("pin", "    pinned   %s\n", pin->path);
		return;
	}
	out_null("pin");
	if (link_id)
		out_text("    pinned   not in this bpffs: its link lives as long as the process that holds it\n");
	else
		out_text("    pinned   no link: registered by another tool, cannot be replaced\n");
}

/**
 * show_policy() - show one policy
 * @st: what the module says
 * @pins: all pins of bpffs
 */
void show_policy(const struct bpf_gro_policy_status *st, const struct pins *pins)
{
	bool ejected = st->state == BPF_GRO_STATE_EJECTED;
	char slots[256];

	slots_text(st->slots, slots, sizeof(slots));
	out_str("name", "%s: ", st->name);
	out_str("state", "%s, ", ejected ? "ejected" : "active");
	out_uint("id", st->link_id ? "id %lu, " : "id %lu\n", st->id);
	if (st->link_id)
		out_text("link %u\n", st->link_id);
	if (ejected) {
		out_str("violation", "    ejected  %s", violation_name(st->violation));
		out_str("message", ": %s; its slots are native again\n",
			st->message[0] ? st->message : violation_text(st->violation));
	}
	out_slots("slots", st->slots);
	out_text("    slots    %s\n", slots);
	out_str("metadata", st->metadata ? "    metadata %s\n" : NULL, metadata_name(st->metadata));
	show_devices(st);
	show_netns(st);
	show_pin(st->link_id, pins);
}
