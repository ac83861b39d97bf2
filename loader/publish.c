// SPDX-License-Identifier: GPL-2.0
/*
 * From an object file into the kernel: options, devices and name are set, the object is loaded, the struct_ops map gets its value and a
 * link, new or updated. Nothing takes effect before the link: whatever fails earlier, or kills groctl, leaves no trace.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "groctl.h"

#if LIBBPF_MAJOR_VERSION < 1 || (LIBBPF_MAJOR_VERSION == 1 && LIBBPF_MINOR_VERSION < 5)
#error "groctl needs libbpf 1.5 or newer (package libbpf-dev): older ones do not show a struct_ops map's programs"
#endif

/**
 * policy_prepare() - open a policy and set its options
 * @pol: filled; free it with policy_close() in any case
 * @cli: command line with -o
 * @what: policy or file
 *
 * Return: exit code.
 */
int policy_prepare(struct policy *pol, const struct cli *cli, const char *what)
{
	char why[2048];
	int code, i;

	code = policy_find(pol, what);
	for (i = 0; i < cli->opt[OPT_SET].n && !code; i++)
		if (option_set(pol, cli->opt[OPT_SET].v[i], why, sizeof(why)))
			code = fail(RC_USAGE, "%s", why);
	return code;
}

/**
 * device_check() - check that a device can have a policy
 * @devs: all devices
 * @name: as the user gave it
 * @absent: it need not exist yet
 *
 * Return: exit code.
 */
int device_check(const struct devices *devs, const char *name, bool absent)
{
	const struct device *dev = device_find(devs, name);
	char why[512], ns[NETNS_NAME_LEN];

	if (!*name || strlen(name) > 15 || strpbrk(name, " ,/\t\n:"))
		return fail(RC_USAGE, "'%s' cannot be a device name", name);
	if (!dev && !absent && netns_name(netns_inum(), ns, sizeof(ns)))
		return fail(RC_FAIL, "no device %s in network namespace %s", name, ns);
	if (!dev && !absent)
		return fail(RC_FAIL, "no device %s in this network namespace (--absent waits for it)", name);
	if (dev && device_warning(devs, dev, why, sizeof(why)))
		warn("%s", why);
	return RC_OK;
}

/**
 * policy_devices() - set the devices of a policy from --dev; without, the object file's own stay
 * @pol: policy, not loaded yet
 * @cli: command line
 *
 * Return: exit code.
 */
int policy_devices(struct policy *pol, const struct cli *cli)
{
	char list[BPF_GRO_DEVICES_LEN * 4] = "";
	struct devices devs;
	int code = RC_OK, err, i;
	size_t at = 0;

	if (!cli_has(cli, OPT_DEV))
		return RC_OK;
	err = devices_read(&devs);
	if (err) {
		devices_free(&devs);
		return fail(RC_FAIL, "cannot read the network devices: %s", strerror(-err));
	}
	for (i = 0; i < cli->opt[OPT_DEV].n && !code; i++) {
		const char *name = cli->opt[OPT_DEV].v[i];

		code = device_check(&devs, name, cli_has(cli, OPT_ABSENT));
		if (at < sizeof(list))
			at += snprintf(list + at, sizeof(list) - at, "%s%s", i ? " " : "", name);
	}
	devices_free(&devs);
	if (code)
		return code;
	err = at < sizeof(list) ? policy_set_text(pol, "devices", list) : -E2BIG;
	if (err == -E2BIG)
		return fail(RC_USAGE, "too many devices for one policy: their names have to fit into %u characters",
			    BPF_GRO_DEVICES_LEN - 1);
	if (err)
		return fail(RC_FAIL, "policy %s has no member devices: it cannot be attached to single ones", pol->label);
	return RC_OK;
}

/* The verifier's own words; all of its log went to stderr already with --verbose. */
static void print_verifier_log(void)
{
	const char *excerpt;
	size_t len;

	excerpt = log_excerpt(&len);
	if (excerpt && !out_verbose && !out_json)
		fprintf(stderr, "from the verifier's log (all of it with --verbose):\n%.*s", (int)len, excerpt);
}

/* Say why the kernel refused: the module's own words first, then libbpf's and the verifier's, then the errno. */
static int refused(const struct policy *pol, uint64_t before, int err)
{
	char why[1024], message[BPF_GRO_MSG_LEN];
	int code;

	if (target->refusals(message, sizeof(message)) != before && message[0]) {
		if (!strncmp(message, "policy ", 7))
			return fail(RC_FAIL, "refused: %s", message);
		return fail(RC_FAIL, "policy %s is refused: %s", pol->label, message);
	}
	if (log_sentence(why, sizeof(why))) {
		code = fail(RC_FAIL, "policy %s cannot be loaded: %s", pol->label, why);
		print_verifier_log();
		return code;
	}
	return fail(RC_FAIL, "policy %s cannot be loaded: %s", pol->label, errno_text(-err));
}

