# SPDX-License-Identifier: GPL-2.0
# Sourced in the VM after guest.bash: has QEMU log each instruction while a train is fed. The VM was booted with monitor_args (profile.bash):
# QEMU's monitor is at the end of its second serial line.

# shellcheck disable=SC2154,SC2034 # of guest.bash

tty=/dev/ttyS1
id=0

monitor_open()
{
	sysctl -qw net.core.bpf_jit_kallsyms=1 kernel.kptr_restrict=0
	exec {qmp}<>"$tty"
	stty raw -echo <&"$qmp"
	# a byte that is never part of JSON: whatever the line has carried so far is forgotten
	printf '\377' >&"$qmp"
	qmp qmp_capabilities
}

# qmp COMMAND [ARGUMENTS]: waits for its answer. Without a time-out: where an idle clock jumps to its next event, any would be over at once.
qmp()
{
	local line

	id=$((id + 1))
	printf '{"execute":"%s"%s,"id":"q%s"}\n' "$1" "${2:+,\"arguments\":$2}" "$id" >&"$qmp"
	while read -r line <&"$qmp"; do
		[[ $line == *"\"id\": \"q$id\""* ]] || continue
		[[ $line != *'"error"'* ]] || die "QEMU refuses $1: $line"
		return 0
	done
	die "QEMU's monitor is gone"
}

hmp()
{
	qmp human-monitor-command "{\"command-line\":\"$1\"}"
}

trace_on()
{
	hmp "logfile $trace"
	hmp "one-insn-per-tb on"
	hmp "log exec,nochain"
}

trace_off()
{
	hmp "log none"
	hmp "one-insn-per-tb off"
}

# Addresses and names of all code. Of BPF the ends too: what lies between programs is a trampoline, which older kernels do not name.
symbols()
{
	local tag addr size

	awk 'tolower($2) ~ /^[tw]$/ { print $1, $3, $4 }' /proc/kallsyms
	bpftool prog list --json | jq -r '.[] | select(.bytes_jited) | "\(.tag) \(.bytes_jited)"' |
		while read -r tag size; do
			addr=$(awk -v begin="bpf_prog_$tag" 'index($3, begin) == 1 { print $1; exit }' /proc/kallsyms)
			[[ ! $addr ]] || printf '%016x (trampoline) [bpf]\n' $((0x$addr + size))
		done
}

# trace_case CASE,PATH: leaves $VM_RUN/CASE,PATH.{row,symbols,trace} for by_function of profile.bash
trace_case()
{
	local name=${1%,*} path=${1#*,} line out=$VM_RUN/$1

	line=$(lines cases | awk -v name="$name" '$1 == name')
	[[ $line ]] || die "no case '$name' in bench/cases"
	read_case "$line"
	line=$(lines paths | awk -v name="$path" '$1 == name')
	[[ $line ]] || die "no path '$path' in bench/paths"
	read_path "$line"
	[[ $case_setup == - ]] || setup_for "$case_setup"
	path_up
	measure >"$out.row"
	symbols >"$out.symbols"
	trace=$out.trace
	before_feed=trace_on after_row=trace_off
	measure --repeat 2 >/dev/null
	before_feed='' after_row=''
	path_down
}
