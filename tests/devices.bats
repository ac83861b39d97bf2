#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# A policy follows the devices it names: renamed, removed and made again, moved to another namespace and back.

load lib/common
load lib/rig
load lib/transfer

# devices NAME: "DEVICE... NOW" of a policy
devices()
{
	policy "$1" '(.devices | join(" ")) + " \(.devices_now)"'
}

@test "a renamed device keeps its policy, and status has its new name" {
	rig_script "rig old0" "run groctl attach tcp --dev old0" "feed tcp4 16x1000" "segs 16" clear \
		"run ip link set old0 down && ip link set old0 name new0 && ip link set new0 up" \
		"feed tcp4 16x1000" "segs 16" sent \
		"run groctl status --json >$BATS_TEST_TMPDIR/status; groctl stats --json >$BATS_TEST_TMPDIR/stats"
	assert_json "$(<"$BATS_TEST_TMPDIR/status")" '.policies[0] | .devices == ["new0"] and .devices_now == 1'
	assert_json "$(<"$BATS_TEST_TMPDIR/stats")" '.policies[0] | .sum.joined == 30 and
		([.counters[].device] | unique) == ["new0"]'
}

@test "a device made again under the same name gets its policy again" {
	run_ok groctl attach tcp --dev again0 --absent -o max_segs=4
	assert_eq "again0 0" "$(devices tcp)"
	rig_script "rig again0" "feed tcp4 16x1000" "segs 4 4 4 4" sent
	rig_script "rig again0" "feed tcp4 16x1000" "segs 4 4 4 4" sent
	rig_script "rig other0" "feed tcp4 16x1000" "segs 16" sent
	assert_eq 24 "$(stat_of tcp .joined)"
	assert_eq "again0 0" "$(devices tcp)"
	# one that takes the name gets it too
	rig_script "rig other0" "run ip link set other0 down && ip link set other0 name again0 && ip link set again0 up" \
		"feed tcp4 16x1000" "segs 4 4 4 4" sent
}

@test "a device that leaves its namespace leaves its policy, and finds it when it comes back" {
	netns_pair
	run_ok ip netns add bg-c
	make_data 1
	run_ok groctl -n bg-b attach tcp --dev vb
	transfer 10.7.0.2
	assert_ge 10 "$(stat_of tcp .joined)" "joined at home"
	run_ok ip -n bg-b link set vb netns bg-c
	assert_eq "vb 0" "$(devices tcp)"
	# a stranger of that name in another namespace, and one of the same index, are not it
	rig_script_in c "rig vb1" "feed tcp4 16x1000" "segs 16" sent
	run_ok ip -n bg-c link set vb netns bg-b
	assert_eq "vb 1" "$(devices tcp)"
	run_ok ip -n bg-b addr add 10.7.0.2/24 dev vb
	run_ok ip -n bg-b link set vb up
	joined=$(stat_of tcp .joined)
	transfer 10.7.0.2 5001
	assert_ge $((joined + 10)) "$(stat_of tcp .joined)" "joined back at home"
}

# rig_script_in NAMESPACE LINE...
rig_script_in()
{
	printf '%s\n' "${@:2}" >"$BATS_TEST_TMPDIR/rigscript"
	run_ok in_ns "$1" "$build/rigscript" <"$BATS_TEST_TMPDIR/rigscript"
}

@test "the same name and index in another namespace is another device" {
	run_ok ip netns add bg-x
	run_ok ip netns add bg-y
	run_ok groctl -n bg-x attach tcp --dev same0 --absent -o max_segs=4
	rig_script_in y "rig same0" "feed tcp4 16x1000" "segs 16" sent
	assert_eq 0 "$(stat_of tcp .packets)"
	rig_script_in x "rig same0" "feed tcp4 16x1000" "segs 4 4 4 4" sent
	assert_eq 16 "$(stat_of tcp .packets)"
	# the namespace goes, and another comes
	run_ok ip netns del bg-x
	run_ok ip netns add bg-x
	rig_script_in x "rig same0" "feed tcp4 16x1000" "segs 16" sent
	assert_eq "same0 0" "$(devices tcp)"
	run_ok groctl detach tcp
}

@test "groctl warns about devices whose packets GRO sees under another name" {
	netns_pair
	run_ok ip -n bg-b link add link vb name vb.7 type vlan id 7
	run_ok ip -n bg-b link add br0 type bridge
	run_ok ip -n bg-b link add bond0 type bond
	for dev in vb.7 br0 bond0; do
		run_ok groctl -n bg-b attach tcp --dev "$dev"
		assert_match "$errors" "$dev is a (vlan|bridge|bond) device"
		run_ok groctl detach tcp
	done
	run_ok groctl -n bg-b attach tcp --dev vb
	assert_eq "" "$errors"
}
