// SPDX-License-Identifier: GPL-2.0
/* Every type that an option can have, and globals that are none. tests/groctl-options.bats sets them and reads the map back. */
#include "policy.h"

enum colour { RED = 3, GREEN = 4, BLUE = -1 };

BPF_GRO_SUMMARY("every type of option");

const volatile __u8 opt_u8;
const volatile __s8 opt_s8 = -5;
const volatile __u16 opt_u16 = 7;
const volatile __s16 opt_s16;
const volatile __u32 opt_u32;
const volatile __s32 opt_s32;
const volatile __u64 opt_u64;
const volatile __s64 opt_s64;
const volatile bool opt_bool;
const volatile bool opt_bools[3];
const volatile enum colour opt_enum = GREEN;
const volatile enum colour opt_enums[2];
const volatile char opt_text[8] = "abc";
const volatile __s16 opt_list[4] = { 1, 2, 3, 4 };
BPF_GRO_OPTION_HELP(opt_list, "a list with a default");

/* No options: not volatile, not constant, not of this object. */
const __u32 plain_constant = 5;
volatile __u32 variable;
static const volatile __u32 hidden = 6;

SEC("struct_ops/receive")
int BPF_PROG(test_receive, struct bpf_gro *gro)
{
	const struct tcphdr *th = tcp_header(gro);

	/* All of them in use, so that none is left out of the object. */
	variable = opt_u8 + opt_s8 + opt_u16 + opt_s16 + opt_u32 + opt_s32 + opt_u64 + opt_s64 + opt_bool + opt_bools[1] +
		   opt_enum + opt_enums[1] + opt_text[0] + opt_list[0] + hidden + plain_constant;
	if (!th)
		return bpf_gro_pass(BPF_GRO_R_TRUNCATED);
	return tcp_verdict(gro, th, bpf_gro_find_held(gro, PORTS, 0, sizeof(*th)));
}

COMPLETE_AS_TCP

POLICY("options");
