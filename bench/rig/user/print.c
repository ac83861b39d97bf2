// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Packets for people: one line of headers, one of geometry, and the bytes if wanted. */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <netinet/in.h>
#include <string.h>

#include "rig.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))

static const char * const heads[] = { "kmalloc", "page", "pool", "napi" };
static const char * const csums[] = { "none", "unnecessary", "complete", "partial" };

static const struct {
	uint32_t bit;
	const char *name;
} gso_bits[] = {
	{ RIG_GSO_TCPV4, "tcpv4" }, { RIG_GSO_DODGY, "dodgy" }, { RIG_GSO_TCP_ECN, "ecn" },
	{ RIG_GSO_TCPV6, "tcpv6" }, { RIG_GSO_GRE, "gre" }, { RIG_GSO_GRE_CSUM, "gre-csum" },
	{ RIG_GSO_IPXIP4, "ipxip4" }, { RIG_GSO_IPXIP6, "ipxip6" },
	{ RIG_GSO_UDP_TUNNEL, "udp-tunnel" }, { RIG_GSO_UDP_TUNNEL_CSUM, "udp-tunnel-csum" },
	{ RIG_GSO_PARTIAL, "partial" }, { RIG_GSO_TUNNEL_REMCSUM, "remcsum" },
	{ RIG_GSO_UDP, "ufo" }, { RIG_GSO_UDP_L4, "udp-l4" }, { RIG_GSO_FRAGLIST, "fraglist" },
	{ RIG_GSO_TCP_ACCECN, "accecn" }, { RIG_GSO_TCP_FIXEDID, "fixedid" },
	{ RIG_GSO_TCP_FIXEDID_INNER, "fixedid-inner" },
}, out_bits[] = {
	{ RIG_O_HEAD_FRAG, "head_frag" }, { RIG_O_PP_RECYCLE, "recycle" },
	{ RIG_O_CLONED, "cloned" }, { RIG_O_ENCAP, "encap" }, { RIG_O_SHARED_FRAG, "shared_frag" },
	{ RIG_O_ZEROCOPY, "zerocopy" }, { RIG_O_DECRYPTED, "decrypted" }, { RIG_O_SK, "sk" },
	{ RIG_O_DST, "dst" }, { RIG_O_EXT, "ext" }, { RIG_O_ENCAP_CSUM, "encap_csum" },
	{ RIG_O_SLOW_GRO, "slow_gro" }, { RIG_O_REDIRECTED, "redirected" },
}, pkt_bits[] = {
	{ RIG_P_FRAGS, "gro_frags" }, { RIG_P_RECYCLE, "recycle" }, { RIG_P_ENCAP, "encap" },
	{ RIG_P_SHARED_FRAG, "shared_frag" }, { RIG_P_ZEROCOPY, "zerocopy" },
	{ RIG_P_DECRYPTED, "decrypted" }, { RIG_P_CLONED, "cloned" },
};

static uint16_t get16(const uint8_t *q)
{
	return q[0] << 8 | q[1];
}

static uint32_t get32(const uint8_t *q)
{
	return (uint32_t)get16(q) << 16 | get16(q + 2);
}

const char *rig_gso_str(uint32_t type, char *buf, size_t size)
{
	size_t i, n = 0;

	*buf = 0;
	for (i = 0; i < ARRAY_SIZE(gso_bits); i++)
		if (type & gso_bits[i].bit && n < size)
			n += snprintf(buf + n, size - n, "%s%s", n ? "," : "", gso_bits[i].name);
	return buf;
}

void rig_hexdump(FILE *f, const char *indent, const uint8_t *data, uint32_t len)
{
	uint32_t i, j;

	for (i = 0; i < len; i += 16) {
		fprintf(f, "%s%04x ", indent, i);
		for (j = i; j < i + 16 && j < len; j++)
			fprintf(f, "%s%02x", j % 8 ? " " : "  ", data[j]);
		fputc('\n', f);
	}
}

/* What is left of a frame while its headers are printed. */
struct cursor {
	const uint8_t *at;
	uint32_t len;
};

static const uint8_t *take(struct cursor *c, uint32_t len)
{
	const uint8_t *at = c->at;

	if (c->len < len)
		return NULL;
	c->at += len;
	c->len -= len;
	return at;
}

