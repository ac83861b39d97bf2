// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Packets. Headers are appended outer to inner; each one fills its number into the type field of
 * the one before. rig_fini() then computes lengths and checksums, inner to outer, and gives the
 * packet its ordinary shape: headers linear, payload in one fragment, checksum UNNECESSARY.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"

/* What the type field of the header before is. */
enum { NEXT_NONE, NEXT_ETHERTYPE, NEXT_IPPROTO, NEXT_PPP };

struct rig_packet *rig_train_add(struct rig_train *t)
{
	struct rig_packet *p;

	if (t->nr == t->cap) {
		uint32_t cap = t->cap ? 2 * t->cap : 64;

		p = realloc(t->p, cap * sizeof(*p));
		if (!p)
			abort();
		t->p = p;
		t->cap = cap;
	}
	p = &t->p[t->nr++];
	memset(p, 0, sizeof(*p));
	return p;
}

void rig_packet_free(struct rig_packet *p)
{
	free(p->frame);
	p->frame = NULL;
}

void rig_train_clear(struct rig_train *t)
{
	uint32_t i;

	for (i = 0; i < t->nr; i++)
		rig_packet_free(&t->p[i]);
	t->nr = 0;
}

void rig_train_free(struct rig_train *t)
{
	rig_train_clear(t);
	free(t->p);
	memset(t, 0, sizeof(*t));
}

int rig_packet_copy(struct rig_packet *to, const struct rig_packet *from)
{
	*to = *from;
	to->frame = malloc(from->cap ? from->cap : 1);
	if (!to->frame)
		return -ENOMEM;
	memcpy(to->frame, from->frame, from->len);
	return 0;
}

void *rig_push(struct rig_packet *p, uint32_t len)
{
	uint8_t *q;

	if (p->len + len > p->cap) {
		uint32_t cap = (p->len + len + 255) & ~255u;

		q = realloc(p->frame, cap);
		if (!q)
			abort();
		p->frame = q;
		p->cap = cap;
	}
	q = p->frame + p->len;
	memset(q, 0, len);
	p->len += len;
	return q;
}

static void put16(void *at, uint16_t v)
{
	v = htons(v);
	memcpy(at, &v, 2);
}

static void put32(void *at, uint32_t v)
{
	v = htonl(v);
	memcpy(at, &v, 4);
}

/* Appends a header and says so in the one before. */
static uint8_t *add(struct rig_packet *p, enum rig_layer_type type, uint32_t len, int ethertype,
		    int ipproto, int ppp)
{
	uint8_t *q = rig_push(p, len);

	if (p->next_kind == NEXT_ETHERTYPE && ethertype >= 0)
		put16(p->frame + p->next_off, ethertype);
	else if (p->next_kind == NEXT_IPPROTO && ipproto >= 0)
		p->frame[p->next_off] = ipproto;
	else if (p->next_kind == NEXT_PPP && ppp >= 0)
		put16(p->frame + p->next_off, ppp);
	p->next_kind = NEXT_NONE;
	if (p->nr_layers < RIG_MAX_LAYERS) {
		struct rig_layer *l = &p->layers[p->nr_layers++];

		memset(l, 0, sizeof(*l));
		l->type = type;
		l->off = q - p->frame;
		l->len = len;
	}
	p->hdr_len = p->len;
	return q;
}

static void next(struct rig_packet *p, const uint8_t *at, int kind)
{
	p->next_off = at - p->frame;
	p->next_kind = kind;
}

struct rig_layer *rig_layer(struct rig_packet *p, enum rig_layer_type type, int nth)
{
	int i;

	for (i = 0; i < p->nr_layers; i++)
		if (p->layers[i].type == type && !nth--)
			return &p->layers[i];
	return NULL;
}

void *rig_hdr(struct rig_packet *p, enum rig_layer_type type, int nth)
{
	struct rig_layer *l = rig_layer(p, type, nth);

	return l ? p->frame + l->off : NULL;
}

void rig_eth(struct rig_packet *p, uint8_t dst_last, uint8_t src_last)
{
	uint8_t *q = add(p, RIG_L_ETH, ETH_HLEN, ETH_P_TEB, 143, -1);

	memcpy(q, "\x02rig\x00", 5);
	q[5] = dst_last;
	memcpy(q + 6, "\x02rig\x01", 5);
	q[11] = src_last;
	next(p, q + 12, NEXT_ETHERTYPE);
}

void rig_vlan(struct rig_packet *p, uint16_t proto, uint16_t tci)
{
	uint8_t *q = add(p, RIG_L_VLAN, 4, proto, -1, -1);

	put16(q, tci);
	next(p, q + 2, NEXT_ETHERTYPE);
}

void rig_ip4(struct rig_packet *p, uint32_t saddr, uint32_t daddr, uint16_t id, uint8_t optlen)
{
	uint8_t *q = add(p, RIG_L_IP4, 20 + optlen, ETH_P_IP, IPPROTO_IPIP, 0x0021);

	q[0] = 0x45 + optlen / 4;
	put16(q + 4, id);
	put16(q + 6, 0x4000);
	q[8] = 64;
	put32(q + 12, saddr);
	put32(q + 16, daddr);
	memset(q + 20, 1, optlen);	/* no operation */
	next(p, q + 9, NEXT_IPPROTO);
}

