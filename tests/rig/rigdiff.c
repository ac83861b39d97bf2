// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Differential test: the same generated sequences through two set-ups (native GRO and a policy),
 * recorded by two runs and compared.
 *
 *	rigdiff run --seed 1 --count 5000 --out native.rec
 *	groctl attach tcp
 *	rigdiff run --seed 1 --count 5000 --out bpf.rec
 *	rigdiff cmp native.rec bpf.rec
 *
 * A recording holds what came up, with geometry and split again; nothing in it depends on time,
 * memory addresses or the run. Exit: 0 equal, 1 different or failed, 2 usage, 4 no rig.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

struct rec_head {
	char magic[8];
	uint64_t seed;
	uint32_t from, count;
};

struct rec_seq {
	uint32_t n;
	uint32_t len;
};

static const char magic[8] = "rigdiff1", magic_udp[8] = "rigdiffu", magic_gre[8] = "rigdiffg";

struct args {
	uint64_t seed;
	uint32_t from, count, only;
	const char *out, *dev;
	bool wait, verbose, hex, have_only, split_check;
	uint32_t how, show;
	const char *files[2];
	int nr_files;
};

static int usage(void)
{
	fprintf(stderr,
		"usage: rigdiff run --seed S --count N [--from K] --out FILE [--dev NAME] [--wait]\n"
		"                   [--udp|--gre] [--wrong-complete] [--verbose]\n"
		"       rigdiff show --seed S --only K [--udp|--gre] [--hex]   (runs one sequence, prints in and out)\n"
		"       rigdiff cmp [--show N] [--no-truesize] [--offsets] [--hex] A B\n");
	return 2;
}

static int parse(struct args *a, int argc, char **argv)
{
	int i;

	*a = (struct args) { .seed = 1, .count = 1000, .how = RIG_CMP_TRUESIZE, .show = 3 };
	for (i = 2; i < argc; i++) {
		const char *o = argv[i], *v = i + 1 < argc ? argv[i + 1] : NULL;

		if (!strcmp(o, "--wait")) {
			a->wait = true;
		} else if (!strcmp(o, "--verbose")) {
			a->verbose = true;
		} else if (!strcmp(o, "--udp")) {
			gen_udp = true;
		} else if (!strcmp(o, "--gre")) {
			gen_gre = true;
		} else if (!strcmp(o, "--wrong-complete")) {
			gen_wrong_complete = true;
		} else if (!strcmp(o, "--hex")) {
			a->hex = true;
		} else if (!strcmp(o, "--no-truesize")) {
			a->how &= ~RIG_CMP_TRUESIZE;
		} else if (!strcmp(o, "--offsets")) {
			a->how |= RIG_CMP_OFFSETS;
		} else if (strncmp(o, "--", 2)) {
			if (a->nr_files == 2)
				return -1;
			a->files[a->nr_files++] = o;
		} else {
			if (!v)
				return -1;
			i++;
			if (!strcmp(o, "--seed"))
				a->seed = strtoull(v, NULL, 0);
			else if (!strcmp(o, "--count"))
				a->count = strtoul(v, NULL, 0);
			else if (!strcmp(o, "--from"))
				a->from = strtoul(v, NULL, 0);
			else if (!strcmp(o, "--show"))
				a->show = strtoul(v, NULL, 0);
			else if (!strcmp(o, "--only"))
				a->only = strtoul(v, NULL, 0), a->have_only = true;
			else if (!strcmp(o, "--out"))
				a->out = v;
			else if (!strcmp(o, "--dev"))
				a->dev = v;
			else
				return -1;
		}
	}
	return 0;
}

static int open_rig(const struct args *a, struct rig *rig)
{
	struct rig_setup setup = { .features = RIG_FEAT_GRO | RIG_FEAT_RXCSUM, .mtu = 9000 };
	char line[16];

	if (a->dev)
		snprintf(setup.name, sizeof(setup.name), "%s", a->dev);
	if (rig_open(rig, &setup)) {
		fprintf(stderr, "rigdiff: %s\n", rig_error(rig));
		return 4;
	}
	if (a->wait) {
		printf("%s\n", rig->info.name);
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return 4;
	}
	return 0;
}

static int run_one(struct rig *rig, uint64_t seed, uint32_t n, FILE *f, uint64_t *packets,
		   uint64_t *up, uint64_t *joined)
{
	struct rig_outs out = {};
	struct rec_seq rec = { .n = n };
	struct gen_seq s;
	uint32_t i;
	int err;

	gen_sequence(&s, seed, n);
	err = gen_run(rig, &s, &out);
	if (err) {
		fprintf(stderr, "rigdiff: sequence %u: %s\n", n, rig_error(rig));
		gen_print(stderr, &s, false);
		gen_free(&s);
		return err;
	}
	*packets += s.train.nr;
	*up += out.nr;
	for (i = 0; i < out.nr; i++)
		*joined += !!out.items[i].o->nr_list || out.items[i].o->gso_size;
	rec.len = out.len;
	if (fwrite(&rec, sizeof(rec), 1, f) != 1 || (out.len && fwrite(out.buf, out.len, 1, f) != 1)) {
		fprintf(stderr, "rigdiff: cannot write: %s\n", strerror(errno));
		err = -EIO;
	}
	rig_outs_free(&out);
	gen_free(&s);
	return err;
}

