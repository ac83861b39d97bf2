/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * User side of the rig: build packets, feed them, read back what came up, print, compare.
 *
 *	struct rig rig;
 *	struct rig_train t = {};
 *	struct rig_outs out = {};
 *
 *	rig_open(&rig, NULL);
 *	for (i = 0; i < 16; i++)
 *		rig_spec_packet(rig_train_add(&t), "ip4/tcp", 0, i, 1448);
 *	rig_feed(&rig, &t, 0);
 *	rig_read_all(&rig, &out, RIG_READ_SPLIT);
 *
 * Functions return 0 or a negative errno; rig_error() has the sentence.
 */
#ifndef RIG_USER_H
#define RIG_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bpf_gro_rig.h"

struct rig {
	int fd;
	struct rig_setup info;
	char err[256];
};

/* A header of a packet, outer to inner. */
enum rig_layer_type {
	RIG_L_ETH, RIG_L_VLAN, RIG_L_IP4, RIG_L_IP6, RIG_L_EXT, RIG_L_FRAG6, RIG_L_TCP, RIG_L_UDP,
	RIG_L_GRE, RIG_L_VXLAN, RIG_L_GENEVE, RIG_L_MPLS, RIG_L_PPPOE, RIG_L_GTPU,
};

struct rig_layer {
	uint8_t type;
	bool no_csum;		/* leave the checksum field 0 */
	uint16_t off;
	uint16_t len;
	uint16_t csum_xor;	/* spoils the checksum after it was computed */
	int32_t len_delta;	/* added to the length field */
};

#define RIG_MAX_LAYERS 20

struct rig_packet {
	struct rig_pkt g;		/* geometry; sizes are below */
	uint32_t frags[RIG_MAX_FRAGS];
	uint32_t list[RIG_MAX_LIST];
	uint8_t meta[RIG_MAX_META];
	uint8_t *frame;
	uint32_t len, cap;
	uint32_t hdr_len;		/* where the payload begins */
	uint32_t pad_len;		/* Ethernet padding at the end, in no length field */
	uint32_t next_off;		/* where the type of the next header goes */
	uint8_t next_kind;
	int nr_layers;
	struct rig_layer layers[RIG_MAX_LAYERS];
};

struct rig_train {
	struct rig_packet *p;
	uint32_t nr, cap;
};

/* dev.c */
int rig_open(struct rig *rig, const struct rig_setup *want);
void rig_close(struct rig *rig);
int rig_set(struct rig *rig, uint32_t features, uint32_t max, uint32_t max4);
int rig_feed(struct rig *rig, const struct rig_train *t, uint32_t flags);
int rig_feed_results(struct rig *rig, const struct rig_train *t, uint32_t flags, uint8_t *results);
int rig_feed_raw(struct rig *rig, const void *buf, uint32_t len, uint32_t nr, uint32_t flags);
int rig_flush(struct rig *rig);
int rig_measure(struct rig *rig, const struct rig_train *t, uint32_t flags, uint32_t repeat,
		struct rig_sample *samples);
int rig_pack(const struct rig_train *t, void **buf, uint32_t *len);
const char *rig_error(const struct rig *rig);
const char *rig_why_str(uint32_t why);
const char *rig_result_str(uint32_t result);

/* Packets that came up. A record's parts point into buf. */
struct rig_item {
	const struct rig_out *o;
	const uint32_t *frags;
	const struct rig_member *list;
	const uint8_t *meta;
	const uint8_t *frame;
	uint32_t first_seg;		/* index into segs, o->nr_segs of them */
};

struct rig_outs {
	struct rig_item *items;
	uint32_t nr;
	struct rig_item *segs;
	uint32_t nr_segs;
	uint8_t *buf;
	uint32_t len;
	uint32_t lost;
};

int rig_read_all(struct rig *rig, struct rig_outs *out, uint32_t flags);
int rig_outs_parse(struct rig_outs *out, uint8_t *buf, uint32_t len);
void rig_outs_free(struct rig_outs *out);

