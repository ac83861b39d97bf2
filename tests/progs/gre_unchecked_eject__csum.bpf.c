// SPDX-License-Identifier: GPL-2.0
/* Goes on behind a header whose checksum nobody has validated. */
#include "udp.h"

RECEIVE_LAYER(8, 0x0800)

COMPLETE_AS_UDP

GRE_POLICY("gre_unchecked_eject");
