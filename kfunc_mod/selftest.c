// SPDX-License-Identifier: GPL-2.0
#include "gro.h"
int gro_selftest(char *why, size_t len)
{
	return 0;
}
