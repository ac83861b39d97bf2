// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * rigscript: a rig driven by lines on stdin, so that a test in bats can act between two halves of a train.
 *
 *	rig [NAME] [gro_max=N] [fraglist] [udpfwd]	make the device
 *	feed SPEC COUNTxSIZE [KEY[=VALUE]]...	one NAPI poll; SPEC as of the rig tool, or free4, free6 (protocol 253)
 *	    hold	keep the poll open: what GRO holds stays held
 *	    flow=N	the flow; each goes on where its last feed ended
 *	    ttl=N tos=N dport=N	as they say
 *	    linear=N	bytes in the linear part, which is from kmalloc
 *	    psh fin nots	PSH or FIN on the last packet, no timestamps
 *	    gap=N	skip N bytes of the flow first
 *	    nocsum badcsum	UDP without checksum; a wrong one, that the device has not looked at
 *	    unseen	the device has not looked at the checksum
 *	    mf		IPv4: more fragments follow, each packet the first of its own
 *	    inner	the packet says that it belongs to a tunnel of this host (skb->encapsulation)
 *	    meta=N	8 bytes of XDP metadata, each of this value
 *	    metacount	the same, the value counts the packets of the flow
 *	    state nohold	metadata is a parse state; one that keeps the packet out of GRO
 *	    wrong=N	with a mistake in it
 *	flush			end the open poll
 *	run COMMAND		in a shell; must succeed
 *	count N			so many packets came up since the start or the last `clear`
 *	segs N...		so many came up, of so many segments
 *	metas N...		so many came up, with such metadata; - is none
 *	sent			all of it, split again, equals what was fed, in order in each flow
 *	clear			forget what was fed and what came up
 *	print			what came up
 *
 * Exit: 0 every line was right, 1 one was not (it is named, with what came up), 2 wrong usage, 4 no rig.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <bpf_gro/parse.h>
#include "rig.h"

#define FLOWS	64

struct feed {
	const char *spec;
	uint32_t count, size, flow, ttl, tos, dport, linear, gap, meta, wrong;
	bool hold, psh, fin, nots, nocsum, badcsum, unseen, mf, inner, metacount, state, nohold;
};

static struct rig rig;
static bool is_open;
static struct rig_train sent;		/* all that was fed */
static uint32_t *sent_flow;		/* the flow of each */
static struct rig_outs got[256];	/* all that came up, one per read */
static int nr_got;
static uint32_t next_seq[FLOWS], next_index[FLOWS];
static int line_no;

static uint32_t came_up(void)
{
	uint32_t n = 0;
	int i;

	for (i = 0; i < nr_got; i++)
		n += got[i].nr;
	return n;
}

static void print_all(FILE *f)
{
	int i;

	for (i = 0; i < nr_got; i++)
		rig_print_outs(f, &got[i], false);
}

static int wrong(const char *fmt, uint32_t a, uint32_t b)
{
	printf("line %d: ", line_no);
	printf(fmt, a, b);
	printf("\nsent %u packets; came up:\n", sent.nr);
	print_all(stdout);
	return 1;
}

static int usage(const char *what)
{
	printf("line %d: wrong usage: %s\n", line_no, what);
	return 2;
}

static int read_up(void)
{
	struct rig_outs out = {};

	if (rig_read_all(&rig, &out, RIG_READ_SPLIT)) {
		printf("line %d: %s\n", line_no, rig_error(&rig));
		return 1;
	}
	if (!out.nr) {
		rig_outs_free(&out);
		return 0;
	}
	if (nr_got == sizeof(got) / sizeof(*got))
		return usage("too many reads");
	got[nr_got++] = out;
	return 0;
}

static int cmd_rig(char *args)
{
	struct rig_setup setup = { .features = RIG_FEAT_GRO | RIG_FEAT_RXCSUM, .mtu = 9000 };
	char *tok;

	while ((tok = strsep(&args, " "))) {
		if (!*tok)
			continue;
		if (sscanf(tok, "gro_max=%u", &setup.gro_max_size) == 1)
			setup.gro_ipv4_max_size = setup.gro_max_size;
		else if (!strcmp(tok, "fraglist"))
			setup.features |= RIG_FEAT_GRO_FRAGLIST;
		else if (!strcmp(tok, "udpfwd"))
			setup.features |= RIG_FEAT_GRO_UDP_FWD;
		else
			snprintf(setup.name, sizeof(setup.name), "%s", tok);
	}
	if (rig_open(&rig, &setup)) {
		printf("line %d: %s\n", line_no, rig_error(&rig));
		return 4;
	}
	is_open = true;
	return 0;
}

