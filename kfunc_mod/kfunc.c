// SPDX-License-Identifier: GPL-2.0
/*
 * The kfuncs that receive and complete may call.
 *
 * None of them pulls, expands or frees: the verifier never invalidates memory that a kfunc has handed out, so all header
 * bytes stay where they are until the program has ended. Bytes out of reach are noted and brought up between two runs.
 */
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <net/tcp.h>
#include <net/ip6_checksum.h>

#include "find.h"

__bpf_kfunc_start_defs();

/**
 * bpf_gro_header() - header bytes, in place
 * @gro: packet or aggregate
 * @off: first byte wanted, from the slot's header on
 * @rdonly_buf_size: bytes wanted, a constant
 *
 * Context: receive and complete. Softirq, RCU read side. The packet stays the module's.
 * Return: the bytes, readable until the program ends. NULL if the packet ends before or the bytes are not in reach; in
 * receive the latter are brought into reach and the program runs once more.
 */
__bpf_kfunc const u8 *bpf_gro_header(struct bpf_gro *gro, u32 off, const size_t rdonly_buf_size)
{
	struct gro_run *r = gro_run(gro);
	u64 end = (u64)off + rdonly_buf_size;

	if (likely(end <= r->pub.avail))
		return r->hdr + off;
	if (end <= gro->len)
		r->want = max_t(u32, r->want, end);
	return NULL;
}

/**
 * bpf_gro_csum() - validate the transport checksum
 * @gro: the packet
 * @kind: enum bpf_gro_csum
 *
 * From the slot's header to the end of the packet. Asked again it repeats the answer. With BPF_GRO_CSUM_UDP after the look it brings
 * @gro->diff up to date.
 *
 * Context: receive. Softirq, RCU read side.
 * Return: 0 if it is right or the packet is not to be held anyway, -EBADMSG if it is wrong, -EINVAL for another @kind
 * or in complete.
 */
__bpf_kfunc int bpf_gro_csum(struct bpf_gro *gro, u32 kind)
{
	struct gro_run *r = gro_run(gro);
	struct sk_buff *skb = r->skb;
	bool bad;

	if (unlikely(r->csum))
		return r->csum == 1 ? 0 : -EBADMSG;
	if (unlikely(!r->head))
		return -EINVAL;
	if (unlikely(NAPI_GRO_CB(skb)->flush))
		return 0;
	if (unlikely(kind == BPF_GRO_CSUM_UDP))
		return gro_csum_udp(r);
	/* It would stand for the checksums of what is inside. */
	if (unlikely(kind == BPF_GRO_CSUM_PSEUDO && gro->proto == IPPROTO_GRE))
		return -EINVAL;
	if (unlikely(kind != BPF_GRO_CSUM_PSEUDO)) {
		if (kind != BPF_GRO_CSUM_PLAIN)
			return -EINVAL;
		bad = skb_gro_checksum_simple_validate(skb);
	} else if (r->kind == BPF_GRO_SLOT_IP6) {
		bad = skb_gro_checksum_validate(skb, gro->proto, ip6_gro_compute_pseudo);
	} else {
		bad = skb_gro_checksum_validate(skb, gro->proto, inet_gro_compute_pseudo);
	}
	r->csum = bad ? 2 : 1;
	return bad ? -EBADMSG : 0;
}

/**
 * bpf_gro_find_held() - find the held packet of this packet's flow, and compare
 * @gro: the packet; set @gro->hdr_len before, that many bytes are brought into reach
 * @key: BPF_GRO_RANGE of header bytes that must be equal, at most 64
 * @cmp: BPF_GRO_RANGE or BPF_GRO_REST of header bytes to compare with the held packet, length 0: none
 * @rdonly_buf_size: bytes of the held header wanted, a constant
 *
 * Sets @gro->diff, held_len, held_segs, held_gso_size and chain.
 *
 * Context: receive. Softirq, RCU read side. The held packet stays the module's.
 * Return: its header from the slot's header on, readable until the program ends; NULL if no packet of the flow is held, or
 * if a range is not in reach yet (then the program runs once more), or in complete.
 */
