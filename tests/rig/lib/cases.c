// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What the cases share. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cases.h"

void case_train(struct ctx *c, const char *spec, uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++)
		add(c, spec, 0, i, 1448);
}

const struct rig_out *case_out(struct ctx *c, uint32_t n)
{
	static const struct rig_out none;

	return n < c->out.nr ? c->out.items[n].o : &none;
}

static uint32_t seq_of(const struct rig_item *item)
{
	const uint8_t *q = item->frame + item->o->transport_off + 4;

	return (uint32_t)q[0] << 24 | q[1] << 16 | q[2] << 8 | q[3];
}

void case_in_order(struct ctx *c, int line)
{
	uint32_t i;

	for (i = 1; i < c->out.nr; i++)
		if (!expect_at(c, line, (int32_t)(seq_of(&c->out.items[i]) -
						  seq_of(&c->out.items[i - 1])) > 0,
			       "packets in the order sent", "packet %u has seq %u, %u before it",
			       i + 1, seq_of(&c->out.items[i]), seq_of(&c->out.items[i - 1])))
			return;
}

bool case_device(struct ctx *c, const char *module, const char *add_args)
{
	char cmd[200];

	snprintf(cmd, sizeof(cmd),
		 "{ modprobe %s && ip link add rigcase0 %s && ip link set rigcase0 up; } >/dev/null 2>&1",
		 module, add_args);
	if (!system(cmd))
		return true;
	snprintf(cmd, sizeof(cmd), "no %s here", module);
	skip(c, cmd);
	return false;
}

void case_devices_gone(void)
{
	if (system("ip link del rigcase0 >/dev/null 2>&1"))
		return;
}
