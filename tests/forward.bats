#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# Aggregates that leave by another device are split into exactly the packets that came in, whoever forwards them: captured at the sender
# and at the receiver, header by header, length, checksum and IP ID.

load lib/common
load lib/rig
load lib/transfer
load lib/datagrams
load lib/forward

# forwarded UDP-OPTION...: TCP and UDP over both families through bg-b, the policies at work
forwarded()
{
	small_data
	run_ok groctl -n bg-b attach tcp --dev vb
	run_ok groctl -n bg-b attach udp --dev vb "$@"
	as_they_came "ip and tcp and dst host 10.9.0.2" transfer 10.9.0.2 || return 1
	as_they_came "ip6 and tcp and dst host fd09::2" transfer fd09::2 || return 1
	as_they_came "udp and dst host 10.9.0.2" datagrams a c 10.9.0.2 -b 3 || return 1
	as_they_came "ip6 and udp and dst host fd09::2" datagrams a c fd09::2 -b 3 || return 1
	assert_ge 50 "$(stat_of tcp .joined)" "TCP joined on the way" || return 1
	assert_ge 150 "$(stat_of udp .joined)" "UDP joined on the way" || return 1
	assert_eq "active active" "$(policy udp .state) $(policy tcp .state)"
}

@test "routed" {
	router
	forwarded -o mode=always
}

@test "routed, as chains" {
	router
	run_ok in_ns b ethtool -K vb rx-gro-list on
	forwarded -o mode=fraglist
}

@test "bridged" {
	one_network
	run_ok ip -n bg-b link add br0 type bridge
	ip -n bg-b link set vb master br0
	ip -n bg-b link set vr master br0
	ip -n bg-b link set br0 up
	reached
	forwarded -o mode=always
}

@test "redirected by tc" {
	local from to

	one_network
	for from in vb vr; do
		[[ $from == vb ]] && to=vr || to=vb
		run_ok in_ns b tc qdisc add dev "$from" clsact
		run_ok in_ns b tc filter add dev "$from" ingress matchall action mirred egress redirect dev "$to"
	done
	reached
	forwarded -o mode=always
}

@test "GRE with checksum and key, TCP inside: routed, each with its own checksum" {
	local ns from to

	router
	small_data
	for ns in a c; do
		from=10.7.0.1 to=10.9.0.2
		[[ $ns == a ]] || from=10.9.0.2 to=10.7.0.1
		run_ok ip -n bg-$ns link add tun0 type gre key 42 csum local $from remote $to
		ip -n bg-$ns addr add 10.8.0.${from##*.}/24 dev tun0
		run_ok ip -n bg-$ns link set tun0 up
	done
	# tunnelled and without GSO, one by one
	run_ok in_ns a ethtool -K tun0 tso off gso off
	run_ok groctl -n bg-b attach tcp --dev vb
	run_ok groctl -n bg-b attach gre --dev vb
	as_they_came "ip proto 47 and src host 10.7.0.1" transfer 10.8.0.2
	assert_ge 50 "$(stat_of tcp .joined)" "TCP joined on the way"
	assert_ge 100 "$(stat_of gre .carried)" "packets of the tunnel"
}
