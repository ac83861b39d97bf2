// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* One table of options for all verbs; parsing and help come from it. */
#include <stdlib.h>
#include <string.h>

#include "tool.h"

enum kind { BOOL, NUM, STR, CHOICE };

static const char * const heads[] = { "kmalloc", "page", "pool", "napi", NULL };
static const char * const frags[] = { "page", "pool", NULL };
static const char * const csums[] = { "none", "unnecessary", "complete", "partial", NULL };

#define O(f) offsetof(struct opts, f)

static const struct opt {
	const char *name;
	enum kind kind;
	size_t off;
	const char * const *choices;
	const char *arg, *help;
} table[] = {
	{ "flows", NUM, O(flows), NULL, "N", "that many flows, interleaved" },
	{ "linear", NUM, O(linear), NULL, "N", "bytes in the linear part (default: the headers)" },
	{ "frag-size", NUM, O(frag_size), NULL, "N", "longest page fragment" },
	{ "head", CHOICE, O(head), heads, "KIND", "kmalloc, page, pool or napi (default)" },
	{ "frag", CHOICE, O(frag), frags, "KIND", "page (default) or pool" },
	{ "gro-frags", BOOL, O(gro_frags), NULL, NULL, "through napi_gro_frags" },
	{ "csum", CHOICE, O(csum), csums, "STATE", "none, unnecessary (default), complete, partial" },
	{ "meta", NUM, O(meta), NULL, "N", "bytes of metadata, the same on each packet" },
	{ "vlan", BOOL, O(vlan), NULL, NULL, "hardware-accelerated tag" },
	{ "no-hash", BOOL, O(no_hash), NULL, NULL, "hash 0, as veth" },
	{ "no-ts", BOOL, O(no_ts), NULL, NULL, "TCP without timestamps" },
	{ "fixed-id", BOOL, O(fixed_id), NULL, NULL, "the same IPv4 ID on each packet" },
	{ "psh", BOOL, O(psh), NULL, NULL, "PSH on the last packet of each flow" },
	{ "ext-len", NUM, O(ext_len), NULL, "N", "length of IPv6 extension headers" },
	{ "dport", NUM, O(dport), NULL, "N", "destination port" },
	{ "gro-max", NUM, O(gro_max), NULL, "N", "gro_max_size and gro_ipv4_max_size" },
	{ "gro-off", BOOL, O(features), NULL, NULL, "GRO off" },
	{ "fraglist", BOOL, O(features), NULL, NULL, "rx-gro-list on" },
	{ "udp-fwd", BOOL, O(features), NULL, NULL, "rx-udp-gro-forwarding on" },
	{ "dev", STR, O(dev), NULL, "NAME", "name of the device" },
	{ "wait", BOOL, O(wait), NULL, NULL,
	  "print the device's name, wait for a line on stdin before feeding" },
	{ "split", BOOL, O(split), NULL, NULL, "split again and compare with what was sent" },
	{ "hex", BOOL, O(hex), NULL, NULL, "the bytes too" },
	{ "repeat", NUM, O(repeat), NULL, "N", "measure: repetitions (default 5); the median counts" },
	{ "name", STR, O(name), NULL, "NAME", "measure: name of the case" },
	{ "path", STR, O(path), NULL, "NAME", "measure: path of the JSON row (default native)" },
	{ "expect", NUM, O(expect), NULL, "N", "fail unless so many packets come up" },
	{ "json", BOOL, O(json), NULL, NULL, "measure: a JSON object per line" },
};

#define NR (sizeof(table) / sizeof(*table))

void opts_help(FILE *f)
{
	size_t i;
	char buf[40];

	for (i = 0; i < NR; i++) {
		snprintf(buf, sizeof(buf), "--%s%s%s", table[i].name, table[i].arg ? " " : "",
			 table[i].arg ? table[i].arg : "");
		fprintf(f, "  %-20s %s\n", buf, table[i].help);
	}
}

static int bad(const char *what, const char *arg)
{
	fprintf(stderr, "rig: %s: %s (rig --help)\n", what, arg);
	return -1;
}

static int number(const char *s, uint32_t *v)
{
	char *end;

	*v = strtoul(s, &end, 0);
	return *s && !*end ? 0 : bad("not a number", s);
}

