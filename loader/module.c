// SPDX-License-Identifier: GPL-2.0
/*
 * bpf_gro.ko from outside. Its health is its BTF: without that an insmod succeeds and registers nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
#include <bpf/btf.h>

#include "groctl.h"

bool module_loaded(void)
{
	return !access("/sys/module/" MODULE_NAME, F_OK);
}

bool module_has_btf(void)
{
	return !access("/sys/kernel/btf/" MODULE_NAME, F_OK);
}

/** module_refcount() - references to the module, -1 if unknown */
int module_refcount(void)
{
	FILE *f = fopen("/sys/module/" MODULE_NAME "/refcnt", "re");
	int n = -1;

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
	*btf = btf__load_module_btf(MODULE_NAME, *base);
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
		return fail(RC_UNSUPPORTED, MODULE_NAME ".ko is not loaded: modprobe " MODULE_NAME);
	if (!module_has_btf())
		return fail(RC_UNSUPPORTED,
			    MODULE_NAME ".ko is loaded without BTF, so it registered nothing: build it again for this kernel, with the kernel's vmlinux or headers package there");
	return kernel_open();
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