/**
 * policy_load() - load programs and maps
 * @pol: prepared policy
 *
 * Return: exit code.
 */
int policy_load(struct policy *pol)
{
	uint64_t before = target->refusals(NULL, 0);
	int err;

	log_start();
	err = bpf_object__load(pol->obj);
	return err ? refused(pol, before, err) : RC_OK;
}

/* The member of a struct in kernel BTF, by name. */
static const struct btf_member *kernel_member(const struct btf *btf, const struct btf_type *t, const char *name,
					      uint32_t *off)
{
	const struct btf_member *m = btf_members(t);
	int i;

	for (i = 0; i < btf_vlen(t); i++, m++) {
		if (strcmp(btf__name_by_offset(btf, m->name_off), name))
			continue;
		*off = btf_member_bit_offset(t, i) / 8;
		return m;
	}
	return NULL;
}

/*
 * Copy each member that the policy has to where the kernel has it. libbpf made sure at load that types fit and that what the kernel does
 * not know is zero; function pointers are programs on our side, their file descriptors on the kernel's.
 */
static int fill_value(const struct policy *pol, const struct btf *kbtf, const struct btf_type *kops,
		      unsigned char *to, size_t room)
{
	const struct btf_member *m = btf_members(pol->ops);
	uint32_t off, koff;
	int i;

	for (i = 0; i < btf_vlen(pol->ops); i++, m++) {
		const struct btf_member *km;
		const struct btf_type *t;
		long size;

		km = kernel_member(kbtf, kops, btf__name_by_offset(pol->btf, m->name_off), &koff);
		if (!km)
			continue;
		off = btf_member_bit_offset(pol->ops, i) / 8;
		t = btf_base_type(pol->btf, m->type, NULL);
		if (btf_is_ptr(t)) {
			struct bpf_program *prog = *(struct bpf_program **)(pol->data + off);
			unsigned long fd = prog ? (unsigned long)bpf_program__fd(prog) : 0;

			if (koff + sizeof(fd) > room)
				return -EINVAL;
			memcpy(to + koff, &fd, sizeof(fd));
			continue;
		}
		size = btf__resolve_size(pol->btf, m->type);
		if (size != btf__resolve_size(kbtf, km->type) || koff + (size_t)size > room)
			return -EINVAL;
		memcpy(to + koff, pol->data + off, size);
	}
	return 0;
}

/* Give the struct_ops map its value. It is not registered by that: links do it. */
static int set_map_value(const struct policy *pol)
{
	int fd = bpf_map__fd(pol->map), err = -EINVAL;
	const struct btf_type *vtype, *kops;
	const struct btf_member *m;
	struct bpf_map_info info = {};
	struct btf *base = NULL, *kbtf;
	__u32 len = sizeof(info), off, zero = 0;
	unsigned char *value;

	if (bpf_map_get_info_by_fd(fd, &info, &len))
		return -errno;
	value = calloc(1, info.value_size);
	if (!value)
		return -ENOMEM;
	err = module_btf(&base, &kbtf);
	if (err)
		goto free;
	vtype = btf__type_by_id(kbtf, info.btf_vmlinux_value_type_id);
	m = vtype && btf_is_struct(vtype) ? kernel_member(kbtf, vtype, "data", &off) : NULL;
	kops = m ? btf_base_type(kbtf, m->type, NULL) : NULL;
	err = -EINVAL;
	if (!kops || !btf_is_struct(kops) || off > info.value_size)
		goto free;
	err = fill_value(pol, kbtf, kops, value + off, info.value_size - off);
	if (!err && bpf_map_update_elem(fd, &zero, value, 0))
		err = -errno;
free:
	btf__free(kbtf);
	btf__free(base);
	free(value);
	return err;
}

/**
 * policy_link() - register a loaded policy
 * @pol: policy
 * @link_fd: link to put it in, in the place of the policy there; -1: make a new one
 * @new_fd: the new link
 *
 * Return: exit code.
 */
int policy_link(struct policy *pol, int link_fd, int *new_fd)
{
	uint64_t before = target->refusals(NULL, 0);
	int err;

	log_start();
	err = set_map_value(pol);
	if (err)
		return refused(pol, before, err);
	if (link_fd >= 0) {
		if (bpf_link_update(link_fd, bpf_map__fd(pol->map), NULL))
			return refused(pol, before, -errno);
		return RC_OK;
	}
	*new_fd = bpf_link_create(bpf_map__fd(pol->map), 0, BPF_STRUCT_OPS, NULL);
	return *new_fd < 0 ? refused(pol, before, *new_fd) : RC_OK;
}
