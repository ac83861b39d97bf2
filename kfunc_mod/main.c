// SPDX-License-Identifier: GPL-2.0
/*
 * bpf_gro: GRO made programmable by BPF. Load: notifier, self-test, kfuncs, struct_ops. Unload is possible only while no
 * policy is registered: each holds a reference to the module.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "gro.h"
#include "shared.h"

DEFINE_MUTEX(gro_mutex);
bool gro_hooked;

static struct gro_refusals gro_refusals = { .lock = __SPIN_LOCK_UNLOCKED(gro_refusals.lock) };

/* Say in words why something was refused: in the log, and for groctl to read. */
void gro_refuse(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	gro_refusals_add(&gro_refusals, fmt, args);
	va_end(args);
}

void gro_last_refusal(char *buf, size_t len, u64 *count)
{
	gro_refusals_last(&gro_refusals, buf, len, count);
}

static int __init gro_module_init(void)
{
	char why[BPF_GRO_MSG_LEN];
	int ret;

	gro_policy_init();
	ret = gro_devices_init();
	if (ret)
		return ret;
	ret = gro_selftest(why, sizeof(why));
	if (ret) {
		pr_err("self-test failed: %s; no policy can be attached on this kernel\n", why);
		strscpy(gro_refusals.message, why, sizeof(gro_refusals.message));
	}
	gro_hooked = !ret;

	ret = gro_kfunc_register();
	ret = ret ?: gro_status_register();
	ret = ret ?: gro_ops_register();
	if (ret)
		gro_devices_exit();
	return ret;
}

static void __exit gro_module_exit(void)
{
	gro_devices_exit();
	gro_policy_exit();
	gro_slots_exit();
	/* Handlers may still be running on other CPUs, and tables and counters wait for their grace period. */
	synchronize_net();
	rcu_barrier();
}

module_init(gro_module_init);
module_exit(gro_module_exit);

MODULE_DESCRIPTION("GRO made programmable by BPF");
MODULE_LICENSE("GPL");
