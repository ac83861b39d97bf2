// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* rig train: what comes up for a train. */
#include "tool.h"

int cmd_train(struct opts *o)
{
	struct rig_train t = {};
	struct rig_outs out = {};
	char msg[256];
	struct rig rig;
	int ret = EXIT_FAILED;

	if (opts_train(o, &t))
		return EXIT_USAGE;
	if (opts_open(o, &rig))
		return EXIT_UNSUPPORTED;
	if (rig_feed(&rig, &t, 0) || rig_read_all(&rig, &out, o->split ? RIG_READ_SPLIT : 0)) {
		fprintf(stderr, "rig: %s\n", rig_error(&rig));
		goto out;
	}
	printf("sent %u packets, the first:\n    ", t.nr);
	rig_print_packet(stdout, &t.p[0], o->hex);
	printf("came up: %u\n", out.nr);
	rig_print_outs(stdout, &out, o->hex);
	ret = EXIT_DONE;
	if (o->split) {
		if (rig_cmp_sent(&t, &out, msg, sizeof(msg))) {
			printf("split again differs from what was sent: %s\n", msg);
			ret = EXIT_FAILED;
		} else {
			printf("split again equals what was sent\n");
		}
	}
	if (o->expect_set && out.nr != o->expect) {
		fprintf(stderr, "rig: %u packets came up, expected %u\n", out.nr, o->expect);
		ret = EXIT_FAILED;
	}
out:
	rig_outs_free(&out);
	rig_train_free(&t);
	rig_close(&rig);
	return ret;
}
