/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Parse state: what an XDP program has found out about a packet's headers, for everything that comes after it. Included by XDP and tc
 * programs, policies, user space and bpf_gro.ko.
 *
 * It lies at the beginning of the packet's metadata area (data_meta), before the metadata of others, and is the same for all packets of
 * a flow. Nobody trusts it: what is not of this version, or contradicts the packet, is as if it were not there.
 */
#ifndef _BPF_GRO_PARSE_H
#define _BPF_GRO_PARSE_H

#if defined(__KERNEL__) || !defined(__bpf__)
#include <linux/types.h>
#endif

#define GRO_PARSE_MAGIC		0x6f7267b6U	/* no length, port or address that is likely there */
#define GRO_PARSE_VERSION	1

/**
 * enum gro_parse_encap - the tunnel that the headers of the state are in
 * @GRO_PARSE_NO_TUNNEL:	none: they are the outermost
 * @GRO_PARSE_IPIP:	IPv4 or IPv6 in IPv4 or IPv6
 * @GRO_PARSE_GRE:	GRE
 * @GRO_PARSE_UDP:	a tunnel over UDP
 */
enum gro_parse_encap {
	GRO_PARSE_NO_TUNNEL = 0,
	GRO_PARSE_IPIP = 1,
	GRO_PARSE_GRE = 2,
	GRO_PARSE_UDP = 3,
	__GRO_PARSE_ENCAP_MAX,
};

enum gro_parse_flags {
	GRO_PARSE_F_NO_HOLD	= 1U << 0,	/* keep the packet out of GRO; what is held of its flow leaves first */
	GRO_PARSE_F_FRAGMENT	= 1U << 1,	/* a fragment: only the first has the transport header */
};

#define GRO_PARSE_FLAGS		(GRO_PARSE_F_NO_HOLD | GRO_PARSE_F_FRAGMENT)

/**
 * struct gro_parse_state - the innermost headers that the parser looked at
 * @magic:	GRO_PARSE_MAGIC
 * @version:	GRO_PARSE_VERSION; another one has another layout
 * @flags:	enum gro_parse_flags; states with others are ignored
 * @encap:	enum gro_parse_encap
 * @proto:	transport protocol, behind extension headers
 * @net_proto:	0x0800 or 0x86dd
 * @net_off:	network header
 * @trans_off:	transport header
 * @proto_off:	the byte that names @proto: in the network header, or in the last extension header
 *
 * Integers in host byte order, offsets in bytes from the start of the frame.
 */
struct gro_parse_state {
	__u32 magic;
	__u8 version;
	__u8 flags;
	__u8 encap;
	__u8 proto;
	__u16 net_proto;
	__u16 net_off;
	__u16 trans_off;
	__u16 proto_off;
};

#ifdef __bpf__
/**
 * gro_parse_find() - the parse state of a packet, in an XDP or tc program
 * @data_meta: ctx->data_meta
 * @data: ctx->data
 *
 * Offsets have still to be checked against the packet before they are used, as the verifier demands anyway.
 *
 * Return: the state, or NULL if the packet has none of this version.
 */
static inline __attribute__((always_inline)) const struct gro_parse_state *gro_parse_find(const void *data_meta, const void *data)
{
	const struct gro_parse_state *st = data_meta;

	if ((const void *)(st + 1) > data || st->magic != GRO_PARSE_MAGIC || st->version != GRO_PARSE_VERSION)
		return 0;
	return st;
}
#endif

#endif /* _BPF_GRO_PARSE_H */
