// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The native rules, field by field, and cases 28 and 29. Two trains per field:
 * in a row: A then B, which follows it in sequence but differs in the field: never joined;
 * crossed: A0 B0 A1 B1, A and B each in sequence: fields that make another flow leave the held
 * packet alone (2 2), fields of the same flow flush it (1 1 1 1).
 */
#include <string.h>

#include "cases.h"

enum { OTHER_FLOW, FLUSHES };

/* What differs: a byte of the frame, or something beside it. */
struct field {
	const char *name, *spec;
	int kind;
	enum rig_layer_type layer;
	int nth;
	uint16_t off;
	uint8_t xor;
};

static const struct field fields[] = {
	{ "mac", "ip4/tcp", OTHER_FLOW, RIG_L_ETH, 0, 11, 1 },
	{ "source address", "ip4/tcp", OTHER_FLOW, RIG_L_IP4, 0, 15, 1 },
	{ "destination address", "ip4/tcp", OTHER_FLOW, RIG_L_IP4, 0, 19, 1 },
	{ "source port", "ip4/tcp", OTHER_FLOW, RIG_L_TCP, 0, 1, 1 },
	{ "destination port", "ip4/tcp", OTHER_FLOW, RIG_L_TCP, 0, 3, 1 },
	{ "IPv6 source", "ip6/tcp", OTHER_FLOW, RIG_L_IP6, 0, 23, 1 },
	{ "IPv6 destination", "ip6/tcp", OTHER_FLOW, RIG_L_IP6, 0, 39, 1 },
	{ "flow label", "ip6/tcp", OTHER_FLOW, RIG_L_IP6, 0, 3, 1 },
	{ "IPv6 source port", "ip6/tcp", OTHER_FLOW, RIG_L_TCP, 0, 1, 1 },
	{ "extension header byte", "ip6/dst/tcp", OTHER_FLOW, RIG_L_EXT, 0, 7, 1 },
	{ "inner source address", "ip4/ip4/tcp", OTHER_FLOW, RIG_L_IP4, 1, 15, 1 },
	{ "outer source address", "ip4/ip4/tcp", OTHER_FLOW, RIG_L_IP4, 0, 15, 1 },
	{ "inner port", "ip6/ip6/tcp", OTHER_FLOW, RIG_L_TCP, 0, 1, 1 },
	{ "VLAN in the frame", "vlan/ip4/tcp", OTHER_FLOW, RIG_L_VLAN, 0, 1, 1 },
	{ "GRE key", "ip4/grek/ip4/tcp", OTHER_FLOW, RIG_L_GRE, 0, 7, 1 },
	{ "TTL", "ip4/tcp", FLUSHES, RIG_L_IP4, 0, 8, 1 },
	{ "TOS", "ip4/tcp", FLUSHES, RIG_L_IP4, 0, 1, 0x10 },
	{ "ECN", "ip4/tcp", FLUSHES, RIG_L_IP4, 0, 1, 3 },
	{ "DF", "ip4/tcp", FLUSHES, RIG_L_IP4, 0, 6, 0x40 },
	{ "ID", "ip4/tcp", FLUSHES, RIG_L_IP4, 0, 4, 0x80 },
	{ "hop limit", "ip6/tcp", FLUSHES, RIG_L_IP6, 0, 7, 1 },
	{ "traffic class", "ip6/tcp", FLUSHES, RIG_L_IP6, 0, 1, 0x10 },
	{ "ack", "ip4/tcp", FLUSHES, RIG_L_TCP, 0, 11, 2 },
	{ "ack, IPv6", "ip6/tcp", FLUSHES, RIG_L_TCP, 0, 11, 2 },
	{ "ECE", "ip4/tcp", FLUSHES, RIG_L_TCP, 0, 13, RIG_ECE },
	{ "timestamp", "ip4/tcp", FLUSHES, RIG_L_TCP, 0, 27, 1 },
	{ "timestamp echo", "ip6/tcp", FLUSHES, RIG_L_TCP, 0, 31, 1 },
	{ "sequence gap", "ip4/tcp", FLUSHES, RIG_L_TCP, 0, 4, 0x40 },
	{ "inner TTL", "ip4/ip4/tcp", FLUSHES, RIG_L_IP4, 1, 8, 1 },
	{ "outer TTL", "ip4/ip4/tcp", FLUSHES, RIG_L_IP4, 0, 8, 1 },
	{ "outer TOS", "ip4/ip6/tcp", FLUSHES, RIG_L_IP4, 0, 1, 0x10 },
	{ "inner hop limit", "ip6/ip6/tcp", FLUSHES, RIG_L_IP6, 1, 7, 1 },
};

static void spoil(struct rig_packet *p, const struct field *f)
{
	uint8_t *q = rig_hdr(p, f->layer, f->nth);

	q[f->off] ^= f->xor;
	rig_fini(p);
	/* The hash is the device's: the same, or the packets would not even meet. */
	p->g.hash = 0x1234;
}

