// SPDX-License-Identifier: GPL-2.0
/*
 * The struct_ops type bpf_rx_header_ops: how its members are checked, how it is registered, replaced and taken off.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bpf.h>
#include <linux/bpf_verifier.h>
#include <linux/btf.h>
#include <linux/module.h>

#include "rx_header.h"
#include "shared.h"

/* Nothing of the context can be written: there is no btf_struct_access. */
static const struct bpf_verifier_ops rx_verifier_ops = {
	.get_func_proto = bpf_base_func_proto,
	.is_valid_access = bpf_tracing_btf_ctx_access,
};

static int rx_ops_init(struct btf *btf)
{
	return 0;
}

/* Packets are received in softirq context: no program of a policy may sleep. */
static int rx_check_member(const struct btf_type *t, const struct btf_member *member, const struct bpf_prog *prog)
{
	if (prog->sleepable) {
		rx_refuse("a header policy runs in softirq context: its program cannot be sleepable");
		return -EINVAL;
	}
	return 0;
}

static int rx_init_text(const char *member, char *to, const char *from, size_t size, bool is_device)
{
	if (strnlen(from, size) == size) {
		rx_refuse("member %s: longer than %zu characters", member, size - 1);
		return -EINVAL;
	}
	if (is_device && from[0] && !dev_valid_name(from)) {
		rx_refuse("member %s: '%s' cannot be a device name", member, from);
		return -EINVAL;
	}
	strscpy_pad(to, from, size);
	return 1;
}

static int rx_init_member(const struct btf_type *t, const struct btf_member *member, void *kdata, const void *udata)
{
	const struct bpf_rx_header_ops *from = udata;
	struct bpf_rx_header_ops *to = kdata;
	const char *fault;

	switch (__btf_member_bit_offset(t, member) / 8) {
	case offsetof(struct bpf_rx_header_ops, flags):
		if (from->flags) {
			rx_refuse("member flags: %#llx has bits that this version does not know (it knows none)", from->flags);
			return -EINVAL;
		}
		return 1;
	case offsetof(struct bpf_rx_header_ops, device):
		return rx_init_text("device", to->device, from->device, sizeof(to->device), true);
	case offsetof(struct bpf_rx_header_ops, driver):
		return rx_init_text("driver", to->driver, from->driver, sizeof(to->driver), false);
	case offsetof(struct bpf_rx_header_ops, name):
		BUILD_BUG_ON(sizeof(to->name) != BPF_GRO_NAME_LEN);
		if (!gro_name_ok(from->name, &fault)) {
			rx_refuse("member name: %s", fault);
			return -EINVAL;
		}
		memcpy(to->name, from->name, sizeof(to->name));
		return 1;
	}
	return 0;
}

static int rx_validate(void *kdata)
{
	const struct bpf_rx_header_ops *ops = kdata;

	if (!ops->header_len) {
		rx_refuse("policy %s has no member header_len", ops->name);
		return -EINVAL;
	}
	if (!ops->device[0] == !ops->driver[0]) {
		rx_refuse("policy %s is for %s: it takes one device or one driver", ops->name,
			  ops->device[0] ? "a device and a driver" : "no device and no driver");
		return -EINVAL;
	}
	return 0;
}

static int rx_reg(void *kdata, struct bpf_link *link)
{
	struct rx_policy *pol = rx_policy_create(kdata, link);
	int err;

	if (IS_ERR(pol))
		return PTR_ERR(pol);
	err = rx_hook_get();
	if (err)
		goto destroy;
	err = rx_policy_add(pol, NULL);
	if (!err)
		return 0;
	rx_hook_put();
destroy:
	rx_policy_destroy(pol);
	return err;
}

static void rx_unreg(void *kdata, struct bpf_link *link)
{
	struct rx_policy *pol = rx_policy_of(kdata);

	if (!pol)
		return;
	rx_policy_remove(pol);
	rx_hook_put();
	rx_policy_destroy(pol);
}

/* Each call is answered by the old policy or by the new one. */
static int rx_update(void *kdata, void *old_kdata, struct bpf_link *link)
{
	struct rx_policy *old = rx_policy_of(old_kdata), *pol;
	int err;

	if (!old)
		return -ENOENT;
	pol = rx_policy_create(kdata, link);
	if (IS_ERR(pol))
		return PTR_ERR(pol);
	err = rx_policy_add(pol, old);
	rx_policy_destroy(err ? pol : old);
	return err;
}

static u32 bpf_rx_header_ops__header_len(struct bpf_rx_header *pkt)
{
	return 0;
}

static struct bpf_rx_header_ops rx_stubs = {
	.header_len = bpf_rx_header_ops__header_len,
};

static struct bpf_struct_ops rx_struct_ops = {
	.verifier_ops = &rx_verifier_ops,
	.init = rx_ops_init,
	.check_member = rx_check_member,
	.init_member = rx_init_member,
	.validate = rx_validate,
	.reg = rx_reg,
	.unreg = rx_unreg,
	.update = rx_update,
	.cfi_stubs = &rx_stubs,
	.name = "bpf_rx_header_ops",
	.owner = THIS_MODULE,
};

/* There is no unregistering: what can fail comes before this. */
int rx_ops_register(void)
{
	return register_bpf_struct_ops(&rx_struct_ops, bpf_rx_header_ops);
}
