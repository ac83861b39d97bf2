// SPDX-License-Identifier: GPL-2.0
/*
 * The way in: the receive callbacks of the IPv4 and IPv6 packet_offload, swapped while some policy sits behind them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <net/hotdata.h>

#include "gro.h"

/* The kernel's own IP layers; NULL while they are not hooked. */
gro_receive_t gro_native_layer[__BPF_GRO_SLOT_MAX];

static gro_receive_t *gro_layer_callback(u32 kind)
{
	return kind == BPF_GRO_SLOT_IP6 ? &net_hotdata.ipv6_packet_offload.callbacks.gro_receive :
					  &net_hotdata.ip_packet_offload.callbacks.gro_receive;
}

/**
 * gro_layer_hook() - take over an IP layer, or give it back
 * @kind: BPF_GRO_SLOT_IP or BPF_GRO_SLOT_IP6
 * @on: some policy sits behind it
 *
 * Context: gro_mutex held, sleeps.
 */
void gro_layer_hook(u32 kind, bool on)
{
	gro_receive_t ours = kind == BPF_GRO_SLOT_IP6 ? gro_ip6_layer_receive : gro_ip_layer_receive;
	gro_receive_t *callback = gro_layer_callback(kind);

	if (on && !gro_native_layer[kind] && *callback) {
		gro_native_layer[kind] = *callback;
		/* Pairs with the dependent load in dev_gro_receive(): who gets our callback sees where to go on. */
		smp_store_release(callback, ours);
	} else if (!on && gro_native_layer[kind]) {
		if (cmpxchg(callback, ours, gro_native_layer[kind]) != ours) {
			pr_err("%s: another module replaced our callback: it stays, and this module cannot be unloaded\n",
			       gro_slot_name(kind));
			__module_get(THIS_MODULE);
			return;
		}
		synchronize_net();
		gro_native_layer[kind] = NULL;
	}
}