static struct rig_packet *one_of(struct ctx *c, const struct field *f, uint32_t i)
{
	struct rig_packet *p = add(c, f->spec, 0, i, 1000);

	p->g.hash = 0x1234;
	return p;
}

static void check_row(struct ctx *c, const struct field *f)
{
	again(c);
	one_of(c, f, 0);
	spoil(one_of(c, f, 1), f);
	run_train(c, 0);
	if (c->out.nr != 2)
		expect(c, false, "%s differs: %u packets", f->name, c->out.nr);
	expect_sent(c);
}

static void check_crossed(struct ctx *c, const struct field *f)
{
	again(c);
	one_of(c, f, 0);
	spoil(one_of(c, f, 0), f);
	one_of(c, f, 1);
	spoil(one_of(c, f, 1), f);
	run_train(c, 0);
	if (c->out.nr != (f->kind == OTHER_FLOW ? 2 : 4))
		expect(c, false, "%s crossed: %u packets", f->name, c->out.nr);
	expect_sent(c);
}

static void check_joined(struct ctx *c, const struct field *f)
{
	again(c);
	one_of(c, f, 0);
	one_of(c, f, 1);
	run_train(c, 0);
	if (c->out.nr != 1)
		expect(c, false, "%s equal: %u packets", f->name, c->out.nr);
	expect_sent(c);
}

static void t_fields(struct ctx *c, int kind)
{
	uint32_t i;

	for (i = 0; i < sizeof(fields) / sizeof(*fields) && !c->failed; i++) {
		if (fields[i].kind != kind)
			continue;
		check_joined(c, &fields[i]);
		if (!c->failed)
			check_row(c, &fields[i]);
		if (!c->failed)
			check_crossed(c, &fields[i]);
	}
}

static void t_other_flow(struct ctx *c)
{
	t_fields(c, OTHER_FLOW);
}

static void t_flushes(struct ctx *c)
{
	t_fields(c, FLUSHES);
}

static void t_hash(struct ctx *c)
{
	uint32_t i;

	case_train(c, "tcp4", 4);
	for (i = 0; i < 4; i++)
		c->t.p[i].g.hash = i % 2 ? 8 : 16;
	run_train(c, 0);
	/* One flow under two hashes is two: each with a gap. */
	expect(c, c->out.nr == 4, "%u packets", c->out.nr);
}

/* Native compares the window together with the flags (tcp_flag_word). */
static void t_window(struct ctx *c)
{
	uint32_t i;

	case_train(c, "tcp4", 4);
	for (i = 0; i < 4; i++) {
		c->t.p[i].frame[14 + 20 + 15] = i / 2;
		rig_fini(&c->t.p[i]);
	}
	run_train(c, 0);
	expect_segs(c, 2, 2);
	expect_sent(c);
}

static void t_psh_fin(struct ctx *c)
{
	static const uint8_t flags[] = { RIG_PSH, RIG_FIN };
	uint32_t i;

	for (i = 0; i < 2 && !c->failed; i++) {
		again(c);
		case_train(c, "tcp6", 4);
		c->t.p[1].frame[14 + 40 + 13] |= flags[i];
		rig_fini(&c->t.p[1]);
		run_train(c, 0);
		expect_segs(c, 2, 2);
		expect_sent(c);
	}
}

static void t_id(struct ctx *c)
{
	uint32_t i;

	/* Fixed, with DF. */
	for (i = 0; i < 4; i++) {
		struct rig_spec s = { .index = i, .seq = i * 1448, .size = 1448, .fixed_id = true };

		add_spec(c, "tcp4", &s);
	}
	run_train(c, 0);
	expect_segs(c, 4);
	expect(c, case_out(c, 0)->gso_type & RIG_GSO_TCP_FIXEDID, "gso_type %x",
	       case_out(c, 0)->gso_type);
	expect_sent(c);

	/* Counting over the end. */
	again(c);
	for (i = 0; i < 4; i++) {
		struct rig_spec s = { .index = 65456 + i, .seq = i * 1448, .size = 1448 };

		add_spec(c, "tcp4", &s);
	}
	run_train(c, 0);
	expect_segs(c, 4);
	expect_sent(c);
}

struct never {
	const char *name, *spec;
	enum rig_layer_type layer;
	uint16_t off;
	uint8_t xor;
	uint32_t size;
	int32_t len_delta;
	uint16_t csum_xor;
	uint32_t pad;
};

