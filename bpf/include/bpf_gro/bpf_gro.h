/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The SDK for authors of GRO policies: the one header to include after vmlinux.h.
 *
 *	#include "vmlinux.h"
 *	#include <bpf_gro/bpf_gro.h>
 */
#ifndef _BPF_GRO_BPF_GRO_H
#define _BPF_GRO_BPF_GRO_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_core_read.h>
#include <bpf_gro/abi.h>
#include <bpf_gro/parse.h>

#if !defined(__clang__) || __clang_major__ < 12
#error "bpf-gro policies need clang 12 or newer: older ones cannot relocate kernel types (CO-RE)"
#endif

/**
 * bpf_gro_header() - header bytes, in place
 * @gro: the packet
 * @off: first byte wanted, counted from the slot's header
 * @rdonly_buf_size: bytes wanted; a constant
 *
 * No copy is made. Readable until the program ends. In complete: the headers of the aggregate.
 *
 * Return: the bytes, or NULL if the packet ends before, or if they are not in reach; then the module brings them
 * into reach and runs receive once more, whatever this run returns. So pass with BPF_GRO_R_TRUNCATED on NULL.
 */
extern const __u8 *bpf_gro_header(struct bpf_gro *gro, __u32 off, const size_t rdonly_buf_size) __ksym;

/**
 * bpf_gro_csum() - validate the transport checksum from the slot's header to the end of the packet
 * @gro: the packet
 * @kind: enum bpf_gro_csum
 *
 * Takes what the device says (CHECKSUM_UNNECESSARY and its level, CHECKSUM_COMPLETE) and sums in software only without
 * it. Does nothing on a packet with BPF_GRO_F_NET_FLUSH: it goes up the stack anyway, which validates it. Call it
 * before bpf_gro_find_held(), at most once. At a UDP slot it may come after: it brings gro->diff up to date, and a packet with a wrong
 * checksum leaves the held one where it is.
 *
 * Return: 0 if the checksum is right, else nonzero: pass the packet with BPF_GRO_R_CHECKSUM.
 */
extern int bpf_gro_csum(struct bpf_gro *gro, __u32 kind) __ksym;

/**
 * bpf_gro_find_held() - find the held packet of this packet's flow, and compare
 * @gro: the packet; set gro->hdr_len before
 * @key: BPF_GRO_RANGE of header bytes that must be equal for a packet to be of the same flow, at most 64 bytes
 * @cmp: BPF_GRO_RANGE of header bytes to compare with the held packet that was found (0: none), or BPF_GRO_REST(off) for all from
 *	there to the end of the header
 * @rdonly_buf_size: bytes of the held packet's header wanted, from the slot's header on; a constant
 *
 * Candidates already agree in device, link-layer header, VLAN, network addresses and protocol. Sets the diff, held_* and
 * chain members of the context. A held packet of an earlier owner of the slot is not returned but flushed.
 *
 * Return: the held packet's header, readable until the program ends; or NULL if there is none.
 */
extern const __u8 *bpf_gro_find_held(struct bpf_gro *gro, __u32 key, __u32 cmp,
				     const size_t rdonly_buf_size) __ksym;

/**
 * bpf_gro_parse_state() - what an XDP program (bpf/xdp_parse.bpf.c) has found out about the packet
 * @gro: packet or aggregate
 * @rdonly_buf_size: sizeof(struct gro_parse_state)
 *
 * Return: the state, readable until the program ends. Its offsets and protocols have been held against the packet. NULL if there is none,
 * or if it is of another version or contradicts the packet. An aggregate has that of its first packet.
 */
extern const __u8 *bpf_gro_parse_state(struct bpf_gro *gro, const size_t rdonly_buf_size) __ksym __weak;

/**
 * bpf_gro_has_socket() - whether an established TCP socket of this host takes the packet
 * @gro: the packet, with the slot at a TCP header
 *
 * The native rule for fraglist: chain what is forwarded, join what is for a socket here.
 *
 * Return: 1 if there is one, 0 if not or if the header is not in reach.
 */
extern int bpf_gro_has_socket(struct bpf_gro *gro) __ksym;

/**
 * bpf_gro_udp_socket() - what the UDP socket that takes the packet asks for, and the device
 * @gro: the packet, at a UDP slot
 *
 * Looks a socket up, which costs as much as the rest of a small policy: ask only where nothing of the flow is held. With
 * BPF_GRO_UDP_TUNNEL or BPF_GRO_UDP_ENCAP return BPF_GRO_NEXT: native code knows what to do.
 *
 * Return: enum bpf_gro_udp bits; 0 if the header is not in reach, or not at a UDP slot.
 */
extern __u32 bpf_gro_udp_socket(struct bpf_gro *gro) __ksym __weak;

/**
 * bpf_gro_is_local() - whether the packet is for this host
 * @gro: the packet
 *
 * Return: 1 if its (innermost) destination is an address of this host or of the device's VRF, multicast or broadcast; 0 if it is to be
 * forwarded.
 */
extern int bpf_gro_is_local(struct bpf_gro *gro) __ksym __weak;

/**
 * bpf_gro_nr_held() - packets that this NAPI context holds now, of all protocols and policies
 * @gro: the packet
 *
 * Return: their number, at most 64.
 */
extern __u32 bpf_gro_nr_held(struct bpf_gro *gro) __ksym __weak;

/**
 * bpf_gro_ifindex() - number of the device that received the packet, to keep state by device
 * @gro: packet or aggregate
 *
 * Return: its index in its network namespace: two devices may have the same.
 */
