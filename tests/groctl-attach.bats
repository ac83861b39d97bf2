#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# groctl attach, detach, replace, status, stats: what the kernel has afterwards, also when something goes wrong.
# shellcheck disable=SC2154 # variables of lib/common

load lib/common

groctl=$build/groctl
progs=$build/tests/progs
pins=/sys/fs/bpf/bpf_gro

# The kernel's own list, not groctl's: links of struct_ops maps.
links()
{
	bpftool -j link show | jq '[.[] | select(.type == "struct_ops")] | length'
}

no_links()
{
	[[ $(links) == 0 ]]
}

status()
{
	run_ok "$groctl" status --json
}

@test "attach, status, detach" {
	run_ok "$groctl" attach tcp
	assert_eq "attached tcp: ip/tcp ip6/tcp on all devices" "$output"
	assert_eq 1 "$(links)" links
	[[ -e $pins/tcp ]] || explain "no pin" "$(ls -lR /sys/fs/bpf)"
	assert_eq 700 "$(stat -c %a "$pins")"
	status
	assert_json "$output" '.policies | length == 1'
	assert_json "$output" '.policies[0] | .name == "tcp" and .state == "active" and .link > 0 and .pin == "'"$pins"'/tcp" and
		.devices == [] and [.slots[].slot] == ["ip/tcp", "ip6/tcp"]'
	run_fail 1 rmmod bpf_gro
	run_ok "$groctl" detach tcp
	assert_eq "detached tcp" "$output"
	[[ ! -e $pins/tcp ]] || explain "the pin is still there"
	status
	assert_json "$output" '.policies == [] and .stale_pins == []'
	run_fail 1 "$groctl" detach tcp
	assert_match "$errors" "no policy 'tcp' is attached"
}

@test "after detach the module unloads at once" {
	run_ok "$groctl" attach tcp
	run_ok "$groctl" detach tcp
	run_ok rmmod bpf_gro
	run_ok load_module bpf_gro
}

@test "a name is taken once, a slot of a device has one owner" {
	netns_pair
	run_ok "$groctl" -n bg-b attach tcp --dev vb
	run_fail 1 "$groctl" attach tcp
	assert_match "$errors" 'attached already'
	run_fail 1 "$groctl" -n bg-b attach tcp --dev vb --name second
	assert_match "$errors" 'slot ip 6 of device vb already belongs to policy tcp'
	run_ok "$groctl" attach tcp --name all
	run_fail 1 "$groctl" attach tcp --name all2
	assert_match "$errors" 'already belongs to policy all'
	run_ok "$groctl" -n bg-a attach tcp --dev va --name on-va
	status
	assert_json "$output" '[.policies[].name] == ["tcp", "all", "on-va"] and .module.refusals >= 2'
	run_ok "$groctl" detach --all
	assert_eq "detached tcp detached all detached on-va" "${output//$'\n'/ }"
	wait_for 5 no_links
}

@test "devices are looked up where groctl works" {
	netns_pair
	run_fail 1 "$groctl" attach tcp --dev vb
	assert_match "$errors" 'no device vb in this network namespace'
	run_fail 1 "$groctl" -n bg-b attach tcp --dev va
	assert_match "$errors" 'no device va in network namespace bg-b'
	run_fail 2 "$groctl" attach tcp --dev a/b
	assert_match "$errors" 'cannot be a device name'
	run_ok "$groctl" attach tcp --dev later --absent
	status
	assert_json "$output" '.policies[0] | .devices == ["later"] and .devices_now == 0 and .netns.here'
	ip link add later type veth peer name later2
	status
	ip link del later
	assert_json "$output" '.policies[0].devices_now == 1'
	status
	assert_json "$output" '.policies[0].devices_now == 0'
	run_fail 1 "$groctl" -n nope status
	assert_match "$errors" "no network namespace 'nope'"
}

@test "a rename is followed, a namespace is named" {
	netns_pair
	run_ok "$groctl" -n bg-b attach tcp --dev vb
	ip -n bg-b link set vb down
	ip -n bg-b link set vb name renamed
	status
	assert_json "$output" '.policies[0] | .devices == ["renamed"] and .devices_now == 1 and .netns.name == "bg-b" and (.netns.here | not)'
	run_ok "$groctl" -n bg-b status --json
	assert_json "$output" '.policies[0].netns.here'
	run_ok "$groctl" replace tcp tcp -o max_segs=5
	status
	assert_json "$output" '.policies[0] | .devices == ["renamed"] and .devices_now == 1 and .netns.name == "bg-b"' \
		'replace from another namespace keeps devices and namespace'
}

