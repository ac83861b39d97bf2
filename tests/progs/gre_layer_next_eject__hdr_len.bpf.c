// SPDX-License-Identifier: GPL-2.0
/* Says that IPv6 comes behind a header that says IPv4. */
#include "udp.h"

RECEIVE_LAYER(4, 0x86dd)

COMPLETE_AS_UDP

GRE_POLICY("gre_layer_next_eject");
