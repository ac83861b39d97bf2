// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that go with a header policy, pinned beside its link: those of its own object that watch what becomes of the packets, and for
 * mlx5 those of mlx5.bpf.c. mlx5 asks for the header length on transmit, too, so the module answers it only while its receive function
 * runs; they say when that is.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "groctl.h"
#include "mlx5.skel.h"

#define MLX5_PREFIX	"mlx5_"		/* of the names of its programs */

static void program_path(char *buf, size_t size, uint32_t link_id, const char *program)
{
	char name[128];

	snprintf(name, sizeof(name), "link-%u-%s", link_id, program);
	pin_path(buf, size, name);
}

/* Attach and pin all programs of an object but those that are members of the policy. */
static int attach_programs(const struct bpf_object *obj, uint32_t link_id)
{
	struct bpf_program *prog;
	struct bpf_link *link;
	char path[512];
	int err = 0;

	bpf_object__for_each_program(prog, obj) {
		if (bpf_program__type(prog) == BPF_PROG_TYPE_STRUCT_OPS)
			continue;
		link = bpf_program__attach(prog);
		if (!link)
			return -errno;
		program_path(path, sizeof(path), link_id, bpf_program__name(prog));
		unlink(path);	/* of a groctl that was killed */
		err = bpf_link__pin(link, path);
		bpf_link__destroy(link);
		if (err)
			return err;
	}
	return 0;
}

static int failed(const char *what, int err)
{
	char why[512];

	return fail(RC_UNSUPPORTED, "%s: %s", what, log_sentence(why, sizeof(why)) ? why : errno_text(-err));
}

/** follow_has_mlx5() - whether mlx5's driver is loaded, so that its functions are known */
bool follow_has_mlx5(void)
{
	return !access("/sys/kernel/btf/" MLX5_DRIVER, F_OK);
}

/**
 * follow_check_mlx5() - check that mlx5's programs have a driver to attach to
 *
 * Return: exit code.
 */
int follow_check_mlx5(void)
{
	if (follow_has_mlx5())
		return RC_OK;
	return fail(RC_FAIL, "mlx5_core is not loaded: modprobe mlx5_core first, its receive function has to be known");
}

/**
 * follow_mlx5() - see to it that mlx5's packets reach a policy
 * @link_id: the policy's link
 *
 * Return: exit code.
 */
int follow_mlx5(uint32_t link_id)
{
	char path[512];
	struct mlx5 *skel;
	int code, err;

	program_path(path, sizeof(path), link_id, MLX5_PREFIX "leave");	/* the last one to be pinned */
	if (!access(path, F_OK))
		return RC_OK;
	code = follow_check_mlx5();
	if (code)
		return code;
	log_start();
	skel = mlx5__open_and_load();
	err = skel ? attach_programs(skel->obj, link_id) : -errno;
	if (skel)
		mlx5__destroy(skel);
	return err ? failed("cannot follow mlx5_core's receive function", err) : RC_OK;
}

/**
 * follow_policy() - attach what else is in a policy's object, in the place of its predecessor's
 * @pol: loaded policy
 * @link_id: its link
 *
 * Return: exit code.
 */
int follow_policy(const struct policy *pol, uint32_t link_id)
{
	int code = unfollow(link_id, false), err;

	if (code)
		return code;
	log_start();
	err = attach_programs(pol->obj, link_id);
	return err ? failed("a program that the policy brings cannot be attached", err) : RC_OK;
}

/**
 * unfollow() - take the programs off that go with a policy
 * @link_id: the policy's link
 * @all: also those of mlx5
 *
 * Return: exit code.
 */
int unfollow(uint32_t link_id, bool all)
{
	DIR *dir = opendir(pin_dir());
	char prefix[64], path[512];
	int code = RC_OK, len;
	struct dirent *d;

	len = snprintf(prefix, sizeof(prefix), "link-%u-", link_id);
	while (dir && !code && (d = readdir(dir))) {
		if (strncmp(d->d_name, prefix, len) || (!all && !strncmp(d->d_name + len, MLX5_PREFIX, strlen(MLX5_PREFIX))))
			continue;
		pin_path(path, sizeof(path), d->d_name);
		if (unlink(path) && errno != ENOENT)
			code = fail(RC_FAIL, "the pin %s cannot be removed: %s", path, strerror(errno));
	}
	if (dir)
		closedir(dir);
	return code;
}
