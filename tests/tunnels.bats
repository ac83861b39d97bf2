#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# TCP inside the tunnels that native GRO looks into: the policy on the device below joins the inner segments.

load lib/common
load lib/rig
load lib/transfer

# Tunnel devices receive through gro_cells, one queue per CPU: what moves to another CPU is reordered there, natively as well. So there is
# one CPU.
setup_file()
{
	echo 0 >/sys/devices/system/cpu/cpu1/online
}

teardown_file()
{
	echo 1 >/sys/devices/system/cpu/cpu1/online
}

# tunnel NAME: devices tun0 in both namespaces, inner addresses 10.8.0.1 and .2, fd08::1 and ::2
tunnel()
{
	local ns from to n type

	for ns in a b; do
		[[ $ns == a ]] && n=1 || n=2
		from=10.7.0.$n to=10.7.0.$((3 - n))
		case $1 in
		ipip) type="ipip local $from remote $to" ;;
		sit) type="sit local $from remote $to" ;;
		ip4ip6) type="ip6tnl mode ipip6 local fd07::$n remote fd07::$((3 - n))" ;;
		ip6ip6) type="ip6tnl mode ip6ip6 local fd07::$n remote fd07::$((3 - n)) encaplimit none" ;;
		gre | gretap) type="$1 local $from remote $to" ;;
		grekc) type="gre key 42 csum local $from remote $to" ;;
		ip6gre) type="ip6gre local fd07::$n remote fd07::$((3 - n)) encaplimit none" ;;
		fou)
			type="sit local $from remote $to encap fou encap-sport auto encap-dport 5555"
			run_ok ip -n "bg-$ns" fou add port 5555 ipproto 41 || return 1
			;;
		vxlan) type="vxlan id 42 dstport 4789 local $from remote $to" ;;
		geneve) type="geneve id 42 remote $to" ;;
		esac
		[[ $1 != ip4ip6 ]] || type+=" encaplimit none"
		# shellcheck disable=SC2086 # words
		run_ok ip -n "bg-$ns" link add tun0 type $type || return 1
		[[ $1 == sit || $1 == fou || $1 == ip6ip6 ]] || run_ok ip -n "bg-$ns" addr add 10.8.0.$n/24 dev tun0 || return 1
		[[ $1 == ipip || $1 == ip4ip6 ]] || run_ok ip -n "bg-$ns" addr add fd08::$n/64 dev tun0 nodad || return 1
		run_ok ip -n "bg-$ns" link set tun0 up || return 1
	done
}

# through NAME ADDRESS
through()
{
	local before=$joined

	transfer "$2" || return 1
	joined=$(stat_of tcp .joined)
	assert_ge $((before + 100)) "$joined" "packets joined below $1 to $2"
}

# through_all NAME...: transfers over both families inside each
through_all()
{
	local name failed=0

	for name; do
		tunnel "$name" || explain "$name could not be made" || failed=1
		[[ $name == sit || $name == fou || $name == ip6ip6 ]] || through "$name" 10.8.0.2 || failed=1
		[[ $name == ipip || $name == ip4ip6 ]] || through "$name" fd08::2 || failed=1
		ip -n bg-a link del tun0
		ip -n bg-b link del tun0
	done
	return "$failed"
}

@test "the policy joins TCP inside IPIP, SIT, IP6IP6, IP4IP6, GRE, GRETAP, VXLAN, Geneve and FoU" {
	local joined=0

	netns_pair
	make_data 4
	run_ok groctl -n bg-b attach tcp --dev vb
	modprobe fou
	through_all ipip sit ip6ip6 ip4ip6 gre gretap vxlan geneve fou
	assert_eq active "$(policy tcp .state)"
	assert_no_errors
}

@test "the GRE policy below: with key and checksum, over IPv4 and IPv6, Ethernet inside" {
	local joined=0

	netns_pair
	make_data 4
	run_ok groctl -n bg-b attach tcp --dev vb
	run_ok groctl -n bg-b attach gre --dev vb
	through_all gre grekc gretap ip6gre
	assert_eq "active active" "$(policy tcp .state) $(policy gre .state)"
	assert_ge 1000 "$(stat_of gre .carried)" "packets that the GRE policy handed on"
	assert_no_errors
	run_ok groctl -n bg-b replace gre gre --dev vb -o keys=1,2
	tunnel grekc
	transfer 10.8.0.2
	assert_eq 0 "$(stat_of gre .carried)" "packets of a tunnel whose key is not listed"
	assert_no_errors
}
