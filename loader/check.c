// SPDX-License-Identifier: GPL-2.0
/*
 * groctl check: what would be refused about a policy, found without a kernel. The rules are those that the module applies when a
 * policy is registered (kfunc_mod/ops.c), in its words; the verifier's own can only be had from a kernel.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <netinet/in.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "groctl.h"

/* What this version's module offers to policies. */
static const char * const kfuncs[] = {
	"bpf_gro_header", "bpf_gro_csum", "bpf_gro_find_held", "bpf_gro_match_layer", "bpf_gro_parse_state", "bpf_gro_has_socket", "bpf_gro_udp_socket",
	"bpf_gro_is_local", "bpf_gro_nr_held", "bpf_gro_ifindex", "bpf_gro_finish",
};

struct check {
	const struct policy *pol;
	const char *file;
	int found;
};

static void __printf(2, 3) finding(struct check *c, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (!out_json)
		out_text("%s: ", c->file);
	out_str("finding", "%s\n", text);
	c->found++;
}

/* Those that the kernel takes for compatible with its own. */
static const char * const licenses[] = {
	"GPL", "GPL v2", "GPL and additional rights", "Dual BSD/GPL", "Dual MIT/GPL", "Dual MPL/GPL",
};

static void check_license(struct check *c)
{
	char *license = elf_license(c->pol->path);
	size_t i;

	if (!license)
		finding(c, "no license: char _license[] SEC(\"license\") = \"GPL\"; the functions of bpf_gro are for GPL programs");
	for (i = 0; license && i < ARRAY_SIZE(licenses) && strcmp(license, licenses[i]); i++)
		;
	if (i == ARRAY_SIZE(licenses))
		finding(c, "license \"%s\": the functions of bpf_gro are for GPL programs", license);
	free(license);
}

/* A member as the object file has it, and its size; NULL if the object's struct has none of that name. */
static void *member_at(const struct policy *pol, const char *name, uint32_t *size)
{
	uint32_t off;

	return policy_member(pol, name, &off, size) ? pol->data + off : NULL;
}

/* libbpf puts a pointer to the program where the object has a function's address. */
static const struct bpf_program *member_program(const struct policy *pol, const char *member)
{
	const struct bpf_program *prog = NULL;
	uint32_t size;
	void *at = member_at(pol, member, &size);

	if (at && size == sizeof(prog))
		memcpy(&prog, at, size);
	return prog;
}

static void check_program(struct check *c, const char *member)
{
	const struct bpf_program *prog = member_program(c->pol, member);
	const char *section;

	if (!prog) {
		finding(c, "no member %s", member);
		return;
	}
	section = bpf_program__section_name(prog);
	if (!strncmp(section, "struct_ops.s", 12))
		finding(c, "member %s: SEC(\"%s\") may sleep, and a GRO policy runs in softirq context: SEC(\"struct_ops/...\")", member,
			section);
}

static bool is_exthdr(unsigned int id)
{
	switch (id) {
	case IPPROTO_HOPOPTS:
	case IPPROTO_ROUTING:
	case IPPROTO_FRAGMENT:
	case IPPROTO_AH:
	case IPPROTO_NONE:
	case IPPROTO_DSTOPTS:
		return true;
	}
	return false;
}

static bool is_outer(unsigned int id)
{
	return id == IPPROTO_UDP || id == IPPROTO_GRE || id == IPPROTO_IPIP || id == IPPROTO_IPV6;
}

static void check_slot(struct check *c, const struct bpf_gro_slot *slots, int i, bool key)
{
	char text[32];
	int j;

	slot_text(&slots[i], text, sizeof(text));
	if (slots[i].kind >= __BPF_GRO_SLOT_MAX)
		finding(c, "member slots[%d]: kind %u does not exist in this version", i, slots[i].kind);
	else if (slots[i].id > 255)
		finding(c, "member slots[%d]: %s is not a protocol number (0 to 255)", i, text);
	else if (slots[i].kind == BPF_GRO_SLOT_IP6 && is_exthdr(slots[i].id))
		finding(c, "member slots[%d]: %s is an IPv6 extension header", i, text);
	else if (slots[i].id == IPPROTO_ESP || slots[i].id == IPPROTO_SCTP)
		finding(c, "member slots[%d]: %s has a handler of a kernel module, which could be unloaded under the policy", i, text);
	else if (key && is_outer(slots[i].id))
		finding(c, "member key: behind %s other layers may come: receive has to look for itself (bpf_gro_find_held)", text);
	for (j = 0; j < i; j++)
		if (slots[j].kind == slots[i].kind && slots[j].id == slots[i].id)
			finding(c, "member slots[%d]: %s is there twice", i, text);
}

static void check_slots(struct check *c, bool key)
{
	struct bpf_gro_slot slots[BPF_GRO_SLOTS_MAX];
	int n, i;

	policy_slots(c->pol, slots);
	for (n = 0; n < BPF_GRO_SLOTS_MAX && slots[n].kind; n++)
		check_slot(c, slots, n, key);
	if (!n)
		finding(c, "member slots: a policy needs a slot, such as { BPF_GRO_SLOT_IP, IPPROTO_TCP }");
	for (i = n; i < BPF_GRO_SLOTS_MAX; i++)
		if (slots[i].kind || slots[i].id)
			finding(c, "member slots[%d]: comes after an empty entry", i);
}

/* A whole number among the members; 0 if the object's struct is older than it. */
static uint64_t member_number(const struct policy *pol, const char *member)
{
	uint64_t v = 0;
	uint32_t size;
	const void *at = member_at(pol, member, &size);

	if (at && size <= sizeof(v))
		memcpy(&v, at, size);
	return v;
}

