// SPDX-License-Identifier: GPL-2.0
/*
 * groctl headers: header-length policies. A place is one device or one driver; each has at most one policy, one link and one pin.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "groctl.h"

/* A place that the user names. */
struct place {
	const char *device;	/* or NULL */
	const char *driver;	/* or NULL */
};

static const char *kind_of(const struct place *p)
{
	return p->device ? "device" : "driver";
}

static const char *name_of(const struct place *p)
{
	return p->device ?: p->driver;
}

static bool is_at(const struct bpf_rx_header_status *st, const struct place *p)
{
	if (p->driver)
		return !strcmp(st->driver, p->driver);
	return !strcmp(st->device, p->device) && st->netns_cookie == netns_cookie();
}

static const struct bpf_rx_header_status *find_at(const struct headers *h, const struct place *p)
{
	int i;

	for (i = 0; i < h->npolicies; i++)
		if (is_at(&h->policies[i], p))
			return &h->policies[i];
	return NULL;
}

static const struct bpf_rx_header_status *find_link(const struct headers *h, uint32_t link_id)
{
	int i;

	for (i = 0; i < h->npolicies; i++)
		if (h->policies[i].link_id == link_id)
			return &h->policies[i];
	return NULL;
}

/* Call @each for every place on the command line; the first failure ends it. */
static int each_place(const struct cli *cli, int (*each)(const struct cli *cli, const struct place *p))
{
	int code = RC_OK, i;

	for (i = 0; i < cli->opt[OPT_DEV].n && !code; i++)
		code = each(cli, &(struct place){ .device = cli->opt[OPT_DEV].v[i] });
	for (i = 0; i < cli->opt[OPT_DRIVER].n && !code; i++)
		code = each(cli, &(struct place){ .driver = cli->opt[OPT_DRIVER].v[i] });
	return code;
}

static bool names_place(const struct cli *cli)
{
	return cli_has(cli, OPT_DEV) || cli_has(cli, OPT_DRIVER);
}

/* ---- show ---- */

static void show_counts(const struct bpf_rx_header_counts *c)
{
	out_open("counters");
	out_uint("asked", "asked %lu", c->asked);
	out_uint("answered", ", answered %lu", c->answered);
	out_uint("lowered", c->lowered ? " (%lu lowered to the limit)" : NULL, c->lowered);
	out_uint("native", ", native %lu", c->native);
	out_uint("out_of_bounds", c->bounds ? ", out of bounds %lu" : NULL, c->bounds);
	out_uint("elsewhere", c->elsewhere ? ", not on receive %lu" : NULL, c->elsewhere);
	out_uint("bytes", NULL, c->bytes);
	out_close();
	out_double("bytes_per_packet", c->asked ? ", %.1f bytes a packet\n" : "\n",
		   c->asked ? (double)c->bytes / c->asked : 0);
}

static void show_policy_of(const struct headers *h, const struct bpf_rx_header_status *st, const struct pins *pins)
{
	char ns[NETNS_NAME_LEN] = "";
	int i;

	out_open(NULL);
	out_str("name", "%s: ", st->name);
	if (st->device[0]) {
		netns_name(st->netns_inum, ns, sizeof(ns));
		out_str("device", "device %s", st->device);
		out_uint("netns", st->netns_cookie == netns_cookie() ? NULL : " of network namespace %lu", st->netns_inum);
		if (ns[0])
			out_str("netns_name", st->netns_cookie == netns_cookie() ? NULL : " (%s)", ns);
	} else {
		out_str("driver", "driver %s", st->driver);
	}
	out_uint("id", ", id %lu\n", st->id);
	out_bool("receive_only", NULL, st->flags & BPF_RX_HEADER_ST_ENTER);
	show_pin(st->link_id, pins);
	out_uint("devices_now", NULL, st->devices_now);
	out_text(st->devices_now ? "    all      " : "    waits    no such device now; ");
	show_counts(&st->counts);
	out_open_array("devices");
	for (i = 0; i < h->ndevices; i++) {
		if (h->devices[i].policy_id != st->id)
			continue;
		out_open(NULL);
		out_str("device", "    %-8s ", h->devices[i].device);
		out_str("driver", NULL, h->devices[i].driver);
		out_uint("ifindex", NULL, h->devices[i].ifindex);
		out_uint("netns", NULL, h->devices[i].netns_inum);
		show_counts(&h->devices[i].counts);
		out_close();
	}
	out_close();
	out_close();
}

