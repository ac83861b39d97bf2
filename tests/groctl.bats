#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# groctl's command line: tables, usage, exit codes, options of policies, JSON. Nothing is attached here.
# shellcheck disable=SC2154,SC1090 # variables of lib/common, a file made here

load lib/common

groctl=$build/groctl
options=$build/tests/progs/options.bpf.o

verbs()
{
	"$groctl" --help | awk '/^Verbs:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }'
}

# help_options VERB: long options that its usage names
help_options()
{
	"$groctl" "$1" --help | grep -oE '^ +(-., +)?--[a-z]+' | grep -oE -- '--[a-z]+' | sort
}

@test "usage, completion and man page name the same options for every verb" {
	local verb completion=$BATS_TEST_TMPDIR/completion man

	"$groctl" completion bash >"$completion"
	run_ok bash -n "$completion"
	. "$completion"
	[[ $(verbs | wc -l) -ge 8 ]] || explain "too few verbs" "$(verbs)"
	for verb in $(verbs); do
		assert_eq "$(help_options "$verb")" "$(_groctl_options "$verb" | grep -oE -- '--[a-z]+' | sort)" "completion of $verb"
		man=$({
			awk '/^OPTIONS OF EVERY VERB/ { on = 1 } /^VERBS/ { on = 0 } on' "$src/docs/man/groctl-options.rst"
			awk -v head="groctl $verb" '/^groctl / { on = ($0 == head || index($0, head " ") == 1) } on' \
				"$src/docs/man/groctl-options.rst"
		} | grep -oE '\*\*--[a-z]+' | tr -d '*' | sort)
		assert_eq "$(help_options "$verb")" "$man" "man page of $verb"
	done
}

@test "the completion file and the man page's option list are those that groctl prints" {
	run_ok diff -u "$src/loader/completion/groctl" <("$groctl" completion bash)
	run_ok diff -u "$src/docs/man/groctl-options.rst" <("$groctl" completion rst)
}

@test "every verb takes every option that its usage names" {
	local verb option

	for verb in $(verbs); do
		for option in $(help_options "$verb"); do
			run_ok "$groctl" "$verb" "$option" x --help
		done
		run_fail 2 "$groctl" "$verb" --not-an-option
		assert_match "$errors" "no option '--not-an-option'"
	done
}

@test "the completion completes verbs, options, policies and values" {
	PATH=$build:$PATH
	. "$src/loader/completion/groctl"
	complete_line()
	{
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		COMPREPLY=()
		compopt() { :; }
		_groctl || true
		output="${COMPREPLY[*]}"
	}
	complete_line groctl at
	assert_eq "attach" "$output"
	complete_line groctl attach t
	assert_eq "tcp" "$output"
	complete_line groctl attach tcp --ab
	assert_eq "--absent" "$output"
	complete_line groctl attach tcp -o max
	assert_eq "max_segs=" "$output"
	complete_line groctl attach tcp --dev l
	assert_eq "lo" "$output"
}

@test "help and version exit with 0, wrong usage with 2" {
	run_ok "$groctl" --help
	assert_match "$output" '^Usage: groctl VERB'
	run_ok "$groctl" --version
	assert_match "$output" "^groctl $(<"$src/VERSION"), ABI [0-9]+$"
	run_ok "$groctl" --version --json
	assert_json "$output" '.abi >= 1'
	run_fail 2 "$groctl"
	run_fail 2 "$groctl" nope
	assert_match "$errors" "no verb 'nope'"
	run_fail 2 "$groctl" attach
	run_fail 2 "$groctl" attach tcp tcp
	run_fail 2 "$groctl" attach tcp --watch
	run_fail 2 "$groctl" attach tcp --dev
	run_fail 2 "$groctl" status --json=yes
	run_fail 2 "$groctl" attach tcp --name a --name b
	run_fail 2 "$groctl" attach tcp --name 'a b'
	run_fail 2 "$groctl" attach tcp --name ..
	run_fail 2 "$groctl" attach tcp --name a/b
	run_fail 2 "$groctl" detach
	run_fail 2 "$groctl" detach tcp --all
	run_fail 2 "$groctl" stats --watch=soon
	run_fail 2 "$groctl" stats --watch=0
}

