/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* XDP programs of a few instructions, for the rig's own tests: no compiler, no libbpf. */
#ifndef RIG_XDP_H
#define RIG_XDP_H

#include <stdint.h>

enum xdp_kind {
	XDP_KIND_PASS,
	XDP_KIND_DROP,
	XDP_KIND_META,		/* 8 bytes of metadata, the same on each packet */
	XDP_KIND_META_SEQ,	/* 8 bytes of metadata, the TCP sequence number in it */
};

/* A link's fd, or -errno; closing it takes the program off. */
int xdp_attach(int ifindex, enum xdp_kind kind);

#endif /* RIG_XDP_H */
