#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# Metadata of XDP programs that differs within a flow: what joins, what becomes of it, and that the order stays in every mode. Natively such
# packets are held beside each other, and which leaves first is a matter of chance.

load lib/common
load lib/rig
load lib/transfer

# three SPEC VALUE VALUE VALUE: lines that feed three times 4 packets of one flow; VALUE as for `feed`, "" for no metadata
three()
{
	printf '%s\n' "feed $1 4x1000 $2 hold" "feed $1 4x1000 $3 hold" "feed $1 4x1000 $4"
}

# The frames of a VLAN come up without their tag: those cannot be compared.
sent()
{
	[[ $1 == vlan-* ]] || echo sent
	echo clear
}

@test "exact, the default: a difference ends the aggregate, and everything comes up in the order in which it was sent" {
	local spec lines=()

	for spec in tcp4 tcp6 vlan-tcp4 ip6/dst/tcp; do
		lines+=("feed $spec 16x1000 meta=7" "segs 16" "metas 7" "$(sent $spec)"
			"feed $spec 8x1000 metacount" "segs 1 1 1 1 1 1 1 1" "$(sent $spec)"
			"$(three $spec meta=1 meta=2 meta=1)" "segs 4 4 4" "metas 1 2 1" "$(sent $spec)"
			"$(three $spec meta=1 "" meta=1)" "segs 4 4 4" "metas 1 - 1" "$(sent $spec)"
			"$(three $spec "" meta=1 "")" "segs 4 4 4" "metas - 1 -" "$(sent $spec)"
			"feed $spec 3x1000 metacount hold" "feed $spec 1x1000 meta=99 psh" "segs 1 1 1 1" "$(sent $spec)"
			"feed $spec 16x1000 linear=200 metacount" "count 16" "$(sent $spec)")
	done
	run_ok groctl attach tcp
	rig_script rig "feed tcp4 16x1000 metacount" "metas 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15" sent clear "${lines[@]}"
	rig_script "rig fraglist" "$(three tcp4 meta=1 meta=2 meta=1)" "segs 4 4 4" sent clear "$(three tcp6 meta=1 "" meta=1)" "segs 4 4 4" sent
	assert_eq "exact active" "$(policy tcp '"\(.metadata) \(.state)"')"
	run_ok groctl stats --json
	# 15, four times 7, 2, 2, 2, 2 and 15, and 4 with rx-gro-list
	assert_json "$output" '.policies[0].sum.reasons | map({ (.reason): .packets }) | add | .metadata == 15 + 4 * 30 + 4' "packets with other metadata"
}

@test "keep-first: joined, the aggregate has what the first packet had" {
	local spec lines=()

	for spec in tcp4 tcp6 vlan-tcp4 ip6/dst/tcp; do
		lines+=("feed $spec 16x1000 meta=5 hold" "feed $spec 16x1000 metacount" "segs 32" "metas 5" "$(sent $spec)"
			"$(three $spec meta=1 meta=2 meta=1)" "segs 12" "metas 1" "$(sent $spec)"
			"$(three $spec meta=1 "" meta=1)" "segs 12" "metas 1" "$(sent $spec)"
			"$(three $spec "" meta=1 "")" "segs 12" "metas -" "$(sent $spec)"
			"feed $spec 3x1000 metacount hold" "feed $spec 1x1000 meta=99 psh" "segs 4" "$(sent $spec)"
			"feed $spec 16x1000 linear=200 metacount" "segs 16" "$(sent $spec)")
	done
	run_ok groctl attach tcp -o metadata=keep-first
	rig_script rig "feed tcp4 16x1000 metacount" "segs 16" "metas 0" sent clear "${lines[@]}"
	rig_script "rig fraglist" "$(three tcp4 meta=1 meta=2 meta=1)" "segs 12" "metas 1" sent
	run_ok groctl status
	assert_match "$output" '^ +metadata keep-first$'
	assert_match "$output" '^tcp: active'
}

@test "ignore: joined, the aggregate has no metadata if its packets had not the same" {
	local spec lines=()

	for spec in tcp4 tcp6 vlan-tcp4 ip6/dst/tcp; do
		lines+=("feed $spec 16x1000 metacount" "segs 16" "metas -" "$(sent $spec)"
			"$(three $spec meta=1 meta=2 meta=1)" "segs 12" "metas -" "$(sent $spec)"
			"$(three $spec "" meta=1 "")" "segs 12" "metas -" "$(sent $spec)"
			"feed $spec 16x1000 meta=7" "segs 16" "metas 7" "$(sent $spec)")
	done
	run_ok groctl attach tcp -o metadata=ignore
	rig_script rig "${lines[@]}"
	assert_eq "ignore active" "$(policy tcp '"\(.metadata) \(.state)"')"
}