static int cmd_run(const struct args *a)
{
	struct rec_head head = { .seed = a->seed, .from = a->from, .count = a->count };
	uint64_t packets = 0, up = 0, joined = 0;
	struct rig rig;
	uint32_t n;
	FILE *f;
	int ret;

	if (!a->out || a->nr_files)
		return usage();
	f = fopen(a->out, "wb");
	if (!f) {
		fprintf(stderr, "rigdiff: %s: %s\n", a->out, strerror(errno));
		return 1;
	}
	ret = open_rig(a, &rig);
	if (ret)
		return ret;
	memcpy(head.magic, gen_udp ? magic_udp : gen_gre ? magic_gre : magic, sizeof(magic));
	fwrite(&head, sizeof(head), 1, f);
	for (n = a->from; n < a->from + a->count; n++) {
		if (a->verbose)
			fprintf(stderr, "%u\n", n);
		if (run_one(&rig, a->seed, n, f, &packets, &up, &joined)) {
			ret = 1;
			break;
		}
	}
	rig_close(&rig);
	if (fclose(f) && !ret) {
		fprintf(stderr, "rigdiff: %s: %s\n", a->out, strerror(errno));
		ret = 1;
	}
	printf("%u sequences, %llu packets sent, %llu came up, %llu of them joined or GSO\n",
	       n - a->from, (unsigned long long)packets, (unsigned long long)up,
	       (unsigned long long)joined);
	return ret;
}

static int cmd_show(const struct args *a)
{
	struct rig_outs out = {};
	struct gen_seq s;
	struct rig rig;
	int ret;

	if (!a->have_only)
		return usage();
	gen_sequence(&s, a->seed, a->only);
	gen_print(stdout, &s, a->hex);
	ret = open_rig(a, &rig);
	if (ret)
		return ret;
	if (gen_run(&rig, &s, &out)) {
		fprintf(stderr, "rigdiff: %s\n", rig_error(&rig));
		return 1;
	}
	printf("came up: %u\n", out.nr);
	rig_print_outs(stdout, &out, a->hex);
	rig_outs_free(&out);
	gen_free(&s);
	rig_close(&rig);
	return 0;
}

static FILE *open_rec(const char *name, struct rec_head *head)
{
	FILE *f = fopen(name, "rb");

	if (!f) {
		fprintf(stderr, "rigdiff: %s: %s\n", name, strerror(errno));
		return NULL;
	}
	if (fread(head, sizeof(*head), 1, f) == 1) {
		gen_udp = !memcmp(head->magic, magic_udp, sizeof(magic));
		gen_gre = !memcmp(head->magic, magic_gre, sizeof(magic));
		if (gen_udp || gen_gre || !memcmp(head->magic, magic, sizeof(magic)))
			return f;
	}
	fprintf(stderr, "rigdiff: %s: not a recording\n", name);
	fclose(f);
	return NULL;
}

/* 1: a sequence was read, 0: end, -1: the recording is cut short. */
static int read_seq(FILE *f, const char *name, struct rec_seq *rec, struct rig_outs *out)
{
	uint8_t *buf;

	if (fread(rec, sizeof(*rec), 1, f) != 1)
		return 0;
	buf = malloc(rec->len ? rec->len : 1);
	if (!buf || (rec->len && fread(buf, rec->len, 1, f) != 1) ||
	    rig_outs_parse(out, buf, rec->len)) {
		fprintf(stderr, "rigdiff: %s: cut short in sequence %u\n", name, rec->n);
		return -1;
	}
	return 1;
}

static void show_difference(const struct args *a, uint64_t seed, uint32_t n, const char *msg,
			    const struct rig_outs *x, const struct rig_outs *y)
{
	struct gen_seq s;

	printf("sequence %u (seed %llu): %s\n", n, (unsigned long long)seed, msg);
	gen_sequence(&s, seed, n);
	gen_print(stdout, &s, a->hex);
	gen_free(&s);
	printf("%s: %u\n", a->files[0], x->nr);
	rig_print_outs(stdout, x, a->hex);
	printf("%s: %u\n", a->files[1], y->nr);
	rig_print_outs(stdout, y, a->hex);
	printf("\n");
}

static int cmd_cmp(const struct args *a)
{
	struct rec_head ha, hb;
	uint32_t n = 0, differ = 0;
	char msg[300];
	FILE *fa, *fb;
	int ra, rb;

	if (a->nr_files != 2)
		return usage();
	fa = open_rec(a->files[0], &ha);
	fb = open_rec(a->files[1], &hb);
	if (!fa || !fb)
		return 1;
	if (memcmp(ha.magic, hb.magic, sizeof(magic)) || ha.seed != hb.seed || ha.from != hb.from || ha.count != hb.count) {
		fprintf(stderr, "rigdiff: recordings of different sequences\n");
		return 1;
	}
	for (;;) {
		struct rig_outs x = {}, y = {};
		struct rec_seq sa, sb;

		ra = read_seq(fa, a->files[0], &sa, &x);
		rb = read_seq(fb, a->files[1], &sb, &y);
		if (ra <= 0 || rb <= 0)
			break;
		n++;
		if (rig_cmp_outs(&x, &y, a->how, msg, sizeof(msg)) && differ++ < a->show)
			show_difference(a, ha.seed, sa.n, msg, &x, &y);
		rig_outs_free(&x);
		rig_outs_free(&y);
	}
	printf("%u sequences, %u differ\n", n, differ);
	if (n != ha.count || ra || rb) {
		fprintf(stderr, "rigdiff: %u sequences were recorded, %u compared\n", ha.count, n);
		return 1;
	}
	return differ ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct args a;

	if (argc < 2 || parse(&a, argc, argv))
		return usage();
	if (!strcmp(argv[1], "run"))
		return cmd_run(&a);
	if (!strcmp(argv[1], "show"))
		return cmd_show(&a);
	if (!strcmp(argv[1], "cmp"))
		return cmd_cmp(&a);
	return usage();
}
