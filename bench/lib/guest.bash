# SPDX-License-Identifier: GPL-2.0
# Sourced in the VM by bench/guest and bench/profile-guest: cases and paths from their tables.

# shellcheck disable=SC2034 # read by those who source this
build=/src/build
krel=$(uname -r)
bench_dir=/src/bench
xdp_pin=/sys/fs/bpf/bench-xdp

die()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# lines TABLE: those that say something
lines()
{
	grep -vE '^[[:space:]]*(#|$)' "$bench_dir/$1"
}

# read_case LINE, read_path LINE: into case_* and path_*
read_case()
{
	read -r case_name case_setup case_plan case_args <<<"$1"
}

read_path()
{
	read -r path_name path_policies path_xdp path_args path_cases <<<"$1"
	[[ $path_args == - ]] && path_args='' || path_args=${path_args//,/ }
}

# fits NAME GLOBS: one of the globs, apart by commas or spaces, fits the name
fits()
{
	local glob

	set -f
	for glob in ${2//,/ }; do
		# shellcheck disable=SC2053 # a glob
		[[ $1 != $glob ]] || { set +f; return 0; }
	done
	set +f
	return 1
}

# plan_of PATH PLAN: how many packets come up, in $planned
plan_of()
{
	local entry where kernel

	set -f
	for entry in ${2//,/ }; do
		planned=${entry##*:}
		[[ $entry == *:* ]] || break
		where=${entry%:*} kernel='*'
		[[ $where != *@* ]] || kernel=${where#*@}
		# shellcheck disable=SC2053 # globs
		[[ $1 != ${where%@*} || $krel != $kernel ]] || break
		planned=''
	done
	set +f
}

# What the kernel needs before it looks into a tunnel's packets. For all cases that need it at once, and to stay: what
# such a device switches on does not go off with it.
setup_for()
{
	case $1 in
	vxlan)
		ip link add bench-vxlan type vxlan dstport 4789 external
		ip link set bench-vxlan up
		;;
	geneve)
		ip link add bench-geneve type geneve external
		ip link set bench-geneve up
		;;
	pppoe)
		modprobe pppoe
		;;
	*)
		die "no setup '$1'"
		;;
	esac
}

# policy_object NAME DIRECTORY: the object that a table means
policy_object()
{
	if [[ $1 == */* ]]; then
		echo "$build/$1.bpf.o"
	else
		echo "$build/$2/$1.bpf.o"
	fi
}

# attach_policy SPEC: NAME[:OPTION=VALUE]...[@N]
attach_policy()
{
	local spec=${1%@*} others=0 args=() word words n

	[[ $1 != *@* ]] || others=${1#*@}
	IFS=: read -ra words <<<"$spec"
	args=("$(policy_object "${words[0]}" bpf)")
	for word in "${words[@]:1}"; do
		args+=(-o "$word")
	done
	if ((others == 0)); then
		"$build/groctl" attach "${args[@]}" >/dev/null
		return
	fi
	for ((n = 0; n < others; n++)); do
		[[ -e /sys/class/net/other$n ]] || ip link add "other$n" type dummy || return
		"$build/groctl" attach "${args[@]}" --name "other$n" --dev "other$n" >/dev/null || return
	done
}

# policies_up, policies_down: the policies and the XDP program of path_*
policies_up()
{
	local spec

	if [[ $path_policies == *[a-z]* ]]; then
		for spec in ${path_policies//+/ }; do
			attach_policy "$spec" || return
		done
	fi
	[[ $path_xdp == - ]] || bpftool prog load "$(policy_object "$path_xdp" bench)" "$xdp_pin" type xdp
}

policies_down()
{
	[[ $path_xdp == - ]] || rm -f "$xdp_pin"
	[[ $path_policies != *[a-z]* ]] || "$build/groctl" detach --all >/dev/null
}

# path_up, path_down: with the module, which is not there otherwise
path_up()
{
	[[ $path_policies == - ]] || insmod "$build/$krel/bpf_gro.ko" || return
	policies_up
}

path_down()
{
	policies_down || return
	[[ $path_policies == - ]] || rmmod bpf_gro
}

# What was attached is still there, and has seen packets unless it was for another device.
path_check()
{
	case $path_policies in
	- | +)
		;;
	*@*)
		"$build/groctl" status --json | jq -e 'all(.policies[]; .state == "active")' >/dev/null
		;;
	*)
		"$build/groctl" stats --json |
			jq -e 'all(.policies[]; .state == "active") and any(.policies[]; .sum.packets > 0)' >/dev/null
		;;
	esac
}

# measure [OPTION]...: one row of case_* by path_*, to stdout. The XDP program is attached, and $before_feed runs, when the device is there;
# $after_row when the row is, and the device still.
measure()
{
	local args row dev pid code=0

	plan_of "$path_name" "$case_plan"
	# shellcheck disable=SC2206 # words
	args=(measure $case_args $path_args --json --name "$case_name" --path "$path_name" "$@")
	[[ $path_args == *--gro-off* ]] || args+=(--expect "${planned:?no plan for this path}")
	if [[ $path_xdp == - && ! ${before_feed:-} ]]; then
		"$build/rig" "${args[@]}"
		return
	fi
	coproc rig { exec "$build/rig" "${args[@]}" --wait; }
	# shellcheck disable=SC2154 # bash sets them
	exec {from}<&"${rig[0]}" {to}>&"${rig[1]}"
	# shellcheck disable=SC2154
	pid=$rig_PID
	if read -r dev <&"$from" && { [[ $path_xdp == - ]] || bpftool net attach xdpdrv pinned "$xdp_pin" dev "$dev"; }; then
		[[ ! ${before_feed:-} ]] || "$before_feed"
		echo >&"$to"
		read -r row <&"$from" || code=1
		[[ ! ${after_row:-} ]] || "$after_row"
		cat <&"$from" >/dev/null
	else
		code=1
	fi
	exec {from}<&- {to}>&-
	wait "$pid" || code=$?
	((code)) || printf '%s\n' "$row"
	return "$code"
}
