# SPDX-License-Identifier: GPL-2.0
# awk -f row.awk -f plot.awk -v kernel=RELEASE -v of=segments|flows|policies results.json: data for gnuplot, a column per path that has at least two points, names in
# the first line, ? for what was not measured.
#
#	segments	tcp4-1448xN		over segments per aggregate
#	flows		tcp4-1448x4, tcp4-Nflows	over interleaved flows of four segments
#	policies	tcp4-1448x16, tcp6-1448x16	over policies for other devices, paths idle and otherN

/"kernel"/ {
	if (member("kernel") != kernel)
		next
	c = member("case")
	p = member("path")
	if (of == "segments" && c ~ /^tcp4-1448x[0-9]+$/) {
		x = c
		sub(/.*x/, "", x)
	} else if (of == "flows" && c == "tcp4-1448x4") {
		x = 1
	} else if (of == "flows" && c ~ /^tcp4-[0-9]+flows$/) {
		x = c
		gsub(/^tcp4-|flows$/, "", x)
	} else if (of == "policies" && c ~ /^tcp[46]-1448x16$/ && p ~ /^(idle|other[0-9]+)$/) {
		x = p
		sub(/^idle|^other/, "", x)
		p = c
	} else {
		next
	}
	x += 0
	y[p, x] = member("total_insns")
	if (!(p in points))
		paths[++np] = p
	points[p]++
	xs[x]
}

END {
	for (x in xs)
		order[++nx] = x + 0
	for (i = 2; i <= nx; i++) {
		for (j = i; j > 1 && order[j] < order[j - 1]; j--) {
			t = order[j]
			order[j] = order[j - 1]
			order[j - 1] = t
		}
	}
	printf "x"
	for (i = 1; i <= np; i++)
		if (points[paths[i]] > 1)
			printf "\t%s", paths[i]
	print ""
	for (j = 1; j <= nx; j++) {
		printf "%s", order[j]
		for (i = 1; i <= np; i++)
			if (points[paths[i]] > 1)
				printf "\t%s", ((paths[i], order[j]) in y) ? y[paths[i], order[j]] : "?"
		print ""
	}
}
