/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The rig: a device that feeds trains of packets of any geometry to GRO and hands back what came
 * up. What module and user space share stands here and nowhere else.
 *
 * Each open of /dev/bpf_gro_rig is one rig: RIG_SETUP makes its network device (in the caller's
 * network namespace, brought up, GRO on), RIG_FEED gives a train to GRO in one go, RIG_READ takes
 * what came up, close removes the device. Nothing depends on time: a train is one NAPI poll, and
 * with RIG_FEED_HOLD the poll stays open, so that the next train meets the packets held so far.
 *
 * All numbers are in host byte order. Offsets count from the MAC header.
 */
#ifndef BPF_GRO_RIG_H
#define BPF_GRO_RIG_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define RIG_ABI			1
#define RIG_DEV_PATH		"/dev/bpf_gro_rig"
#define RIG_NAME_LEN		16

/* Bounds. Beyond them everything is refused with RIG_E_BOUNDS. */
#define RIG_MAX_PACKETS		65536		/* of a train */
#define RIG_MAX_BYTES		(64u << 20)	/* of a train, records included */
#define RIG_MAX_FRAME		(512u << 10)
#define RIG_MAX_HEAD_POOL	3072		/* linear bytes of a page pool head */
#define RIG_MAX_FRAG		65536		/* of a page fragment; pool: 4096 */
#define RIG_MAX_FRAGS		17
#define RIG_MAX_LIST		32
#define RIG_MAX_META		248
#define RIG_MAX_REPEAT		10000
#define RIG_MAX_QUEUE		262144		/* waiting to be read; others are lost */

/* Features of the device, as `ethtool -K` sets them. */
#define RIG_FEAT_GRO		(1u << 0)
#define RIG_FEAT_GRO_FRAGLIST	(1u << 1)
#define RIG_FEAT_GRO_UDP_FWD	(1u << 2)
#define RIG_FEAT_GRO_HW		(1u << 3)
#define RIG_FEAT_RXCSUM		(1u << 4)

#define RIG_SETUP_NO_CAPTURE	(1u << 0)	/* what comes up always goes to the stack */
#define RIG_SETUP_DOWN		(1u << 1)	/* do not bring the device up */

struct rig_setup {
	__u32 abi;			/* RIG_ABI */
	__u32 flags;			/* RIG_SETUP_* */
	char name[RIG_NAME_LEN];	/* in: wanted, "" for rig%d; out: given */
	__u32 mtu;			/* 0: 1500 */
	__u32 features;			/* RIG_FEAT_* */
	__u32 gro_max_size;		/* 0: kernel's default */
	__u32 gro_ipv4_max_size;	/* 0: as the kernel derives it from gro_max_size */
	__u32 ifindex;			/* out */
	__u8 mac[6];			/* out */
	__u8 pad[2];
};

/* Changes features and limits of the running device. */
struct rig_set {
	__u32 features;
	__u32 gro_max_size;		/* 0: leave */
	__u32 gro_ipv4_max_size;	/* 0: leave */
	__u32 pad;
};

/* Packets into GRO. */
enum rig_head {
	RIG_HEAD_KMALLOC,	/* linear part from alloc_skb */
	RIG_HEAD_PAGE,		/* build_skb on a page: head_frag, GRO can steal it */
	RIG_HEAD_POOL,		/* build_skb on a page pool page: pp_recycle and head_frag */
	RIG_HEAD_NAPI,		/* napi_alloc_skb, as most drivers do */
	RIG_HEAD_MAX,
};

enum rig_frag {
	RIG_FRAG_PAGE,
	RIG_FRAG_POOL,		/* page pool pages; needs RIG_P_RECYCLE */
	RIG_FRAG_MAX,
};

enum rig_csum {
	RIG_CSUM_NONE,
	RIG_CSUM_UNNECESSARY,	/* csum_level */
	RIG_CSUM_COMPLETE,	/* the right sum plus csum_value */
	RIG_CSUM_PARTIAL,	/* csum_start, csum_offset */
	RIG_CSUM_MAX,
};

