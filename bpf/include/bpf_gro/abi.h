/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The contract between bpf_gro.ko, BPF policies and user space: one file, included by all three.
 *
 * Sections: slots and verdicts, reasons, violations, the context a policy sees, the struct_ops type, and what
 * the status kfuncs report. Everything here is only ever appended to; BPF_GRO_ABI counts the appendings.
 */
#ifndef _BPF_GRO_ABI_H
#define _BPF_GRO_ABI_H

#ifdef __KERNEL__
#include <linux/types.h>
#elif !defined(__bpf__)
#include <linux/types.h>
#include <stdint.h>
#endif

#define BPF_GRO_ABI		4

/* In BPF every access to the context is relocated against the running module's BTF. */
#ifdef __bpf__
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
#endif

#define BPF_GRO_NAME_LEN	32	/* policy name, with its final zero */
#define BPF_GRO_SLOTS_MAX	8	/* slots one policy may own */
#define BPF_GRO_DEVICES_LEN	512	/* "eth0 eth1", with its final zero */
#define BPF_GRO_MSG_LEN		160	/* a refusal or ejection in words */

/**
 * enum bpf_gro_slot_kind - places in the receive path where a policy can sit
 * @BPF_GRO_SLOT_NONE:	unused entry of the slot list
 * @BPF_GRO_SLOT_IP:	IPv4 protocol, also behind inner IPv4 headers; id is the protocol number
 * @BPF_GRO_SLOT_IP6:	IPv6 next header after extension headers, also inner; id is the protocol number
 */
enum bpf_gro_slot_kind {
	BPF_GRO_SLOT_NONE = 0,
	BPF_GRO_SLOT_IP = 1,
	BPF_GRO_SLOT_IP6 = 2,
	__BPF_GRO_SLOT_MAX,
};

/**
 * struct bpf_gro_slot - one place that a policy asks for
 * @kind:	enum bpf_gro_slot_kind
 * @id:		protocol number, host byte order
 */
struct bpf_gro_slot {
	__u16 kind;
	__u16 id;
};

/**
 * enum bpf_gro_verdict - what receive wants done with the packet
 * @BPF_GRO_PASS:	up the stack now; a held packet that was found leaves before it
 * @BPF_GRO_HOLD:	no held packet was found: hold this one
 * @BPF_GRO_JOIN:	join to the held packet that was found
 * @BPF_GRO_JOIN_FLUSH:	join, and the aggregate is finished
 * @BPF_GRO_FLUSH_HELD:	the held packet that was found leaves, this one is held in its place
 * @BPF_GRO_NEXT:	not mine: the slot's native handler decides
 * @BPF_GRO_LAYER:	the header of a tunnel, bpf_gro.hdr_len bytes: on with the layer that bpf_gro.next names
 *
 * The module carries a verdict out after the program has ended, and keeps the order of a flow whatever the
 * verdict. HOLD, JOIN, JOIN_FLUSH, FLUSH_HELD and LAYER need bpf_gro.hdr_len to be set.
 * LAYER: at slots of GRE, after bpf_gro_match_layer() has told the tunnels apart; packets inside tunnels of their own pass.
 */
enum bpf_gro_verdict {
	BPF_GRO_PASS = 0,
	BPF_GRO_HOLD = 1,
	BPF_GRO_JOIN = 2,
	BPF_GRO_JOIN_FLUSH = 3,
	BPF_GRO_FLUSH_HELD = 4,
	BPF_GRO_NEXT = 5,
	BPF_GRO_LAYER = 6,
	__BPF_GRO_VERDICT_MAX,
};

/* What receive returns: the verdict in the low byte, the reason in the next. */
#define BPF_GRO_RET(verdict, reason)	((int)(verdict) | (int)(reason) << 8)
#define BPF_GRO_RET_VERDICT(ret)	((__u32)(ret) & 0xff)
#define BPF_GRO_RET_REASON(ret)		(((__u32)(ret) >> 8) & 0xff)

/*
 * Why a packet was not joined, or why its aggregate ended. X(NAME, "name as users read it", "one sentence").
 * The first four of these (TRUNCATED to CHECKSUM) are malformed packets: only they may pass without a look
 * for the held packet of their flow.
 */
