// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Cases 13, 26, 27, 37: inner headers. */
#include <stdlib.h>
#include <string.h>

#include "cases.h"

#define VXLAN "type vxlan dstport 4789 external"

/* skb->encapsulation already 1 on receive: afterwards it is what complete made of it. */
static void t_encap_plain(struct ctx *c)
{
	uint32_t i;

	case_train(c, "tcp4", 8);
	for (i = 0; i < 8; i++)
		c->t.p[i].g.flags |= RIG_P_ENCAP;
	run_train(c, 0);
	expect_segs(c, 8);
	expect(c, !(case_out(c, 0)->flags & RIG_O_ENCAP), "still set");
	expect(c, case_out(c, 0)->csum_start == 34, "csum_start %d", case_out(c, 0)->csum_start);
	expect_sent(c);
}

static void t_encap_alone(struct ctx *c)
{
	case_train(c, "tcp4", 1);
	c->t.p[0].g.flags |= RIG_P_ENCAP;
	run_train(c, 0);
	expect_segs(c, 1);
	expect(c, case_out(c, 0)->flags & RIG_O_ENCAP, "lost on a packet nobody joined");
}

static void t_encap_tunnel(struct ctx *c)
{
	uint32_t i;

	case_train(c, "ipip-tcp4", 8);
	for (i = 0; i < 8; i++)
		c->t.p[i].g.flags |= RIG_P_ENCAP;
	run_train(c, 0);
	expect_segs(c, 8);
	expect(c, case_out(c, 0)->flags & RIG_O_ENCAP, "not set");
	expect(c, case_out(c, 0)->csum_start == 54, "csum_start %d", case_out(c, 0)->csum_start);
	expect_sent(c);
}

static void t_encap_vxlan(struct ctx *c)
{
	uint32_t i;

	if (!case_device(c, "vxlan", VXLAN))
		return;
	case_train(c, "vxlan-tcp4", 8);
	for (i = 0; i < 8; i++) {
		c->t.p[i].g.flags |= RIG_P_ENCAP;
		c->t.p[i].g.csum_level = 1;
	}
	run_train(c, 0);
	expect_segs(c, 8);
	expect(c, case_out(c, 0)->gso_type & RIG_GSO_UDP_TUNNEL, "gso_type %x",
	       case_out(c, 0)->gso_type);
	expect_sent(c);
	case_devices_gone();
}

static const struct {
	const char *spec;
	uint32_t type;
} tunnels[] = {
	{ "ipip-tcp4", RIG_GSO_TCPV4 | RIG_GSO_IPXIP4 },
	{ "sit-tcp6", RIG_GSO_TCPV6 | RIG_GSO_IPXIP4 },
	{ "ip6ip6-tcp6", RIG_GSO_TCPV6 | RIG_GSO_IPXIP6 },
	{ "ip4ip6-tcp4", RIG_GSO_TCPV4 | RIG_GSO_IPXIP6 },
	{ "gre-tcp4", RIG_GSO_TCPV4 | RIG_GSO_GRE },
	{ "gre-tcp6", RIG_GSO_TCPV6 | RIG_GSO_GRE },
	{ "gre-key-tcp4", RIG_GSO_TCPV4 | RIG_GSO_GRE },
};

/* Each native tunnel: joins, and splits again into what was sent. */
static void t_tunnels(struct ctx *c)
{
	uint32_t i;

	for (i = 0; i < sizeof(tunnels) / sizeof(*tunnels) && !c->failed; i++) {
		again(c);
		case_train(c, tunnels[i].spec, 8);
		run_train(c, 0);
		expect_segs(c, 8);
		expect(c, case_out(c, 0)->gso_type == tunnels[i].type, "%s: gso_type %x",
		       tunnels[i].spec, case_out(c, 0)->gso_type);
		expect(c, case_out(c, 0)->flags & RIG_O_ENCAP, "%s: flags %x", tunnels[i].spec,
		       case_out(c, 0)->flags);
		expect_sent(c);
	}
}

/* How the inner sum is known: by nobody, by the sum of all bytes, by the sender. */
static void vxlan_csum(struct ctx *c, uint32_t how, uint32_t level, int bad, uint32_t want)
{
	uint32_t i;

	again(c);
	case_train(c, "vxlan-tcp4", 8);
	if (bad >= 0) {
		rig_layer(&c->t.p[bad], RIG_L_TCP, 0)->csum_xor = 0x0100;
		rig_fini(&c->t.p[bad]);
	}
	for (i = 0; i < 8; i++) {
		struct rig_packet *p = &c->t.p[i];

		p->g.csum = how;
		p->g.csum_level = level;
		if (how == RIG_CSUM_PARTIAL) {
			p->g.csum_start = rig_layer(p, RIG_L_TCP, 0)->off;
			p->g.csum_offset = 16;
		}
	}
	run_train(c, 0);
	expect(c, c->out.nr == want, "csum %u level %u bad %d: %u packets", how, level, bad,
	       c->out.nr);
	if (how != RIG_CSUM_PARTIAL)
		expect_sent(c);
}

/* Outer checksum 0, inner good, CHECKSUM_NONE: verified in software and joined. */
static void t_vxlan_none(struct ctx *c)
{
	if (!case_device(c, "vxlan", VXLAN))
		return;
	vxlan_csum(c, RIG_CSUM_NONE, 0, -1, 1);
	vxlan_csum(c, RIG_CSUM_NONE, 0, 3, 3);
	case_devices_gone();
}

