// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A packet from a short description of its headers. */
#include <errno.h>
#include <linux/if_ether.h>
#include <netinet/in.h>
#include <string.h>

#include "rig.h"

static const struct {
	const char *name;
	const char *spec;
} aliases[] = {
	{ "tcp4",		"ip4/tcp" },
	{ "tcp6",		"ip6/tcp" },
	{ "tcp6-ext1",		"ip6/dst/tcp" },
	{ "tcp6-ext3",		"ip6/hbh/rt/dst/tcp" },
	{ "udp4",		"ip4/udp" },
	{ "udp6",		"ip6/udp" },
	{ "vlan-tcp4",		"vlan/ip4/tcp" },
	{ "qinq-tcp4",		"qinq/vlan/ip4/tcp" },
	{ "ipip-tcp4",		"ip4/ip4/tcp" },
	{ "sit-tcp6",		"ip4/ip6/tcp" },
	{ "ip6ip6-tcp6",	"ip6/ip6/tcp" },
	{ "ip4ip6-tcp4",	"ip6/ip4/tcp" },
	{ "gre-tcp4",		"ip4/gre/ip4/tcp" },
	{ "gre-tcp6",		"ip4/gre/ip6/tcp" },
	{ "gre-key-tcp4",	"ip4/grek/ip4/tcp" },
	{ "gre-csum-tcp4",	"ip4/grec/ip4/tcp" },
	{ "gre6-tcp6",		"ip6/gre/ip6/tcp" },
	{ "vxlan-tcp4",		"ip4/udp/vxlan/eth/ip4/tcp" },
	{ "vxlan-tcp6",		"ip4/udp/vxlan/eth/ip6/tcp" },
	{ "geneve-tcp4",	"ip4/udp/geneve/eth/ip4/tcp" },
	{ "geneve-tcp6",	"ip4/udp/geneve/eth/ip6/tcp" },
	{ "gtpu-tcp4",		"ip4/udp/gtpu/ip4/tcp" },
	{ "gtpu-udp4",		"ip4/udp/gtpu/ip4/udp" },
	{ "mpls-tcp4",		"mpls/ip4/tcp" },
	{ "pppoe-tcp4",		"pppoe/ip4/tcp" },
	{ "pppoe-tcp6",		"pppoe/ip6/tcp" },
};

