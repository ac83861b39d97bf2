# SPDX-License-Identifier: GPL-2.0
# Loaded after lib/common, lib/transfer and lib/datagrams: bg-b between bg-a (device vb) and bg-c (device vr), which forwards; and whether
# packets leave it as they came. bg-c has addresses 10.9.0.2 and fd09::2.

# shellcheck disable=SC2154,SC2034 # variables of lib/common, and for the tests

# Packets are split before vr, and have their checksums there.
forward_pair()
{
	udp_pair
	in_ns a ethtool -K va tx off >/dev/null
	run_ok ip netns add bg-c
	run_ok ip link add vr netns bg-b type veth peer name vc netns bg-c
	in_ns c sysctl -qw net.ipv6.conf.vc.accept_dad=0
	in_ns b sysctl -qw net.ipv6.conf.vr.accept_dad=0
	ip -n bg-c link set lo up
	split_early b vr
	in_ns b ethtool -K vr tx off >/dev/null
	transfer_to=c
}

reached()
{
	wait_for 20 in_ns a ping -q -c 1 -W 1 10.9.0.2 && wait_for 20 in_ns a ping -q -c 1 -W 1 fd09::2
}

# router: bg-b routes
router()
{
	forward_pair
	in_ns b sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
	ip -n bg-b addr add 10.9.0.1/24 dev vr
	ip -n bg-c addr add 10.9.0.2/24 dev vc
	ip -n bg-b addr add fd09::1/64 dev vr nodad
	ip -n bg-c addr add fd09::2/64 dev vc nodad
	ip -n bg-b link set vr up
	ip -n bg-c link set vc up
	ip -n bg-a route add 10.9.0.0/24 via 10.7.0.2
	ip -n bg-a route add fd09::/64 via fd07::2
	ip -n bg-c route add default via 10.9.0.1
	ip -n bg-c route add default via fd09::1
	reached
}

# one_network: the ends are on one network, bg-b has no address and is to pass all of it on
one_network()
{
	forward_pair
	ip -n bg-b addr flush dev vb
	ip -n bg-a addr add 10.9.0.1/24 dev va
	ip -n bg-c addr add 10.9.0.2/24 dev vc
	ip -n bg-a addr add fd09::1/64 dev va nodad
	ip -n bg-c addr add fd09::2/64 dev vc nodad
	ip -n bg-b link set vr up
	ip -n bg-c link set vc up
}

# packets_in FILE: a line of hexadecimal digits for each IP packet, without what a router changes: TTL or hop limit, header checksum
packets_in()
{
	tcpdump -nn -t -xx -r "$1" 2>/dev/null | awk '
		function flush()
		{
			p = substr(p, 29)
			if (p ~ /^4/)
				print substr(p, 1, 16) "--" substr(p, 19, 2) "----" substr(p, 25)
			else if (p ~ /^6/)
				print substr(p, 1, 14) "--" substr(p, 17)
			p = ""
		}
		/^\t0x/ { sub(/^[^:]*:/, ""); gsub(/ /, ""); p = p $0; next }
		p { flush() }
		END { if (p) flush() }'
}

# small_data: $data of 200,000 bytes: under emulation what is captured takes long to compare
small_data()
{
	data=$BATS_FILE_TMPDIR/data.small
	head -c 200000 /dev/urandom >"$data"
	data_sum=$(sha256sum <"$data")
}

# same_packets FILE FILE: there are some, and they are the same; their lists are left in FILE.txt
same_packets()
{
	packets_in "$1" >"$1.txt"
	packets_in "$2" >"$2.txt"
	[[ -s $1.txt ]] && cmp -s "$1.txt" "$2.txt"
}

drops()
{
	echo $(($(device_stat a va tx_dropped) + $(device_stat b vb rx_dropped) + $(device_stat b vr tx_dropped) + $(device_stat c vc rx_dropped)))
}

# as_they_came FILTER COMMAND...: the packets of this filter that bg-a sends while it runs arrive at bg-c, each as it was and in order.
# What a full queue drops has nothing to do with that: then once more.
as_they_came()
{
	local filter=$1 sent=$BATS_TEST_TMPDIR/sent arrived=$BATS_TEST_TMPDIR/arrived before dump try same

	shift
	for try in 1 2 3; do
		before=$(drops)
		background in_ns a tcpdump -i va -Q out -s 0 -B 32768 --immediate-mode -U -w "$sent" "$filter"
		dump=("$background" "$background_log")
		background in_ns c tcpdump -i vc -Q in -s 0 -B 32768 --immediate-mode -U -w "$arrived" "$filter"
		dump+=("$background" "$background_log")
		wait_for 30 grep -q listening "${dump[1]}" && wait_for 30 grep -q listening "${dump[3]}" || return 1
		"$@" || return 1
		# the last acknowledgement may be on its way
		same=
		! wait_for 20 same_packets "$sent" "$arrived" >/dev/null || same=1
		# not the shells around them, which would leave them behind
		pkill -x tcpdump
		wait "${dump[0]}" "${dump[2]}" || true
		[[ $same ]] || same_packets "$sent" "$arrived" || true
		assert_ge 50 "$(wc -l <"$sent.txt")" "packets sent" || return 1
		! cmp -s "$sent.txt" "$arrived.txt" || return 0
		grep -q "^0 packets dropped by kernel" "${dump[1]}" && grep -q "^0 packets dropped by kernel" "${dump[3]}" &&
			(($(drops) == before)) && break
		echo "a queue was full, once more: $*" >&3
	done
	explain "what left is not what came in: $*" "$(diff "$sent.txt" "$arrived.txt" | cut -c 1-300 | head -n 12)"
}
