/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the supported kernels. The only place with version tests; each block names the version and
 * when it can go.
 */
#ifndef _BPF_GRO_COMPAT_H
#define _BPF_GRO_COMPAT_H

#include <linux/version.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <net/gro.h>
#include <net/inet_hashtables.h>
#include <net/inet6_hashtables.h>
#include <net/udp.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 3, 0)
#include <net/psp.h>
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#error "bpf_gro needs Linux 6.12 or newer: struct_ops in modules and net_hotdata came with it"
#endif

/* 7.3: bpf_struct_ops_for_each_prog() lets a program be called without its trampoline. Goes with 6.12 LTS (2028-12). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 3, 0)
#define GRO_DIRECT_CALL		1
#else
#define GRO_DIRECT_CALL		0
/* Never called, see GRO_DIRECT_CALL. */
int bpf_struct_ops_for_each_prog(const void *kdata, int (*cb)(struct bpf_prog *prog, void *data), void *data);
#endif

/* 7.x: kfunc arguments are trusted without being asked for. Goes with 6.12 LTS (2028-12). */
#ifndef KF_TRUSTED_ARGS
#define KF_TRUSTED_ARGS		0
#endif

/* 7.3: GSO repeats CWR on every segment (AccECN), so equal CWR may join. Goes with 6.12 LTS (2028-12). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 3, 0)
#define GRO_CWR_EQUAL		1
#define GRO_GSO_TCP_CWR		SKB_GSO_TCP_ACCECN
#else
#define GRO_CWR_EQUAL		0
#define GRO_GSO_TCP_CWR		SKB_GSO_TCP_ECN
#endif

/*
 * 7.3: an aggregate of 64 KiB or more over IPv6 needs no jumbo option any more, and so no headroom for it; it may have passed
 * a tunnel. Before that the kernel's complete inserts the option. Goes with 6.12 LTS (2028-12).
 */
static inline bool gro_compat_big_tcp_ok(const struct sk_buff *p, const struct sk_buff *skb)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 3, 0)
	return !p->encapsulation;
#else
	if (NAPI_GRO_CB(skb)->encap_mark || p->encapsulation)
		return false;
	if (p->protocol == htons(ETH_P_IPV6))
		return p->mac_header >= sizeof(struct hop_jumbo_hdr);
	return p->protocol == htons(ETH_P_IP);
#endif
}

/* 7.0 or so: the TCP hash table is found through the namespace only. Goes with 6.12 LTS (2028-12). */
static inline struct sock *gro_compat_lookup4(struct net *net, const struct iphdr *iph, __be16 sport, __be16 dport,
					      int iif, int sdif)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 3, 0)
	return __inet_lookup_established(net, iph->saddr, sport, iph->daddr, ntohs(dport), iif, sdif);
#else
	return __inet_lookup_established(net, net->ipv4.tcp_death_row.hashinfo, iph->saddr, sport, iph->daddr,
					 ntohs(dport), iif, sdif);
#endif
}

static inline struct sock *gro_compat_lookup6(struct net *net, const struct ipv6hdr *iph, __be16 sport, __be16 dport,
					      int iif, int sdif)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 3, 0)
	return __inet6_lookup_established(net, &iph->saddr, sport, &iph->daddr, ntohs(dport), iif, sdif);
#else
	return __inet6_lookup_established(net, net->ipv4.tcp_death_row.hashinfo, &iph->saddr, sport, &iph->daddr,
					  ntohs(dport), iif, sdif);
#endif
}

/*
 * 7.0 or so: UDP's table is found through the namespace only, and where there is one tunnel socket of a family it is known without
 * looking in the table. Goes with 6.12 LTS (2028-12).
 */
static inline struct sock *gro_compat_udp_lookup4(struct net *net, const struct iphdr *iph, __be16 sport, __be16 dport,
						  int iif, int sdif)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 3, 0)
	struct sock *sk = udp_tunnel_sk(net, false);

	if (sk && dport == htons(sk->sk_num))
		return sk;
	return __udp4_lib_lookup(net, iph->saddr, sport, iph->daddr, dport, iif, sdif, NULL);
#else
	return __udp4_lib_lookup(net, iph->saddr, sport, iph->daddr, dport, iif, sdif, net->ipv4.udp_table, NULL);
#endif
}

static inline struct sock *gro_compat_udp_lookup6(struct net *net, const struct ipv6hdr *iph, __be16 sport, __be16 dport,
						  int iif, int sdif)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 3, 0)
	struct sock *sk = udp_tunnel_sk(net, true);

	if (sk && dport == htons(sk->sk_num))
		return sk;
	return __udp6_lib_lookup(net, &iph->saddr, sport, &iph->daddr, dport, iif, sdif, NULL);
#else
	return __udp6_lib_lookup(net, &iph->saddr, sport, &iph->daddr, dport, iif, sdif, net->ipv4.udp_table, NULL);
#endif
}

/* 6.18: mlx5 asks for the header length on receive; before it copies 256 bytes always. Goes with 6.12 LTS (2028-12). */
#define RX_HEADER_MLX5_ASKS	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0))

/* 7.3: packets may carry PSP state. Goes with 6.12 LTS (2028-12). */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 3, 0)
static inline bool gro_compat_psp_equal(const struct sk_buff *p, const struct sk_buff *skb)
{
	return !__psp_skb_coalesce_diff(skb, p, 0);
}
#else
static inline bool gro_compat_psp_equal(const struct sk_buff *p, const struct sk_buff *skb)
{
	return true;
}
#endif

#endif /* _BPF_GRO_COMPAT_H */
