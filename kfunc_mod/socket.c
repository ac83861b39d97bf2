// SPDX-License-Identifier: GPL-2.0
/* kfuncs that tell what this host is to a packet: its sockets, its addresses, its devices. None of them changes anything. */
#include <linux/btf.h>
#include <linux/netdevice.h>
#include <linux/udp.h>
#include <net/addrconf.h>
#include <net/route.h>
#include <net/sock_reuseport.h>
#include <net/udp.h>

#include "gro.h"

static struct sock *gro_udp_lookup(const struct gro_run *r)
{
	const struct udphdr *uh = (const struct udphdr *)r->hdr;
	struct sk_buff *skb = r->skb;
	int iif, sdif;

	if (r->kind == BPF_GRO_SLOT_IP) {
		inet_get_iif_sdif(skb, &iif, &sdif);
		return gro_compat_udp_lookup4(dev_net(skb->dev), skb_gro_network_header(skb), uh->source, uh->dest, iif, sdif);
	}
	if (!IS_ENABLED(CONFIG_IPV6))
		return NULL;
	inet6_get_iif_sdif(skb, &iif, &sdif);
	return gro_compat_udp_lookup6(dev_net(skb->dev), skb_gro_network_header(skb), uh->source, uh->dest, iif, sdif);
}

/* A program selects among the sockets of the group: it has to see each packet, not the first of an aggregate. */
static bool gro_udp_has_selector(const struct sock *sk)
{
	const struct sock_reuseport *group = rcu_dereference(sk->sk_reuseport_cb);

	return group && rcu_access_pointer(group->prog);
}

__bpf_kfunc_start_defs();

/**
 * bpf_gro_udp_socket() - what the UDP socket that takes the packet asks for, and the device
 * @gro: the packet, at a UDP slot
 *
 * Context: receive. Softirq, RCU read side. No reference is taken, nothing is sent or queued.
 * Return: enum bpf_gro_udp bits; 0 in complete, at another slot, or if the header is not in reach.
 */
__bpf_kfunc u32 bpf_gro_udp_socket(struct bpf_gro *gro)
{
	struct gro_run *r = gro_run(gro);
	struct sk_buff *skb = r->skb;
	struct sock *sk;
	u32 bits = 0;

	if (!r->head || gro->proto != IPPROTO_UDP || r->pub.avail < sizeof(struct udphdr))
		return 0;
	if (skb->dev->features & NETIF_F_GRO_UDP_FWD)
		bits |= BPF_GRO_UDP_FORWARD;
	if (skb->encapsulation)
		bits |= BPF_GRO_UDP_INNER;
	sk = gro_udp_lookup(r);
	if (!sk)
		return bits;
	bits |= BPF_GRO_UDP_SOCKET;
	if (udp_test_bit(GRO_ENABLED, sk))
		bits |= BPF_GRO_UDP_ASKED;
	if (READ_ONCE(udp_sk(sk)->gro_receive))
		bits |= BPF_GRO_UDP_TUNNEL;
	else if (READ_ONCE(udp_sk(sk)->encap_rcv))
		bits |= BPF_GRO_UDP_ENCAP;
	if (gro_udp_has_selector(sk))
		bits |= BPF_GRO_UDP_SELECTOR;
	return bits;
}

/**
 * bpf_gro_is_local() - whether the packet is for this host
 * @gro: the packet
 *
 * Context: receive. Softirq, RCU read side.
 * Return: 1 if its innermost destination is an address of this host or of the device's VRF, multicast or broadcast, else 0.
 */
__bpf_kfunc int bpf_gro_is_local(struct bpf_gro *gro)
{
	struct gro_run *r = gro_run(gro);
	struct net_device *dev = r->skb->dev;
	struct sk_buff *skb = r->skb;

	if (!r->head)
		return 0;
	if (r->kind == BPF_GRO_SLOT_IP) {
		const struct iphdr *iph = skb_gro_network_header(skb);

		return inet_addr_type_dev_table(dev_net(dev), dev, iph->daddr) != RTN_UNICAST;
	}
	if (IS_ENABLED(CONFIG_IPV6)) {
		const struct ipv6hdr *iph = skb_gro_network_header(skb);

		return ipv6_addr_is_multicast(&iph->daddr) || ipv6_chk_addr(dev_net(dev), &iph->daddr, NULL, 0);
	}
	return 0;
}

/**
 * bpf_gro_nr_held() - packets that this NAPI context holds now
 * @gro: the packet
 *
 * Context: receive. Softirq.
 * Return: their number, of all protocols and owners; 0 in complete.
 */
__bpf_kfunc u32 bpf_gro_nr_held(struct bpf_gro *gro)
{
	struct gro_run *r = gro_run(gro);
	const struct gro_list *bucket;
	u32 i, n = 0;

	if (!r->head)
		return 0;
	/* The packet's bucket, among its neighbours. */
	bucket = container_of(r->head, struct gro_list, list);
	bucket -= skb_get_hash_raw(r->skb) & (GRO_HASH_BUCKETS - 1);
	for (i = 0; i < GRO_HASH_BUCKETS; i++)
		n += bucket[i].count;
	return n;
}

/**
 * bpf_gro_ifindex() - number of the device that received the packet
 * @gro: packet or aggregate
 *
 * Context: receive and complete. Softirq.
 * Return: its index in its network namespace.
 */
__bpf_kfunc u32 bpf_gro_ifindex(struct bpf_gro *gro)
{
	return gro_run(gro)->skb->dev->ifindex;
}

__bpf_kfunc_end_defs();
