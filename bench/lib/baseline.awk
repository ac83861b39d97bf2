# SPDX-License-Identifier: GPL-2.0
# awk -f row.awk -f baseline.awk BASELINE results.json: what takes over 2 % more instructions than the baseline of its kernel, by name; exit code 1 if
# there is something. BASELINE: "CASE PATH TOTAL", # begins a comment. -v kernel=RELEASE chooses the rows.

BEGIN {
	limit = 2
}

FNR == NR {
	if (!/^#/ && NF == 3) {
		base[$1, $2] = $3
		n++
	}
	next
}

!/"kernel"/ || member("kernel") != kernel {
	next
}

{
	c = member("case")
	p = member("path")
	t = member("total_insns")
	if (!((c, p) in base)) {
		fresh++
		next
	}
	seen++
	off = 100 * (t / base[c, p] - 1)
	if (off > limit) {
		printf "worse by %.1f %%: %s, %s: %s instructions per packet, %s in the baseline\n", off, c, p, t, base[c, p]
		worse++
	} else if (off < -limit) {
		printf "better by %.1f %%: %s, %s: %s instructions per packet, %s in the baseline\n", -off, c, p, t, base[c, p]
	}
}

END {
	printf "%s: %d rows compared with the baseline, %d worse by over %d %%", kernel, seen, worse, limit
	if (fresh)
		printf ", %d not in it", fresh
	if (n > seen)
		printf ", %d of it not measured", n - seen
	print ""
	exit worse > 0
}
