#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# Policies registered by bpftool: the distribution's, which crashes when it prints a module's struct_ops (it looks the type up in
# the wrong BTF), and the one with our patch.

load lib/common
load lib/rig

# The crash of the distribution's is logged by the kernel and is no fault of ours.
setup()
{
	test_begin
	exception_trace=$(</proc/sys/debug/exception-trace)
	echo 0 >/proc/sys/debug/exception-trace
}

teardown()
{
	echo "$exception_trace" >/proc/sys/debug/exception-trace
	rm -rf /sys/fs/bpf/bpftool-test
	test_end
}

stock=/usr/sbin/bpftool
patched=$build/bpftool
object=$build/bpf/tcp.bpf.o

@test "the distribution's bpftool registers completely, whatever it prints" {
	local code=0

	mkdir /sys/fs/bpf/bpftool-test
	(ulimit -c 0; exec "$stock" struct_ops register "$object" /sys/fs/bpf/bpftool-test) || code=$?
	((code == 0 || code == 139)) || explain "bpftool failed otherwise than by its known crash" "exit code: $code"
	[[ -e /sys/fs/bpf/bpftool-test/tcp ]] || explain "no pin" "$(ls -R /sys/fs/bpf)"
	run_ok groctl status --json
	assert_json "$output" '.policies | length == 1 and .[0].name == "tcp" and .[0].state == "active" and .[0].link > 0 and
		.[0].pin == "/sys/fs/bpf/bpftool-test/tcp"'
	rig_script rig "feed tcp4 16x1000" "segs 16" sent
	assert_eq 15 "$(stat_of tcp .joined)"
	run_fail any rmmod bpf_gro
	run_fail 1 groctl attach tcp
	# without its pin it goes by itself
	run_ok rm /sys/fs/bpf/bpftool-test/tcp
	wait_for 20 assert_nothing_attached
}

@test "the patched bpftool registers, lists, shows and unregisters" {
	mkdir /sys/fs/bpf/bpftool-test
	run_ok "$patched" struct_ops register "$object" /sys/fs/bpf/bpftool-test
	assert_match "$output$errors" "Registered bpf_gro_ops tcp (map )?id [0-9]+"
	run_ok "$patched" struct_ops list
	assert_match "$output" "bpf_gro_ops +tcp|tcp +bpf_gro_ops"
	run_ok "$patched" -j struct_ops show name tcp
	assert_json "$output" '.. | strings | select(. == "bpf_gro_ops")'
	run_ok "$patched" struct_ops dump name tcp
	assert_match "$output" "receive"
	run_ok groctl status
	assert_match "$output" "tcp"
	rig_script rig "feed tcp6 16x1000" "segs 16" sent
	assert_eq 15 "$(stat_of tcp .joined)"
	run_ok groctl detach tcp
	assert_nothing_attached
}

@test "a policy without a link: registered, seen, ejected for good, unregistered" {
	run_ok "$patched" struct_ops register "$progs/nolink.bpf.o"
	run_ok groctl status --json
	assert_json "$output" '.policies | length == 1 and .[0].name == "nolink" and .[0].link == 0 and .[0].pin == null'
	rig_script rig "feed tcp4 16x1000" "segs 16" sent
	assert_eq 15 "$(stat_of nolink .joined)"
	run_ok "$patched" struct_ops unregister name policy
	wait_for 20 assert_nothing_attached
}
