#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# Header-length policies: on two igb devices joined by a cable, whose private flag legacy-rx makes them ask for the header length, and on mlx5
# without the card.
# CPUs: 2

load lib/common
load lib/transfer

groctl=$build/groctl
keep_netns="bg-a bg-b"
module=$build/$release/bpf_rx_header.ko

setup()
{
	load_module bpf_rx_header || return 1
	test_begin
}

teardown()
{
	local bad=0

	test_end || bad=1
	rm -rf /sys/fs/bpf/layout
	[[ ! -e /sys/module/mlx5_core ]] || wait_for 20 rmmod mlx5_core || bad=1
	return "$bad"
}

teardown_file()
{
	local ns

	for ns in $keep_netns; do
		[[ ! -e /run/netns/$ns ]] || ip netns del "$ns"
	done
}

igb_names()
{
	local dev

	for dev in /sys/bus/pci/drivers/igb/*/net/*; do
		[[ ! -e $dev ]] || echo "${dev##*/}"
	done
}

igb_two()
{
	(($(igb_names | wc -l) == 2))
}

# igb_pair: igb0 in bg-a and igb1 in bg-b, with the addresses of netns_pair, for all tests of this file; igb1 asks for the header length
igb_pair()
{
	local names n ns i=0

	[[ ! -e /run/netns/bg-b ]] || return 0
	run_ok modprobe igb
	wait_for 20 igb_two
	mapfile -t names < <(igb_names | sort)
	for n in a b; do
		ns=bg-$n
		run_ok ip netns add "$ns"
		ip link set "${names[i]}" down
		run_ok ip link set "${names[i]}" netns "$ns" name "igb$i"
		in_ns "$n" sysctl -qw "net.ipv6.conf.igb$i.accept_dad=0" "net.ipv6.conf.igb$i.router_solicitations=0"
		[[ $n == a ]] || run_ok ip netns exec "$ns" ethtool --set-priv-flags "igb$i" legacy-rx on
		ip -n "$ns" link set lo up
		ip -n "$ns" addr add "10.7.0.$((i + 1))/24" dev "igb$i"
		ip -n "$ns" addr add "fd07::$((i + 1))/64" dev "igb$i" nodad
		run_ok ip -n "$ns" link set "igb$i" up
		i=$((i + 1))
	done
	wait_for 40 ip netns exec bg-a ping -q -c 1 -W 1 10.7.0.2
	wait_for 20 ip netns exec bg-a ping -q -c 1 -W 1 fd07::2
}

# headers_b VERB...: groctl headers, where igb1 is
headers_b()
{
	"$groctl" -n bg-b headers "$@"
}

# read_counters: those of the policy on igb1, into $asked $answered $native $out_of_bounds $elsewhere $bytes
read_counters()
{
	run_ok headers_b show --dev igb1 --json
	eval "$(jq -r '.policies[0].counters | to_entries[] | "\(.key)=\(.value)"' <<<"$output")"
}

# layout_start, read_layout: what tests/progs/layout.bpf.c counts, into $packets $linear_min $linear_max
# $page_heads $by_frags $by_list
layout_start()
{
	rm -rf /sys/fs/bpf/layout
	mkdir /sys/fs/bpf/layout
	run_ok bpftool prog loadall "$build/tests/progs/layout.bpf.o" /sys/fs/bpf/layout autoattach
}

read_layout()
{
	eval "$(bpftool -j map dump name layout.bss | jq -r '.[0].formatted.value[".bss"] | add | to_entries[] | "\(.key)=\(.value)"')"
}

