#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# The UDP policy: its modes and options on the rig, and real sockets over veth, where what is received has to be what was sent,
# datagram by datagram, whether a socket asked for aggregates or not.

load lib/common
load lib/rig
load lib/transfer
load lib/datagrams
load lib/forward

@test "always: joined without a socket or a device that asks, and split into what was sent" {
	local spec

	run_ok groctl attach udp -o mode=always
	for spec in udp4 udp6 ip4/ip4/udp ip4/gre/ip6/udp; do
		rig_script rig "feed $spec 70x500" "segs 64 6" sent clear \
			"feed $spec 5x1000 hold" "feed $spec 1x400 hold" "feed $spec 3x1000" "segs 6 3" sent clear \
			"feed $spec 3x1000 hold" "feed $spec 2x1200" "segs 3 2" sent clear \
			"feed $spec 60x1400" "segs $((65535 / 1420)) $((60 - 65535 / 1420))" sent
	done
	assert_eq active "$(policy udp .state)"
}

@test "always: what cannot be joined goes up in its flow's order" {
	local spec odd

	run_ok groctl attach udp -o mode=always
	for spec in udp4 udp6; do
		for odd in nocsum "ttl=63" inner; do
			rig_script rig "feed $spec 4x1000 hold" "feed $spec 1x1000 $odd hold" "feed $spec 4x1000" sent
		done
		rig_script rig "feed $spec 4x1000 hold" "feed $spec 1x0 hold" "feed $spec 4x1000" "segs 4 1 4" sent
		# nobody knows of which flow a damaged one is; over IPv4 its ID is missing afterwards
		rig_script rig "feed $spec 4x1000 hold" "feed $spec 1x1000 badcsum hold" "feed $spec 4x1000" \
			"segs 1 $([[ $spec == udp4 ]] && echo 4 4 || echo 8)"
		rig_script rig "feed $spec 8x1000 unseen" "segs 8" sent
	done
	# fragments do not come so far: the kernel's IP layer passes them, before what is held
	rig_script rig "feed udp4 4x1000 hold" "feed udp4 1x1000 mf hold" "feed udp4 4x1000" "segs 1 4 4"
	assert_eq active "$(policy udp .state)"
	assert_ge 2 "$(reason udp no-checksum)" "datagrams without checksum"
	assert_ge 2 "$(reason udp checksum)" "datagrams with a wrong one"
	assert_ge 2 "$(reason udp no-payload)" "empty datagrams"
}

@test "fraglist: chains on any device, each datagram as it was" {
	local spec

	run_ok groctl attach udp -o mode=fraglist
	for spec in udp4 udp6 ip4/ip4/udp; do
		rig_script rig "feed $spec 20x1000 hold" "feed $spec 1x7" "segs 21" sent clear "feed $spec 20x1000 linear=200" "segs 20" sent
	done
	assert_eq 117 "$(stat_of udp .joined_by.chain)" "chained"
	run_ok groctl replace udp udp -o mode=always
	rig_script "rig fraglist" "feed udp4 20x1000" "segs 20" sent
	assert_eq 19 "$(stat_of udp .joined_by.chain)" "chained because the device asks"
}

@test "native: nothing is joined until somebody asks" {
	run_ok groctl attach udp
	rig_script rig "feed udp4 4x1000" "segs 1 1 1 1" sent clear "feed udp6 4x1000" "segs 1 1 1 1" sent
	rig_script "rig udpfwd" "feed udp4 4x1000" "segs 4" sent
	rig_script "rig fraglist" "feed udp6 4x1000" "segs 4" sent
	assert_eq "6 3" "$(stat_of udp '"\(.joined) \(.joined_by.chain)"')"
}

@test "options: ports, segments, bytes, sizes, forwarding, packets held" {
	run_ok groctl attach udp -o mode=always -o ports=443
	rig_script rig "feed udp4 4x1000" "segs 4" sent clear "feed udp4 2x1000 dport=500 flow=1" "segs 1 1"
	assert_eq 2 "$(reason udp filtered)"
	run_ok groctl replace udp udp -o mode=always -o skip_ports=443,444
	rig_script rig "feed udp4 2x1000" "segs 1 1" sent clear "feed udp6 4x1000 dport=500 flow=1" "segs 4" sent
	run_ok groctl replace udp udp -o mode=always -o max_segs=8
	rig_script rig "feed udp4 20x1000" "segs 8 8 4" sent
	run_ok groctl replace udp udp -o mode=always -o max_segs=1
	rig_script rig "feed udp4 3x1000" "segs 1 1 1" sent
	run_ok groctl replace udp udp -o mode=always -o max_bytes=8192
	rig_script rig "feed udp6 20x1400" "segs 5 5 5 5" sent
	run_ok groctl replace udp udp -o mode=always -o min_size=200
	rig_script rig "feed udp4 3x199" "segs 1 1 1" sent clear "feed udp4 3x200" "segs 3" sent
	run_ok groctl replace udp udp -o mode=always -o max_held=2
	rig_script rig "feed udp4 2x500 flow=1 hold" "feed udp4 2x500 flow=2 hold" "feed udp4 2x500 flow=3 hold" \
		"feed udp4 2x500 flow=1" "count 4" sent
	assert_eq "2 2" "$(stat_of udp .held) $(reason udp held-max)"
	run_ok groctl replace udp udp -o mode=always -o forward_only=on
	rig_script rig "feed udp4 4x1000" "segs 4" sent clear "feed udp6 4x1000" "segs 4" sent
	run_ok ip addr add 10.0.0.2/32 dev lo
	rig_script rig "feed udp4 4x1000" "segs 1 1 1 1" sent
	run_ok ip addr del 10.0.0.2/32 dev lo
	assert_eq 4 "$(reason udp local)"
}

