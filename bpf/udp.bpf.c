// SPDX-License-Identifier: GPL-2.0
/*
 * UDP datagrams of one flow, over IPv4 and IPv6 and behind the native tunnels.
 *
 * Joins: consecutive datagrams of equal length of one flow, 64 at most; a shorter one ends the aggregate. A socket that did not ask for
 * aggregates gets the datagrams that were sent: the kernel splits them again before it.
 * Never joins: datagrams without checksum or with a wrong one, what is for a tunnel's socket (native code looks into it), what goes to
 * SO_REUSEPORT sockets among which a BPF program selects.
 * Does badly: traffic of very many flows of one datagram each, where nothing joins (try adaptive=on); applications whose buffers are
 * smaller than an aggregate (UDP_GRO with 8 KiB: try max_bytes).
 *
 * Options: mode, forward_only, ports, skip_ports, max_segs, max_bytes, min_size, adaptive, max_held.
 */
#include "vmlinux.h"
#include <bpf_gro/bpf_gro.h>

char _license[] SEC("license") = "GPL";

BPF_GRO_SUMMARY("UDP over IPv4 and IPv6: where a socket asked, always, or as chains");

enum udp_mode { native, always, fraglist };

const volatile enum udp_mode mode = native;
BPF_GRO_OPTION_HELP(mode, "native: only where a socket or the device asked; always; fraglist: always, as chains of whole packets");

const volatile bool forward_only;
BPF_GRO_OPTION_HELP(forward_only, "join only what is not for an address of this host");

const volatile __u16 ports[16];
BPF_GRO_OPTION_HELP(ports, "join only flows from or to one of these ports; none: all flows");

const volatile __u16 skip_ports[16];
BPF_GRO_OPTION_HELP(skip_ports, "never join flows from or to one of these ports");

const volatile __u32 max_segs = 64;
BPF_GRO_OPTION_HELP(max_segs, "datagrams per aggregate at most; more than 64 is 64");

const volatile __u32 max_bytes;
BPF_GRO_OPTION_HELP(max_bytes, "payload per aggregate at most; 0: only the device's limits");

const volatile __u32 min_size;
BPF_GRO_OPTION_HELP(min_size, "never join datagrams with less payload than this");

const volatile bool adaptive;
BPF_GRO_OPTION_HELP(adaptive, "per device and CPU: stop holding while it does not pay");

const volatile __u32 max_held;
BPF_GRO_OPTION_HELP(max_held, "hold nothing more while a CPU's queue holds so many packets; 0: the kernel's limit, 64");

#define UDP_PORTS	BPF_GRO_RANGE(0, 4)
#define UDP_SEGS_MAX	64

/*
 * Does holding pay? Counted in rounds of ADAPT_ROUND packets held. In a round in which fewer than one packet was joined for every
 * ADAPT_PAYS held, holding cost more than joining saved: then ADAPT_SKIP packets that could have been held are not, four times
 * as many after each further round that did not pay.
 */
#define ADAPT_ROUND	32
#define ADAPT_PAYS	4
#define ADAPT_SKIP	512
#define ADAPT_SKIP_MAX	32768
#define ADAPT_DEVICES	64	/* devices whose numbers are equal in the last bits share what is learned */

struct learned {
	__u32 held;
	__u32 joined;
	__u32 skip;		/* packets still to be passed unheld */
	__u32 next_skip;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, ADAPT_DEVICES);
	__type(key, __u32);
	__type(value, struct learned);
} learned SEC(".maps");

static __always_inline struct learned *learned_here(struct bpf_gro *gro)
{
	__u32 key = bpf_gro_ifindex(gro) % ADAPT_DEVICES;

	return bpf_map_lookup_elem(&learned, &key);
}