static int set_option(struct opts *o, const struct opt *t, const char *arg)
{
	char *at = (char *)o + t->off;
	uint32_t i;

	switch (t->kind) {
	case BOOL:
		if (!strcmp(t->name, "gro-off"))
			o->features &= ~RIG_FEAT_GRO;
		else if (!strcmp(t->name, "fraglist"))
			o->features |= RIG_FEAT_GRO_FRAGLIST;
		else if (!strcmp(t->name, "udp-fwd"))
			o->features |= RIG_FEAT_GRO_UDP_FWD;
		else
			*(bool *)at = true;
		return 0;
	case STR:
		*(const char **)at = arg;
		return 0;
	case CHOICE:
		for (i = 0; t->choices[i]; i++) {
			if (strcmp(t->choices[i], arg))
				continue;
			*(uint32_t *)at = i;
			return 0;
		}
		return bad("no such value", arg);
	default:
		if (!strcmp(t->name, "expect"))
			o->expect_set = true;
		return number(arg, (uint32_t *)at);
	}
}

static int long_option(struct opts *o, int *i, int argc, char **argv)
{
	const char *name = argv[*i] + 2;
	size_t j;

	for (j = 0; j < NR; j++) {
		if (strcmp(table[j].name, name))
			continue;
		if (table[j].kind == BOOL)
			return set_option(o, &table[j], NULL);
		if (++*i == argc)
			return bad("needs a value", argv[*i - 1]);
		return set_option(o, &table[j], argv[*i]);
	}
	return bad("unknown option", argv[*i]);
}

int opts_parse(struct opts *o, int argc, char **argv)
{
	int i, pos = 0;

	*o = (struct opts) {
		.spec = "tcp4", .count = 16, .size = 1448, .flows = 1, .head = RIG_HEAD_NAPI,
		.csum = RIG_CSUM_UNNECESSARY, .features = RIG_FEAT_GRO | RIG_FEAT_RXCSUM,
		.repeat = 5, .path = "native",
	};
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "--", 2)) {
			if (long_option(o, &i, argc, argv))
				return -1;
		} else if (pos == 0) {
			o->spec = argv[i];
			pos++;
		} else if (pos == 1) {
			if (sscanf(argv[i], "%ux%u", &o->count, &o->size) != 2)
				return bad("not COUNTxSIZE", argv[i]);
			pos++;
		} else {
			return bad("too many arguments", argv[i]);
		}
	}
	if (!o->count || !o->flows || (uint64_t)o->count * o->flows > RIG_MAX_PACKETS)
		return bad("too many packets, or none", o->spec);
	return 0;
}

int opts_train(const struct opts *o, struct rig_train *t)
{
	uint32_t i, f;

	for (i = 0; i < o->count; i++) {
		for (f = 0; f < o->flows; f++) {
			struct rig_packet *p = rig_train_add(t);
			struct rig_spec s = {
				.flow = f, .index = i, .seq = i * o->size, .size = o->size,
				.no_ts = o->no_ts, .fixed_id = o->fixed_id, .ext_len = o->ext_len,
				.dport = o->dport,
				.tcp_flags = o->psh && i + 1 == o->count ? RIG_ACK | RIG_PSH : 0,
			};

			if (rig_spec_build(p, o->spec, &s)) {
				fprintf(stderr, "rig: unknown packet: %s\n", o->spec);
				fprintf(stderr, "%s\n", rig_spec_help());
				return -1;
			}
			p->g.head = o->head;
			p->g.frag = o->frag;
			if (o->frag)
				p->g.flags |= RIG_P_RECYCLE;
			p->g.csum = o->csum;
			p->g.meta_len = o->meta;
			memset(p->meta, 0x5a, sizeof(p->meta));
			if (o->no_hash)
				p->g.flags &= ~(RIG_P_HASH | RIG_P_L4_HASH);
			if (o->vlan) {
				p->g.flags |= RIG_P_VLAN;
				p->g.vlan_proto = 0x8100;
				p->g.vlan_tci = 100;
			}
			if (o->gro_frags)
				p->g.flags |= RIG_P_FRAGS;
			rig_shape(p, o->gro_frags ? 0 : o->linear ? o->linear : p->hdr_len,
				  o->frag_size);
		}
	}
	return 0;
}

int opts_open(const struct opts *o, struct rig *rig)
{
	struct rig_setup setup = {
		.features = o->features, .gro_max_size = o->gro_max,
		.gro_ipv4_max_size = o->gro_max, .mtu = 9000,
	};
	char line[16];

	if (o->dev)
		snprintf(setup.name, sizeof(setup.name), "%s", o->dev);
	if (rig_open(rig, &setup)) {
		fprintf(stderr, "rig: %s\n", rig_error(rig));
		return -1;
	}
	if (o->wait) {
		printf("%s\n", rig->info.name);
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return -1;
	}
	return 0;
}