/* A protocol that no kernel knows: 8 bytes of header (sequence number of the payload, flow), then payload. */
static void build_free(struct rig_packet *p, const struct feed *f, uint32_t seq, uint32_t index)
{
	uint32_t be;
	uint8_t *q;

	rig_eth(p, 0x01, 0x02);
	if (!strcmp(f->spec, "free6"))
		rig_ip6(p, 1, 2);
	else
		rig_ip4(p, 0x0a000001, 0x0a000002, 77 + index, 0);
	p->frame[p->next_off] = 253;
	q = rig_push(p, 8);
	p->hdr_len = p->len;
	be = htonl(1000 + seq);
	memcpy(q, &be, 4);
	be = htonl(f->flow);
	memcpy(q + 4, &be, 4);
	rig_payload(p, f->size, seq + 7919 * f->flow);
	rig_fini(p);
	/* Nobody has validated what nobody knows. */
	p->g.csum = RIG_CSUM_NONE;
	p->g.hash += f->flow;
}

static void set_ip(struct rig_packet *p, const struct feed *f)
{
	uint8_t *ip = rig_hdr(p, RIG_L_IP4, 0);

	if (ip) {
		ip[8] = f->ttl ? f->ttl : ip[8];
		ip[1] = f->tos;
		ip[6] |= f->mf ? 0x20 : 0;
	} else {
		ip = rig_hdr(p, RIG_L_IP6, 0);
		ip[7] = f->ttl ? f->ttl : ip[7];
		ip[0] = 0x60 | f->tos >> 4;
		ip[1] = (ip[1] & 0xf) | f->tos << 4;
	}
	rig_fini(p);
}

/* What an XDP program would leave. */
static void set_state(struct rig_packet *p, const struct feed *f)
{
	struct gro_parse_state st = {
		.magic = GRO_PARSE_MAGIC, .version = GRO_PARSE_VERSION, .flags = f->nohold ? GRO_PARSE_F_NO_HOLD : 0,
	};
	int i, ips = 0;

	for (i = 0; i < p->nr_layers; i++) {
		const struct rig_layer *l = &p->layers[i];

		if (l->type == RIG_L_IP4 || l->type == RIG_L_IP6) {
			st.net_proto = l->type == RIG_L_IP4 ? 0x0800 : 0x86dd;
			st.net_off = l->off;
			st.trans_off = l->off + l->len;
			st.proto_off = l->off + (l->type == RIG_L_IP4 ? 9 : 6);
			ips++;
		} else if (l->type == RIG_L_EXT) {
			st.trans_off = l->off + l->len;
			st.proto_off = l->off;
		}
	}
	st.encap = ips > 1 ? GRO_PARSE_IPIP : GRO_PARSE_NO_TUNNEL;
	st.proto = p->frame[st.proto_off];
	st.magic ^= f->wrong == 1;
	st.version ^= f->wrong == 2;
	st.flags |= f->wrong == 3 ? 0x80 : 0;
	st.net_off += f->wrong == 4 ? 4 : 0;
	st.trans_off += f->wrong == 5 ? 5000 : 0;
	st.proto ^= f->wrong == 6;
	st.net_proto ^= f->wrong == 7;
	st.proto_off += f->wrong == 8 ? 100 : 0;
	st.encap |= f->wrong == 9 ? 0x40 : 0;
	p->g.meta_len = sizeof(st);
	memcpy(p->meta, &st, sizeof(st));
}