static void print_proto(FILE *f, struct cursor *c, int proto);
static void print_type(FILE *f, struct cursor *c, uint16_t type);

static void print_eth(FILE *f, struct cursor *c, int override)
{
	const uint8_t *q = take(c, 14);

	if (!q) {
		fprintf(f, "eth truncated ");
		return;
	}
	if (q[5] != 0x01 || q[11] != 0x02)
		fprintf(f, "eth %02x>%02x ", q[11], q[5]);
	print_type(f, c, override >= 0 ? override : get16(q + 12));
}

static void print_ip4(FILE *f, struct cursor *c)
{
	const uint8_t *q = c->at;
	char a[INET_ADDRSTRLEN], b[INET_ADDRSTRLEN];
	uint32_t hlen;

	if (c->len < 20) {
		fprintf(f, "ip4 truncated ");
		return;
	}
	hlen = (q[0] & 15) * 4;
	inet_ntop(AF_INET, q + 12, a, sizeof(a));
	inet_ntop(AF_INET, q + 16, b, sizeof(b));
	fprintf(f, "ip4 %s>%s len %u id %u%s%s ttl %u", a, b, get16(q + 2), get16(q + 4),
		q[6] & 0x40 ? " DF" : "", q[6] & 0x20 ? " MF" : "", q[8]);
	if (q[1])
		fprintf(f, " tos %02x", q[1]);
	if (hlen != 20)
		fprintf(f, " ihl %u", hlen);
	if (hlen >= 20 && hlen <= c->len && rig_csum_fold(rig_csum_add(0, q, hlen)))
		fprintf(f, " BAD-SUM");
	if (get16(q + 6) & 0x1fff)
		fprintf(f, " frag %u", (get16(q + 6) & 0x1fff) * 8);
	fprintf(f, " ");
	if (hlen >= 20 && take(c, hlen) && !(get16(q + 6) & 0x1fff))
		print_proto(f, c, q[9]);
}

static void print_ip6(FILE *f, struct cursor *c)
{
	const uint8_t *q = take(c, 40);
	char a[INET6_ADDRSTRLEN], b[INET6_ADDRSTRLEN];

	if (!q) {
		fprintf(f, "ip6 truncated ");
		return;
	}
	inet_ntop(AF_INET6, q + 8, a, sizeof(a));
	inet_ntop(AF_INET6, q + 24, b, sizeof(b));
	fprintf(f, "ip6 %s>%s len %u hlim %u", a, b, get16(q + 4), q[7]);
	if ((get16(q) & 0xfff) || get16(q + 2))
		fprintf(f, " tc/flow %x", get32(q) & 0xfffffff);
	fprintf(f, " ");
	print_proto(f, c, q[6]);
}

static void print_tcp(FILE *f, struct cursor *c)
{
	static const char names[] = "FSRPAUEC";
	const uint8_t *q = c->at;
	uint32_t doff;
	int i;

	if (c->len < 20) {
		fprintf(f, "tcp truncated ");
		return;
	}
	doff = (q[12] >> 4) * 4;
	fprintf(f, "tcp %u>%u seq %u ack %u ", get16(q), get16(q + 2), get32(q + 4), get32(q + 8));
	for (i = 0; i < 8; i++)
		if (q[13] >> i & 1)
			fputc(names[i], f);
	fprintf(f, " win %u doff %u ", get16(q + 14), doff);
	if (doff >= 20)
		take(c, doff);
}

static void print_udp(FILE *f, struct cursor *c)
{
	const uint8_t *q = take(c, 8);

	if (!q) {
		fprintf(f, "udp truncated ");
		return;
	}
	fprintf(f, "udp %u>%u len %u%s ", get16(q), get16(q + 2), get16(q + 4),
		get16(q + 6) ? "" : " no-sum");
	switch (get16(q + 2)) {
	case 4789:
		q = take(c, 8);
		if (q) {
			fprintf(f, "vxlan %u ", get32(q + 4) >> 8);
			print_eth(f, c, -1);
		}
		break;
	case 6081:
		q = c->len < 8 ? NULL : take(c, 8 + (c->at[0] & 63) * 4);
		if (q) {
			fprintf(f, "geneve %u ", get32(q + 4) >> 8);
			print_type(f, c, get16(q + 2));
		}
		break;
	case 2152:
		q = take(c, 8);
		if (q) {
			fprintf(f, "gtpu %u ", get32(q + 4));
			if (c->len && *c->at >> 4 == 4)
				print_ip4(f, c);
			else if (c->len && *c->at >> 4 == 6)
				print_ip6(f, c);
		}
		break;
	}
}

