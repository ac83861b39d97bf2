# SPDX-License-Identifier: GPL-2.0
# awk -v path=layered -f row.awk -f short.awk results.json: the table of the README: a few cases, natively and by a path, kernels side by side.

BEGIN {
	n = split("tcp4-1448x16 tcp6-1448x16 tcp4-ack tcp6-ext3-1448x16 ipip-tcp4-1400x16 gre-tcp4-1400x16 vxlan-tcp4-1400x16 udp4-1flow", cases, " ")
}

/"kernel"/ {
	k = member("kernel")
	if (!(k in seen)) {
		seen[k]
		kernels[++nk] = k
	}
	total[k, member("case"), member("path")] = member("total_insns")
}

END {
	line = sprintf("%-20s", "")
	for (i = 1; i <= nk; i++)
		line = line sprintf("   %-29s", kernels[i])
	sub(/ +$/, "", line)
	print line
	line = sprintf("%-20s", "")
	for (i = 1; i <= nk; i++)
		line = line sprintf("   %9s %9s %9s", "native", "policy", "")
	sub(/ +$/, "", line)
	print line
	for (j = 1; j <= n; j++) {
		line = sprintf("%-20s", cases[j])
		for (i = 1; i <= nk; i++) {
			native = kernels[i] SUBSEP cases[j] SUBSEP "native"
			ours = kernels[i] SUBSEP cases[j] SUBSEP path
			if ((native in total) && (ours in total))
				line = line sprintf("   %9.2f %9.2f %7.3f x", total[native], total[ours], total[ours] / total[native])
			else
				line = line sprintf("   %9s %9s %9s", "-", "-", "")
		}
		sub(/ +$/, "", line)
		print line
	}
}
