// SPDX-License-Identifier: GPL-2.0
/*
 * The queue to user space, and the question whether the kernel's own GSO gives back what was sent.
 * A packet is turned into a group of records, itself and its segments; a group that does not fit
 * waits for the next read. Splitting comes after recording, since it takes the packet apart.
 */
#include <linux/if_vlan.h>
#include <linux/uaccess.h>
#include <net/gso.h>

#include "rig.h"

static netdev_features_t rig_split_features(u32 flags)
{
	return flags & RIG_READ_SPLIT ? NETIF_F_SG | NETIF_F_HIGHDMA : 0;
}

/* NULL with no error: nothing to split. Takes the packet apart, but does not free it. */
static struct sk_buff *rig_split(struct sk_buff *skb, u32 flags)
{
	struct sk_buff *segs;
	bool chain;

	if (!(flags & (RIG_READ_SPLIT | RIG_READ_SPLIT_LINEAR)) || !skb_is_gso(skb))
		return NULL;
	chain = skb_shinfo(skb)->gso_type & SKB_GSO_FRAGLIST;
	/* The stack would warn: an LRO packet, or one that is no chain and whose sum nobody vouches for. */
	if (!skb_shinfo(skb)->gso_type || (skb->ip_summed == CHECKSUM_NONE && !chain))
		return ERR_PTR(-EPROTO);
	/* As a router does before it sends on. */
	skb_forward_csum(skb);
	if (skb->ip_summed == CHECKSUM_NONE && !chain)
		return ERR_PTR(-EPROTO);
	skb_push(skb, skb->data - skb_mac_header(skb));
	local_bh_disable();
	segs = __skb_gso_segment(skb, rig_split_features(flags), false);
	local_bh_enable();
	return segs;
}

static void *rig_group(struct rig *rig, struct sk_buff *skb, u32 flags, u32 *len)
{
	u32 size = rig_out_size(skb), total = size, nr = 0;
	struct sk_buff *segs, *seg, *next;
	struct rig_out *out;
	void *group, *p;
	int err;

	group = kvzalloc(size, GFP_KERNEL);
	if (!group)
		return NULL;
	out = group;
	err = rig_out_fill(rig, skb, out, size, RIG_K_PACKET);
	if (err) {
		kvfree(group);
		return NULL;
	}

	segs = rig_split(skb, flags);
	if (IS_ERR(segs)) {
		out->split_err = PTR_ERR(segs);
		segs = NULL;
	}
	skb_list_walk_safe(segs, seg, next) {
		total += rig_out_size(seg);
		nr++;
	}
	if (nr) {
		p = kvzalloc(total, GFP_KERNEL);
		if (p) {
			memcpy(p, group, size);
			kvfree(group);
			group = p;
			out = group;
			out->nr_segs = nr;
			p += size;
		} else {
			out->split_err = -ENOMEM;
			total = size;
		}
	} else {
		p = NULL;
	}
	skb_list_walk_safe(segs, seg, next) {
		skb_mark_not_on_list(seg);
		if (p) {
			size = rig_out_size(seg);
			err = rig_out_fill(rig, seg, p, size, RIG_K_SEGMENT);
			if (err)
				out->split_err = err;
			p += size;
		}
		/* skb_segment_list() returns the packet itself as the first, with a reference more. */
		kfree_skb(seg);
	}
	*len = total;
	return group;
}

static int rig_read_one(struct rig *rig, u32 flags)
{
	struct sk_buff *skb = skb_dequeue(&rig->queue);

	if (!skb)
		return -ENOENT;
	rig->pending = rig_group(rig, skb, flags, &rig->pending_len);
	if (!rig->pending) {
		skb_queue_head(&rig->queue, skb);
		return -ENOMEM;
	}
	kfree_skb(skb);
	return 0;
}

int rig_read(struct rig *rig, struct rig_read *r)
{
	int err = 0;

	r->used = 0;
	r->nr = 0;
	if (r->flags & ~(RIG_READ_SPLIT | RIG_READ_SPLIT_LINEAR | RIG_READ_DROP))
		return -EINVAL;
	if (r->flags & RIG_READ_DROP)
		rig_queue_drop(rig);

	while (rig->pending || !skb_queue_empty(&rig->queue)) {
		if (!rig->pending) {
			err = rig_read_one(rig, r->flags);
			if (err)
				break;
		}
		if (rig->pending_len > r->len - r->used) {
			if (!r->nr) {
				r->used = rig->pending_len;
				err = -ENOSPC;
			}
			break;
		}
		if (copy_to_user(u64_to_user_ptr(r->buf + r->used), rig->pending,
				 rig->pending_len)) {
			err = -EFAULT;
			break;
		}
		r->used += rig->pending_len;
		r->nr++;
		kvfree(rig->pending);
		rig->pending = NULL;
		cond_resched();
	}
	r->left = skb_queue_len(&rig->queue) + !!rig->pending;
	r->lost = atomic_read(&rig->lost);
	if (!r->left && !rig->held)
		skb_queue_purge(&rig->clones);
	return r->nr ? 0 : err;
}
