// SPDX-License-Identifier: GPL-2.0
/*
 * groctl detach: first the policy goes off its slots, then its pins go. Killed in between it leaves a pin that holds nothing; status
 * shows it, the next attach or detach of the name removes it.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "groctl.h"

#define RELEASE_WAIT_MS		5000	/* for the module's last reference, so that rmmod works right away */

/* Does the struct_ops map hold the policy @name, registered without a link? */
static bool map_holds(int fd, const struct bpf_map_info *info, const struct btf *btf, const char *name)
{
	const struct btf_type *vtype = btf__type_by_id(btf, info->btf_vmlinux_value_type_id), *ops;
	const struct btf_member *m;
	unsigned char value[8192] = {};
	uint32_t off = 0, zero = 0;
	int i;

	if (!vtype || !btf_is_struct(vtype) || info->value_size > sizeof(value))
		return false;
	if (strcmp(btf__name_by_offset(btf, vtype->name_off), "bpf_struct_ops_" OPS_TYPE))
		return false;
	m = btf_members(vtype);
	for (i = 0; i < btf_vlen(vtype); i++, m++)
		if (!strcmp(btf__name_by_offset(btf, m->name_off), "data"))
			break;
	if (i == btf_vlen(vtype) || bpf_map_lookup_elem(fd, &zero, value))
		return false;
	off = btf_member_bit_offset(vtype, i) / 8;
	ops = btf_base_type(btf, m->type, NULL);
	m = btf_members(ops);
	for (i = 0; i < btf_vlen(ops); i++, m++)
		if (!strcmp(btf__name_by_offset(btf, m->name_off), "name"))
			return !strncmp((char *)value + off + btf_member_bit_offset(ops, i) / 8, name,
					BPF_GRO_NAME_LEN);
	return false;
}

/* A policy without a link is taken off by deleting its map's only element, as `bpftool struct_ops unregister` does. */
static int unregister_map(const char *name)
{
	__u32 id = 0, len, zero = 0;
	struct btf *base, *btf;
	int err, fd;

	err = module_btf(&base, &btf);
	if (err)
		return err;
	err = -ENOENT;
	while (err == -ENOENT && !bpf_map_get_next_id(id, &id)) {
		struct bpf_map_info info = {};

		fd = bpf_map_get_fd_by_id(id);
		if (fd < 0)
			continue;
		len = sizeof(info);
		if (!bpf_map_get_info_by_fd(fd, &info, &len) && info.type == BPF_MAP_TYPE_STRUCT_OPS &&
		    !(info.map_flags & BPF_F_LINK) && map_holds(fd, &info, btf, name))
			err = bpf_map_delete_elem(fd, &zero) ? -errno : 0;
		close(fd);
	}
	btf__free(btf);
	btf__free(base);
	return err;
}

/** detach_link() - detach a link; 0 also if it is gone already, or a negative errno */
int detach_link(uint32_t link_id)
{
	int fd = bpf_link_get_fd_by_id(link_id), err = 0;

	if (fd == -ENOENT)
		return 0;	/* it went by itself meanwhile */
	if (fd < 0)
		return fd;
	if (bpf_link_detach(fd))
		err = -errno;
	close(fd);
	return err;
}

/**
 * remove_pins() - remove the pins of a link
 * @pins: all pins
 * @link_id: the link, detached
 * @name: how to call what it held
 *
 * Return: exit code.
 */
int remove_pins(const struct pins *pins, uint32_t link_id, const char *name)
{
	int i;

	for (i = 0; i < pins->n; i++)
		if (pins->v[i].link_id == link_id && unlink(pins->v[i].path) && errno != ENOENT)
			return fail(RC_FAIL, "%s is detached, but its pin %s cannot be removed: %s", name, pins->v[i].path,
				    strerror(errno));
	return RC_OK;
}

static int detach_policy(const struct bpf_gro_policy_status *st, const struct pins *pins)
{
	int err = st->link_id ? detach_link(st->link_id) : unregister_map(st->name);

	if (err)
		return fail(RC_FAIL, "policy %s cannot be detached: %s", st->name, strerror(-err));
	out_open(NULL);
	out_str("name", "detached %s\n", st->name);
	out_uint("id", NULL, st->id);
	out_close();
	return st->link_id ? remove_pins(pins, st->link_id, st->name) : RC_OK;
}

/* A pin in groctl's directory that holds nothing any more. */
static int remove_stale(const struct kernel *k, const struct pins *pins, const char *name, bool *found)
{
	int i;

	for (i = 0; i < pins->n; i++) {
		const struct pin *pin = &pins->v[i];

		if (kernel_policy(k, NULL, pin->link_id) || strncmp(pin->path, pin_dir(), strlen(pin_dir())) ||
		    (name && strcmp(pin->name, name)))
			continue;
		*found = true;
		if (unlink(pin->path) && errno != ENOENT)
			return fail(RC_FAIL, "the pin %s cannot be removed: %s", pin->path, strerror(errno));
		out_open(NULL);
		out_str("name", "removed the pin of %s, which was not attached any more\n", pin->name);
		out_null("id");
		out_close();
	}
	return RC_OK;
}

static int detach_one(const struct kernel *k, const struct pins *pins, const char *name)
{
	struct bpf_gro_policy_status *st;
	bool found = false;
	int code;

	code = kernel_pick(k, name, &st);
	if (code)
		return code;
	if (st)
		return detach_policy(st, pins);
	code = remove_stale(k, pins, name, &found);
	if (!code && !found)
		return fail(RC_FAIL, "no policy '%s' is attached", name);
	return code;
}

static int detach_all(const struct kernel *k, const struct pins *pins)
{
	int code = RC_OK, one, i;
	bool found = false;

	for (i = 0; i < k->npolicies; i++) {
		one = detach_policy(&k->policies[i], pins);
		code = code ?: one;
	}
	return code ?: remove_stale(k, pins, NULL, &found);
}

/** wait_for_release() - wait until nothing holds the module: maps are freed some grace periods after their link */
void wait_for_release(void)
{
	int i;

	for (i = 0; i < RELEASE_WAIT_MS / 10 && module_refcount() > 0; i++)
		usleep(10 * 1000);
}

int verb_detach(const struct cli *cli)
{
	bool all = cli_has(cli, OPT_ALL);
	struct pins pins = {};
	struct kernel k = {};
	int code;

	if (all == !!cli->nargs)
		return fail(RC_USAGE, "usage: groctl detach NAME, or groctl detach --all");
	code = need_module();
	code = code ?: pins_lock(false);
	code = code ?: kernel_read(&k, KERNEL_POLICIES);
	if (!code) {
		pins_read(&pins, true);
		out_open_array("detached");
		code = all ? detach_all(&k, &pins) : detach_one(&k, &pins, cli->args[0]);
		out_close();
		kernel_close();
		if (!code && (all || k.npolicies <= 1))
			wait_for_release();
	}
	pins_free(&pins);
	kernel_free(&k);
	return code;
}
