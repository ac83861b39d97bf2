# SPDX-License-Identifier: GPL-2.0
# Loaded after lib/common: datagrams between namespaces, checked byte by byte and boundary by boundary (tests/tools/dgram.c).

# shellcheck disable=SC2154,SC2034 # variables of lib/common, and for the tests
dgram=$build/tests/dgram

# udp_bound NAMESPACE PORT: something is bound there
udp_bound()
{
	[[ $(in_ns "$1" ss -Huln "sport = :$2") ]]
}

# split_early NAMESPACE DEVICE: the device sends packets as a wire carries them, those of UDP_SEGMENT and of aggregates too
split_early()
{
	run_ok in_ns "$1" ethtool -K "$2" tso off gso off tx-udp-segmentation off tx-gso-list off
}

# udp_pair: netns_pair, and bg-a sends single datagrams
udp_pair()
{
	netns_pair && split_early a va
}

# datagrams FROM TO ADDRESS [-r RECEIVER-OPTION]... [SENDER-OPTION]...: sends, checks; $datagrams has what the receiver counted, as
# "NAME N" pairs
datagrams()
{
	local from=$1 to=$2 address=$3 receiver=() log port=7000

	shift 3
	while [[ ${1:-} == -r ]]; do
		receiver+=("$2")
		shift 2
	done
	background in_ns "$to" "$dgram" recv "${receiver[@]}" "$address" $port
	log=$background_log
	wait_for 30 grep -q ready "$log" || return 1
	run_ok in_ns "$from" timeout 120 "$dgram" send "$@" "$address" $port || {
		explain "the receiver says" "$(<"$log")"
		return 1
	}
	wait "$background" || explain "the receiver at $address is not content" "$(<"$log")" || return 1
	datagrams=$(tail -n 1 "$log")
}

# counted NAME: from the last datagrams
counted()
{
	awk -v name="$1" '{ for (i = 1; i < NF; i += 2) if ($i == name) print $(i + 1) }' <<<"$datagrams"
}

# reason POLICY NAME: packets with this reason
reason()
{
	stat_of "$1" "[.reasons[] | select(.reason == \"$2\") | .packets] | add // 0"
}
