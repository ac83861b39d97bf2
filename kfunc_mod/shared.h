/* SPDX-License-Identifier: GPL-2.0 */
/* What both modules do in the same way. */
#ifndef _BPF_GRO_SHARED_H
#define _BPF_GRO_SHARED_H

#include <linux/ctype.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <bpf_gro/abi.h>

/* The last refusal in words, for the log and for groctl to read, and how many there were. */
struct gro_refusals {
	spinlock_t lock;
	u64 count;
	char message[BPF_GRO_MSG_LEN];
};

static inline __printf(2, 0) void gro_refusals_add(struct gro_refusals *r, const char *fmt, va_list args)
{
	char msg[BPF_GRO_MSG_LEN];

	vsnprintf(msg, sizeof(msg), fmt, args);
	pr_info("refused: %s\n", msg);

	spin_lock(&r->lock);
	memcpy(r->message, msg, sizeof(msg));
	r->count++;
	spin_unlock(&r->lock);
}

static inline void gro_refusals_last(struct gro_refusals *r, char *buf, size_t len, u64 *count)
{
	spin_lock(&r->lock);
	strscpy(buf, r->message, len);
	*count = r->count;
	spin_unlock(&r->lock);
}

/* A caller built for an older or newer contract gets the first bytes that both know, the rest zeroed. */
static inline void gro_copy_out(void *to, u32 size, const void *from, size_t have)
{
	memcpy(to, from, min_t(size_t, size, have));
	if (size > have)
		memset(to + have, 0, size - have);
}

/* Whether a policy can have this name; if not, @fault is what is wrong with it. */
static inline bool gro_name_ok(const char *name, const char **fault)
{
	size_t i, len = strnlen(name, BPF_GRO_NAME_LEN);

	BUILD_BUG_ON(BPF_GRO_NAME_LEN != 32);
	*fault = "1 to 31 characters are needed";
	if (!len || len == BPF_GRO_NAME_LEN)
		return false;
	*fault = "letters, digits, '_', '-' and '.' only";
	for (i = 0; i < len; i++)
		if (!isalnum(name[i]) && !strchr("_-.", name[i]))
			return false;
	*fault = "bytes behind its end";
	return !memchr_inv(name + len, 0, BPF_GRO_NAME_LEN - len);
}

#endif /* _BPF_GRO_SHARED_H */
