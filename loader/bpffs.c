// SPDX-License-Identifier: GPL-2.0
/*
 * Pins in bpffs, and the lock that keeps two groctls apart. A pin lives as long as its mount: `ip netns exec` gives a command a
 * mount namespace of its own without bpffs, and what is pinned there would go with the command. Then the first process' bpffs is used.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>
#include <bpf/bpf.h>

#include "groctl.h"

#define BPFFS		"/sys/fs/bpf"
#define INIT_BPFFS	"/proc/1/root" BPFFS

static int lock_fd = -1;

static bool is_bpffs(const char *path)
{
	struct statfs st;

	return !statfs(path, &st) && (unsigned long)st.f_type == BPF_FS_MAGIC;
}

/** bpffs_root() - where bpffs is mounted, or NULL */
const char *bpffs_root(void)
{
	if (is_bpffs(BPFFS))
		return BPFFS;
	if (is_bpffs(INIT_BPFFS))
		return INIT_BPFFS;
	return NULL;
}

/** pin_dir() - the directory of groctl's pins */
const char *pin_dir(void)
{
	const char *root = bpffs_root();
	static char dir[128];

	snprintf(dir, sizeof(dir), "%s/%s", root ?: BPFFS, target->pins);
	return dir;
}

void pin_path(char *buf, size_t size, const char *name)
{
	snprintf(buf, size, "%s/%s", pin_dir(), name);
}

static bool own_mount_namespace(void)
{
	struct stat self, init;

	if (stat("/proc/self/ns/mnt", &self) || stat("/proc/1/ns/mnt", &init))
		return false;
	return self.st_ino != init.st_ino;
}

static int mount_bpffs(void)
{
	if (own_mount_namespace())
		return fail(RC_FAIL,
			    "no bpffs at " BPFFS ": mount it outside of this mount namespace (mount -t bpf none " BPFFS "), else the pins would go with the namespace");
	if (mount("bpf", BPFFS, "bpf", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0700"))
		return fail(RC_FAIL, "no bpffs at " BPFFS " and it cannot be mounted: %s", strerror(errno));
	return RC_OK;
}

/**
 * pins_lock() - take the lock that every change takes
 * @create: mount bpffs and make the directory if they are not there
 *
 * Without @create and without the directory there is nothing to lock. A killed groctl drops the lock.
 *
 * Return: exit code.
 */
int pins_lock(bool create)
{
	int err;

	if (!bpffs_root()) {
		if (!create)
			return RC_OK;
		err = mount_bpffs();
		if (err)
			return err;
	}
	if (create && mkdir(pin_dir(), 0700) && errno != EEXIST)
		return fail(RC_FAIL, "cannot make %s: %s", pin_dir(), strerror(errno));
	lock_fd = open(pin_dir(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lock_fd < 0)
		return create ? fail(RC_FAIL, "cannot open %s: %s", pin_dir(), strerror(errno)) : RC_OK;
	if (flock(lock_fd, LOCK_EX | LOCK_NB)) {
		note("waiting for another groctl\n");
		while (flock(lock_fd, LOCK_EX))
			if (errno != EINTR)
				return fail(RC_FAIL, "cannot lock %s: %s", pin_dir(), strerror(errno));
	}
	return RC_OK;
}

void pins_unlock(void)
{
	if (lock_fd >= 0)
		close(lock_fd);
	lock_fd = -1;
}

/* nftw() takes no argument of ours. */
static struct pins *walk_pins;

static int walk_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	struct bpf_link_info info = {};
	__u32 len = sizeof(info);
	struct pin *pin;
	int fd;

	(void)ftw;
	if (type != FTW_F || !S_ISREG(st->st_mode))
		return 0;
	fd = bpf_obj_get(path);
	if (fd < 0)
		return 0;
	/* Maps and programs have infos of their own; only a link's has this type. */
	if (bpf_link_get_info_by_fd(fd, &info, &len) || info.type != BPF_LINK_TYPE_STRUCT_OPS)
		goto out;
	pin = realloc(walk_pins->v, (walk_pins->n + 1) * sizeof(*pin));
	if (!pin)
		goto out;
	walk_pins->v = pin;
	pin += walk_pins->n++;
	memset(pin, 0, sizeof(*pin));
	snprintf(pin->path, sizeof(pin->path), "%s", path);
	snprintf(pin->name, sizeof(pin->name), "%s", strrchr(path, '/') + 1);
	pin->link_id = info.id;
	pin->map_id = info.struct_ops.map_id;
out:
	close(fd);
	return 0;
}

/**
 * pins_read() - find pinned struct_ops links
 * @pins: filled; free it with pins_free() in any case
 * @everywhere: in all of bpffs, else only in groctl's directory
 *
 * Return: 0 or a negative errno.
 */
int pins_read(struct pins *pins, bool everywhere)
{
	const char *root = bpffs_root();

	memset(pins, 0, sizeof(*pins));
	if (!root)
		return 0;
	walk_pins = pins;
	if (nftw(everywhere ? root : pin_dir(), walk_entry, 16, FTW_PHYS | FTW_MOUNT) && errno != ENOENT)
		return -errno;
	return 0;
}

void pins_free(struct pins *pins)
{
	free(pins->v);
	pins->v = NULL;
	pins->n = 0;
}

/** pins_find_link() - a pin of a link, groctl's own first; or NULL */
const struct pin *pins_find_link(const struct pins *pins, uint32_t link_id)
{
	const struct pin *found = NULL;
	const char *dir = pin_dir();
	int i;

	if (!link_id)
		return NULL;
	for (i = 0; i < pins->n; i++) {
		if (pins->v[i].link_id != link_id)
			continue;
		if (!strncmp(pins->v[i].path, dir, strlen(dir)))
			return &pins->v[i];
		found = &pins->v[i];
	}
	return found;
}

/** pins_find_name() - groctl's pin of a name, or NULL */
const struct pin *pins_find_name(const struct pins *pins, const char *name)
{
	char path[512];
	int i;

	pin_path(path, sizeof(path), name);
	for (i = 0; i < pins->n; i++)
		if (!strcmp(pins->v[i].path, path))
			return &pins->v[i];
	return NULL;
}