void rig_ip6(struct rig_packet *p, uint8_t src_last, uint8_t dst_last)
{
	uint8_t *q = add(p, RIG_L_IP6, 40, ETH_P_IPV6, IPPROTO_IPV6, 0x0057);

	q[0] = 0x60;
	q[7] = 64;
	memcpy(q + 8, "\xfd\x00rig", 5);
	q[23] = src_last;
	memcpy(q + 24, "\xfd\x00rig", 5);
	q[39] = dst_last;
	next(p, q + 6, NEXT_IPPROTO);
}

/* type: IPPROTO_HOPOPTS, ROUTING, DSTOPTS; len: multiple of 8 */
void rig_ext(struct rig_packet *p, uint8_t type, uint8_t len)
{
	uint8_t *q = add(p, RIG_L_EXT, len, -1, type, -1);

	q[1] = len / 8 - 1;
	if (type == IPPROTO_ROUTING) {
		q[2] = 4;		/* segment routing, nothing left to do */
	} else if (len > 2) {
		q[2] = 1;		/* PadN */
		q[3] = len - 4;
	}
	next(p, q, NEXT_IPPROTO);
}

void rig_frag6(struct rig_packet *p, uint16_t frag_off, uint32_t id)
{
	uint8_t *q = add(p, RIG_L_FRAG6, 8, -1, IPPROTO_FRAGMENT, -1);

	put16(q + 2, frag_off);
	put32(q + 4, id);
	next(p, q, NEXT_IPPROTO);
}

void rig_tcp(struct rig_packet *p, uint16_t sport, uint16_t dport, uint32_t seq, uint32_t ack,
	     uint8_t flags, const void *opts, uint8_t optlen)
{
	uint8_t *q = add(p, RIG_L_TCP, 20 + optlen, -1, IPPROTO_TCP, -1);

	put16(q, sport);
	put16(q + 2, dport);
	put32(q + 4, seq);
	put32(q + 8, ack);
	q[12] = (20 + optlen) / 4 << 4;
	q[13] = flags;
	put16(q + 14, 501);
	memcpy(q + 20, opts, optlen);
}

void rig_udp(struct rig_packet *p, uint16_t sport, uint16_t dport)
{
	uint8_t *q = add(p, RIG_L_UDP, 8, -1, IPPROTO_UDP, -1);

	put16(q, sport);
	put16(q + 2, dport);
}

void rig_gre(struct rig_packet *p, unsigned int flags, uint32_t key, uint32_t seq)
{
	uint32_t len = 4 + 4 * !!(flags & RIG_GRE_CSUM) + 4 * !!(flags & RIG_GRE_KEY) +
		       4 * !!(flags & RIG_GRE_SEQ);
	uint8_t *q = add(p, RIG_L_GRE, len, -1, IPPROTO_GRE, -1), *opt = q + 4;

	if (flags & RIG_GRE_CSUM) {
		q[0] |= 0x80;
		opt += 4;
	}
	if (flags & RIG_GRE_KEY) {
		q[0] |= 0x20;
		put32(opt, key);
		opt += 4;
	}
	if (flags & RIG_GRE_SEQ) {
		q[0] |= 0x10;
		put32(opt, seq);
	}
	next(p, q + 2, NEXT_ETHERTYPE);
}

void rig_vxlan(struct rig_packet *p, uint32_t vni)
{
	uint8_t *q = add(p, RIG_L_VXLAN, 8, -1, -1, -1);

	q[0] = 8;
	put32(q + 4, vni << 8);
}

void rig_geneve(struct rig_packet *p, uint32_t vni, uint8_t optlen)
{
	uint8_t *q = add(p, RIG_L_GENEVE, 8 + optlen, -1, -1, -1);

	q[0] = optlen / 4;
	put32(q + 4, vni << 8);
	if (optlen >= 4)
		q[8 + 3] = (optlen - 4) / 4;
	next(p, q + 2, NEXT_ETHERTYPE);
}

void rig_mpls(struct rig_packet *p, uint32_t label, bool bottom)
{
	uint8_t *q = add(p, RIG_L_MPLS, 4, ETH_P_MPLS_UC, 137, 0x0281);

	put32(q, label << 12 | bottom << 8 | 64);
}

void rig_pppoe(struct rig_packet *p, uint16_t session)
{
	uint8_t *q = add(p, RIG_L_PPPOE, 8, ETH_P_PPP_SES, -1, -1);

	q[0] = 0x11;
	put16(q + 2, session);
	next(p, q + 6, NEXT_PPP);
}

void rig_gtpu(struct rig_packet *p, uint32_t teid)
{
	uint8_t *q = add(p, RIG_L_GTPU, 8, -1, -1, -1);

	q[0] = 0x30;
	q[1] = 0xff;
	put32(q + 4, teid);
}

/* The same bytes for the same seed, so that each byte of a stream has its value. */
void rig_payload(struct rig_packet *p, uint32_t len, uint32_t seed)
{
	uint8_t *q = rig_push(p, len);
	uint32_t i;

	for (i = 0; i < len; i++) {
		uint32_t x = (seed + i) * 2654435761u;

		q[i] = x >> 24;
	}
}

