#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# What policies do once they are attached: devices, options, counters, and what an earlier owner holds. On the rig: each
# train is known to the packet.

load lib/common
load lib/rig

# counters NAME: of its sum, in one line
counters()
{
	stat_of "$1" '[.packets, .held, .joined, .passed, .aggregates, .wire_segments] | join(" ")'
}

@test "a policy of its own for one device, another for the rest" {
	run_ok groctl attach tcp
	rig_script "rig one0" \
		"run groctl attach tcp --name one --dev one0 -o max_segs=4" \
		"feed tcp4 16x1000" "segs 4 4 4 4" sent \
		"run printf '%s\n' 'rig two0' 'feed tcp4 16x1000' 'segs 16' sent | $build/rigscript" \
		"run groctl detach one" clear "feed tcp4 16x1000" "segs 16" sent
	assert_eq "32 2 30 0 2 32" "$(counters tcp)" "of the policy for all: two0, and one0 in the end"
}

@test "policies side by side on two devices" {
	cat >"$BATS_TEST_TMPDIR/two" <<-END
		rig two0
		run groctl attach tcp --name one --dev one0 -o max_segs=4
		run groctl attach tcp --name two --dev two0 -o max_segs=8
		feed tcp6 16x1000
		segs 8 8
		sent
		run groctl stats --json >$BATS_TEST_TMPDIR/stats
	END
	rig_script "rig one0" "run $build/rigscript <$BATS_TEST_TMPDIR/two" \
		"feed tcp6 16x1000" "segs 4 4 4 4" sent "run groctl stats one --json >$BATS_TEST_TMPDIR/stats1"
	assert_json "$(<"$BATS_TEST_TMPDIR/stats")" '[.policies[] | select(.name == "two") | .counters[] |
		select(.device == "two0" and .slot == "ip6/tcp")] | length == 1 and .[0].packets == 16 and .[0].aggregates == 2'
	assert_json "$(<"$BATS_TEST_TMPDIR/stats")" '[.policies[] | select(.name == "one") | .sum.packets] == [0]'
	assert_json "$(<"$BATS_TEST_TMPDIR/stats1")" '.policies[0].sum | .packets == 16 and .aggregates == 4'
}

@test "the options of the TCP policy" {
	rig_script rig "run groctl attach tcp -o max_segs=4" \
		"feed tcp4 16x1000" "segs 4 4 4 4" sent clear \
		"run groctl replace tcp tcp -o ports=443,5201" \
		"feed tcp4 16x1000" "segs 16" clear \
		"feed tcp6 4x1000 flow=1 dport=5201" "segs 4" clear \
		"feed tcp4 4x1000 flow=2 dport=80" "segs 1 1 1 1" sent clear \
		"run groctl replace tcp tcp -o skip_ports=443" \
		"feed tcp4 4x1000" "segs 1 1 1 1" sent clear \
		"feed tcp4 4x1000 flow=2 dport=80" "segs 4" clear \
		"run groctl replace tcp tcp" \
		"feed tcp4 4x1000 psh hold" "feed tcp4 4x1000 psh" "segs 4 4" sent clear \
		"run groctl replace tcp tcp -o flush_on_psh=off" \
		"feed tcp4 4x1000 psh hold" "feed tcp4 4x1000 psh" "segs 8" clear \
		"run groctl replace tcp tcp -o ports=80 -o max_segs=2" \
		"feed tcp4 4x1000 flow=2 dport=80" "segs 2 2" clear \
		"feed tcp4 4x1000" "segs 1 1 1 1"
	run_ok groctl stats --json
	assert_json "$output" '.policies[0].sum | .reasons | map({ (.reason): .packets }) | add | .segs == 1 and .filtered == 4'
}