#define BPF_GRO_REASONS(X)								\
	X(NONE,		"none",		"no reason given")				\
	X(TRUNCATED,	"truncated",	"the packet ends inside a header")		\
	X(BAD_HEADER,	"bad-header",	"a header contradicts itself")			\
	X(CHECKSUM,	"checksum",	"the transport checksum is wrong")		\
	X(NO_PAYLOAD,	"no-payload",	"nothing to join: a pure ACK or an empty packet") \
	X(CONTROL,	"control",	"SYN, RST, URG or another control packet")	\
	X(PUSH,		"push",		"the sender asked for delivery (PSH)")		\
	X(FIN,		"fin",		"the flow ends (FIN)")				\
	X(SHORT,	"short",	"shorter than the segments before: the last of a burst") \
	X(LONG,		"long",		"longer than the segments before")		\
	X(SEQUENCE,	"sequence",	"not the next bytes of the flow")		\
	X(ACK,		"ack",		"the acknowledgement number differs")		\
	X(FLAGS,	"flags",	"header flags differ")				\
	X(OPTIONS,	"options",	"header options differ")			\
	X(NETWORK,	"network",	"TTL, TOS, DF, IP ID, traffic class or hop limit differ") \
	X(NET_FLUSH,	"net-flush",	"an outer layer said not to hold: length, fragment, IP ID") \
	X(SIZE,		"size",		"the aggregate would pass the device's size limit") \
	X(SEGS,		"segs",		"the aggregate has its number of segments")	\
	X(BUFFER,	"buffer",	"page pool, zero-copy or decrypted state differ")	\
	X(GEOMETRY,	"geometry",	"the buffer's layout could not be split again")	\
	X(GSO,		"gso",		"arrived as GSO with another or an uneven segment size") \
	X(CHAIN,	"chain",	"fraglist rules: checksum state differs or 64 packets chained") \
	X(FOREIGN,	"foreign",	"the held packet belongs to an earlier owner of the slot") \
	X(FILTERED,	"filtered",	"the policy's options keep this flow out")	\
	X(POLICY,	"policy",	"a rule of the policy's own")			\
	X(RECURSION,	"recursion",	"too many layers")				\
	X(NOMEM,	"nomem",	"no memory to bring headers into reach")	\
	X(NO_CSUM,	"no-checksum",	"UDP without checksum: splitting it again would write one") \
	X(SOCKET,	"socket",	"the socket that takes it has to see each packet by itself") \
	X(LOCAL,	"local",	"for this host, and the policy joins only what is forwarded") \
	X(ADAPTIVE,	"adaptive",	"holding packets did not pay here lately")	\
	X(HELD_MAX,	"held-max",	"as many packets are held as the policy allows") \
	X(NO_LAYER,	"no-layer",	"GRO knows nothing of what comes behind this header") \
	X(METADATA,	"metadata",	"XDP metadata differs from that of the held packet") \
	X(NO_HOLD,	"no-hold",	"an XDP program keeps the packet out of GRO")

enum bpf_gro_reason {
#define BPF_GRO_X(name, str, text)	BPF_GRO_R_##name,
	BPF_GRO_REASONS(BPF_GRO_X)
#undef BPF_GRO_X
	__BPF_GRO_R_MAX,
};

#define BPF_GRO_REASONS_MAX	64	/* room in the counters */

/*
 * Breaches of the contract: the policy is taken off its slots and traffic goes on natively.
 * X(NAME, "name as users read it", "one sentence").
 */
#define BPF_GRO_VIOLATIONS(X)								\
	X(NONE,		"none",		"no violation")					\
	X(VERDICT,	"verdict",	"receive returned a verdict that does not exist") \
	X(REASON,	"reason",	"receive returned a reason that does not exist") \
	X(NO_LOOKUP,	"no-lookup",	"a packet was held or passed without looking for the held packet of its flow") \
	X(NOT_FOUND,	"not-found",	"a join or flush without a held packet that was found") \
	X(ORDER,	"order",	"a packet was to be held beside the held packet of its own flow") \
	X(LIMIT,	"limit",	"a join past the limits that the module reported") \
	X(REFUSED,	"refused",	"a join of packets that the module reported as not joinable") \
	X(HDR_LEN,	"hdr-len",	"hdr_len is not set, lies outside the packet or is not the held packet's") \
	X(LENGTH,	"length",	"segment lengths do not add up: they could not be split again") \
	X(MERGE,	"merge",	"merge_off lies outside the header")		\
	X(SLOW,		"slow",		"receive took far too long, again and again")	\
	X(COMPLETE,	"complete",	"complete did not finish the aggregate or asked for a wrong gso_type") \
	X(CSUM,		"csum",		"a packet was to be held whose checksum nobody has validated") \
	X(SLOT,		"slot",		"a packet was to be held at a slot whose protocol only carries others")