void rig_pad(struct rig_packet *p, uint32_t len)
{
	rig_push(p, len);
	p->pad_len += len;
}

uint64_t rig_csum_add(uint64_t sum, const void *data, size_t len)
{
	const uint8_t *q = data;
	size_t i;

	for (i = 0; i + 1 < len; i += 2)
		sum += q[i] << 8 | q[i + 1];
	if (len & 1)
		sum += q[len - 1] << 8;
	return sum;
}

uint16_t rig_csum_fold(uint64_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

static uint64_t pseudo(const struct rig_packet *p, int i, uint8_t proto, uint32_t len)
{
	while (--i >= 0) {
		const uint8_t *q = p->frame + p->layers[i].off;

		if (p->layers[i].type == RIG_L_IP4)
			return rig_csum_add(proto + (uint64_t)len, q + 12, 8);
		if (p->layers[i].type == RIG_L_IP6)
			return rig_csum_add(proto + (uint64_t)len, q + 8, 32);
	}
	return 0;
}

static void set_csum(const struct rig_layer *l, uint8_t *at, uint16_t csum)
{
	put16(at, csum ^ l->csum_xor);
}

static void fini_layer(struct rig_packet *p, int i)
{
	struct rig_layer *l = &p->layers[i];
	uint32_t len = p->len - p->pad_len - l->off;
	int32_t want = len + l->len_delta;
	uint8_t *q = p->frame + l->off;
	uint16_t csum;

	switch (l->type) {
	case RIG_L_IP4:
		put16(q + 2, want > 65535 ? 0 : want);
		put16(q + 10, 0);
		set_csum(l, q + 10, rig_csum_fold(rig_csum_add(0, q, l->len)));
		break;
	case RIG_L_IP6:
		want -= 40;
		put16(q + 4, want > 65535 ? 0 : want);
		break;
	case RIG_L_TCP:
		put16(q + 16, 0);
		csum = rig_csum_fold(rig_csum_add(pseudo(p, i, IPPROTO_TCP, len), q, len));
		set_csum(l, q + 16, csum);
		break;
	case RIG_L_UDP:
		put16(q + 4, want > 65535 ? 0 : want);
		put16(q + 6, 0);
		if (l->no_csum)
			break;
		csum = rig_csum_fold(rig_csum_add(pseudo(p, i, IPPROTO_UDP, len), q, len));
		set_csum(l, q + 6, csum ? csum : 0xffff);
		break;
	case RIG_L_GRE:
		if (!(q[0] & 0x80))
			break;
		put16(q + 4, 0);
		set_csum(l, q + 4, rig_csum_fold(rig_csum_add(0, q, len)));
		break;
	case RIG_L_PPPOE:
		put16(q + 4, want - 6);
		break;
	case RIG_L_GTPU:
		put16(q + 2, want - 8);
		break;
	}
}

static uint32_t flow_hash(const struct rig_packet *p)
{
	uint32_t h = 2166136261u;
	int i, j;

	/* Addresses and ports of every level: a fixed hash, the same on any machine. */
	for (i = 0; i < p->nr_layers; i++) {
		const uint8_t *q = p->frame + p->layers[i].off;
		int from = 0, to = 0;

		switch (p->layers[i].type) {
		case RIG_L_IP4:
			from = 12, to = 20;
			break;
		case RIG_L_IP6:
			from = 8, to = 40;
			break;
		case RIG_L_TCP:
		case RIG_L_UDP:
			to = 4;
			break;
		}
		for (j = from; j < to; j++)
			h = (h ^ q[j]) * 16777619u;
	}
	return h ? h : 1;
}

void rig_fini(struct rig_packet *p)
{
	int i;

	for (i = p->nr_layers - 1; i >= 0; i--)
		fini_layer(p, i);
	p->g.csum = RIG_CSUM_UNNECESSARY;
	p->g.head = RIG_HEAD_NAPI;
	p->g.tailroom = 128;
	p->g.flags |= RIG_P_HASH | RIG_P_L4_HASH;
	p->g.hash = flow_hash(p);
	rig_shape(p, p->hdr_len, 0);
}

/* linear bytes, the rest in fragments of at most frag_size (0: as few as there can be). */
void rig_shape(struct rig_packet *p, uint32_t linear, uint32_t frag_size)
{
	uint32_t rest;

	if (linear > p->len)
		linear = p->len;
	rest = p->len - linear;
	if (!frag_size)
		frag_size = p->g.frag == RIG_FRAG_POOL ? 4096 : 32768;
	if (rest > frag_size * (uint64_t)RIG_MAX_FRAGS)
		frag_size = (rest + RIG_MAX_FRAGS - 1) / RIG_MAX_FRAGS;
	p->g.linear = linear;
	p->g.nr_frags = 0;
	p->g.nr_list = 0;
	while (rest) {
		uint32_t n = rest < frag_size ? rest : frag_size;

		p->frags[p->g.nr_frags++] = n;
		rest -= n;
	}
}
