// SPDX-License-Identifier: GPL-2.0
/*
 * dgram: datagrams whose content and boundaries the receiver checks.
 *
 *	dgram recv [-g] [-s] ADDRESS PORT
 *	    until the sender says that it is done, or for 60 s. -g: with UDP_GRO. -s: two SO_REUSEPORT sockets, among which a classic
 *	    BPF program selects by the parity of each datagram's number.
 *	dgram send [-b BATCHES] [-n SEGMENTS] [-l SIZE] [-z] ADDRESS PORT
 *	    so many batches of so many datagrams of SIZE bytes, each batch one UDP_SEGMENT call; the last of a batch is shorter. Waits
 *	    for the receiver's word after each batch, so that no queue runs over. -z: without checksum.
 *
 * The receiver prints "datagrams N aggregates N largest N wrong N disorder N misdirected N". Exit: 0 all arrived as sent, 1 not,
 * 2 usage.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT	103
#endif
#ifndef UDP_GRO
#define UDP_GRO		104
#endif

#define WAIT_MS		60000
#define LAST		1	/* of its batch: the receiver answers */
#define DONE		2

struct head {
	uint32_t seq;		/* network byte order, as the rest: the selector reads it */
	uint16_t len;
	uint8_t flags;
	uint8_t pad;
};

struct counts {
	uint32_t datagrams, aggregates, largest, wrong, disorder, misdirected;
	uint32_t next;
};

static int fail(const char *what)
{
	fprintf(stderr, "dgram: %s: %s\n", what, strerror(errno));
	return 1;
}

static uint8_t content(uint32_t seq, uint32_t at)
{
	return seq * 131 + at * 7 + (at >> 8);
}

static void fill(uint8_t *buf, uint32_t seq, uint32_t len, uint8_t flags)
{
	struct head h = { htonl(seq), htons(len), flags, 0 };
	uint32_t i;

	memcpy(buf, &h, sizeof(h));
	for (i = sizeof(h); i < len; i++)
		buf[i] = content(seq, i);
}

static struct addrinfo *resolve(const char *host, const char *port, int flags)
{
	struct addrinfo hints = { .ai_socktype = SOCK_DGRAM, .ai_flags = flags | AI_NUMERICHOST }, *ai;

	return getaddrinfo(host, port, &hints, &ai) ? NULL : ai;
}

/* The program sees the datagram from its first byte on: the number's last byte decides. */
static int select_by_parity(int fd)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 3),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 1),
		BPF_STMT(BPF_RET | BPF_A, 0),
	};
	struct sock_fprog prog = { .len = 3, .filter = code };

	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &prog, sizeof(prog));
}

static int open_socket(const struct addrinfo *ai, bool gro, bool group)
{
	int one = 1, size = 16 << 20, fd = socket(ai->ai_family, SOCK_DGRAM, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size));
	if ((gro && setsockopt(fd, IPPROTO_UDP, UDP_GRO, &one, sizeof(one))) ||
	    (group && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one))) ||
	    bind(fd, ai->ai_addr, ai->ai_addrlen))
		return -1;
	return fd;
}

/* One datagram, as it has to be. Returns its flags. */
static uint8_t check(struct counts *c, const uint8_t *buf, uint32_t len, int nr, bool group)
{
	struct head h;
	uint32_t seq, i;

	c->datagrams++;
	if (len < sizeof(h)) {
		c->wrong++;
		return 0;
	}
	memcpy(&h, buf, sizeof(h));
	seq = ntohl(h.seq);
	if (h.flags & DONE)
		return h.flags;
	if (ntohs(h.len) != len) {
		c->wrong++;
		return h.flags;
	}
	for (i = sizeof(h); i < len; i++) {
		if (buf[i] != content(seq, i)) {
			c->wrong++;
			break;
		}
	}
	/* Each of two sockets has every other number. */
	if (group) {
		c->misdirected += (seq & 1) != (uint32_t)nr;
	} else {
		c->disorder += seq != c->next;
		c->next = seq + 1;
	}
	return h.flags;
}

