// SPDX-License-Identifier: GPL-2.0
/*
 * What user space can ask: kfuncs for BPF_PROG_TYPE_SYSCALL programs, which need the same capabilities as attaching does.
 */
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/bpf.h>

#include "gro.h"
#include "shared.h"

static void gro_policy_status(const struct gro_policy *pol, struct bpf_gro_policy_status *st)
{
	u32 i;

	st->id = pol->id;
	st->link_id = pol->link ? READ_ONCE(pol->link->id) : 0;
	st->violation = READ_ONCE(pol->dead);
	st->state = st->violation ? BPF_GRO_STATE_EJECTED : BPF_GRO_STATE_ACTIVE;
	st->netns_cookie = pol->netns_cookie;
	st->netns_inum = pol->netns_inum;
	st->metadata = pol->metadata;
	for (i = 0; i < pol->ndevs; i++)
		st->devices_now += !!pol->devs[i].dev;
	memcpy(st->slots, pol->slots, sizeof(st->slots));
	gro_devices_print(pol, st->devices, sizeof(st->devices));
	memcpy(st->name, pol->name, sizeof(st->name));
	if (pol->message[0])
		memcpy(st->message, pol->message, sizeof(st->message));
	else if (st->violation)
		strscpy(st->message, gro_violation_text(st->violation), sizeof(st->message));
}

__bpf_kfunc_start_defs();

/**
 * bpf_gro_status_module() - the module itself
 * @buf: filled with a struct bpf_gro_module_status
 * @buf__sz: its size, bytes
 *
 * Context: BPF_PROG_TYPE_SYSCALL, sleeps.
 * Return: 0.
 */
__bpf_kfunc int bpf_gro_status_module(void *buf, u32 buf__sz)
{
	struct bpf_gro_module_status st = { .abi = BPF_GRO_ABI };
	const struct gro_policy *pol;

	mutex_lock(&gro_mutex);
	list_for_each_entry(pol, &gro_policies, list)
		st.policies++;
	mutex_unlock(&gro_mutex);
	if (gro_hooked)
		st.flags |= BPF_GRO_MOD_HOOKED;
	if (GRO_DIRECT_CALL)
		st.flags |= BPF_GRO_MOD_DIRECT_CALL;
	gro_last_refusal(st.message, sizeof(st.message), &st.refusals);
	gro_copy_out(buf, buf__sz, &st, sizeof(st));
	return 0;
}

/**
 * bpf_gro_status_policy() - one policy
 * @n: which, from 0 on, in the order of registration
 * @buf: filled with a struct bpf_gro_policy_status
 * @buf__sz: its size, bytes
 *
 * Context: BPF_PROG_TYPE_SYSCALL, sleeps.
 * Return: 0; -ENOENT past the last; -ENOMEM.
 */
__bpf_kfunc int bpf_gro_status_policy(u32 n, void *buf, u32 buf__sz)
{
	struct bpf_gro_policy_status *st;
	const struct gro_policy *pol;
	int err = -ENOENT;

	st = kzalloc(sizeof(*st), GFP_KERNEL);
	if (!st)
		return -ENOMEM;
	mutex_lock(&gro_mutex);
	list_for_each_entry(pol, &gro_policies, list) {
		if (n--)
			continue;
		gro_policy_status(pol, st);
		gro_copy_out(buf, buf__sz, st, sizeof(*st));
		err = 0;
		break;
	}
	mutex_unlock(&gro_mutex);
	kfree(st);
	return err;
}

/**
 * bpf_gro_status_stats() - one set of counters: a policy at one slot of one device
 * @n: which, from 0 on
 * @cpu: one CPU, or -1 for the sum of all
 * @buf: filled with a struct bpf_gro_stats
 * @buf__sz: its size, bytes
 *
 * Context: BPF_PROG_TYPE_SYSCALL, sleeps.
 * Return: 0; -ENOENT past the last; -ENOMEM.
 */
__bpf_kfunc int bpf_gro_status_stats(u32 n, s32 cpu, void *buf, u32 buf__sz)
{
	const struct gro_policy *pol;
	struct bpf_gro_stats *st;
	int err = -ENOENT;

	st = kzalloc(sizeof(*st), GFP_KERNEL);
	if (!st)
		return -ENOMEM;
	mutex_lock(&gro_mutex);
	list_for_each_entry(pol, &gro_policies, list) {
		u32 devs = max(pol->ndevs, 1U);

		if (n >= pol->nslots * devs) {
			n -= pol->nslots * devs;
			continue;
		}
		gro_stats_read(pol, n / devs, n % devs, cpu, st);
		gro_copy_out(buf, buf__sz, st, sizeof(*st));
		err = 0;
		break;
	}
	mutex_unlock(&gro_mutex);
	kfree(st);
	return err;
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(gro_status_ids)
BTF_ID_FLAGS(func, bpf_gro_status_module, KF_SLEEPABLE)
BTF_ID_FLAGS(func, bpf_gro_status_policy, KF_SLEEPABLE)
BTF_ID_FLAGS(func, bpf_gro_status_stats, KF_SLEEPABLE)
BTF_KFUNCS_END(gro_status_ids)

static const struct btf_kfunc_id_set gro_status_set = {
	.owner = THIS_MODULE,
	.set = &gro_status_ids,
};

int gro_status_register(void)
{
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_SYSCALL, &gro_status_set);
}
