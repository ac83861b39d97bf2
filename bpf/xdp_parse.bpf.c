// SPDX-License-Identifier: GPL-2.0
/*
 * XDP: parses a packet's headers once and leaves what it found in the metadata area, as struct gro_parse_state of bpf_gro/parse.h, for tc
 * programs, for the module and for policies (bpf_gro_parse_state()).
 *
 * Parses: Ethernet, VLAN and QinQ tags, IPv4 with options, IPv6 with up to EXT_MAX extension headers (hop-by-hop, routing, destination
 * options, authentication, fragment), and one level of tunnel: IPIP, SIT and the like, GRE, VXLAN and Geneve by their ports. Where the inside
 * of a tunnel is not understood, the state is that of the outside.
 * Leaves alone: packets that are not IP, and those with metadata of others if beside_others=off.
 * Changes nothing of the packet and lets all of them pass. Also for drivers whose packets have several buffers.
 *
 * Options: beside_others, vxlan_ports, geneve_ports, no_hold_control, no_hold_below, no_hold_ports.
 */
#define BPF_NO_KFUNC_PROTOTYPES	/* those of the kernel that vmlinux.h is from */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_endian.h>
#include <bpf_gro/parse.h>

char _license[] SEC("license") = "GPL";

#define OPTION_HELP(option, text)	const char bpf_gro_help_##option[] SEC(".bpf_gro.help") = text

const volatile bool beside_others = true;
OPTION_HELP(beside_others, "put the state before the metadata of other programs; off: leave such packets without");

const volatile __u16 vxlan_ports[4] = { 4789 };
OPTION_HELP(vxlan_ports, "destination ports of VXLAN");

const volatile __u16 geneve_ports[4] = { 6081 };
OPTION_HELP(geneve_ports, "destination ports of Geneve");

const volatile bool no_hold_control;
OPTION_HELP(no_hold_control, "keep TCP packets with SYN or RST out of GRO");

const volatile __u32 no_hold_below;
OPTION_HELP(no_hold_below, "keep frames of fewer bytes out of GRO");

const volatile __u16 no_hold_ports[8];
OPTION_HELP(no_hold_ports, "keep flows from or to one of these ports out of GRO");

#define EXT_MAX		8
#define TAGS_MAX	2

#define EXT_HOPOPTS	0
#define EXT_ROUTING	43
#define EXT_FRAGMENT	44
#define EXT_DSTOPTS	60

#define P_IP		0x0800
#define P_IPV6		0x86dd
#define P_8021Q		0x8100
#define P_8021AD	0x88a8
#define P_TEB		0x6558

#define IP_FRAGMENT	0x3fff	/* more fragments, or an offset */
#define IP_OFFSET	0x1fff
#define IP6_OFFSET	0xfff8

#define GRE_CSUM	0x8000
#define GRE_ROUTING	0x4000
#define GRE_KEY		0x2000
#define GRE_SEQ		0x1000
#define GRE_VERSION	0x0007

#define TCP_SYN_RST	0x06	/* of byte 13 */

struct ports {
	__be16 source;
	__be16 dest;
};

/* What groctl parse status shows. */
enum { C_PARSED, C_TUNNELS, C_NOT_IP, C_OTHERS, C_NO_ROOM, C_NO_HOLD, C_MAX };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, C_MAX);
	__type(key, __u32);
	__type(value, __u64);
} parse_counters SEC(".maps");

extern int bpf_dynptr_from_xdp(struct xdp_md *xdp, __u64 flags, struct bpf_dynptr *ptr) __ksym;
extern __u32 bpf_dynptr_size(const struct bpf_dynptr *ptr) __ksym;
extern void *bpf_dynptr_slice(const struct bpf_dynptr *ptr, __u32 offset, void *buffer, __u32 buffer__szk) __ksym;

/* Where the parser is. */
struct at {
	__u32 off;
	__u16 proto;	/* ethertype of what is there */
};

static __always_inline void count(__u32 what)
{
	__u64 *n = bpf_map_lookup_elem(&parse_counters, &what);

	if (n)
		(*n)++;
}

static __always_inline bool listed(const volatile __u16 *list, __u32 n, __be16 port)
{
	__u32 i;

	for (i = 0; i < n && list[i]; i++)
		if (list[i] == bpf_ntohs(port))
			return true;
	return false;
}