@test "headers: what is wrong is said in a sentence, and nothing is registered" {
	run_ok "$groctl" headers list
	assert_eq "copy-all cqe fixed learned native" "$(awk '{ print $1 }' <<<"$output" | paste -sd ' ')" "the catalogue"
	run_ok "$groctl" headers list fixed --json
	assert_json "$output" '.policies[0].options[0] | .name == "bytes" and .default == "66"'

	ip netns add bg-c
	modprobe tun
	ip -n bg-c tuntap add tap0 mode tap
	run_ok modprobe ip6_tunnel
	wait_for 10 ip -n bg-c link show ip6tnl0
	ip -n bg-c link add veth0 type veth peer name veth1
	while IFS='|' read -r code args text; do
		# shellcheck disable=SC2086 # arguments are words
		run_fail "$code" "$groctl" -n bg-c headers $args
		assert_eq "groctl: $text" "$errors" "groctl headers $args"
	done <<-'LIST'
		2|frobnicate|groctl headers can list, set, show and clear, not 'frobnicate'
		2|set native|usage: groctl headers set POLICY|FILE --dev DEVICE or --driver DRIVER
		2|set native --dev veth0 --all|headers set takes no option --all
		2|set native --driver a,b|'a,b' cannot be a driver's name
		1|set native --dev nope|no device nope in network namespace bg-c
		2|set fixed --dev veth0 -o bytes=70000|option bytes: 70000 is out of range; it takes 0..65535
		2|set native --dev veth0 -o bytes=1|policy native has no option bytes: it has no options
		1|set nope --dev veth0|no policy 'nope' in /src/build/bpf/headers, /usr/lib/bpf-gro/headers; there are: copy-all cqe fixed learned native
		1|set native --dev tap0|policy native is refused: device tap0 of driver tun asks for the header length of what it is given, and copies nothing
		1|set native --dev ip6tnl0|policy native is refused: device ip6tnl0 is no Ethernet device
		1|set native --driver cxgb4|policy native is refused: driver cxgb4 asks for the header length on transmit
		1|set cqe --driver mlx5_core|mlx5_core is not loaded: modprobe mlx5_core first, its receive function has to be known
		2|clear|usage: groctl headers clear --dev DEVICE, --driver DRIVER, or --all
		1|clear --dev veth0|device veth0 has no header policy
		1|show --driver veth|driver veth has no header policy
	LIST
	run_fail 1 "$groctl" headers set "$build/bpf/tcp.bpf.o" --driver veth
	assert_match "$errors" "has no policy: no struct bpf_rx_header_ops"
	run_ok "$groctl" headers show --json
	assert_json "$output" '.policies == [] and .module.hooked == false and .module.refusals >= 3'
	[[ -z $(find /sys/fs/bpf/bpf_rx_header -type f) ]] || explain "pins are left" "$(ls /sys/fs/bpf/bpf_rx_header)"
}

@test "headers: on igb each policy is asked, its length is copied, and data arrive as they were sent" {
	local policy options to min max list

	igb_pair
	make_data 1
	while read -r policy options to min max list; do
		# shellcheck disable=SC2086 # none or an option
		run_ok headers_b set "$policy" --dev igb1 ${options#none}
		layout_start
		if [[ $to == both ]]; then transfer_both; else transfer "$to"; fi
		read_counters
		read_layout
		assert_ge 500 "$asked" "$policy is asked"
		assert_eq "$asked" "$((answered + native + out_of_bounds))" "$policy: the sum"
		assert_ge 500 "$packets" "$policy: packets that GRO got"
		assert_ge "$min" "$linear_min" "$policy: bytes in the linear part at least"
		assert_le "$max" "$linear_max" "$policy: bytes in the linear part at most"
		case $list in
		frags) assert_ge "$((by_list * 10 + 10))" "$by_frags" "$policy: aggregates by fragments" ;;
		list)
			# 6.12's heads of this size are page fragments: GRO joins those as fragments, too
			if ((page_heads)); then
				assert_ge 10 "$by_frags" "$policy: aggregates by fragments"
			else
				assert_ge 10 "$by_list" "$policy: aggregates by frag_list"
				assert_eq 0 "$by_frags" "$policy: aggregates by fragments"
			fi
			;;
		esac
		case $policy in
		cqe) assert_eq "$asked" "$native" "without a completion entry cqe is native" ;;
		native) assert_ge "$((asked * 9 / 10))" "$answered" "native answers itself" ;;
		*) assert_eq "$asked" "$answered" "$policy answers each" ;;
		esac
	done <<-LIST
		native none both 66 86 frags
		copy-all none 10.7.0.2 256 256 list
		fixed -obytes=100 fd07::2 100 100 list
		cqe none 10.7.0.2 66 66 frags
	LIST
	run_ok headers_b show
	assert_match "$output" "^cqe: device igb1, id [0-9]+$"
	assert_match "$output" "^    igb1 +asked [0-9]+, answered 0, native [0-9]+, [0-9.]+ bytes a packet$"
	run_ok headers_b clear --dev igb1
	assert_eq "cqe is off device igb1" "$output"
}