static int build(struct rig_packet *p, const struct feed *f, bool last)
{
	struct rig_spec s = {
		.flow = f->flow, .seq = next_seq[f->flow], .index = next_index[f->flow], .size = f->size,
		.no_ts = f->nots, .no_udp_csum = f->nocsum, .dport = f->dport,
		.tcp_flags = RIG_ACK | (last && f->psh ? RIG_PSH : 0) | (last && f->fin ? RIG_FIN : 0),
	};

	if (!strncmp(f->spec, "free", 4))
		build_free(p, f, s.seq, s.index);
	else if (rig_spec_build(p, f->spec, &s))
		return -1;
	if (f->state || f->nohold)
		set_state(p, f);
	if (f->meta || f->metacount) {
		p->g.meta_len = 8;
		memset(p->meta, f->metacount ? s.index : f->meta, 8);
	}
	next_seq[f->flow] += f->size;
	next_index[f->flow]++;

	if (f->ttl || f->tos || f->mf)
		set_ip(p, f);
	if (f->badcsum) {
		struct rig_layer *l = rig_layer(p, RIG_L_UDP, 0);

		if (!l)
			l = rig_layer(p, RIG_L_TCP, 0);
		l->csum_xor = 0x0100;
		rig_fini(p);
	}
	if (f->badcsum || f->unseen || f->mf)
		p->g.csum = RIG_CSUM_NONE;
	if (f->inner)
		p->g.flags |= RIG_P_ENCAP;
	if (f->linear) {
		p->g.head = RIG_HEAD_KMALLOC;	/* no page that GRO could take over */
		rig_shape(p, f->linear, 0);
	}
	return 0;
}

static int parse_feed(struct feed *f, char *args)
{
	static const struct {
		const char *fmt;
		size_t off;
	} nums[] = {
		{ "flow=%u", offsetof(struct feed, flow) }, { "ttl=%u", offsetof(struct feed, ttl) },
		{ "tos=%u", offsetof(struct feed, tos) }, { "dport=%u", offsetof(struct feed, dport) },
		{ "linear=%u", offsetof(struct feed, linear) }, { "gap=%u", offsetof(struct feed, gap) },
		{ "meta=%u", offsetof(struct feed, meta) }, { "wrong=%u", offsetof(struct feed, wrong) },
	};
	const struct {
		const char *name;
		bool *set;
	} flags[] = {
		{ "hold", &f->hold }, { "psh", &f->psh }, { "fin", &f->fin }, { "nots", &f->nots },
		{ "nocsum", &f->nocsum }, { "badcsum", &f->badcsum }, { "unseen", &f->unseen }, { "mf", &f->mf },
		{ "inner", &f->inner }, { "metacount", &f->metacount },
		{ "state", &f->state }, { "nohold", &f->nohold },
	};
	char *tok;
	size_t i;

	f->spec = strsep(&args, " ");
	tok = strsep(&args, " ");
	if (!tok || sscanf(tok, "%ux%u", &f->count, &f->size) != 2)
		return -1;
	while ((tok = strsep(&args, " "))) {
		if (!*tok)
			continue;
		for (i = 0; i < sizeof(flags) / sizeof(*flags) && strcmp(tok, flags[i].name); i++)
			;
		if (i < sizeof(flags) / sizeof(*flags)) {
			*flags[i].set = true;
			continue;
		}
		for (i = 0; i < sizeof(nums) / sizeof(*nums); i++)
			if (sscanf(tok, nums[i].fmt, (uint32_t *)((char *)f + nums[i].off)) == 1)
				break;
		if (i == sizeof(nums) / sizeof(*nums))
			return -1;
	}
	return f->flow < FLOWS ? 0 : -1;
}

static int cmd_feed(char *args)
{
	struct rig_train t = {};
	struct feed f = {};
	uint32_t i;

	if (!is_open)
		return usage("feed before rig");
	if (parse_feed(&f, args))
		return usage("feed SPEC COUNTxSIZE [KEY[=VALUE]]...");
	next_seq[f.flow] += f.gap;
	for (i = 0; i < f.count; i++) {
		struct rig_packet *p = rig_train_add(&t);

		if (build(p, &f, i + 1 == f.count))
			return usage("no such packet");
		if (!(sent.nr & (sent.nr - 1)))
			sent_flow = realloc(sent_flow, (2 * sent.nr + 1) * sizeof(*sent_flow));
		sent_flow[sent.nr] = f.flow;
		rig_packet_copy(rig_train_add(&sent), p);
	}
	if (rig_feed(&rig, &t, f.hold ? RIG_FEED_HOLD : 0)) {
		printf("line %d: %s\n", line_no, rig_error(&rig));
		return 1;
	}
	rig_train_free(&t);
	return read_up();
}

