// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What comes up goes to the stack instead of the queue: down to a socket. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "rigtest.h"

static int udp_socket(void)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_port = htons(443) };
	struct timeval tv = { .tv_usec = 300000 };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	if (bind(fd, (struct sockaddr *)&addr, sizeof(addr))) {
		close(fd);
		return -errno;
	}
	return fd;
}

static uint32_t receive_all(int fd, uint32_t size)
{
	char buf[2048];
	uint32_t n = 0;

	while (recv(fd, buf, sizeof(buf), 0) == (ssize_t)size)
		n++;
	return n;
}

static void deliver(struct ctx *c, uint32_t setup_flags, uint32_t feed_flags, uint32_t want)
{
	struct rig_setup setup = {
		.features = RIG_FEAT_GRO | RIG_FEAT_RXCSUM, .flags = setup_flags,
	};
	struct rig_outs out = {};
	char cmd[160];
	struct rig rig;
	uint32_t i, n;
	int fd;

	if (rig_open(&rig, &setup)) {
		expect(c, false, "%s", rig_error(&rig));
		return;
	}
	fd = udp_socket();
	snprintf(cmd, sizeof(cmd), "ip addr add 10.0.0.2/24 dev %s 2>/dev/null", rig.info.name);
	if (fd < 0 || system(cmd)) {
		skip(c, "no address or no socket to be had");
		goto out;
	}
	for (i = 0; i < 16; i++)
		add(c, "udp4", 0, i, 1000);
	expect(c, !rig_feed(&rig, &c->t, feed_flags), "%s", rig_error(&rig));
	n = receive_all(fd, 1000);
	expect(c, n == want, "%u of 16 datagrams at the socket", n);
	expect(c, !rig_read_all(&rig, &out, 0), "%s", rig_error(&rig));
	expect(c, out.nr == 16 - want, "%u packets captured", out.nr);
	rig_outs_free(&out);
out:
	close(fd);
	rig_close(&rig);
}

static void t_feed(struct ctx *c)
{
	deliver(c, 0, RIG_FEED_DELIVER, 16);
}

static void t_setup(struct ctx *c)
{
	deliver(c, RIG_SETUP_NO_CAPTURE, 0, 16);
}

static void t_not(struct ctx *c)
{
	deliver(c, 0, 0, 0);
}

static const struct test tests[] = {
	{ "deliver-a-train", t_feed, 0, 0 },
	{ "deliver-always", t_setup, 0, 0 },
	{ "captured-is-not-delivered", t_not, 0, 0 },
};

SET(rigtest_deliver, tests);