enum bpf_gro_violation {
#define BPF_GRO_X(name, str, text)	BPF_GRO_V_##name,
	BPF_GRO_VIOLATIONS(BPF_GRO_X)
#undef BPF_GRO_X
	__BPF_GRO_V_MAX,
};

/* bpf_gro.flags: facts about the packet, set by the module. */
enum bpf_gro_flags {
	BPF_GRO_F_IP6		= 1U << 0,	/* the innermost network header is IPv6 */
	BPF_GRO_F_ENCAP		= 1U << 1,	/* behind an IP tunnel header */
	BPF_GRO_F_GSO		= 1U << 2,	/* arrived as GSO (LRO, HW-GRO): gso_size and gso_segs are set */
	BPF_GRO_F_NET_FLUSH	= 1U << 3,	/* an outer layer forbids holding and joining */
	BPF_GRO_F_CHAIN_DEV	= 1U << 4,	/* the device asks for fraglist (rx-gro-list) */
	BPF_GRO_F_CHAIN_ONLY	= 1U << 5,	/* nothing can split this protocol: joins chain whole packets */
	BPF_GRO_F_CWR_EQUAL	= 1U << 6,	/* this kernel's TCP splitting repeats CWR: equal CWR may join */
	BPF_GRO_F_COMPLETE	= 1U << 7,	/* this is complete, not receive */
	BPF_GRO_F_OUTER		= 1U << 8,	/* other layers may come behind: the slots of UDP, GRE, IPIP and IPV6 */
	BPF_GRO_F_CHAIN_OK	= 1U << 9,	/* the policy may chain whatever the device asks for: the slots of UDP */
};

/* bpf_gro.diff: how the packet differs from the held one that was found. */
enum bpf_gro_diff {
	BPF_GRO_DIFF_RANGE	= 1U << 0,	/* the bytes given as cmp differ */
	BPF_GRO_DIFF_NETWORK	= 1U << 1,	/* see BPF_GRO_R_NETWORK; never join */
	BPF_GRO_DIFF_LIMIT	= 1U << 2,	/* too long together; never join */
	BPF_GRO_DIFF_BUFFER	= 1U << 3,	/* see BPF_GRO_R_BUFFER; never join */
	BPF_GRO_DIFF_NET_FLUSH	= 1U << 4,	/* see BPF_GRO_R_NET_FLUSH; never join */
	BPF_GRO_DIFF_CHAIN	= 1U << 5,	/* see BPF_GRO_R_CHAIN; never join */
	BPF_GRO_DIFF_GSO	= 1U << 6,	/* GSO packet with another gso_size; never join */
	BPF_GRO_DIFF_LONG	= 1U << 7,	/* not GSO, and longer than the held one's segments; never join */
	BPF_GRO_DIFF_HEADER	= 1U << 8,	/* UDP: no checksum, none validated yet, other ports, wrong length; never join */
};

/* The differences that no policy may overlook. */
#define BPF_GRO_DIFF_NEVER	(BPF_GRO_DIFF_NETWORK | BPF_GRO_DIFF_LIMIT | BPF_GRO_DIFF_BUFFER | \
				 BPF_GRO_DIFF_NET_FLUSH | BPF_GRO_DIFF_CHAIN | BPF_GRO_DIFF_GSO | \
				 BPF_GRO_DIFF_LONG | BPF_GRO_DIFF_HEADER)

/* A range of header bytes, counted from the slot's header: bpf_gro_ops.key and compare, arguments of bpf_gro_find_held(). */
#define BPF_GRO_RANGE(off, len)	((__u32)(off) << 16 | (__u32)(len))
#define BPF_GRO_RANGE_OFF(r)	((__u32)(r) >> 16)
#define BPF_GRO_RANGE_LEN(r)	((__u32)(r) & 0xffff)
#define BPF_GRO_KEY_MAX		64	/* bytes that a key may have */
#define BPF_GRO_KEY_OFF_MAX	256	/* and where it may begin */
/* From @off to the end of the header, which must be as long as the held packet's. */
#define BPF_GRO_REST_LEN	0xffff
#define BPF_GRO_REST(off)	BPF_GRO_RANGE(off, BPF_GRO_REST_LEN)