@test "adaptive: stops holding where nothing joins, and holds again where something does" {
	local lines=(rig) i

	run_ok groctl attach udp -o mode=always -o adaptive=on
	for ((i = 0; i < 64; i++)); do
		lines+=("feed udp4 1x500 flow=$i")
	done
	# what is learned is learned by CPU
	printf '%s\n' "${lines[@]}" sent >"$BATS_TEST_TMPDIR/lines"
	run_ok taskset -c 0 "$build/rigscript" <"$BATS_TEST_TMPDIR/lines"
	assert_eq "32 32" "$(stat_of udp .held) $(reason udp adaptive)" "held, not held"
	printf '%s\n' rig "feed udp4 600x100" sent >"$BATS_TEST_TMPDIR/lines"
	run_ok taskset -c 0 "$build/rigscript" <"$BATS_TEST_TMPDIR/lines"
	assert_ge 100 "$(stat_of udp .joined)" "joined afterwards"
	# holding has paid since: the next round of single ones is held again, and once only
	printf '%s\n' "${lines[@]}" sent >"$BATS_TEST_TMPDIR/lines"
	run_ok taskset -c 0 "$build/rigscript" <"$BATS_TEST_TMPDIR/lines"
	assert_le 100 "$(stat_of udp .held)" "held in all"
	run_ok groctl replace udp udp -o mode=always
	run_ok taskset -c 0 "$build/rigscript" <"$BATS_TEST_TMPDIR/lines"
	assert_eq 64 "$(stat_of udp .held)" "held without it"
}

@test "a policy that goes while datagrams are held: native code finishes them, in order" {
	local spec mode next prog=$progs/udp_hold_unchecked_eject__csum.bpf.o rig

	for mode in always fraglist; do
		# a device where native code looks for held datagrams, too
		[[ $mode == always ]] && rig="rig udpfwd" || rig="rig fraglist"
		for spec in udp4 $([[ $mode == always ]] && echo udp6 || echo ip4/ip6/udp); do
			for next in "groctl detach udp" "groctl replace udp udp -o mode=$mode" "groctl replace udp $prog"; do
				rig_script "$rig" "run groctl attach udp -o mode=$mode" "feed $spec 8x1000 hold" "run $next" \
					"feed $spec 8x1000 hold" flush sent clear "run groctl detach --all || true" \
					"run groctl attach udp -o mode=$mode" "feed $spec 8x1000 hold" "run $next" flush "segs 8" sent \
					"run groctl detach --all || true"
			done
		done
	done
}

# exact MODE [OPTION]...: all kinds of receivers get exactly what was sent
exact()
{
	local mode=$1 address

	shift
	run_ok groctl -n bg-b attach udp --dev vb -o mode="$mode" "$@" || return 1
	for address in 10.7.0.2 fd07::2; do
		datagrams a b $address -b 20 || return 1
		assert_eq "640 0" "$(counted datagrams) $(counted aggregates)" "a socket that did not ask" || return 1
		datagrams a b $address -r -g -b 20 || return 1
		assert_eq 640 "$(counted datagrams)" "a socket that asked" || return 1
		assert_ge 10 "$(counted aggregates)" "aggregates at a socket that asked" || return 1
	done
	datagrams a b fd07::2 -r -g -b 20 -n 1 -l 1400 || return 1
	datagrams a b 10.7.0.2 -z -n 1 -b 20 || return 1
	assert_eq active "$(policy udp .state)" || return 1
	assert_ge 400 "$(stat_of udp .joined)" "joined by the policy" || return 1
	assert_eq "UdpInCsumErrors=0" "$(counters_of b UdpInCsumErrors)" || return 1
	run_ok groctl detach udp
}