@test "counters, reasons and histogram of a known train" {
	local want

	# flow 0: one aggregate of 16. flow 1: one of 8, ended by PSH. flow 2: a pure ACK. flow 3: a packet alone.
	# flow 4: a packet with FIN. flow 5: 3, then one with another TTL, then 2 as before: 3, 1 and 2.
	rig_script rig "run groctl attach tcp" "feed tcp4 16x1000 hold" "feed tcp6 8x1000 flow=1 psh hold" \
		"feed tcp4 1x0 flow=2 hold" "feed tcp4 1x1000 flow=3 hold" "feed tcp4 1x1000 flow=4 fin hold" \
		"feed tcp4 3x1000 flow=5 hold" "feed tcp4 1x1000 flow=5 ttl=9 hold" "feed tcp4 2x1000 flow=5" sent
	run_ok groctl stats --json
	want='.packets == 33 and .held == 6 and .joined == 25 and .passed == 2 and .native == 0 and .delivered == 8'
	assert_json "$output" ".policies[0].sum | $want" "packets"
	assert_json "$output" '.policies[0].sum | .aggregates == 4 and .wire_segments == 29 and .mean_segments == 7.25' "aggregates"
	assert_json "$output" '.policies[0].sum.joined_by == { fragment: 25, list: 0, chain: 0 }' "how"
	assert_json "$output" '.policies[0].sum.reasons | map({ (.reason): .packets }) | add ==
		{ "no-payload": 1, push: 1, fin: 1, network: 2 }' "reasons"
	assert_json "$output" '.policies[0].sum.histogram | map(select(.aggregates > 0) | [.from, .to, .aggregates]) ==
		[[2, 3, 2], [8, 15, 1], [16, 31, 1]]' "histogram"
	assert_json "$output" '[.policies[0].counters[] | select(.slot == "ip6/tcp")] | length == 1 and .[0].packets == 8' "ip6"
	# the text has the same numbers
	run_ok groctl stats
	assert_match "$output" "\\b33\\b"
	assert_match "$output" "push"
	# a linear part beyond the headers: joins by frag_list
	run_ok groctl replace tcp tcp
	rig_script rig "feed tcp4 16x1000 linear=128" "segs 16" sent
	run_ok groctl stats --json
	assert_json "$output" '.policies[0].sum | .packets == 16 and .joined_by == { fragment: 0, list: 15, chain: 0 }' "counted anew"
	# fraglist: chains
	run_ok groctl replace tcp tcp
	rig_script "rig fraglist" "feed tcp4 16x1000" "segs 16" sent
	assert_eq 15 "$(stat_of tcp .joined_by.chain)" "chained"
}

@test "what an earlier owner of the slots holds is finished, complete and in order" {
	local spec

	for spec in tcp4 tcp6 ipip-tcp4 sit-tcp6; do
		# native, policy, the same again, another, native
		rig_script rig \
			"feed $spec 8x1000 hold" "run groctl attach tcp" \
			"feed $spec 8x1000 hold" "run groctl replace tcp tcp -o max_segs=100" \
			"feed $spec 8x1000 hold" "run groctl replace tcp tcp" \
			"feed $spec 8x1000 hold" "run groctl detach tcp" \
			"feed $spec 8x1000 hold" flush sent
	done
	# held by a policy of its own for the device, then by that for all
	rig_script "rig one0" "run groctl attach tcp" "run groctl attach tcp --name one --dev one0" \
		"feed tcp4 8x1000 hold" "run groctl detach one" "feed tcp4 8x1000 hold" flush "segs 8 8" sent
	# not touched again: complete comes after the owner went, and after the module did
	rig_script rig "feed tcp4 8x1000 hold" "run groctl detach --all" flush "segs 8" sent \
		"run groctl attach tcp" clear "feed tcp6 8x1000 flow=1 hold" "run groctl detach tcp" "run rmmod bpf_gro" flush "segs 8" sent
	run_ok load_module bpf_gro
}

@test "past 64 KiB where the device allows it" {
	run_ok groctl attach tcp
	rig_script "rig gro_max=200000" "feed tcp4 150x1000" "segs 150" clear "feed tcp6 150x1000 flow=1" "segs 150"
	rig_script rig "feed tcp4 150x1000" "segs 65 65 20" sent
}
