// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "xdp.h"

#define INSN(c, d, s, o, i) \
	((struct bpf_insn) { .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })
#define MOV(d, i)	INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define MOVX(d, s)	INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define ADD(d, i)	INSN(BPF_ALU64 | BPF_ADD | BPF_K, d, 0, 0, i)
#define LDW(d, s, o)	INSN(BPF_LDX | BPF_W | BPF_MEM, d, s, o, 0)
#define STW(d, s, o)	INSN(BPF_STX | BPF_W | BPF_MEM, d, s, o, 0)
#define JNEK(d, i, o)	INSN(BPF_JMP | BPF_JNE | BPF_K, d, 0, o, i)
#define JGT(d, s, o)	INSN(BPF_JMP | BPF_JGT | BPF_X, d, s, o, 0)
#define CALL(f)		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, f)
#define EXIT		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* Where an Ethernet/IPv4/TCP packet without IP options has its sequence number. */
#define SEQ_OFF		(14 + 20 + 4)

static int sys_bpf(int cmd, union bpf_attr *attr)
{
	int ret = syscall(__NR_bpf, cmd, attr, sizeof(*attr));

	return ret < 0 ? -errno : ret;
}

static int load(const struct bpf_insn *insns, uint32_t nr)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_XDP;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = nr;
	attr.license = (uintptr_t)"GPL";
	return sys_bpf(BPF_PROG_LOAD, &attr);
}

int xdp_attach(int ifindex, enum xdp_kind kind)
{
	const struct bpf_insn verdict[] = {
		MOV(BPF_REG_0, kind == XDP_KIND_DROP ? XDP_DROP : XDP_PASS),
		EXIT,
	};
	const struct bpf_insn meta[] = {
		MOVX(BPF_REG_6, BPF_REG_1),
		MOV(BPF_REG_2, -8),
		CALL(BPF_FUNC_xdp_adjust_meta),
		JNEK(BPF_REG_0, 0, 14),
		LDW(BPF_REG_1, BPF_REG_6, 8),		/* data_meta */
		LDW(BPF_REG_2, BPF_REG_6, 0),		/* data */
		LDW(BPF_REG_3, BPF_REG_6, 4),		/* data_end */
		MOVX(BPF_REG_4, BPF_REG_1),
		ADD(BPF_REG_4, 8),
		JGT(BPF_REG_4, BPF_REG_2, 8),
		MOV(BPF_REG_5, 0x5a5a5a5a),
		STW(BPF_REG_1, BPF_REG_5, 0),
		STW(BPF_REG_1, BPF_REG_5, 4),
		MOVX(BPF_REG_4, BPF_REG_2),
		ADD(BPF_REG_4, SEQ_OFF + 4),
		JGT(BPF_REG_4, BPF_REG_3, 2),
		LDW(BPF_REG_5, BPF_REG_2, SEQ_OFF),
		kind == XDP_KIND_META_SEQ ? STW(BPF_REG_1, BPF_REG_5, 4) : MOV(BPF_REG_5, 0),
		MOV(BPF_REG_0, XDP_PASS),
		EXIT,
	};
	union bpf_attr attr;
	int prog, link;

	if (kind == XDP_KIND_PASS || kind == XDP_KIND_DROP)
		prog = load(verdict, sizeof(verdict) / sizeof(*verdict));
	else
		prog = load(meta, sizeof(meta) / sizeof(*meta));
	if (prog < 0)
		return prog;
	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog;
	attr.link_create.target_ifindex = ifindex;
	attr.link_create.attach_type = BPF_XDP;
	attr.link_create.flags = XDP_FLAGS_DRV_MODE;
	link = sys_bpf(BPF_LINK_CREATE, &attr);
	close(prog);
	return link;
}
