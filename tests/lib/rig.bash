# SPDX-License-Identifier: GPL-2.0
# Loaded after lib/common by tests that use the rig or attach policies.
#
# Under emulation starting a program costs a quarter of a second: helpers start few.

# shellcheck disable=SC2154,SC2034 # variables of lib/common, and for the tests
# shellcheck disable=SC2016 # jq's variables
progs=$build/tests/progs
pins=/sys/fs/bpf/bpf_gro
ko=$build/$release/bpf_gro.ko

# rig_script [LINE]...: lines for build/rigscript (see tests/rig/rigscript.c); without any: from stdin
rig_script()
{
	if (($#)); then
		printf '%s\n' "$@" >"$BATS_TEST_TMPDIR/rigscript"
		run_ok "$build/rigscript" <"$BATS_TEST_TMPDIR/rigscript"
	else
		run_ok "$build/rigscript"
	fi
}

# policy NAME FILTER: jq's answer about a policy in groctl status
policy()
{
	groctl status --json | jq -r --arg name "$1" ".policies[] | select(.name == \$name) | $2"
}

# stat_of NAME FILTER: jq's answer about the sum of a policy's counters
stat_of()
{
	groctl stats --json | jq -r --arg name "$1" ".policies[] | select(.name == \$name) | .sum | $2"
}

ejected()
{
	[[ $(policy "$1" .state) == ejected ]]
}

policies()
{
	groctl status --json | jq -r '[.policies[].name] | sort | join(" ")'
}

unreferenced()
{
	(($(</sys/module/bpf_gro/refcnt) == 0))
}

# Nothing is attached and nothing is left of what was.
assert_nothing_attached()
{
	local left

	left=("$pins"/*)
	[[ ! -e ${left[0]} ]] || explain "pins are left" "${left[@]}" || return 1
	assert_eq "" "$(policies)" "policies in groctl status" && wait_for 20 unreferenced
}
