#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# What the bench makes of its rows, with recorded ones: no VM is needed for that.

setup()
{
	top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	lib=$top/bench/lib
	dir=$BATS_TEST_TMPDIR
}

# row KERNEL CASE PATH RECEIVE COMPLETE [XDP]: as `rig measure --json` prints it
row()
{
	printf '{"kernel":"%s","case":"%s","path":"%s","packets":16,"out":1,"segments_per_aggregate":16.00,' "$1" "$2" "$3"
	printf '"receive_insns":%.2f,"complete_insns":%.2f,"total_insns":%s,' "$4" "$5" "$(awk "BEGIN { printf \"%.2f\", $4 + $5 }")"
	printf '"total_min":1.00,"total_max":2.00,"xdp_insns":%.2f,"out_segs":16,"out_bytes":23220,"repeat":5}\n' "${6:-0}"
}

rows()
{
	row 7.3.4 tcp4-1448x16 off 50 20
	row 7.3.4 tcp4-1448x16 native 900 100
	row 7.3.4 tcp4-1448x16 layered 1000 100
	row 7.3.4 tcp4-1448x16 layered+xdp 850 100 77.5
	row 7.3.4 udp4-1flow layered 500 20
	row 6.12.1 tcp4-1448x16 native 800 100
	row 6.12.1 tcp4-1448x16 layered 1200 150
}

results()
{
	awk -f "$lib/row.awk" -f "$lib/results.awk"
}

# expect_code CODE COMMAND...
expect_code()
{
	local code=$1

	shift
	run "$@"
	((status == code)) || {
		printf 'command: %s\ncode: expected %s, got %s\noutput: %s\n' "$*" "$code" "$status" "$output"
		return 1
	}
}

# says TEXT...: each is in $output
says()
{
	local text

	for text; do
		[[ $output == *"$text"* ]] || {
			printf 'not said: %s\noutput: %s\n' "$text" "$output"
			return 1
		}
	done
}

