// SPDX-License-Identifier: GPL-2.0
/*
 * The module that groctl works with, from outside. Its health is its BTF: without that an insmod succeeds and registers nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
#include <bpf/btf.h>

#include "groctl.h"

const struct target target_gro = { MODULE_NAME, OPS_TYPE, "bpf_gro", "", kernel_open, kernel_refusals };
const struct target target_headers = { "bpf_rx_header", "bpf_rx_header_ops", "bpf_rx_header", "headers", headers_open,
				       headers_refusals };
const struct target *target = &target_gro;

static bool there(const char *dir)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, target->module);
	return !access(path, F_OK);
}

bool module_loaded(void)
{
	return there("/sys/module");
}

bool module_has_btf(void)
{
	return there("/sys/kernel/btf");
}

/** module_refcount() - references to the module, -1 if unknown */
int module_refcount(void)
{
	char path[128];
	int n = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/module/%s/refcnt", target->module);
	f = fopen(path, "re");
	if (f && fscanf(f, "%d", &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

/**
 * module_btf() - load the module's BTF
 * @base: vmlinux' BTF, on which it builds; to be freed last
 * @btf: the module's BTF
 *
 * Return: 0 or a negative errno.
 */
int module_btf(struct btf **base, struct btf **btf)
{
	*btf = NULL;
	*base = btf__load_vmlinux_btf();
	if (!*base)
		return -errno;
	*btf = btf__load_module_btf(target->module, *base);
	if (*btf)
		return 0;
	btf__free(*base);
	*base = NULL;
	return -errno;
}

/**
 * need_module() - check that the module is there and can be asked
 *
 * Return: exit code.
 */
int need_module(void)
{
	if (!module_loaded())
		return fail(RC_UNSUPPORTED, "%s.ko is not loaded: modprobe %s", target->module, target->module);
	if (!module_has_btf())
		return fail(RC_UNSUPPORTED,
			    "%s.ko is loaded without BTF, so it registered nothing: build it again for this kernel, with the kernel's vmlinux or headers package there",
			    target->module);
	return target->open();
}

/**
 * need_hooked() - check that policies can be attached here
 *
 * Return: exit code.
 */
int need_hooked(void)
{
	struct bpf_gro_module_status st;
	int code = need_module();

	code = code ?: kernel_module(&st);
	if (code)
		return code;
	if (!(st.flags & BPF_GRO_MOD_HOOKED))
		return fail(RC_UNSUPPORTED, MODULE_NAME ".ko does not hook on this kernel, its self-test failed: %s",
			    st.message);
	return RC_OK;
}
