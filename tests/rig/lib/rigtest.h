/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef RIG_RIGTEST_H
#define RIG_RIGTEST_H

#include "cases.h"

extern const struct case_set rigtest_xdp, rigtest_deliver, rigtest_leak;

#endif /* RIG_RIGTEST_H */
