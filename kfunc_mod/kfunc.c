// SPDX-License-Identifier: GPL-2.0
/*
 * The kfuncs that receive and complete may call.
 *
 * None of them pulls, expands or frees: the verifier never invalidates memory that a kfunc has handed out, so all header
 * bytes stay where they are until the program has ended. Bytes out of reach are noted and brought up between two runs.
 */
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/unaligned.h>
#include <net/tcp.h>
#include <net/ip6_checksum.h>

#include "gro.h"

#define GRO_KEY_MAX	64
#define GRO_KEY_PORTS	BPF_GRO_RANGE(0, 4)	/* of TCP, UDP, SCTP, DCCP */

static __always_inline bool gro_equal4(const u8 *a, const u8 *b)
{
	return get_unaligned((const u32 *)a) == get_unaligned((const u32 *)b);
}

static __always_inline bool gro_equal8(const u8 *a, const u8 *b)
{
	return get_unaligned((const u64 *)a) == get_unaligned((const u64 *)b);
}

static noinline bool gro_bytes_equal_slow(const u8 *a, const u8 *b, u32 len)
{
	return !memcmp(a, b, len);
}

/* Ports and TCP timestamps are what is compared most: 4 and 12 bytes. */
static __always_inline bool gro_bytes_equal(const u8 *a, const u8 *b, u32 len)
{
	if (likely(len == 12))
		return gro_equal8(a, b) && gro_equal4(a + 8, b + 8);
	if (likely(!len))
		return true;
	return gro_bytes_equal_slow(a, b, len);
}

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

	if (likely(end <= r->win))
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
 * From the slot's header to the end of the packet. Asked again it repeats the answer.
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

/*
 * What the device's fraglist setting makes of the pair: a chain takes what is not GSO; a GSO packet turns a chain of one back
 * into an ordinary held packet.
 */
static void gro_chain_rules(struct gro_run *r, struct sk_buff *p)
{
	struct sk_buff *skb = r->skb;

	if (r->pub.flags & BPF_GRO_F_CHAIN_DEV) {
		if (!skb_is_gso(skb) || !NAPI_GRO_CB(p)->is_flist) {
			NAPI_GRO_CB(skb)->is_flist = NAPI_GRO_CB(p)->is_flist;
		} else {
			if (NAPI_GRO_CB(p)->count == 1)
				NAPI_GRO_CB(p)->is_flist = 0;
			NAPI_GRO_CB(skb)->is_flist = 0;
		}
	} else if (r->pub.flags & BPF_GRO_F_CHAIN_ONLY) {
		NAPI_GRO_CB(skb)->is_flist = 1;
	}
}

/* Size and buffer rules of a chain. */
static u32 gro_diff_chain(const struct gro_run *r, const struct sk_buff *p)
{
	const struct sk_buff *skb = r->skb;
	u32 diff = 0;

	if (skb->ip_summed != p->ip_summed || skb->csum_level != p->csum_level || NAPI_GRO_CB(p)->count >= 64 ||
	    !NAPI_GRO_CB(skb)->is_flist)
		diff |= BPF_GRO_DIFF_CHAIN;
	if (p->len + skb->len >= GRO_LEGACY_MAX_SIZE)
		diff |= BPF_GRO_DIFF_LIMIT;
	return diff;
}

/* Pages of a page pool and others are counted differently; zero-copy ones have an owner that waits for them. */
static __always_inline bool gro_buffers_differ(const struct sk_buff *p, const struct sk_buff *skb)
{
	return p->pp_recycle != skb->pp_recycle ||
	       (skb_shinfo(p)->flags | skb_shinfo(skb)->flags) & SKBFL_ZEROCOPY_ENABLE;
}

/* Something speaks against joining, or the packet is of a rare kind: say exactly what. */
static noinline u32 gro_diff_slow(struct gro_run *r, struct sk_buff *p, u32 net)
{
	struct sk_buff *skb = r->skb;
	u32 mss = r->pub.held_gso_size, len = r->pub.len - r->held_hdr, total = p->len + len;
	u32 diff = net ? BPF_GRO_DIFF_NETWORK : 0;

	if (NAPI_GRO_CB(p)->is_flist || r->pub.flags & (BPF_GRO_F_CHAIN_DEV | BPF_GRO_F_CHAIN_ONLY))
		gro_chain_rules(r, p);
	if (r->pub.flags & BPF_GRO_F_NET_FLUSH)
		diff |= BPF_GRO_DIFF_NET_FLUSH;
	if (r->pub.flags & BPF_GRO_F_GSO)
		diff |= r->pub.gso_size != mss ? BPF_GRO_DIFF_GSO : 0;
	else if (len - 1 >= mss)
		diff |= BPF_GRO_DIFF_LONG;
	if (skb_cmp_decrypted(p, skb))
		diff |= BPF_GRO_DIFF_BUFFER;
	if (NAPI_GRO_CB(p)->is_flist)
		return diff | gro_diff_chain(r, p);
	if (gro_buffers_differ(p, skb))
		diff |= BPF_GRO_DIFF_BUFFER;
	if (total >= netif_get_gro_max_size(p->dev, p))
		diff |= BPF_GRO_DIFF_LIMIT;
	if (total >= GRO_LEGACY_MAX_SIZE && (NAPI_GRO_CB(skb)->proto != IPPROTO_TCP || !gro_compat_big_tcp_ok(p, skb)))
		diff |= BPF_GRO_DIFF_LIMIT;
	return diff;
}

