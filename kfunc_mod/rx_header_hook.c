// SPDX-License-Identifier: GPL-2.0
/*
 * The hook: ftrace sends calls of eth_get_headlen() for devices that have a policy to rx_answer(). All others, and those that the policy
 * leaves to the kernel, run the function's own body.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/etherdevice.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/percpu.h>

#include "rx_header.h"

/* The driver's receive functions, between whose entry and exit those drivers are answered that ask on transmit, too. */
#define RX_ENTER_PREFIX	"mlx5e_skb_from_cqe"

/* One call of header_len, on the stack. */
struct rx_run {
	struct bpf_rx_header pub;
	const u8 *data;
};

/* The packet in such a function, on this CPU. */
struct rx_now {
	struct bpf_rx_header_cqe cqe;
	bool inside;
};

static DEFINE_PER_CPU(struct rx_now, rx_now);

/*
 * Where that function lies: the answer is given only to a call out of its own body. A driver that comes back elsewhere is learned anew; a
 * torn pair fits no call, or one of a function that is gone.
 */
static DEFINE_RAW_SPINLOCK(rx_enter_lock);
static unsigned long rx_enter_start;
static unsigned long rx_enter_size;

static bool rx_enter_known(unsigned long ip)
{
	return ip - READ_ONCE(rx_enter_start) < READ_ONCE(rx_enter_size);
}

static bool rx_enter_learn(unsigned long ip)
{
	unsigned long off, size, flags;
	char sym[KSYM_SYMBOL_LEN], *at;

	sprint_symbol(sym, ip);
	at = strchr(sym, '+');
	if (strncmp(sym, RX_ENTER_PREFIX, strlen(RX_ENTER_PREFIX)) || !at || sscanf(at, "+0x%lx/0x%lx", &off, &size) != 2)
		return false;
	raw_spin_lock_irqsave(&rx_enter_lock, flags);
	WRITE_ONCE(rx_enter_size, 0);
	WRITE_ONCE(rx_enter_start, ip - off);
	WRITE_ONCE(rx_enter_size, size);
	raw_spin_unlock_irqrestore(&rx_enter_lock, flags);
	return true;
}

static void rx_fill_cqe(struct bpf_rx_header *pkt)
{
	const struct bpf_rx_header_cqe *cqe = this_cpu_ptr(&rx_now.cqe);

	pkt->flags |= BPF_RX_HEADER_F_CQE;
	pkt->len = cqe->len;
	pkt->lro_segs = cqe->lro_segs;
	pkt->l3 = cqe->l3;
	pkt->l4 = cqe->l4;
	pkt->vlan = cqe->vlan;
	pkt->tunnel = cqe->tunnel;
}

/* The policy's answer, 0 for as native. Every bound is checked here and nowhere else. */
static u32 rx_ask(const struct rx_binding *b, const struct net_device *dev, const void *data, u32 len)
{
	struct rx_run run = {
		.pub.ifindex = dev->ifindex,
		.pub.limit = min_t(u32, len, BPF_RX_HEADER_MAX),
		.data = data,
	};
	u32 ret;

	if (unlikely(len < ETH_HLEN))
		return 0;
	memcpy(run.pub.driver, b->driver, sizeof(run.pub.driver));
	if (b->enter)
		rx_fill_cqe(&run.pub);
	ret = b->header_len(&run.pub);
	this_cpu_inc(b->counts->asked);
	if (!ret) {
		this_cpu_inc(b->counts->native);
		return 0;
	}
	if (ret < BPF_RX_HEADER_MIN || ret > BPF_RX_HEADER_MAX) {
		this_cpu_inc(b->counts->bounds);
		return 0;
	}
	this_cpu_inc(b->counts->answered);
	if (ret > run.pub.limit) {
		this_cpu_inc(b->counts->lowered);
		ret = run.pub.limit;
	}
	return ret;
}

/*
 * In the place of eth_get_headlen(), with its caller's arguments. The call of the original must not become a jump: its caller's address
 * would be the driver's, and it would end here again.
 */
static noinline u32 rx_answer(const struct net_device *dev, const void *data, u32 len)
{
	const struct rx_binding *b;
	u32 ret = 0;

	rcu_read_lock();
	b = rx_binding_find(dev);
	if (b)
		ret = rx_ask(b, dev, data, len);
	if (!ret)
		ret = eth_get_headlen(dev, data, len);
	if (b)
		this_cpu_add(b->counts->bytes, ret);
	rcu_read_unlock();
	return ret;
}

static void notrace rx_hook_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	const struct net_device *dev = (const void *)ftrace_regs_get_argument(fregs, 0);
	const struct rx_binding *b;

	rcu_read_lock();
	b = rx_binding_find(dev);
	if (likely(!b) || within_module(parent_ip, THIS_MODULE))
		goto out;
	if (b->enter && !(this_cpu_read(rx_now.inside) && rx_enter_known(parent_ip)))
		this_cpu_inc(b->counts->elsewhere);
	else
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)rx_answer);
out:
	rcu_read_unlock();
}

