// SPDX-License-Identifier: GPL-2.0
/*
 * The self-test at load: trains of TCP segments and of UDP datagrams through a device and NAPI of our own, with policies written in C
 * against the same contract as BPF ones. What comes up must be one aggregate, and the kernel's own GSO must split it into the train again, byte for
 * byte. On a kernel where that fails the module does not hook.
 *
 * While it runs, packets of real devices meet hooked slots that belong to nobody on their device: native code handles them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/gso.h>
#include <net/ip6_checksum.h>
#include <net/tcp.h>

#include "gro.h"

#define ST_SEGS		4
#define ST_MSS		100
#define ST_LAST		60	/* the last segment is shorter and carries PSH */
#define ST_FRAME_MAX	(ETH_HLEN + sizeof(struct ipv6hdr) + sizeof(struct tcphdr) + ST_MSS)

struct st_state {
	struct net_device *dev;
	struct napi_struct napi;
	struct sk_buff_head up;			/* what came up */
	u8 frame[ST_SEGS][ST_FRAME_MAX];	/* what was sent */
	u32 len[ST_SEGS];
	u8 proto;				/* IPPROTO_TCP or IPPROTO_UDP */
	char *why;
	size_t why_len;
};

/* The least that policies have to do. */
static int st_receive(struct bpf_gro *gro, const struct bpf_gro_hdr *hdr, const struct bpf_gro_hdr *held_hdr)
{
	const struct tcphdr *th, *held;

	if (bpf_gro_csum(gro, BPF_GRO_CSUM_PSEUDO))
		return BPF_GRO_RET(BPF_GRO_PASS, BPF_GRO_R_CHECKSUM);
	th = (const struct tcphdr *)bpf_gro_header(gro, 0, sizeof(*th));
	if (!th)
		return BPF_GRO_RET(BPF_GRO_PASS, BPF_GRO_R_TRUNCATED);
	gro->hdr_len = sizeof(*th);
	held = (const struct tcphdr *)bpf_gro_find_held(gro, BPF_GRO_RANGE(0, 4), 0, sizeof(*held));
	if (!held)
		return BPF_GRO_RET(BPF_GRO_HOLD, BPF_GRO_R_NONE);
	if (gro->diff || ntohl(held->seq) + gro->held_len != ntohl(th->seq))
		return BPF_GRO_RET(BPF_GRO_FLUSH_HELD, BPF_GRO_R_SEQUENCE);
	if (!th->psh)
		return BPF_GRO_RET(BPF_GRO_JOIN, BPF_GRO_R_NONE);
	gro->merge_or = (__force u32)TCP_FLAG_PSH;
	gro->merge_off = 12;
	return BPF_GRO_RET(BPF_GRO_JOIN_FLUSH, BPF_GRO_R_PUSH);
}

static int st_complete(struct bpf_gro *gro)
{
	return bpf_gro_finish(gro, BPF_GRO_GSO_TCP, offsetof(struct tcphdr, check));
}

static int st_udp_receive(struct bpf_gro *gro, const struct bpf_gro_hdr *hdr, const struct bpf_gro_hdr *held_hdr)
{
	const struct udphdr *uh, *held;

	uh = (const struct udphdr *)bpf_gro_header(gro, 0, sizeof(*uh));
	if (!uh)
		return BPF_GRO_RET(BPF_GRO_PASS, BPF_GRO_R_TRUNCATED);
	gro->hdr_len = sizeof(*uh);
	held = (const struct udphdr *)bpf_gro_find_held(gro, BPF_GRO_RANGE(0, 4), 0, sizeof(*held));
	if (bpf_gro_csum(gro, BPF_GRO_CSUM_UDP))
		return BPF_GRO_RET(BPF_GRO_PASS, BPF_GRO_R_CHECKSUM);
	if (!held)
		return BPF_GRO_RET(BPF_GRO_HOLD, BPF_GRO_R_NONE);
	if (gro->diff)
		return BPF_GRO_RET(BPF_GRO_FLUSH_HELD, BPF_GRO_R_POLICY);
	if (gro->len - sizeof(*uh) < gro->held_gso_size)
		return BPF_GRO_RET(BPF_GRO_JOIN_FLUSH, BPF_GRO_R_SHORT);
	return BPF_GRO_RET(BPF_GRO_JOIN, BPF_GRO_R_NONE);
}

