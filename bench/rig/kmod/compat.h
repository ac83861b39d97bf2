/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the supported kernels. The only place with version tests; each block names
 * the version and when it can go.
 */
#ifndef RIG_COMPAT_H
#define RIG_COMPAT_H

#include <linux/mm.h>
#include <linux/netdevice.h>
#include <linux/poison.h>
#include <linux/skbuff.h>
#include <linux/version.h>
#include <net/gro.h>

#include "bpf_gro_rig.h"

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#error "bpf_gro_rig needs Linux 6.12 or newer, as bpf_gro does"
#endif

/*
 * 6.18: SKB_GSO_TCP_FIXEDID moved from bit 3 to 30, the inner one is new, and so is ACCECN. The rig
 * speaks the new numbers. Goes with 6.12 LTS (2028-12).
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0)
#define RIG_GSO_KNOWN	(RIG_GSO_TCP_FIXEDID | RIG_GSO_TCP_FIXEDID_INNER | \
			 (((RIG_GSO_TCP_ACCECN << 1) - 1) & ~BIT(3)))

static inline u32 rig_gso_to_kernel(u32 type)
{
	return type;
}

static inline u32 rig_gso_from_kernel(u32 type)
{
	return type;
}
#else
#define RIG_GSO_KNOWN	(RIG_GSO_TCP_FIXEDID | \
			 (((RIG_GSO_FRAGLIST << 1) - 1) & ~BIT(3)))

static inline u32 rig_gso_to_kernel(u32 type)
{
	if (type & RIG_GSO_TCP_FIXEDID)
		type ^= RIG_GSO_TCP_FIXEDID | SKB_GSO_TCP_FIXEDID;
	return type;
}

static inline u32 rig_gso_from_kernel(u32 type)
{
	if (type & SKB_GSO_TCP_FIXEDID)
		type ^= RIG_GSO_TCP_FIXEDID | SKB_GSO_TCP_FIXEDID;
	return type;
}
#endif

/* 6.16: the magic of a page pool page carries an index too. Goes with 6.12 LTS (2028-12). */
static inline bool rig_page_is_pool(const struct page *page)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
	return page_pool_page_is_pp(page);
#else
	return (page->pp_magic & ~0x3UL) == PP_SIGNATURE;
#endif
}

#endif /* RIG_COMPAT_H */