static bool wanted(const struct cli *cli, const struct bpf_rx_header_status *st)
{
	struct place p = {};
	int i;

	for (i = 0; i < cli->opt[OPT_DEV].n; i++) {
		p.device = cli->opt[OPT_DEV].v[i];
		if (is_at(st, &p))
			return true;
	}
	p.device = NULL;
	for (i = 0; i < cli->opt[OPT_DRIVER].n; i++) {
		p.driver = cli->opt[OPT_DRIVER].v[i];
		if (is_at(st, &p))
			return true;
	}
	return !names_place(cli);
}

static void show_module(const struct bpf_rx_header_module_status *m)
{
	bool hooked = m->flags & BPF_RX_HEADER_MOD_HOOKED;

	out_open("module");
	out_uint("abi", "bpf_rx_header.ko: ABI %lu, ", m->abi);
	out_bool("hooked", NULL, hooked);
	out_text(hooked ? "eth_get_headlen is hooked" : "nothing is hooked");
	out_bool("mlx5_asks", NULL, m->flags & BPF_RX_HEADER_MOD_MLX5_ASKS);
	out_uint("policies", m->policies == 1 ? ", %lu policy\n" : ", %lu policies\n", m->policies);
	out_uint("refusals", NULL, m->refusals);
	if (m->message[0])
		out_str("message", "    last refused: %s\n", m->message);
	out_close();
}

static int need_at(const struct cli *cli, const struct place *p)
{
	struct headers h;
	int code = headers_read(&h);

	(void)cli;
	if (!code && !find_at(&h, p))
		code = fail(RC_FAIL, "%s %s has no header policy", kind_of(p), name_of(p));
	headers_free(&h);
	return code;
}

static int show(const struct cli *cli)
{
	struct pins pins = {};
	struct headers h = {};
	int code, i;

	if (cli->nargs > 1)
		return fail(RC_USAGE, "'%s' is too much; usage: groctl headers show [--dev DEVICE] [--driver DRIVER]", cli->args[1]);
	code = need_module();
	code = code ?: each_place(cli, need_at);
	code = code ?: headers_read(&h);
	if (!code) {
		pins_read(&pins, true);
		if (!names_place(cli))
			show_module(&h.module);
		out_open_array("policies");
		for (i = 0; i < h.npolicies; i++)
			if (wanted(cli, &h.policies[i]))
				show_policy_of(&h, &h.policies[i], &pins);
		out_close();
	}
	pins_free(&pins);
	headers_free(&h);
	return code;
}

/* ---- set ---- */

static int check_place(const struct cli *cli, const struct place *p)
{
	struct devices devs;
	int code, err;

	if (p->driver && (!*p->driver || strlen(p->driver) >= BPF_RX_HEADER_DRIVER_LEN || strpbrk(p->driver, " ,/\t\n:")))
		return fail(RC_USAGE, "'%s' cannot be a driver's name", p->driver);
	if (p->driver)
		return strncmp(p->driver, MLX5_DRIVER, strlen(MLX5_DRIVER)) ? RC_OK : follow_check_mlx5();
	err = devices_read(&devs);
	if (err)
		code = fail(RC_FAIL, "cannot read the network devices: %s", strerror(-err));
	else
		code = device_check(&devs, p->device, cli_has(cli, OPT_ABSENT));
	devices_free(&devs);
	return code;
}

static int set_members(struct policy *pol, const struct place *p)
{
	if (policy_set_text(pol, "device", p->device ?: "") || policy_set_text(pol, "driver", p->driver ?: ""))
		return fail(RC_FAIL, "policy %s has no members device and driver", pol->label);
	return RC_OK;
}