extern __u32 bpf_gro_ifindex(struct bpf_gro *gro) __ksym __weak;

/**
 * bpf_gro_match_layer() - tell flows apart by header bytes of a tunnel
 * @gro: the packet, at a slot behind which other layers may come
 * @range: BPF_GRO_RANGE of header bytes, at most 64
 *
 * Held packets whose bytes differ are of another tunnel: layers behind this one do not see them. To be called before BPF_GRO_LAYER, once
 * for each range that has to be equal: those that say how long the header is first.
 *
 * Return: 0; or negative, if the packet ends before, or the bytes are not in reach: then the module brings them into reach and runs
 * receive once more. So pass with BPF_GRO_R_TRUNCATED.
 */
extern int bpf_gro_match_layer(struct bpf_gro *gro, __u32 range) __ksym __weak;

/**
 * bpf_gro_finish() - finish an aggregate, in complete
 * @gro: the aggregate
 * @gso: enum bpf_gro_gso bits that tell how to split it again; those of the slot's protocol only
 * @csum_off: offset of the transport checksum in the slot's header, in bytes; 0 for tunnels
 *
 * Sets the pseudo-header checksum, CHECKSUM_PARTIAL, gso_type (the fixed-ID bits included) and gso_segs; a chain is
 * marked as such and keeps its checksums. Call it once.
 *
 * Return: 0, or a negative errno for a split or offset that is not allowed here.
 */
extern int bpf_gro_finish(struct bpf_gro *gro, __u32 gso, __u32 csum_off) __ksym;

/* The verifier takes a kfunc's `void *` for a number, so these return bytes; give them any type here. */
#define bpf_gro_header(gro, off, size)		((const void *)(bpf_gro_header)(gro, off, size))
#define bpf_gro_find_held(gro, key, cmp, size)	((const void *)(bpf_gro_find_held)(gro, key, cmp, size))
#define bpf_gro_parse_state(gro)		\
	((const struct gro_parse_state *)(bpf_gro_parse_state)(gro, sizeof(struct gro_parse_state)))

static __always_inline int bpf_gro_pass(enum bpf_gro_reason why)
{
	return BPF_GRO_RET(BPF_GRO_PASS, why);
}

static __always_inline int bpf_gro_hold(void)
{
	return BPF_GRO_RET(BPF_GRO_HOLD, BPF_GRO_R_NONE);
}

static __always_inline int bpf_gro_join(void)
{
	return BPF_GRO_RET(BPF_GRO_JOIN, BPF_GRO_R_NONE);
}

static __always_inline int bpf_gro_join_flush(enum bpf_gro_reason why)
{
	return BPF_GRO_RET(BPF_GRO_JOIN_FLUSH, why);
}

static __always_inline int bpf_gro_flush_held(enum bpf_gro_reason why)
{
	return BPF_GRO_RET(BPF_GRO_FLUSH_HELD, why);
}

static __always_inline int bpf_gro_next(void)
{
	return BPF_GRO_RET(BPF_GRO_NEXT, BPF_GRO_R_NONE);
}

/* On with what comes behind @hdr_len bytes of header: @ethertype, in network byte order as headers have it. */
static __always_inline int bpf_gro_layer(struct bpf_gro *gro, __u32 hdr_len, __be16 ethertype)
{
	gro->hdr_len = hdr_len;
	gro->next = bpf_ntohs(ethertype);
	return BPF_GRO_RET(BPF_GRO_LAYER, BPF_GRO_R_NONE);
}

/**
 * bpf_gro_diff_reason() - the reason that belongs to the first difference that no policy may overlook
 * @diff: bpf_gro.diff
 *
 * Return: enum bpf_gro_reason, BPF_GRO_R_NONE if there is no such difference.
 */
static __always_inline enum bpf_gro_reason bpf_gro_diff_reason(__u32 diff)
{
	if (diff & BPF_GRO_DIFF_NET_FLUSH)
		return BPF_GRO_R_NET_FLUSH;
	if (diff & BPF_GRO_DIFF_NETWORK)
		return BPF_GRO_R_NETWORK;
	if (diff & BPF_GRO_DIFF_HEADER)
		return BPF_GRO_R_NO_CSUM;
	if (diff & BPF_GRO_DIFF_GSO)
		return BPF_GRO_R_GSO;
	if (diff & BPF_GRO_DIFF_LONG)
		return BPF_GRO_R_LONG;
	if (diff & BPF_GRO_DIFF_CHAIN)
		return BPF_GRO_R_CHAIN;
	if (diff & BPF_GRO_DIFF_LIMIT)
		return BPF_GRO_R_SIZE;
	if (diff & BPF_GRO_DIFF_BUFFER)
		return BPF_GRO_R_BUFFER;
	return BPF_GRO_R_NONE;
}

/*
 * Options: every `const volatile` global of a policy is an option that `groctl attach POLICY -o NAME=VALUE` sets:
 * integers, bool (on/off) and arrays of integers (a list). BPF_GRO_OPTION_HELP gives it a line of help.
 */
#define BPF_GRO_OPTION_HELP(option, text)						\
	const char bpf_gro_help_##option[] SEC(".bpf_gro.help") = text

/* One line for `groctl list`. */
#define BPF_GRO_SUMMARY(text)								\
	const char bpf_gro_summary[] SEC(".bpf_gro.help") = text

#endif /* _BPF_GRO_BPF_GRO_H */
