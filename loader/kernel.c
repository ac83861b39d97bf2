// SPDX-License-Identifier: GPL-2.0
/*
 * What the module says about itself: runs the programs of status.bpf.c, which call its status kfuncs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "groctl.h"
#include "status.skel.h"

#define READ_TRIES	10	/* policies that come and go while they are read */

static struct status *skel;

/** kernel_may_ask() - check that the process may ask a module; returns an exit code */
int kernel_may_ask(void)
{
	const char *missing;

	return capable_of(&missing) ? RC_OK : fail(RC_FAIL, "this needs root: the process lacks %s", missing);
}

/**
 * kernel_open_failed() - say why programs of groctl's own could not be loaded
 * @err: errno
 *
 * Return: exit code.
 */
int kernel_open_failed(int err)
{
	char why[512];

	if (err == EPERM)
		return fail(RC_FAIL,
			    "the kernel refuses: root of the first user namespace is needed (CAP_SYS_ADMIN, CAP_BPF, CAP_NET_ADMIN), and no lockdown of BPF");
	return fail(RC_FAIL, "cannot ask %s.ko for its status: %s", target->module,
		    log_sentence(why, sizeof(why)) ? why : strerror(err));
}

/**
 * kernel_open() - load the programs; nothing to do the second time
 *
 * Return: exit code.
 */
int kernel_open(void)
{
	int code;

	if (skel)
		return RC_OK;
	code = kernel_may_ask();
	if (code)
		return code;
	skel = status__open_and_load();
	return skel ? RC_OK : kernel_open_failed(errno);
}

/** kernel_close() - unload them: they hold a reference to the module */
void kernel_close(void)
{
	if (skel)
		status__destroy(skel);
	skel = NULL;
}

/** kernel_run() - run a program of BPF_PROG_TYPE_SYSCALL; returns what it returned, or a negative errno */
int kernel_run(const struct bpf_program *prog)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int err = bpf_prog_test_run_opts(bpf_program__fd(prog), &opts);

	return err ?: (int)opts.retval;
}

static int run_failed(int err)
{
	if (err == -EOPNOTSUPP)
		return fail(RC_UNSUPPORTED, MODULE_NAME ".ko has no status kfuncs: it is older than this groctl");
	return fail(RC_FAIL, "cannot read the status of " MODULE_NAME ".ko: %s", strerror(-err));
}

/**
 * kernel_module() - the module itself
 * @st: filled
 *
 * Return: exit code.
 */
int kernel_module(struct bpf_gro_module_status *st)
{
	int err = kernel_open();

	if (err)
		return err;
	err = kernel_run(skel->progs.read_module);
	if (err)
		return run_failed(err);
	memcpy(st, skel->bss->module_buf, sizeof(*st));
	st->message[sizeof(st->message) - 1] = '\0';
	return RC_OK;
}

/** kernel_refusals() - as struct target has it */
uint64_t kernel_refusals(char *message, size_t size)
{
	struct bpf_gro_module_status st;

	if (kernel_module(&st))
		return 0;
	if (message)
		snprintf(message, size, "%s", st.message);
	return st.refusals;
}

static int add_policy(struct kernel *k)
{
	struct bpf_gro_policy_status *st;

	st = realloc(k->policies, (k->npolicies + 1) * sizeof(*st));
	if (!st)
		return -ENOMEM;
	k->policies = st;
	st += k->npolicies++;
	memcpy(st, skel->bss->policy_buf, sizeof(*st));
	st->devices[sizeof(st->devices) - 1] = '\0';
	st->name[sizeof(st->name) - 1] = '\0';
	st->message[sizeof(st->message) - 1] = '\0';
	return 0;
}

static int read_policies(struct kernel *k)
{
	int err;

	for (;;) {
		skel->bss->n = k->npolicies;
		err = kernel_run(skel->progs.read_policy);
		if (err)
			return err == -ENOENT ? 0 : err;
		err = add_policy(k);
		if (err)
			return err;
	}
}

