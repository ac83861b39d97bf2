// SPDX-License-Identifier: GPL-2.0
/*
 * TCP, as native GRO joins it, over IPv4 and IPv6 and behind the native tunnels.
 *
 * Joins: consecutive segments of one flow with the same ack, flags and options, up to the device's size limit; FIN and PSH
 * end an aggregate, as does a segment shorter than the first.
 * Never joins: SYN, RST, URG, pure ACKs, wrong checksums, segments whose options or network headers differ.
 * Does badly: traffic that sets PSH on every segment (try flush_on_psh=off), many flows in one bucket without a hash.
 *
 * Options: max_segs, ports, skip_ports, flush_on_psh.
 */
#include "vmlinux.h"
#include <bpf_gro/bpf_gro.h>

char _license[] SEC("license") = "GPL";

BPF_GRO_SUMMARY("TCP over IPv4 and IPv6, as native GRO, with options");

const volatile __u32 max_segs;
BPF_GRO_OPTION_HELP(max_segs, "segments per aggregate at most; 0: only the device's limits");

const volatile __u16 ports[16];
BPF_GRO_OPTION_HELP(ports, "join only flows from or to one of these ports; none: all flows");

const volatile __u16 skip_ports[16];
BPF_GRO_OPTION_HELP(skip_ports, "never join flows from or to one of these ports");

const volatile bool flush_on_psh = true;
BPF_GRO_OPTION_HELP(flush_on_psh, "end the aggregate at a segment with PSH, as native GRO does");

/* tcphdr bytes 12..15 in network byte order: data offset, flags, window */
#define TCP_FLAG_WORD(th)	(*(const __be32 *)((const __u8 *)(th) + 12))
#define TCP_FLAG_WORD_OFF	12

#define TCP_FIN			bpf_htonl(0x00010000)
#define TCP_SYN			bpf_htonl(0x00020000)
#define TCP_RST			bpf_htonl(0x00040000)
#define TCP_PSH			bpf_htonl(0x00080000)
#define TCP_URG			bpf_htonl(0x00200000)
#define TCP_CWR			bpf_htonl(0x00800000)

#define TCP_SLOW		(TCP_FIN | TCP_SYN | TCP_RST | TCP_PSH | TCP_URG | TCP_CWR)

#define TCP_PORTS		BPF_GRO_RANGE(0, 4)

static __always_inline bool listed(const volatile __u16 *list, __u32 n, const struct tcphdr *th)
{
	__u16 source = bpf_ntohs(th->source), dest = bpf_ntohs(th->dest);
	__u32 i;

	for (i = 0; i < n && list[i]; i++)
		if (list[i] == source || list[i] == dest)
			return true;
	return false;
}

static __always_inline bool filtered(const struct tcphdr *th)
{
	if (skip_ports[0] && listed(skip_ports, 16, th))
		return true;
	return ports[0] && !listed(ports, 16, th);
}

/* The packet ends what is held and does not start an aggregate itself; NONE if it may. */
static __always_inline enum bpf_gro_reason ends_flow(const struct bpf_gro *gro, __be32 flags, __u32 len)
{
	if ((gro->flags & BPF_GRO_F_GSO) && len != gro->gso_segs * gro->gso_size)
		return BPF_GRO_R_SHORT;
	if (flags & (TCP_SYN | TCP_RST | TCP_URG))
		return BPF_GRO_R_CONTROL;
	if (flags & TCP_FIN)
		return BPF_GRO_R_FIN;
	if ((flags & TCP_PSH) && flush_on_psh)
		return BPF_GRO_R_PUSH;
	return BPF_GRO_R_NONE;
}

/* What joining th to the held segment speaks against, apart from what the module found; NONE if nothing. */
static __always_inline enum bpf_gro_reason differs(const struct bpf_gro *gro, const struct tcphdr *th,
						   const struct tcphdr *held)
{
	__be32 flags = TCP_FLAG_WORD(th), may_differ = TCP_FIN | TCP_PSH;

	/* Before AccECN the kernel gave CWR to the first segment only when it split an aggregate. */
	if (!(gro->flags & BPF_GRO_F_CWR_EQUAL))
		may_differ |= TCP_CWR;
	if (gro->chain)
		may_differ = 0;	/* a chain is split by pointer: its headers stay as they are */
	if (bpf_ntohl(held->seq) + gro->held_len != bpf_ntohl(th->seq))
		return BPF_GRO_R_SEQUENCE;
	if ((flags ^ TCP_FLAG_WORD(held)) & ~may_differ)
		return BPF_GRO_R_FLAGS;
	if (th->ack_seq != held->ack_seq)
		return BPF_GRO_R_ACK;
	if (gro->diff) {
		if (gro->diff & BPF_GRO_DIFF_RANGE)
			return BPF_GRO_R_OPTIONS;
		return bpf_gro_diff_reason(gro->diff);
	}
	if ((flags & TCP_CWR) && !(gro->flags & BPF_GRO_F_CWR_EQUAL))
		return BPF_GRO_R_FLAGS;
	return BPF_GRO_R_NONE;
}