static int st_udp_complete(struct bpf_gro *gro)
{
	return bpf_gro_finish(gro, BPF_GRO_GSO_UDP, offsetof(struct udphdr, check));
}

static const struct bpf_gro_ops st_tcp_ops = {
	.receive = st_receive,
	.complete = st_complete,
	.slots = {
		{ BPF_GRO_SLOT_IP, IPPROTO_TCP },
		{ BPF_GRO_SLOT_IP6, IPPROTO_TCP },
	},
	.devices = "self-test",
	.name = "self-test",
};

static const struct bpf_gro_ops st_udp_ops = {
	.receive = st_udp_receive,
	.complete = st_udp_complete,
	.slots = {
		{ BPF_GRO_SLOT_IP, IPPROTO_UDP },
		{ BPF_GRO_SLOT_IP6, IPPROTO_UDP },
	},
	.devices = "self-test",
	.name = "self-test",
};

__printf(2, 3) static int st_fail(struct st_state *st, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(st->why, st->why_len, fmt, args);
	va_end(args);
	return -EINVAL;
}

static rx_handler_result_t st_came_up(struct sk_buff **pskb)
{
	struct st_state *st = rcu_dereference((*pskb)->dev->rx_handler_data);

	__skb_queue_tail(&st->up, *pskb);
	return RX_HANDLER_CONSUMED;
}

static int st_poll(struct napi_struct *napi, int budget)
{
	napi_complete_done(napi, 0);
	return 0;
}

/* Bytes in front of the payload. */
static u32 st_headers(const struct st_state *st, bool ip6)
{
	return ETH_HLEN + (ip6 ? sizeof(struct ipv6hdr) : sizeof(struct iphdr)) +
	       (st->proto == IPPROTO_TCP ? sizeof(struct tcphdr) : sizeof(struct udphdr));
}

/* The transport header of segment @i. Returns where its checksum goes. */
static __sum16 *st_transport(const struct st_state *st, u8 *at, u32 i, u32 tlen)
{
	struct tcphdr *th = (struct tcphdr *)at;
	struct udphdr *uh = (struct udphdr *)at;

	/* ports are where UDP's are */
	th->source = htons(1);
	th->dest = htons(2);
	if (st->proto == IPPROTO_UDP) {
		uh->len = htons(tlen);
		return &uh->check;
	}
	th->seq = htonl(1000 + i * ST_MSS);
	th->doff = sizeof(*th) / 4;
	th->ack = 1;
	th->psh = i == ST_SEGS - 1;
	return &th->check;
}

