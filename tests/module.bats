#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# Loading and unloading, again and again, with traffic.
# CPUs: 2

load lib/common
load lib/rig

@test "the module loads and unloads 20 times under traffic, tests itself each time and hooks" {
	local i client

	netns_pair
	iperf_server b
	background in_ns a iperf3 -c 10.7.0.2 -t 600
	client=$background
	for ((i = 1; i <= 20; i++)); do
		run_ok rmmod bpf_gro
		[[ ! -e /sys/kernel/btf/bpf_gro ]] || explain "BTF is left after unloading, round $i"
		run_ok insmod "$ko"
		[[ -s /sys/kernel/btf/bpf_gro ]] || explain "no BTF after loading, round $i"
		if ((i % 5 == 0)); then
			run_ok groctl attach tcp
			run_ok groctl detach tcp
		fi
	done
	run_ok groctl status --json
	assert_json "$output" '.module.hooked == true and .policies == []' "the self-test passed"
	assert_no_match "$(test_dmesg)" "self-test failed"
	kill -0 "$client" || explain "the traffic did not survive" "$(<"$background_log")"
}
