// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Are two results the same? If not, the first difference in words. */
#include <stdlib.h>
#include <string.h>

#include "rig.h"

struct field {
	const char *name;
	size_t off, size;
	uint32_t how;		/* only compared when asked for */
};

#define F(f, how) { #f, offsetof(struct rig_out, f), sizeof(((struct rig_out *)0)->f), how }

static const struct field fields[] = {
	F(frame_len, 0), F(linear, 0), F(nr_frags, 0), F(nr_list, 0), F(meta_len, 0),
	F(protocol, 0), F(vlan_proto, 0), F(vlan_tci, 0), F(gso_size, 0), F(gso_segs, 0),
	F(gso_type, 0), F(ip_summed, 0), F(csum_level, 0), F(csum, 0), F(csum_start, 0),
	F(csum_offset, 0), F(hash, 0), F(pkt_type, 0), F(data_off, 0), F(network_off, 0),
	F(mac_len, 0), F(flags, 0), F(nr_segs, 0), F(split_err, 0),
	F(truesize, RIG_CMP_TRUESIZE),
};

/* Where headers are: always compared for aggregates, whose complete has set them. */
static const struct field offsets[] = {
	F(transport_off, 0), F(inner_protocol, 0), F(inner_mac_off, 0), F(inner_network_off, 0),
	F(inner_transport_off, 0),
};

static uint32_t value(const struct rig_out *o, const struct field *f)
{
	uint32_t v = 0;

	memcpy(&v, (const char *)o + f->off, f->size);
	return v;
}

static int cmp_fields(const struct rig_out *a, const struct rig_out *b, const struct field *f,
		      size_t nr, uint32_t how, char *msg, size_t size)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		uint32_t va = value(a, &f[i]), vb = value(b, &f[i]);

		if ((f[i].how & ~how) || va == vb)
			continue;
		snprintf(msg, size, "%s %u (0x%x) and %u (0x%x)", f[i].name, va, va, vb, vb);
		return 1;
	}
	return 0;
}

static int cmp_members(const struct rig_item *a, const struct rig_item *b, uint32_t how, char *msg,
		       size_t size)
{
	uint32_t i;

	for (i = 0; i < a->o->nr_frags; i++) {
		if (a->frags[i] == b->frags[i])
			continue;
		snprintf(msg, size, "fragment %u of %u and %u bytes", i, a->frags[i], b->frags[i]);
		return 1;
	}
	for (i = 0; i < a->o->nr_list; i++) {
		struct rig_member ma = a->list[i], mb = b->list[i];

		if (!(how & RIG_CMP_TRUESIZE))
			ma.truesize = mb.truesize = 0;
		if (!memcmp(&ma, &mb, sizeof(ma)))
			continue;
		snprintf(msg, size,
			 "list member %u: len %u/%u linear %u/%u truesize %u/%u frags %u/%u flags %x/%x gso %u/%u csum %u/%u",
			 i, ma.len, mb.len, ma.linear, mb.linear, ma.truesize, mb.truesize,
			 ma.nr_frags, mb.nr_frags, ma.flags, mb.flags, ma.gso_size, mb.gso_size,
			 ma.ip_summed, mb.ip_summed);
		return 1;
	}
	return 0;
}

static int cmp_bytes(const char *what, const uint8_t *a, const uint8_t *b, uint32_t len, char *msg,
		     size_t size)
{
	uint32_t i;

	for (i = 0; i < len; i++) {
		if (a[i] == b[i])
			continue;
		snprintf(msg, size, "%s byte %u is %02x and %02x", what, i, a[i], b[i]);
		return 1;
	}
	return 0;
}

int rig_cmp_items(const struct rig_item *a, const struct rig_item *b, uint32_t how, char *msg,
		  size_t size)
{
	const size_t nr = sizeof(fields) / sizeof(*fields);
	const size_t nr_off = sizeof(offsets) / sizeof(*offsets);

	if (cmp_fields(a->o, b->o, fields, nr, how, msg, size))
		return 1;
	if ((a->o->gso_size || (how & RIG_CMP_OFFSETS)) &&
	    cmp_fields(a->o, b->o, offsets, nr_off, how, msg, size))
		return 1;
	if (cmp_members(a, b, how, msg, size))
		return 1;
	if (cmp_bytes("metadata", a->meta, b->meta, a->o->meta_len, msg, size))
		return 1;
	return cmp_bytes("frame", a->frame, b->frame, a->o->frame_len, msg, size);
}

