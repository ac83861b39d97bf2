# SPDX-License-Identifier: GPL-2.0
# Loaded after lib/common: bytes through TCP between the namespaces of netns_pair, and policies that come and go meanwhile.

# shellcheck disable=SC2154,SC2034 # variables of lib/common, and for the tests

# make_data MIB: $data is a file of random bytes, $data_sum its SHA-256
make_data()
{
	data=$BATS_FILE_TMPDIR/data.$1
	[[ -s $data ]] || {
		head -c "$(($1 << 20))" /dev/urandom >"$data"
		sha256sum <"$data" >"$data.sum"
	}
	data_sum=$(<"$data.sum")
}

# transfer ADDRESS [PORT [SECONDS]]: sends $data from bg-a to bg-b, or bg-$transfer_to, at that address, compares what arrives
transfer()
{
	local family=4 address=$1 port=${2:-5000} limit=${3:-120} got=$BATS_TEST_TMPDIR/received.${2:-5000} receiver

	[[ $1 != *:* ]] || family=6 address=[$1]
	# bash: the pipe is a job of its own
	in_ns "${transfer_to:-b}" bash -c "timeout $limit socat -u -b 262144 TCP$family-LISTEN:$port,reuseaddr - | sha256sum" >"$got" 3>&- </dev/null &
	receiver=$!
	wait_for 30 listening "${transfer_to:-b}" "$port" || return 1
	run_ok timeout "$limit" ip netns exec bg-a socat -u -b 262144 "OPEN:$data" "TCP$family:$address:$port" || {
		kill "$receiver"
		return 1
	}
	wait "$receiver"
	assert_eq "$data_sum" "$(<"$got")" "SHA-256 of what arrived at $1"
}

# transfer_both [SECONDS]: IPv4 and IPv6 at once
transfer_both()
{
	local first code=0

	(transfer 10.7.0.2 5004 "${1:-}") >"$BATS_TEST_TMPDIR/transfer4" 2>&1 3>&- &
	first=$!
	transfer fd07::2 5006 "${1:-}" || code=1
	wait "$first" || {
		cat "$BATS_TEST_TMPDIR/transfer4"
		code=1
	}
	return "$code"
}

# churn_start [-k]: policies come and go as fast as they can, or with -k are replaced, until churn_stop MINIMUM
churn_start()
{
	background "$build/tests/churn" "$build/bpf/tcp.bpf.o" "$@"
	churn=$background churn_log=$background_log
	wait_for 60 grep -q ready "$churn_log"
}

# What churn did since it started; fails if it failed, or was not $1 rounds far.
churn_stop()
{
	kill "$churn"
	wait "$churn" || explain "churn failed" "$(<"$churn_log")" || return 1
	assert_ge "$1" "$(awk '/rounds/ { print $1 }' "$churn_log")" "rounds of attach, replace, replace, detach"
}

# counters_of NAMESPACE NAME...: sums of SNMP counters since the namespace was made, as NAME=VALUE lines
counters_of()
{
	in_ns "$1" nstat -asz | awk -v names="${*:2}" '
		BEGIN { n = split(names, name, " ") }
		{ value[$1] = $2 }
		END { for (i = 1; i <= n; i++) printf "%s=%s\n", name[i], value[name[i]] + 0 }'
}

# Nothing arrived broken; nothing out of order either, unless the path itself dropped packets.
assert_no_errors()
{
	local counters dropped

	counters=$(counters_of b TcpInErrs TcpInCsumErrors IpInHdrErrors Ip6InHdrErrors IpInTruncatedPkts Ip6InTruncatedPkts \
		IpInDiscards Ip6InDiscards)
	assert_no_match "$counters" "=[1-9]" "errors that the receiver counts" || return 1
	dropped=$(($(device_stat a va tx_dropped) + $(device_stat b vb rx_dropped)))
	((dropped > 0)) || assert_eq "TcpExtTCPOFOQueue=0" "$(counters_of b TcpExtTCPOFOQueue)" "segments out of order, nothing being dropped"
}
