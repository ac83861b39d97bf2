// SPDX-License-Identifier: GPL-2.0
/*
 * groctl probe: what this kernel can and cannot do, each line with its why. Features are looked for, never guessed from a version.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "groctl.h"

enum verdict {
	YES,
	NO,		/* policies cannot be attached */
	MAYBE,		/* they can, but */
};

static bool all_yes;
static bool first_failure_is_privilege;

static void say(const char *check, enum verdict v, const char *fmt, ...) __printf(3, 4);

static void say(const char *check, enum verdict v, const char *fmt, ...)
{
	static const char * const words[] = { "yes", "no", "but" };
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (v == NO)
		all_yes = false;
	out_open(NULL);
	out_str("result", "%-4s", words[v]);
	out_str("check", "%-13s", check);
	out_str("text", "%s\n", text);
	out_close();
}

static bool read_line(const char *path, char *buf, size_t size)
{
	FILE *f = fopen(path, "re");
	bool ok;

	buf[0] = '\0';
	if (!f)
		return false;
	ok = fgets(buf, size, f);
	fclose(f);
	buf[strcspn(buf, "\n")] = '\0';
	return ok;
}

static void probe_kernel(void)
{
	struct utsname u;

	if (uname(&u))
		return;
	say("kernel", YES, "%s %s (bpf-gro is for kernels from 6.12 on; what matters is below)", u.release, u.machine);
}

static void probe_vmlinux_btf(void)
{
	if (!access("/sys/kernel/btf/vmlinux", R_OK))
		say("kernel-btf", YES, "/sys/kernel/btf/vmlinux");
	else
		say("kernel-btf", NO, "no /sys/kernel/btf/vmlinux: the kernel needs CONFIG_DEBUG_INFO_BTF");
}

static void probe_privilege(void)
{
	const char *missing;

	if (capable_of(&missing)) {
		say("privilege", YES, "CAP_SYS_ADMIN, CAP_BPF and CAP_NET_ADMIN");
		return;
	}
	first_failure_is_privilege = all_yes;
	say("privilege", NO, "the process lacks %s: run groctl as root", missing);
}

static void probe_jit(void)
{
	char line[64];

	if (!read_line("/proc/sys/net/core/bpf_jit_enable", line, sizeof(line)))
		say("jit", MAYBE, "cannot read net.core.bpf_jit_enable; struct_ops needs the JIT");
	else if (!strcmp(line, "0"))
		say("jit", NO, "the BPF JIT is off, struct_ops needs it: sysctl net.core.bpf_jit_enable=1");
	else
		say("jit", YES, "net.core.bpf_jit_enable is %s", line);
}

static void probe_lockdown(void)
{
	char line[128];

	if (!read_line("/sys/kernel/security/lockdown", line, sizeof(line)))
		say("lockdown", YES, "none that could be read");
	else if (strstr(line, "[confidentiality]"))
		say("lockdown", NO, "confidentiality: the kernel refuses BPF programs that read kernel memory");
	else if (strstr(line, "[integrity]"))
		say("lockdown", MAYBE, "integrity: the module has to be signed with a key that the kernel trusts");
	else
		say("lockdown", YES, "none");
}

static void probe_btf_type(void)
{
	struct btf *base, *btf;
	int err = module_btf(&base, &btf);

	if (err) {
		say("struct-ops", NO, "cannot read the module's BTF: %s", strerror(-err));
		return;
	}
	if (btf__find_by_name_kind(btf, "bpf_struct_ops_" OPS_TYPE, BTF_KIND_STRUCT) > 0)
		say("struct-ops", YES, "type " OPS_TYPE " is registered");
	else
		say("struct-ops", NO, "the module's BTF has no type " OPS_TYPE ": it was built wrongly");
	btf__free(btf);
	btf__free(base);
}

static void probe_status(void)
{
	struct bpf_gro_module_status st;
	const char *missing;

	if (!capable_of(&missing)) {
		say("self-test", MAYBE, "unknown: only root can ask the module");
		return;
	}
	if (kernel_module(&st)) {
		say("self-test", NO, "the module cannot be asked for its status");
		return;
	}
	if (st.abi == BPF_GRO_ABI)
		say("abi", YES, "%u, as groctl's", st.abi);
	else
		say("abi", MAYBE, "the module's is %u, groctl's %u: the %s one does not know what the other has new", st.abi,
		    BPF_GRO_ABI, st.abi < BPF_GRO_ABI ? "first" : "second");
	if (st.flags & BPF_GRO_MOD_HOOKED)
		say("self-test", YES, "passed at load: a train of packets was joined and split again, byte for byte");
	else
		say("self-test", NO, "failed at load: %s; no policy can be attached on this kernel", st.message);
	if (st.flags & BPF_GRO_MOD_DIRECT_CALL)
		say("call", YES, "programs are called directly");
	else
		say("call", MAYBE, "programs are called through a trampoline: this kernel does not export bpf_struct_ops_for_each_prog");
}

static void probe_module(void)
{
	if (!module_loaded()) {
		say("module", NO, MODULE_NAME ".ko is not loaded: modprobe " MODULE_NAME);
		return;
	}
	if (!module_has_btf()) {
		say("module", NO, MODULE_NAME ".ko is loaded without BTF, so it registered nothing: build it again for this kernel");
		return;
	}
	say("module", YES, MODULE_NAME ".ko is loaded, with BTF");
	probe_btf_type();
	probe_status();
}

static void probe_bpffs(void)
{
	const char *root = bpffs_root();

	if (root)
		say("bpffs", YES, "%s", root);
	else
		say("bpffs", MAYBE, "not mounted at /sys/fs/bpf: attach mounts it");
}

static void probe_catalogue(void)
{
	struct catalogue cat;

	if (catalogue_read(&cat) || !cat.n)
		say("catalogue", MAYBE, "no policies in %s: policies can be given as files", cat.dirs ?: "?");
	else
		say("catalogue", YES, "%d %s in %s", cat.n, cat.n == 1 ? "policy" : "policies", cat.dirs);
	catalogue_free(&cat);
}

int verb_probe(const struct cli *cli)
{
	(void)cli;
	all_yes = true;
	out_open_array("checks");
	probe_kernel();
	probe_vmlinux_btf();
	probe_privilege();
	probe_jit();
	probe_lockdown();
	probe_module();
	probe_bpffs();
	probe_catalogue();
	out_close();
	out_bool("attachable", NULL, all_yes);
	if (all_yes)
		return RC_OK;
	return first_failure_is_privilege ? RC_FAIL : RC_UNSUPPORTED;
}
