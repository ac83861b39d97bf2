# SPDX-License-Identifier: GPL-2.0
# awk -f row.awk -f aims.awk AIMS results.json: each aim of bench/aims, its worst case, and whether it is met: tab-separated
#	KERNEL	WORDS	AIM	RATIO	CASE, PATH	met|not met|not measured
# An aim is met to the digits in which it is stated.

FNR == NR {
	if (/^#/ || NF < 5)
		next
	n++
	kernel[n] = regex($1)
	path[n] = regex($2)
	cases[n] = regex($3)
	aim[n] = $4
	words[n] = $5
	for (i = 6; i <= NF; i++)
		words[n] = words[n] " " $i
	next
}

/"kernel"/ {
	k = member("kernel")
	c = member("case")
	p = member("path")
	r = member("ratio")
	if (!(k in seen)) {
		seen[k]
		kernels[++nk] = k
	}
	for (i = 1; i <= n; i++) {
		if (r == "null" || k !~ kernel[i] || c !~ cases[i] || p !~ path[i])
			continue
		if (!((k, i) in worst) || r + 0 > worst[k, i]) {
			worst[k, i] = r + 0
			where[k, i] = c ", " p
		}
	}
}

END {
	for (j = 1; j <= nk; j++) {
		k = kernels[j]
		for (i = 1; i <= n; i++) {
			if (k !~ kernel[i])
				continue
			if (!((k, i) in worst)) {
				printf "%s\t%s\t%s\t-\t-\tnot measured\n", k, words[i], aim[i]
				continue
			}
			printf "%s\t%s\t%s\t%.3f\t%s\t%s\n", k, words[i], aim[i], worst[k, i], where[k, i],
				(worst[k, i] < aim[i] + 0.005 ? "met" : "not met")
		}
	}
}