static int read_counters(struct kernel *k, uint32_t n, int cpu)
{
	struct kernel_stats *st;
	int err;

	skel->bss->n = n;
	skel->bss->cpu = cpu;
	err = kernel_run(skel->progs.read_stats);
	if (err)
		return err;
	st = realloc(k->stats, (k->nstats + 1) * sizeof(*st));
	if (!st)
		return -ENOMEM;
	k->stats = st;
	st += k->nstats++;
	st->cpu = cpu;
	memcpy(&st->s, skel->bss->stats_buf, sizeof(st->s));
	st->s.device[sizeof(st->s.device) - 1] = '\0';
	return 0;
}

static int read_stats(struct kernel *k, bool each_cpu)
{
	int cpus = each_cpu ? libbpf_num_possible_cpus() : 0;
	uint32_t n;
	int err, cpu;

	for (n = 0;; n++) {
		err = read_counters(k, n, -1);
		if (err)
			return err == -ENOENT ? 0 : err;
		for (cpu = 0; cpu < cpus; cpu++) {
			err = read_counters(k, n, cpu);
			if (err)
				return err == -ENOENT ? 0 : err;
		}
	}
}

static bool same_policies(const struct kernel *a, const struct kernel *b)
{
	int i;

	if (a->npolicies != b->npolicies)
		return false;
	for (i = 0; i < a->npolicies; i++)
		if (a->policies[i].id != b->policies[i].id)
			return false;
	return true;
}

static int read_once(struct kernel *k, enum kernel_what what, bool *stable)
{
	struct kernel after = {};
	int err;

	err = read_policies(k);
	if (!err && what != KERNEL_POLICIES)
		err = read_stats(k, what == KERNEL_STATS_CPU);
	err = err ?: read_policies(&after);
	*stable = same_policies(k, &after);
	kernel_free(&after);
	return err;
}

/**
 * kernel_read() - read what the module has, at one point in time as far as the set of policies goes
 * @k: filled; free it with kernel_free() in any case
 * @what: how much
 *
 * Return: exit code.
 */
int kernel_read(struct kernel *k, enum kernel_what what)
{
	bool stable = false;
	int err, i;

	memset(k, 0, sizeof(*k));
	err = kernel_module(&k->module);
	if (err)
		return err;
	for (i = 0; i < READ_TRIES && !stable; i++) {
		kernel_free(k);
		err = read_once(k, what, &stable);
		if (err)
			return run_failed(err);
	}
	return RC_OK;
}

void kernel_free(struct kernel *k)
{
	free(k->policies);
	free(k->stats);
	k->policies = NULL;
	k->stats = NULL;
	k->npolicies = 0;
	k->nstats = 0;
}

/**
 * kernel_policy() - find a policy
 * @k: what was read
 * @name: its name, or NULL
 * @link_id: id of its link, or 0
 *
 * Return: the first that fits, or NULL.
 */
struct bpf_gro_policy_status *kernel_policy(const struct kernel *k, const char *name, uint32_t link_id)
{
	int i;

	for (i = 0; i < k->npolicies; i++)
		if ((!name || !strcmp(k->policies[i].name, name)) && (!link_id || k->policies[i].link_id == link_id))
			return &k->policies[i];
	return NULL;
}

/**
 * kernel_pick() - the one policy that the user means
 * @k: what was read
 * @name: its name, or "id:NUMBER" where a name is not enough
 * @found: the policy; NULL if there is none of that name
 *
 * Return: exit code; it fails when several have the name.
 */
int kernel_pick(const struct kernel *k, const char *name, struct bpf_gro_policy_status **found)
{
	char *end;
	int i;

	*found = NULL;
	if (!strncmp(name, "id:", 3)) {
		unsigned long id = strtoul(name + 3, &end, 10);

		if (end == name + 3 || *end)
			return fail(RC_USAGE, "'%s': a number belongs behind id:", name);
		for (i = 0; i < k->npolicies; i++)
			if (k->policies[i].id == id)
				*found = &k->policies[i];
		return RC_OK;
	}
	for (i = 0; i < k->npolicies; i++) {
		if (strcmp(k->policies[i].name, name))
			continue;
		if (*found)
			return fail(RC_USAGE, "several policies are called %s: say id:%u or id:%u", name, (*found)->id,
				    k->policies[i].id);
		*found = &k->policies[i];
	}
	return RC_OK;
}
