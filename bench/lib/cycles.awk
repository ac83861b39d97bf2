# SPDX-License-Identifier: GPL-2.0
# awk -f row.awk -f cycles.awk ROWS...: cycles per packet, from VMs that had a cycle counter, as an array in JSON like that of results.awk. Medians of a clock
# that is not exact: no two runs agree to the digit.

{
	key = member("kernel") SUBSEP member("case") SUBSEP member("path")
	if (!(key in receive))
		keys[++n] = key
	receive[key] = member("receive_cycles") + 0
	complete[key] = member("complete_cycles") + 0
	packets[key] = member("packets")
}

END {
	printf "["
	for (i = 1; i <= n; i++) {
		split(keys[i], f, SUBSEP)
		total = receive[keys[i]] + complete[keys[i]]
		native = f[1] SUBSEP f[2] SUBSEP "native"
		base = (native in receive) ? receive[native] + complete[native] : 0
		printf "%s\n  {\"kernel\":\"%s\",\"case\":\"%s\",\"path\":\"%s\",\"packets\":%s,", (i > 1 ? "," : ""), f[1], f[2], f[3], packets[keys[i]]
		printf "\"receive_cycles\":%.1f,\"complete_cycles\":%.1f,\"total_cycles\":%.1f,\"ratio\":%s}", receive[keys[i]], complete[keys[i]], total,
			(base > 0 ? sprintf("%.3f", total / base) : "null")
	}
	print "\n]"
}