#define RIG_P_FRAGS		(1u << 0)	/* napi_gro_frags: linear 0, no meta, no list */
#define RIG_P_RECYCLE		(1u << 1)	/* pp_recycle (implied by RIG_HEAD_POOL) */
#define RIG_P_HASH		(1u << 2)	/* hash is set */
#define RIG_P_L4_HASH		(1u << 3)
#define RIG_P_VLAN		(1u << 4)	/* tag beside the frame: vlan_proto, vlan_tci */
#define RIG_P_ENCAP		(1u << 5)	/* skb->encapsulation = 1 */
#define RIG_P_SHARED_FRAG	(1u << 6)	/* SKBFL_SHARED_FRAG */
#define RIG_P_ZEROCOPY		(1u << 7)	/* SKBFL_ZEROCOPY_ENABLE; captured only */
#define RIG_P_DECRYPTED		(1u << 8)
#define RIG_P_CLONED		(1u << 9)	/* a tap has a clone; unclone, as drivers must */
#define RIG_P_ALL		((1u << 10) - 1)

/* gso_type bits: as in 7.3, translated for kernels that number them otherwise. */
#define RIG_GSO_TCPV4		(1u << 0)
#define RIG_GSO_DODGY		(1u << 1)
#define RIG_GSO_TCP_ECN		(1u << 2)
#define RIG_GSO_TCPV6		(1u << 4)
#define RIG_GSO_GRE		(1u << 6)
#define RIG_GSO_GRE_CSUM	(1u << 7)
#define RIG_GSO_IPXIP4		(1u << 8)
#define RIG_GSO_IPXIP6		(1u << 9)
#define RIG_GSO_UDP_TUNNEL	(1u << 10)
#define RIG_GSO_UDP_TUNNEL_CSUM	(1u << 11)
#define RIG_GSO_PARTIAL		(1u << 12)
#define RIG_GSO_TUNNEL_REMCSUM	(1u << 13)
#define RIG_GSO_UDP		(1u << 16)
#define RIG_GSO_UDP_L4		(1u << 17)
#define RIG_GSO_FRAGLIST	(1u << 18)
#define RIG_GSO_TCP_ACCECN	(1u << 19)
#define RIG_GSO_TCP_FIXEDID	(1u << 30)
#define RIG_GSO_TCP_FIXEDID_INNER (1u << 31)

/*
 * One packet of a train. After it follow: __u32 sizes of nr_frags fragments and nr_list list
 * members, meta_len bytes of metadata, frame_len bytes of frame; size counts all of it, rounded
 * up to 8. linear + sizes = frame_len. The first `linear` bytes of the frame are the linear part
 * (14 at least, since the driver's eth_type_trans reads it), then fragments, then list members.
 */
struct rig_pkt {
	__u32 size;
	__u32 flags;		/* RIG_P_* */
	__u32 frame_len;
	__u32 linear;
	__u8 head;		/* enum rig_head */
	__u8 frag;		/* enum rig_frag */
	__u8 nr_frags;
	__u8 nr_list;
	__u8 meta_len;		/* multiple of 4 */
	__u8 csum;		/* enum rig_csum */
	__u8 csum_level;
	__u8 pad0;
	__u16 csum_start;
	__u16 csum_offset;
	__u32 csum_value;
	__u32 hash;
	__u16 vlan_proto;
	__u16 vlan_tci;
	__u16 gso_size;
	__u16 gso_segs;
	__u32 gso_type;		/* RIG_GSO_* */
	__u16 headroom;		/* added to NET_SKB_PAD */
	__u16 tailroom;		/* at least so many bytes behind the linear part */
	__u16 frag_off;		/* offset of each fragment in its page */
	__u16 frag_truesize;	/* per fragment; 0: its pages */
	__u32 sizes[];
};