@test "many flows at once, each with metadata of its own or differing: in order" {
	local mode n feeds=() lines=()

	for n in 0 1 2 3 4 5 0 2 4 1 3 5 0 1 2 3 4 5; do
		feeds+=("feed tcp$((4 + n % 2 * 2)) 3x1000 flow=$n hold $( ((n % 3)) && echo metacount || echo "meta=$((n + 1))")")
	done
	for mode in exact keep-first; do
		lines+=("run groctl attach tcp -o metadata=$mode" "${feeds[@]}" flush sent clear "run groctl detach tcp")
	done
	rig_script rig "${lines[@]}"
}

@test "behind tunnel headers: apart and in order in every mode" {
	local spec lines=()

	for spec in ipip-tcp4 gre-tcp6 gre6-tcp6; do
		lines+=("$(three $spec meta=1 meta=2 meta=1)" "segs 4 4 4" "metas 1 2 1" sent clear
			"$(three $spec meta=1 "" meta=1)" "segs 4 4 4" sent clear
			"feed $spec 16x1000 metacount" "count 16" sent clear "feed $spec 16x1000 meta=3" "segs 16" sent clear)
	done
	rig_script rig "run groctl attach tcp" "${lines[@]}" "run groctl replace tcp tcp -o metadata=keep-first" "${lines[@]}"
	assert_eq active "$(policy tcp .state)"
}

@test "UDP, and a protocol that only a policy knows" {
	local spec exact=() first=()

	for spec in udp4 udp6 free4 free6; do
		exact+=("$(three $spec meta=1 meta=2 meta=1)" "segs 4 4 4" "metas 1 2 1" sent clear
			"feed $spec 16x1000 metacount" "count 16" sent clear)
		first+=("$(three $spec meta=1 meta=2 meta=1)" "segs 12" "metas 1" sent clear)
	done
	rig_script rig "run groctl attach udp -o mode=always" "run groctl attach $progs/free253.bpf.o" "${exact[@]}" \
		"run groctl replace udp udp -o mode=always -o metadata=keep-first" \
		"run groctl replace free253 $progs/free253.bpf.o -o metadata=keep-first" "${first[@]}"
	assert_eq "active active" "$(policy udp .state) $(policy free253 .state)"
}

@test "as natively: what no policy owns" {
	# what is not held leaves before what is held beside it
	local udp tcp

	udp="feed udp4 4x1000 meta=1 hold
feed udp4 1x1000 meta=2 nocsum
segs 1 4
clear
feed udp6 4x1000 hold
feed udp6 1x1000 meta=2 nocsum
segs 1 4
clear"
	tcp="feed tcp4 4x1000 meta=1 hold
feed tcp4 1x1000 meta=2 psh
segs 1 4
clear
feed tcp6 4x1000 meta=1 hold
feed tcp6 1x1000 psh
segs 1 4
clear"
	rig_script "rig udpfwd" "$udp" "$tcp" "run groctl attach tcp --dev nosuch0 --absent" "$udp" "$tcp" "run groctl detach tcp" \
		"run groctl attach tcp" "$udp" "${tcp//segs 1 4/segs 4 1}"
}

@test "a policy changes its mode or goes while packets with metadata are held: in order" {
	local spec lines=()

	for spec in tcp4 tcp6; do
		lines+=("run groctl attach tcp" "feed $spec 4x1000 meta=1 hold"
			"run groctl replace tcp tcp -o metadata=keep-first" "feed $spec 4x1000 hold" "feed $spec 4x1000 meta=2 hold"
			"run groctl replace tcp tcp -o metadata=ignore" "feed $spec 4x1000 meta=3 hold" flush sent clear "run groctl detach tcp")
	done
	rig_script rig "${lines[@]}"
}

@test "TCP over veth, native XDP with other metadata on every packet: nothing arrives out of order" {
	local mode joined

	netns_pair
	make_data 1
	run_ok ip -n bg-b link set vb xdpdrv object "$progs/xdp_count.bpf.o" section xdp
	run_ok groctl attach tcp
	for mode in exact keep-first; do
		[[ $mode == exact ]] || run_ok groctl replace tcp tcp -o metadata=$mode
		transfer_both
		run_ok groctl stats --json
		joined=$(jq .policies[0].sum.joined <<<"$output")
		if [[ $mode == exact ]]; then
			assert_eq 0 "$joined" "joined though metadata differs"
			assert_json "$output" '.policies[0].sum.reasons | map({ (.reason): .packets }) | add | .metadata > 500'
		else
			assert_ge 500 "$joined" "joined in mode $mode"
		fi
	done
	assert_no_errors
}
