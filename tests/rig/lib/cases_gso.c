// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Cases 8, 11, 12, 18, 32: packets that the device joined already. */
#include "cases.h"

/* nr packets of so many segments each, IDs as on the wire. */
static void lro_train(struct ctx *c, const char *spec, uint32_t nr, uint32_t segs, uint32_t mss,
		      uint32_t type)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		struct rig_spec s = { .index = i * segs, .seq = i * segs * mss, .size = segs * mss };
		struct rig_packet *p = add_spec(c, spec, &s);

		p->g.gso_size = mss;
		p->g.gso_segs = segs;
		p->g.gso_type = type;
	}
}

static void t_lro(struct ctx *c)
{
	lro_train(c, "tcp4", 4, 4, 1448, RIG_GSO_TCPV4);
	run_train(c, 0);
	expect_segs(c, 16);
	expect(c, case_out(c, 0)->nr_segs == 16, "split into %u", case_out(c, 0)->nr_segs);
}

static void t_lro6(struct ctx *c)
{
	lro_train(c, "tcp6", 3, 5, 1428, RIG_GSO_TCPV6);
	run_train(c, 0);
	expect_segs(c, 15);
	expect(c, case_out(c, 0)->nr_segs == 15, "split into %u", case_out(c, 0)->nr_segs);
}

static void t_lro_alone(struct ctx *c)
{
	lro_train(c, "tcp4", 1, 4, 1448, RIG_GSO_TCPV4);
	run_train(c, 0);
	expect_segs(c, 4);
}

/* One of them, then plain packets of the same size: they join. */
static void t_lro_then_plain(struct ctx *c)
{
	uint32_t i;

	lro_train(c, "tcp4", 1, 4, 1448, RIG_GSO_TCPV4);
	for (i = 4; i < 8; i++)
		add(c, "tcp4", 0, i, 1448);
	run_train(c, 0);
	expect_segs(c, 8);
	expect(c, case_out(c, 0)->nr_segs == 8, "split into %u", case_out(c, 0)->nr_segs);
}

/* The other way: the held packet takes on the joined one. */
static void t_plain_then_lro(struct ctx *c)
{
	struct rig_spec s = { .index = 2, .seq = 2 * 1448, .size = 4 * 1448 };
	struct rig_packet *p;

	case_train(c, "tcp4", 2);
	p = add_spec(c, "tcp4", &s);
	p->g.gso_size = 1448;
	p->g.gso_segs = 4;
	p->g.gso_type = RIG_GSO_TCPV4;
	run_train(c, 0);
	expect_segs(c, 6);
	expect(c, case_out(c, 0)->nr_segs == 6, "split into %u", case_out(c, 0)->nr_segs);
}

/* Its last segment short: it ends an aggregate, as a short packet does. */
static void t_lro_short_tail(struct ctx *c)
{
	struct rig_spec s = { .index = 4, .seq = 4 * 1448, .size = 2 * 1448 + 100 };
	struct rig_packet *p;

	lro_train(c, "tcp4", 1, 4, 1448, RIG_GSO_TCPV4);
	p = add_spec(c, "tcp4", &s);
	p->g.gso_size = 1448;
	p->g.gso_segs = 3;
	p->g.gso_type = RIG_GSO_TCPV4;
	run_train(c, 0);
	expect_segs(c, 7);
}

static void t_lro_size_differs(struct ctx *c)
{
	struct rig_spec s = { .index = 4, .seq = 4 * 1448, .size = 4 * 1400 };
	struct rig_packet *p;

	lro_train(c, "tcp4", 1, 4, 1448, RIG_GSO_TCPV4);
	p = add_spec(c, "tcp4", &s);
	p->g.gso_size = 1400;
	p->g.gso_segs = 4;
	p->g.gso_type = RIG_GSO_TCPV4;
	run_train(c, 0);
	expect_segs(c, 4, 4);
	expect(c, case_out(c, 1)->gso_size == 1400, "gso_size %u", case_out(c, 1)->gso_size);
}

static void t_lro_segs_unset(struct ctx *c)
{
	lro_train(c, "tcp4", 1, 4, 1448, RIG_GSO_TCPV4);
	c->t.p[0].g.gso_segs = 0;
	run_train(c, 0);
	expect(c, c->out.nr == 1 && case_out(c, 0)->gso_size == 1448, "%u packets, gso_size %u",
	       c->out.nr, case_out(c, 0)->gso_size);
	expect(c, case_out(c, 0)->nr_segs == 4, "split into %u", case_out(c, 0)->nr_segs);
	todo(c, "native GRO counts gso_segs as the driver gave it: 0");
	expect(c, case_out(c, 0)->gso_segs >= 1, "gso_segs %u", case_out(c, 0)->gso_segs);
}

/* From an untrusted source: passed on, not joined, nothing changed. */
static void t_dodgy(struct ctx *c)
{
	lro_train(c, "tcp4", 2, 4, 1448, RIG_GSO_TCPV4 | RIG_GSO_DODGY);
	run_train(c, 0);
	expect_segs(c, 4, 4);
	expect(c, case_out(c, 0)->gso_type == (RIG_GSO_TCPV4 | RIG_GSO_DODGY), "gso_type %x",
	       case_out(c, 0)->gso_type);
}