int rig_cmp_outs(const struct rig_outs *a, const struct rig_outs *b, uint32_t how, char *msg,
		 size_t size)
{
	char what[200];
	uint32_t i, j;

	for (i = 0; i < a->nr && i < b->nr; i++) {
		const struct rig_item *ia = &a->items[i], *ib = &b->items[i];

		if (rig_cmp_items(ia, ib, how, what, sizeof(what))) {
			snprintf(msg, size, "packet %u: %s", i + 1, what);
			return 1;
		}
		for (j = 0; j < ia->o->nr_segs; j++) {
			if (!rig_cmp_items(&a->segs[ia->first_seg + j],
					   &b->segs[ib->first_seg + j], how, what, sizeof(what)))
				continue;
			snprintf(msg, size, "packet %u, segment %u: %s", i + 1, j + 1, what);
			return 1;
		}
	}
	if (a->nr != b->nr) {
		snprintf(msg, size, "%u and %u packets", a->nr, b->nr);
		return 1;
	}
	return 0;
}

/* The frame as it was sent: a tag that the stack took out is put back. */
static uint32_t wire(const struct rig_item *item, const struct rig_packet *sent, uint8_t *buf)
{
	const struct rig_out *o = item->o;

	if (!(o->flags & RIG_O_VLAN) || (sent->g.flags & RIG_P_VLAN)) {
		memcpy(buf, item->frame, o->frame_len);
		return o->frame_len;
	}
	memcpy(buf, item->frame, 12);
	buf[12] = o->vlan_proto >> 8;
	buf[13] = o->vlan_proto;
	buf[14] = o->vlan_tci >> 8;
	buf[15] = o->vlan_tci;
	memcpy(buf + 16, item->frame + 12, o->frame_len - 12);
	return o->frame_len + 4;
}

/* What came up, as packets on the wire, each with the number of the packet sent that it equals. */
static int match_sent(const struct rig_train *t, const struct rig_outs *out, uint32_t *came,
		      char *msg, size_t size)
{
	uint8_t *buf = malloc(RIG_MAX_FRAME + 64);
	bool *seen = calloc(t->nr + 1, sizeof(*seen));
	uint32_t i, j, k, n = 0;
	int ret = 1;

	for (i = 0; buf && seen && i < out->nr; i++) {
		const struct rig_item *item = &out->items[i];
		uint32_t parts = item->o->nr_segs ? item->o->nr_segs : 1;

		if (item->o->split_err) {
			snprintf(msg, size, "packet %u: split: %s", i + 1,
				 strerror(-item->o->split_err));
			goto out;
		}
		for (j = 0; j < parts; j++) {
			const struct rig_item *s = item->o->nr_segs ?
						   &out->segs[item->first_seg + j] : item;

			for (k = 0; k < t->nr; k++) {
				const struct rig_packet *p = &t->p[k];

				if (seen[k])
					continue;
				if (wire(s, p, buf) == p->len && !memcmp(buf, p->frame, p->len))
					break;
			}
			if (k == t->nr) {
				snprintf(msg, size, "packet %u, segment %u of %u was not sent so",
					 i + 1, j + 1, parts);
				goto out;
			}
			seen[k] = true;
			came[n++] = k;
		}
	}
	if (n != t->nr)
		snprintf(msg, size, "%u of %u packets came up", n, t->nr);
	ret = n != t->nr;
out:
	free(buf);
	free(seen);
	return ret;
}

/*
 * Split again equals sent, byte for byte. Flows may overtake each other, so each packet is looked
 * for among those sent and not seen yet.
 */
int rig_cmp_sent(const struct rig_train *t, const struct rig_outs *out, char *msg, size_t size)
{
	uint32_t *came = calloc(t->nr + 1, sizeof(*came));
	int ret = came ? match_sent(t, out, came, msg, size) : 1;

	free(came);
	return ret;
}

/* And in the order sent, among packets of one hash: that is what GRO promises. */
int rig_cmp_order(const struct rig_train *t, const struct rig_outs *out, char *msg, size_t size)
{
	uint32_t *came = calloc(t->nr + 1, sizeof(*came));
	int ret = came ? match_sent(t, out, came, msg, size) : 1;
	uint32_t i, j;

	for (i = 0; !ret && i < t->nr; i++) {
		for (j = i + 1; !ret && j < t->nr; j++) {
			if (t->p[came[i]].g.hash != t->p[came[j]].g.hash || came[i] < came[j])
				continue;
			snprintf(msg, size, "packet %u came up before packet %u of the same hash",
				 came[i] + 1, came[j] + 1);
			ret = 1;
		}
	}
	free(came);
	return ret;
}
