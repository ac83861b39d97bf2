// SPDX-License-Identifier: GPL-2.0
/*
 * churn OBJECT [-k]: attaches a policy, replaces it twice, detaches it, and again, as fast as it can, until SIGTERM. Then it prints
 * how often it did that. -k: the policy stays attached, it is only replaced. Other than groctl it loads the object once.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>

static volatile sig_atomic_t stop;

static void on_term(int sig)
{
	(void)sig;
	stop = 1;
}

static struct bpf_map *load(const char *file)
{
	struct bpf_object *obj = bpf_object__open_file(file, NULL);
	struct bpf_map *map;

	if (!obj || bpf_object__load(obj))
		return NULL;
	bpf_object__for_each_map(map, obj)
		if (bpf_map__type(map) == BPF_MAP_TYPE_STRUCT_OPS)
			return map;
	return NULL;
}

int main(int argc, char **argv)
{
	int keep = argc > 2 && !strcmp(argv[2], "-k");
	unsigned long rounds = 0, busy = 0;
	struct bpf_link *link = NULL;
	struct bpf_map *a, *b;
	int err = 0;

	if (argc < 2)
		return 2;
	signal(SIGTERM, on_term);
	a = load(argv[1]);
	b = load(argv[1]);
	if (!a || !b) {
		fprintf(stderr, "churn: cannot load %s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	puts("ready");
	fflush(stdout);
	while (!stop && !err) {
		if (!link) {
			link = bpf_map__attach_struct_ops(a);
			/* The map of a link that went a moment ago is still on its way out. */
			if (!link && errno == EBUSY && ++busy < 100000) {
				usleep(100);
				continue;
			}
			err = link ? 0 : -errno;
		}
		err = err ? err : bpf_link__update_map(link, b);
		err = err ? err : bpf_link__update_map(link, a);
		if (!err && !keep) {
			err = bpf_link__detach(link);
			bpf_link__destroy(link);
			link = NULL;
		}
		rounds += !err;
	}
	if (link) {
		bpf_link__detach(link);
		bpf_link__destroy(link);
	}
	if (err)
		fprintf(stderr, "churn: after %lu rounds: %s\n", rounds, strerror(-err));
	printf("%lu rounds\n", rounds);
	return err ? 1 : 0;
}