/* The callback calls nothing that this traces: no recursion to be caught. */
static struct ftrace_ops rx_hook_ops = {
	.func = rx_hook_call,
	.flags = FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_RECURSION |
		 (IS_ENABLED(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS) ? 0 : FTRACE_OPS_FL_SAVE_REGS),
};

static DEFINE_MUTEX(rx_hook_mutex);
static u32 rx_hook_users;	/* under rx_hook_mutex */
static bool rx_hook_filter;	/* likewise: rx_hook_ops has its filter */

static int rx_hook_on(void)
{
	char name[] = "eth_get_headlen";
	int err;

	if (!rx_hook_filter) {
		err = ftrace_set_filter(&rx_hook_ops, name, strlen(name), 0);
		if (err) {
			rx_refuse("this kernel cannot trace eth_get_headlen: error %d", err);
			return err;
		}
		rx_hook_filter = true;
	}
	err = register_ftrace_function(&rx_hook_ops);
	if (err == -EBUSY)
		rx_refuse("eth_get_headlen is redirected already, by a live patch perhaps");
	else if (err)
		rx_refuse("eth_get_headlen cannot be hooked: error %d", err);
	return err;
}

/* A policy is to be registered: sees to it that the function is hooked. May sleep for long. */
int rx_hook_get(void)
{
	int err = 0;

	mutex_lock(&rx_hook_mutex);
	if (!rx_hook_users)
		err = rx_hook_on();
	if (!err)
		rx_hook_users++;
	mutex_unlock(&rx_hook_mutex);
	return err;
}

/*
 * A policy is gone. With the last the hook goes, too: unregistering waits until no task is in the callback or, preempted, in rx_answer().
 */
void rx_hook_put(void)
{
	mutex_lock(&rx_hook_mutex);
	if (!--rx_hook_users) {
		WARN_ON(unregister_ftrace_function(&rx_hook_ops));
		synchronize_rcu();
	}
	mutex_unlock(&rx_hook_mutex);
}

/* At unload: no policy is registered any more. */
void rx_hook_exit(void)
{
	if (rx_hook_filter)
		ftrace_free_filter(&rx_hook_ops);
}

bool rx_hooked(void)
{
	bool hooked;

	mutex_lock(&rx_hook_mutex);
	hooked = rx_hook_users;
	mutex_unlock(&rx_hook_mutex);
	return hooked;
}

__bpf_kfunc_start_defs();

/**
 * bpf_rx_header_data() - bytes of the frame, in place
 * @pkt: the packet
 * @off: first byte, counted from the Ethernet header
 * @rdonly_buf_size: bytes wanted
 *
 * Context: header_len.
 * Return: the bytes, or NULL if they do not end within the limit.
 */
__bpf_kfunc const u8 *bpf_rx_header_data(struct bpf_rx_header *pkt, u32 off, const size_t rdonly_buf_size)
{
	const struct rx_run *run = container_of(pkt, struct rx_run, pub);

	if (off > pkt->limit || rdonly_buf_size > pkt->limit - off)
		return NULL;
	return run->data + off;
}

/**
 * bpf_rx_header_enter() - the driver's receive function begins
 * @ip: its address, as bpf_get_func_ip() gives it
 * @cqe: what the completion entry of the packet says
 *
 * For fentry programs. From here to bpf_rx_header_leave(), on this CPU, calls of eth_get_headlen() out of that function are answered by the
 * device's policy.
 *
 * Context: BPF_PROG_TYPE_TRACING, softirq.
 * Return: 0; -EINVAL if it is no receive function of a driver that is known to ask on transmit, too.
 */
__bpf_kfunc int bpf_rx_header_enter(u64 ip, const struct bpf_rx_header_cqe *cqe)
{
	struct rx_now *now = this_cpu_ptr(&rx_now);

	if (!rx_enter_known(ip) && !rx_enter_learn(ip))
		return -EINVAL;
	now->cqe = *cqe;
	now->inside = true;
	return 0;
}

/**
 * bpf_rx_header_leave() - the driver's receive function has ended
 *
 * For fexit programs.
 *
 * Context: BPF_PROG_TYPE_TRACING, softirq.
 */
__bpf_kfunc void bpf_rx_header_leave(void)
{
	this_cpu_write(rx_now.inside, false);
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(rx_ops_kfunc_ids)
BTF_ID_FLAGS(func, bpf_rx_header_data, KF_TRUSTED_ARGS | KF_RET_NULL)
BTF_KFUNCS_END(rx_ops_kfunc_ids)

BTF_KFUNCS_START(rx_trace_kfunc_ids)
BTF_ID_FLAGS(func, bpf_rx_header_enter, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_rx_header_leave)
BTF_KFUNCS_END(rx_trace_kfunc_ids)

static const struct btf_kfunc_id_set rx_ops_kfunc_set = {
	.owner = THIS_MODULE,
	.set = &rx_ops_kfunc_ids,
};

static const struct btf_kfunc_id_set rx_trace_kfunc_set = {
	.owner = THIS_MODULE,
	.set = &rx_trace_kfunc_ids,
};

int rx_kfunc_register(void)
{
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_STRUCT_OPS, &rx_ops_kfunc_set) ?:
	       register_btf_kfunc_id_set(BPF_PROG_TYPE_TRACING, &rx_trace_kfunc_set);
}
