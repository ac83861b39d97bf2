// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What users of GRO ran into in the field, reduced to packets: the cases that concern TCP, joining,
 * geometry and the table of held packets, each with its neighbours. The number in a name is that
 * of the case. Run natively and with a policy attached (--policy-attached): expectations are the
 * same. A failure marked TODO is a known fault of native GRO.
 */
#include "cases.h"

int main(int argc, char **argv)
{
	const struct case_set *sets[] = {
		&cases_geometry, &cases_gso, &cases_flow, &cases_table, &cases_tunnel, &cases_udp, &cases_gre,
	};

	return tap_sets(argc, argv, sets, sizeof(sets) / sizeof(*sets));
}