/* pkt.c: headers are appended outer to inner, then the payload; rig_fini() fills in the rest. */
struct rig_packet *rig_train_add(struct rig_train *t);
void rig_train_free(struct rig_train *t);
void rig_train_clear(struct rig_train *t);
void rig_packet_free(struct rig_packet *p);
int rig_packet_copy(struct rig_packet *to, const struct rig_packet *from);
void *rig_push(struct rig_packet *p, uint32_t len);
struct rig_layer *rig_layer(struct rig_packet *p, enum rig_layer_type type, int nth);
void *rig_hdr(struct rig_packet *p, enum rig_layer_type type, int nth);
void rig_eth(struct rig_packet *p, uint8_t dst_last, uint8_t src_last);
void rig_vlan(struct rig_packet *p, uint16_t proto, uint16_t tci);
void rig_ip4(struct rig_packet *p, uint32_t saddr, uint32_t daddr, uint16_t id, uint8_t optlen);
void rig_ip6(struct rig_packet *p, uint8_t src_last, uint8_t dst_last);
void rig_ext(struct rig_packet *p, uint8_t type, uint8_t len);
void rig_frag6(struct rig_packet *p, uint16_t frag_off, uint32_t id);
void rig_tcp(struct rig_packet *p, uint16_t sport, uint16_t dport, uint32_t seq, uint32_t ack,
	     uint8_t flags, const void *opts, uint8_t optlen);
void rig_udp(struct rig_packet *p, uint16_t sport, uint16_t dport);
#define RIG_GRE_CSUM	1
#define RIG_GRE_KEY	2
#define RIG_GRE_SEQ	4
void rig_gre(struct rig_packet *p, unsigned int flags, uint32_t key, uint32_t seq);
void rig_vxlan(struct rig_packet *p, uint32_t vni);
void rig_geneve(struct rig_packet *p, uint32_t vni, uint8_t optlen);
void rig_mpls(struct rig_packet *p, uint32_t label, bool bottom);
void rig_pppoe(struct rig_packet *p, uint16_t session);
void rig_gtpu(struct rig_packet *p, uint32_t teid);
void rig_payload(struct rig_packet *p, uint32_t len, uint32_t seed);
void rig_pad(struct rig_packet *p, uint32_t len);
void rig_fini(struct rig_packet *p);
void rig_shape(struct rig_packet *p, uint32_t linear, uint32_t frag_size);
uint16_t rig_csum_fold(uint64_t sum);
uint64_t rig_csum_add(uint64_t sum, const void *data, size_t len);

/* TCP flags of rig_tcp() */
#define RIG_FIN 0x01
#define RIG_SYN 0x02
#define RIG_RST 0x04
#define RIG_PSH 0x08
#define RIG_ACK 0x10
#define RIG_URG 0x20
#define RIG_ECE 0x40
#define RIG_CWR 0x80

/* spec.c: "ip4/tcp", "vlan/ip6/dst/tcp", "ip4/gre/ip4/tcp", or a short name such as "tcp4". */
struct rig_spec {
	uint32_t flow;
	uint32_t seq;		/* bytes of this flow before the packet */
	uint32_t index;		/* packets of this flow before it: the IP ID */
	uint32_t size;
	uint8_t tcp_flags;	/* 0: ACK */
	bool no_ts;
	bool fixed_id;
	bool no_udp_csum;
	uint16_t dport;		/* 0: 443 */
	uint8_t ext_len;	/* 0: 8 */
};

int rig_spec_build(struct rig_packet *p, const char *spec, const struct rig_spec *s);
int rig_spec_packet(struct rig_packet *p, const char *spec, uint32_t flow, uint32_t index,
		    uint32_t size);
const char *rig_spec_help(void);

/* print.c */
void rig_print_frame(FILE *f, const uint8_t *frame, uint32_t len, uint16_t first_proto);
void rig_print_packet(FILE *f, const struct rig_packet *p, bool hex);
void rig_print_item(FILE *f, const struct rig_item *item, bool hex);
void rig_print_outs(FILE *f, const struct rig_outs *outs, bool hex);
void rig_hexdump(FILE *f, const char *indent, const uint8_t *data, uint32_t len);
const char *rig_gso_str(uint32_t type, char *buf, size_t size);

/* cmp.c */
#define RIG_CMP_TRUESIZE	(1u << 0)	/* memory accounting too */
#define RIG_CMP_OFFSETS		(1u << 1)	/* header offsets of packets that were not joined too */
#define RIG_CMP_ALL		3u
/* 0 if equal; else 1 and the first difference in words. */
int rig_cmp_items(const struct rig_item *a, const struct rig_item *b, uint32_t how, char *msg,
		  size_t size);
int rig_cmp_outs(const struct rig_outs *a, const struct rig_outs *b, uint32_t how, char *msg,
		 size_t size);
int rig_cmp_sent(const struct rig_train *t, const struct rig_outs *out, char *msg, size_t size);
int rig_cmp_order(const struct rig_train *t, const struct rig_outs *out, char *msg, size_t size);

#endif /* RIG_USER_H */
