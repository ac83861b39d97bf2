// SPDX-License-Identifier: GPL-2.0
/*
 * Network namespaces. Only the network namespace is entered, never the mount namespace: pins have to stay where others see them.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "groctl.h"

#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE	71
#endif

#define NETNS_DIR	"/run/netns"
#define NETNS_SELF	"/proc/thread-self/ns/net"

static uint32_t inum_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : (uint32_t)st.st_ino;
}

/** netns_inum() - the inode number of the network namespace that groctl works in */
uint32_t netns_inum(void)
{
	return inum_of(NETNS_SELF);
}

/** netns_cookie() - its cookie, which is never used twice since boot; 0 if it cannot be had */
uint64_t netns_cookie(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	uint64_t cookie = 0;
	socklen_t len = sizeof(cookie);

	if (fd < 0)
		return 0;
	if (getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &len))
		cookie = 0;
	close(fd);
	return cookie;
}

/* Call @each with every path that may name a network namespace, until it returns true. */
static bool each_netns(bool (*each)(const char *path, const char *name, void *arg), void *arg)
{
	static const char * const dirs[] = { NETNS_DIR, "/proc" };
	char path[512];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(dirs); i++) {
		DIR *dir = opendir(dirs[i]);
		struct dirent *d;
		bool done = false;

		while (dir && !done && (d = readdir(dir))) {
			if (i == 0 && d->d_name[0] != '.') {
				snprintf(path, sizeof(path), "%s/%s", dirs[i], d->d_name);
				done = each(path, d->d_name, arg);
			} else if (i == 1 && isdigit((unsigned char)d->d_name[0])) {
				snprintf(path, sizeof(path), "/proc/%s/ns/net", d->d_name);
				done = each(path, NULL, arg);
			}
		}
		if (dir)
			closedir(dir);
		if (done)
			return true;
	}
	return false;
}

struct search {
	uint32_t inum;
	char *name;
	size_t size;
};

static bool match_name(const char *path, const char *name, void *arg)
{
	const struct search *s = arg;

	if (!name || inum_of(path) != s->inum)
		return false;
	snprintf(s->name, s->size, "%s", name);
	return true;
}

static bool match_enter(const char *path, const char *name, void *arg)
{
	const struct search *s = arg;
	bool done = false;
	struct stat st;
	int fd;

	(void)name;
	if (inum_of(path) != s->inum)
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && (uint32_t)st.st_ino == s->inum)
		done = !setns(fd, CLONE_NEWNET);
	close(fd);
	return done;
}

/**
 * netns_name() - the name that `ip netns` has for a network namespace
 * @inum: inode number
 * @buf: the name
 * @size: its size
 *
 * Return: whether it has one.
 */
bool netns_name(uint32_t inum, char *buf, size_t size)
{
	struct search s = { inum, buf, size };

	return each_netns(match_name, &s);
}

/**
 * netns_enter_inum() - enter a network namespace that a name or a process holds
 * @inum: inode number
 *
 * Return: 0 or -ENOENT.
 */
int netns_enter_inum(uint32_t inum)
{
	struct search s = { inum, NULL, 0 };

	return each_netns(match_enter, &s) ? 0 : -ENOENT;
}

/**
 * netns_enter() - enter a network namespace
 * @what: name of `ip netns`, path, or process id
 *
 * Return: exit code.
 */
int netns_enter(const char *what)
{
	char path[512];
	int fd, err;

	if (strchr(what, '/'))
		snprintf(path, sizeof(path), "%s", what);
	else
		snprintf(path, sizeof(path), "%s/%s", NETNS_DIR, what);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && what[0] && what[strspn(what, "0123456789")] == '\0') {
		snprintf(path, sizeof(path), "/proc/%s/ns/net", what);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0)
		return fail(RC_FAIL, "no network namespace '%s': %s", what, strerror(errno));
	err = setns(fd, CLONE_NEWNET) ? errno : 0;
	close(fd);
	if (err == EINVAL)
		return fail(RC_FAIL, "'%s' is no network namespace", what);
	if (err)
		return fail(RC_FAIL, "cannot enter network namespace '%s': %s", what, strerror(err));
	return RC_OK;
}
