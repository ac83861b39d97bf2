// SPDX-License-Identifier: GPL-2.0
/*
 * groctl parse: the XDP program that parses once (bpf/xdp_parse.bpf.c), on devices. Needs no module: tc programs can use it as well.
 *
 * Its link is pinned by namespace and number of the device, since device names may have what bpffs names may not, and may change.
 */
#include <dirent.h>
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/if_link.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "groctl.h"

#define PROGRAM		"xdp_parse"
#define COUNTERS	"parse_counters"

/* Of bpf/xdp_parse.bpf.c, in its order. */
static const struct {
	const char *name;
	const char *text;
} counters[] = {
	{ "parsed",	"    %lu packets with state" },
	{ "tunnels",	", %lu of them in tunnels" },
	{ "not_ip",	", %lu not IP or not understood" },
	{ "others",	", %lu with metadata of other programs left alone" },
	{ "no_room",	", %lu without room for it" },
	{ "no_hold",	", %lu kept out of GRO\n" },
};

static void parse_dir(char *buf, size_t size)
{
	snprintf(buf, size, "%s/%s", pin_dir(), PROGRAM);
}

static void parse_pin(char *buf, size_t size, unsigned int ifindex)
{
	snprintf(buf, size, "%s/%s/%u-%u", pin_dir(), PROGRAM, netns_inum(), ifindex);
}

static int device_number(const char *dev, unsigned int *ifindex)
{
	char ns[NETNS_NAME_LEN];

	*ifindex = if_nametoindex(dev);
	if (*ifindex)
		return RC_OK;
	if (netns_name(netns_inum(), ns, sizeof(ns)))
		return fail(RC_FAIL, "no device %s in network namespace %s", dev, ns);
	return fail(RC_FAIL, "no device %s in this network namespace", dev);
}

static int mode_flags(const struct cli *cli, const char *dev, uint32_t *flags)
{
	const char *mode = cli_value(cli, OPT_MODE);

	*flags = XDP_FLAGS_DRV_MODE;
	if (!mode || !strcmp(mode, "native"))
		return RC_OK;
	if (strcmp(mode, "generic"))
		return fail(RC_USAGE, "no mode '%s': native or generic", mode);
	warn("generic XDP turns GRO off on %s: only tc programs will see the state", dev);
	*flags = XDP_FLAGS_SKB_MODE;
	return RC_OK;
}

/* The link that is pinned for a device, or a negative errno; one whose device is gone is taken away. */
static int pinned_link(const char *path, struct bpf_link_info *info)
{
	__u32 len = sizeof(*info);
	int fd = bpf_obj_get(path);

	if (fd < 0)
		return -ENOENT;
	memset(info, 0, sizeof(*info));
	if (!bpf_link_get_info_by_fd(fd, info, &len) && info->type == BPF_LINK_TYPE_XDP && info->xdp.ifindex)
		return fd;
	close(fd);
	unlink(path);
	return -ENOENT;
}

static int cannot_attach(const char *dev, unsigned int ifindex, int err)
{
	__u32 id = 0;

	if (err == -EBUSY || err == -EEXIST) {
		bpf_xdp_query_id(ifindex, 0, &id);
		return fail(RC_FAIL, "%s has an XDP program already (id %u): only one can sit on a device", dev, id);
	}
	if (err == -EOPNOTSUPP)
		return fail(RC_UNSUPPORTED, "the driver of %s has no native XDP, or not with this configuration; --mode generic is for tc only", dev);
	return fail(RC_FAIL, "the parser cannot be attached to %s: %s", dev, errno_text(-err));
}

static int attach_to(const struct cli *cli, const struct policy *pol, const char *dev, unsigned int ifindex)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts);
	struct bpf_program *prog = bpf_object__next_program(pol->obj, NULL);
	char path[512], dir[512];
	int code, fd, err;

	code = mode_flags(cli, dev, &opts.flags);
	if (code)
		return code;
	err = prog ? bpf_object__load(pol->obj) : -EINVAL;
	if (err)
		return fail(RC_FAIL, "the parser cannot be loaded: %s", errno_text(-err));
	fd = bpf_link_create(bpf_program__fd(prog), ifindex, BPF_XDP, &opts);
	if (fd < 0)
		return cannot_attach(dev, ifindex, fd);
	parse_dir(dir, sizeof(dir));
	parse_pin(path, sizeof(path), ifindex);
	if ((mkdir(dir, 0700) && errno != EEXIST) || bpf_obj_pin(fd, path))
		code = fail(RC_FAIL, "the parser cannot be pinned at %s: %s; it is taken off again", path, strerror(errno));
	else if (out_json)
		out_str("device", NULL, dev);
	else
		out_text("parsing on %s\n", dev);
	close(fd);
	return code;
}

static int parse_attach(const struct cli *cli, const char *dev)
{
	struct bpf_link_info info;
	char path[512], why[2048];
	struct policy pol = {};
	unsigned int ifindex;
	int code, fd, i;

	code = device_number(dev, &ifindex);
	code = code ?: program_find(&pol, PROGRAM);
	for (i = 0; i < cli->opt[OPT_SET].n && !code; i++)
		if (option_set(&pol, cli->opt[OPT_SET].v[i], why, sizeof(why)))
			code = fail(RC_USAGE, "%s", why);
	code = code ?: pins_lock(true);
	if (!code) {
		parse_pin(path, sizeof(path), ifindex);
		fd = pinned_link(path, &info);
		if (fd >= 0) {
			code = fail(RC_FAIL, "the parser is on %s already: detach it to set other options", dev);
			close(fd);
		}
	}
	code = code ?: attach_to(cli, &pol, dev, ifindex);
	policy_close(&pol);
	return code;
}

