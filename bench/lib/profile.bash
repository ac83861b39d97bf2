# SPDX-License-Identifier: GPL-2.0
# Sourced by bench/run, bench/profile and bench/evaluate: the other side of trace.bash.

# The guest's second serial line is wired to QEMU's monitor. For tests/vm/boot -q.
# shellcheck disable=SC2034 # used by those who source this
monitor_args="-chardev socket,id=qmp,path=/tmp/qmp,server=on,wait=off -mon chardev=qmp,mode=control"
monitor_args+=" -chardev socket,id=guest,path=/tmp/qmp -device isa-serial,chardev=guest"

# member NAME ROW
member()
{
	sed -E "s/.*\"$1\":\"?([^,\"}]*).*/\\1/" <<<"$2"
}

# by_function LIB DIRECTORY KERNEL CASE,PATH OUT: from what trace_case left to OUT/KERNEL,CASE,PATH.tsv, and the table to stdout. The log
# is removed. Fails if the sum is not what was measured.
by_function()
{
	local lib=$1 from=$2/$4 tsv=$5/$3,$4.tsv row

	row=$(<"$from.row")
	mkdir -p "$5"
	awk -f "$lib/trace.awk" "$from.symbols" "$from.trace" | LC_ALL=C sort -s -k 1,1 "$from.symbols" - |
		awk -v packets="$(member packets "$row")" -f "$lib/functions.awk" >"$tsv"
	rm "$from.trace"
	awk -v title="$4, $3" -v receive="$(member receive_insns "$row")" -v complete="$(member complete_insns "$row")" \
		-f "$lib/profile.awk" "$tsv" | tee "${tsv%.tsv}.txt"
}