/* Argument of bpf_gro_finish(): how the aggregate is split again. The module knows the kernel's own bits for it. */
enum bpf_gro_gso {
	BPF_GRO_GSO_CHAIN	= 0,		/* by the kernel's fraglist splitting; needs a chain */
	BPF_GRO_GSO_TCP		= 1U << 0,	/* as TCP of the aggregate's family */
	BPF_GRO_GSO_TCP_CWR	= 1U << 1,	/* the segments carry CWR */
	BPF_GRO_GSO_UDP		= 1U << 2,	/* as datagrams; a chain is split as such */
	BPF_GRO_GSO_GRE		= 1U << 3,	/* as GRE, and what is inside as its own layers say */
	BPF_GRO_GSO_GRE_CSUM	= 1U << 4,	/* each with a checksum of its own in the GRE header */
};

/* Result of bpf_gro_udp_socket(). */
enum bpf_gro_udp {
	BPF_GRO_UDP_SOCKET	= 1U << 0,	/* a socket of this host takes the packet */
	BPF_GRO_UDP_ASKED	= 1U << 1,	/* it asked for aggregates (UDP_GRO) */
	BPF_GRO_UDP_TUNNEL	= 1U << 2,	/* it is a tunnel's with GRO of its own (VXLAN, Geneve, FoU, ESP in UDP) */
	BPF_GRO_UDP_ENCAP	= 1U << 3,	/* it is a tunnel's without (L2TP, WireGuard) */
	BPF_GRO_UDP_SELECTOR	= 1U << 4,	/* a BPF program selects among SO_REUSEPORT sockets, packet by packet */
	BPF_GRO_UDP_FORWARD	= 1U << 5,	/* the device asks for joining what is forwarded (rx-udp-gro-forwarding) */
	BPF_GRO_UDP_INNER	= 1U << 6,	/* the packet arrived as a tunnel's that this host built: never joined */
};

/* bpf_gro_ops.flags */
enum bpf_gro_ops_flags {
	/*
	 * The module validates the Internet checksum with pseudo header over the slot's header and payload before receive runs;
	 * a packet with a wrong one is passed with BPF_GRO_R_CHECKSUM and receive does not see it. Cheaper than
	 * bpf_gro_csum(). Such a policy cannot return BPF_GRO_NEXT.
	 */
	BPF_GRO_OPS_CSUM	= 1U << 0,
};

#define BPF_GRO_OPS_FLAGS	BPF_GRO_OPS_CSUM

/**
 * enum bpf_gro_metadata - bpf_gro_ops.metadata: what becomes of XDP metadata that differs within a flow
 * @BPF_GRO_METADATA_EXACT:	nothing joins across a difference; the held packet leaves first
 * @BPF_GRO_METADATA_KEEP_FIRST: packets join, the aggregate has the metadata of the first
 * @BPF_GRO_METADATA_IGNORE:	packets join, an aggregate whose packets differed has no metadata
 *
 * Behind a tunnel header metadata that differs keeps packets apart in every mode. Whatever the mode, the order of the flow stays.
 */
enum bpf_gro_metadata {
	BPF_GRO_METADATA_EXACT = 0,
	BPF_GRO_METADATA_KEEP_FIRST = 1,
	BPF_GRO_METADATA_IGNORE = 2,
	__BPF_GRO_METADATA_MAX,
};

/* Argument of bpf_gro_csum(). */
enum bpf_gro_csum {
	BPF_GRO_CSUM_PSEUDO	= 0,	/* Internet checksum with the pseudo header of the packet's family */
	BPF_GRO_CSUM_PLAIN	= 1,	/* Internet checksum without pseudo header */
	BPF_GRO_CSUM_UDP	= 2,	/* UDP's: as PSEUDO, and right if the header has none (0) */
};

