// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Geometry for generated packets. */
#include <string.h>

#include "gen.h"

bool gen_wrong_complete;

enum { LIN_HEADERS, LIN_ETH, LIN_SHORT, LIN_LONG, LIN_ALL, LIN_FIXED, LIN_MAX };

/*
 * So much metadata, and nothing of which it would be lost: where a packet's head has to be moved, older kernels drop it, and then it differs within
 * the flow.
 */
void gen_shape_meta(struct gen_shape *s, uint32_t len)
{
	s->meta_len = len;
	if (!len)
		return;
	s->flags &= ~(RIG_P_FRAGS | RIG_P_CLONED);
	if (s->linear_mode == LIN_ETH || s->linear_mode == LIN_SHORT || s->linear_mode == LIN_FIXED)
		s->linear_mode = LIN_HEADERS;
}

void gen_shape_pick(struct rng *r, struct gen_shape *s)
{
	static const uint16_t frag_sizes[] = { 0, 0, 0, 4096, 700, 100, 33 };

	memset(s, 0, sizeof(*s));
	s->head = below(r, RIG_HEAD_MAX);
	s->linear_mode = percent(r, 40) ? LIN_HEADERS : below(r, LIN_MAX);
	s->linear = 14 + below(r, 300);
	s->frag_size = frag_sizes[below(r, 7)];
	/* Now and then a header at the end of a page. */
	s->frag_off = percent(r, 70) ? 0 : percent(r, 60) ? below(r, 64) : 4096 - 20 - below(r, 150);
	if (percent(r, 25)) {
		s->frag = RIG_FRAG_POOL;
		s->flags |= RIG_P_RECYCLE;
	}
	if (permille(r, 50))
		s->flags ^= RIG_P_RECYCLE;
	if (percent(r, 15))
		s->flags |= RIG_P_FRAGS;
	s->csum = percent(r, 50) ? RIG_CSUM_UNNECESSARY : below(r, RIG_CSUM_PARTIAL);
	s->csum_level = percent(r, 70) ? 0 : below(r, 4);
	if (permille(r, 30))
		s->flags |= RIG_P_ENCAP;
	if (permille(r, 40))
		s->flags |= RIG_P_SHARED_FRAG;
	if (permille(r, 20))
		s->flags |= RIG_P_ZEROCOPY;
	if (permille(r, 20))
		s->flags |= RIG_P_DECRYPTED;
	if (permille(r, 20))
		s->flags |= RIG_P_CLONED;
	if (permille(r, 80))
		s->flags |= RIG_P_VLAN;
	gen_shape_meta(s, percent(r, 15) ? 4 * (1 + below(r, 4)) : 0);
}

static uint32_t linear(struct rng *r, const struct gen_shape *s, const struct rig_packet *p)
{
	switch (s->linear_mode) {
	case LIN_ETH:
		return 14;
	case LIN_SHORT:
		return 14 + below(r, p->hdr_len - 14);
	case LIN_LONG:
		return p->hdr_len + 1 + below(r, 60);
	case LIN_ALL:
		return p->len;
	case LIN_FIXED:
		return s->linear;
	default:
		return p->hdr_len;
	}
}

static void lists(struct rng *r, struct rig_packet *p)
{
	uint32_t last, a;

	if (!p->g.nr_frags)
		return;
	last = p->frags[p->g.nr_frags - 1];
	if (last < 2)
		return;
	a = 1 + below(r, last - 1);
	p->g.nr_frags--;
	p->list[0] = a;
	p->list[1] = last - a;
	p->g.nr_list = 2;
}

/* Where the innermost transport header's checksum is. */
static void partial(struct rig_packet *p)
{
	const struct rig_layer *l = &p->layers[p->nr_layers - 1];
	uint32_t off = l->type == RIG_L_TCP ? 16 : 6;

	if ((l->type != RIG_L_TCP && l->type != RIG_L_UDP) || l->off + off + 2u > p->len)
		return;
	p->g.csum = RIG_CSUM_PARTIAL;
	p->g.csum_start = l->off;
	p->g.csum_offset = off;
}

/* Combinations the rig refuses are mended here, so that every sequence runs. */
static void mend(struct rig_packet *p)
{
	struct rig_pkt *g = &p->g;

	if (g->flags & RIG_P_FRAGS) {
		g->flags &= ~(RIG_P_CLONED | RIG_P_ZEROCOPY);
		g->head = RIG_HEAD_KMALLOC;
		g->meta_len = 0;
	}
	if (g->head == RIG_HEAD_POOL && g->linear + g->tailroom > 2900)
		g->head = RIG_HEAD_PAGE;
	if (g->frag == RIG_FRAG_POOL && g->head != RIG_HEAD_POOL)
		g->flags |= RIG_P_RECYCLE;
	if ((g->flags & RIG_P_RECYCLE) || g->head == RIG_HEAD_POOL || !g->nr_frags)
		g->flags &= ~RIG_P_ZEROCOPY;
}

void gen_shape_apply(struct rng *r, const struct gen_shape *s, struct rig_packet *p)
{
	struct rig_pkt *g = &p->g;
	uint32_t frag_size = s->frag_size, max = 4096 - s->frag_off, i;

	g->head = s->head;
	g->frag = s->frag;
	g->frag_off = s->frag_off;
	g->flags |= s->flags;
	g->csum = s->csum;
	g->csum_level = s->csum == RIG_CSUM_UNNECESSARY ? s->csum_level : 0;
	g->meta_len = s->meta_len;
	/* Equal in all of a sequence: where it differs, a policy keeps the order, and native GRO does not (tests/metadata.bats). */
	for (i = 0; i < g->meta_len; i++)
		p->meta[i] = i;
	if (s->flags & RIG_P_VLAN) {
		g->vlan_proto = percent(r, 97) ? 0x8100 : 0x88a8;
		g->vlan_tci = percent(r, 97) ? 100 : below(r, 4096);
	}
	if (permille(r, 10) && !s->one_csum)
		g->csum = below(r, 3);
	if (g->csum == RIG_CSUM_COMPLETE && permille(r, 30) && gen_wrong_complete)
		g->csum_value = 1 + below(r, 65535);
	if (permille(r, 20) && !s->one_csum)
		partial(p);

	if (s->frag == RIG_FRAG_POOL && (!frag_size || frag_size > max))
		frag_size = max;
	if (s->flags & RIG_P_FRAGS)
		rig_shape(p, 0, frag_size);
	else
		rig_shape(p, linear(r, s, p), frag_size);
	/* rig_shape() makes fragments longer rather than too many: not those of a pool. */
	if (g->frag == RIG_FRAG_POOL)
		for (i = 0; i < g->nr_frags; i++)
			if (p->frags[i] > max)
				g->frag = RIG_FRAG_PAGE;
	if (!(s->flags & RIG_P_FRAGS) && permille(r, 15))
		lists(r, p);
	mend(p);
}