static uint8_t take(struct counts *c, int fd, int nr, bool group, struct sockaddr_storage *from, socklen_t *from_len)
{
	static uint8_t buf[65536];
	char control[256];
	struct iovec iov = { buf, sizeof(buf) };
	struct msghdr msg = {
		.msg_name = from, .msg_namelen = sizeof(*from), .msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *cm;
	ssize_t len = recvmsg(fd, &msg, 0);
	uint32_t at = 0, size, n = 0;
	uint8_t flags = 0;
	int seg = 0;

	if (len < 0)
		return 0;
	*from_len = msg.msg_namelen;
	for (cm = CMSG_FIRSTHDR(&msg); cm; cm = CMSG_NXTHDR(&msg, cm))
		if (cm->cmsg_level == IPPROTO_UDP && cm->cmsg_type == UDP_GRO)
			memcpy(&seg, CMSG_DATA(cm), sizeof(seg));
	size = seg ? (uint32_t)seg : (uint32_t)len;
	if (!len)
		return check(c, buf, 0, nr, group);
	for (; at < (uint32_t)len; at += size, n++)
		flags |= check(c, buf + at, at + size < (uint32_t)len ? size : (uint32_t)len - at, nr, group);
	c->aggregates += n > 1;
	if (n > c->largest)
		c->largest = n;
	return flags;
}

static int receive(const struct addrinfo *ai, bool gro, bool group)
{
	struct pollfd fds[2];
	struct counts c = {};
	uint8_t flags = 0;
	int nr = group ? 2 : 1, i;

	for (i = 0; i < nr; i++) {
		fds[i].fd = open_socket(ai, gro, group);
		fds[i].events = POLLIN;
		if (fds[i].fd < 0)
			return fail("socket");
	}
	if (group && select_by_parity(fds[0].fd))
		return fail("selector");
	puts("ready");
	fflush(stdout);
	while (!(flags & DONE)) {
		if (poll(fds, nr, WAIT_MS) <= 0) {
			fprintf(stderr, "dgram: nothing more comes\n");
			break;
		}
		for (i = 0; i < nr; i++) {
			struct sockaddr_storage from;
			socklen_t len = 0;
			uint32_t have;

			if (!(fds[i].revents & POLLIN))
				continue;
			flags = take(&c, fds[i].fd, i, group, &from, &len);
			have = htonl(c.datagrams);
			/* In a group the sockets are not read in the order of arrival: each says what it has. */
			if ((flags & LAST || group) &&
			    sendto(fds[i].fd, &have, sizeof(have), 0, (struct sockaddr *)&from, len) < 0)
				return fail("answer");
			if (flags & DONE)
				break;
		}
	}
	printf("datagrams %u aggregates %u largest %u wrong %u disorder %u misdirected %u\n", c.datagrams - !!(flags & DONE),
	       c.aggregates, c.largest, c.wrong, c.disorder, c.misdirected);
	return !(flags & DONE) || c.wrong || c.disorder || c.misdirected;
}

static int send_batch(int fd, uint8_t *buf, uint32_t *seq, uint32_t segs, uint32_t size, uint32_t batch)
{
	uint32_t last = segs > 1 ? sizeof(struct head) + (batch * 37) % (size - sizeof(struct head)) + 1 : size, i;
	union {
		char buf[CMSG_SPACE(sizeof(uint16_t))];
		struct cmsghdr align;
	} control = {};
	struct iovec iov = { buf, (segs - 1) * size + last };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cm;
	uint16_t seg = size;

	for (i = 0; i < segs; i++, (*seq)++)
		fill(buf + i * size, *seq, i + 1 < segs ? size : last, i + 1 < segs ? 0 : LAST);
	if (segs > 1) {
		msg.msg_control = control.buf;
		msg.msg_controllen = sizeof(control.buf);
		cm = CMSG_FIRSTHDR(&msg);
		cm->cmsg_level = IPPROTO_UDP;
		cm->cmsg_type = UDP_SEGMENT;
		cm->cmsg_len = CMSG_LEN(sizeof(seg));
		memcpy(CMSG_DATA(cm), &seg, sizeof(seg));
	}
	return sendmsg(fd, &msg, 0) < 0 ? -1 : 0;
}

/* The receiver has all that was sent. */
static int wait_for(int fd, uint32_t sent)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	uint32_t have = 0;

	do {
		if (poll(&pfd, 1, WAIT_MS / 3) <= 0 || recv(fd, &have, sizeof(have), 0) != sizeof(have)) {
			fprintf(stderr, "dgram: %u datagrams sent, the receiver last said %u\n", sent, ntohl(have));
			return -1;
		}
	} while (ntohl(have) < sent);
	return 0;
}

static int transmit(const struct addrinfo *ai, uint32_t batches, uint32_t segs, uint32_t size, bool no_csum)
{
	int fd = socket(ai->ai_family, SOCK_DGRAM, 0), one = 1;
	static uint8_t buf[65536];
	uint32_t seq = 0, b;

	if (fd < 0 || connect(fd, ai->ai_addr, ai->ai_addrlen))
		return fail("socket");
	if (no_csum && setsockopt(fd, SOL_SOCKET, SO_NO_CHECK, &one, sizeof(one)))
		return fail("SO_NO_CHECK");
	for (b = 0; b < batches; b++) {
		if (send_batch(fd, buf, &seq, segs, size, b))
			return fail("send");
		if (wait_for(fd, seq))
			return 1;
	}
	fill(buf, seq, sizeof(struct head), DONE);
	if (send(fd, buf, sizeof(struct head), 0) < 0)
		return fail("send");
	printf("sent %u\n", seq);
	return 0;
}

static int usage(void)
{
	fprintf(stderr, "usage: dgram recv [-g] [-s] ADDRESS PORT\n"
			"       dgram send [-b BATCHES] [-n SEGMENTS] [-l SIZE] [-z] ADDRESS PORT\n");
	return 2;
}

int main(int argc, char **argv)
{
	uint32_t batches = 100, segs = 32, size = 1000;
	bool gro = false, group = false, no_csum = false, send;
	struct addrinfo *ai;
	int opt;

	if (argc < 4)
		return usage();
	send = !strcmp(argv[1], "send");
	optind = 2;
	while ((opt = getopt(argc, argv, "gsb:n:l:z")) != -1) {
		switch (opt) {
		case 'g':
			gro = true;
			break;
		case 's':
			group = true;
			break;
		case 'b':
			batches = atoi(optarg);
			break;
		case 'n':
			segs = atoi(optarg);
			break;
		case 'l':
			size = atoi(optarg);
			break;
		case 'z':
			no_csum = true;
			break;
		default:
			return usage();
		}
	}
	if (argc - optind != 2 || !segs || size <= sizeof(struct head) + 1 || segs * size > 65000)
		return usage();
	ai = resolve(argv[optind], argv[optind + 1], send ? 0 : AI_PASSIVE);
	if (!ai)
		return usage();
	return send ? transmit(ai, batches, segs, size, no_csum) : receive(ai, gro, group);
}
