// SPDX-License-Identifier: GPL-2.0
/*
 * The struct_ops type bpf_gro_ops: what a policy may touch, how its members are checked, how it is registered, replaced and
 * taken off.
 */
#include <linux/bpf.h>
#include <linux/bpf_verifier.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/filter.h>
#include <linux/rtnetlink.h>

#include "gro.h"
#include "shared.h"

/*
 * struct bpf_gro in the module's BTF, as the verifier gives it to the argument of receive and complete. Not from a BTF_ID list: the
 * kernel does not relocate those of a module whose BTF was made against a distilled base.
 */
static const struct btf *gro_ctx_btf;
static u32 gro_ctx_id;

/* The fields of the context that a program may write; the module checks what they say after the program has ended. */
static const struct {
	u32 off;
	u32 end;
} gro_writable[] = {
#define GRO_FIELD(f)	{ offsetof(struct bpf_gro, f), offsetofend(struct bpf_gro, f) }
	GRO_FIELD(hdr_len),
	GRO_FIELD(merge_or),
	GRO_FIELD(merge_off),
	GRO_FIELD(chain),
	GRO_FIELD(next),
#undef GRO_FIELD
};

static int gro_btf_struct_access(struct bpf_verifier_log *log, const struct bpf_reg_state *reg, int off, int size)
{
	u32 i;

	if (reg->btf != READ_ONCE(gro_ctx_btf) || reg->btf_id != READ_ONCE(gro_ctx_id)) {
		bpf_log(log, "bpf_gro: only struct bpf_gro can be written to\n");
		return -EACCES;
	}
	for (i = 0; i < ARRAY_SIZE(gro_writable); i++)
		if (off >= gro_writable[i].off && off + size <= gro_writable[i].end)
			return 0;
	bpf_log(log, "bpf_gro: struct bpf_gro is read only at offset %d, size %d: write hdr_len, merge_or, merge_off, chain or next\n",
		off, size);
	return -EACCES;
}

static bool gro_is_valid_access(int off, int size, enum bpf_access_type type, const struct bpf_prog *prog,
				struct bpf_insn_access_aux *info)
{
	if (!bpf_tracing_btf_ctx_access(off, size, type, prog, info))
		return false;
	if (!off && info->btf) {
		WRITE_ONCE(gro_ctx_btf, info->btf);
		WRITE_ONCE(gro_ctx_id, info->btf_id);
	}
	return true;
}

static const struct bpf_verifier_ops gro_verifier_ops = {
	.get_func_proto = bpf_base_func_proto,
	.is_valid_access = gro_is_valid_access,
	.btf_struct_access = gro_btf_struct_access,
};

static int gro_ops_init(struct btf *btf)
{
	return 0;
}

/* Packets are received in softirq context: no program of a policy may sleep. */
static int gro_check_member(const struct btf_type *t, const struct btf_member *member, const struct bpf_prog *prog)
{
	if (prog->sleepable) {
		gro_refuse("a GRO policy runs in softirq context: its programs cannot be sleepable");
		return -EINVAL;
	}
	return 0;
}

static int gro_init_name(char *to, const char *from)
{
	const char *fault;

	if (!gro_name_ok(from, &fault)) {
		gro_refuse("member name: %s", fault);
		return -EINVAL;
	}
	memcpy(to, from, BPF_GRO_NAME_LEN);
	return 1;
}

static int gro_init_slots(struct bpf_gro_slot *to, const struct bpf_gro_slot *from)
{
	const char *why;
	u32 i, j;

	for (i = 0; i < BPF_GRO_SLOTS_MAX && from[i].kind; i++) {
		if (from[i].kind >= __BPF_GRO_SLOT_MAX) {
			gro_refuse("member slots[%u]: kind %u does not exist in this version", i, from[i].kind);
			return -EINVAL;
		}
		why = gro_slot_forbidden(from[i].kind, from[i].id);
		if (why) {
			gro_refuse("member slots[%u]: %s %u %s", i, gro_slot_name(from[i].kind), from[i].id, why);
			return -EINVAL;
		}
		for (j = 0; j < i; j++) {
			if (from[i].kind == from[j].kind && from[i].id == from[j].id) {
				gro_refuse("member slots[%u]: %s %u is there twice", i, gro_slot_name(from[i].kind),
					   from[i].id);
				return -EINVAL;
			}
		}
	}
	if (!i) {
		gro_refuse("member slots: a policy needs a slot, such as { BPF_GRO_SLOT_IP, IPPROTO_TCP }");
		return -EINVAL;
	}
	for (j = i; j < BPF_GRO_SLOTS_MAX; j++) {
		if (from[j].kind || from[j].id) {
			gro_refuse("member slots[%u]: comes after an empty entry", j);
			return -EINVAL;
		}
	}
	memcpy(to, from, sizeof(*to) * BPF_GRO_SLOTS_MAX);
	return 1;
}

static int gro_init_key(u32 *to, u32 from)
{
	if (from && (!BPF_GRO_RANGE_LEN(from) || BPF_GRO_RANGE_LEN(from) > BPF_GRO_KEY_MAX ||
		     BPF_GRO_RANGE_OFF(from) > BPF_GRO_KEY_OFF_MAX)) {
		gro_refuse("member key: 1 to %u bytes from byte %u at most, such as BPF_GRO_RANGE(0, 4)", BPF_GRO_KEY_MAX,
			   BPF_GRO_KEY_OFF_MAX);
		return -EINVAL;
	}
	*to = from;
	return 1;
}

