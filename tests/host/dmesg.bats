#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# The check of the kernel's log, with canned logs.

# shellcheck disable=SC2154 # variables of bats
setup()
{
	check=$BATS_TEST_DIRNAME/../lib/dmesg-check
}

clean()
{
	"$check" <<<"$1" || {
		echo "should be clean: $1"
		return 1
	}
}

dirty()
{
	! "$check" <<<"$1" >"$BATS_TEST_TMPDIR/out" || {
		echo "should be dirty: $1"
		return 1
	}
	[[ $(<"$BATS_TEST_TMPDIR/out") == *"${2:-$1}"* ]] || {
		echo "should have shown: ${2:-$1}"
		cat "$BATS_TEST_TMPDIR/out"
		return 1
	}
}

@test "an empty log and ordinary lines are clean" {
	clean ""
	clean "[    1.0] bpf_gro: policy tcp was taken off its slots: joined what it had not found"
	clean "[    1.0] IPv6: ADDRCONF(NETDEV_CHANGE): va: link becomes ready
[    2.0] audit: type=1334 audit(1.0:2): prog-id=12 op=LOAD"
}

@test "every kind of splat is dirty" {
	local line

	while IFS= read -r line; do
		dirty "[    1.234567] $line"
	done <<'EOT'
------------[ cut here ]------------ WARNING: CPU: 1 PID: 77 at net/core/skbuff.c:100 skb_release+0x1/0x2
WARNING: net/core/gro.c:500 at dev_gro_receive+0x1/0x2, CPU#0: iperf3/100
BUG: kernel NULL pointer dereference, address: 0000000000000008
BUG: KASAN: slab-use-after-free in napi_gro_complete+0x1/0x2
BUG: sleeping function called from invalid context at mm/slab.h:300
BUG: scheduling while atomic: swapper/0/0x00000100
Oops: 0000 [#1] PREEMPT SMP NOPTI
general protection fault, probably for non-canonical address 0xdead000000000122
rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
rcu: INFO: rcu_preempt self-detected stall on CPU
INFO: task rmmod:123 blocked for more than 120 seconds.
WARNING: suspicious RCU usage
WARNING: possible circular locking dependency detected
watchdog: BUG: soft lockup - CPU#1 stuck for 22s!
refcount_t: underflow; use-after-free.
UBSAN: array-index-out-of-bounds in kernel/x.c:1:2
list_del corruption, ffff->next is LIST_POISON1
skbuff: skb_over_panic: text:ffffffff len:100 put:100
va: hw csum failure
unregister_netdevice: waiting for vb to become free. Usage count = 2
Kernel panic - not syncing: Fatal exception in interrupt
traps: groctl[100] general protection fault ip:1 sp:2 error:0 in groctl
groctl[100]: segfault at 0 ip 1 sp 2 error 4 in groctl
EOT
}

@test "what follows a splat is shown, priority marks do not hide one" {
	dirty $'<4>[ 1.0] WARNING: CPU: 0\n<4>[ 1.0] RIP: 0010:gro_join+0x1/0x2' "RIP: 0010:gro_join"
}

@test "every allowed line has a reason, and allows" {
	local allowed=$BATS_TEST_DIRNAME/../lib/dmesg-allowed

	awk '/^$/ { comment = 0; next } /^#/ { comment = 1; next } !comment { print "no reason: " $0; bad = 1 }
		END { exit bad }' "$allowed"
	clean "[    1.0] clocksource: timekeeping watchdog on CPU1: WARNING: Marking clocksource 'tsc' as unstable"
	echo '# a reason' >"$BATS_TEST_TMPDIR/allowed"
	dirty "WARNING: CPU: 0"
	echo 'WARNING: CPU: [0-9]' >>"$BATS_TEST_TMPDIR/allowed"
	"$check" "$BATS_TEST_TMPDIR/allowed" <<<"WARNING: CPU: 0"
	run "$check" "$BATS_TEST_TMPDIR/allowed" <<<"WARNING: possible recursive locking detected"
	((status == 1))
}