/* A packet could be held. False if it should not be. */
static __always_inline bool holding_pays(struct bpf_gro *gro)
{
	struct learned *l = learned_here(gro);

	if (!l)
		return true;
	if (l->skip) {
		l->skip--;
		return false;
	}
	if (l->held < ADAPT_ROUND) {
		l->held++;
		return true;
	}
	if (l->joined * ADAPT_PAYS < l->held) {
		l->skip = l->next_skip ? l->next_skip : ADAPT_SKIP;
		l->next_skip = l->skip * 4 < ADAPT_SKIP_MAX ? l->skip * 4 : ADAPT_SKIP_MAX;
	} else {
		l->next_skip = 0;
	}
	l->held = 0;
	l->joined = 0;
	return !l->skip;
}

static __always_inline void it_joined(struct bpf_gro *gro)
{
	struct learned *l = adaptive ? learned_here(gro) : NULL;

	if (l)
		l->joined++;
}

static __always_inline bool listed(const volatile __u16 *list, const struct udphdr *uh)
{
	__u16 source = bpf_ntohs(uh->source), dest = bpf_ntohs(uh->dest);
	__u32 i;

	for (i = 0; i < 16 && list[i]; i++)
		if (list[i] == source || list[i] == dest)
			return true;
	return false;
}

/* The options keep this datagram out; NONE if they do not. */
static __always_inline enum bpf_gro_reason filtered(struct bpf_gro *gro, const struct udphdr *uh)
{
	if (min_size && gro->len - sizeof(*uh) < min_size)
		return BPF_GRO_R_FILTERED;
	if (skip_ports[0] && listed(skip_ports, uh))
		return BPF_GRO_R_FILTERED;
	if (ports[0] && !listed(ports, uh))
		return BPF_GRO_R_FILTERED;
	if (max_segs == 1)
		return BPF_GRO_R_SEGS;
	return BPF_GRO_R_NONE;
}

/* No datagram of the flow is held: hold this one, as a chain or not, if anything can come of it. */
static __always_inline int first_datagram(struct bpf_gro *gro, const struct udphdr *uh, __u32 socket, bool chain)
{
	enum bpf_gro_reason why = filtered(gro, uh);

	if (why)
		return bpf_gro_pass(why);
	if (socket & BPF_GRO_UDP_SELECTOR)
		return bpf_gro_pass(BPF_GRO_R_SOCKET);
	if (gro->flags & BPF_GRO_F_GSO)
		return bpf_gro_pass(BPF_GRO_R_GSO);
	if (forward_only && bpf_gro_is_local(gro))
		return bpf_gro_pass(BPF_GRO_R_LOCAL);
	if (max_held && bpf_gro_nr_held(gro) >= max_held)
		return bpf_gro_pass(BPF_GRO_R_HELD_MAX);
	if (adaptive && !holding_pays(gro))
		return bpf_gro_pass(BPF_GRO_R_ADAPTIVE);
	gro->chain = chain;
	return bpf_gro_hold();
}

/* A datagram of the flow is held; the checksum of this one is right. */
static __always_inline int next_datagram(struct bpf_gro *gro, const struct udphdr *uh)
{
	__u32 len = gro->len - sizeof(*uh), limit = max_segs && max_segs < UDP_SEGS_MAX ? max_segs : UDP_SEGS_MAX;

	if (gro->flags & BPF_GRO_F_GSO)
		return bpf_gro_pass(BPF_GRO_R_GSO);
	if (gro->diff)
		return bpf_gro_flush_held(bpf_gro_diff_reason(gro->diff));
	if (gro->held_segs >= limit)
		return bpf_gro_flush_held(BPF_GRO_R_SEGS);
	if (max_bytes && gro->held_len + len > max_bytes)
		return bpf_gro_flush_held(BPF_GRO_R_SIZE);
	it_joined(gro);
	if (len < gro->held_gso_size)
		return bpf_gro_join_flush(BPF_GRO_R_SHORT);
	if (gro->held_segs + 1 == limit)
		return bpf_gro_join_flush(BPF_GRO_R_SEGS);
	return bpf_gro_join();
}

/* The length field says what is there, and it is not nothing. */
static __always_inline bool length_ok(const struct bpf_gro *gro, const struct udphdr *uh)
{
	return gro->len > sizeof(*uh) && bpf_ntohs(uh->len) == gro->len;
}