static void print_gre(FILE *f, struct cursor *c)
{
	const uint8_t *q = take(c, 4);

	if (!q) {
		fprintf(f, "gre truncated ");
		return;
	}
	fprintf(f, "gre%s%s%s ", q[0] & 0x80 ? " csum" : "", q[0] & 0x20 ? " key" : "",
		q[0] & 0x10 ? " seq" : "");
	if (take(c, 4 * (!!(q[0] & 0x80) + !!(q[0] & 0x20) + !!(q[0] & 0x10))))
		print_type(f, c, get16(q + 2));
}

static void print_proto(FILE *f, struct cursor *c, int proto)
{
	const uint8_t *q;

	switch (proto) {
	case IPPROTO_TCP:
		print_tcp(f, c);
		return;
	case IPPROTO_UDP:
		print_udp(f, c);
		return;
	case IPPROTO_IPIP:
		print_ip4(f, c);
		return;
	case IPPROTO_IPV6:
		print_ip6(f, c);
		return;
	case IPPROTO_GRE:
		print_gre(f, c);
		return;
	case IPPROTO_HOPOPTS:
	case IPPROTO_ROUTING:
	case IPPROTO_DSTOPTS:
	case IPPROTO_FRAGMENT:
		q = c->at;
		if (c->len < 8 || !take(c, proto == IPPROTO_FRAGMENT ? 8 : 8 * (q[1] + 1))) {
			fprintf(f, "ext %d truncated ", proto);
			return;
		}
		fprintf(f, "ext %d ", proto);
		print_proto(f, c, q[0]);
		return;
	}
	fprintf(f, "proto %d ", proto);
}

static void print_type(FILE *f, struct cursor *c, uint16_t type)
{
	const uint8_t *q;

	switch (type) {
	case ETH_P_IP:
		print_ip4(f, c);
		return;
	case ETH_P_IPV6:
		print_ip6(f, c);
		return;
	case ETH_P_TEB:
		print_eth(f, c, -1);
		return;
	case ETH_P_8021Q:
	case ETH_P_8021AD:
		q = take(c, 4);
		if (!q)
			return;
		fprintf(f, "vlan %u ", get16(q) & 0xfff);
		print_type(f, c, get16(q + 2));
		return;
	case ETH_P_MPLS_UC:
		q = take(c, 4);
		if (!q)
			return;
		fprintf(f, "mpls %u ", get32(q) >> 12);
		if (!(q[2] & 1))
			print_type(f, c, ETH_P_MPLS_UC);
		else if (c->len)
			print_type(f, c, *c->at >> 4 == 6 ? ETH_P_IPV6 : ETH_P_IP);
		return;
	case ETH_P_PPP_SES:
		q = take(c, 8);
		if (!q)
			return;
		fprintf(f, "pppoe %u len %u ", get16(q + 2), get16(q + 4));
		print_type(f, c, get16(q + 6) == 0x57 ? ETH_P_IPV6 : ETH_P_IP);
		return;
	}
	fprintf(f, "type %04x ", type);
}

/* first_proto: what skb->protocol says after a tag was taken out of the frame; 0: as the frame says */
void rig_print_frame(FILE *f, const uint8_t *frame, uint32_t len, uint16_t first_proto)
{
	struct cursor c = { frame, len };

	print_eth(f, &c, first_proto ? first_proto : -1);
	fprintf(f, "payload %u", c.len);
}

static void print_sizes(FILE *f, const char *what, const uint32_t *sizes, uint32_t nr)
{
	uint32_t i, j;

	if (!nr)
		return;
	fprintf(f, " %s ", what);
	for (i = 0; i < nr; i = j) {
		for (j = i + 1; j < nr && sizes[j] == sizes[i]; j++)
			;
		fprintf(f, "%s%u", i ? "+" : "", sizes[i]);
		if (j - i > 1)
			fprintf(f, "x%u", j - i);
	}
}

