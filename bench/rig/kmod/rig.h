/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rig's insides. One struct rig per open file.
 *
 * Locks: `setup` covers making and removing the device and is taken before RTNL. `feed` covers the
 * poll, the train and the reading of the queue; ndo_stop takes it under RTNL, so nothing that holds
 * it may take RTNL.
 */
#ifndef RIG_H
#define RIG_H

#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/gro.h>
#include <net/page_pool/helpers.h>
#include <net/xdp.h>

#include "bpf_gro_rig.h"
#include "compat.h"

struct rig {
	struct mutex setup;
	struct mutex feed;
	struct net_device *dev;		/* set once, by RIG_SETUP */
	struct napi_struct napi;
	struct page_pool *pool;
	struct bpf_prog __rcu *xdp_prog;
	struct xdp_rxq_info rxq;
	bool up;			/* feed: between ndo_open and ndo_stop */
	bool held;			/* feed: the poll is open and ours */
	bool capture;			/* an rx_handler is there */
	bool deliver;			/* pass on what comes up */
	atomic_t lost;
	struct sk_buff_head queue;	/* what came up */
	struct sk_buff_head clones;	/* of RIG_P_CLONED, until the queue was read */
	void *pending;			/* feed: records for the next read */
	u32 pending_len;
};

struct rig_priv {
	struct rig *rig;
};

static inline struct rig *rig_of(const struct net_device *dev)
{
	return ((struct rig_priv *)netdev_priv(dev))->rig;
}

/* A train on its way: the records as user space wrote them, and the skbs made from them. */
struct rig_train {
	void *buf;
	u32 len;
	u32 nr;
	bool frags;			/* some packet wants napi_gro_frags */
	const struct rig_pkt **pkts;
	struct sk_buff **skbs;
	u32 err_pkt;
	u32 err_why;
};

/* dev.c */
int rig_dev_setup(struct rig *rig, struct rig_setup *setup);
int rig_dev_set(struct rig *rig, const struct rig_set *set);
void rig_dev_remove(struct rig *rig);

/* xdp.c */
int rig_xdp(struct net_device *dev, struct netdev_bpf *bpf);
void rig_xdp_run(struct rig *rig, struct rig_train *train);

/* build.c */
extern struct ubuf_info rig_ubuf;
int rig_train_load(struct rig_train *train, u64 buf, u32 len, u32 nr, u32 feed_flags);
void rig_train_unload(struct rig_train *train);
int rig_train_build(struct rig *rig, struct rig_train *train);
void rig_train_drop(struct rig_train *train);
void rig_train_finish(struct rig *rig, struct rig_train *train);

/* feed.c */
int rig_poll_begin(struct rig *rig);
void rig_poll_end(struct rig *rig);
gro_result_t rig_feed_frags(struct rig *rig, struct sk_buff *donor);
int rig_feed(struct rig *rig, struct rig_feed *feed);
int rig_flush(struct rig *rig);

/* measure.c */
int rig_measure(struct rig *rig, struct rig_measure *measure);

/* capture.c */
rx_handler_result_t rig_capture(struct sk_buff **pskb);
void rig_queue_drop(struct rig *rig);
u32 rig_out_size(const struct sk_buff *skb);
int rig_out_fill(struct rig *rig, const struct sk_buff *skb, struct rig_out *out, u32 size,
		 u8 kind);

/* read.c */
int rig_read(struct rig *rig, struct rig_read *read);

#endif /* RIG_H */