static const struct never nevers[] = {
	{ "pure ACK", "ip4/tcp", RIG_L_TCP, 13, 0, 0, 0, 0, 0 },
	{ "pure ACK, IPv6", "ip6/tcp", RIG_L_TCP, 13, 0, 0, 0, 0, 0 },
	{ "SYN", "ip4/tcp", RIG_L_TCP, 13, RIG_SYN, 100, 0, 0, 0 },
	{ "RST", "ip6/tcp", RIG_L_TCP, 13, RIG_RST, 100, 0, 0, 0 },
	{ "URG", "ip4/tcp", RIG_L_TCP, 13, RIG_URG, 100, 0, 0, 0 },
	{ "MF", "ip4/tcp", RIG_L_IP4, 6, 0x20, 100, 0, 0, 0 },
	{ "fragment offset", "ip4/tcp", RIG_L_IP4, 7, 4, 100, 0, 0, 0 },
	{ "bad header checksum", "ip4/tcp", RIG_L_IP4, 0, 0, 100, 0, 0x1234, 0 },
	{ "total length short", "ip4/tcp", RIG_L_IP4, 0, 0, 100, -10, 0, 0 },
	{ "total length long", "ip4/tcp", RIG_L_IP4, 0, 0, 100, 10, 0, 0 },
	{ "payload length short", "ip6/tcp", RIG_L_IP6, 0, 0, 100, -10, 0, 0 },
	{ "payload length long", "ip6/tcp", RIG_L_IP6, 0, 0, 100, 10, 0, 0 },
	{ "Ethernet padding", "ip4/tcp", RIG_L_IP4, 0, 0, 1, 0, 0, 6 },
	{ "version", "ip4/tcp", RIG_L_IP4, 0, 0x30, 100, 0, 0, 0 },
	{ "doff too short", "ip4/tcp", RIG_L_TCP, 12, 0xc0, 100, 0, 0, 0 },
	{ "doff past the end", "ip4/tcp", RIG_L_TCP, 12, 0x70, 4, 0, 0, 0 },
};

static void t_never(struct ctx *c)
{
	uint32_t i;

	for (i = 0; i < sizeof(nevers) / sizeof(*nevers) && !c->failed; i++) {
		const struct never *n = &nevers[i];
		struct rig_packet *p;
		struct rig_layer *l;
		uint8_t r = 99;

		again(c);
		p = add(c, n->spec, 0, 0, n->size);
		l = rig_layer(p, n->layer, 0);
		p->frame[l->off + n->off] ^= n->xor;
		l->len_delta = n->len_delta;
		l->csum_xor = n->csum_xor;
		rig_pad(p, n->pad);
		rig_fini(p);
		if (rig_feed_results(c->rig, &c->t, RIG_FEED_HOLD, &r))
			expect(c, false, "%s", rig_error(c->rig));
		expect(c, r == RIG_R_NORMAL, "%s: %s", n->name, rig_result_str(r));
		rig_flush(c->rig);
		read_out(c);
		expect(c, c->out.nr == 1, "%s: %u packets", n->name, c->out.nr);
		expect_sent(c);
	}
}

static void t_ip_options(struct ctx *c)
{
	uint32_t i;

	for (i = 0; i < 2; i++) {
		struct rig_packet *p = rig_train_add(&c->t);

		rig_eth(p, 1, 2);
		rig_ip4(p, 0x0a000001, 0x0a000002, i, 4);
		rig_tcp(p, 1000, 443, 1 + i * 100, 1, RIG_ACK, NULL, 0);
		rig_payload(p, 100, i);
		rig_fini(p);
	}
	run_train(c, 0);
	expect_segs(c, 1, 1);
	expect_sent(c);
}

static void t_frag6(struct ctx *c)
{
	uint32_t i;

	for (i = 0; i < 2; i++) {
		struct rig_packet *p = rig_train_add(&c->t);

		rig_eth(p, 1, 2);
		rig_ip6(p, 1, 2);
		rig_frag6(p, 1, 7);
		rig_tcp(p, 1000, 443, 1 + i * 100, 1, RIG_ACK, NULL, 0);
		rig_payload(p, 100, i);
		rig_fini(p);
	}
	run_train(c, 0);
	expect_segs(c, 1, 1);
	expect_sent(c);
}

/* TCP flags byte (13) and the AE bit (byte 12) of each packet, in turn. */
static void flags(struct ctx *c, uint8_t ae0, uint8_t f0, uint8_t ae1, uint8_t f1)
{
	uint32_t i;

	again(c);
	case_train(c, "tcp4", 8);
	for (i = 0; i < 8; i++) {
		c->t.p[i].frame[14 + 20 + 12] |= i % 2 ? ae1 : ae0;
		c->t.p[i].frame[14 + 20 + 13] |= i % 2 ? f1 : f0;
		rig_fini(&c->t.p[i]);
	}
	run_train(c, 0);
}