void rig_print_packet(FILE *f, const struct rig_packet *p, bool hex)
{
	const struct rig_pkt *g = &p->g;
	char buf[160];
	size_t i;

	rig_print_frame(f, p->frame, p->len, 0);
	fprintf(f, "\n    %s linear %u", heads[g->head & 3], g->linear);
	print_sizes(f, g->frag ? "pool frags" : "frags", p->frags, g->nr_frags);
	print_sizes(f, "list", p->list, g->nr_list);
	fprintf(f, " csum %s", csums[g->csum & 3]);
	if (g->csum_level)
		fprintf(f, " level %u", g->csum_level);
	if (g->csum_value)
		fprintf(f, " wrong by %x", g->csum_value);
	if (g->flags & RIG_P_HASH)
		fprintf(f, " hash %08x", g->hash);
	if (g->flags & RIG_P_VLAN)
		fprintf(f, " tag %04x/%u", g->vlan_proto, g->vlan_tci);
	if (g->meta_len) {
		fprintf(f, " meta ");
		for (i = 0; i < g->meta_len; i++)
			fprintf(f, "%02x", p->meta[i]);
	}
	if (g->gso_size)
		fprintf(f, " gso %ux%u %s", g->gso_size, g->gso_segs,
			rig_gso_str(g->gso_type, buf, sizeof(buf)));
	for (i = 0; i < ARRAY_SIZE(pkt_bits); i++)
		if (g->flags & pkt_bits[i].bit)
			fprintf(f, " %s", pkt_bits[i].name);
	fputc('\n', f);
	if (hex)
		rig_hexdump(f, "    ", p->frame, p->len);
}

static void print_list(FILE *f, const struct rig_item *item)
{
	uint32_t lens[64], i;

	for (i = 0; i < item->o->nr_list && i < 64; i++)
		lens[i] = item->list[i].len;
	print_sizes(f, "list", lens, i);
	if (item->o->nr_list > 64)
		fprintf(f, "...(%u)", item->o->nr_list);
}

void rig_print_item(FILE *f, const struct rig_item *item, bool hex)
{
	const struct rig_out *o = item->o;
	char buf[160];
	size_t i;

	rig_print_frame(f, item->frame, o->frame_len, o->flags & RIG_O_VLAN ? o->protocol : 0);
	fprintf(f, "\n    linear %u", o->linear);
	print_sizes(f, "frags", item->frags, o->nr_frags);
	print_list(f, item);
	fprintf(f, " truesize %u csum %s", o->truesize, csums[o->ip_summed & 3]);
	if (o->csum_level)
		fprintf(f, " level %u", o->csum_level);
	if (o->ip_summed == 3)
		fprintf(f, " at %d+%u", o->csum_start, o->csum_offset);
	if (o->gso_size || o->gso_type || o->gso_segs > 1)
		fprintf(f, " gso %ux%u %s", o->gso_size, o->gso_segs,
			rig_gso_str(o->gso_type, buf, sizeof(buf)));
	if (o->flags & RIG_O_VLAN)
		fprintf(f, " tag %04x/%u", o->vlan_proto, o->vlan_tci);
	if (o->meta_len) {
		fprintf(f, " meta ");
		for (i = 0; i < o->meta_len; i++)
			fprintf(f, "%02x", item->meta[i]);
	}
	for (i = 0; i < ARRAY_SIZE(out_bits); i++)
		if (o->flags & out_bits[i].bit)
			fprintf(f, " %s", out_bits[i].name);
	if (o->split_err)
		fprintf(f, " split: %s", strerror(-o->split_err));
	else if (o->nr_segs)
		fprintf(f, " split into %u", o->nr_segs);
	fputc('\n', f);
	if (hex)
		rig_hexdump(f, "    ", item->frame, o->frame_len);
}

void rig_print_outs(FILE *f, const struct rig_outs *outs, bool hex)
{
	uint32_t i;

	for (i = 0; i < outs->nr; i++) {
		fprintf(f, "%3u ", i + 1);
		rig_print_item(f, &outs->items[i], hex);
	}
}