@test "data goes to stdout, messages to stderr, and with --json all to stdout" {
	run_fail 1 "$groctl" status nope
	assert_eq "" "$output"
	assert_match "$errors" "^groctl: no policy 'nope' is attached$"
	run_fail 1 "$groctl" status nope --json
	assert_eq "" "$errors"
	assert_json "$output" '.error == "no policy '"'nope'"' is attached" and .exit == 1'
	run_fail 2 "$groctl" --json nope
	assert_json "$output" '.exit == 2'
}

@test "the catalogue" {
	run_ok "$groctl" list
	assert_match "$output" '^tcp +ip/tcp ip6/tcp +TCP over IPv4'
	run_ok "$groctl" list -v
	assert_match "$output" '-o ports=0\.\.65535'
	run_ok "$groctl" list --json
	assert_json "$output" '.policies[] | select(.name == "tcp") | .options | map(.name) | index("max_segs") != null'
	BPF_GRO_POLICY_DIR=/nonexistent run_fail 1 "$groctl" list
	assert_match "$errors" 'no policies in /nonexistent'
	run_fail 1 "$groctl" attach nope
	assert_match "$errors" "no policy 'nope' in .*; there are:.* tcp"
}

@test "files that are no policies" {
	run_fail 1 "$groctl" list /nonexistent.o
	assert_match "$errors" 'cannot read /nonexistent.o'
	run_fail 1 "$groctl" list "$src/Makefile"
	assert_match "$errors" 'is no BPF object file'
	run_fail 1 "$groctl" list "$build/loader/status.bpf.o"
	assert_match "$errors" 'has no policy'
	head -c 3000 "$options" >"$BATS_TEST_TMPDIR/cut.bpf.o"
	run_fail 1 "$groctl" list "$BATS_TEST_TMPDIR/cut.bpf.o"
	mkdir "$BATS_TEST_TMPDIR/catalogue"
	cp "$options" "$BATS_TEST_TMPDIR/cut.bpf.o" "$BATS_TEST_TMPDIR/catalogue"
	BPF_GRO_POLICY_DIR=$BATS_TEST_TMPDIR/catalogue run_ok "$groctl" list
	assert_match "$output" '^options .*every type of option'
	assert_match "$errors" 'warning: .*cut.bpf.o'
}

@test "options are found by type, and only those" {
	run_ok "$groctl" list "$options" --json
	assert_json "$output" '[.policies[0].options[].name] | sort == ["metadata", "opt_bool", "opt_bools", "opt_enum", "opt_enums", "opt_list",
		"opt_s16", "opt_s32", "opt_s64", "opt_s8", "opt_text", "opt_u16", "opt_u32", "opt_u64", "opt_u8"]'
	assert_json "$output" '.policies[0].options | map({(.name): .default}) | add | .opt_s8 == "-5" and .opt_u16 == "7"
		and .opt_enum == "GREEN" and .opt_text == "abc" and .opt_list == "1,2,3,4" and .opt_bool == "off"'
	assert_json "$output" '.policies[0].options | map({(.name): .type}) | add | .opt_s8 == "-128..127" and .opt_u8 == "0..255"
		and .opt_s64 == "-9223372036854775808..9223372036854775807" and .opt_u64 == "0..18446744073709551615"
		and .opt_enum == "RED|GREEN|BLUE"'
}

@test "an unknown option names the ones there are, with their help" {
	run_fail 2 "$groctl" attach "$options" -o nope=1
	assert_match "$errors" 'has no option nope; there are:'
	assert_match "$errors" 'opt_list=.*a list with a default'
	assert_match "$errors" 'opt_u8=0\.\.255'
}

