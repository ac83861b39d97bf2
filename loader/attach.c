// SPDX-License-Identifier: GPL-2.0
/*
 * groctl attach: all or nothing. Until the pin is there the policy goes with the process.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "groctl.h"

static bool valid_name(const char *name)
{
	return *name && strlen(name) < BPF_GRO_NAME_LEN && *name != '.' &&
	       !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")];
}

static int set_name(struct policy *pol, const char *name)
{
	bool given = name;

	if (!given)
		name = policy_name(pol);
	if (!given && !valid_name(name))
		return fail(RC_FAIL, "policy %s is refused: member name: '%s' cannot be a name, give another with --name",
			    pol->label, name);
	if (!valid_name(name))
		return fail(RC_USAGE,
			    "'%s' cannot be a policy's name: 1 to %u letters, digits, '_', '-' and '.', which is not the first",
			    name, BPF_GRO_NAME_LEN - 1);
	if (given && policy_set_text(pol, "name", name))
		return fail(RC_FAIL, "policy %s has no member name", pol->label);
	return RC_OK;
}

/* Whether the name is free; a pin that holds nothing any more is taken away. */
static int claim_name(const char *name)
{
	const struct bpf_gro_policy_status *st;
	const struct pin *pin;
	struct pins pins = {};
	struct kernel k = {};
	int code;

	code = kernel_read(&k, KERNEL_POLICIES);
	if (code)
		goto out;
	pins_read(&pins, false);
	pin = pins_find_name(&pins, name);
	st = kernel_policy(&k, name, 0);
	if (!st && pin)
		st = kernel_policy(&k, NULL, pin->link_id);
	if (st && st->state == BPF_GRO_STATE_EJECTED)
		code = fail(RC_FAIL, "policy %s was ejected (%s) and is still registered: groctl detach %s, or replace it",
			    name, st->message, name);
	else if (st)
		code = fail(RC_FAIL, "policy %s is attached already: replace it, detach it, or give this one another --name",
			    name);
	else if (pin && unlink(pin->path))
		code = fail(RC_FAIL, "a pin is left over at %s and cannot be removed: %s", pin->path, strerror(errno));
	else if (pin)
		note("removed %s, whose policy is gone\n", pin->path);
out:
	pins_free(&pins);
	kernel_free(&k);
	return code;
}

static int pin_link(int fd, const char *name)
{
	char path[512];

	pin_path(path, sizeof(path), name);
	if (!bpf_obj_pin(fd, path))
		return RC_OK;
	return fail(RC_FAIL, "policy %s cannot be pinned at %s: %s; it is taken off again", name, path, strerror(errno));
}

static int report(int fd)
{
	struct bpf_gro_policy_status *st;
	struct bpf_link_info info = {};
	__u32 len = sizeof(info);
	struct pins pins = {};
	struct kernel k = {};
	char slots[256];
	int code;

	if (bpf_link_get_info_by_fd(fd, &info, &len))
		return fail(RC_FAIL, "cannot read the link: %s", strerror(errno));
	code = kernel_read(&k, KERNEL_POLICIES);
	if (code)
		goto out;
	pins_read(&pins, false);
	st = kernel_policy(&k, NULL, info.id);
	if (!st) {
		code = fail(RC_FAIL, "the policy was detached at once by someone else");
	} else if (out_json) {
		out_open("policy");
		show_policy(st, &pins);
		out_close();
	} else {
		slots_text(st->slots, slots, sizeof(slots));
		out_text("attached %s: %s on %s\n", st->name, slots, st->devices[0] ? st->devices : "all devices");
	}
out:
	pins_free(&pins);
	kernel_free(&k);
	return code;
}

int verb_attach(const struct cli *cli)
{
	struct policy pol;
	int code, fd = -1;

	code = policy_prepare(&pol, cli, cli->args[0]);
	code = code ?: set_name(&pol, cli_value(cli, OPT_NAME));
	code = code ?: need_hooked();
	code = code ?: policy_devices(&pol, cli);
	code = code ?: pins_lock(true);
	code = code ?: claim_name(policy_name(&pol));
	code = code ?: policy_load(&pol);
	code = code ?: policy_link(&pol, -1, &fd);
	if (!code) {
		code = pin_link(fd, policy_name(&pol));
		/* Off at once, not when the last reference has gone. */
		if (code)
			bpf_link_detach(fd);
		code = code ?: report(fd);
	}
	if (fd >= 0)
		close(fd);
	policy_close(&pol);
	return code;
}
