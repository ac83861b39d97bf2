# SPDX-License-Identifier: GPL-2.0
# awk -f row.awk -f table.awk results.json: per kernel a line per case: instructions per packet of native GRO, receive and total, and each other path's
# total over it.

!/"kernel"/ {
	next
}

{
	k = member("kernel")
	c = member("case")
	p = member("path")
	if (!(k in kernel_seen)) {
		kernel_seen[k]
		kernels[++nk] = k
	}
	if (!((k, c) in case_seen)) {
		case_seen[k, c]
		cases[k, ++nc[k]] = c
	}
	if (p != "native" && !(p in path_seen)) {
		path_seen[p]
		paths[++np] = p
	}
	receive[k, c, p] = member("receive_insns")
	total[k, c, p] = member("total_insns")
	if (member("xdp_insns"))
		xdp[k, c, p] = member("xdp_insns")
}

function cell(k, c, p) {
	if (!((k, c, p) in total))
		return ""
	if (!((k, c, "native") in total))
		return sprintf("%.1f", total[k, c, p])
	return sprintf("%.3f", total[k, c, p] / total[k, c, "native"])
}

# Right-aligned in the column of a path
function right(text, path,   width) {
	width = length(path) > 7 ? length(path) : 7
	return sprintf("%" (width + 1) "s", text)
}

END {
	for (i = 1; i <= nk; i++) {
		k = kernels[i]
		printf "%s%s: instructions per packet natively, and the total of each path over that\n\n", (i > 1 ? "\n" : ""), k
		printf "%-26s %9s %9s", "", "receive", "total"
		for (j = 1; j <= np; j++)
			printf "%s", right(paths[j], paths[j])
		print ""
		for (m = 1; m <= nc[k]; m++) {
			c = cases[k, m]
			n = (k, c, "native") in total
			line = sprintf("%-26s %9s %9s", c, (n ? receive[k, c, "native"] : "-"), (n ? total[k, c, "native"] : "-"))
			for (j = 1; j <= np; j++)
				line = line right(cell(k, c, paths[j]), paths[j])
			sub(/ +$/, "", line)
			print line
		}
	}
	for (key in xdp)
		any = 1
	if (any)
		print "\nThe XDP program of a path with +xdp is not in the ratio; results.json has its cost as xdp_insns."
}
