// SPDX-License-Identifier: GPL-2.0
/* Finishes a tunnel as datagrams. */
#include "udp.h"

RECEIVE_LAYER(4, 0x0800)

COMPLETE_AS_UDP

GRE_POLICY("gre_as_udp_eject");
