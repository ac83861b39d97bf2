// SPDX-License-Identifier: GPL-2.0
/*
 * What groctl needs: CAP_SYS_ADMIN for the ids of BTF and links, CAP_BPF and CAP_NET_ADMIN to load programs.
 */
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "groctl.h"

/**
 * capable_of() - whether the process has what groctl needs
 * @missing: the first capability that it lacks
 *
 * Return: whether it has all.
 */
bool capable_of(const char **missing)
{
	static const struct {
		int cap;
		const char *name;
	} needed[] = {
		{ CAP_SYS_ADMIN, "CAP_SYS_ADMIN" },
		{ CAP_BPF, "CAP_BPF" },
		{ CAP_NET_ADMIN, "CAP_NET_ADMIN" },
	};
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};
	size_t i;

	if (syscall(SYS_capget, &head, data))
		return true;	/* let the kernel say */
	for (i = 0; i < ARRAY_SIZE(needed); i++) {
		if (!(data[needed[i].cap / 32].effective & 1U << (needed[i].cap % 32))) {
			*missing = needed[i].name;
			return false;
		}
	}
	return true;
}
