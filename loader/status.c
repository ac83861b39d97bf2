// SPDX-License-Identifier: GPL-2.0
/*
 * groctl status: what the kernel has, however it came there, and pins that hold nothing any more.
 */
#include <string.h>

#include "groctl.h"

static void show_module(const struct bpf_gro_module_status *m)
{
	out_open("module");
	out_uint("abi", MODULE_NAME ".ko: ABI %lu, ", m->abi);
	out_bool("hooked", NULL, m->flags & BPF_GRO_MOD_HOOKED);
	out_text(m->flags & BPF_GRO_MOD_HOOKED ? "self-test passed" : "self-test failed, nothing can be attached");
	out_bool("direct_call", NULL, m->flags & BPF_GRO_MOD_DIRECT_CALL);
	out_text(m->flags & BPF_GRO_MOD_DIRECT_CALL ? ", programs called directly" : ", programs called by trampoline");
	out_uint("policies", m->policies == 1 ? ", %lu policy" : ", %lu policies", m->policies);
	out_uint("refusals", m->refusals ? ", %lu refused since it was loaded\n" : "\n", m->refusals);
	if (m->message[0])
		out_str("message", m->flags & BPF_GRO_MOD_HOOKED ? "    last refused: %s\n" : "    self-test: %s\n",
			m->message);
	out_close();
}

/* Pins in groctl's own directory whose link is not a policy's any more. */
static void show_stale(const struct kernel *k, const struct pins *pins, const char *name)
{
	int i;

	out_open_array("stale_pins");
	for (i = 0; i < pins->n; i++) {
		const struct pin *pin = &pins->v[i];

		if (kernel_policy(k, NULL, pin->link_id) || strncmp(pin->path, pin_dir(), strlen(pin_dir())) ||
		    (name && strcmp(pin->name, name)))
			continue;
		out_open(NULL);
		out_str("name", "%s: not attached, its pin is left over", pin->name);
		out_str("pin", ": groctl detach removes %s\n", pin->path);
		out_close();
	}
	out_close();
}

int verb_status(const struct cli *cli)
{
	const char *name = cli->nargs ? cli->args[0] : NULL;
	struct bpf_gro_policy_status *one = NULL;
	struct pins pins = {};
	struct kernel k = {};
	int code, i;

	code = need_module();
	code = code ?: kernel_read(&k, KERNEL_POLICIES);
	if (!code && name)
		code = kernel_pick(&k, name, &one);
	if (code)
		goto out;
	pins_read(&pins, true);
	if (name && !one && !pins_find_name(&pins, name)) {
		code = fail(RC_FAIL, "no policy '%s' is attached", name);
		goto out;
	}
	if (!name)
		show_module(&k.module);
	out_open_array("policies");
	for (i = 0; i < k.npolicies; i++) {
		if (name && &k.policies[i] != one)
			continue;
		out_open(NULL);
		show_policy(&k.policies[i], &pins);
		out_close();
	}
	out_close();
	show_stale(&k, &pins, name);
out:
	pins_free(&pins);
	kernel_free(&k);
	return code;
}
