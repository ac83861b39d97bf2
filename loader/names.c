// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers of the contract (abi.h) in words.
 */
#include <stdio.h>
#include <string.h>
#include <netinet/in.h>

#include "groctl.h"

static const struct {
	const char *name;
	const char *text;
} reasons[] = {
#define BPF_GRO_X(id, str, sentence)	{ str, sentence },
	BPF_GRO_REASONS(BPF_GRO_X)
#undef BPF_GRO_X
}, violations[] = {
#define BPF_GRO_X(id, str, sentence)	{ str, sentence },
	BPF_GRO_VIOLATIONS(BPF_GRO_X)
#undef BPF_GRO_X
};

static const struct {
	uint8_t proto;
	const char *name;
} protocols[] = {
	{ IPPROTO_ICMP, "icmp" },	{ IPPROTO_IPIP, "ipip" },	{ IPPROTO_TCP, "tcp" },
	{ IPPROTO_UDP, "udp" },		{ IPPROTO_DCCP, "dccp" },	{ IPPROTO_IPV6, "ipv6" },
	{ IPPROTO_GRE, "gre" },		{ IPPROTO_ESP, "esp" },		{ IPPROTO_AH, "ah" },
	{ IPPROTO_ICMPV6, "icmp6" },	{ IPPROTO_SCTP, "sctp" },	{ IPPROTO_UDPLITE, "udplite" },
};

static const char * const kinds[] = {
	[BPF_GRO_SLOT_IP] = "ip",
	[BPF_GRO_SLOT_IP6] = "ip6",
};

const char *protocol_name(unsigned int proto)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(protocols); i++)
		if (protocols[i].proto == proto)
			return protocols[i].name;
	return NULL;
}

static const char *kind_name(unsigned int kind)
{
	return kind < ARRAY_SIZE(kinds) && kinds[kind] ? kinds[kind] : "unknown";
}

/** slot_text() - a slot, such as "ip/tcp" or "ip6/253" */
void slot_text(const struct bpf_gro_slot *slot, char *buf, size_t size)
{
	const char *name = protocol_name(slot->id);

	if (name)
		snprintf(buf, size, "%s/%s", kind_name(slot->kind), name);
	else
		snprintf(buf, size, "%s/%u", kind_name(slot->kind), slot->id);
}

/** slots_text() - all slots of a list of BPF_GRO_SLOTS_MAX, apart by a space */
void slots_text(const struct bpf_gro_slot *slots, char *buf, size_t size)
{
	size_t at = 0;
	int i;

	buf[0] = '\0';
	for (i = 0; i < BPF_GRO_SLOTS_MAX && slots[i].kind && at + 1 < size; i++) {
		if (i)
			buf[at++] = ' ';
		slot_text(&slots[i], buf + at, size - at);
		at += strlen(buf + at);
	}
}

/** out_slots() - a list of slots as a JSON array; the text is the caller's */
void out_slots(const char *key, const struct bpf_gro_slot *slots)
{
	char buf[32];
	int i;

	out_open_array(key);
	for (i = 0; i < BPF_GRO_SLOTS_MAX && slots[i].kind; i++) {
		slot_text(&slots[i], buf, sizeof(buf));
		out_open(NULL);
		out_str("slot", NULL, buf);
		out_str("kind", NULL, kind_name(slots[i].kind));
		out_uint("id", NULL, slots[i].id);
		out_close();
	}
	out_close();
}

const char * const metadata_names[] = {
	[BPF_GRO_METADATA_EXACT] = "exact",
	[BPF_GRO_METADATA_KEEP_FIRST] = "keep-first",
	[BPF_GRO_METADATA_IGNORE] = "ignore",
	NULL
};

const char *metadata_name(unsigned int mode)
{
	return mode < ARRAY_SIZE(metadata_names) - 1 ? metadata_names[mode] : "unknown";
}

const char *reason_name(unsigned int reason)
{
	static char buf[24];

	if (reason < ARRAY_SIZE(reasons))
		return reasons[reason].name;
	snprintf(buf, sizeof(buf), "reason-%u", reason);
	return buf;
}

const char *reason_text(unsigned int reason)
{
	return reason < ARRAY_SIZE(reasons) ? reasons[reason].text : "a reason newer than this groctl";
}

const char *violation_name(unsigned int violation)
{
	return violation < ARRAY_SIZE(violations) ? violations[violation].name : "unknown";
}

const char *violation_text(unsigned int violation)
{
	return violation < ARRAY_SIZE(violations) ? violations[violation].text : "a rule newer than this groctl";
}
