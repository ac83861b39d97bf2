# SPDX-License-Identifier: GPL-2.0
# sort SYMBOLS COUNTS | awk -v packets=N -f functions.awk: instructions per packet by function, tab-separated:
#	PART	FUNCTION	RECEIVE	COMPLETE
# Lines are "ADDRESS NAME [MODULE]" and, from trace.awk, "ADDRESS receive|complete TIMES"; a count belongs to the symbol before it.

# What a function belongs to.
function part_of(name, module)
{
	if (name ~ /^(__pi_)?__x86_(indirect|return)_|^srso_|^retbleed_|^its_/)
		return "thunk"
	if (module == "[bpf_gro_rig]")
		return "driver"
	if (module == "[bpf_gro]") {
		if (name ~ /^bpf_gro_/)
			return "kfunc"
		return name ~ /^gro_join/ ? "join" : "hook"
	}
	if (module == "[bpf]")
		return name ~ /^bpf_prog_/ ? "program" : "trampoline"
	return "core"
}

# A kernel has functions of these names, too.
($2 == "receive" || $2 == "complete") && $3 ~ /^-?[0-9]+$/ {
	key = part "\t" name
	sum[key, $2] += $3
	if (!(key in seen)) {
		seen[key]
		keys[++n] = key
	}
	next
}

# Of several names for one address the first is taken.
$1 != addr {
	addr = $1
	name = $2
	part = part_of($2, $3)
	# its tag is different with each compiler, and says nothing
	sub(/^bpf_prog_[0-9a-f]+_/, "", name)
}

END {
	for (i = 1; i <= n; i++)
		printf "%s\t%.2f\t%.2f\n", keys[i], sum[keys[i], "receive"] / packets, sum[keys[i], "complete"] / packets
}
