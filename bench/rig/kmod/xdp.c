// SPDX-License-Identifier: GPL-2.0
/*
 * Native XDP, run on each packet of a train before GRO sees it, as a driver does that has built
 * the skb already (veth). Verdicts: PASS and everything else, which drops the packet. Not run on
 * packets for napi_gro_frags.
 */
#include <linux/bpf.h>
#include <linux/bpf_trace.h>
#include <linux/etherdevice.h>
#include <linux/filter.h>
#include <linux/rtnetlink.h>

#include "rig.h"

int rig_xdp(struct net_device *dev, struct netdev_bpf *bpf)
{
	struct rig *rig = rig_of(dev);
	struct bpf_prog *old;

	if (bpf->command != XDP_SETUP_PROG)
		return -EINVAL;
	old = rtnl_dereference(rig->xdp_prog);
	rcu_assign_pointer(rig->xdp_prog, bpf->prog);
	if (old)
		bpf_prog_put(old);
	return 0;
}

/* True if the packet goes on. */
static bool rig_xdp_one(struct rig *rig, struct bpf_prog *prog, struct sk_buff *skb)
{
	u32 frame_sz = skb_end_offset(skb) + SKB_DATA_ALIGN(sizeof(struct skb_shared_info));
	bool frags = skb_is_nonlinear(skb) && prog->aux->xdp_has_frags;
	void *data = skb->data, *end = skb_tail_pointer(skb);
	struct xdp_buff xdp;
	u32 act, metalen;
	int off;

	xdp_init_buff(&xdp, frame_sz, &rig->rxq);
	xdp_prepare_buff(&xdp, skb->head, skb_headroom(skb), skb_headlen(skb), true);
	metalen = skb_metadata_len(skb);
	xdp.data_meta = xdp.data - metalen;
	if (frags) {
		skb_shinfo(skb)->xdp_frags_size = skb->data_len;
		xdp_buff_set_frags_flag(&xdp);
	}

	act = bpf_prog_run_xdp(prog, &xdp);
	if (act != XDP_PASS) {
		if (act != XDP_DROP)
			bpf_warn_invalid_xdp_action(rig->dev, prog, act);
		return false;
	}

	off = xdp.data - data;
	if (off > 0)
		__skb_pull(skb, off);
	else if (off < 0)
		__skb_push(skb, -off);
	off = xdp.data_end - end;
	if (off) {
		/* Bytes cannot be added or cut in front of fragments the program did not see. */
		if (skb_is_nonlinear(skb) && !frags)
			return false;
		skb->tail += off;
		skb->len += off;
	}
	if (frags) {
		u32 left = xdp_buff_has_frags(&xdp) ? skb_shinfo(skb)->xdp_frags_size : 0;

		skb->len -= skb->data_len - left;
		skb->data_len = left;
	}
	if (skb_headlen(skb) < ETH_HLEN)
		return false;
	skb_reset_mac_header(skb);
	skb_metadata_set(skb, xdp.data - xdp.data_meta);
	/* The sum was that of the packet as it came. */
	if (skb->ip_summed == CHECKSUM_COMPLETE && (xdp.data != data || off))
		skb->ip_summed = CHECKSUM_NONE;
	return true;
}

/* BH off, between rig_train_build() and rig_train_finish(). */
void rig_xdp_run(struct rig *rig, struct rig_train *train)
{
	struct bpf_net_context __ctx, *ctx;
	struct bpf_prog *prog;
	u32 i;

	rcu_read_lock();
	prog = rcu_dereference(rig->xdp_prog);
	if (!prog)
		goto out;
	ctx = bpf_net_ctx_set(&__ctx);
	for (i = 0; i < train->nr; i++) {
		if (train->pkts[i]->flags & RIG_P_FRAGS)
			continue;
		if (!rig_xdp_one(rig, prog, train->skbs[i])) {
			kfree_skb(train->skbs[i]);
			train->skbs[i] = NULL;
		}
	}
	bpf_net_ctx_clear(ctx);
out:
	rcu_read_unlock();
}
