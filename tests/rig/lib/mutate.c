// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What GRO looks at, changed. One or two changes a packet. */
#include <string.h>

#include "gen.h"

static void mutate_ip4(struct rng *r, struct rig_packet *p, struct rig_layer *l)
{
	uint8_t *q = p->frame + l->off;

	switch (below(r, 12)) {
	case 0:
		q[8]--;					/* TTL */
		break;
	case 1:
		q[1] ^= 1 << below(r, 8);		/* TOS, ECN */
		break;
	case 2:
		q[6] ^= 0x40;				/* DF */
		break;
	case 3:
		q[6] ^= 0x20;				/* MF */
		break;
	case 4:
		q[7] ^= 1 << below(r, 8);		/* fragment offset */
		break;
	case 5:
		q[5] += 1 + below(r, 3);		/* ID */
		break;
	case 6:
		q[4] = rnd(r);
		break;
	case 7:
		l->csum_xor = 1 << below(r, 16);
		break;
	case 8:
		l->len_delta = (int)below(r, 41) - 20;
		break;
	case 9:
		q[12 + below(r, 8)] ^= 1 << below(r, 8);	/* addresses */
		break;
	case 10:
		q[0] = rnd(r);				/* version, header length */
		break;
	case 11:
		q[9] = rnd(r);				/* protocol */
		break;
	}
}

static void mutate_ip6(struct rng *r, struct rig_packet *p, struct rig_layer *l)
{
	uint8_t *q = p->frame + l->off;

	switch (below(r, 8)) {
	case 0:
		q[7]--;					/* hop limit */
		break;
	case 1:
		q[1] ^= 0x10 << below(r, 4);		/* traffic class */
		break;
	case 2:
		q[0] ^= 1 << below(r, 4);
		break;
	case 3:
		q[3] ^= 1 << below(r, 8);		/* flow label */
		break;
	case 4:
		l->len_delta = (int)below(r, 41) - 20;
		break;
	case 5:
		q[8 + below(r, 32)] ^= 1 << below(r, 8);
		break;
	case 6:
		q[0] = rnd(r);				/* version */
		break;
	case 7:
		q[6] = rnd(r);				/* next header */
		break;
	}
}

static void mutate_tcp(struct rng *r, struct rig_packet *p, struct rig_layer *l)
{
	uint8_t *q = p->frame + l->off;

	switch (below(r, 11)) {
	case 0:
		q[13] ^= 1 << below(r, 8);		/* flags */
		break;
	case 1:
		q[13] ^= RIG_CWR;
		break;
	case 2:
		q[12] ^= 1 << below(r, 4);		/* AE and reserved bits */
		break;
	case 3:
		q[12] = rnd(r) & 0xf0;			/* doff */
		break;
	case 4:
		l->csum_xor = 1 << below(r, 16);
		break;
	case 5:
		q[below(r, 4)] ^= 1 << below(r, 8);	/* ports */
		break;
	case 6:
		q[4 + below(r, 4)] ^= 1 << below(r, 8);	/* seq */
		break;
	case 7:
		q[11] ^= 1;				/* ack */
		break;
	case 8:
		q[14] = rnd(r);				/* window */
		break;
	case 9:
		q[19] = rnd(r);				/* urgent pointer */
		break;
	case 10:
		if (l->len > 20)			/* an option byte */
			q[20 + below(r, l->len - 20)] ^= 1 << below(r, 8);
		break;
	}
}

static void mutate_udp(struct rng *r, struct rig_packet *p, struct rig_layer *l)
{
	uint8_t *q = p->frame + l->off;

	switch (below(r, 4)) {
	case 0:
		l->len_delta = (int)below(r, 21) - 10;
		break;
	case 1:
		l->csum_xor = 1 << below(r, 16);
		break;
	case 2:
		l->no_csum = !l->no_csum;
		break;
	case 3:
		q[below(r, 4)] ^= 1 << below(r, 8);
		break;
	}
}

static void mutate_eth(struct rng *r, struct rig_packet *p, struct rig_layer *l)
{
	uint8_t *q = p->frame + l->off;

	if (percent(r, 80))
		q[3 + below(r, 9)] ^= 1 << below(r, 8);
	else
		q[12 + below(r, 2)] ^= 1 << below(r, 8);
}

static void mutate_other(struct rng *r, struct rig_packet *p, struct rig_layer *l)
{
	p->frame[l->off + below(r, l->len)] ^= 1 << below(r, 8);
}

static void mutate_one(struct rng *r, struct rig_packet *p)
{
	struct rig_layer *l = &p->layers[below(r, p->nr_layers)];

	/* The transport header is the likeliest. */
	if (percent(r, 40))
		l = &p->layers[p->nr_layers - 1];
	switch (l->type) {
	case RIG_L_ETH:
		/* Changed MAC addresses, but seldom: they end everything. */
		if (percent(r, 30))
			mutate_eth(r, p, l);
		break;
	case RIG_L_IP4:
		mutate_ip4(r, p, l);
		break;
	case RIG_L_IP6:
		mutate_ip6(r, p, l);
		break;
	case RIG_L_TCP:
		mutate_tcp(r, p, l);
		break;
	case RIG_L_UDP:
		mutate_udp(r, p, l);
		break;
	default:
		mutate_other(r, p, l);
		break;
	}
}

void mutate_headers(struct rng *r, struct rig_packet *p)
{
	do {
		mutate_one(r, p);
	} while (percent(r, 20));
}

/* The frame itself: padding, cut short, a flipped bit that no checksum covers up. */
void mutate_frame(struct rng *r, struct rig_packet *p)
{
	switch (below(r, 4)) {
	case 0:
		rig_pad(p, 1 + below(r, 20));
		break;
	case 1:
		if (p->len > 60)
			p->len -= 1 + below(r, p->len - 60 < 40 ? p->len - 60 : 40);
		break;
	case 2:
		p->frame[14 + below(r, p->hdr_len - 14)] ^= 1 << below(r, 8);
		break;
	case 3:
		if (p->len > p->hdr_len)
			p->frame[p->hdr_len + below(r, p->len - p->hdr_len)] ^= 1;
		break;
	}
}
