// SPDX-License-Identifier: GPL-2.0
/* Parse state that an XDP program left in the metadata area (bpf_gro/parse.h): found, held against the packet, or ignored. */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>

#include "gro.h"

/* A byte of the frame, or -1 if it has none there. */
static int gro_frame_byte(const struct sk_buff *skb, u32 off)
{
	const u8 *at;
	u8 buf;

	at = skb_header_pointer(skb, (int)off - (int)(skb->data - skb_mac_header(skb)), sizeof(buf), &buf);
	return at ? *at : -1;
}

/*
 * Whether the packet can be what the state says. Offsets may be stale, since a later program may have moved the start of the frame:
 * metadata moves with it.
 */
static bool gro_parse_fits(const struct sk_buff *skb, const struct gro_parse_state *st)
{
	u32 maclen = skb->data - skb_mac_header(skb), least, version;

	if (st->net_proto == ETH_P_IP) {
		version = 4;
		least = sizeof(struct iphdr);
	} else if (st->net_proto == ETH_P_IPV6) {
		version = 6;
		least = sizeof(struct ipv6hdr);
	} else {
		return false;
	}
	if (st->flags & ~GRO_PARSE_FLAGS || st->encap >= __GRO_PARSE_ENCAP_MAX)
		return false;
	if (st->net_off < maclen || st->trans_off < st->net_off + least || st->trans_off > maclen + skb->len)
		return false;
	if (st->proto_off < st->net_off || st->proto_off >= st->trans_off)
		return false;
	/* Without a tunnel nothing but VLAN tags is between. */
	if (!st->encap && (st->net_off - maclen) % 4)
		return false;
	return gro_frame_byte(skb, st->net_off) >> 4 == version && gro_frame_byte(skb, st->proto_off) == st->proto;
}

/**
 * gro_parse_get() - the parse state of a packet
 * @skb: packet or aggregate, with a MAC header
 * @st: filled
 *
 * Return: false if there is none that can be used.
 */
bool gro_parse_get(const struct sk_buff *skb, struct gro_parse_state *st)
{
	u32 len = skb_metadata_len(skb);

	BUILD_BUG_ON(sizeof(*st) != 16);
	if (len < sizeof(*st))
		return false;
	memcpy(st, skb_metadata_end(skb) - len, sizeof(*st));
	return st->magic == GRO_PARSE_MAGIC && st->version == GRO_PARSE_VERSION && gro_parse_fits(skb, st);
}

/* Whether an XDP program wants the packet kept out of GRO. */
bool gro_parse_no_hold(const struct sk_buff *skb)
{
	struct gro_parse_state st;

	return gro_parse_get(skb, &st) && st.flags & GRO_PARSE_F_NO_HOLD;
}
