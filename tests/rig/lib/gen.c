// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <arpa/inet.h>
#include <string.h>

#include "gen.h"

/* splitmix64 */
uint32_t rnd(struct rng *r)
{
	uint64_t z = (r->s += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return (z ^ (z >> 31)) >> 16;
}

uint32_t below(struct rng *r, uint32_t n)
{
	return n ? rnd(r) % n : 0;
}

bool percent(struct rng *r, uint32_t p)
{
	return below(r, 100) < p;
}

bool permille(struct rng *r, uint32_t p)
{
	return below(r, 1000) < p;
}

struct spec {
	uint32_t weight;
	const char *spec;
};

static const struct spec specs[] = {
	{ 30, "ip4/tcp" }, { 25, "ip6/tcp" }, { 4, "ip6/dst/tcp" }, { 3, "ip6/hbh/rt/dst/tcp" },
	{ 2, "vlan/ip4/tcp" }, { 2, "qinq/vlan/ip6/tcp" },
	{ 4, "ip4/ip4/tcp" }, { 4, "ip4/ip6/tcp" }, { 4, "ip6/ip6/tcp" }, { 4, "ip6/ip4/tcp" },
	{ 3, "ip4/gre/ip4/tcp" }, { 3, "ip4/grek/ip6/tcp" }, { 2, "ip4/grec/ip4/tcp" },
	{ 2, "ip6/gre/ip6/tcp" }, { 1, "ip4/gre/eth/ip4/tcp" },
	{ 2, "ip4/udp/vxlan/eth/ip4/tcp" }, { 1, "ip6/udp/vxlan/eth/ip6/tcp" },
	{ 1, "ip4/udp/geneve/eth/ip4/tcp" }, { 1, "ip4/ip4/ip4/tcp" },
	{ 4, "ip4/udp" }, { 3, "ip6/udp" }, { 1, "mpls/ip4/tcp" }, { 1, "pppoe/ip4/tcp" },
	{ 1, "ip4/gre/ip4/ip4/tcp" }, { 1, "ip6/dst/ip4/tcp" }, { 1, "vlan/ip4/ip6/dst/tcp" },
};

bool gen_udp, gen_gre;

static const struct spec udp_specs[] = {
	{ 25, "ip4/udp" }, { 20, "ip6/udp" }, { 4, "ip6/dst/udp" }, { 2, "ip6/hbh/rt/dst/udp" }, { 2, "vlan/ip4/udp" },
	{ 4, "ip4/ip4/udp" }, { 4, "ip4/ip6/udp" }, { 4, "ip6/ip6/udp" }, { 4, "ip6/ip4/udp" },
	{ 3, "ip4/gre/ip4/udp" }, { 2, "ip4/grek/ip6/udp" }, { 2, "ip6/gre/ip6/udp" }, { 1, "ip4/gre/eth/ip4/udp" },
	{ 4, "ip4/udp/vxlan/eth/ip4/udp" }, { 2, "ip6/udp/vxlan/eth/ip6/udp" }, { 2, "ip4/udp/geneve/eth/ip4/udp" },
	{ 3, "ip4/udp/vxlan/eth/ip4/tcp" }, { 1, "ip6/udp/geneve/eth/ip6/tcp" }, { 1, "ip4/udp/vxlan/eth/ip4/ip4/udp" },
};

static const struct spec gre_specs[] = {
	{ 10, "ip4/gre/ip4/tcp" }, { 8, "ip4/gre/ip6/tcp" }, { 8, "ip4/grek/ip4/tcp" }, { 6, "ip4/grek/ip6/tcp" },
	{ 8, "ip4/grec/ip4/tcp" }, { 6, "ip4/grec/ip6/tcp" }, { 3, "ip4/gres/ip4/tcp" }, { 6, "ip6/gre/ip4/tcp" },
	{ 6, "ip6/gre/ip6/tcp" }, { 4, "ip6/grek/ip6/tcp" }, { 4, "ip6/grec/ip4/tcp" }, { 4, "ip4/gre/eth/ip4/tcp" },
	{ 3, "ip6/grek/eth/ip6/tcp" }, { 2, "ip4/gre/ip4/ip4/tcp" }, { 2, "ip4/gre/ip4/gre/ip4/tcp" }, { 2, "ip4/ip4/gre/ip4/tcp" },
	{ 2, "ip4/gre/ip4/udp" }, { 1, "vlan/ip4/grek/ip4/tcp" }, { 1, "ip6/dst/gre/ip6/tcp" },
};

static const char *pick_spec(struct rng *r)
{
	const struct spec *from = gen_udp ? udp_specs : gen_gre ? gre_specs : specs;
	uint32_t nr = gen_udp ? sizeof(udp_specs) / sizeof(*udp_specs) :
		      gen_gre ? sizeof(gre_specs) / sizeof(*gre_specs) : sizeof(specs) / sizeof(*specs);
	uint32_t i, sum = 0, x;

	for (i = 0; i < nr; i++)
		sum += from[i].weight;
	x = below(r, sum);
	for (i = 0; x >= from[i].weight; i++)
		x -= from[i].weight;
	return from[i].spec;
}

enum { OPT_TS, OPT_NONE, OPT_MD5, OPT_SACK, OPT_MAX };
enum { ID_INC, ID_FIXED, ID_RANDOM, ID_ZERO, ID_MAX };

static void flow_pick(struct rng *r, struct gen_flow *f, uint32_t id)
{
	static const uint32_t mss[] = { 100, 100, 100, 64, 200, 536, 1448, 1400, 1, 9 };

	memset(f, 0, sizeof(*f));
	f->spec = pick_spec(r);
	f->id = id;
	f->mss = mss[below(r, sizeof(mss) / sizeof(*mss))];
	f->seq = percent(r, 10) ? 0xffffff00 + below(r, 255) : rnd(r);
	f->ack = rnd(r);
	f->tsval = rnd(r);
	f->index = percent(r, 10) ? 65530 : below(r, 60000);
	f->opts = percent(r, 60) ? OPT_TS : below(r, OPT_MAX);
	f->id_mode = percent(r, 60) ? ID_INC : below(r, ID_MAX);
	f->tos = percent(r, 80) ? 0 : rnd(r);
	f->ttl = percent(r, 80) ? 64 : rnd(r) | 1;
	f->df = percent(r, 85);
	f->flow_label = percent(r, 70) ? 0 : rnd(r) & 0xfffff;
	/* Without a hash, with one, or all in one bucket. */
	f->hash = percent(r, 15) ? 0 : percent(r, 30) ? 8 * (id + 1) : rnd(r);
	f->gso = percent(r, 8) ? 2 + below(r, 4) : 0;
	f->no_csum = percent(r, 20);
}

/* Which header carries the numbers that the flow counts. */
static void fill_ip(struct rng *r, const struct gen_flow *f, struct rig_packet *p)
{
	uint8_t *q;
	int i;

	for (i = 0; (q = rig_hdr(p, RIG_L_IP4, i)); i++) {
		uint16_t id = f->index;

		if (f->id_mode == ID_FIXED)
			id = 4711;
		else if (f->id_mode == ID_ZERO)
			id = 0;
		else if (f->id_mode == ID_RANDOM)
			id = rnd(r);
		id = htons(id);
		memcpy(q + 4, &id, 2);
		q[1] = f->tos;
		q[8] = f->ttl;
		if (!f->df)
			q[6] &= ~0x40;
	}
	for (i = 0; (q = rig_hdr(p, RIG_L_IP6, i)); i++) {
		q[0] = 0x60 | f->tos >> 4;
		q[1] = f->tos << 4 | f->flow_label >> 16;
		q[2] = f->flow_label >> 8;
		q[3] = f->flow_label;
		q[7] = f->ttl;
	}
}

static uint32_t tcp_options(const struct gen_flow *f, uint8_t *opts)
{
	uint32_t ts = htonl(f->tsval), len = 0;

	switch (f->opts) {
	case OPT_TS:
		memcpy(opts, "\x01\x01\x08\x0a", 4);
		memcpy(opts + 4, &ts, 4);
		memcpy(opts + 8, "\x00\x00\x20\x00", 4);
		len = 12;
		break;
	case OPT_MD5:
		memcpy(opts, "\x01\x01\x13\x12", 4);
		memset(opts + 4, f->tsval, 16);
		len = 20;
		break;
	case OPT_SACK:
		memcpy(opts, "\x01\x01\x05\x0a", 4);
		memset(opts + 4, 7, 8);
		len = 12;
		break;
	}
	return len;
}

/* Bytes and sequence number of the next packet of a flow, with what goes wrong on the way. */
static void next_tcp(struct rng *r, struct gen_flow *f, uint32_t *seq, uint32_t *size,
		     uint8_t *flags)
{
	*size = f->mss * (f->gso ? f->gso : 1);
	*flags = RIG_ACK;
	*seq = f->seq;
	if (percent(r, 6))
		*size = 1 + below(r, *size);
	else if (permille(r, 20))
		*size += 1 + below(r, 20);
	else if (permille(r, 20))
		*size = 0;
	if (permille(r, 30)) {
		static const int32_t jump[] = { 1, -1, 100, -100, 65536, -65536, 0x7fffffff };

		*seq += jump[below(r, 7)];
	}
	if (permille(r, 40))
		*flags |= RIG_PSH;
	if (permille(r, 25))
		*flags ^= 1 << below(r, 8);
	if (permille(r, 30))
		f->ack += 1 + below(r, 1000);
	if (permille(r, 60))
		f->tsval++;
	f->seq = *seq + *size;
}

static void gso_fields(struct rng *r, const struct gen_flow *f, struct rig_packet *p, uint32_t size)
{
	bool v6 = false;
	int i;

	if (!f->gso || size <= f->mss)
		return;
	for (i = 0; i < p->nr_layers; i++)
		if (p->layers[i].type == RIG_L_IP4 || p->layers[i].type == RIG_L_IP6)
			v6 = p->layers[i].type == RIG_L_IP6;
	p->g.gso_size = f->mss;
	p->g.gso_segs = (size + f->mss - 1) / f->mss;
	p->g.gso_type = v6 ? RIG_GSO_TCPV6 : RIG_GSO_TCPV4;
	if (permille(r, 50))
		p->g.gso_segs = below(r, 4);
	if (permille(r, 30))
		p->g.gso_size = 1 + below(r, 2 * f->mss);
	if (permille(r, 50))
		p->g.gso_type |= RIG_GSO_DODGY;
	if (permille(r, 20))
		p->g.gso_type |= RIG_GSO_TCP_ECN;
	if (permille(r, 20))
		p->g.gso_type |= RIG_GSO_TCP_FIXEDID;
}

static void gen_packet(struct rng *r, struct gen_flow *f, const struct gen_shape *shape,
		       struct rig_packet *p)
{
	struct rig_spec s = { .flow = f->id, .no_ts = true };
	struct rig_layer *l;
	bool tcp, mutated = percent(r, 12);
	uint32_t seq = 0, size = f->mss;
	uint8_t opts[40], *q;

	/* Headers first, without payload. */
	rig_spec_build(p, f->spec, &s);
	tcp = rig_layer(p, RIG_L_TCP, 0);
	fill_ip(r, f, p);
	if (tcp) {
		uint8_t flags;
		uint32_t optlen, be;

		next_tcp(r, f, &seq, &size, &flags);
		optlen = tcp_options(f, opts);
		l = rig_layer(p, RIG_L_TCP, 0);
		memcpy(rig_push(p, optlen), opts, optlen);
		l->len += optlen;
		p->hdr_len = p->len;
		q = p->frame + l->off;
		be = htonl(seq);
		memcpy(q + 4, &be, 4);
		be = htonl(f->ack);
		memcpy(q + 8, &be, 4);
		q[12] = (20 + optlen) / 4 << 4;
		q[13] = flags;
		if (percent(r, 20))
			q[15] = rnd(r);		/* window */
	} else {
		seq = f->index * f->mss;
		if (percent(r, 8))
			size = below(r, size + 1);
		else if (permille(r, 20))
			size += 1 + below(r, 20);
	}
	l = rig_layer(p, RIG_L_UDP, 0);
	if (l && f->no_csum)
		l->no_csum = true;
	rig_payload(p, size, seq);
	if (mutated && percent(r, 60))
		mutate_headers(r, p);
	rig_fini(p);
	if (mutated && percent(r, 50))
		mutate_frame(r, p);
	p->g.hash = f->hash;
	p->g.flags |= RIG_P_HASH | RIG_P_L4_HASH;
	if (permille(r, 10))
		p->g.hash ^= 1 << below(r, 6);
	gen_shape_apply(r, shape, p);
	if (tcp)
		gso_fields(r, f, p, size);
	/* The rig takes no GSO packets with lists, and sends no segments of fragments. */
	if (p->g.gso_size && p->g.nr_list) {
		p->g.gso_size = 0;
		p->g.gso_segs = 0;
		p->g.gso_type = 0;
	}
	f->index += p->g.gso_segs ? p->g.gso_segs : 1;
	if (permille(r, 20))
		f->index += below(r, 3);
}

static void limits_pick(struct rng *r, struct gen_seq *s)
{
	static const uint32_t sizes[] = { 65536, 65536, 65536, 65536, 65536, 200000, 524280, 4000 };
	uint32_t x = below(r, 12);

	s->gro_max = x < 8 ? sizes[x] : 300 + below(r, 8000);
	s->gro_max4 = percent(r, 90) ? s->gro_max : 300 + below(r, 70000);
	s->features = RIG_FEAT_GRO | RIG_FEAT_RXCSUM;
	if (percent(r, 10))
		s->features |= RIG_FEAT_GRO_FRAGLIST;
	if (percent(r, gen_udp ? 80 : 8))
		s->features |= RIG_FEAT_GRO_UDP_FWD;
	if (gen_udp && percent(r, 30))
		s->features |= RIG_FEAT_GRO_FRAGLIST;
}

void gen_sequence(struct gen_seq *s, uint64_t seed, uint32_t n)
{
	struct rng rng = { seed * 0x2545f4914f6cdd1dull + n }, *r = &rng;
	uint32_t nr_flows, nr, i, at = 0;
	struct gen_flow flows[4];
	struct gen_shape shape, odd;

	memset(s, 0, sizeof(*s));
	rnd(r);
	limits_pick(r, s);
	nr_flows = percent(r, 55) ? 1 : 2 + below(r, 3);
	for (i = 0; i < nr_flows; i++) {
		flow_pick(r, &flows[i], i);
		/* Often the same kind of flow, so that they meet in everything but the ports. */
		if (i && percent(r, 60)) {
			flows[i].spec = flows[0].spec;
			if (percent(r, 50))
				flows[i].hash = flows[0].hash;
		}
	}
	/* Now and then long enough for 64 KiB. */
	nr = percent(r, 3) ? 60 + below(r, 60) : 2 + below(r, 24);
	if (nr >= 60)
		flows[0].mss = 1448;
	gen_shape_pick(r, &shape);
	/* A datagram whose checksum is known otherwise overtakes the chain of its flow natively; the policy does not let it. */
	shape.one_csum = gen_udp && s->features & RIG_FEAT_GRO_FRAGLIST;
	if (shape.one_csum) {
		shape.csum = RIG_CSUM_UNNECESSARY;
		shape.csum_level = 3;
	}
	for (i = 0; i < nr; i++) {
		uint32_t f = percent(r, 70) ? at : below(r, nr_flows);
		const struct gen_shape *use = &shape;

		at = f;
		if (percent(r, 6)) {
			gen_shape_pick(r, &odd);
			gen_shape_meta(&odd, shape.meta_len);
			odd.one_csum = shape.one_csum;
			/* Natively UDP joins what the device has decrypted with what it has not; the module does not. */
			if (gen_udp)
				odd.flags = (odd.flags & ~RIG_P_DECRYPTED) | (shape.flags & RIG_P_DECRYPTED);
			if (odd.one_csum) {
				odd.csum = shape.csum;
				odd.csum_level = shape.csum_level;
			}
			use = &odd;
		}
		gen_packet(r, &flows[f], use, rig_train_add(&s->train));
	}
	s->nr_trains = percent(r, 70) ? 1 : 2 + below(r, GEN_MAX_TRAINS - 1);
	for (i = 0; i < (uint32_t)s->nr_trains; i++)
		s->end[i] = nr * (i + 1) / s->nr_trains;
}

void gen_free(struct gen_seq *s)
{
	rig_train_free(&s->train);
}

void gen_print(FILE *f, const struct gen_seq *s, bool hex)
{
	uint32_t i;
	int t = 0;

	fprintf(f, "features%s%s%s gro_max %u/%u\n", s->features & RIG_FEAT_GRO ? " gro" : "",
		s->features & RIG_FEAT_GRO_FRAGLIST ? " gro-list" : "",
		s->features & RIG_FEAT_GRO_UDP_FWD ? " udp-fwd" : "", s->gro_max, s->gro_max4);
	for (i = 0; i < s->train.nr; i++) {
		if (i == s->end[t]) {
			fprintf(f, "-- next train --\n");
			t++;
		}
		fprintf(f, "in %3u ", i + 1);
		rig_print_packet(f, &s->train.p[i], hex);
	}
}

/* Feeds the parts of a sequence, the poll open in between; what came up, split too. */
int gen_run(struct rig *rig, const struct gen_seq *s, struct rig_outs *out)
{
	uint32_t from = 0;
	int i, err;

	err = rig_set(rig, s->features, s->gro_max, s->gro_max4);
	for (i = 0; !err && i < s->nr_trains; i++) {
		struct rig_train part = { s->train.p + from, s->end[i] - from, 0 };

		err = rig_feed(rig, &part, i + 1 < s->nr_trains ? RIG_FEED_HOLD : 0);
		from = s->end[i];
	}
	if (err) {
		rig_flush(rig);
		return err;
	}
	return rig_read_all(rig, out, RIG_READ_SPLIT);
}