@test "results.json: the members of a row, its ratio, and XDP's cost only where XDP ran" {
	rows | results >"$dir/results.json"
	run jq -r '.[] | keys_unsorted | join(" ")' "$dir/results.json"
	[[ ${#lines[@]} == 7 ]] || { echo "$output"; return 1; }
	wanted="kernel case path packets segments_per_aggregate receive_insns complete_insns total_insns ratio"
	[[ ${lines[0]} == "$wanted" && ${lines[3]} == "$wanted xdp_insns" ]] || { echo "$output"; return 1; }
	run jq -r '.[] | "\(.case) \(.path) \(.total_insns) \(.ratio)"' "$dir/results.json"
	says "tcp4-1448x16 native 1000.00 1.0000" "tcp4-1448x16 layered 1100.00 1.1000" "tcp4-1448x16 layered+xdp 950.00 0.9500" \
		"udp4-1flow layered 520.00 null" "tcp4-1448x16 layered 1350.00 1.5000"
}

@test "two runs: 95 of 100 identical and the rest within half a percent, or it fails and names what differs" {
	for n in {1..100}; do
		row 7.3.4 "tcp4-$n" native 1000 100
	done >"$dir/1"
	compare=(awk -f "$lib/row.awk" -f "$lib/compare.awk")
	expect_code 0 "${compare[@]}" "$dir/1" "$dir/1"
	says "100 of 100 rows identical"

	{
		sed 5q "$dir/1" | sed 's/:1000.00,/:1004.00,/; s/1100.00/1104.00/'
		sed 1,5d "$dir/1"
	} >"$dir/2"
	expect_code 0 "${compare[@]}" "$dir/1" "$dir/2"
	says "95 of 100 rows identical" "7.3.4, tcp4-3, native"

	{
		sed 6q "$dir/1" | sed 's/:1000.00,/:1004.00,/; s/1100.00/1104.00/'
		sed 1,6d "$dir/1"
	} >"$dir/2"
	expect_code 1 "${compare[@]}" "$dir/1" "$dir/2"

	{
		sed 1q "$dir/1" | sed 's/:1000.00,/:1006.00,/; s/1100.00/1106.00/'
		sed 1d "$dir/1"
	} >"$dir/2"
	expect_code 1 "${compare[@]}" "$dir/1" "$dir/2"
	says "7.3.4, tcp4-1, native"

	sed 7d "$dir/1" >"$dir/2"
	expect_code 1 "${compare[@]}" "$dir/1" "$dir/2"
	says "only in the first run: 7.3.4, tcp4-7, native"
	expect_code 1 "${compare[@]}" "$dir/2" "$dir/1"
	says "only in the second run: 7.3.4, tcp4-7, native"
	: >"$dir/1"
	expect_code 1 "${compare[@]}" "$dir/1" "$dir/1"
}

@test "cycles, where there is a counter: the same shape, ratios of their own" {
	rows | sed 's/"out_segs"/"receive_cycles":400.0,"complete_cycles":100.0,&/; /native/s/400.0/300.0/' |
		awk -f "$lib/row.awk" -f "$lib/cycles.awk" >"$dir/cycles.json"
	run jq -r '.[] | select(.kernel == "7.3.4" and .case == "tcp4-1448x16" and .path == "layered") |
		"\(.receive_cycles) \(.complete_cycles) \(.total_cycles) \(.ratio)"' "$dir/cycles.json"
	[[ $output == "400.0 100.0 500.0 1.250" ]] || { echo "$output"; return 1; }
}

@test "the table has native's counts and each path's ratio" {
	rows | results >"$dir/results.json"
	run awk -f "$lib/row.awk" -f "$lib/table.awk" "$dir/results.json"
	says "7.3.4: instructions per packet" "6.12.1: instructions per packet" "layered+xdp"
	grep -Eq '^tcp4-1448x16 +900\.00 +1000\.00 +0\.070 +1\.100 +0\.950$' <<<"$output" || { echo "$output"; return 1; }
}

@test "a case over 2 % worse than its baseline is named, one within is not" {
	rows | results >"$dir/results.json"
	baseline=(awk -v kernel=7.3.4 -f "$lib/row.awk" -f "$lib/baseline.awk")
	awk -v kernel=7.3.4 -f "$lib/row.awk" -f "$lib/to-baseline.awk" "$dir/results.json" >"$dir/base"
	expect_code 0 "${baseline[@]}" "$dir/base" "$dir/results.json"
	says "7.3.4: 5 rows compared with the baseline, 0 worse"

	sed 's/layered 1100.*/layered 1080/' "$dir/base" >"$dir/near"
	expect_code 0 "${baseline[@]}" "$dir/near" "$dir/results.json"
	sed 's/layered 1100.*/layered 1070/' "$dir/base" >"$dir/far"
	expect_code 1 "${baseline[@]}" "$dir/far" "$dir/results.json"
	says "worse by 2.8 %: tcp4-1448x16, layered: 1100.00 instructions per packet, 1070 in the baseline" "1 worse"
	[[ $output != *"layered+xdp:"* ]]

	sed 's/layered 1100.*/layered 1200/' "$dir/base" >"$dir/better"
	expect_code 0 "${baseline[@]}" "$dir/better" "$dir/results.json"
	says "better by 8.3 %: tcp4-1448x16, layered"
	{
		echo "# comment"
		echo "gone-1 native 5"
		sed 1d "$dir/base"
	} >"$dir/other"
	expect_code 0 "${baseline[@]}" "$dir/other" "$dir/results.json"
	says "1 not in it, 1 of it not measured"
}

@test "aims: the worst case counts, for the kernels that the aim is for" {
	rows | results >"$dir/results.json"
	cat >"$dir/aims" <<-'EOT'
		# comment
		7.3*	layered	tcp?-14??x16	1.05	TCP in a slot
		7.3*	layered+xdp	tcp4-*,udp4-*	0.95	with XDP
		7.3*	fused	*	0.95	fused
	EOT
	run awk -f "$lib/row.awk" -f "$lib/aims.awk" "$dir/aims" "$dir/results.json"
	[[ ${lines[0]} == "7.3.4"$'\t'"TCP in a slot"$'\t'"1.05"$'\t'"1.100"$'\t'"tcp4-1448x16, layered"$'\t'"not met" ]] ||
		{ echo "$output"; return 1; }
	says "tcp4-1448x16, layered+xdp"$'\t'"met" "fused"$'\t'"0.95"$'\t'"-"$'\t'"-"$'\t'"not measured"
	[[ ${#lines[@]} == 3 ]]
}

# t ADDRESS...: lines of QEMU's log, as `log exec,nochain` with one instruction per block writes them
t()
{
	printf 'Trace 0: 0x7f0000000000 [00000000/%s/00c0b0b3/ff000001] \n' "$@"
}

@test "by function: the last repetition, both phases, what was not run after all, programs and trampolines" {
	cat >"$dir/symbols" <<-'EOT'
		ffffffff81000000 napi_gro_receive
		ffffffff81000000 an_alias
		ffffffff81000100 __x86_return_thunk
		ffffffffc0100000 rig_nop_receive [bpf_gro_rig]
		ffffffffc0100010 rig_loop_receive [bpf_gro_rig]
		ffffffffc0100080 rig_measure [bpf_gro_rig]
		ffffffffc0100200 rig_poll_end [bpf_gro_rig]
		ffffffffc0200000 bpf_prog_0123456789abcdef_tcp_receive [bpf]
		ffffffffc0200010 (trampoline) [bpf]
		ffffffffc0300000 gro_join [bpf_gro]
		ffffffffc0300040 bpf_gro_find_held [bpf_gro]
		ffffffffc0300080 gro_slot_receive [bpf_gro]
	EOT
	{
		t 00007f0000000001 ffffffff81000000
		for repetition in 1 2; do
			# the call crosses a carry: it returns to ...c0100103
			t ffffffffc01000fe ffffffffc0100010
			for packet in 1 2; do
				t ffffffff81000000 ffffffff81000004 ffffffffc0300080 ffffffffc0200014 ffffffffc0200000 ffffffffc0300044 \
					ffffffffc0300000 ffffffff81000100
				# an interrupt came first: it runs again
				echo 'Stopped execution of TB chain before 0x7f0000000000 [ffffffff81000100] '
				t ffffffff81000100 ffffffffc0100020
				((repetition > 1)) || t ffffffff81000008
			done
			t ffffffffc0100103 ffffffffc0100108 ffffffffc0100200 ffffffff81000008 ffffffffc010010d ffffffff81000004
		done
		t ffffffffc0100200 ffffffff81000000
	} >"$dir/trace"
	awk -f "$lib/trace.awk" "$dir/symbols" "$dir/trace" | LC_ALL=C sort -s -k 1,1 "$dir/symbols" - |
		awk -v packets=2 -f "$lib/functions.awk" >"$dir/functions"
	run sort "$dir/functions"
	wanted=$(printf '%s\n' "core	napi_gro_receive	2.00	0.50" "driver	rig_loop_receive	1.50	0.00" "driver	rig_poll_end	0.00	0.50" \
		"hook	gro_slot_receive	1.00	0.00" "join	gro_join	1.00	0.00" "kfunc	bpf_gro_find_held	1.00	0.00" \
		"program	tcp_receive	1.00	0.00" "thunk	__x86_return_thunk	1.00	0.00" "trampoline	(trampoline)	1.00	0.00")
	[[ $output == "$wanted" ]] || { diff <(echo "$wanted") <(echo "$output"); return 1; }

	profile=(awk -v title=here -f "$lib/profile.awk")
	expect_code 0 "${profile[@]}" -v receive=8 -v complete=1 "$dir/functions"
	says "8.00      1.00  100.0  sum" "BPF program"
	expect_code 1 "${profile[@]}" -v receive=8.5 -v complete=1 "$dir/functions"
	says "the sum is not what was measured"
}

@test "on sockets: medians, spread and ratios; a missing number fails" {
	cat >"$dir/values" <<-'EOT'
		7.3.4 local iperf3 native 1 1000
		7.3.4 local iperf3 layered 1 900
		7.3.4 local iperf3 native 2 1100
		7.3.4 local iperf3 layered 2 1.21e+03
		7.3.4 local iperf3 native 3 1300
		7.3.4 igb TCP_RR layered 1 50.5
	EOT
	expect_code 0 awk -f "$lib/e2e.awk" "$dir/values"
	run jq -r '.[] | "\(.topology) \(.test) \(.path) \(.unit) \(.median) \(.min) \(.max) \(.rounds) \(.ratio)"' <<<"$output"
	says "local iperf3 native Mbit/s 1100.0 1000.0 1300.0 3 1.000" "local iperf3 layered Mbit/s 1055.0 900.0 1210.0 2 0.959" "igb TCP_RR layered 1/s 50.5 50.5 50.5 1 null"
	echo "7.3.4 local iperf3 native 4" >>"$dir/values"
	expect_code 1 awk -f "$lib/e2e.awk" "$dir/values"
}

@test "plans and globs of the tables" {
	# shellcheck source=../../bench/lib/guest.bash
	. "$lib/guest.bash"
	krel=6.12.1-amd64
	for want in "native 1:1" "native native:16,1:16" "layered native:16,1:1" "native *@6.12*:16,1:16" "native *@7.3*:16,1:1" \
		"layered native@6.12*:16,lay*:4,1:4"; do
		read -r path rest <<<"$want"
		plan_of "$path" "${rest%:*}"
		[[ $planned == "${rest##*:}" ]] || { echo "$want: $planned"; return 1; }
	done
	plan_of layered native:16
	[[ ! $planned ]]
	fits tcp4-1448x16 "udp*,tcp4-*"
	run fits tcp4-1448x16 "udp*,tcp6-*"
	((status == 1))
}

@test "the tables: names once, every case planned for every path, what they name is there" {
	# shellcheck source=../../bench/lib/guest.bash
	. "$lib/guest.bash"
	bench_dir=$top/bench
	run bash -c "grep -vhE '^[[:space:]]*(#|\$)' '$top/bench/cases' | cut -f 1 | sort | uniq -d"
	[[ ! $output ]] || { echo "twice: $output"; return 1; }
	mapfile -t all_paths < <(lines paths)
	count=0
	while IFS= read -r line; do
		read_case "$line"
		[[ $case_name =~ ^(tcp|udp|ipip|sit|ip4ip6|ip6ip6|gre|vxlan|geneve|gtpu|mpls|pppoe)[0-9a-z]*- ]] || { echo "name: $case_name"; return 1; }
		for path in "${all_paths[@]}"; do
			read_path "$path"
			for krel in 6.12.1 7.3.4; do
				plan_of "$path_name" "$case_plan"
				[[ $planned =~ ^[0-9]+$ ]] || { echo "no plan: $case_name, $path_name, $krel"; return 1; }
			done
			count=$((count + 1))
		done
	done < <(lines cases)
	((count > 300))
	for path in "${all_paths[@]}"; do
		read_path "$path"
		[[ $path_policies == *[a-z]* ]] || continue
		for spec in ${path_policies//+/ }; do
			spec=${spec%%[:@]*}
			[[ $spec == */* ]] || spec=bpf/$spec
			[[ -e $top/$spec.bpf.c ]] || { echo "no source of $spec"; return 1; }
		done
	done
	while IFS=, read -r name path; do
		grep -Eq "^${name}[[:space:]]" "$top/bench/cases" && grep -Eq "^${path}[[:space:]]" "$top/bench/paths" || { echo "traced: $name,$path"; return 1; }
	done < <(lines traced)
}

@test "evaluate: tables, comparison and a page that loads nothing; what failed in a VM fails it" {
	mkdir -p "$dir/top/build/vm"/bench.7.3.4.{1,2}
	cp -r "$top/bench" "$dir/top/bench"
	rm -f "$dir/top/bench/baseline"/*
	{
		for n in 1 2 4 8 16 32 44; do
			row 7.3.4 "tcp4-1448x$n" native 900 "$n"
			row 7.3.4 "tcp4-1448x$n" layered 1000 "$n"
		done
		for n in 8 64 1000; do
			row 7.3.4 "tcp4-${n}flows" native 900 100
			row 7.3.4 "tcp4-${n}flows" layered 1000 100
		done
		for path in idle other1 other4 other8; do
			row 7.3.4 tcp4-1448x16 "$path" 900 100
		done
	} | tee "$dir/top/build/vm/bench.7.3.4.1/rows" >"$dir/top/build/vm/bench.7.3.4.2/rows"
	echo "Linux version 7.3.4 <compiler>" >"$dir/top/build/vm/bench.7.3.4.1/version"
	echo "Some CPU" >"$dir/top/build/vm/bench.7.3.4.1/cpu"
	echo "spectre_v2:Mitigation: Retpolines" >"$dir/top/build/vm/bench.7.3.4.1/mitigations"

	expect_code 0 "$dir/top/bench/evaluate" v1-2-gabcdef 2 0 7.3.4
	says "24 of 24 rows identical" "source v1-2-gabcdef" "Some CPU" "Retpolines" "gcc" "no baseline" "not met"
	page=$dir/top/build/bench/report.html
	(($(grep -c '<svg' "$page") == 3))
	run grep -E '<(script|link|img|iframe)|url\(http' "$page"
	((status == 1))
	grep -q 'Linux version 7.3.4 &lt;compiler>' "$page"
	grep -q 'Some CPU' "$page"
	(($(grep -c '<b>Original.</b>' "$page") == 5))

	expect_code 0 "$dir/top/bench/evaluate" v1 2 1 7.3.4
	says "new baseline in bench/baseline/7.3"
	expect_code 0 "$dir/top/bench/evaluate" v1 2 0 7.3.4
	says "24 rows compared with the baseline, 0 worse"
	echo "tcp4-1448x16, layered: 16 packets came up, expected 1" >"$dir/top/build/vm/bench.7.3.4.2/failures"
	expect_code 1 "$dir/top/bench/evaluate" v1 2 0 7.3.4
	says "failed, 7.3.4.2: tcp4-1448x16, layered: 16 packets came up, expected 1"
}
