/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The cases of the field (docs: CASES), as far as the rig can put them; the number leads the name. */
#ifndef RIG_CASES_H
#define RIG_CASES_H

#include "tap.h"

extern const struct case_set cases_geometry, cases_gso, cases_flow, cases_table, cases_tunnel, cases_udp, cases_gre;

/* So many packets of a spec, 1448 bytes each. */
void case_train(struct ctx *c, const char *spec, uint32_t nr);
const struct rig_out *case_out(struct ctx *c, uint32_t n);
/* The payloads came up in the order sent: each packet's sequence number follows the one before. */
void case_in_order(struct ctx *c, int line);
/* Makes a device of the kernel's that GRO needs for a tunnel; false and a skip where it cannot. */
bool case_device(struct ctx *c, const char *module, const char *add);
void case_devices_gone(void);

#endif /* RIG_CASES_H */
