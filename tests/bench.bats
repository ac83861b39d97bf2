#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# The bench's side in the VM: what it takes for a measurement, and that it takes nothing else for one. No number is judged here: this clock does not count
# instructions.

load lib/common
load lib/rig

setup()
{
	test_begin
	# with $build and die of its own
	# shellcheck source=../bench/lib/guest.bash
	. "$src/bench/lib/guest.bash"
}

# the_path NAME, the_case NAME: as the tables have it
the_path()
{
	read_path "$(lines paths | awk -v name="$1" '$1 == name')"
	assert_eq "$1" "$path_name"
}

the_case()
{
	read_case "$(lines cases | awk -v name="$1" '$1 == name')"
	assert_eq "$1" "$case_name"
}

@test "a row by a policy and one with an XDP program before it; a train that does not join as planned is none" {
	the_case tcp4-1448x8
	the_path layered
	policies_up
	run_ok measure --repeat 2
	assert_eq "tcp4-1448x8 layered 8 1 8 8" "$(jq -r '"\(.case) \(.path) \(.packets) \(.out) \(.segments_per_aggregate | floor) \(.out_segs)"' <<<"$output")"
	run_ok path_check
	case_plan=8
	run_fail 1 measure --repeat 2
	assert_match "$errors" "1 packets came up, expected 8"
	policies_down

	# ran, and its cost stands in the row
	case_plan=1
	the_path native+xdp
	policies_up
	run_ok measure --repeat 2
	assert_eq "native+xdp true" "$(jq -r '"\(.path) \(.xdp_insns > 0)"' <<<"$output")"
	policies_down
	assert_nothing_attached
}

@test "GRO off: all packets come up; policies for other devices see none" {
	the_case tcp6-1448x16
	the_path off
	run_ok measure --repeat 2
	assert_eq "16 16" "$(jq -r '"\(.out) \(.out_segs)"' <<<"$output")"
	the_path other1
	policies_up
	run_ok measure --repeat 2
	assert_eq 1 "$(jq .out <<<"$output")"
	assert_eq "active 0" "$("$build/groctl" stats --json | jq -r '"\(.policies[0].state) \(.policies[0].sum.packets)"')"
	run_ok path_check
	policies_down
	ip link del other0
	assert_nothing_attached
}