@test "ip netns exec groctl pins where it stays" {
	netns_pair
	run_ok in_ns b "$groctl" attach tcp --dev vb
	[[ -e $pins/tcp ]] || explain "no pin" "$(ls -lR /sys/fs/bpf)"
	run_ok in_ns b "$groctl" status tcp
	assert_match "$output" 'active'
	run_ok in_ns a "$groctl" detach tcp
	wait_for 5 no_links
}

@test "devices that GRO does not see by their name are warned about" {
	ip netns add bg-w
	ip -n bg-w link add low type veth peer name peer
	ip -n bg-w link add link low name low.5 type vlan id 5
	ip -n bg-w link add br0 type bridge
	ip -n bg-w link set peer master br0
	ip netns exec bg-w ethtool -K low gro off >/dev/null
	run_ok "$groctl" -n bg-w attach tcp --dev low.5
	assert_match "$errors" 'warning: low.5 is a vlan device: .*: low, so'
	run_ok "$groctl" detach tcp
	run_ok "$groctl" -n bg-w attach tcp --dev br0 --json
	assert_json "$output" '.warnings[0] | test("br0 is a bridge device.*: peer, so")'
	run_ok "$groctl" detach tcp
	run_ok "$groctl" -n bg-w attach tcp --dev low
	assert_match "$errors" 'warning: GRO is off on low: ethtool -K low gro on'
	run_ok "$groctl" detach tcp
	ip netns exec bg-w ethtool -K low gro on >/dev/null
	run_ok "$groctl" -n bg-w attach tcp --dev low
	assert_eq "" "$errors"
}

@test "replace: new options, same name, link and devices; refused: the old one stays" {
	local before

	netns_pair
	run_ok "$groctl" -n bg-b attach tcp --dev vb --name t
	run_ok "$groctl" status t --json
	before=$(jq -c '.policies[0] | [.link, .devices, .name, .netns]' <<<"$output")
	run_ok "$groctl" replace t tcp -o max_segs=3
	run_ok "$groctl" status t --json
	assert_eq "${before/true/false}" "$(jq -c '.policies[0] | [.link, .devices, .name, .netns]' <<<"$output")"
	run_ok "$groctl" replace t "$progs/nolink.bpf.o"
	assert_match "$output" '^replaced t: now nolink'
	run_fail 1 "$groctl" replace t "$progs/slot_kind_fail__member_slots.bpf.o"
	assert_match "$errors" 'member slots'
	run_fail 1 "$groctl" replace t "$progs/no_null_check_fail__or_null.bpf.o"
	assert_match "$errors" "the verifier refused program test_receive: R. invalid mem access 'rdonly_mem_or_null'"
	run_ok "$groctl" status t --json
	assert_json "$output" '.policies[0] | .state == "active" and [.slots[].slot] == ["ip/tcp"]'
	assert_eq "${before/true/false}" "$(jq -c '.policies[0] | [.link, .devices, .name, .netns]' <<<"$output")"
	run_fail 1 "$groctl" replace nope tcp
	assert_match "$errors" "no policy 'nope' is attached"
	run_fail 1 "$groctl" -n bg-b replace t tcp --dev nope
	run_ok "$groctl" -n bg-b replace t tcp --dev vb --dev lo
	run_ok "$groctl" status t --json
	assert_json "$output" '.policies[0].devices == ["vb", "lo"]'
}

@test "a refused policy leaves nothing behind" {
	local file

	for file in "$progs"/*_fail__*.bpf.o; do
		run_fail any "$groctl" attach "$file"
		assert_match "$errors" '^groctl: .+'
		assert_no_match "$errors" 'Invalid argument' "${file##*/}: $errors"
		run_fail any "$groctl" attach "$file" --json
		assert_json "$output" '.error | length > 20'
	done
	status
	assert_json "$output" '.policies == [] and .stale_pins == [] and .module.message != ""'
	run_fail 1 "$groctl" attach "$progs/kfunc_fail__is_not_there.bpf.o"
	assert_match "$errors" "the kfunc bpf_gro_of_next_year is not there: bpf_gro.ko is older than the policy"
	no_links || explain "links" "$(bpftool link show)"
}

@test "a failing pin takes the policy off again" {
	mkdir -p "$pins/tcp"
	run_fail 1 "$groctl" attach tcp
	rmdir "$pins/tcp"
	assert_match "$errors" 'cannot be pinned'
	status
	assert_json "$output" '.policies == []'
}

