#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# 64 MiB through loss, reordering, duplication and corruption, natively and with policies that come and go. The receiver
# counts no class of error that the native run lacks.
# CPUs: 2

load lib/common
load lib/transfer

classes=(TcpInErrs TcpInCsumErrors TcpExtTCPOFOQueue IpInDiscards Ip6InDiscards IpInTruncatedPkts Ip6InTruncatedPkts
	TcpExtTCPRcvQDrop TcpExtTCPZeroWindowDrop TcpExtTCPOFODrop TcpExtTCPBacklogDrop TcpExtPAWSEstab TcpExtTCPRcvCollapsed)

# bad_line: namespaces joined by one; checksums in software, so that corruption is for the receiver to find. The queue sees packets
# before they are segmented, so TCP is told to make them one by one: each has its chance to be lost.
bad_line()
{
	netns_pair
	modprobe sch_netem
	in_ns a ethtool -K va tx off >/dev/null
	run_ok ip -n bg-a link set va gso_max_segs 1
	in_ns b ethtool -K vb tx off >/dev/null
	run_ok in_ns a tc qdisc add dev va root netem limit 10000 delay 1ms loss 0.2% duplicate 0.3% corrupt 0.05% reorder 2% 50%
}

# through_netem NAME: both families, 64 MiB each; counters to a file
through_netem()
{
	make_data 64
	transfer_both 170
	counters_of b "${classes[@]}" >"$BATS_FILE_TMPDIR/$1"
	counters_of a TcpRetransSegs >>"$BATS_FILE_TMPDIR/$1"
	# the line was as bad as it should be
	assert_match "$(<"$BATS_FILE_TMPDIR/$1")" "TcpInCsumErrors=[1-9]"
	assert_match "$(<"$BATS_FILE_TMPDIR/$1")" "TCPOFOQueue=[1-9]"
	assert_match "$(<"$BATS_FILE_TMPDIR/$1")" "TcpRetransSegs=[1-9]"
}

@test "64 MiB over IPv4 and IPv6 through a bad line, natively" {
	bad_line
	through_netem native
}

@test "64 MiB over IPv4 and IPv6 through a bad line, policies attached, replaced and detached meanwhile" {
	local class new=""

	bad_line
	churn_start
	through_netem bpf
	churn_stop 10
	[[ -s $BATS_FILE_TMPDIR/native ]] || explain "the native run left no counters"
	while IFS='=' read -r class value; do
		((value == 0)) || ! grep -qx "$class=0" "$BATS_FILE_TMPDIR/native" || new+=" $class=$value"
	done <"$BATS_FILE_TMPDIR/bpf"
	[[ -z $new ]] || explain "classes of error that the native run lacks:$new" "native:" "$(<"$BATS_FILE_TMPDIR/native")" \
		"with policies:" "$(<"$BATS_FILE_TMPDIR/bpf")"
}