/* No packet of the flow is held: start an aggregate, if the segment may. */
static __always_inline int first_segment(struct bpf_gro *gro, const struct tcphdr *th, __be32 flags, __u32 len)
{
	enum bpf_gro_reason ends = ends_flow(gro, flags, len);

	if (ends)
		return bpf_gro_pass(ends);
	if (!len)
		return bpf_gro_pass(BPF_GRO_R_NO_PAYLOAD);
	if (filtered(th))
		return bpf_gro_pass(BPF_GRO_R_FILTERED);
	if (gro->flags & BPF_GRO_F_CHAIN_DEV)
		gro->chain = !(gro->flags & BPF_GRO_F_GSO) && !bpf_gro_has_socket(gro);
	return bpf_gro_hold();
}

/* Whatever is not the plain next segment. */
static __always_inline int odd_segment(struct bpf_gro *gro, const struct tcphdr *th, const struct tcphdr *held,
				       __be32 flags, __u32 len)
{
	enum bpf_gro_reason why = differs(gro, th, held), ends = ends_flow(gro, flags, len);
	__u32 segs = gro->flags & BPF_GRO_F_GSO ? gro->gso_segs : 1;

	if (!len)
		return bpf_gro_pass(ends ? ends : BPF_GRO_R_NO_PAYLOAD);
	if (!why && max_segs && gro->held_segs + segs > max_segs)
		why = BPF_GRO_R_SEGS;
	if (why)
		return ends ? bpf_gro_pass(ends) : bpf_gro_flush_held(why);

	gro->merge_or = flags & (TCP_FIN | TCP_PSH);
	gro->merge_off = TCP_FLAG_WORD_OFF;
	if (ends)
		return bpf_gro_join_flush(ends);
	if (!(gro->flags & BPF_GRO_F_GSO) && len < gro->held_gso_size)
		return bpf_gro_join_flush(BPF_GRO_R_SHORT);
	return bpf_gro_join();
}

/* Everything but the plain next segment. */
static __noinline int any_segment(struct bpf_gro *gro, const struct tcphdr *th, const struct tcphdr *held)
{
	__u32 thlen = th->doff * 4, len = gro->len - thlen;
	__be32 flags = TCP_FLAG_WORD(th);

	if (thlen < sizeof(*th))
		return bpf_gro_pass(BPF_GRO_R_BAD_HEADER);
	if (thlen > gro->len)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	gro->hdr_len = thlen;
	return held ? odd_segment(gro, th, held, flags, len) : first_segment(gro, th, flags, len);
}

SEC("struct_ops/tcp_receive")
int BPF_PROG(tcp_receive, struct bpf_gro *gro, const struct tcphdr *th, const struct tcphdr *held)
{
	__u32 thlen;

	if (gro->avail < sizeof(*th))
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	if (!held)
		return any_segment(gro, th, NULL);

	/* Nearly every segment of a bulk flow: the next bytes, nothing differs, nothing ends. */
	thlen = th->doff * 4;
	if (((gro->len - thlen) ^ gro->held_gso_size) | gro->diff | (TCP_FLAG_WORD(th) ^ TCP_FLAG_WORD(held)) |
	    (TCP_FLAG_WORD(th) & TCP_SLOW) | (th->ack_seq ^ held->ack_seq) |
	    (bpf_ntohl(held->seq) + gro->held_len - bpf_ntohl(th->seq)))
		return any_segment(gro, th, held);
	if (max_segs && gro->held_segs >= max_segs)
		return any_segment(gro, th, held);
	gro->hdr_len = thlen;
	return bpf_gro_join();
}

SEC("struct_ops/tcp_complete")
int BPF_PROG(tcp_complete, struct bpf_gro *gro)
{
	const struct tcphdr *th = bpf_gro_header(gro, 0, sizeof(*th));
	__u32 gso = BPF_GRO_GSO_TCP;

	if (th && th->cwr)
		gso |= BPF_GRO_GSO_TCP_CWR;
	return bpf_gro_finish(gro, gso, offsetof(struct tcphdr, check));
}

SEC(".struct_ops.link")
struct bpf_gro_ops tcp = {
	.receive = (void *)tcp_receive,
	.complete = (void *)tcp_complete,
	.flags = BPF_GRO_OPS_CSUM,
	.key = TCP_PORTS,
	.compare = BPF_GRO_REST(sizeof(struct tcphdr)),
	.slots = {
		{ BPF_GRO_SLOT_IP, IPPROTO_TCP },
		{ BPF_GRO_SLOT_IP6, IPPROTO_TCP },
	},
	.name = "tcp",
};