__bpf_kfunc const u8 *bpf_gro_find_held(struct bpf_gro *gro, u32 key, u32 cmp, const size_t rdonly_buf_size)
{
	struct gro_run *r = gro_run(gro);
	const u8 *hdr = r->hdr;
	struct sk_buff *p;
	u32 kend, end;
	u8 *held;

	if (unlikely(gro->flags & (BPF_GRO_F_COMPLETE | BPF_GRO_F_OUTER)))
		return gro_find_held_outer(r, key, cmp, rdonly_buf_size);
	/* A flow that the policy declares has been looked for. */
	if (unlikely(r->declared))
		return NULL;
	r->looked = 1;
	r->key = key;
	kend = gro_range_end(key);
	end = max(kend, gro->hdr_len);
	if (BPF_GRO_RANGE_LEN(cmp) != BPF_GRO_REST_LEN)
		end = max(end, gro_range_end(cmp));
	if (unlikely(end > r->pub.avail)) {
		if (end <= gro->len)
			r->want = max(r->want, end);
		return NULL;
	}

	list_for_each_entry(p, r->head, list) {
		if (!NAPI_GRO_CB(p)->same_flow)
			continue;
		held = skb_transport_header(p);
		r->held_hdr = NAPI_GRO_CB(p)->data_offset - (held - p->data);
		if (likely(key == GRO_KEY_PORTS ? gro_equal4(hdr, held) : gro_key_equal(hdr, held, key)) &&
		    likely(kend <= r->held_hdr))
			goto found;
		NAPI_GRO_CB(p)->same_flow = 0;
	}
	if (unlikely(gro_meta_may_hide(r, r->pol)))
		r->foreign = gro_meta_inner(r, key);
	return NULL;

found:
	if (unlikely(gro_stamp(p)->stamp != r->stamp || rdonly_buf_size > r->held_hdr) || gro_meta_apart(r->pol, p, r->skb)) {
		r->foreign = p;
		return NULL;
	}
	gro_found(r, p, held, cmp, gro->hdr_len, gro_net_flush(r, p, held));
	return held;
}

/**
 * bpf_gro_match_layer() - tell flows apart by header bytes of a tunnel
 * @gro: the packet
 * @range: BPF_GRO_RANGE of header bytes that must be equal, at most 64
 *
 * Held packets that differ there are of another tunnel, and layers behind do not see them.
 *
 * Context: receive. Softirq, RCU read side.
 * Return: 0; -ENODATA if the bytes are not in reach, then the program runs once more unless the packet ends before; -EINVAL for a range
 * too long, at slots other than GRE's, or in complete.
 */
__bpf_kfunc int bpf_gro_match_layer(struct bpf_gro *gro, u32 range)
{
	return gro_match_layer(gro_run(gro), range);
}

/**
 * bpf_gro_parse_state() - what an XDP program has found out about the packet
 * @gro: packet or aggregate
 * @rdonly_buf_size: bytes wanted, a constant: those of struct gro_parse_state or fewer
 *
 * Context: receive and complete. Softirq, RCU read side.
 * Return: a copy of the state, readable until the program ends; NULL without one, or if it is of another version or contradicts the packet.
 * That of an aggregate is the first packet's.
 */
__bpf_kfunc const u8 *bpf_gro_parse_state(struct bpf_gro *gro, const size_t rdonly_buf_size)
{
	struct gro_run *r = gro_run(gro);

	if (rdonly_buf_size > sizeof(r->parse) || !gro_parse_get(r->skb, &r->parse))
		return NULL;
	return (const u8 *)&r->parse;
}

/**
 * bpf_gro_has_socket() - whether an established TCP socket of this host takes the packet
 * @gro: the packet, the slot's header being TCP
 *
 * Context: receive. Softirq, RCU read side.
 * Return: 1 or 0; 0 too if the ports are not in reach.
 */
__bpf_kfunc int bpf_gro_has_socket(struct bpf_gro *gro)
{
	struct gro_run *r = gro_run(gro);
	struct sk_buff *skb = r->skb;
	struct sock *sk = NULL;
	int iif, sdif;
	__be16 *ports;

	if (!r->head || r->pub.avail < 4)
		return 0;
	ports = (__be16 *)r->hdr;
	if (r->kind == BPF_GRO_SLOT_IP) {
		inet_get_iif_sdif(skb, &iif, &sdif);
		sk = gro_compat_lookup4(dev_net(skb->dev), skb_gro_network_header(skb), ports[0], ports[1], iif, sdif);
	} else if (IS_ENABLED(CONFIG_IPV6)) {
		inet6_get_iif_sdif(skb, &iif, &sdif);
		sk = gro_compat_lookup6(dev_net(skb->dev), skb_gro_network_header(skb), ports[0], ports[1], iif, sdif);
	}
	if (!sk)
		return 0;
	sock_gen_put(sk);
	return 1;
}

