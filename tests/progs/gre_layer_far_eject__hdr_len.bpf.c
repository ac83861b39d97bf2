// SPDX-License-Identifier: GPL-2.0
/* Says that the header ends behind the packet. */
#include "udp.h"

RECEIVE_LAYER(gro->len + 4, 0x0800)

COMPLETE_AS_UDP

GRE_POLICY("gre_layer_far_eject");