/* Each packet of what came up was sent, once, and none of its flow came up before that was sent after it. */
static int cmd_sent(void)
{
	bool *seen = calloc(sent.nr + 1, sizeof(*seen));
	int last[FLOWS], g;
	uint32_t i, j, n = 0;

	memset(last, -1, sizeof(last));
	for (g = 0; g < nr_got; g++) {
		for (i = 0; i < got[g].nr; i++) {
			const struct rig_item *item = &got[g].items[i];
			uint32_t parts = item->o->nr_segs ? item->o->nr_segs : 1;

			if (item->o->split_err)
				return wrong("the split of a packet of %u segments failed with %u",
					     item->o->gso_segs, -item->o->split_err);
			for (j = 0; j < parts; j++) {
				const struct rig_item *s = item->o->nr_segs ?
							   &got[g].segs[item->first_seg + j] : item;
				uint32_t k;

				for (k = 0; k < sent.nr; k++)
					if (!seen[k] && s->o->frame_len == sent.p[k].len &&
					    !memcmp(s->frame, sent.p[k].frame, sent.p[k].len))
						break;
				if (k == sent.nr)
					return wrong("segment %u of packet %u was not sent so", j + 1, i + 1);
				if ((int)k < last[sent_flow[k]])
					return wrong("packet %u came up after packet %u of its flow", k + 1,
						     last[sent_flow[k]] + 1);
				last[sent_flow[k]] = k;
				seen[k] = true;
				n++;
			}
		}
	}
	free(seen);
	return n == sent.nr ? 0 : wrong("%u of %u packets came up", n, sent.nr);
}

#define NO_META		1000	/* no byte has this value */

static uint32_t segs_of(const struct rig_item *item)
{
	return item->o->gso_segs ? item->o->gso_segs : 1;
}

static uint32_t meta_of(const struct rig_item *item)
{
	return item->o->meta_len ? item->meta[0] : NO_META;
}

/* One number for each packet that came up, as @of tells it. */
static int numbers(char *args, const char *what, uint32_t (*of)(const struct rig_item *item))
{
	uint32_t n = 0, i = 0;
	char *tok;
	int g = 0;

	while ((tok = strsep(&args, " "))) {
		uint32_t want = *tok == '-' ? NO_META : atoi(tok), have;

		if (!*tok)
			continue;
		while (g < nr_got && i == got[g].nr) {
			g++;
			i = 0;
		}
		if (g == nr_got)
			return wrong("%u packets came up, the one of %u did not", n, want);
		have = of(&got[g].items[i]);
		if (have != want) {
			printf("%s: ", what);
			return wrong("a packet has %u instead of %u", have, want);
		}
		i++;
		n++;
	}
	return n == came_up() ? 0 : wrong("%u packets came up instead of %u", came_up(), n);
}

static int cmd_run(const char *command)
{
	int status;

	fflush(stdout);
	status = system(command);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	printf("line %d: exit code %d: %s\n", line_no, WEXITSTATUS(status), command);
	return 1;
}

static int cmd_clear(void)
{
	while (nr_got)
		rig_outs_free(&got[--nr_got]);
	rig_train_clear(&sent);
	return 0;
}

static int cmd_flush(void)
{
	if (rig_flush(&rig)) {
		printf("line %d: %s\n", line_no, rig_error(&rig));
		return 1;
	}
	return read_up();
}

static int command(char *line)
{
	char *verb = strsep(&line, " ");
	char *args = line ? line : verb + strlen(verb);

	if (!strcmp(verb, "rig"))
		return cmd_rig(args);
	if (!strcmp(verb, "run"))
		return cmd_run(args);
	if (!is_open)
		return usage("rig comes first");
	if (!strcmp(verb, "feed"))
		return cmd_feed(args);
	if (!strcmp(verb, "flush"))
		return cmd_flush();
	if (!strcmp(verb, "sent"))
		return cmd_sent();
	if (!strcmp(verb, "segs"))
		return numbers(args, "segments", segs_of);
	if (!strcmp(verb, "metas"))
		return numbers(args, "metadata", meta_of);
	if (!strcmp(verb, "count"))
		return came_up() == (uint32_t)atoi(args) ? 0 :
		       wrong("%u packets came up instead of %u", came_up(), atoi(args));
	if (!strcmp(verb, "clear"))
		return cmd_clear();
	if (!strcmp(verb, "print")) {
		print_all(stdout);
		return 0;
	}
	return usage(verb);
}

int main(void)
{
	char line[1024];
	int code = 0;

	while (!code && fgets(line, sizeof(line), stdin)) {
		char *at = line + strspn(line, " \t");

		line_no++;
		at[strcspn(at, "\n")] = '\0';
		if (*at && *at != '#')
			code = command(at);
	}
	if (is_open)
		rig_close(&rig);
	return code;
}