static void check_ranges(struct check *c, uint32_t key)
{
	uint32_t compare = member_number(c->pol, "compare"), len = BPF_GRO_RANGE_LEN(compare);

	if (key && (!BPF_GRO_RANGE_LEN(key) || BPF_GRO_RANGE_LEN(key) > BPF_GRO_KEY_MAX || BPF_GRO_RANGE_OFF(key) > BPF_GRO_KEY_OFF_MAX))
		finding(c, "member key: 1 to %u bytes from byte %u at most, such as BPF_GRO_RANGE(0, 4)", BPF_GRO_KEY_MAX,
			BPF_GRO_KEY_OFF_MAX);
	if (BPF_GRO_RANGE_OFF(compare) > BPF_GRO_KEY_OFF_MAX || (len > BPF_GRO_KEY_OFF_MAX && len != BPF_GRO_REST_LEN))
		finding(c, "member compare: it ends beyond what is taken for a header, %u bytes", 2 * BPF_GRO_KEY_OFF_MAX);
	if (compare && !key)
		finding(c, "a member compare but no member key");
}

static void check_name(struct check *c)
{
	uint32_t size = 0;
	const char *name = member_at(c->pol, "name", &size);
	size_t len = name ? strnlen(name, size) : 0, i;

	if (!len || len == size) {
		finding(c, "member name: 1 to %d characters are needed", BPF_GRO_NAME_LEN - 1);
		return;
	}
	for (i = 0; i < len && (isalnum((unsigned char)name[i]) || strchr("_-.", name[i])); i++)
		;
	if (i < len)
		finding(c, "member name: letters, digits, '_', '-' and '.' only");
}

/* The list of devices: apart by spaces or commas, each shorter than a device's name can be, none twice. */
static void check_devices(struct check *c)
{
	uint32_t size = 0;
	const char *list = member_at(c->pol, "devices", &size);
	char copy[BPF_GRO_DEVICES_LEN], *name, *save, *seen[BPF_GRO_DEVICES_LEN / 2];
	int n = 0, i;

	if (!list || size > sizeof(copy))
		return;
	if (strnlen(list, size) == size) {
		finding(c, "member devices: longer than %u characters", size - 1);
		return;
	}
	snprintf(copy, sizeof(copy), "%s", list);
	for (name = strtok_r(copy, " ,", &save); name; name = strtok_r(NULL, " ,", &save)) {
		if (strlen(name) > 15)
			finding(c, "member devices: %s is longer than the name of a device can be (15 characters)", name);
		for (i = 0; i < n && strcmp(seen[i], name); i++)
			;
		if (i < n)
			finding(c, "member devices: %s is there twice", name);
		seen[n++] = name;
	}
}

/* Functions of ours that the object needs and the module does not have. Read anew: libbpf has replaced them by dummies in what it opened. */
static void check_kfuncs(struct check *c)
{
	struct btf *btf = btf__parse_elf(c->pol->path, NULL);
	int id = btf ? btf__find_by_name_kind(btf, ".ksyms", BTF_KIND_DATASEC) : -1, i;
	const struct btf_var_secinfo *var;
	const struct btf_type *sec, *t;
	const char *name;
	size_t k;

	sec = id > 0 ? btf__type_by_id(btf, id) : NULL;
	for (i = 0; sec && i < btf_vlen(sec); i++) {
		var = btf_var_secinfos(sec) + i;
		t = btf__type_by_id(btf, var->type);
		name = t && btf_is_func(t) ? btf__name_by_offset(btf, t->name_off) : "";
		if (strncmp(name, "bpf_gro_", 8))
			continue;
		for (k = 0; k < ARRAY_SIZE(kfuncs) && strcmp(kfuncs[k], name); k++)
			;
		if (k == ARRAY_SIZE(kfuncs))
			finding(c, "function %s is not there in this version of bpf_gro", name);
	}
	btf__free(btf);
}

static int check_policy(const struct policy *pol, const char *what)
{
	struct check c = { .pol = pol, .file = what };
	uint64_t flags = member_number(pol, "flags");
	uint32_t key = member_number(pol, "key");

	out_open(NULL);
	out_str("file", NULL, pol->path);
	out_str("name", NULL, policy_name(pol));
	out_open_array("findings");
	check_license(&c);
	check_program(&c, "receive");
	check_program(&c, "complete");
	check_slots(&c, key);
	check_ranges(&c, key);
	if (flags & ~(uint64_t)BPF_GRO_OPS_FLAGS)
		finding(&c, "member flags: %#llx has bits that this version does not know (it knows %#x)", (unsigned long long)flags,
			BPF_GRO_OPS_FLAGS);
	if (member_number(pol, "metadata") >= __BPF_GRO_METADATA_MAX)
		finding(&c, "member metadata: %u is no mode that this version knows", (unsigned int)member_number(pol, "metadata"));
	check_name(&c);
	check_devices(&c);
	check_kfuncs(&c);
	out_close();
	out_close();
	if (!c.found)
		out_text("%s: policy %s: nothing wrong that can be seen before it is loaded\n", what, policy_name(pol));
	return c.found ? RC_FAIL : RC_OK;
}

/* Every file is looked at, whatever is wrong with others. */
int verb_check(const struct cli *cli)
{
	int code = RC_OK, one, i;
	struct policy pol;

	out_open_array("policies");
	for (i = 0; i < cli->nargs; i++) {
		one = policy_find(&pol, cli->args[i]);
		if (!one)
			one = check_policy(&pol, cli->args[i]);
		if (one)
			code = one;
		policy_close(&pol);
	}
	out_close();
	return code;
}