/* Register the policy: in the link of the one that is there, or with a link and a pin of its own. */
static int put(struct policy *pol, const struct bpf_rx_header_status *old, uint32_t *link_id)
{
	struct bpf_link_info info = {};
	__u32 len = sizeof(info);
	char name[32], path[512];
	int code, fd = -1;

	if (old) {
		*link_id = old->link_id;
		fd = old->link_id ? bpf_link_get_fd_by_id(old->link_id) : -EOPNOTSUPP;
		if (fd < 0)
			return fail(RC_FAIL, "header policy %s cannot be replaced: %s", old->name, old->link_id ?
				    strerror(-fd) : "another tool registered it without a link, and has to take it off");
		code = policy_link(pol, fd, NULL);
		close(fd);
		return code;
	}
	code = policy_link(pol, -1, &fd);
	if (code)
		return code;
	if (bpf_link_get_info_by_fd(fd, &info, &len)) {
		code = fail(RC_FAIL, "cannot read the link: %s", strerror(errno));
	} else {
		*link_id = info.id;
		snprintf(name, sizeof(name), "link-%u", info.id);
		pin_path(path, sizeof(path), name);
		unlink(path);	/* ids begin anew with each boot, pins do too: a leftover holds nothing */
		if (bpf_obj_pin(fd, path))
			code = fail(RC_FAIL, "policy %s cannot be pinned at %s: %s; it is taken off again", pol->label, path,
				    strerror(errno));
	}
	if (code)
		bpf_link_detach(fd);
	close(fd);
	return code;
}

static int take_off(const struct bpf_rx_header_status *st)
{
	struct pins pins = {};
	int code, err;

	err = st->link_id ? detach_link(st->link_id) : -EOPNOTSUPP;
	if (err)
		return fail(RC_FAIL, "header policy %s cannot be taken off: %s", st->name, st->link_id ? strerror(-err) :
			    "another tool registered it without a link, and has to take it off");
	pins_read(&pins, true);
	code = remove_pins(&pins, st->link_id, st->name);
	pins_free(&pins);
	return unfollow(st->link_id, true) ?: code;
}

/* What there is to do once the policy is in place. */
static int follow(const struct policy *pol, const struct headers *h, const struct bpf_rx_header_status *st, bool is_new)
{
	bool mlx5 = st->flags & BPF_RX_HEADER_ST_ENTER;
	/* Nobody knows yet of which driver the device will be. */
	bool may_be = st->device[0] && !st->devices_now && follow_has_mlx5();
	int code;

	code = follow_policy(pol, st->link_id);
	if (!code && (mlx5 || may_be))
		code = follow_mlx5(st->link_id);
	if (code) {
		take_off(st);
		if (!is_new)
			warn("the policy that was there is gone, too: header lengths are native again");
	}
	if (!code && mlx5 && !(h->module.flags & BPF_RX_HEADER_MOD_MLX5_ASKS))
		warn("mlx5_core of this kernel copies 256 bytes and asks no one (Linux asks from 6.18 on): the policy has nothing to do there");
	if (!code && st->driver[0] && !st->devices_now)
		warn("no device has the driver %s now: the policy waits for one", st->driver);
	return code;
}

static int set_one(const struct cli *cli, const struct place *p)
{
	const struct bpf_rx_header_status *old = NULL, *st;
	struct headers before = {}, after = {};
	struct pins pins = {};
	uint32_t link_id = 0;
	struct policy pol;
	int code;

	code = policy_prepare(&pol, cli, cli->args[1]);
	code = code ?: set_members(&pol, p);
	code = code ?: headers_read(&before);
	if (!code)
		old = find_at(&before, p);
	code = code ?: policy_load(&pol);
	code = code ?: put(&pol, old, &link_id);
	code = code ?: headers_read(&after);
	if (code)
		goto out;
	st = find_link(&after, link_id);
	code = st ? follow(&pol, &after, st, !old) : fail(RC_FAIL, "the policy was taken off at once by someone else");
	if (code)
		goto out;
	if (out_json) {
		pins_read(&pins, false);
		show_policy_of(&after, st, &pins);
	}
	out_text("%s %s: %s%s%s\n", kind_of(p), name_of(p), st->name, old ? ", was " : "", old ? old->name : "");
out:
	pins_free(&pins);
	headers_free(&before);
	headers_free(&after);
	policy_close(&pol);
	return code;
}