static int gro_init_compare(u32 *to, u32 from)
{
	u32 len = BPF_GRO_RANGE_LEN(from);

	if (BPF_GRO_RANGE_OFF(from) > BPF_GRO_KEY_OFF_MAX || (len > BPF_GRO_KEY_OFF_MAX && len != BPF_GRO_REST_LEN)) {
		gro_refuse("member compare: it ends beyond what is taken for a header, %u bytes", 2 * BPF_GRO_KEY_OFF_MAX);
		return -EINVAL;
	}
	*to = from;
	return 1;
}

static int gro_init_member(const struct btf_type *t, const struct btf_member *member, void *kdata, const void *udata)
{
	const struct bpf_gro_ops *from = udata;
	struct bpf_gro_ops *to = kdata;

	switch (__btf_member_bit_offset(t, member) / 8) {
	case offsetof(struct bpf_gro_ops, flags):
		if (from->flags & ~(u64)BPF_GRO_OPS_FLAGS) {
			gro_refuse("member flags: %#llx has bits that this version does not know (it knows %#x)",
				   from->flags, BPF_GRO_OPS_FLAGS);
			return -EINVAL;
		}
		to->flags = from->flags;
		return 1;
	case offsetof(struct bpf_gro_ops, key):
		return gro_init_key(&to->key, from->key);
	case offsetof(struct bpf_gro_ops, compare):
		return gro_init_compare(&to->compare, from->compare);
	case offsetof(struct bpf_gro_ops, metadata):
		if (from->metadata >= __BPF_GRO_METADATA_MAX) {
			gro_refuse("member metadata: %u is no mode that this version knows", from->metadata);
			return -EINVAL;
		}
		to->metadata = from->metadata;
		return 1;
	case offsetof(struct bpf_gro_ops, slots):
		return gro_init_slots(to->slots, from->slots);
	case offsetof(struct bpf_gro_ops, devices):
		if (strnlen(from->devices, sizeof(from->devices)) == sizeof(from->devices)) {
			gro_refuse("member devices: longer than %zu characters", sizeof(from->devices) - 1);
			return -EINVAL;
		}
		memcpy(to->devices, from->devices, sizeof(to->devices));
		return 1;
	case offsetof(struct bpf_gro_ops, name):
		return gro_init_name(to->name, from->name);
	}
	return 0;
}

static int gro_validate(void *kdata)
{
	const struct bpf_gro_ops *ops = kdata;
	u32 i;

	if (!ops->receive || !ops->complete) {
		gro_refuse("policy %s has no member %s", ops->name, ops->receive ? "complete" : "receive");
		return -EINVAL;
	}
	for (i = 0; ops->key && i < BPF_GRO_SLOTS_MAX && ops->slots[i].kind; i++) {
		if (!gro_slot_is_outer(ops->slots[i].id))
			continue;
		gro_refuse("member key: behind %s %u other layers may come: receive has to look for itself (bpf_gro_find_held)",
			   gro_slot_name(ops->slots[i].kind), ops->slots[i].id);
		return -EINVAL;
	}
	if (ops->compare && !ops->key) {
		gro_refuse("policy %s has a member compare but no member key", ops->name);
		return -EINVAL;
	}
	return 0;
}

static int gro_reg(void *kdata, struct bpf_link *link)
{
	struct gro_policy *pol;
	int err;

	if (!gro_hooked) {
		gro_refuse("the self-test failed when the module was loaded: it does not hook, see dmesg");
		return -EOPNOTSUPP;
	}
	pol = gro_policy_create(kdata, link, true);
	if (IS_ERR(pol))
		return PTR_ERR(pol);
	err = gro_policy_add(pol, NULL);
	if (err)
		gro_policy_destroy(pol);
	return err;
}

static void gro_unreg(void *kdata, struct bpf_link *link)
{
	struct gro_policy *pol = gro_policy_of(kdata);

	if (!pol)
		return;
	gro_policy_remove(pol);
	gro_policy_destroy(pol);
}

/* All members change at once; packets that the old policy holds are flushed by the first packet that follows them. */
static int gro_update(void *kdata, void *old_kdata, struct bpf_link *link)
{
	struct gro_policy *old = gro_policy_of(old_kdata), *pol;
	int err;

	if (!old)
		return -ENOENT;
	pol = gro_policy_create(kdata, link, true);
	if (IS_ERR(pol))
		return PTR_ERR(pol);
	err = gro_policy_add(pol, old);
	gro_policy_destroy(err ? pol : old);
	return err;
}

/* The verifier learns from the names of these what may be NULL. */
static int bpf_gro_ops__receive(struct bpf_gro *gro, const struct bpf_gro_hdr *hdr, const struct bpf_gro_hdr *held__nullable)
{
	return 0;
}

static int bpf_gro_ops__complete(struct bpf_gro *gro)
{
	return 0;
}

static struct bpf_gro_ops gro_stubs = {
	.receive = bpf_gro_ops__receive,
	.complete = bpf_gro_ops__complete,
};

static struct bpf_struct_ops gro_struct_ops = {
	.verifier_ops = &gro_verifier_ops,
	.init = gro_ops_init,
	.check_member = gro_check_member,
	.init_member = gro_init_member,
	.validate = gro_validate,
	.reg = gro_reg,
	.unreg = gro_unreg,
	.update = gro_update,
	.cfi_stubs = &gro_stubs,
	.name = "bpf_gro_ops",
	.owner = THIS_MODULE,
};

/* There is no unregistering: what can fail comes before this. */
int gro_ops_register(void)
{
	return register_bpf_struct_ops(&gro_struct_ops, bpf_gro_ops);
}