/* Segment @i of the train as a frame in st->frame[i]. */
static void st_frame(struct st_state *st, u32 i, bool ip6)
{
	u32 payload = i == ST_SEGS - 1 ? ST_LAST : ST_MSS, nlen = ip6 ? sizeof(struct ipv6hdr) : sizeof(struct iphdr);
	u32 headers = st_headers(st, ip6), tlen = headers - ETH_HLEN - nlen + payload, j;
	u8 *frame = st->frame[i], *th = frame + ETH_HLEN + nlen;
	struct ethhdr *eth = (struct ethhdr *)frame;
	__sum16 *check;

	memset(frame, 0, ST_FRAME_MAX);
	eth->h_proto = ip6 ? htons(ETH_P_IPV6) : htons(ETH_P_IP);
	for (j = 0; j < payload; j++)
		frame[headers + j] = i * 31 + j;
	check = st_transport(st, th, i, tlen);

	if (ip6) {
		struct ipv6hdr *iph = (struct ipv6hdr *)(frame + ETH_HLEN);

		iph->version = 6;
		iph->payload_len = htons(tlen);
		iph->nexthdr = st->proto;
		iph->hop_limit = 64;
		iph->saddr.s6_addr[15] = 1;
		iph->daddr.s6_addr[15] = 2;
		*check = csum_ipv6_magic(&iph->saddr, &iph->daddr, tlen, st->proto, csum_partial(th, tlen, 0));
	} else {
		struct iphdr *iph = (struct iphdr *)(frame + ETH_HLEN);

		iph->version = 4;
		iph->ihl = 5;
		iph->tot_len = htons(sizeof(*iph) + tlen);
		iph->id = htons(7 + i);
		iph->ttl = 64;
		iph->protocol = st->proto;
		iph->saddr = htonl(INADDR_LOOPBACK);
		iph->daddr = htonl(INADDR_LOOPBACK + 1);
		iph->check = ip_fast_csum(iph, iph->ihl);
		*check = csum_tcpudp_magic(iph->saddr, iph->daddr, tlen, st->proto, csum_partial(th, tlen, 0));
	}
	st->len[i] = ETH_HLEN + nlen + tlen;
}

/* Frame @i as a driver hands it to GRO: headers linear, payload in a page fragment, checksum not looked at. */
static struct sk_buff *st_skb(struct st_state *st, u32 i, bool ip6)
{
	u32 linear = st_headers(st, ip6);
	struct sk_buff *skb = alloc_skb(256, GFP_KERNEL);
	struct page *page;

	if (!skb)
		return NULL;
	page = alloc_page(GFP_KERNEL);
	if (!page) {
		kfree_skb(skb);
		return NULL;
	}
	skb_reserve(skb, 64);
	skb_put_data(skb, st->frame[i], linear);
	memcpy(page_address(page), st->frame[i] + linear, st->len[i] - linear);
	skb_add_rx_frag(skb, 0, page, 0, st->len[i] - linear, PAGE_SIZE);
	skb->protocol = eth_type_trans(skb, st->dev);
	return skb;
}

static int st_feed(struct st_state *st, bool ip6)
{
	struct sk_buff *skb[ST_SEGS];
	u32 i;

	for (i = 0; i < ST_SEGS; i++) {
		st_frame(st, i, ip6);
		skb[i] = st_skb(st, i, ip6);
		if (!skb[i]) {
			while (i--)
				kfree_skb(skb[i]);
			return st_fail(st, "no memory");
		}
	}
	local_bh_disable();
	if (!napi_schedule_prep(&st->napi)) {
		local_bh_enable();
		for (i = 0; i < ST_SEGS; i++)
			kfree_skb(skb[i]);
		return st_fail(st, "the private NAPI does not start");
	}
	for (i = 0; i < ST_SEGS; i++)
		napi_gro_receive(&st->napi, skb[i]);
	napi_complete_done(&st->napi, ST_SEGS);
	local_bh_enable();
	return 0;
}

/* The aggregate, split again, is the train. */
static int st_check_split(struct st_state *st, struct sk_buff *skb, const char *family)
{
	struct sk_buff *segs, *seg;
	u8 buf[ST_FRAME_MAX];
	int err = 0;
	u32 i = 0;

	skb_push(skb, ETH_HLEN);
	segs = __skb_gso_segment(skb, 0, false);
	if (IS_ERR_OR_NULL(segs))
		return st_fail(st, "%s: GSO does not split the aggregate (%ld)", family, PTR_ERR(segs));
	for (seg = segs; seg && !err; seg = seg->next, i++) {
		if (i >= ST_SEGS || seg->len != st->len[i] || skb_copy_bits(seg, 0, buf, seg->len) ||
		    memcmp(buf, st->frame[i], seg->len))
			err = st_fail(st, "%s: segment %u of the split aggregate differs from the one received", family, i);
	}
	if (!err && i != ST_SEGS)
		err = st_fail(st, "%s: %u segments received, %u after the split", family, ST_SEGS, i);
	kfree_skb_list(segs);
	return err;
}