static int set(const struct cli *cli)
{
	struct policy pol;
	int code;

	if (cli->nargs < 2 || !names_place(cli))
		return fail(RC_USAGE, "usage: groctl headers set POLICY|FILE --dev DEVICE or --driver DRIVER");
	code = policy_prepare(&pol, cli, cli->args[1]);
	policy_close(&pol);
	code = code ?: need_module();
	code = code ?: each_place(cli, check_place);
	code = code ?: pins_lock(true);
	out_open_array("policies");
	code = code ?: each_place(cli, set_one);
	out_close();
	return code;
}

/* ---- clear ---- */

static int clear_policy(const struct bpf_rx_header_status *st)
{
	int code = take_off(st);

	if (code)
		return code;
	out_open(NULL);
	out_str("name", "%s is off ", st->name);
	if (st->device[0])
		out_str("device", "device %s\n", st->device);
	else
		out_str("driver", "driver %s\n", st->driver);
	out_close();
	return RC_OK;
}

static int clear_at(const struct cli *cli, const struct place *p)
{
	const struct bpf_rx_header_status *st;
	struct headers h;
	int code = headers_read(&h);

	(void)cli;
	st = code ? NULL : find_at(&h, p);
	if (st)
		code = clear_policy(st);
	else if (!code)
		code = fail(RC_FAIL, "%s %s has no header policy", kind_of(p), name_of(p));
	headers_free(&h);
	return code;
}

static int clear_all(void)
{
	struct headers h;
	int code = headers_read(&h), one, i;

	for (i = 0; i < h.npolicies; i++) {
		one = clear_policy(&h.policies[i]);
		code = code ?: one;
	}
	headers_free(&h);
	return code;
}

static int clear(const struct cli *cli)
{
	bool all = cli_has(cli, OPT_ALL);
	struct headers h;
	int code;

	if (cli->nargs > 1 || all == names_place(cli))
		return fail(RC_USAGE, "usage: groctl headers clear --dev DEVICE, --driver DRIVER, or --all");
	code = need_module();
	code = code ?: pins_lock(false);
	if (code)
		return code;
	out_open_array("cleared");
	code = all ? clear_all() : each_place(cli, clear_at);
	out_close();
	if (!code && !headers_read(&h)) {
		all = !h.npolicies;
		headers_free(&h);
		headers_close();
		if (all)
			wait_for_release();
	}
	return code;
}

static int list(const struct cli *cli)
{
	return list_policies(cli->nargs > 1 ? cli->args[1] : NULL);
}

int verb_headers(const struct cli *cli)
{
	static const struct {
		const char *name;
		uint32_t options;
		int (*run)(const struct cli *cli);
	} verbs[] = {
		{ "list", 0, list },
		{ "set", 1U << OPT_DEV | 1U << OPT_DRIVER | 1U << OPT_SET | 1U << OPT_ABSENT, set },
		{ "show", 1U << OPT_DEV | 1U << OPT_DRIVER, show },
		{ "clear", 1U << OPT_DEV | 1U << OPT_DRIVER | 1U << OPT_ALL, clear },
	};
	size_t i;
	int o;

	target = &target_headers;
	for (i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strcmp(cli->args[0], verbs[i].name))
			continue;
		for (o = 0; o < __OPT_MAX; o++)
			if (cli->opt[o].n && !((verbs[i].options | OPT_EVERY_VERB) & 1U << o))
				return fail(RC_USAGE, "headers %s takes no option --%s", verbs[i].name, option_defs[o].name);
		return verbs[i].run(cli);
	}
	return fail(RC_USAGE, "groctl headers can list, set, show and clear, not '%s'", cli->args[0]);
}
