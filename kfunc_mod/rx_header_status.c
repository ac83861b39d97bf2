// SPDX-License-Identifier: GPL-2.0
/*
 * What user space can ask: kfuncs for BPF_PROG_TYPE_SYSCALL programs, which need the same capabilities as attaching does.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <net/net_namespace.h>

#include "rx_header.h"
#include "shared.h"

static void rx_policy_status(const struct rx_policy *pol, struct bpf_rx_header_status *st)
{
	const struct rx_binding *b;
	int i;

	memset(st, 0, sizeof(*st));
	st->id = pol->id;
	st->link_id = pol->link ? READ_ONCE(pol->link->id) : 0;
	st->netns_cookie = pol->netns_cookie;
	st->netns_inum = pol->netns_inum;
	st->ifindex = pol->dev ? pol->dev->ifindex : 0;
	memcpy(st->device, pol->device, sizeof(st->device));
	memcpy(st->driver, pol->driver, sizeof(st->driver));
	memcpy(st->name, pol->name, sizeof(st->name));
	st->counts = pol->past;
	if (strstarts(pol->driver, "mlx5_core"))
		st->flags |= BPF_RX_HEADER_ST_ENTER;
	hash_for_each(rx_bindings, i, b, node) {
		if (b->pol != pol)
			continue;
		st->devices_now++;
		if (b->enter)
			st->flags |= BPF_RX_HEADER_ST_ENTER;
		rx_counts_add(&st->counts, b);
	}
}

static void rx_device_status(const struct rx_binding *b, struct bpf_rx_header_device_status *st)
{
	memset(st, 0, sizeof(*st));
	st->policy_id = b->pol->id;
	st->ifindex = b->dev->ifindex;
	st->netns_inum = dev_net(b->dev)->ns.inum;
	st->flags = b->enter ? BPF_RX_HEADER_ST_ENTER : 0;
	strscpy(st->device, b->dev->name, sizeof(st->device));
	memcpy(st->driver, b->driver, sizeof(st->driver));
	rx_counts_add(&st->counts, b);
}

__bpf_kfunc_start_defs();

/**
 * bpf_rx_header_status_module() - the module itself
 * @buf: filled with a struct bpf_rx_header_module_status
 * @buf__sz: its size, bytes
 *
 * Context: BPF_PROG_TYPE_SYSCALL, sleeps.
 * Return: 0.
 */
__bpf_kfunc int bpf_rx_header_status_module(void *buf, u32 buf__sz)
{
	struct bpf_rx_header_module_status st = { .abi = BPF_RX_HEADER_ABI };
	const struct rx_policy *pol;

	mutex_lock(&rx_mutex);
	list_for_each_entry(pol, &rx_policies, list)
		st.policies++;
	mutex_unlock(&rx_mutex);
	if (rx_hooked())
		st.flags |= BPF_RX_HEADER_MOD_HOOKED;
	if (RX_HEADER_MLX5_ASKS)
		st.flags |= BPF_RX_HEADER_MOD_MLX5_ASKS;
	rx_last_refusal(st.message, sizeof(st.message), &st.refusals);
	gro_copy_out(buf, buf__sz, &st, sizeof(st));
	return 0;
}

/**
 * bpf_rx_header_status_policy() - one policy
 * @n: which, from 0 on, in the order of registration
 * @buf: filled with a struct bpf_rx_header_status
 * @buf__sz: its size, bytes
 *
 * Context: BPF_PROG_TYPE_SYSCALL, sleeps.
 * Return: 0; -ENOENT past the last.
 */
__bpf_kfunc int bpf_rx_header_status_policy(u32 n, void *buf, u32 buf__sz)
{
	struct bpf_rx_header_status st;
	const struct rx_policy *pol;
	int err = -ENOENT;

	mutex_lock(&rx_mutex);
	list_for_each_entry(pol, &rx_policies, list) {
		if (n--)
			continue;
		rx_policy_status(pol, &st);
		gro_copy_out(buf, buf__sz, &st, sizeof(st));
		err = 0;
		break;
	}
	mutex_unlock(&rx_mutex);
	return err;
}

/**
 * bpf_rx_header_status_device() - one device that has a policy
 * @n: which, from 0 on
 * @buf: filled with a struct bpf_rx_header_device_status
 * @buf__sz: its size, bytes
 *
 * Context: BPF_PROG_TYPE_SYSCALL, sleeps.
 * Return: 0; -ENOENT past the last.
 */
__bpf_kfunc int bpf_rx_header_status_device(u32 n, void *buf, u32 buf__sz)
{
	struct bpf_rx_header_device_status st;
	const struct rx_binding *b;
	int err = -ENOENT, i;

	mutex_lock(&rx_mutex);
	hash_for_each(rx_bindings, i, b, node) {
		if (n-- || !err)
			continue;
		rx_device_status(b, &st);
		gro_copy_out(buf, buf__sz, &st, sizeof(st));
		err = 0;
	}
	mutex_unlock(&rx_mutex);
	return err;
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(rx_status_ids)
BTF_ID_FLAGS(func, bpf_rx_header_status_module, KF_SLEEPABLE)
BTF_ID_FLAGS(func, bpf_rx_header_status_policy, KF_SLEEPABLE)
BTF_ID_FLAGS(func, bpf_rx_header_status_device, KF_SLEEPABLE)
BTF_KFUNCS_END(rx_status_ids)

static const struct btf_kfunc_id_set rx_status_set = {
	.owner = THIS_MODULE,
	.set = &rx_status_ids,
};

int rx_status_register(void)
{
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_SYSCALL, &rx_status_set);
}
