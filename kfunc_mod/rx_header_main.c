// SPDX-License-Identifier: GPL-2.0
/*
 * bpf_rx_header: how much of a packet a driver copies to the linear part, decided by BPF. Load: notifier, kfuncs, struct_ops. The
 * kernel's eth_get_headlen() is hooked only while a policy is registered; each holds a reference to the module.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>

#include "rx_header.h"
#include "shared.h"

DEFINE_MUTEX(rx_mutex);

static struct gro_refusals rx_refusals = { .lock = __SPIN_LOCK_UNLOCKED(rx_refusals.lock) };

/* Say in words why something was refused: in the log, and for groctl to read. */
void rx_refuse(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	gro_refusals_add(&rx_refusals, fmt, args);
	va_end(args);
}

void rx_last_refusal(char *buf, size_t len, u64 *count)
{
	gro_refusals_last(&rx_refusals, buf, len, count);
}

static int __init rx_module_init(void)
{
	int ret = rx_devices_init();

	if (ret)
		return ret;
	ret = rx_kfunc_register();
	ret = ret ?: rx_status_register();
	ret = ret ?: rx_ops_register();
	if (ret)
		rx_devices_exit();
	return ret;
}

static void __exit rx_module_exit(void)
{
	rx_devices_exit();
	rx_hook_exit();
}

module_init(rx_module_init);
module_exit(rx_module_exit);

MODULE_DESCRIPTION("the header-length policy of network drivers, in BPF");
MODULE_LICENSE("GPL");