@test "headers: learned settles at what the headers are" {
	local pins

	igb_pair
	make_data 1
	run_ok headers_b set learned --dev igb1
	transfer 10.7.0.2
	layout_start
	transfer 10.7.0.2
	read_layout
	assert_eq "66 66" "$linear_min $linear_max" "bytes in the linear part of TCP over IPv4 with timestamps"
	assert_ge "$((by_list * 10 + 10))" "$by_frags" "aggregates by fragments"
	pins=$(find /sys/fs/bpf/bpf_rx_header -type f | wc -l)
	assert_eq 2 "$pins" "the policy's link and that of the program that watches"
	run_ok headers_b set native --dev igb1
	pins=$(find /sys/fs/bpf/bpf_rx_header -type f | wc -l)
	assert_eq 1 "$pins" "the program that watched went with its policy"
}

@test "headers: whatever a policy answers, nothing is lost or changed, and it is counted" {
	local wild=$build/tests/progs/header_wild.bpf.o policy option counter

	igb_pair
	while read -r policy option counter; do
		run_ok headers_b set "$policy" --dev igb1 -o "$option"
		in_ns a ping -q -f -c 200 -s 1000 10.7.0.2
		read_counters
		assert_ge 200 "$asked" "$option: asked"
		assert_eq "$asked" "${!counter}" "$option: $counter"
	done <<-LIST
		$wild always=5 out_of_bounds
		$wild always=257 out_of_bounds
		$wild always=100000 out_of_bounds
		fixed bytes=0 native
	LIST
	run_ok headers_b set "$wild" --dev igb1
	# CI has little time
	make_data "$([[ ${CI:-} ]] && echo 16 || echo 64)"
	transfer 10.7.0.2
	read_counters
	assert_ge 1000 "$native" "it said 0"
	assert_ge 1000 "$out_of_bounds" "it was out of bounds"
	assert_ge 1000 "$answered" "it was within"
	assert_eq "$asked" "$((answered + native + out_of_bounds))"
	assert_eq 0 "$elsewhere"
	assert_ge 1 "$((bytes > asked * 14 && bytes < asked * 256))" "bytes that were copied"
}

@test "headers: set, replaced, cleared and unloaded under load" {
	local stop=$BATS_TEST_TMPDIR/stop wild i sender rounds

	igb_pair
	make_data 2
	run_ok "$groctl" headers set native --driver igb
	run_fail any rmmod bpf_rx_header
	assert_match "$errors" "in use"
	run_ok "$groctl" headers clear --driver igb
	(
		while [[ ! -e $stop ]]; do
			transfer 10.7.0.2 || exit 1
			echo sent
		done
	) >"$BATS_TEST_TMPDIR/sender" 2>&1 3>&- &
	sender=$!
	test_pids+=("$sender")
	# through the kernel, as fast as it can
	background "$build/tests/churn" "$build/tests/progs/header_wild.bpf.o"
	wild=$background
	wait_for 60 grep -q ready "$background_log"
	wait_for 90 awk '/sent/ { n++ } END { exit n < 4 }' "$BATS_TEST_TMPDIR/sender"
	kill "$wild"
	wait "$wild" || explain "churn failed" "$(<"$background_log")"
	rounds=$(awk '/rounds/ { print $1 }' "$background_log")
	assert_ge 1 "$rounds" "rounds of attach, replace, replace, detach"
	# by groctl
	for ((i = 0; i < 2; i++)); do
		run_ok headers_b set copy-all --dev igb1
		run_ok "$groctl" headers set fixed --driver igb -o bytes=60
		run_ok headers_b set native --dev igb1
		assert_eq "device igb1: native, was copy-all" "$output"
		run_ok headers_b clear --dev igb1
		run_ok "$groctl" headers clear --all
		run_ok rmmod bpf_rx_header
		run_ok insmod "$module"
	done
	touch "$stop"
	wait "$sender" || explain "the traffic failed" "$(<"$BATS_TEST_TMPDIR/sender")"
}

