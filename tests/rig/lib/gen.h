/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Seeded packet sequences: a few interleaved flows, mostly well-behaved, every field that GRO looks
 * at mutated now and then, in every geometry. The same seed and number give the same sequence on
 * any machine.
 */
#ifndef RIG_GEN_H
#define RIG_GEN_H

#include "rig.h"

struct rng {
	uint64_t s;
};

uint32_t rnd(struct rng *r);
uint32_t below(struct rng *r, uint32_t n);		/* 0..n-1 */
bool percent(struct rng *r, uint32_t p);
bool permille(struct rng *r, uint32_t p);

#define GEN_MAX_TRAINS 4

struct gen_flow {
	const char *spec;
	uint32_t id;			/* which flow */
	uint32_t mss;
	uint32_t seq, index, ack;
	uint32_t tsval;
	uint8_t opts;			/* enum in gen.c */
	uint8_t id_mode;
	uint8_t tos, ttl;
	bool df;
	uint32_t flow_label;
	uint32_t hash;
	uint8_t gso;			/* segments per packet; 0: plain packets */
	bool no_csum;
};

/* How the packets of a sequence are laid out; now and then one differs. */
struct gen_shape {
	uint8_t head, frag, linear_mode, csum, csum_level, meta_len;
	bool one_csum;			/* no packet's checksum is known otherwise */
	uint16_t linear, frag_size, frag_off;
	uint32_t flags;
};

struct gen_seq {
	uint32_t features;
	uint32_t gro_max, gro_max4;
	struct rig_train train;		/* all packets */
	int nr_trains;			/* fed in so many parts, held in between */
	uint32_t end[GEN_MAX_TRAINS];	/* where each part ends */
};

/* Also wrong sums of CHECKSUM_COMPLETE: the kernel complains of such hardware in its log, once. */
extern bool gen_wrong_complete;
/* UDP only, on devices that join it; GRE only. Set before sequences are made, and the same when they are compared. */
extern bool gen_udp, gen_gre;
void gen_sequence(struct gen_seq *s, uint64_t seed, uint32_t n);
void gen_free(struct gen_seq *s);
void gen_print(FILE *f, const struct gen_seq *s, bool hex);
int gen_run(struct rig *rig, const struct gen_seq *s, struct rig_outs *out);

/* mutate.c */
void mutate_headers(struct rng *r, struct rig_packet *p);	/* before rig_fini() */
void mutate_frame(struct rng *r, struct rig_packet *p);		/* after it */

/* shape.c */
void gen_shape_pick(struct rng *r, struct gen_shape *s);
void gen_shape_meta(struct gen_shape *s, uint32_t len);
void gen_shape_apply(struct rng *r, const struct gen_shape *s, struct rig_packet *p);

#endif /* RIG_GEN_H */