/* An Ethernet header and its tags. */
static __always_inline int parse_eth(struct bpf_dynptr *p, struct at *at)
{
	struct ethhdr ebuf, *eth = bpf_dynptr_slice(p, at->off, &ebuf, sizeof(ebuf));
	struct vlan_hdr vbuf, *vlan;
	__u32 i;

	if (!eth)
		return -1;
	at->proto = bpf_ntohs(eth->h_proto);
	at->off += sizeof(*eth);
	for (i = 0; i < TAGS_MAX && (at->proto == P_8021Q || at->proto == P_8021AD); i++) {
		vlan = bpf_dynptr_slice(p, at->off, &vbuf, sizeof(vbuf));
		if (!vlan)
			return -1;
		at->proto = bpf_ntohs(vlan->h_vlan_encapsulated_proto);
		at->off += sizeof(*vlan);
	}
	return 0;
}

static __always_inline int parse_ip4(struct bpf_dynptr *p, const struct at *at, struct gro_parse_state *st)
{
	struct iphdr buf, *iph = bpf_dynptr_slice(p, at->off, &buf, sizeof(buf));

	if (!iph || iph->version != 4 || iph->ihl < 5)
		return -1;
	st->net_off = at->off;
	st->trans_off = at->off + iph->ihl * 4;
	st->proto_off = at->off + offsetof(struct iphdr, protocol);
	st->proto = iph->protocol;
	if (iph->frag_off & bpf_htons(IP_FRAGMENT))
		st->flags |= GRO_PARSE_F_FRAGMENT;
	return 0;
}

/* Fragment and authentication headers count their length in other units than the rest. */
static __always_inline int parse_ip6(struct bpf_dynptr *p, const struct at *at, struct gro_parse_state *st)
{
	struct ipv6hdr buf, *iph = bpf_dynptr_slice(p, at->off, &buf, sizeof(buf));
	__u32 off = at->off + sizeof(buf), i;
	__u8 ebuf[4], *ext;

	if (!iph || iph->version != 6)
		return -1;
	st->net_off = at->off;
	st->proto_off = at->off + offsetof(struct ipv6hdr, nexthdr);
	st->proto = iph->nexthdr;
	/* Not `for`: the verifier would follow each sequence of headers by itself. */
	bpf_for(i, 0, EXT_MAX + 1) {
		if (st->proto != EXT_HOPOPTS && st->proto != EXT_ROUTING && st->proto != EXT_DSTOPTS &&
		    st->proto != IPPROTO_AH && st->proto != EXT_FRAGMENT)
			goto out;
		if (i == EXT_MAX)
			return -1;
		ext = bpf_dynptr_slice(p, off, ebuf, sizeof(ebuf));
		if (!ext)
			return -1;
		st->proto_off = off;
		if (st->proto == EXT_FRAGMENT) {
			st->flags |= GRO_PARSE_F_FRAGMENT;
			off += 8;
			st->proto = ext[0];
			/* What follows in a later fragment is no header. */
			if ((ext[2] << 8 | ext[3]) & IP6_OFFSET)
				goto out;
		} else {
			off += st->proto == IPPROTO_AH ? (ext[1] + 2) * 4 : (ext[1] + 1) * 8;
			st->proto = ext[0];
		}
	}
	return -1;

out:
	st->trans_off = off;
	/* Past 64 KiB it is cut off, and no reader takes it. Any test here, and the verifier follows each length by itself. */
	return 0;
}

static __always_inline int parse_net(struct bpf_dynptr *p, const struct at *at, struct gro_parse_state *st)
{
	st->net_proto = at->proto;
	if (at->proto == P_IP)
		return parse_ip4(p, at, st);
	if (at->proto == P_IPV6)
		return parse_ip6(p, at, st);
	return -1;
}

static __always_inline int step_gre(struct bpf_dynptr *p, struct at *at)
{
	__be16 buf[2], *gre = bpf_dynptr_slice(p, at->off, buf, sizeof(buf));
	__u16 flags;

	if (!gre)
		return -1;
	flags = bpf_ntohs(gre[0]);
	if (flags & (GRE_VERSION | GRE_ROUTING))
		return -1;
	at->proto = bpf_ntohs(gre[1]);
	at->off += 4 + (flags & GRE_CSUM ? 4 : 0) + (flags & GRE_KEY ? 4 : 0) + (flags & GRE_SEQ ? 4 : 0);
	return at->proto == P_TEB ? parse_eth(p, at) : 0;
}