/**
 * struct bpf_gro - the packet as receive sees it, or the aggregate as complete sees it
 * @offset:	bytes from the network header that GRO started with to the slot's header
 * @len:	bytes from the slot's header to the end of the packet
 * @flags:	enum bpf_gro_flags
 * @proto:	protocol number of the slot
 * @gso_size:	with BPF_GRO_F_GSO: payload bytes per segment; in complete: of the aggregate
 * @gso_segs:	with BPF_GRO_F_GSO: segments, 0 if the driver does not say; in complete: of the aggregate
 * @held_len:	once the held packet is found: payload bytes of the held packet, from its own hdr_len on
 * @held_segs:	once the held packet is found: segments joined so far
 * @held_gso_size: once the held packet is found: payload bytes of its first segment
 * @diff:	once the held packet is found: enum bpf_gro_diff
 * @hdr_len:	written by receive: bytes of the slot's header; the payload starts behind them
 * @merge_or:	written by receive: 32 bits, network byte order, that a successful join ORs into the held header
 * @chain:	once the held packet is found: the held packet is a chain. Written by receive before BPF_GRO_HOLD with
 *		BPF_GRO_F_CHAIN_DEV or BPF_GRO_F_CHAIN_OK: start a chain (fraglist)
 * @merge_off:	written by receive: where, in bytes from the slot's header; below the first packet's hdr_len
 * @avail:	bytes of the slot's header and what follows that are in reach: at least those of key and compare, if the packet has them
 * @next:	written by receive with BPF_GRO_LAYER: ethertype of what comes behind the header
 *
 * All integers are in host byte order unless said. Valid during one call only. Softirq context, RCU read side.
 */
struct bpf_gro {
	__u32 offset;
	__u32 len;
	__u32 flags;
	__u32 proto;
	__u32 gso_size;
	__u32 gso_segs;
	__u32 held_len;
	__u32 held_segs;
	__u32 held_gso_size;
	__u32 diff;
	__u32 hdr_len;
	__u32 merge_or;
	__u32 chain;
	__u32 merge_off;
	__u32 avail;
	__u32 next;
};

#define BPF_GRO_HDR_MAX		128	/* bytes of a header that can be read without a kfunc */

/**
 * struct bpf_gro_hdr - header bytes, in place: give the argument the type of the protocol's header
 * @bytes:	as many as bpf_gro.avail says are the packet's, those behind have no meaning
 */
struct bpf_gro_hdr {
	__u8 bytes[BPF_GRO_HDR_MAX];
};

/**
 * struct bpf_gro_ops - a policy
 * @receive:	once per packet of the slot. Returns BPF_GRO_RET(verdict, reason). hdr is the slot's header; held__nullable, with @key,
 *		that of the held packet of the flow, which has at least the bytes of @key and @compare; else NULL. Both are read only.
 *		May call the kfuncs of bpf_gro.h but bpf_gro_finish(). Runs a second time for the same
 *		packet when header bytes had to be brought into reach first: those that bpf_gro_header() was asked for, or hdr_len
 * @complete:	once per aggregate of two segments or more. Must call bpf_gro_finish() and return its result. May call
 *		bpf_gro_header(). Not called when the policy is gone by then: the module finishes the aggregate itself.
 * @flags:	enum bpf_gro_ops_flags; a bit that the module does not know is refused
 * @slots:	where the policy sits; at least one, packed from the front
 * @devices:	names of devices in the network namespace of the registering task, apart by a space or comma; empty: every
 *		device that no other policy names
 * @name:	letters, digits, '_', '-' and '.'
 * @key:	BPF_GRO_RANGE of header bytes, at most BPF_GRO_KEY_MAX, that tell flows apart. The module then looks for the held packet
 *		before receive runs, which is cheaper than bpf_gro_find_held(). A packet that ends before these bytes, or before those
 *		of compare, is not looked up: receive can only pass it as malformed. Such a
 *		policy cannot return BPF_GRO_NEXT. 0: receive looks for itself
 * @compare:	with a key: BPF_GRO_RANGE of header bytes to compare with the held packet, BPF_GRO_REST for all from there to the
 *		end of the held packet's header; BPF_GRO_DIFF_RANGE says that they differ. 0: none
 * @metadata:	enum bpf_gro_metadata
 *
 * The packet belongs to the module throughout. Softirq context, RCU read side; no sleeping.
 */
struct bpf_gro_ops {
	int (*receive)(struct bpf_gro *gro, const struct bpf_gro_hdr *hdr, const struct bpf_gro_hdr *held__nullable);
	int (*complete)(struct bpf_gro *gro);
	__u64 flags;
	struct bpf_gro_slot slots[BPF_GRO_SLOTS_MAX];
	char devices[BPF_GRO_DEVICES_LEN];
	char name[BPF_GRO_NAME_LEN];
	__u32 key;
	__u32 compare;
	__u32 metadata;
};

