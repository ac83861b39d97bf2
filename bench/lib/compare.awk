# SPDX-License-Identifier: GPL-2.0
# awk -f row.awk -f compare.awk PASS1 PASS2: two runs of the same. At least 95 % of the rows have to be identical and the rest within 0.5 %; exit
# code 1 if not.

{
	key = member("kernel") ", " member("case") ", " member("path")
	counts = member("receive_insns") " " member("complete_insns")
}

FNR == NR {
	first[key] = counts
	total[key] = member("total_insns")
	n++
	next
}

!(key in first) {
	printf "only in the second run: %s\n", key
	bad = 1
	next
}

{
	again[key]
	if (first[key] == counts) {
		same++
		next
	}
	off = total[key] ? 100 * (member("total_insns") - total[key]) / total[key] : 100
	if (off < 0)
		off = -off
	if (off > most)
		most = off
	printf "differs by %.3f %%: %s: %s and %s\n", off, key, first[key], counts
}

END {
	for (key in first) {
		if (!(key in again)) {
			printf "only in the first run: %s\n", key
			bad = 1
		}
	}
	printf "measured twice: %d of %d rows identical, the rest within %.3f %%\n", same, n, most
	exit bad || !n || same < 0.95 * n || most > 0.5
}
