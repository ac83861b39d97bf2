// SPDX-License-Identifier: GPL-2.0
/* The example of the documentation, which tests/freeslot.bats feeds. */
#include "../../docs/examples/seq.bpf.c"
