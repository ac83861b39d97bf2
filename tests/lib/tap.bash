# SPDX-License-Identifier: GPL-2.0
# Loaded after lib/common by the tests on the rig that print TAP: results, programs that print TAP themselves, recordings of rigdiff.

# shellcheck disable=SC2154,SC2034 # variables of lib/common, and for the tests
work=$(mktemp -d)
number=0

# result NAME CODE [FILE]
result()
{
	number=$((number + 1))
	if (($2 == 0)); then
		echo "ok $number $1"
	else
		echo "not ok $number $1"
		[[ -z ${3:-} ]] || head -n 80 "$3" | sed 's/^/# /'
	fi
}

# is NAME EXPECTED ACTUAL
is()
{
	local code=0

	[[ $2 == "$3" ]] || code=1
	printf '%s\n' "expected: $2" "actual: $3" >"$work/out"
	result "$1" $code "$work/out"
}

# at_least NAME MINIMUM ACTUAL: whole numbers
at_least()
{
	local code=0

	(($3 >= $2)) || code=1
	printf '%s\n' "expected: at least $2" "actual: $3" >"$work/out"
	result "$1" $code "$work/out"
}

# program LABEL COMMAND...: takes over the results of a program that prints TAP
program()
{
	local label=$1 code line

	shift
	"$@" >"$work/out" 2>&1
	code=$?
	while IFS= read -r line; do
		if [[ $line =~ ^(not\ )?ok\ [0-9]+\ (.*)$ ]]; then
			number=$((number + 1))
			if [[ -n ${BASH_REMATCH[1]} && $line == *"# TODO"* ]]; then
				echo "ok $number $label ${BASH_REMATCH[2]}"
			else
				echo "${BASH_REMATCH[1]}ok $number $label ${BASH_REMATCH[2]}"
			fi
		elif [[ $line == "#"* ]]; then
			echo "$line"
		fi
	done <"$work/out"
	# 1: some of its tests failed, which stands there already
	((code < 2)) || result "$label runs" "$code" "$work/out"
	grep -q '^1\.\.' "$work/out" || result "$label prints a plan" 1 "$work/out"
}

# record DIRECTORY [OPTION]...
record()
{
	local seed

	mkdir -p "$1"
	for seed in $seeds; do
		"$build/rigdiff" run --seed "$seed" --count "$count" --out "$1/$seed" "${@:2}" || return 1
	done
}

# What is compared has something to compare: FILE is what record printed.
joined_enough()
{
	at_least "native GRO joined in these sequences" $((count / 2)) \
		"$(awk '/of them joined/ { sub(/ of them joined.*/, ""); n += $NF } END { print n + 0 }' "$1")"
}

# attach POLICY [OPTION]...
attach()
{
	"$build/groctl" attach "$@" >"$work/out" 2>&1
	result "attached: $*" $? "$work/out"
}

detached()
{
	"$build/groctl" detach --all >"$work/out" 2>&1
	result "detached" $? "$work/out"
}

# compare LABEL A B
compare()
{
	local seed code

	for seed in $seeds; do
		"$build/rigdiff" cmp "$work/$2/$seed" "$work/$3/$seed" >"$work/cmp" 2>&1
		code=$?
		{ tail -n 1 "$work/cmp" && cat "$work/cmp"; } >"$work/out"
		result "$1, seed $seed, $count sequences" "$code" "$work/out"
	done
}

# Tunnels that GRO looks into only when a socket is there
tunnels()
{
	modprobe -a vxlan geneve || return
	ip link add rigvx type vxlan dstport 4789 external && ip link set rigvx up &&
		ip link add riggnv type geneve external && ip link set riggnv up
}

# ejected: some policy was
ejected()
{
	"$build/groctl" status | grep -i ejected
}