@test "real sockets get what was sent, natively and in each mode" {
	udp_pair
	exact native
	exact always
	assert_eq "" "$(policies)"
	exact fraglist
	in_ns a ethtool -K va tx off >/dev/null
	exact always -o max_segs=20
}

@test "policies come and go while datagrams arrive" {
	udp_pair
	run_ok in_ns b ethtool -K vb rx-udp-gro-forwarding on
	background "$build/tests/churn" "$build/bpf/udp.bpf.o"
	churn=$background churn_log=$background_log
	wait_for 60 grep -q ready "$churn_log"
	datagrams a b 10.7.0.2 -r -g -b 150
	datagrams a b fd07::2 -b 150
	churn_stop 10
}

@test "SO_REUSEPORT sockets with a selector: each gets its own" {
	udp_pair
	run_ok groctl -n bg-b attach udp --dev vb -o mode=always
	datagrams a b 10.7.0.2 -r -s -b 20
	datagrams a b fd07::2 -r -s -b 20
	assert_eq 0 "$(counted misdirected)"
	assert_ge 400 "$(reason udp socket)" "left unjoined for the selector"
	assert_eq 0 "$(stat_of udp .joined)"
}

@test "forwarded datagrams leave as they came" {
	local mode before

	router
	for mode in always fraglist; do
		run_ok groctl -n bg-b attach udp --dev vb -o mode=$mode -o forward_only=on
		before=$(device_stat c vc rx_packets)
		datagrams a c 10.9.0.2 -b 20
		datagrams a c fd09::2 -b 20
		assert_ge 400 "$(stat_of udp .joined)" "joined on the way, $mode"
		assert_ge 1280 $(($(device_stat c vc rx_packets) - before)) "packets that left the router"
		# what is for the router itself is left alone
		before=$(stat_of udp .joined)
		datagrams a b 10.7.0.2 -b 20
		assert_eq "$before" "$(stat_of udp .joined)" "joined for the router itself"
		run_ok groctl detach udp
	done
	assert_eq "UdpInCsumErrors=0" "$(counters_of c UdpInCsumErrors)"
}

@test "WireGuard and VXLAN get through, and TCP in VXLAN is joined" {
	local ns

	# Tunnel devices receive through gro_cells, one queue per CPU: what moves to another CPU is reordered there, natively as well.
	taskset -cp 0 "$BASHPID" >/dev/null
	udp_pair
	make_data 4
	run_ok groctl -n bg-b attach udp --dev vb -o mode=always
	run_ok groctl -n bg-b attach tcp --dev vb
	for ns in a b; do
		run_ok ip -n bg-$ns link add wg0 type wireguard
		wg genkey >"$BATS_TEST_TMPDIR/$ns.key"
		wg pubkey <"$BATS_TEST_TMPDIR/$ns.key" >"$BATS_TEST_TMPDIR/$ns.pub"
	done
	run_ok in_ns a wg set wg0 private-key "$BATS_TEST_TMPDIR/a.key" listen-port 51820 peer "$(<"$BATS_TEST_TMPDIR/b.pub")" \
		allowed-ips 10.6.0.0/24 endpoint 10.7.0.2:51820
	run_ok in_ns b wg set wg0 private-key "$BATS_TEST_TMPDIR/b.key" listen-port 51820 peer "$(<"$BATS_TEST_TMPDIR/a.pub")" \
		allowed-ips 10.6.0.0/24 endpoint 10.7.0.1:51820
	ip -n bg-a addr add 10.6.0.1/24 dev wg0
	ip -n bg-b addr add 10.6.0.2/24 dev wg0
	run_ok ip -n bg-a link set wg0 up
	run_ok ip -n bg-b link set wg0 up
	transfer 10.6.0.2
	assert_ge 1000 "$(stat_of udp .native)" "left to native code"
	assert_eq 0 "$(stat_of udp .joined)" "of WireGuard's"

	run_ok ip -n bg-a link add vx0 type vxlan id 42 dstport 4789 local 10.7.0.1 remote 10.7.0.2
	run_ok ip -n bg-b link add vx0 type vxlan id 42 dstport 4789 local 10.7.0.2 remote 10.7.0.1
	ip -n bg-a addr add 10.5.0.1/24 dev vx0
	ip -n bg-b addr add 10.5.0.2/24 dev vx0
	run_ok ip -n bg-a link set vx0 up
	run_ok ip -n bg-b link set vx0 up
	split_early a vx0
	transfer 10.5.0.2
	assert_ge 100 "$(stat_of tcp .joined)" "TCP joined inside VXLAN"
	datagrams a b 10.5.0.2 -b 30 -l 900
	datagrams a b 10.5.0.2 -r -g -b 30 -l 900
	assert_eq "active active" "$(policy udp .state) $(policy tcp .state)"
}