/* Only where a socket or the device asked. All else goes to native code, and in the order of native code. */
static __always_inline int receive_native(struct bpf_gro *gro, const struct udphdr *uh)
{
	__u32 socket = bpf_gro_udp_socket(gro);
	const struct udphdr *held;
	bool chain;

	if (!length_ok(gro, uh) || !uh->check ||
	    socket & (BPF_GRO_UDP_TUNNEL | BPF_GRO_UDP_ENCAP | BPF_GRO_UDP_INNER))
		return bpf_gro_next();
	chain = gro->flags & BPF_GRO_F_CHAIN_DEV && !(socket & BPF_GRO_UDP_ASKED);
	if (!chain && !(socket & BPF_GRO_UDP_ASKED) &&
	    (socket & BPF_GRO_UDP_SOCKET || !(socket & BPF_GRO_UDP_FORWARD)))
		return bpf_gro_next();

	if (bpf_gro_csum(gro, BPF_GRO_CSUM_UDP))
		return bpf_gro_pass(BPF_GRO_R_CHECKSUM);
	gro->hdr_len = sizeof(*uh);
	held = bpf_gro_find_held(gro, UDP_PORTS, 0, sizeof(*held));
	if (!held)
		return first_datagram(gro, uh, socket, chain);
	/* The socket came, went, or asks for something else since. */
	if (!gro->chain != !chain)
		return bpf_gro_pass(BPF_GRO_R_CHAIN);
	return next_datagram(gro, uh);
}

/* Whatever sockets there are. One is looked for only where nothing of the flow is held. */
static __always_inline int receive_always(struct bpf_gro *gro, const struct udphdr *uh)
{
	const struct udphdr *held;
	__u32 socket = 0;

	gro->hdr_len = sizeof(*uh);
	held = bpf_gro_find_held(gro, UDP_PORTS, 0, sizeof(*held));
	if (!held) {
		socket = bpf_gro_udp_socket(gro);
		if (socket & (BPF_GRO_UDP_TUNNEL | BPF_GRO_UDP_ENCAP | BPF_GRO_UDP_INNER))
			return bpf_gro_next();
	}
	if (gro->len == sizeof(*uh))
		return bpf_gro_pass(BPF_GRO_R_NO_PAYLOAD);
	if (!length_ok(gro, uh))
		return bpf_gro_pass(BPF_GRO_R_BAD_HEADER);
	if (!uh->check)
		return bpf_gro_pass(BPF_GRO_R_NO_CSUM);
	if (bpf_gro_csum(gro, BPF_GRO_CSUM_UDP))
		return bpf_gro_pass(BPF_GRO_R_CHECKSUM);
	if (held)
		return next_datagram(gro, uh);
	/* A socket that asked gets aggregates as it asked for; others get datagrams, which a chain is split into with less work. */
	return first_datagram(gro, uh, socket, !(socket & BPF_GRO_UDP_ASKED) &&
			      (mode == fraglist || gro->flags & BPF_GRO_F_CHAIN_DEV));
}

SEC("struct_ops/udp_receive")
int BPF_PROG(udp_receive, struct bpf_gro *gro, const struct udphdr *uh)
{
	if (gro->avail < sizeof(*uh)) {
		/* If there is one, it is in reach the next time. */
		bpf_gro_header(gro, 0, sizeof(*uh));
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	}
	return mode == native ? receive_native(gro, uh) : receive_always(gro, uh);
}

SEC("struct_ops/udp_complete")
int BPF_PROG(udp_complete, struct bpf_gro *gro)
{
	return bpf_gro_finish(gro, BPF_GRO_GSO_UDP, offsetof(struct udphdr, check));
}

SEC(".struct_ops.link")
struct bpf_gro_ops udp = {
	.receive = (void *)udp_receive,
	.complete = (void *)udp_complete,
	.slots = {
		{ BPF_GRO_SLOT_IP, IPPROTO_UDP },
		{ BPF_GRO_SLOT_IP6, IPPROTO_UDP },
	},
	.name = "udp",
};
