#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# What must be refused: with a reason in words, and nothing left behind.

load lib/common
load lib/rig

# refused PROGRAM: tests/progs/NAME_fail__REASON.bpf.c; REASON is in the refusal, '_' standing for a space
refused()
{
	local reason=${1#*__}

	# in the sentence, or for what the verifier says in its log below
	run_fail 1 groctl attach "$progs/$1.bpf.o" &&
		assert_match "$errors" "${reason//_/[ _]}" "the reason" &&
		assert_match "${errors%%$'\n'*}" "^groctl: .{20}" "one clear sentence first" &&
		assert_eq "" "$output" "on stdout" &&
		[[ ! -e $pins/${1%__*} ]]
}

@test "each program that breaks the rules of loading is refused with its reason" {
	local prog failed=0 n=0

	for prog in "$src"/tests/progs/*_fail__*.bpf.c; do
		prog=${prog##*/}
		prog=${prog%.bpf.c}
		n=$((n + 1))
		refused "$prog" || explain "$prog was not refused as it should be" || failed=1
	done
	assert_ge 15 "$n" "programs"
	assert_nothing_attached
	((failed == 0))
}

@test "errors are JSON with --json" {
	run_fail 1 groctl attach "$progs/flags_fail__member_flags.bpf.o" --json
	assert_eq "" "$errors" "on stderr"
	assert_json "$output" '.exit == 1 and (.error | test("member flags"))'
	run_fail 1 groctl attach "$progs/read_beyond_fail__invalid_access.bpf.o" --json
	assert_eq "" "$errors" "on stderr"
	assert_json "$output" '.exit == 1 and (.error | test("invalid access"))'
	assert_nothing_attached
}

@test "a second owner of a slot, on all devices and on one" {
	netns_pair
	run_ok groctl attach tcp
	run_fail 1 groctl attach tcp --name second
	assert_match "$errors" "slot ip 6 of all devices already belongs to policy tcp"
	assert_eq "tcp" "$(policies)"
	assert_eq "tcp" "$(ls "$pins")"
	assert_match "$(test_dmesg)" "bpf_gro: refused: .*already belongs"
	run_ok groctl -n bg-b attach tcp --name dev --dev vb
	run_fail 1 groctl -n bg-b attach tcp --name second --dev vb
	assert_match "$errors" "slot ip 6 of device vb already belongs to policy dev"
	# the same name in another namespace is another device
	run_ok ip -n bg-a link add vb type dummy
	run_ok groctl -n bg-a attach tcp --name second --dev vb
	assert_eq "dev second tcp" "$(policies)"
}

@test "the module cannot be unloaded while a policy is attached, and says so; nothing attaches without it" {
	run_ok groctl attach tcp
	run_fail any rmmod bpf_gro
	assert_match "$errors" "in use"
	rig_script rig "feed tcp4 16x1000" "segs 16" sent
	assert_eq "active 15" "$(policy tcp .state) $(stat_of tcp .joined)"
	run_ok groctl detach tcp
	run_ok rmmod bpf_gro
	run_fail 3 groctl attach tcp
	assert_match "$errors" "not loaded"
	run_fail 3 groctl status --json
	assert_json "$output" '.exit == 3 and (.error | test("not loaded"))'
	run_ok load_module bpf_gro
}

@test "options, values, devices and files that cannot be" {
	local value

	run_fail 2 groctl attach tcp -o max_seg=3
	for value in max_seg max_segs ports skip_ports flush_on_psh; do
		assert_match "$errors" "\\b$value\\b" "the options that there are"
	done
	for value in max_segs=many max_segs=4294967296 ports=65536 ports=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17 \
		flush_on_psh=maybe; do
		run_fail 2 groctl attach tcp -o "$value"
		assert_match "$errors" "${value%%=*}" "the option is named"
	done
	run_fail 1 groctl attach tcp --dev nosuch0
	assert_match "$errors" "nosuch0"
	run_fail 1 groctl attach ./nosuch.bpf.o
	assert_match "$errors" "nosuch.bpf.o"
	run_fail 1 groctl attach /etc/os-release
	run_fail 1 groctl detach tcp
	assert_match "$errors" "tcp"
	assert_nothing_attached
}
