// SPDX-License-Identifier: GPL-2.0
/*
 * The catalogue: *.bpf.o in the policy directories. BPF_GRO_POLICY_DIR names the only one to search; else they are bpf/ beside groctl
 * (a build directory), ../lib/bpf-gro from there (an installation under any prefix), and the one compiled in.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "groctl.h"

#ifndef BPF_GRO_LIBDIR
#define BPF_GRO_LIBDIR	"/usr/lib/bpf-gro"
#endif

#define SUFFIX		".bpf.o"

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct catalogue_entry *)a)->name, ((const struct catalogue_entry *)b)->name);
}

/* Names that begin so are no policies but programs of another kind. */
#define XDP_PREFIX	"xdp_"

static bool read_xdp;

static bool has(const struct catalogue *cat, const char *name)
{
	int i;

	for (i = 0; i < cat->n; i++)
		if (!strcmp(cat->v[i].name, name))
			return true;
	return false;
}

static int add_entry(struct catalogue *cat, const char *dir, const char *file, size_t len)
{
	struct catalogue_entry *e;

	e = realloc(cat->v, (cat->n + 1) * sizeof(*e));
	if (!e)
		return -ENOMEM;
	cat->v = e;
	e += cat->n;
	snprintf(e->name, sizeof(e->name), "%.*s", (int)len, file);
	snprintf(e->path, sizeof(e->path), "%s/%s", dir, file);
	if (!has(cat, e->name))
		cat->n++;
	return 0;
}

static int add_dir(struct catalogue *cat, const char *dir_path)
{
	char path[1000];
	struct dirent *d;
	char *dirs;
	int err = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s%s%s", dir_path, target->catalogue[0] ? "/" : "", target->catalogue);
	if (asprintf(&dirs, "%s%s%s", cat->dirs ?: "", cat->dirs ? ", " : "", path) < 0)
		return -ENOMEM;
	free(cat->dirs);
	cat->dirs = dirs;
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!err && (d = readdir(dir))) {
		size_t len = strlen(d->d_name);

		if (len > strlen(SUFFIX) && len < sizeof(cat->v->name) && d->d_name[0] != '.' &&
		    !strncmp(d->d_name, XDP_PREFIX, strlen(XDP_PREFIX)) == read_xdp &&
		    !strcmp(d->d_name + len - strlen(SUFFIX), SUFFIX))
			err = add_entry(cat, path, d->d_name, len - strlen(SUFFIX));
	}
	closedir(dir);
	return err;
}

/* A directory given from groctl's own place; false if it is not there. */
static bool beside(char *path, size_t size, const char *relative)
{
	char exe[900], real[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	struct stat st;

	if (len <= 0)
		return false;
	exe[len] = '\0';
	*strrchr(exe, '/') = '\0';
	snprintf(path, size, "%s/%s", exe, relative);
	if (stat(path, &st) || !S_ISDIR(st.st_mode) || !realpath(path, real))
		return false;
	snprintf(path, size, "%.1000s", real);
	return true;
}

/**
 * catalogue_read() - read the names of the catalogue
 * @cat: filled, in order of names; free it with catalogue_free() in any case
 *
 * Return: 0 or -ENOMEM.
 */
int catalogue_read(struct catalogue *cat)
{
	const char *env = getenv("BPF_GRO_POLICY_DIR");
	static const char * const near[] = { "bpf", "../lib/bpf-gro" };
	char path[1024];
	bool fixed = false;
	int err = 0;
	size_t i;

	memset(cat, 0, sizeof(*cat));
	if (env && *env) {
		err = add_dir(cat, env);
	} else {
		for (i = 0; i < ARRAY_SIZE(near) && !err; i++) {
			if (!beside(path, sizeof(path), near[i]))
				continue;
			fixed |= !strcmp(path, BPF_GRO_LIBDIR);
			err = add_dir(cat, path);
		}
		if (!err && !fixed)
			err = add_dir(cat, BPF_GRO_LIBDIR);
	}
	if (cat->n)
		qsort(cat->v, cat->n, sizeof(*cat->v), compare);
	return err;
}

void catalogue_free(struct catalogue *cat)
{
	free(cat->v);
	free(cat->dirs);
	memset(cat, 0, sizeof(*cat));
}

static void all_names(const struct catalogue *cat, char *buf, size_t size)
{
	size_t at = 0;
	int i;

	buf[0] = '\0';
	for (i = 0; i < cat->n && at < size; i++)
		at += snprintf(buf + at, size - at, " %s", cat->v[i].name);
}

static int find_in_catalogue(struct policy *pol, const char *name)
{
	struct catalogue cat;
	char names[1024];
	int code = RC_FAIL, i;

	if (catalogue_read(&cat)) {
		fail(RC_FAIL, "out of memory");
		goto out;
	}
	for (i = 0; i < cat.n; i++) {
		if (strcmp(cat.v[i].name, name))
			continue;
		code = RC_OK;
		if (policy_open(pol, cat.v[i].path, name))
			code = fail(RC_FAIL, "%s", pol->error);
		goto out;
	}
	all_names(&cat, names, sizeof(names));
	if (cat.n)
		fail(RC_FAIL, "no policy '%s' in %s; there are:%s", name, cat.dirs, names);
	else
		fail(RC_FAIL, "no policy '%s': there are none in %s", name, cat.dirs);
out:
	catalogue_free(&cat);
	return code;
}

/**
 * program_find() - open an XDP program of ours
 * @pol: filled, without a policy; free it with policy_close() in any case
 * @name: its name
 *
 * Return: exit code.
 */
int program_find(struct policy *pol, const char *name)
{
	struct catalogue cat;
	int code, err, i;

	memset(pol, 0, sizeof(*pol));
	read_xdp = true;
	err = catalogue_read(&cat);
	read_xdp = false;
	code = err ? fail(RC_FAIL, "out of memory") : RC_OK;
	for (i = 0; i < cat.n && strcmp(cat.v[i].name, name); i++)
		;
	if (!err && i == cat.n)
		code = fail(RC_FAIL, "no %s%s in %s: BPF_GRO_POLICY_DIR names another directory", name, SUFFIX, cat.dirs);
	else if (!err && program_open(pol, cat.v[i].path, name))
		code = fail(RC_FAIL, "%s", pol->error);
	catalogue_free(&cat);
	return code;
}

/**
 * policy_find() - open what the user calls a policy
 * @pol: filled; free it with policy_close() in any case
 * @what: a name of the catalogue, or a file: with a slash in it or with .o at its end
 *
 * Return: exit code.
 */
int policy_find(struct policy *pol, const char *what)
{
	size_t len = strlen(what);
	const char *base;
	char label[256];

	memset(pol, 0, sizeof(*pol));
	if (!strchr(what, '/') && (len < 2 || strcmp(what + len - 2, ".o")))
		return find_in_catalogue(pol, what);
	base = strrchr(what, '/');
	snprintf(label, sizeof(label), "%s", base ? base + 1 : what);
	len = strlen(label);
	if (len > strlen(SUFFIX) && !strcmp(label + len - strlen(SUFFIX), SUFFIX))
		label[len - strlen(SUFFIX)] = '\0';
	if (policy_open(pol, what, label))
		return fail(RC_FAIL, "%s", pol->error);
	return RC_OK;
}
