// SPDX-License-Identifier: GPL-2.0
/* Goes on behind a header that has a sequence number, as nothing can split it. */
#include "udp.h"

RECEIVE_LAYER(8, 0x0800)

COMPLETE_AS_UDP

GRE_POLICY("gre_seq_eject");
