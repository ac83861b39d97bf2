/* SPDX-License-Identifier: GPL-2.0 */
/* Calling a member of a policy. */
#ifndef _BPF_GRO_RUN_H
#define _BPF_GRO_RUN_H

#include <linux/bpf.h>
#include <linux/filter.h>

/*
 * GRO runs in softirq context under rcu_read_lock(), on one CPU throughout: all that the struct_ops trampoline would see to.
 * So where the kernel lets us find the program, it is called itself; that saves about 90 instructions a packet.
 */
static __always_inline int gro_call(const struct bpf_prog *prog, int (*fn)(struct bpf_gro *gro), struct bpf_gro *gro)
{
	u64 args[1] = { (unsigned long)gro };

	if (GRO_DIRECT_CALL && likely(prog))
		return prog->bpf_func(args, prog->insnsi);
	return fn(gro);
}

#endif /* _BPF_GRO_RUN_H */