static __always_inline int step_udp(struct bpf_dynptr *p, struct at *at)
{
	struct udphdr buf, *uh = bpf_dynptr_slice(p, at->off, &buf, sizeof(buf));
	__u8 gbuf[4], *geneve;
	__be16 dest;

	if (!uh)
		return -1;
	dest = uh->dest;
	at->off += sizeof(buf);
	if (listed(vxlan_ports, 4, dest)) {
		at->off += 8;
		return parse_eth(p, at);
	}
	if (!listed(geneve_ports, 4, dest))
		return -1;
	geneve = bpf_dynptr_slice(p, at->off, gbuf, sizeof(gbuf));
	if (!geneve || geneve[0] >> 6)
		return -1;
	at->proto = geneve[2] << 8 | geneve[3];
	at->off += 8 + (geneve[0] & 0x3f) * 4;
	return at->proto == P_TEB ? parse_eth(p, at) : 0;
}

/* Into a tunnel, if what @st describes is one. */
static __always_inline void parse_inner(struct bpf_dynptr *p, struct gro_parse_state *st)
{
	struct gro_parse_state inner = {};
	struct at at = { .off = st->trans_off };
	int err;

	switch (st->proto) {
	case IPPROTO_IPIP:
		inner.encap = GRO_PARSE_IPIP;
		at.proto = P_IP;
		err = 0;
		break;
	case IPPROTO_IPV6:
		inner.encap = GRO_PARSE_IPIP;
		at.proto = P_IPV6;
		err = 0;
		break;
	case IPPROTO_GRE:
		inner.encap = GRO_PARSE_GRE;
		err = step_gre(p, &at);
		break;
	case IPPROTO_UDP:
		inner.encap = GRO_PARSE_UDP;
		err = step_udp(p, &at);
		break;
	default:
		return;
	}
	if (!err && !parse_net(p, &at, &inner))
		*st = inner;
}

static __always_inline bool kept_out(struct bpf_dynptr *p, const struct gro_parse_state *st, __u32 len)
{
	struct ports buf, *ports;
	__u8 fbuf[14], *tcp;

	if (len < no_hold_below)
		return true;
	if (st->flags & GRO_PARSE_F_FRAGMENT || (st->proto != IPPROTO_TCP && st->proto != IPPROTO_UDP))
		return false;
	if (no_hold_ports[0]) {
		ports = bpf_dynptr_slice(p, st->trans_off, &buf, sizeof(buf));
		if (ports && (listed(no_hold_ports, 8, ports->source) || listed(no_hold_ports, 8, ports->dest)))
			return true;
	}
	if (no_hold_control && st->proto == IPPROTO_TCP) {
		tcp = bpf_dynptr_slice(p, st->trans_off, fbuf, sizeof(fbuf));
		return tcp && tcp[13] & TCP_SYN_RST;
	}
	return false;
}

SEC("xdp.frags")
int xdp_parse(struct xdp_md *ctx)
{
	void *meta = (void *)(long)ctx->data_meta, *data = (void *)(long)ctx->data;
	struct gro_parse_state st = {}, *to;
	struct at at = {};
	struct bpf_dynptr p;

	if (meta < data && (!beside_others || gro_parse_find(meta, data))) {
		count(C_OTHERS);
		return XDP_PASS;
	}
	if (bpf_dynptr_from_xdp(ctx, 0, &p))
		return XDP_PASS;
	if (parse_eth(&p, &at) || parse_net(&p, &at, &st)) {
		count(C_NOT_IP);
		return XDP_PASS;
	}
	if (!(st.flags & GRO_PARSE_F_FRAGMENT))
		parse_inner(&p, &st);
	if (kept_out(&p, &st, bpf_dynptr_size(&p))) {
		st.flags |= GRO_PARSE_F_NO_HOLD;
		count(C_NO_HOLD);
	}
	st.magic = GRO_PARSE_MAGIC;
	st.version = GRO_PARSE_VERSION;

	/* From here on what was sliced is not valid any more. */
	if (bpf_xdp_adjust_meta(ctx, -(int)sizeof(*to))) {
		count(C_NO_ROOM);
		return XDP_PASS;
	}
	to = (void *)(long)ctx->data_meta;
	if ((void *)(to + 1) > (void *)(long)ctx->data)
		return XDP_PASS;
	*to = st;
	count(C_PARSED);
	if (st.encap)
		count(C_TUNNELS);
	return XDP_PASS;
}
