# SPDX-License-Identifier: GPL-2.0
# awk -v title=... -v receive=N -v complete=N -f profile.awk FUNCTIONS: the table of functions.awk for people, with sums by part. receive and complete
# are what was measured: the sums must agree with them. The rig's loop and what it calls to read clocks are in neither.

BEGIN {
	FS = "\t"
	text["core"] = "kernel"
	text["thunk"] = "retpolines and return thunks"
	text["hook"] = "bpf_gro.ko: hook, contract, verdict"
	text["join"] = "bpf_gro.ko: joining"
	text["kfunc"] = "bpf_gro.ko: kfuncs"
	text["program"] = "BPF program"
	text["trampoline"] = "BPF trampoline"
	text["driver"] = "the rig"
}

$2 ~ /^rig_loop_/ {
	next
}

{
	line[++n] = $0
	total[n] = $3 + $4
	sum_r[$1] += $3
	sum_c[$1] += $4
	all_r += $3
	all_c += $4
}

END {
	printf "%s: instructions per packet\n\n", title
	for (i = 1; i <= n; i++)
		order[i] = i
	for (i = 2; i <= n; i++) {
		for (j = i; j > 1 && total[order[j]] > total[order[j - 1]]; j--) {
			k = order[j]
			order[j] = order[j - 1]
			order[j - 1] = k
		}
	}
	printf "%9s %9s %6s  %-10s %s\n", "receive", "complete", "%", "part", "function"
	for (i = 1; i <= n; i++) {
		split(line[order[i]], f, "\t")
		printf "%9.2f %9.2f %6.1f  %-10s %s\n", f[3], f[4], 100 * total[order[i]] / (all_r + all_c), f[1], f[2]
	}
	printf "\n%9s %9s %6s  %s\n", "receive", "complete", "%", "part"
	m = split("core thunk hook join kfunc program trampoline driver", parts, " ")
	for (i = 1; i <= m; i++) {
		p = parts[i]
		if (p in sum_r)
			printf "%9.2f %9.2f %6.1f  %s: %s\n", sum_r[p], sum_c[p], 100 * (sum_r[p] + sum_c[p]) / (all_r + all_c), p, text[p]
	}
	printf "%9.2f %9.2f %6.1f  sum\n%9.2f %9.2f         measured\n", all_r, all_c, 100, receive, complete
	# the loop that is subtracted has a call and return per packet of its own
	off = all_r + all_c - receive - complete
	if (off > 0.02 * (receive + complete) || off < -0.02 * (receive + complete)) {
		printf "the sum is not what was measured: off by %.2f\n", off
		exit 1
	}
}