/* Status: read through the kfuncs bpf_gro_status_*() by a BPF_PROG_TYPE_SYSCALL program. */

enum bpf_gro_module_flags {
	BPF_GRO_MOD_HOOKED	= 1U << 0,	/* the self-test passed: policies can be attached */
	BPF_GRO_MOD_DIRECT_CALL	= 1U << 1,	/* programs are called without a trampoline */
};

/**
 * struct bpf_gro_module_status - the module itself
 * @abi:	BPF_GRO_ABI of the module
 * @flags:	enum bpf_gro_module_flags
 * @policies:	policies registered, ejected ones included
 * @reserved:	0
 * @refusals:	registrations refused since load
 * @message:	the self-test's failure if not hooked, else the last refusal, in words
 */
struct bpf_gro_module_status {
	__u32 abi;
	__u32 flags;
	__u32 policies;
	__u32 reserved;
	__u64 refusals;
	char message[BPF_GRO_MSG_LEN];
};

enum bpf_gro_policy_state {
	BPF_GRO_STATE_ACTIVE	= 0,
	BPF_GRO_STATE_EJECTED	= 1,
};

/**
 * struct bpf_gro_policy_status - one policy
 * @id:		counts registrations since the module was loaded; never used twice
 * @link_id:	id of its BPF link, 0 if it was registered without one
 * @state:	enum bpf_gro_policy_state
 * @violation:	enum bpf_gro_violation that ejected it
 * @netns_cookie: network namespace in which the device names hold
 * @netns_inum:	the same as the inode number of /proc/PID/ns/net
 * @devices_now: devices of the list that exist now (0 with an empty list)
 * @slots:	as registered
 * @devices:	as registered, kept up to date when a device is renamed
 * @name:	as registered
 * @message:	the ejection in words
 * @metadata:	as registered
 * @reserved:	0
 */
struct bpf_gro_policy_status {
	__u32 id;
	__u32 link_id;
	__u32 state;
	__u32 violation;
	__u64 netns_cookie;
	__u32 netns_inum;
	__u32 devices_now;
	struct bpf_gro_slot slots[BPF_GRO_SLOTS_MAX];
	char devices[BPF_GRO_DEVICES_LEN];
	char name[BPF_GRO_NAME_LEN];
	char message[BPF_GRO_MSG_LEN];
	__u32 metadata;
	__u32 reserved;
};

#define BPF_GRO_HIST_BUCKETS	16	/* aggregates of 1, 2-3, 4-7, 8-15 … segments */

/**
 * struct bpf_gro_stats - counters of one policy at one slot of one device, on all CPUs or on one
 * @policy_id:	policy they belong to
 * @slot:	slot
 * @ifindex:	device, 0 for all devices that the policy does not name
 * @device:	its name now, empty for all
 * @packets:	packets that receive saw
 * @bytes:	their payload bytes
 * @held:	packets held (each starts an aggregate)
 * @joined:	packets joined
 * @passed:	packets passed on at once
 * @native:	packets left to the native handler
 * @joined_frag: joins by page fragment (whole fragments or a page-fragment head)
 * @joined_list: joins by frag_list
 * @joined_chain: joins by fraglist chaining
 * @aggregates:	aggregates of two segments or more that were completed
 * @wire_segs:	segments in those
 * @reason:	by enum bpf_gro_reason: packets whose verdict carried it (0 is not counted)
 * @hist:	completed aggregates by segments: bucket n counts 2^n .. 2^(n+1)-1
 * @carried:	packets handed on to the layer behind the header
 */
struct bpf_gro_stats {
	__u32 policy_id;
	struct bpf_gro_slot slot;
	__u32 ifindex;
	char device[20];
	__u64 packets;
	__u64 bytes;
	__u64 held;
	__u64 joined;
	__u64 passed;
	__u64 native;
	__u64 joined_frag;
	__u64 joined_list;
	__u64 joined_chain;
	__u64 aggregates;
	__u64 wire_segs;
	__u64 reason[BPF_GRO_REASONS_MAX];
	__u64 hist[BPF_GRO_HIST_BUCKETS];
	__u64 carried;
};

#ifdef __bpf__
#pragma clang attribute pop
#endif

#endif /* _BPF_GRO_ABI_H */