static int parse_detach(const char *dev)
{
	struct bpf_link_info info;
	char path[512], dir[512];
	unsigned int ifindex;
	int code, fd;

	code = device_number(dev, &ifindex);
	code = code ?: pins_lock(false);
	if (code)
		return code;
	parse_pin(path, sizeof(path), ifindex);
	fd = pinned_link(path, &info);
	if (fd < 0)
		return fail(RC_FAIL, "the parser is not on %s", dev);
	if (bpf_link_detach(fd) || unlink(path))
		code = fail(RC_FAIL, "the parser cannot be taken off %s: %s", dev, strerror(errno));
	else if (out_json)
		out_str("device", NULL, dev);
	else
		out_text("no longer parsing on %s\n", dev);
	close(fd);
	parse_dir(dir, sizeof(dir));
	rmdir(dir);
	return code;
}

/* The sum of all CPUs, by counter. */
static void read_counters(int fd, uint64_t *sums)
{
	int ncpu = libbpf_num_possible_cpus(), c;
	uint64_t *values;
	uint32_t i;

	values = calloc(ncpu > 0 ? ncpu : 1, sizeof(*values));
	for (i = 0; values && ncpu > 0 && i < ARRAY_SIZE(counters); i++)
		if (!bpf_map_lookup_elem(fd, &i, values))
			for (c = 0; c < ncpu; c++)
				sums[i] += values[c];
	free(values);
}

/* The counters' map of the program @id, or a negative errno. */
static int counters_of(uint32_t id)
{
	struct bpf_prog_info info = {};
	__u32 maps[16] = {}, len = sizeof(info), i;
	int prog = bpf_prog_get_fd_by_id(id), fd;

	if (prog < 0)
		return prog;
	info.nr_map_ids = ARRAY_SIZE(maps);
	info.map_ids = (uintptr_t)maps;
	if (bpf_prog_get_info_by_fd(prog, &info, &len))
		info.nr_map_ids = 0;
	close(prog);
	for (i = 0; i < info.nr_map_ids && i < ARRAY_SIZE(maps); i++) {
		struct bpf_map_info map = {};

		len = sizeof(map);
		fd = bpf_map_get_fd_by_id(maps[i]);
		if (fd < 0)
			continue;
		if (!bpf_map_get_info_by_fd(fd, &map, &len) && !strcmp(map.name, COUNTERS))
			return fd;
		close(fd);
	}
	return -ENOENT;
}

static void show_parser(const struct bpf_link_info *info)
{
	LIBBPF_OPTS(bpf_xdp_query_opts, query);
	uint64_t sums[ARRAY_SIZE(counters)] = {};
	char name[IF_NAMESIZE] = "";
	bool generic;
	size_t i;
	int fd;

	if_indextoname(info->xdp.ifindex, name);
	generic = !bpf_xdp_query(info->xdp.ifindex, 0, &query) && query.skb_prog_id == info->prog_id;
	fd = counters_of(info->prog_id);
	if (fd >= 0) {
		read_counters(fd, sums);
		close(fd);
	}
	out_open(NULL);
	out_str("device", "%s: ", name);
	out_uint("ifindex", NULL, info->xdp.ifindex);
	out_str("mode", "%s XDP, ", generic ? "generic" : "native");
	out_uint("link", "link %lu, ", info->id);
	out_uint("program", "program %lu\n", info->prog_id);
	for (i = 0; i < ARRAY_SIZE(counters); i++)
		out_uint(counters[i].name, counters[i].text, sums[i]);
	out_close();
}

/* The parsers of this network namespace, or that of one device. */
static int parse_status(const char *dev)
{
	unsigned int only = 0, inum, ifindex, n = 0;
	char dir[512], path[1024];
	struct bpf_link_info info;
	struct dirent *d;
	DIR *pins;
	int code = dev ? device_number(dev, &only) : RC_OK, fd;

	code = code ?: pins_lock(false);
	if (code)
		return code;
	parse_dir(dir, sizeof(dir));
	pins = opendir(dir);
	out_open_array("parsers");
	while (pins && (d = readdir(pins))) {
		if (sscanf(d->d_name, "%u-%u", &inum, &ifindex) != 2 || inum != netns_inum() || (only && ifindex != only))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, d->d_name);
		fd = pinned_link(path, &info);
		if (fd < 0)
			continue;
		show_parser(&info);
		close(fd);
		n++;
	}
	out_close();
	if (pins)
		closedir(pins);
	/* Nothing is left in it if the devices are gone. */
	rmdir(dir);
	if (dev && !n)
		return fail(RC_FAIL, "the parser is not on %s", dev);
	if (!n)
		out_text("no parser on a device of this network namespace\n");
	return RC_OK;
}

int verb_parse(const struct cli *cli)
{
	const char *what = cli->args[0], *dev = cli->nargs > 1 ? cli->args[1] : NULL;

	if (!strcmp(what, "status"))
		return parse_status(dev);
	if (strcmp(what, "attach") && strcmp(what, "detach"))
		return fail(RC_USAGE, "groctl parse attach, detach or status, not '%s'", what);
	if (!dev)
		return fail(RC_USAGE, "groctl parse %s needs a device", what);
	return strcmp(what, "attach") ? parse_detach(dev) : parse_attach(cli, dev);
}