static void t_cwr(struct ctx *c)
{
	flags(c, 0, RIG_CWR, 0, RIG_CWR);
	if (kernel_since(7, 0)) {
		expect_segs(c, 8);
	} else {
		/* Before AccECN: CWR always flushes. */
		expect(c, c->out.nr == 8, "%u packets", c->out.nr);
	}
	expect_sent(c);
}

static void t_ece(struct ctx *c)
{
	flags(c, 0, RIG_ECE, 0, RIG_ECE);
	expect_segs(c, 8);
	expect_sent(c);
}

static void t_ece_toggles(struct ctx *c)
{
	flags(c, 0, RIG_ECE, 0, 0);
	expect(c, c->out.nr == 8, "%u packets", c->out.nr);
	case_in_order(c, __LINE__);
	expect_sent(c);
}

static void t_cwr_ece_toggles(struct ctx *c)
{
	flags(c, 0, RIG_CWR | RIG_ECE, 0, RIG_CWR);
	expect(c, c->out.nr == 8, "%u packets", c->out.nr);
	case_in_order(c, __LINE__);
	expect_sent(c);
}

static void t_cwr_differs(struct ctx *c)
{
	flags(c, 0, RIG_CWR, 0, 0);
	/* Before AccECN: one without CWR joined one with it, since GSO sets CWR on the first only. */
	expect(c, c->out.nr == (kernel_since(7, 0) ? 8 : 4), "%u packets", c->out.nr);
	case_in_order(c, __LINE__);
	expect_sent(c);
}

static void t_ae(struct ctx *c)
{
	flags(c, 1, 0, 1, 0);
	expect_segs(c, 8);
	expect_sent(c);
}

static void t_ae_toggles(struct ctx *c)
{
	flags(c, 1, 0, 0, 0);
	todo(c, "6.12 does not know the AE bit");
	expect(c, c->out.nr == 8 || !kernel_since(7, 0), "%u packets", c->out.nr);
	case_in_order(c, __LINE__);
}

/* An option of so many bytes whose content differs on each packet, or not. */
static void digests(struct ctx *c, uint8_t kind, uint8_t len, bool differ)
{
	uint8_t opts[40];
	uint32_t i;

	for (i = 0; i < 4; i++) {
		struct rig_packet *p = rig_train_add(&c->t);

		memset(opts, 1, sizeof(opts));
		opts[0] = kind;
		opts[1] = len;
		memset(opts + 2, differ ? i : 9, len - 2);
		rig_eth(p, 1, 2);
		rig_ip4(p, 0x0a000001, 0x0a000002, i, 0);
		rig_tcp(p, 1000, 179, 1 + i * 1000, 1, RIG_ACK, opts, (len + 3) & ~3);
		rig_payload(p, 1000, i);
		rig_fini(p);
	}
	run_train(c, 0);
	if (differ)
		expect_segs(c, 1, 1, 1, 1);
	else
		expect_segs(c, 4);
	expect_sent(c);
}

static void t_md5(struct ctx *c)
{
	digests(c, 19, 18, true);
}

static void t_ao(struct ctx *c)
{
	digests(c, 29, 16, true);
}

static void t_ao_long(struct ctx *c)
{
	digests(c, 29, 38, true);
}

static void t_options_same(struct ctx *c)
{
	digests(c, 253, 38, false);
}

static void t_sack(struct ctx *c)
{
	digests(c, 5, 10, true);
}

static const struct test tests[] = {
	{ "rules-another-flow", t_other_flow, 0, 0 },
	{ "rules-same-flow-flushes", t_flushes, 0, 0 },
	{ "rules-hash", t_hash, 0, 0 },
	{ "rules-window-differs", t_window, 0, 0 },
	{ "rules-psh-and-fin-join-and-flush", t_psh_fin, 0, 0 },
	{ "rules-id-fixed-and-counting", t_id, 0, 0 },
	{ "rules-never-held", t_never, 0, 0 },
	{ "rules-ipv4-options", t_ip_options, 0, 0 },
	{ "rules-ipv6-fragments", t_frag6, 0, 0 },
	{ "28-cwr-on-all", t_cwr, 0, 0 },
	{ "28-ece-on-all", t_ece, 0, 0 },
	{ "28-ece-toggles", t_ece_toggles, 0, 0 },
	{ "28-cwr-with-ece-toggling", t_cwr_ece_toggles, 0, 0 },
	{ "28-cwr-differs", t_cwr_differs, 0, 0 },
	{ "28-ae-on-all", t_ae, 0, 0 },
	{ "28-ae-toggles", t_ae_toggles, 0, 0 },
	{ "29-md5-differs", t_md5, 0, 0 },
	{ "29-ao-differs", t_ao, 0, 0 },
	{ "29-ao-38-bytes-differs", t_ao_long, 0, 0 },
	{ "29-options-equal", t_options_same, 0, 0 },
	{ "29-sack-differs", t_sack, 0, 0 },
};

SET(cases_flow, tests);
