// SPDX-License-Identifier: GPL-2.0
/*
 * A policy's object file: any BPF object with one struct_ops map of the target's type. Its members are found by the object's own BTF, which may
 * be older or newer than groctl.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "groctl.h"

/**
 * btf_base_type() - follow typedefs and qualifiers
 * @btf: the BTF
 * @id: where to start
 * @is_volatile: set if a volatile is on the way, else left alone; may be NULL
 *
 * Return: the type behind them.
 */
const struct btf_type *btf_base_type(const struct btf *btf, uint32_t id, bool *is_volatile)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	while (t && (btf_is_mod(t) || btf_is_typedef(t))) {
		if (btf_is_volatile(t) && is_volatile)
			*is_volatile = true;
		t = btf__type_by_id(btf, t->type);
	}
	return t;
}

/* The type of a global variable, by its name. */
static const struct btf_type *var_type(const struct btf *btf, const char *name)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_VAR);

	return id > 0 ? btf_base_type(btf, btf__type_by_id(btf, id)->type, NULL) : NULL;
}

static int __printf(2, 3) open_failed(struct policy *pol, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(pol->error, sizeof(pol->error), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static int find_map(struct policy *pol)
{
	const struct btf_type *t;
	struct bpf_map *map;
	size_t size;

	bpf_object__for_each_map(map, pol->obj) {
		if (bpf_map__type(map) != BPF_MAP_TYPE_STRUCT_OPS)
			continue;
		t = var_type(pol->btf, bpf_map__name(map));
		if (!t || strcmp(btf__name_by_offset(pol->btf, t->name_off), target->ops))
			continue;
		if (pol->map)
			return open_failed(pol, "%s has two policies: one struct %s to a file", pol->path, target->ops);
		pol->map = map;
		pol->ops = t;
	}
	if (!pol->map)
		return open_failed(pol, "%s has no policy: no struct %s in SEC(\".struct_ops.link\")", pol->path,
				   target->ops);
	pol->data = bpf_map__initial_value(pol->map, &size);
	if (!pol->data)
		return open_failed(pol, "%s: libbpf gives no access to the policy's members", pol->path);
	/* Also for SEC(".struct_ops"): without a link there is no replacing and no pin. */
	bpf_map__set_map_flags(pol->map, bpf_map__map_flags(pol->map) | BPF_F_LINK);
	bpf_map__set_autocreate(pol->map, true);
	return 0;
}

static void find_rodata(struct policy *pol)
{
	struct bpf_map *map;
	const char *name;
	size_t len;

	/* libbpf calls the map OBJECT.rodata; there may also be OBJECT.rodata.str1.1 and the like. */
	bpf_object__for_each_map(map, pol->obj) {
		name = bpf_map__name(map);
		len = strlen(name);
		if (bpf_map__is_internal(map) && len >= 7 && !strcmp(name + len - 7, ".rodata"))
			pol->rodata = bpf_map__initial_value(map, &len);
	}
}

static int object_open(struct policy *pol, const char *path, const char *label, bool is_policy)
{
	int err;

	memset(pol, 0, sizeof(*pol));
	snprintf(pol->path, sizeof(pol->path), "%s", path);
	snprintf(pol->label, sizeof(pol->label), "%s", label);
	if (access(path, R_OK)) {
		err = -errno;
		snprintf(pol->error, sizeof(pol->error), "cannot read %s: %s", path, strerror(-err));
		return err;
	}
	pol->obj = bpf_object__open_file(path, NULL);
	if (!pol->obj) {
		err = -errno;
		snprintf(pol->error, sizeof(pol->error), "%s is no BPF object file: %s", path, errno_text(-err));
		return err;
	}
	pol->btf = bpf_object__btf(pol->obj);
	if (!pol->btf)
		return open_failed(pol, "%s has no BTF: compile it with clang -g", path);
	err = is_policy ? find_map(pol) : 0;
	if (err)
		return err;
	find_rodata(pol);
	pol->help = elf_help_read(path);
	pol->summary = elf_help_get(pol->help, "bpf_gro_summary");
	err = options_find(pol);
	if (err)
		return open_failed(pol, "%s: out of memory", path);
	return 0;
}

/**
 * policy_open() - open an object file; needs no kernel and no privilege
 * @pol: filled; free it with policy_close() in any case
 * @path: the file
 * @label: how to call it
 *
 * Return: 0, or a negative errno and the reason in @pol->error.
 */
int policy_open(struct policy *pol, const char *path, const char *label)
{
	return object_open(pol, path, label, true);
}

/** program_open() - the same for a program with options that is no policy */
int program_open(struct policy *pol, const char *path, const char *label)
{
	return object_open(pol, path, label, false);
}

void policy_close(struct policy *pol)
{
	bpf_object__close(pol->obj);
	elf_help_free(pol->help);
	free(pol->options);
	memset(pol, 0, sizeof(*pol));
}

/**
 * policy_member() - find a member of the policy's struct
 * @pol: policy
 * @name: its name
 * @off: where it is in @pol->data
 * @size: its size
 *
 * Return: false if the object's struct has none of that name.
 */
bool policy_member(const struct policy *pol, const char *name, uint32_t *off, uint32_t *size)
{
	const struct btf_member *m;
	int i;

	if (!pol->ops)
		return false;
	m = btf_members(pol->ops);
	for (i = 0; i < btf_vlen(pol->ops); i++, m++) {
		if (strcmp(btf__name_by_offset(pol->btf, m->name_off), name))
			continue;
		*off = btf_member_bit_offset(pol->ops, i) / 8;
		*size = btf__resolve_size(pol->btf, m->type);
		return true;
	}
	return false;
}

/** policy_name() - the member name, "" if it has none */
const char *policy_name(const struct policy *pol)
{
	uint32_t off, size;

	if (!policy_member(pol, "name", &off, &size))
		return "";
	return memchr(pol->data + off, 0, size) ? (const char *)pol->data + off : "";
}

/**
 * policy_set_text() - set a member that is an array of char
 * @pol: policy, not loaded yet
 * @member: its name
 * @text: what to set
 *
 * Return: 0; -ENOENT without such a member; -E2BIG if it does not fit.
 */
int policy_set_text(struct policy *pol, const char *member, const char *text)
{
	uint32_t off, size;

	if (!policy_member(pol, member, &off, &size))
		return -ENOENT;
	if (strlen(text) >= size)
		return -E2BIG;
	memset(pol->data + off, 0, size);
	memcpy(pol->data + off, text, strlen(text));
	return 0;
}

/**
 * policy_slots() - the member slots
 * @pol: policy
 * @slots: BPF_GRO_SLOTS_MAX of them, the rest zeroed
 */
void policy_slots(const struct policy *pol, struct bpf_gro_slot *slots)
{
	uint32_t off, size;

	memset(slots, 0, BPF_GRO_SLOTS_MAX * sizeof(*slots));
	if (!policy_member(pol, "slots", &off, &size))
		return;
	if (size > BPF_GRO_SLOTS_MAX * sizeof(*slots))
		size = BPF_GRO_SLOTS_MAX * sizeof(*slots);
	memcpy(slots, pol->data + off, size);
}
