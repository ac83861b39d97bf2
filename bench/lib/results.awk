# SPDX-License-Identifier: GPL-2.0
# awk -f row.awk -f results.awk ROWS...: the rows of the rig as build/bench/results.json, an array, a row a line: by kernel, case and path in the
# order in which they were first seen. ratio is the total over that of native for the same kernel and case.

{
	k = member("kernel")
	c = member("case")
	p = member("path")
	if (!(k in kernel_seen)) {
		kernel_seen[k]
		kernels[++nk] = k
	}
	if (!(c in case_seen)) {
		case_seen[c]
		cases[++nc] = c
	}
	if (!(p in path_seen)) {
		path_seen[p]
		paths[++np] = p
	}
	row[k, c, p] = $0
	total[k, c, p] = member("total_insns")
}

function print_row(k, c, p,   native, xdp) {
	if (!((k, c, p) in row))
		return
	$0 = row[k, c, p]
	native = total[k, c, "native"] + 0
	xdp = member("xdp_insns") + 0
	printf "%s\n  {\"kernel\":\"%s\",\"case\":\"%s\",\"path\":\"%s\",\"packets\":%s,\"segments_per_aggregate\":%s,", n++ ? "," : "", k, c, p,
		member("packets"), member("segments_per_aggregate")
	printf "\"receive_insns\":%s,\"complete_insns\":%s,\"total_insns\":%s,\"ratio\":%s", member("receive_insns"), member("complete_insns"),
		member("total_insns"), (native > 0 ? sprintf("%.4f", total[k, c, p] / native) : "null")
	if (xdp > 0)
		printf ",\"xdp_insns\":%.2f", xdp
	printf "}"
}

END {
	printf "["
	for (i = 1; i <= nk; i++)
		for (j = 1; j <= nc; j++)
			for (l = 1; l <= np; l++)
				print_row(kernels[i], cases[j], paths[l])
	print "\n]"
}