/* Why a train was refused. */
enum rig_why {
	RIG_E_NONE,
	RIG_E_TRUNCATED,	/* record or train cut short */
	RIG_E_BOUNDS,		/* a limit above */
	RIG_E_FLAGS,		/* unknown flag or enum value */
	RIG_E_SIZES,		/* linear + sizes is not frame_len, or a size of 0 */
	RIG_E_LINEAR,		/* linear part below 14 or past the frame */
	RIG_E_HEAD,		/* linear part too long for this kind of head */
	RIG_E_FRAG,		/* fragment too long, or pool without RIG_P_RECYCLE */
	RIG_E_FRAGS,		/* what napi_gro_frags cannot have */
	RIG_E_META,
	RIG_E_CSUM,		/* csum_start/offset or level out of range */
	RIG_E_CLONED,		/* napi_gro_frags has no clones */
	RIG_E_ZEROCOPY,		/* zero-copy packets are for capturing only */
	RIG_E_GSO,		/* gso_type bits that are none, or gso_type without gso_size */
	RIG_E_VLAN,
	RIG_E_NOMEM,
	RIG_E_DOWN,		/* the device is down */
	RIG_E_BUSY,		/* somebody else polls the device (busy polling) */
	RIG_E_NO_DEVICE,	/* RIG_SETUP first */
	RIG_E_MAX,
};

#define RIG_FEED_HOLD		(1u << 0)	/* keep the poll open: no flush at the end */
#define RIG_FEED_DELIVER	(1u << 1)	/* to the stack instead of the queue */

/* err_* are filled in when the ioctl fails. Nothing was fed then, but see RIG_P_FRAGS/NOMEM. */
struct rig_feed {
	__u64 buf;		/* struct rig_pkt records */
	__u32 len;
	__u32 nr;
	__u32 flags;		/* RIG_FEED_* */
	__u32 err_pkt;		/* out */
	__u32 err_why;		/* out: enum rig_why */
	__u32 queued;		/* out: packets waiting to be read */
	__u64 results;		/* 0, or __u8[nr] of enum rig_result */
};

/* What GRO answered for a packet: the kernel's gro_result_t. */
enum rig_result {
	RIG_R_MERGED,
	RIG_R_MERGED_FREE,
	RIG_R_HELD,
	RIG_R_NORMAL,
	RIG_R_CONSUMED,
};

/* What came up. */
enum rig_kind {
	RIG_K_PACKET,
	RIG_K_SEGMENT,		/* of the packet before, split again by the kernel's GSO */
};

#define RIG_O_HEAD_FRAG		(1u << 0)
#define RIG_O_PP_RECYCLE	(1u << 1)
#define RIG_O_CLONED		(1u << 2)
#define RIG_O_ENCAP		(1u << 3)
#define RIG_O_SHARED_FRAG	(1u << 4)
#define RIG_O_ZEROCOPY		(1u << 5)
#define RIG_O_DECRYPTED		(1u << 6)
#define RIG_O_L4_HASH		(1u << 7)
#define RIG_O_SW_HASH		(1u << 8)
#define RIG_O_VLAN		(1u << 9)
#define RIG_O_NAPI_ID		(1u << 10)	/* napi_id is that of the rig */
#define RIG_O_SK		(1u << 11)	/* a socket hangs on it */
#define RIG_O_DST		(1u << 12)
#define RIG_O_EXT		(1u << 13)
#define RIG_O_FRAG_POOL		(1u << 14)	/* first fragment from a page pool */
#define RIG_O_ENCAP_CSUM	(1u << 15)	/* encap_hdr_csum */
#define RIG_O_SLOW_GRO		(1u << 16)
#define RIG_O_REDIRECTED	(1u << 17)

/* A member of a packet's frag_list. */
struct rig_member {
	__u32 len;
	__u32 linear;
	__u32 truesize;
	__u32 flags;		/* RIG_O_HEAD_FRAG, PP_RECYCLE, SK, SHARED_FRAG, ENCAP */
	__u8 nr_frags;
	__u8 ip_summed;
	__u16 gso_size;
	__u32 nr_list;
};

/*
 * One record of RIG_READ. After it follow: __u32 sizes of nr_frags fragments, nr_list struct
 * rig_member, meta_len bytes of metadata, frame_len bytes from the MAC header on (flattened:
 * linear, fragments, list members); size counts all of it, rounded up to 8.
 * csum is 0 unless COMPLETE, csum_start and csum_offset are 0 unless PARTIAL; an inner or
 * transport offset that was never set is RIG_UNSET.
 */
#define RIG_UNSET		0x7fff

