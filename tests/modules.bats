#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# The modules on a stock kernel: loading, BTF, unloading. Also a template for files of tests.

load lib/common

@test "modules have BTF of their own" {
	[[ -s /sys/kernel/btf/bpf_gro ]] || explain "no BTF" "$(ls /sys/kernel/btf)"
	run_ok bpftool btf dump file /sys/kernel/btf/bpf_gro
	assert_match "$output" "STRUCT 'bpf_gro_ops'"
}

@test "the module unloads and loads again" {
	run_ok rmmod bpf_gro
	run_ok load_module bpf_gro
	[[ -s /sys/kernel/btf/bpf_gro ]] || explain "no BTF after loading again"
}

@test "two namespaces reach each other with the module loaded" {
	netns_pair
	iperf_server b
	run_ok in_ns a iperf3 -c 10.7.0.2 -n 4M -J
	assert_json "$output" '.end.sum_received.bytes >= 4000000'
}
