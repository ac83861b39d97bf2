#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# Attach, replace and detach under full load, in all the ways that packets reach GRO: no byte is lost, wrong or out of order.
# CPUs: 2

load lib/common
load lib/rig
load lib/transfer

# Speed is nothing that a test looks at; only whether everything arrives.
# under_churn MIB ROUNDS: with the policy at rest, then with policies that come and go
under_churn()
{
	make_data "$1"
	run_ok groctl attach tcp
	transfer_both
	assert_ge 10 "$(stat_of tcp .joined)" "packets that the policy joined"
	run_ok groctl detach tcp
	churn_start
	transfer_both
	transfer_both
	churn_stop "$2"
	assert_no_errors
}

@test "policies come and go under load" {
	netns_pair
	under_churn 64 10
	churn_start -k
	transfer_both
	churn_stop 10
	assert_no_errors
	assert_nothing_attached
}

@test "with tcpdump on both ends" {
	netns_pair
	background in_ns a tcpdump -i va -w /dev/null
	wait_for 30 grep -q listening "$background_log"
	background in_ns b tcpdump -i vb -w /dev/null
	wait_for 30 grep -q listening "$background_log"
	under_churn 16 5
}

@test "with threaded NAPI" {
	netns_pair
	in_ns b sh -c 'echo 1 >/sys/class/net/vb/threaded'
	assert_eq 1 "$(in_ns b cat /sys/class/net/vb/threaded)"
	under_churn 16 5
}

@test "with busy polling" {
	netns_pair
	sysctl -qw net.core.busy_poll=50 net.core.busy_read=50
	under_churn 16 5 || {
		sysctl -qw net.core.busy_poll=0 net.core.busy_read=0
		return 1
	}
	sysctl -qw net.core.busy_poll=0 net.core.busy_read=0
}

@test "with fraglist, large limits and held packets that wait for a timer" {
	netns_pair
	run_ok in_ns b ethtool -K vb rx-gro-list on
	run_ok ip -n bg-b link set vb gro_max_size 150000 gro_ipv4_max_size 150000
	in_ns b sh -c 'echo 50000 >/sys/class/net/vb/gro_flush_timeout; echo 1 >/sys/class/net/vb/napi_defer_hard_irqs'
	under_churn 16 5
	run_ok in_ns b ethtool -K vb rx-gro-list off
	under_churn 16 5
}

@test "a device goes away with packets held and a policy on it" {
	local i

	netns_pair
	make_data 16
	run_ok groctl -n bg-b attach tcp --dev vb
	in_ns b sh -c 'echo 1000000000 >/sys/class/net/vb/gro_flush_timeout; echo 100 >/sys/class/net/vb/napi_defer_hard_irqs'
	background in_ns b socat -u TCP4-LISTEN:5000,reuseaddr OPEN:/dev/null
	wait_for 20 listening b 5000
	background in_ns a socat -u OPEN:/dev/zero TCP4:10.7.0.2:5000
	for ((i = 0; i < 3; i++)); do
		run_ok ip -n bg-b link set vb down
		run_ok ip -n bg-b link set vb up
	done
	run_ok ip -n bg-b link del vb
	assert_eq 0 "$(policy tcp .devices_now)"
	run_ok groctl detach tcp
	run_ok rmmod bpf_gro
	run_ok load_module bpf_gro
}