static const char *resolve(const char *spec)
{
	size_t i;

	for (i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
		if (!strcmp(spec, aliases[i].name))
			return aliases[i].spec;
	return spec;
}

const char *rig_spec_help(void)
{
	return "headers outer to inner, Ethernet implied: eth vlan qinq ip4 ip6 hbh dst rt tcp udp gre\n"
	       "grek (key) grec (checksum) greck (both) gres (sequence numbers) vxlan geneve mpls\n"
	       "mplsb (bottom) pppoe gtpu, as in\n"
	       "ip4/gre/ip4/tcp; or tcp4 tcp6 tcp6-ext1 tcp6-ext3 udp4 udp6 vlan-tcp4 qinq-tcp4\n"
	       "ipip-tcp4 sit-tcp6 ip6ip6-tcp6 ip4ip6-tcp4 gre-tcp4 gre-tcp6 gre-key-tcp4\n"
	       "gre-csum-tcp4 gre6-tcp6 vxlan-tcp4 vxlan-tcp6 geneve-tcp4 geneve-tcp6 gtpu-tcp4\n"
	       "gtpu-udp4 mpls-tcp4 pppoe-tcp4 pppoe-tcp6";
}

/* Is there a header after this one whose name begins so? */
static bool follows(const char *rest, const char *name)
{
	return !strncmp(rest, name, strlen(name));
}

static void spec_tcp(struct rig_packet *p, const struct rig_spec *s)
{
	static const uint8_t ts[12] = { 1, 1, 8, 10, 0, 0, 0x10, 0, 0, 0, 0x20, 0 };
	uint32_t flow = s->flow;

	rig_tcp(p, 10000 + flow % 50000, s->dport ? s->dport : 443 + flow / 50000, 1000 + s->seq, 1,
		s->tcp_flags ? s->tcp_flags : RIG_ACK, ts, s->no_ts ? 0 : sizeof(ts));
}

static void spec_udp(struct rig_packet *p, const struct rig_spec *s, const char *rest)
{
	uint32_t flow = s->flow;
	uint16_t dport = 443 + flow / 50000;
	struct rig_layer *l;

	if (follows(rest, "vxlan"))
		dport = 4789;
	else if (follows(rest, "geneve"))
		dport = 6081;
	else if (follows(rest, "gtpu"))
		dport = 2152;
	else if (s->dport)
		dport = s->dport;
	rig_udp(p, 10000 + flow % 50000, dport);
	l = &p->layers[p->nr_layers - 1];
	/* Tunnels mostly come without an outer checksum. */
	l->no_csum = s->no_udp_csum || (*rest && p->layers[p->nr_layers - 2].type == RIG_L_IP4);
}

static int spec_one(struct rig_packet *p, const char *name, const char *rest, int depth,
		    const struct rig_spec *s)
{
	uint32_t net = 0x0a000000 + 0x10000 * depth;
	uint8_t ext = s->ext_len ? s->ext_len : 8;

	if (!strcmp(name, "eth"))
		rig_eth(p, 0x11, 0x12);
	else if (!strcmp(name, "vlan"))
		rig_vlan(p, ETH_P_8021Q, 100);
	else if (!strcmp(name, "qinq"))
		rig_vlan(p, ETH_P_8021AD, 200);
	else if (!strcmp(name, "ip4"))
		rig_ip4(p, net + 1, net + 2, s->fixed_id ? 77 : 77 + s->index, 0);
	else if (!strcmp(name, "ip6"))
		rig_ip6(p, 1 + 16 * depth, 2 + 16 * depth);
	else if (!strcmp(name, "hbh"))
		rig_ext(p, IPPROTO_HOPOPTS, ext);
	else if (!strcmp(name, "dst"))
		rig_ext(p, IPPROTO_DSTOPTS, ext);
	else if (!strcmp(name, "rt"))
		rig_ext(p, IPPROTO_ROUTING, ext);
	else if (!strcmp(name, "tcp"))
		spec_tcp(p, s);
	else if (!strcmp(name, "udp"))
		spec_udp(p, s, rest);
	else if (!strcmp(name, "gre"))
		rig_gre(p, 0, 0, 0);
	else if (!strcmp(name, "grek"))
		rig_gre(p, RIG_GRE_KEY, 42, 0);
	else if (!strcmp(name, "grec"))
		rig_gre(p, RIG_GRE_CSUM, 0, 0);
	else if (!strcmp(name, "greck"))
		rig_gre(p, RIG_GRE_CSUM | RIG_GRE_KEY, 42, 0);
	else if (!strcmp(name, "gres"))
		rig_gre(p, RIG_GRE_SEQ, 0, s->index);
	else if (!strcmp(name, "vxlan"))
		rig_vxlan(p, 42);
	else if (!strcmp(name, "geneve"))
		rig_geneve(p, 42, 0);
	else if (!strcmp(name, "mpls"))
		rig_mpls(p, 100, !follows(rest, "mpls"));
	else if (!strcmp(name, "mplsb"))
		rig_mpls(p, 100, true);
	else if (!strcmp(name, "pppoe"))
		rig_pppoe(p, 7);
	else if (!strcmp(name, "gtpu"))
		rig_gtpu(p, 42);
	else
		return -EINVAL;
	return 0;
}

int rig_spec_build(struct rig_packet *p, const char *spec, const struct rig_spec *s)
{
	char buf[128], *tok, *rest = buf;
	int depth = 0, err;

	spec = resolve(spec);
	if (strlen(spec) >= sizeof(buf))
		return -ENAMETOOLONG;
	strcpy(buf, spec);
	rig_eth(p, 0x01, 0x02);
	while ((tok = strsep(&rest, "/"))) {
		err = spec_one(p, tok, rest ? rest : "", depth, s);
		if (err)
			return err;
		if (!strncmp(tok, "ip", 2))
			depth++;
		if (p->nr_layers == RIG_MAX_LAYERS)
			return -E2BIG;
	}
	rig_payload(p, s->size, s->seq + 7919 * s->flow);
	rig_fini(p);
	return 0;
}

/* The index-th packet of a flow, all of the same size. */
int rig_spec_packet(struct rig_packet *p, const char *spec, uint32_t flow, uint32_t index,
		    uint32_t size)
{
	struct rig_spec s = { .flow = flow, .index = index, .seq = index * size, .size = size };

	return rig_spec_build(p, spec, &s);
}