static void t_vxlan_dodgy(struct ctx *c)
{
	struct rig_packet *p = add(c, "vxlan-tcp4", 0, 0, 4 * 1348);

	p->g.gso_size = 1348;
	p->g.gso_type = RIG_GSO_TCPV4 | RIG_GSO_DODGY | RIG_GSO_UDP_TUNNEL;
	p->g.flags |= RIG_P_ENCAP;
	run_train(c, 0);
	expect(c, c->out.nr == 1, "%u packets", c->out.nr);
	expect(c, case_out(c, 0)->gso_size == 1348, "gso_size %u", case_out(c, 0)->gso_size);
	todo(c, "native GRO passes gso_segs 0 on");
	expect(c, case_out(c, 0)->gso_segs >= 1, "gso_segs %u", case_out(c, 0)->gso_segs);
}

/* One segment, full: no GSO packet any more. */
static void t_one_segment(struct ctx *c)
{
	lro_train(c, "tcp4", 1, 1, 1448, RIG_GSO_TCPV4);
	run_train(c, 0);
	expect(c, c->out.nr == 1 && case_out(c, 0)->gso_size == 0, "%u packets, gso_size %u",
	       c->out.nr, case_out(c, 0)->gso_size);
	expect_sent(c);
}

/* One segment, not full: not held, and as the device gave it. Only a sender could clear it. */
static void t_one_short(struct ctx *c)
{
	struct rig_packet *p = add(c, "tcp4", 0, 0, 1000);

	p->g.gso_size = 1448;
	p->g.gso_segs = 1;
	p->g.gso_type = RIG_GSO_TCPV4;
	run_train(c, 0);
	expect(c, c->out.nr == 1 && case_out(c, 0)->frame_len == 1066, "%u packets of %u bytes",
	       c->out.nr, case_out(c, 0)->frame_len);
	expect(c, case_out(c, 0)->ip_summed == RIG_CSUM_UNNECESSARY, "ip_summed %u",
	       case_out(c, 0)->ip_summed);
}

/* In a tunnel: afterwards gso_type says so. */
static void t_lro_ipip(struct ctx *c)
{
	lro_train(c, "ipip-tcp4", 2, 4, 1400, RIG_GSO_TCPV4);
	run_train(c, 0);
	expect_segs(c, 8);
	expect(c, case_out(c, 0)->gso_type & RIG_GSO_IPXIP4, "gso_type %x", case_out(c, 0)->gso_type);
	expect(c, case_out(c, 0)->flags & RIG_O_ENCAP, "flags %x", case_out(c, 0)->flags);
}

static void t_lro_vxlan(struct ctx *c)
{
	if (!case_device(c, "vxlan", "type vxlan dstport 4789 external"))
		return;
	lro_train(c, "vxlan-tcp4", 2, 4, 1348, RIG_GSO_TCPV4);
	run_train(c, 0);
	expect_segs(c, 8);
	expect(c, case_out(c, 0)->gso_type & RIG_GSO_UDP_TUNNEL, "gso_type %x",
	       case_out(c, 0)->gso_type);
	case_devices_gone();
}

/* Longer than MTU - 40: gso_size is what the packet has, not what the MTU allows. */
static void t_long_segment(struct ctx *c)
{
	uint32_t i;

	for (i = 0; i < 4; i++)
		add(c, "tcp4", 0, i, 12000);
	run_train(c, 0);
	expect_segs(c, 4);
	expect(c, case_out(c, 0)->gso_size == 12000, "gso_size %u", case_out(c, 0)->gso_size);
	expect_sent(c);
}

static void t_longer_second(struct ctx *c)
{
	struct rig_spec s = { .index = 1, .seq = 1448, .size = 1449 };

	add(c, "tcp4", 0, 0, 1448);
	add_spec(c, "tcp4", &s);
	run_train(c, 0);
	expect_segs(c, 1, 1);
	expect_sent(c);
}

static void t_shorter_second(struct ctx *c)
{
	struct rig_spec s = { .index = 1, .seq = 1448, .size = 1447 };

	add(c, "tcp4", 0, 0, 1448);
	add_spec(c, "tcp4", &s);
	s = (struct rig_spec) { .index = 2, .seq = 1448 + 1447, .size = 1448 };
	add_spec(c, "tcp4", &s);
	run_train(c, 0);
	expect_segs(c, 2, 1);
	expect_sent(c);
}

static const struct test tests[] = {
	{ "08-lro-joins", t_lro, 0, 0 },
	{ "08-lro-joins-ipv6", t_lro6, 0, 0 },
	{ "08-lro-alone", t_lro_alone, 0, 0 },
	{ "08-lro-then-plain", t_lro_then_plain, 0, 0 },
	{ "08-plain-then-lro", t_plain_then_lro, 0, 0 },
	{ "08-lro-short-tail", t_lro_short_tail, 0, 0 },
	{ "08-lro-size-differs", t_lro_size_differs, 0, 0 },
	{ "08-lro-segs-unset", t_lro_segs_unset, 0, 0 },
	{ "11-dodgy", t_dodgy, 0, 0 },
	{ "11-vxlan-dodgy-segs-unset", t_vxlan_dodgy, 0, 0 },
	{ "12-one-segment-left", t_one_segment, 0, 0 },
	{ "12-one-segment-not-full", t_one_short, 0, 0 },
	{ "18-lro-in-ipip", t_lro_ipip, 0, 0 },
	{ "18-lro-in-vxlan", t_lro_vxlan, 0, 0 },
	{ "32-longer-than-mtu", t_long_segment, 0, 0 },
	{ "32-second-longer", t_longer_second, 0, 0 },
	{ "32-second-shorter", t_shorter_second, 0, 0 },
};

SET(cases_gso, tests);
