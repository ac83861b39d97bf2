#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# Parse state: written by the XDP program of `groctl parse`, or by the rig itself; read by policies and tc programs; ignored when it is wrong.

load lib/common
load lib/rig
load lib/transfer

state_policy=$build/tests/progs/parse_state.bpf.o

# also after a failure: the tests that follow make one of their own
teardown()
{
	[[ ! -e /sys/class/net/rigvx ]] || ip link del rigvx
	test_end
}

# parse_counter DEVICE NAME
parse_counter()
{
	groctl parse status "$1" --json | jq ".parsers[0].$2"
}

@test "a state that fits is seen by receive and complete, any other is ignored" {
	local spec n lines=()

	run_ok groctl attach "$state_policy"
	for spec in tcp4 tcp6 ipip-tcp4 gre-tcp6 ip6/dst/tcp; do
		lines+=("feed $spec 16x1000 state" "segs 16" sent clear "feed $spec 4x1000" "count 4" sent clear)
	done
	# the magic number, the version, an unknown flag, network and transport offset, protocol, ethertype, the protocol's place, the tunnel
	for n in 1 2 3 4 5 6 7 8 9; do
		lines+=("feed tcp4 4x1000 state wrong=$n" "count 4" sent clear)
	done
	# too short for one
	lines+=("feed tcp4 4x1000 meta=182" "count 4")
	rig_script rig "${lines[@]}"
	assert_eq active "$(policy parse_state .state)"
}

@test "XDP keeps packets out of GRO: what is held of their flow leaves first" {
	local spec lines=() line

	for spec in tcp4 tcp6 vlan-tcp4 ip6/dst/tcp udp4 udp6 free4; do
		[[ $spec == vlan-* ]] && line="" || line=sent
		lines+=("feed $spec 4x1000 state hold" "feed $spec 3x1000 nohold hold" "feed $spec 4x1000 state" "segs 4 1 1 1 4" "$line" clear
			"feed $spec 4x1000 hold" "feed $spec 2x1000 nohold hold" "feed $spec 4x1000" "segs 4 1 1 4" "$line" clear
			# the held packets of other flows stay
			"feed $spec 4x1000 flow=1 hold" "feed $spec 16x1000 nohold hold" "feed $spec 4x1000 flow=1" "count 17" "$line" clear
			# a flag in a state that does not fit
			"feed $spec 4x1000 nohold wrong=2" "segs 4" clear)
	done
	rig_script rig "run groctl attach tcp" "run groctl attach udp -o mode=always" "run groctl attach $progs/free253.bpf.o" "${lines[@]}"
	run_ok groctl stats --json
	# of each IPv4 and IPv6 slot of TCP: twice 21
	assert_json "$output" '.policies[] | select(.name == "tcp") | .sum.reasons | map({ (.reason): .packets }) | add | ."no-hold" == 84'
	run_ok groctl detach --all
	rig_script rig "run groctl attach tcp -o metadata=keep-first" \
		"feed tcp4 4x1000 state hold" "feed tcp4 3x1000 nohold hold" "feed tcp4 4x1000 state" "segs 4 1 1 1 4" sent
}

@test "groctl parse: what the program finds is what GRO finds, through tags, extension headers and tunnels" {
	local spec lines=() n=0

	run_ok groctl attach "$state_policy"
	run_ok modprobe vxlan
	for spec in tcp4 tcp6 ip6/dst/tcp ip6/hbh/dst/tcp ipip-tcp4 sit-tcp6 ip6ip6-tcp6 gre-tcp4 gre6-tcp6 gre-key-tcp4 vxlan-tcp4 vxlan-tcp6; do
		lines+=("feed $spec 8x1000" "segs 8" sent clear)
		n=$((n + 8))
	done
	# what native GRO does not hold: tags that it knows are no matter, IPv4 options are
	lines+=("feed vlan-tcp4 8x1000" "segs 8" clear)
	rig_script "rig xr0" "run ip link add rigvx type vxlan dstport 4789 external" "run ip link set rigvx up" \
		"run groctl parse attach xr0" "${lines[@]}" \
		"run groctl parse status xr0 --json >$BATS_TEST_TMPDIR/status" "run groctl parse detach xr0" \
		"feed tcp4 4x1000" "count 4" "run ip link del rigvx"
	output=$(<"$BATS_TEST_TMPDIR/status")
	assert_json "$output" ".parsers[0] | .device == \"xr0\" and .mode == \"native\" and .parsed == $((n + 8)) and .tunnels == 64 and .not_ip == 0"
	assert_eq active "$(policy parse_state .state)"
}

@test "groctl parse: options, metadata of others, wrong usage" {
	run_ok groctl attach tcp
	rig_script "rig xr0" "run groctl parse attach xr0 -o no_hold_ports=443,80" "feed tcp4 4x1000" "segs 1 1 1 1" sent clear \
		"feed ip4/ip4/tcp 4x1000" "segs 1 1 1 1" sent clear \
		"feed tcp4 4x1000 dport=81" "segs 4" clear "run groctl parse detach xr0" \
		"run groctl parse attach xr0 -o no_hold_below=500" "feed tcp4 4x100" "count 4" clear "feed tcp4 4x1000" "segs 4" clear \
		"run groctl parse detach xr0" \
		"run groctl parse attach xr0" "feed tcp4 4x1000 meta=9" "segs 4" clear "run groctl parse detach xr0" \
		"run groctl parse attach xr0 -o beside_others=off" "feed tcp4 4x1000 meta=9" "segs 4" "metas 9" \
		"run groctl parse status --json >$BATS_TEST_TMPDIR/status" \
		"run ! groctl parse attach xr0 2>$BATS_TEST_TMPDIR/twice"
	assert_json "$(<"$BATS_TEST_TMPDIR/status")" '.parsers[0] | .others == 4 and .parsed == 0'
	assert_match "$(<"$BATS_TEST_TMPDIR/twice")" "on xr0 already"
	# its device is gone, and so are link and pin
	run_ok groctl parse status
	assert_match "$output" "^no parser"
	run_fail 1 groctl parse attach nosuch0
	assert_match "$errors" "no device nosuch0"
	run_fail 2 groctl parse attach lo -o nosuch=1
	assert_match "$errors" "no_hold_ports="
	run_fail 2 groctl parse attach
	run_fail 2 groctl parse forget lo
	run_fail 2 groctl parse attach lo --mode fast
	run_fail 1 groctl parse detach lo
	run_ok groctl list
	assert_no_match "$output" "xdp_"
}

@test "TCP over veth, XDP parsing and tc reading: nothing arrives out of order, and nothing without state" {
	netns_pair
	make_data 1
	run_ok groctl attach "$state_policy"
	run_ok groctl -n bg-b parse attach vb -o no_hold_control=on
	run_ok in_ns b tc qdisc add dev vb clsact
	run_ok in_ns b tc filter add dev vb ingress bpf da obj "$progs/tc_state.bpf.o" sec tc
	transfer_both
	assert_ge 500 "$(stat_of parse_state .joined)" "joined"
	run_ok groctl -n bg-b parse status vb --json
	assert_json "$output" '.parsers[0] | .parsed > 700 and .no_hold >= 2'
	run_ok groctl -n bg-b parse detach vb
	assert_no_errors
}
