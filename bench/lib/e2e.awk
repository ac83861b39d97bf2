# SPDX-License-Identifier: GPL-2.0
# awk -f e2e.awk: lines "KERNEL TOPOLOGY TEST PATH ROUND VALUE" in, an array in JSON out: median, smallest and largest of the rounds, and the ratio of medians
# to path native. A measurement that failed left no number: it is counted as missing, and the exit code is 1.

NF != 6 || $6 !~ /^[0-9.]+([eE][+]?[0-9]+)?$/ {
	printf "no number: %s\n", $0 >"/dev/stderr"
	bad = 1
	next
}

{
	group = $1 SUBSEP $2 SUBSEP $3
	key = group SUBSEP $4
	if (!(key in runs)) {
		keys[++n] = key
		groups[n] = group
	}
	value[key, ++runs[key]] = $6 + 0
}

function median(key,   i, j, t, m) {
	m = runs[key]
	for (i = 2; i <= m; i++) {
		for (j = i; j > 1 && value[key, j] < value[key, j - 1]; j--) {
			t = value[key, j]
			value[key, j] = value[key, j - 1]
			value[key, j - 1] = t
		}
	}
	return m % 2 ? value[key, (m + 1) / 2] : (value[key, m / 2] + value[key, m / 2 + 1]) / 2
}

END {
	for (i = 1; i <= n; i++)
		mid[keys[i]] = median(keys[i])
	printf "["
	for (i = 1; i <= n; i++) {
		split(keys[i], f, SUBSEP)
		native = groups[i] SUBSEP "native"
		printf "%s\n  {\"kernel\":\"%s\",\"topology\":\"%s\",\"test\":\"%s\",\"path\":\"%s\",\"unit\":\"%s\",", (i > 1 ? "," : ""), f[1], f[2], f[3], f[4],
			(f[3] == "TCP_RR" ? "1/s" : "Mbit/s")
		printf "\"median\":%.1f,\"min\":%.1f,\"max\":%.1f,\"rounds\":%d,\"ratio\":%s}", mid[keys[i]], value[keys[i], 1], value[keys[i], runs[keys[i]]],
			runs[keys[i]], ((native in mid) && mid[native] > 0 ? sprintf("%.3f", mid[keys[i]] / mid[native]) : "null")
	}
	print "\n]"
	exit bad
}