@test "bad values of options are refused" {
	local bad

	for bad in opt_u8=256 opt_u8=-1 opt_s8=128 opt_s8=-129 opt_u16=65536 opt_s16=-32769 opt_u32=4294967296 opt_s32=2147483648 \
		opt_u64=18446744073709551616 opt_s64=9223372036854775808 opt_s64=-9223372036854775809 opt_u8= opt_u8=x opt_u8=1x \
		opt_u8=0x opt_u8=-- opt_u8=1,2 'opt_u8= 1' opt_bool=2 opt_bool=maybe opt_bools=on,maybe opt_enum=YELLOW opt_enum=3 \
		opt_text=12345678 opt_list=1,2,3,4,5 opt_list=1,,2 opt_list=1,70000 opt_u8 =1 metadata=2 metadata=Exact metadata=; do
		run_fail 2 "$groctl" attach "$options" -o "$bad"
		assert_match "$errors" '^groctl: (option (opt_|metadata)|.*KEY=VALUE)' "message for $bad"
	done
	run_fail 2 "$groctl" attach "$options" -o opt_list=1 -o opt_list=2
	assert_match "$errors" 'given twice'
}

@test "good values of options arrive in the kernel" {
	local id

	run_ok "$groctl" attach "$options" -o opt_u8=255 -o opt_s8=-128 -o opt_u16=0xffff -o opt_s16=-1 -o opt_u32=4294967295 \
		-o opt_s32=-2147483648 -o opt_u64=18446744073709551615 -o opt_s64=-9223372036854775808 -o opt_bool=on \
		-o opt_bools=off,true,1 -o opt_enum=BLUE -o opt_enums=RED -o opt_text=1234567 -o opt_list=-9,8
	id=$(bpftool -j map show | jq '[.[] | select(.name == "options.rodata")][0].id')
	run_ok bpftool -j map dump id "$id"
	assert_json "$output" '.[0].formatted.value[".rodata"] | add | .opt_u8 == 255 and .opt_s8 == -128 and .opt_u16 == 65535
		and .opt_s16 == -1 and .opt_u32 == 4294967295 and .opt_s32 == -2147483648 and .opt_bool == true
		and .opt_bools == [false, true, true] and .opt_list == [-9, 8, 0, 0]' || explain "map" "$output"
}

@test "probe says what there is and why" {
	run_ok "$groctl" probe
	assert_match "$output" '^yes +module +bpf_gro.ko is loaded, with BTF'
	assert_match "$output" '^yes +self-test'
	assert_match "$output" '^yes +struct-ops'
	if on_kernel 6.12; then
		assert_match "$output" '^but +call .*trampoline'
	else
		assert_match "$output" '^yes +call .*directly'
	fi
	run_ok "$groctl" probe --json
	assert_json "$output" '.attachable and (.checks | length >= 10)'
}

@test "without privileges groctl says what is missing" {
	run_fail 1 setpriv --reuid=65534 --regid=65534 --clear-groups "$groctl" status
	assert_match "$errors" 'lacks CAP_'
	run_fail 1 setpriv --reuid=65534 --regid=65534 --clear-groups "$groctl" probe
	assert_match "$output" '^no +privilege .*lacks CAP_'
	run_ok setpriv --reuid=65534 --regid=65534 --clear-groups "$groctl" list
}

@test "without the module, or without its BTF, verbs exit with 3 and a remedy" {
	local verb

	run_ok unload_module bpf_gro
	for verb in status "attach tcp" "detach tcp" "replace tcp tcp" stats; do
		# shellcheck disable=SC2086
		run_fail 3 "$groctl" $verb
		assert_eq "groctl: bpf_gro.ko is not loaded: modprobe bpf_gro" "$errors"
	done
	run_fail 3 "$groctl" probe
	assert_match "$output" '^no +module .*not loaded'
	run_ok "$groctl" list
	if on_kernel 6.12; then
		objcopy -R .BTF "$build/$release/bpf_gro.ko" "$BATS_TEST_TMPDIR/bpf_gro.ko"
		run_ok insmod "$BATS_TEST_TMPDIR/bpf_gro.ko"
		run_fail 3 "$groctl" attach tcp
		assert_match "$errors" 'without BTF'
		run_fail 3 "$groctl" probe
		assert_match "$output" '^no +module .*without BTF'
		run_ok rmmod bpf_gro
	fi
	run_ok load_module bpf_gro
}