@test "headers: devices that are renamed, moved, removed and come back; the device's policy comes before its driver's" {
	ip netns add bg-c
	ip netns add bg-d
	run_ok "$groctl" headers set copy-all --driver veth
	ip -n bg-c link add one type veth peer name two
	assert_json "$("$groctl" headers show --json)" '.policies[0] | .devices_now == 2 and ([.devices[].device] | sort) == ["one", "two"]' "devices that come later"
	run_ok "$groctl" -n bg-c headers set fixed --dev one
	assert_json "$("$groctl" headers show --json)" '[.policies[] | {name, n: .devices_now}] == [{"name": "copy-all", "n": 1}, {"name": "fixed", "n": 1}]'
	ip -n bg-c link set one name uno
	run_ok "$groctl" -n bg-c headers show --dev uno --json
	assert_json "$output" '.policies[0] | .name == "fixed" and .devices_now == 1' "renamed"
	run_fail 1 "$groctl" -n bg-c headers show --dev one
	ip -n bg-c link set uno netns bg-d
	run_ok "$groctl" -n bg-c headers show --dev uno --json
	assert_json "$output" '.policies[0].devices_now == 0' "moved away: it waits"
	assert_json "$("$groctl" headers show --driver veth --json)" '.policies[0].devices_now == 2' "the driver's policy has it"
	ip -n bg-d link set uno netns bg-c
	assert_json "$("$groctl" -n bg-c headers show --dev uno --json)" '.policies[0].devices_now == 1' "it came back"
	ip -n bg-c link del uno
	assert_json "$("$groctl" headers show --json)" '[.policies[].devices_now] == [0, 0]' "removed"
	run_ok "$groctl" -n bg-c headers set native --dev later --absent
	ip -n bg-c link add later type veth peer name two
	assert_json "$("$groctl" -n bg-c headers show --dev later --json)" '.policies[0].devices_now == 1' "it came"
	ip netns del bg-c
	wait_for 20 "$groctl" headers clear --all
	assert_json "$("$groctl" headers show --json)" '.policies == [] and .module.hooked == false'
}

@test "headers: mlx5 without the card: its receive function is followed, cqe is set by driver" {
	local links

	run_ok modprobe mlx5_core
	run_ok "$groctl" headers set cqe --driver mlx5_core
	assert_match "$errors" "no device has the driver mlx5_core now: the policy waits for one"
	if "$groctl" headers show --json | jq -e .module.mlx5_asks >/dev/null; then
		assert_no_match "$errors" "asks no one"
	else
		assert_match "$errors" "mlx5_core of this kernel copies 256 bytes and asks no one"
	fi
	run_ok "$groctl" headers show --json
	assert_json "$output" '.policies[0] | .driver == "mlx5_core" and .receive_only and .devices_now == 0'
	links=$(bpftool -j link | jq -r '.[] | select(.prog_type == "tracing") | .attach_type' | sort | paste -sd ' ')
	assert_eq "trace_fentry trace_fexit" "$links" "programs on its receive function"
	run_fail any rmmod mlx5_core
	run_ok "$groctl" headers set native --driver mlx5_core
	assert_match "$output" "^driver mlx5_core: native, was cqe$"
	run_ok "$groctl" headers clear --driver mlx5_core
	[[ -z $(find /sys/fs/bpf/bpf_rx_header -type f) ]] || explain "pins are left" "$(ls /sys/fs/bpf/bpf_rx_header)"
	wait_for 20 rmmod mlx5_core
	run_ok rmmod bpf_rx_header
}
