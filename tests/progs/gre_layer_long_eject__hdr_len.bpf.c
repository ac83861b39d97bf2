// SPDX-License-Identifier: GPL-2.0
/* Says that the header is longer than its flags do. */
#include "udp.h"

RECEIVE_LAYER(8, 0x0800)

COMPLETE_AS_UDP

GRE_POLICY("gre_layer_long_eject");