#define GRO_RARE_FLAGS	(BPF_GRO_F_GSO | BPF_GRO_F_NET_FLUSH | BPF_GRO_F_CHAIN_DEV | BPF_GRO_F_CHAIN_ONLY)

/*
 * All that speaks against joining, for a header of the held packet's length: no other can be joined. The common answer, nothing, comes
 * from one chain of tests.
 */
static __always_inline u32 gro_diff(struct gro_run *r, struct sk_buff *p, const u8 *held)
{
	u32 len = r->pub.len - r->held_hdr, total = p->len + len, net;
	const struct sk_buff *skb = r->skb;

	if (likely(!(r->pub.flags & BPF_GRO_F_ENCAP))) {
		u32 back = held - p->data - NAPI_GRO_CB(p)->network_offset;

		if (r->kind == BPF_GRO_SLOT_IP)
			net = inet_gro_flush((void *)(r->hdr - back), (void *)(held - back), p, false);
		else
			net = ipv6_gro_flush((void *)(r->hdr - back), (void *)(held - back));
	} else {
		net = gro_receive_network_flush(r->hdr, held, p);
	}
	if (likely(!net && !(r->pub.flags & GRO_RARE_FLAGS) && len - 1 < r->pub.held_gso_size &&
		   !NAPI_GRO_CB(p)->is_flist && !skb_cmp_decrypted(p, skb) && !gro_buffers_differ(p, skb) &&
		   total < netif_get_gro_max_size(p->dev, p) && total < GRO_LEGACY_MAX_SIZE))
		return 0;
	return gro_diff_slow(r, p, net);
}

/* End of a range to compare, as far as it is known before the held packet is. */
static __always_inline u32 gro_range_end(u32 cmp)
{
	return BPF_GRO_RANGE_LEN(cmp) == BPF_GRO_REST_LEN ? 0 : BPF_GRO_RANGE_OFF(cmp) + BPF_GRO_RANGE_LEN(cmp);
}

noinline bool gro_key_equal(const u8 *hdr, const u8 *held, u32 key)
{
	u32 off = BPF_GRO_RANGE_OFF(key), len = min_t(u32, BPF_GRO_RANGE_LEN(key), GRO_KEY_MAX);

	return !memcmp(hdr + off, held + off, len);
}

/* The bytes that the caller asked to compare differ. */
static __always_inline bool gro_range_differs(const struct gro_run *r, const u8 *held, u32 cmp)
{
	u32 off = BPF_GRO_RANGE_OFF(cmp), len = BPF_GRO_RANGE_LEN(cmp);

	if (likely(len == BPF_GRO_REST_LEN)) {
		if (r->pub.hdr_len != r->held_hdr || off > r->held_hdr)
			return true;
		len = r->held_hdr - off;
	}
	return off + len > r->held_hdr || !gro_bytes_equal(r->hdr + off, held + off, len);
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
	u32 held_hdr, kend;
	struct sk_buff *p;
	u8 *held;

	if (unlikely(!r->head))
		return NULL;
	r->looked = 1;
	kend = likely(key == GRO_KEY_PORTS) ? 4 : BPF_GRO_RANGE_OFF(key) + BPF_GRO_RANGE_LEN(key);
	if (unlikely(kend > r->win || gro->hdr_len > r->win || gro_range_end(cmp) > r->win)) {
		u32 end = max3(kend, gro->hdr_len, gro_range_end(cmp));

		if (end <= gro->len)
			r->want = max(r->want, end);
		r->key = key;
		return NULL;
	}

	list_for_each_entry(p, r->head, list) {
		if (!NAPI_GRO_CB(p)->same_flow)
			continue;
		held = skb_transport_header(p);
		held_hdr = NAPI_GRO_CB(p)->data_offset - (held - p->data);
		if (likely(key == GRO_KEY_PORTS ? gro_equal4(hdr, held) : gro_key_equal(hdr, held, key)) &&
		    likely(kend <= held_hdr))
			goto found;
		NAPI_GRO_CB(p)->same_flow = 0;
	}
	r->key = key;
	return NULL;

found:
	if (unlikely(gro_stamp(p)->stamp != r->stamp || rdonly_buf_size > held_hdr)) {
		r->foreign = p;
		r->key = key;
		return NULL;
	}
	r->held = p;
	r->held_hdr = held_hdr;
	gro->held_len = skb_gro_len(p);
	gro->held_segs = NAPI_GRO_CB(p)->count;
	gro->held_gso_size = skb_shinfo(p)->gso_size;
	gro->diff = gro_diff(r, p, held);
	if (unlikely(gro_range_differs(r, held, cmp)))
		gro->diff |= BPF_GRO_DIFF_RANGE;
	gro->chain = NAPI_GRO_CB(p)->is_flist;
	return held;
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

	if (!r->head || r->win < 4)
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
	if (gro->proto != IPPROTO_TCP || csum_off + sizeof(*check) > r->win || csum_off & 1)
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
BTF_ID_FLAGS(func, bpf_gro_has_socket, KF_TRUSTED_ARGS)
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
