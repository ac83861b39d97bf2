// SPDX-License-Identifier: GPL-2.0
/*
 * groctl replace: the new policy's map goes into the link of the old one. The kernel swaps all at once, or refuses and the old one stays.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "groctl.h"

/*
 * Names of devices hold in one network namespace, which the module takes from the caller. Without --dev the devices are kept, so the
 * caller has to be where they are.
 */
static int enter_netns_of(const struct bpf_gro_policy_status *st)
{
	if (!st->devices[0] || st->netns_cookie == netns_cookie())
		return RC_OK;
	if (netns_enter_inum(st->netns_inum) || st->netns_cookie != netns_cookie())
		return fail(RC_FAIL,
			    "policy %s belongs to devices of network namespace %u, which has no name and no process to enter it by: give --netns or --dev",
			    st->name, st->netns_inum);
	return RC_OK;
}

static int keep_devices(struct policy *pol, const struct bpf_gro_policy_status *st)
{
	int err = policy_set_text(pol, "devices", st->devices);

	if (err && st->devices[0])
		return fail(RC_FAIL, "policy %s cannot be attached to single devices as %s is", pol->label, st->name);
	return RC_OK;
}

static int set_place(struct policy *pol, const struct cli *cli, const struct bpf_gro_policy_status *st)
{
	int code;

	if (policy_set_text(pol, "name", st->name))
		return fail(RC_FAIL, "policy %s has no member name", pol->label);
	if (cli_has(cli, OPT_DEV))
		return policy_devices(pol, cli);
	code = enter_netns_of(st);
	return code ?: keep_devices(pol, st);
}

static int report(const char *name, const char *label, uint32_t link_id)
{
	struct bpf_gro_policy_status *st;
	struct pins pins = {};
	struct kernel k = {};
	int code;

	code = kernel_read(&k, KERNEL_POLICIES);
	pins_read(&pins, false);
	st = code ? NULL : kernel_policy(&k, NULL, link_id);
	if (st && out_json) {
		out_open("policy");
		show_policy(st, &pins);
		out_close();
	} else if (st) {
		out_text("replaced %s: now %s, id %u\n", name, label, st->id);
	}
	pins_free(&pins);
	kernel_free(&k);
	return code;
}

int verb_replace(const struct cli *cli)
{
	struct bpf_gro_policy_status *st = NULL;
	const char *name = cli->args[0];
	struct kernel k = {};
	struct policy pol;
	int code, fd = -1;

	code = policy_prepare(&pol, cli, cli->args[1]);
	code = code ?: need_hooked();
	code = code ?: pins_lock(false);
	code = code ?: kernel_read(&k, KERNEL_POLICIES);
	code = code ?: kernel_pick(&k, name, &st);
	if (!code && !st)
		code = fail(RC_FAIL, "no policy '%s' is attached: groctl attach puts one there", name);
	if (!code && !st->link_id)
		code = fail(RC_FAIL, "policy %s was registered without a link, so it cannot be replaced: detach and attach",
			    name);
	code = code ?: set_place(&pol, cli, st);
	code = code ?: policy_load(&pol);
	if (!code) {
		fd = bpf_link_get_fd_by_id(st->link_id);
		if (fd < 0)
			code = fail(RC_FAIL, "cannot open the link of policy %s: %s", name, strerror(-fd));
	}
	code = code ?: policy_link(&pol, fd, NULL);
	code = code ?: report(st->name, pol.label, st->link_id);
	if (fd >= 0)
		close(fd);
	kernel_free(&k);
	policy_close(&pol);
	return code;
}
