// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The device: open, feed, read, measure. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "rig.h"

static const char * const why_str[RIG_E_MAX] = {
	[RIG_E_NONE]		= "refused",
	[RIG_E_TRUNCATED]	= "record or train cut short",
	[RIG_E_BOUNDS]		= "beyond the rig's bounds",
	[RIG_E_FLAGS]		= "unknown flag or value",
	[RIG_E_SIZES]		= "linear part and sizes do not add up to the frame, or a size is 0",
	[RIG_E_LINEAR]		= "linear part shorter than the Ethernet header",
	[RIG_E_HEAD]		= "linear part too long for this kind of head",
	[RIG_E_FRAG]		= "fragment too long, or a pool page in a packet without recycling",
	[RIG_E_FRAGS]		= "napi_gro_frags has neither linear part, metadata nor list",
	[RIG_E_META]		= "metadata too long or not a multiple of 4",
	[RIG_E_CSUM]		= "checksum start, offset or level out of range",
	[RIG_E_CLONED]		= "napi_gro_frags has no clones",
	[RIG_E_ZEROCOPY]	= "zero-copy needs page fragments, no pool, and capturing",
	[RIG_E_GSO]		= "GSO fields that do not go together",
	[RIG_E_VLAN]		= "tag protocol is neither 802.1Q nor 802.1ad",
	[RIG_E_NOMEM]		= "out of memory",
	[RIG_E_DOWN]		= "device is down",
	[RIG_E_BUSY]		= "somebody else polls the device",
	[RIG_E_NO_DEVICE]	= "no device yet",
};

static const char * const result_str[] = {
	[RIG_R_MERGED]		= "merged",
	[RIG_R_MERGED_FREE]	= "merged, freed",
	[RIG_R_HELD]		= "held",
	[RIG_R_NORMAL]		= "normal",
	[RIG_R_CONSUMED]	= "consumed",
};

const char *rig_why_str(uint32_t why)
{
	return why < RIG_E_MAX && why_str[why] ? why_str[why] : "unknown reason";
}

const char *rig_result_str(uint32_t result)
{
	return result < sizeof(result_str) / sizeof(*result_str) ? result_str[result] : "?";
}

const char *rig_error(const struct rig *rig)
{
	return rig->err;
}

static int __attribute__((format(printf, 3, 4))) fail(struct rig *rig, int err, const char *fmt, ...)
{
	va_list ap;
	size_t n;

	va_start(ap, fmt);
	vsnprintf(rig->err, sizeof(rig->err), fmt, ap);
	va_end(ap);
	n = strlen(rig->err);
	snprintf(rig->err + n, sizeof(rig->err) - n, ": %s", strerror(-err));
	return err;
}

int rig_open(struct rig *rig, const struct rig_setup *want)
{
	struct rig_setup setup = { .features = RIG_FEAT_GRO | RIG_FEAT_RXCSUM };

	memset(rig, 0, sizeof(*rig));
	if (want)
		setup = *want;
	setup.abi = RIG_ABI;
	rig->fd = open(RIG_DEV_PATH, O_RDWR | O_CLOEXEC);
	if (rig->fd < 0) {
		int err = -errno;

		return fail(rig, err, "%s (%s)", RIG_DEV_PATH,
			    err == -ENOENT ? "is bpf_gro_rig.ko loaded?" : "open");
	}
	if (ioctl(rig->fd, RIG_SETUP, &setup)) {
		int err = fail(rig, -errno, "cannot make the device \"%.16s\"", setup.name);

		close(rig->fd);
		rig->fd = -1;
		return err;
	}
	rig->info = setup;
	return 0;
}

void rig_close(struct rig *rig)
{
	if (rig->fd >= 0)
		close(rig->fd);
	rig->fd = -1;
}

int rig_set(struct rig *rig, uint32_t features, uint32_t max, uint32_t max4)
{
	struct rig_set set = {
		.features = features, .gro_max_size = max, .gro_ipv4_max_size = max4,
	};

	if (ioctl(rig->fd, RIG_SET, &set))
		return fail(rig, -errno, "cannot change features or limits");
	return 0;
}

static uint32_t pkt_size(const struct rig_packet *p)
{
	uint32_t size = sizeof(p->g) + 4 * (p->g.nr_frags + p->g.nr_list) + p->g.meta_len + p->len;

	return (size + 7) & ~7u;
}

/* The train as the kernel wants it. */
int rig_pack(const struct rig_train *t, void **buf, uint32_t *len)
{
	uint64_t total = 0;
	uint32_t i;
	char *q;

	for (i = 0; i < t->nr; i++)
		total += pkt_size(&t->p[i]);
	if (total > UINT32_MAX)
		return -E2BIG;
	q = *buf = calloc(1, total ? total : 1);
	if (!q)
		return -ENOMEM;
	for (i = 0; i < t->nr; i++) {
		const struct rig_packet *p = &t->p[i];
		struct rig_pkt g = p->g;
		char *d = q + sizeof(g);

		g.size = pkt_size(p);
		g.frame_len = p->len;
		memcpy(q, &g, sizeof(g));
		memcpy(d, p->frags, 4 * g.nr_frags);
		d += 4 * g.nr_frags;
		memcpy(d, p->list, 4 * g.nr_list);
		d += 4 * g.nr_list;
		memcpy(d, p->meta, g.meta_len);
		memcpy(d + g.meta_len, p->frame, p->len);
		q += g.size;
	}
	*len = total;
	return 0;
}

