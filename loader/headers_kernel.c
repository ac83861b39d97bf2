// SPDX-License-Identifier: GPL-2.0
/*
 * What bpf_rx_header.ko says about itself: runs the programs of rx_headers.bpf.c, which call its status kfuncs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "groctl.h"
#include "rx_headers.skel.h"

static struct rx_headers *skel;

/** headers_open() - load the programs; nothing to do the second time; returns an exit code */
int headers_open(void)
{
	int code;

	if (skel)
		return RC_OK;
	code = kernel_may_ask();
	if (code)
		return code;
	skel = rx_headers__open_and_load();
	return skel ? RC_OK : kernel_open_failed(errno);
}

/** headers_close() - unload them: they hold a reference to the module */
void headers_close(void)
{
	if (skel)
		rx_headers__destroy(skel);
	skel = NULL;
}

static int read_module(struct bpf_rx_header_module_status *st)
{
	int err = kernel_run(skel->progs.headers_module);

	memcpy(st, skel->bss->module_buf, sizeof(*st));
	st->message[sizeof(st->message) - 1] = '\0';
	return err;
}

/** headers_refusals() - as struct target has it */
uint64_t headers_refusals(char *message, size_t size)
{
	struct bpf_rx_header_module_status st;

	if (headers_open() || read_module(&st))
		return 0;
	if (message)
		snprintf(message, size, "%s", st.message);
	return st.refusals;
}

/* All that the program @prog leaves in @buf, one after the other, until there is no more. */
static int read_all(const struct bpf_program *prog, const void *buf, size_t size, void **v, int *n)
{
	void *more;
	int err;

	for (;;) {
		skel->bss->n = *n;
		err = kernel_run(prog);
		if (err)
			return err == -ENOENT ? 0 : err;
		more = realloc(*v, (*n + 1) * size);
		if (!more)
			return -ENOMEM;
		*v = more;
		memcpy((char *)more + (size_t)(*n)++ * size, buf, size);
	}
}

/**
 * headers_read() - read what the module has
 * @h: filled; free it with headers_free() in any case
 *
 * Return: exit code.
 */
int headers_read(struct headers *h)
{
	void *policies = NULL, *devices = NULL;
	int code, err;

	memset(h, 0, sizeof(*h));
	code = headers_open();
	if (code)
		return code;
	err = read_module(&h->module);
	err = err ?: read_all(skel->progs.headers_policy, skel->bss->policy_buf, sizeof(*h->policies), &policies, &h->npolicies);
	err = err ?: read_all(skel->progs.headers_device, skel->bss->device_buf, sizeof(*h->devices), &devices, &h->ndevices);
	h->policies = policies;
	h->devices = devices;
	return err ? fail(RC_FAIL, "cannot read the status of %s.ko: %s", target->module, strerror(-err)) : RC_OK;
}

void headers_free(struct headers *h)
{
	free(h->policies);
	free(h->devices);
	memset(h, 0, sizeof(*h));
}
