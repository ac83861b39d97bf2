# SPDX-License-Identifier: GPL-2.0
# Loaded by every tests/*.bats: load lib/common. Runs in the VM, as root, on a stock kernel.
#
# setup and teardown here do for each test: nothing attached before and after, namespaces and
# background processes of the test gone, and a clean kernel log. A file with a setup or teardown of
# its own calls test_begin and test_end in them. Namespaces in $keep_netns stay for the file's next test.
#
# Helpers fail with the command, its output, its exit code, what was expected and what came: a
# failure should need no second run. Never a bare [ a = b ], never a fixed sleep.

# shellcheck disable=SC2034,SC2154 # variables of bats, and for the tests
src=/src
build=$src/build
release=$(uname -r)

setup()
{
	test_begin
}

teardown()
{
	test_end
}

test_begin()
{
	test_pids=()
	test_mark="bpf-gro-test-$$-$BATS_TEST_NUMBER-${EPOCHREALTIME/./}"
	echo "$test_mark $BATS_TEST_DESCRIPTION" >/dev/kmsg
}

test_end()
{
	local bad=0 pid ns

	for pid in "${test_pids[@]}"; do
		kill "$pid" 2>/dev/null
	done
	for pid in "${test_pids[@]}"; do
		wait "$pid" 2>/dev/null
	done
	detach_all || bad=1
	for ns in $(ip netns list | awk '/^bg-/ { print $1 }'); do
		[[ " ${keep_netns:-} " != *" $ns "* ]] || continue
		ip netns pids "$ns" | xargs -r kill -9 2>/dev/null
		ip netns del "$ns"
	done
	dmesg_clean || bad=1
	return "$bad"
}

# Whatever the test left attached.
detach_all()
{
	# a policy holds its module; to ask groctl after each test would take long
	[[ ! -e /sys/module/bpf_rx_header/refcnt || $(</sys/module/bpf_rx_header/refcnt) == 0 ]] ||
		"$build/groctl" headers clear --all >/dev/null || return 1
	[[ -e /sys/kernel/btf/bpf_gro && -x $build/groctl ]] || return 0
	local out

	out=$("$build/groctl" detach --all 2>&1) && return 0
	[[ $out == *"nothing"* || $out == *"no policy"* ]] || {
		echo "teardown: groctl detach --all failed: $out"
		return 1
	}
}

# The kernel's log since the test began has nothing that a test may not leave.
dmesg_clean()
{
	local dirty

	dirty=$(test_dmesg | "$src/tests/lib/dmesg-check") && return 0
	echo "the kernel's log is dirty:"
	echo "$dirty"
	return 1
}

# The kernel's log of this test.
test_dmesg()
{
	dmesg | awk -v mark="$test_mark" 'on { print } index($0, mark) { on = 1 }'
}

explain()
{
	local line

	echo "--- $1"
	shift
	for line; do
		printf '%s\n' "$line"
	done
	return 1
}

# run_ok COMMAND...: runs it, must succeed. $output has what it printed, $errors its stderr.
run_ok()
{
	local code=0

	output=$("$@" 2>"$BATS_TEST_TMPDIR/stderr") || code=$?
	errors=$(<"$BATS_TEST_TMPDIR/stderr")
	((code == 0)) ||
		explain "failed: $*" "exit code: expected 0, got $code" "stdout: $output" "stderr: $errors"
}

# run_fail CODE COMMAND...: runs it, must fail with this code, or any if CODE is "any".
run_fail()
{
	local want=$1 code=0

	shift
	output=$("$@" 2>"$BATS_TEST_TMPDIR/stderr") || code=$?
	errors=$(<"$BATS_TEST_TMPDIR/stderr")
	if [[ $want == any ]]; then
		((code != 0)) || explain "should have failed: $*" "stdout: $output" "stderr: $errors"
	else
		((code == want)) || explain "should have failed: $*" "exit code: expected $want, got $code" \
			"stdout: $output" "stderr: $errors"
	fi
}

# assert_eq EXPECTED ACTUAL [WHAT]
assert_eq()
{
	[[ $1 == "$2" ]] || explain "${3:-values differ}" "expected: $1" "actual:   $2"
}

# assert_ge MINIMUM ACTUAL [WHAT], assert_le MAXIMUM ACTUAL [WHAT]: numbers, also broken ones
assert_ge()
{
	awk -v min="$1" -v got="$2" 'BEGIN { exit !(got != "" && got + 0 >= min + 0) }' ||
		explain "${3:-too small}" "expected: at least $1" "actual:   $2"
}