/**
 * bpf_gro_finish() - finish an aggregate
 * @gro: the aggregate
 * @gso: enum bpf_gro_gso bits
 * @csum_off: offset of the transport checksum in the slot's header, bytes
 *
 * Context: complete. Softirq, RCU read side.
 * Return: 0; -EINVAL in receive, for bits that do not fit the slot, or for an offset outside the header; -EALREADY
 * the second time.
 */
__bpf_kfunc int bpf_gro_finish(struct bpf_gro *gro, u32 gso, u32 csum_off)
{
	struct gro_run *r = gro_run(gro);
	struct sk_buff *skb = r->skb;
	struct skb_shared_info *shinfo = skb_shinfo(skb);
	u32 noff = NAPI_GRO_CB(skb)->network_offsets[skb->encapsulation];
	bool ip6 = r->kind == BPF_GRO_SLOT_IP6;
	__sum16 *check;

	if (r->head)
		return -EINVAL;
	if (r->finished)
		return -EALREADY;
	if (gso == BPF_GRO_GSO_UDP)
		return gro_finish_udp(r, csum_off);
	if (gso & BPF_GRO_GSO_GRE)
		return gro_finish_gre(r, gso, csum_off);
	if (gso & ~(BPF_GRO_GSO_TCP | BPF_GRO_GSO_TCP_CWR))
		return -EINVAL;
	if (!(gso & BPF_GRO_GSO_TCP)) {
		/* Only a chain on a free slot has no native split. */
		if (gso || !(gro->flags & BPF_GRO_F_CHAIN_ONLY))
			return -EINVAL;
		gro_finish_chain(skb);
		r->finished = 1;
		return 0;
	}
	if (gro->proto != IPPROTO_TCP || csum_off + sizeof(*check) > r->pub.avail || csum_off & 1)
		return -EINVAL;

	shinfo->gso_segs = NAPI_GRO_CB(skb)->count;
	if (NAPI_GRO_CB(skb)->is_flist) {
		shinfo->gso_type |= SKB_GSO_FRAGLIST | (ip6 ? SKB_GSO_TCPV6 : SKB_GSO_TCPV4);
		__skb_incr_checksum_unnecessary(skb);
		r->finished = 1;
		return 0;
	}

	check = (__sum16 *)(r->hdr + csum_off);
	if (ip6) {
		const struct ipv6hdr *iph = (struct ipv6hdr *)(skb->data + noff);

		*check = ~csum_ipv6_magic(&iph->saddr, &iph->daddr, gro->len, gro->proto, 0);
		shinfo->gso_type |= SKB_GSO_TCPV6;
	} else {
		const struct iphdr *iph = (struct iphdr *)(skb->data + noff);

		*check = ~csum_tcpudp_magic(iph->saddr, iph->daddr, gro->len, gro->proto, 0);
		shinfo->gso_type |= SKB_GSO_TCPV4 | NAPI_GRO_CB(skb)->ip_fixedid * SKB_GSO_TCP_FIXEDID;
	}
	if (skb->encapsulation)
		skb->inner_transport_header = skb->transport_header;
	skb->csum_start = r->hdr - skb->head;
	skb->csum_offset = csum_off;
	skb->ip_summed = CHECKSUM_PARTIAL;
	if (gso & BPF_GRO_GSO_TCP_CWR)
		shinfo->gso_type |= GRO_GSO_TCP_CWR;
	r->finished = 1;
	return 0;
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(gro_kfunc_ids)
BTF_ID_FLAGS(func, bpf_gro_header, KF_RET_NULL | KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_gro_csum, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_gro_find_held, KF_RET_NULL | KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_gro_match_layer, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_gro_parse_state, KF_RET_NULL | KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_gro_has_socket, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_gro_udp_socket, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_gro_is_local, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_gro_nr_held, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_gro_ifindex, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_gro_finish, KF_TRUSTED_ARGS)
BTF_KFUNCS_END(gro_kfunc_ids)

static const struct btf_kfunc_id_set gro_kfunc_set = {
	.owner = THIS_MODULE,
	.set = &gro_kfunc_ids,
};

int gro_kfunc_register(void)
{
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_STRUCT_OPS, &gro_kfunc_set);
}
