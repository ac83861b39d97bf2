// SPDX-License-Identifier: GPL-2.0
/*
 * A train into GRO. The poll is ours by napi_schedule_prep(), as a driver's interrupt handler takes
 * it, but no softirq runs: we are in process context with BH off, so nothing else can come between
 * two packets, and the poll may stay open over several trains.
 */
#include <linux/uaccess.h>

#include "rig.h"

int rig_poll_begin(struct rig *rig)
{
	if (rig->held)
		return 0;
	if (!napi_schedule_prep(&rig->napi))
		return -EBUSY;
	rig->held = true;
	return 0;
}

/* BH off. Flushes what GRO holds and pushes up what waits in the list. */
void rig_poll_end(struct rig *rig)
{
	rig->held = false;
	napi_complete_done(&rig->napi, 0);
}

static int rig_feed_check(struct rig *rig, u32 *why)
{
	if (rig->up)
		return 0;
	*why = RIG_E_DOWN;
	return -ENETDOWN;
}

static int rig_feed_go(struct rig *rig, struct rig_train *train, u32 flags, u8 *results)
{
	int err;
	u32 i;

	local_bh_disable();
	err = rig_poll_begin(rig);
	if (err) {
		train->err_why = RIG_E_BUSY;
		goto out;
	}
	WRITE_ONCE(rig->deliver, !!(flags & RIG_FEED_DELIVER));
	rig_xdp_run(rig, train);
	rig_train_finish(rig, train);
	for (i = 0; i < train->nr; i++) {
		struct sk_buff *skb = train->skbs[i];
		gro_result_t ret = GRO_CONSUMED;

		if (train->pkts[i]->flags & RIG_P_FRAGS) {
			ret = rig_feed_frags(rig, skb);
			if (skb->data_len) {
				train->err_pkt = i;
				train->err_why = RIG_E_NOMEM;
				err = -ENOMEM;
			}
		} else if (skb) {
			train->skbs[i] = NULL;
			ret = napi_gro_receive(&rig->napi, skb);
		}
		if (results)
			results[i] = ret;
	}
	if (!(flags & RIG_FEED_HOLD))
		rig_poll_end(rig);
out:
	local_bh_enable();
	return err;
}

int rig_feed(struct rig *rig, struct rig_feed *feed)
{
	struct rig_train train;
	u8 *results = NULL;
	int err;

	feed->err_pkt = 0;
	feed->err_why = RIG_E_NONE;
	if (feed->flags & ~(RIG_FEED_HOLD | RIG_FEED_DELIVER)) {
		feed->err_why = RIG_E_FLAGS;
		return -EINVAL;
	}
	err = rig_feed_check(rig, &feed->err_why);
	if (err)
		return err;
	err = rig_train_load(&train, feed->buf, feed->len, feed->nr, feed->flags);
	if (err)
		goto out;
	if (feed->results && feed->nr) {
		results = kvzalloc(feed->nr, GFP_KERNEL);
		if (!results) {
			train.err_why = RIG_E_NOMEM;
			err = -ENOMEM;
			goto out_unload;
		}
	}
	err = rig_train_build(rig, &train);
	if (err)
		goto out_unload;
	err = rig_feed_go(rig, &train, feed->flags, results);
	rig_train_drop(&train);
	if (!err && results && copy_to_user(u64_to_user_ptr(feed->results), results, feed->nr))
		err = -EFAULT;

out_unload:
	kvfree(results);
	rig_train_unload(&train);
out:
	feed->err_pkt = train.err_pkt;
	feed->err_why = train.err_why;
	return err;
}

int rig_flush(struct rig *rig)
{
	if (!rig->held)
		return 0;
	local_bh_disable();
	rig_poll_end(rig);
	local_bh_enable();
	return 0;
}