static int feed(struct rig *rig, const void *buf, uint32_t len, uint32_t nr, uint32_t flags,
		uint8_t *results)
{
	struct rig_feed f = {
		.buf = (uintptr_t)buf, .len = len, .nr = nr, .flags = flags,
		.results = (uintptr_t)results,
	};

	if (ioctl(rig->fd, RIG_FEED, &f))
		return fail(rig, -errno, "packet %u of %u: %s", f.err_pkt + 1, nr,
			    rig_why_str(f.err_why));
	return 0;
}

int rig_feed_raw(struct rig *rig, const void *buf, uint32_t len, uint32_t nr, uint32_t flags)
{
	return feed(rig, buf, len, nr, flags, NULL);
}

int rig_feed_results(struct rig *rig, const struct rig_train *t, uint32_t flags, uint8_t *results)
{
	uint32_t len;
	void *buf;
	int err;

	err = rig_pack(t, &buf, &len);
	if (err)
		return fail(rig, err, "train of %u packets", t->nr);
	err = feed(rig, buf, len, t->nr, flags, results);
	free(buf);
	return err;
}

int rig_feed(struct rig *rig, const struct rig_train *t, uint32_t flags)
{
	return rig_feed_results(rig, t, flags, NULL);
}

int rig_flush(struct rig *rig)
{
	if (ioctl(rig->fd, RIG_FLUSH))
		return fail(rig, -errno, "flush");
	return 0;
}

int rig_measure(struct rig *rig, const struct rig_train *t, uint32_t flags, uint32_t repeat,
		struct rig_sample *samples)
{
	struct rig_measure m = {
		.nr = t->nr, .flags = flags, .repeat = repeat, .samples = (uintptr_t)samples,
	};
	void *buf;
	int err;

	err = rig_pack(t, &buf, &m.len);
	if (err)
		return fail(rig, err, "train of %u packets", t->nr);
	m.buf = (uintptr_t)buf;
	if (ioctl(rig->fd, RIG_MEASURE, &m))
		err = fail(rig, -errno, "packet %u of %u: %s", m.err_pkt + 1, t->nr,
			   rig_why_str(m.err_why));
	free(buf);
	return err;
}

static void parse_item(struct rig_item *item, const uint8_t *rec)
{
	const struct rig_out *o = (const struct rig_out *)rec;

	item->o = o;
	item->frags = o->tail;
	item->list = (const struct rig_member *)(o->tail + o->nr_frags);
	item->meta = (const uint8_t *)(item->list + o->nr_list);
	item->frame = item->meta + o->meta_len;
	item->first_seg = 0;
}

/* Takes over buf. */
int rig_outs_parse(struct rig_outs *out, uint8_t *buf, uint32_t len)
{
	uint32_t off, nr = 0, nr_segs = 0;

	memset(out, 0, sizeof(*out));
	out->buf = buf;
	out->len = len;
	for (off = 0; off < len;) {
		const struct rig_out *o = (const struct rig_out *)(buf + off);

		if (len - off < sizeof(*o) || o->size < sizeof(*o) || o->size > len - off)
			return -EBADMSG;
		if (o->kind == RIG_K_SEGMENT)
			nr_segs++;
		else
			nr++;
		off += o->size;
	}
	out->items = calloc(nr + 1, sizeof(*out->items));
	out->segs = calloc(nr_segs + 1, sizeof(*out->segs));
	if (!out->items || !out->segs)
		return -ENOMEM;
	for (off = 0; off < len;) {
		const struct rig_out *o = (const struct rig_out *)(buf + off);

		if (o->kind == RIG_K_SEGMENT) {
			parse_item(&out->segs[out->nr_segs++], buf + off);
		} else {
			parse_item(&out->items[out->nr], buf + off);
			out->items[out->nr++].first_seg = out->nr_segs;
		}
		off += o->size;
	}
	return 0;
}

int rig_read_all(struct rig *rig, struct rig_outs *out, uint32_t flags)
{
	struct rig_read r = { .flags = flags };
	uint32_t cap = 1 << 20, len = 0;
	uint8_t *buf = malloc(cap), *grown;
	int err;

	memset(out, 0, sizeof(*out));
	while (buf) {
		r.buf = (uintptr_t)(buf + len);
		r.len = cap - len;
		if (ioctl(rig->fd, RIG_READ, &r) && errno != ENOSPC) {
			err = fail(rig, -errno, "cannot read what came up");
			free(buf);
			return err;
		}
		if (r.nr)
			len += r.used;
		if (!r.left) {
			err = rig_outs_parse(out, buf, len);
			out->lost = r.lost;
			return err;
		}
		cap *= 2;
		grown = realloc(buf, cap);
		if (!grown)
			free(buf);
		buf = grown;
	}
	return fail(rig, -ENOMEM, "cannot read what came up");
}

void rig_outs_free(struct rig_outs *out)
{
	free(out->items);
	free(out->segs);
	free(out->buf);
	memset(out, 0, sizeof(*out));
}