@test "a pin whose link is detached is shown and cleaned" {
	run_ok "$groctl" attach tcp
	run_ok bpftool link detach pinned "$pins/tcp"
	status
	assert_json "$output" '.policies == [] and .stale_pins == [{"name": "tcp", "pin": "'"$pins"'/tcp"}]'
	run_ok "$groctl" attach tcp
	status
	assert_json "$output" '(.policies | length) == 1 and .stale_pins == []'
	run_ok bpftool link detach pinned "$pins/tcp"
	run_ok "$groctl" detach tcp
	[[ ! -e $pins/tcp ]] || explain "the pin is still there"
}

@test "policies that a process holds or that were pinned elsewhere" {
	run_ok "$groctl" attach tcp
	mv "$pins/tcp" /sys/fs/bpf/elsewhere
	status
	assert_json "$output" '.policies[0] | .name == "tcp" and .pin == "/sys/fs/bpf/elsewhere"'
	run_ok "$groctl" replace tcp tcp -o max_segs=3
	run_ok "$groctl" detach tcp
	[[ ! -e /sys/fs/bpf/elsewhere ]] || explain "the pin is still there"
}

@test "killed at any moment, groctl leaves nothing that the next one does not mend" {
	local i

	for ((i = 0; i < 25; i++)); do
		timeout -s KILL "0.$(printf %03d $((RANDOM % 900 + 50)))" "$groctl" attach tcp >/dev/null 2>&1 || true
		((i % 2)) || timeout -s KILL "0.$(printf %03d $((RANDOM % 900 + 50)))" "$groctl" replace tcp tcp >/dev/null 2>&1 || true
		timeout -s KILL "0.$(printf %03d $((RANDOM % 900 + 50)))" "$groctl" detach tcp >/dev/null 2>&1 || true
		status
		# either attached and pinned, or not at all; a left-over pin is shown
		assert_json "$output" '.policies | all(.pin != null)'
	done
	run_ok "$groctl" status
	[[ $output != *"tcp: "* ]] || run_ok "$groctl" detach tcp
	run_ok "$groctl" attach tcp
	run_ok "$groctl" detach tcp
	wait_for 5 no_links
}

@test "of several at once one wins" {
	local i pids=() won=0

	for i in 1 2 3 4 5; do
		"$groctl" attach tcp >/dev/null 2>"$BATS_TEST_TMPDIR/err.$i" &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		if wait "$i"; then ((++won)); fi
	done
	assert_eq 1 "$won" "how many attached: $(cat "$BATS_TEST_TMPDIR"/err.*)"
	assert_eq 4 "$(cat "$BATS_TEST_TMPDIR"/err.* | grep -c 'attached already')" "others say why"
	assert_eq 1 "$(links)" links
}

@test "stats count a transfer" {
	netns_pair
	iperf_server b
	run_ok "$groctl" -n bg-b attach tcp --dev vb
	run_ok in_ns a iperf3 -c 10.7.0.2 -n 4M
	run_ok "$groctl" stats tcp --json
	assert_json "$output" '.policies[0] | .name == "tcp" and (.counters | length) == 2 and .sum.packets > 2000 and
		.sum.joined > 0 and .sum.delivered == .sum.packets - .sum.joined and .sum.mean_segments > 1 and .sum.aggregates > 0 and
		(.sum.joined_by | .fragment + .list + .chain) == .sum.joined and (.sum.histogram | map(.aggregates) | add) == .sum.aggregates'
	assert_json "$output" '.policies[0].counters[0] | .slot == "ip/tcp" and .device == "vb"'
	run_ok "$groctl" stats tcp --cpu --json
	assert_json "$output" '.policies[0] | ([.counters[] | select(.cpu != null).packets] | add) == .sum.packets'
	run_ok "$groctl" stats
	assert_match "$output" '^tcp: id [0-9]+, active'
	assert_match "$output" '^    push +[0-9]+  the sender asked for delivery'
	run_fail 1 "$groctl" stats nope
}

@test "stats --watch prints intervals, ends cleanly, and stops when nobody reads" {
	netns_pair
	run_ok "$groctl" -n bg-b attach tcp --dev vb
	background "$groctl" stats --watch=0.2 --json
	wait_for 30 test -s "$background_log"
	run_ok in_ns a ping -c 1 10.7.0.2
	kill -INT "$background"
	wait "$background" || explain "exit code $?" "$(<"$background_log")"
	while read -r line; do
		assert_json "$line" '.policies[0] | .name == "tcp" and .seconds > 0.1'
	done <"$background_log"
	"$groctl" stats --watch=0.1 | head -n 1 >/dev/null
	[[ ${PIPESTATUS[0]} == 141 || ${PIPESTATUS[0]} == 0 ]] || explain "exit code ${PIPESTATUS[0]}"
}
