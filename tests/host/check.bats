#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# groctl check: what the module would refuse is found before, in the same words; nothing is found where nothing is wrong.

bats_require_minimum_version 1.5.0

setup()
{
	cd "$BATS_TEST_DIRNAME/../.." || return
	PATH=$PWD/build:$PATH
	progs=build/tests/progs
	policies=(build/bpf/[!x]*.bpf.o)	# xdp_parse is none
}

@test "every policy of ours, and every one that is wrong only when it runs" {
	local file n=0

	for file in "${policies[@]}" "$progs"/*_eject__*.bpf.o; do
		run -0 groctl check "$file" || { echo "$file: $output"; return 1; }
		[[ $output == *"nothing wrong"* ]]
		n=$((n + 1))
	done
	((n > 20))
	run -0 groctl check "${policies[@]}"
	(($(wc -l <<<"$output") == ${#policies[@]}))
}

@test "what is refused when it is registered is found, with the reason" {
	local file name reason n=0

	for file in "$progs"/*_fail__*.bpf.o; do
		name=${file##*/}
		reason=${name#*__}
		reason=${reason%.bpf.o}
		case $reason in
		# the verifier's findings need a kernel
		or_null | invalid_access | beyond_struct | only_struct_bpf_gro | cannot_write | read_only)
			continue
			;;
		esac
		run -1 groctl check "$file" || { echo "$file: $output"; return 1; }
		grep -qE "^$file: .*${reason//_/[ _]}" <<<"$output" || { echo "$file: $output"; return 1; }
		n=$((n + 1))
	done
	((n >= 12))
}

@test "several files: each is looked at; JSON; what is no policy" {
	run -1 groctl check build/bpf/tcp.bpf.o "$progs"/no_slot_fail__member_slots.bpf.o build/bpf/udp.bpf.o
	(($(grep -c "nothing wrong" <<<"$output") == 2))
	run groctl check --json build/bpf/tcp.bpf.o "$progs"/no_slot_fail__member_slots.bpf.o
	((status == 1))
	jq -e '.policies | length == 2 and .[0].name == "tcp" and .[0].findings == [] and
		(.[1].findings | length == 1 and (.[0] | test("needs a slot")))' <<<"$output"
	run -1 groctl check /etc/os-release
	[[ $output == *"no BPF object"* ]]
	run -2 groctl check
}

@test "a license that is not GPL" {
	local license

	for license in MIT GPLv3 "Dual MIT"; do
		printf '%s\0' "$license" >"$BATS_TEST_TMPDIR/license"
		llvm-objcopy --update-section "license=$BATS_TEST_TMPDIR/license" build/bpf/tcp.bpf.o "$BATS_TEST_TMPDIR/other.bpf.o"
		run -1 groctl check "$BATS_TEST_TMPDIR/other.bpf.o"
		[[ $output == *"license \"$license\""* ]]
	done
}

@test "it knows the functions that the module has" {
	local module known

	module=$(sed -n 's/^BTF_ID_FLAGS(func, \(bpf_gro_[a-z0-9_]*\).*/\1/p' kfunc_mod/kfunc.c | sort)
	known=$(sed -n '/^static const char \* const kfuncs/,/^};/p' loader/check.c | grep -o 'bpf_gro_[a-z0-9_]*' | sort)
	[[ -n $module && $module == "$known" ]] || { diff <(echo "$module") <(echo "$known"); return 1; }
}