static int st_run(struct st_state *st, bool ip6)
{
	const char *family = st->proto == IPPROTO_TCP ? (ip6 ? "TCP/IPv6" : "TCP/IPv4") :
							(ip6 ? "UDP/IPv6" : "UDP/IPv4");
	struct sk_buff *skb;
	u32 n;
	int err;

	err = st_feed(st, ip6);
	n = skb_queue_len(&st->up);
	skb = __skb_dequeue(&st->up);
	if (!err && (n != 1 || skb_shinfo(skb)->gso_segs != ST_SEGS))
		err = st_fail(st, "%s: %u segments came up as %u packets, the first of %u segments", family, ST_SEGS, n,
			      skb ? skb_shinfo(skb)->gso_segs : 0);
	if (!err)
		err = st_check_split(st, skb, family);
	kfree_skb(skb);
	__skb_queue_purge(&st->up);
	return err;
}

/* Give the private device to the policy: it has no name that could be looked up. */
static int st_bind(struct gro_policy *pol, struct net_device *dev)
{
	int err;

	rtnl_lock();
	mutex_lock(&gro_mutex);
	pol->devs[0].dev = dev;
	err = gro_slots_rebuild();
	mutex_unlock(&gro_mutex);
	rtnl_unlock();
	return err;
}

static int st_with_policy(struct st_state *st, const struct bpf_gro_ops *ops, u8 proto)
{
	struct gro_policy *pol;
	int err;

	st->proto = proto;
	pol = gro_policy_create(ops, NULL, false);
	if (IS_ERR(pol))
		return st_fail(st, "no policy could be made (%ld)", PTR_ERR(pol));
	err = gro_policy_add(pol, NULL);
	if (err) {
		gro_policy_destroy(pol);
		return st_fail(st, "the slots cannot be hooked (%d)", err);
	}
	err = st_bind(pol, st->dev);
	if (err)
		err = st_fail(st, "the private device cannot be bound (%d)", err);
	err = err ?: st_run(st, false);
	if (!err && IS_ENABLED(CONFIG_IPV6))
		err = st_run(st, true);
	if (!err && READ_ONCE(pol->dead))
		err = st_fail(st, "the test policy was found in breach: %s", gro_violation_text(pol->dead));
	gro_policy_remove(pol);
	gro_policy_destroy(pol);
	return err;
}

/**
 * gro_selftest() - a train in, one aggregate, the train again
 * @why: what failed, in words
 * @len: its size
 *
 * Context: module init, sleeps.
 * Return: 0, or a negative errno.
 */
int gro_selftest(char *why, size_t len)
{
	struct st_state *st;
	int err;

	st = kzalloc(sizeof(*st), GFP_KERNEL);
	if (!st)
		return -ENOMEM;
	st->why = why;
	st->why_len = len;
	__skb_queue_head_init(&st->up);
	st->dev = alloc_netdev_dummy(0);
	if (!st->dev) {
		err = st_fail(st, "no memory");
		goto free;
	}
	ether_setup(st->dev);
	strscpy(st->dev->name, "self-test", IFNAMSIZ);
	st->dev->features |= NETIF_F_GRO;
	netif_napi_add(st->dev, &st->napi, st_poll);
	napi_enable(&st->napi);
	rtnl_lock();
	err = netdev_rx_handler_register(st->dev, st_came_up, st);
	rtnl_unlock();
	if (err) {
		st_fail(st, "no receive handler (%d)", err);
		goto napi;
	}
	err = st_with_policy(st, &st_tcp_ops, IPPROTO_TCP);
	err = err ?: st_with_policy(st, &st_udp_ops, IPPROTO_UDP);
	rtnl_lock();
	netdev_rx_handler_unregister(st->dev);
	rtnl_unlock();
napi:
	napi_disable(&st->napi);
	netif_napi_del(&st->napi);
	free_netdev(st->dev);
free:
	kfree(st);
	return err;
}