struct rig_out {
	__u32 size;
	__u32 flags;		/* RIG_O_* */
	__u32 frame_len;
	__u32 linear;
	__u32 truesize;
	__u32 csum;
	__u32 hash;
	__u32 gso_type;		/* RIG_GSO_* */
	__u16 gso_size;
	__u16 gso_segs;
	__u16 protocol;
	__u16 inner_protocol;
	__u16 vlan_proto;
	__u16 vlan_tci;
	__s16 data_off;		/* skb->data */
	__s16 network_off;
	__s16 transport_off;
	__s16 inner_mac_off;
	__s16 inner_network_off;
	__s16 inner_transport_off;
	__u16 mac_len;
	__s16 csum_start;
	__u16 csum_offset;
	__u8 kind;		/* enum rig_kind */
	__u8 nr_frags;
	__u8 meta_len;
	__u8 ip_summed;
	__u8 csum_level;
	__u8 pkt_type;
	__u32 nr_list;
	__u32 nr_segs;		/* RIG_K_SEGMENT records that follow */
	__s32 split_err;	/* -errno of the split; -EPROTO: not split, it would have warned */
	__u32 pad;
	__u32 tail[];
};

/*
 * SPLIT: for a device with scatter-gather, checksums in software. SPLIT_LINEAR: for one without.
 * There skb_segment() of 6.12 and 7.3 loses its place in the frag_list, and meets a BUG_ON() when
 * the last segment is as long as the linear part of a member that has fragments too: only for
 * trains whose members are all alike.
 */
#define RIG_READ_SPLIT		(1u << 0)
#define RIG_READ_SPLIT_LINEAR	(1u << 1)
#define RIG_READ_DROP		(1u << 2)	/* throw the queue away, only count */

struct rig_read {
	__u64 buf;
	__u32 len;
	__u32 flags;		/* RIG_READ_* */
	__u32 used;		/* out: bytes of buf; with -ENOSPC the bytes needed */
	__u32 nr;		/* out: packets (not segments) in buf */
	__u32 left;		/* out: packets still waiting */
	__u32 lost;		/* out: packets lost to RIG_MAX_QUEUE since setup */
};

/*
 * RIG_MEASURE feeds the same train `repeat` times, skbs built beforehand, interrupts off, and
 * times it. With one CPU and icount shift=0 a nanosecond is an instruction. Per repetition:
 * receive: all napi_gro_receive calls (napi_gro_frags: napi_get_frags and filling included);
 * complete: the flush at the end; what comes up is only put on a list. empty: the same loop with a
 * function that does nothing, to be subtracted from receive; the pair of clock readings alone,
 * `clock`, is to be subtracted from complete.
 */
#define RIG_MEASURE_KEEP	(1u << 0)	/* leave the last repetition in the queue */

struct rig_sample {
	__u64 receive_ns;
	__u64 complete_ns;
	__u64 empty_ns;
	__u64 clock_ns;
	__u64 xdp_ns;		/* the attached XDP program on all packets of the train */
	__u64 receive_cycles;	/* get_cycles(), 0 where there are none */
	__u64 complete_cycles;
	__u64 empty_cycles;
	__u64 clock_cycles;
	__u32 out_packets;	/* came up */
	__u32 out_segs;		/* wire packets in them: gso_segs or 1 each */
	__u64 out_bytes;	/* from the network header on, headers of joined packets gone */
};

struct rig_measure {
	__u64 buf;
	__u32 len;
	__u32 nr;
	__u32 flags;		/* RIG_MEASURE_* */
	__u32 repeat;
	__u32 err_pkt;		/* out */
	__u32 err_why;		/* out */
	__u64 samples;		/* struct rig_sample[repeat] */
};

#define RIG_IOC			0xbf
#define RIG_SETUP		_IOWR(RIG_IOC, 1, struct rig_setup)
#define RIG_SET			_IOW(RIG_IOC, 2, struct rig_set)
#define RIG_FEED		_IOWR(RIG_IOC, 3, struct rig_feed)
#define RIG_FLUSH		_IO(RIG_IOC, 4)
#define RIG_READ		_IOWR(RIG_IOC, 5, struct rig_read)
#define RIG_MEASURE		_IOWR(RIG_IOC, 6, struct rig_measure)

#endif /* BPF_GRO_RIG_H */