static void t_vxlan_csums(struct ctx *c)
{
	if (!case_device(c, "vxlan", VXLAN))
		return;
	vxlan_csum(c, RIG_CSUM_COMPLETE, 0, -1, 1);
	vxlan_csum(c, RIG_CSUM_UNNECESSARY, 0, -1, 1);
	vxlan_csum(c, RIG_CSUM_UNNECESSARY, 1, -1, 1);
	vxlan_csum(c, RIG_CSUM_PARTIAL, 0, -1, 1);
	vxlan_csum(c, RIG_CSUM_COMPLETE, 0, 3, 3);
	case_devices_gone();
}

static void t_vxlan6(struct ctx *c)
{
	if (!case_device(c, "vxlan", VXLAN))
		return;
	case_train(c, "vxlan-tcp6", 8);
	run_train(c, 0);
	expect_segs(c, 8);
	expect_sent(c);
	case_devices_gone();
}

/* Other VNI, other inner MAC: other flows. */
static void t_vxlan_vni(struct ctx *c)
{
	uint32_t i;

	if (!case_device(c, "vxlan", VXLAN))
		return;
	case_train(c, "vxlan-tcp4", 8);
	for (i = 4; i < 8; i++) {
		uint8_t *q = rig_hdr(&c->t.p[i], RIG_L_VXLAN, 0);

		q[6] = 43;
	}
	run_train(c, 0);
	expect_segs(c, 4, 4);
	expect_sent(c);
	case_devices_gone();
}

static void t_geneve(struct ctx *c)
{
	if (!case_device(c, "geneve", "type geneve external"))
		return;
	case_train(c, "geneve-tcp4", 8);
	run_train(c, 0);
	expect_segs(c, 8);
	expect_sent(c);
	case_devices_gone();
}

/* Nobody listens on the port: not a tunnel, not joined. */
static void t_vxlan_unknown(struct ctx *c)
{
	case_train(c, "vxlan-tcp4", 4);
	run_train(c, 0);
	expect_segs(c, 1, 1, 1, 1);
	expect_sent(c);
}

static bool pppoe(struct ctx *c)
{
	if (!kernel_since(7, 0)) {
		/* No GRO for PPPoE yet: nothing joins. */
		case_train(c, "pppoe-tcp4", 4);
		run_train(c, 0);
		expect_segs(c, 1, 1, 1, 1);
		expect_sent(c);
		return false;
	}
	if (system("modprobe pppoe >/dev/null 2>&1")) {
		skip(c, "no pppoe module here");
		return false;
	}
	return true;
}

static void t_pppoe(struct ctx *c)
{
	uint32_t i;
	uint8_t *q;

	if (!pppoe(c))
		return;
	case_train(c, "pppoe-tcp4", 8);
	run_train(c, 0);
	expect_segs(c, 8);
	expect_sent(c);
	/* The length counts the aggregate. */
	if (!c->failed) {
		q = (uint8_t *)c->out.items[0].frame + 14 + 4;
		expect(c, (q[0] << 8 | q[1]) == 2 + 52 + 8 * 1448, "length %u", q[0] << 8 | q[1]);
	}

	again(c);
	case_train(c, "pppoe-tcp6", 8);
	run_train(c, 0);
	expect_segs(c, 8);
	expect_sent(c);

	/* Sessions apart. */
	again(c);
	case_train(c, "pppoe-tcp4", 8);
	for (i = 4; i < 8; i++) {
		q = rig_hdr(&c->t.p[i], RIG_L_PPPOE, 0);
		q[3] = 8;
	}
	run_train(c, 0);
	expect_segs(c, 4, 4);
	expect_sent(c);
}

static void t_pppoe_length(struct ctx *c)
{
	uint32_t i;

	if (!pppoe(c))
		return;
	/* A length that is not the bytes present, and padding: not joined, not changed. */
	case_train(c, "pppoe-tcp4", 4);
	for (i = 0; i < 4; i++) {
		if (i < 2)
			rig_layer(&c->t.p[i], RIG_L_PPPOE, 0)->len_delta = -4;
		else
			rig_pad(&c->t.p[i], 6);
		rig_fini(&c->t.p[i]);
	}
	run_train(c, 0);
	expect_segs(c, 1, 1, 1, 1);
	expect_sent(c);
}

static const struct test tests[] = {
	{ "13-encapsulation-set-plain", t_encap_plain, 0, 0 },
	{ "13-encapsulation-set-alone", t_encap_alone, 0, 0 },
	{ "13-encapsulation-set-ipip", t_encap_tunnel, 0, 0 },
	{ "13-encapsulation-set-vxlan", t_encap_vxlan, 0, 0 },
	{ "18-native-tunnels", t_tunnels, 0, 0 },
	{ "26-vxlan-checksum-none", t_vxlan_none, 0, 0 },
	{ "26-vxlan-port-unknown", t_vxlan_unknown, 0, 0 },
	{ "26-vxlan-vni-differs", t_vxlan_vni, 0, 0 },
	{ "26-vxlan-inner-ipv6", t_vxlan6, 0, 0 },
	{ "26-geneve", t_geneve, 0, 0 },
	{ "27-vxlan-every-checksum-state", t_vxlan_csums, 0, 0 },
	{ "37-pppoe", t_pppoe, 0, 0 },
	{ "37-pppoe-length-and-padding", t_pppoe_length, 0, 0 },
};

SET(cases_tunnel, tests);
