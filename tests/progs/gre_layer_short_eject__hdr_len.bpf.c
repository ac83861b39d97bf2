// SPDX-License-Identifier: GPL-2.0
/* Says that the header is shorter than any. */
#include "udp.h"

RECEIVE_LAYER(2, 0x0800)

COMPLETE_AS_UDP

GRE_POLICY("gre_layer_short_eject");
