// SPDX-License-Identifier: GPL-2.0
/*
 * How many instructions GRO takes for a train. Interrupts are off while the clock runs; the skbs
 * are built before and freed after. See RIG_MEASURE in bpf_gro_rig.h.
 */
#include <linux/ktime.h>
#include <linux/timex.h>
#include <linux/uaccess.h>

#include "rig.h"

struct rig_clock {
	u64 ns;
	u64 cycles;
};

static __always_inline void rig_clock_start(struct rig_clock *c)
{
	c->ns = ktime_get_ns();
	c->cycles = get_cycles();
	barrier();
}

static __always_inline void rig_clock_stop(struct rig_clock *c)
{
	barrier();
	c->cycles = get_cycles() - c->cycles;
	c->ns = ktime_get_ns() - c->ns;
}

/* What the loop costs without GRO in it. */
static noinline gro_result_t rig_nop_receive(struct napi_struct *napi, struct sk_buff *skb)
{
	barrier();
	return GRO_HELD;
}

static noinline void rig_loop_empty(struct rig *rig, struct rig_train *train)
{
	u32 i;

	for (i = 0; i < train->nr; i++)
		if (train->skbs[i])
			rig_nop_receive(&rig->napi, train->skbs[i]);
}

static noinline void rig_loop_receive(struct rig *rig, struct rig_train *train)
{
	u32 i;

	for (i = 0; i < train->nr; i++)
		if (train->skbs[i])
			napi_gro_receive(&rig->napi, train->skbs[i]);
}

static noinline void rig_loop_frags(struct rig *rig, struct rig_train *train)
{
	u32 i;

	for (i = 0; i < train->nr; i++) {
		if (train->pkts[i]->flags & RIG_P_FRAGS)
			rig_feed_frags(rig, train->skbs[i]);
		else if (train->skbs[i])
			napi_gro_receive(&rig->napi, train->skbs[i]);
	}
}

static void rig_measure_train(struct rig *rig, struct rig_train *train, struct rig_sample *s)
{
	struct rig_clock empty, clock, xdp = {}, receive, complete;
	unsigned long flags;

	if (rcu_access_pointer(rig->xdp_prog)) {
		local_irq_save(flags);
		rig_clock_start(&xdp);
		rig_xdp_run(rig, train);
		rig_clock_stop(&xdp);
		local_irq_restore(flags);
	}
	rig_train_finish(rig, train);

	local_irq_save(flags);
	/* Once for nothing, so that all code that reads clocks has been through the translator. */
	rig_clock_start(&clock);
	rig_clock_stop(&clock);
	rig_clock_start(&clock);
	rig_clock_stop(&clock);
	rig_clock_start(&empty);
	rig_loop_empty(rig, train);
	rig_clock_stop(&empty);
	if (train->frags) {
		rig_clock_start(&receive);
		rig_loop_frags(rig, train);
		rig_clock_stop(&receive);
	} else {
		rig_clock_start(&receive);
		rig_loop_receive(rig, train);
		rig_clock_stop(&receive);
	}
	rig_clock_start(&complete);
	rig_poll_end(rig);
	rig_clock_stop(&complete);
	local_irq_restore(flags);

	s->receive_ns = receive.ns;
	s->receive_cycles = receive.cycles;
	s->complete_ns = complete.ns;
	s->complete_cycles = complete.cycles;
	s->empty_ns = empty.ns;
	s->empty_cycles = empty.cycles;
	s->clock_ns = clock.ns;
	s->clock_cycles = clock.cycles;
	s->xdp_ns = xdp.ns > clock.ns ? xdp.ns - clock.ns : 0;
}

static void rig_count_out(struct rig *rig, struct rig_sample *s)
{
	struct sk_buff *skb;

	skb_queue_walk(&rig->queue, skb) {
		s->out_packets++;
		s->out_segs += skb_is_gso(skb) ? skb_shinfo(skb)->gso_segs : 1;
		s->out_bytes += skb->len;
	}
}

static int rig_measure_once(struct rig *rig, struct rig_train *train, struct rig_sample *s)
{
	u32 i;
	int err;

	err = rig_train_build(rig, train);
	if (err)
		return err;
	local_bh_disable();
	err = rig_poll_begin(rig);
	if (err) {
		local_bh_enable();
		train->err_why = RIG_E_BUSY;
		rig_train_drop(train);
		return err;
	}
	WRITE_ONCE(rig->deliver, false);
	rig_measure_train(rig, train, s);
	/* All are GRO's now, but the donors of napi_gro_frags(). */
	for (i = 0; i < train->nr; i++)
		if (!(train->pkts[i]->flags & RIG_P_FRAGS))
			train->skbs[i] = NULL;
	local_bh_enable();
	rig_train_drop(train);
	rig_count_out(rig, s);
	return 0;
}

int rig_measure(struct rig *rig, struct rig_measure *m)
{
	struct rig_sample *samples;
	struct rig_train train = {};
	u32 i;
	int err;

	m->err_pkt = 0;
	m->err_why = RIG_E_NONE;
	if ((m->flags & ~RIG_MEASURE_KEEP) || !m->repeat || m->repeat > RIG_MAX_REPEAT) {
		m->err_why = RIG_E_BOUNDS;
		return -EINVAL;
	}
	if (!rig->up) {
		m->err_why = RIG_E_DOWN;
		return -ENETDOWN;
	}
	if (!rig->capture) {
		m->err_why = RIG_E_FLAGS;
		return -EINVAL;
	}
	samples = kvcalloc(m->repeat, sizeof(*samples), GFP_KERNEL);
	if (!samples) {
		m->err_why = RIG_E_NOMEM;
		return -ENOMEM;
	}
	err = rig_train_load(&train, m->buf, m->len, m->nr, 0);
	if (err)
		goto out;
	rig_flush(rig);
	for (i = 0; i < m->repeat; i++) {
		rig_queue_drop(rig);
		err = rig_measure_once(rig, &train, &samples[i]);
		if (err)
			goto out_unload;
		if (fatal_signal_pending(current)) {
			err = -EINTR;
			goto out_unload;
		}
		cond_resched();
	}
	if (!(m->flags & RIG_MEASURE_KEEP))
		rig_queue_drop(rig);
	if (copy_to_user(u64_to_user_ptr(m->samples), samples, m->repeat * sizeof(*samples)))
		err = -EFAULT;

out_unload:
	rig_train_unload(&train);
out:
	kvfree(samples);
	m->err_pkt = train.err_pkt;
	m->err_why = train.err_why;
	return err;
}