assert_le()
{
	awk -v max="$1" -v got="$2" 'BEGIN { exit !(got != "" && got + 0 <= max + 0) }' ||
		explain "${3:-too large}" "expected: at most $1" "actual:   $2"
}

# assert_match TEXT REGEX [WHAT], assert_no_match: extended regular expressions, by line
assert_match()
{
	grep -qE -- "$2" <<<"$1" || explain "${3:-no match}" "expected to match: $2" "actual: $1"
}

assert_no_match()
{
	! grep -qE -- "$2" <<<"$1" || explain "${3:-match}" "expected not to match: $2" "actual: $1"
}

# assert_json TEXT FILTER [WHAT]: the jq filter is true of it
assert_json()
{
	jq -e "$2" >/dev/null 2>&1 <<<"$1" || explain "${3:-JSON differs}" "expected: $2" "actual: $1"
}

# wait_for SECONDS COMMAND...: until it succeeds
wait_for()
{
	local end=$((SECONDS + $1)) out

	shift
	until out=$("$@" 2>&1); do
		((SECONDS < end)) || {
			explain "still not so after the time allowed: $*" "its last output: $out"
			return 1
		}
		command sleep 0.05
	done
}

# background COMMAND...: runs until the test ends; its output in $background_log, its id in $background
background()
{
	background_log=$BATS_TEST_TMPDIR/background.${#test_pids[@]}
	"$@" >"$background_log" 2>&1 3>&- </dev/null &
	background=$!
	test_pids+=("$background")
}

# load_modules: bpf_gro and, if it was built, the rig, with what they need
load_module()
{
	local ko=$build/$release/$1.ko need

	[[ ! -e /sys/module/$1 ]] || return 0
	for need in $(modinfo -F depends "$ko" | tr ',' ' '); do
		modprobe "$need" || return 1
	done
	shift
	insmod "$ko" "$@"
}

unload_module()
{
	[[ ! -e /sys/module/$1 ]] || rmmod "$1"
}

on_kernel()
{
	[[ $release == "$1".* || $release == "$1"-* ]]
}

# netns_pair [A B]: two namespaces bg-A and bg-B (default a, b) joined by veth devices va and vb, with
# addresses 10.7.0.1 and .2, fd07::1 and ::2. The receiver b has GRO on; a sends what the stack makes.
netns_pair()
{
	local a=bg-${1:-a} b=bg-${2:-b}

	run_ok ip netns add "$a"
	run_ok ip netns add "$b"
	run_ok ip link add va netns "$a" type veth peer name vb netns "$b"
	ip -n "$a" link set lo up
	ip -n "$b" link set lo up
	# no neighbour or address discovery to wait for
	ip netns exec "$a" sysctl -qw net.ipv6.conf.va.accept_dad=0 net.ipv6.conf.va.router_solicitations=0
	ip netns exec "$b" sysctl -qw net.ipv6.conf.vb.accept_dad=0 net.ipv6.conf.vb.router_solicitations=0
	ip -n "$a" addr add 10.7.0.1/24 dev va
	ip -n "$b" addr add 10.7.0.2/24 dev vb
	ip -n "$a" addr add fd07::1/64 dev va nodad
	ip -n "$b" addr add fd07::2/64 dev vb nodad
	run_ok ip -n "$a" link set va up
	run_ok ip -n "$b" link set vb up
	# packets as a wire carries them: segmented before veth
	ip netns exec "$a" ethtool -K va tso off gso off >/dev/null
	ip netns exec "$b" ethtool -K vb gro on >/dev/null
	wait_for 20 ip netns exec "$a" ping -q -c 1 -W 1 10.7.0.2
	wait_for 20 ip netns exec "$a" ping -q -c 1 -W 1 fd07::2
}

in_ns()
{
	ip netns exec "bg-$1" "${@:2}"
}

# listening NAMESPACE PORT: something listens there on TCP
listening()
{
	[[ $(in_ns "$1" ss -Hltn "sport = :$2") ]]
}

# iperf_server NAMESPACE [PORT]: starts one and waits until it listens
iperf_server()
{
	background ip netns exec "bg-$1" iperf3 --server --port "${2:-5201}" --forceflush
	wait_for 20 listening "$1" "${2:-5201}"
}

# device_stat NAMESPACE DEVICE COUNTER, snmp NAMESPACE COUNTER (as TcpInCsumErrors)
device_stat()
{
	in_ns "$1" cat "/sys/class/net/$2/statistics/$3"
}

snmp()
{
	in_ns "$1" nstat -asz "$2" | awk -v name="$2" '$1 == name { print $2 }'
}
