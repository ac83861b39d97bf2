#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# The test of the test runner: whatever goes wrong, tests/run says so and exits non-zero.

# shellcheck disable=SC2030,SC2031,SC2034,SC2154 # bats runs each test in a shell of its own
setup()
{
	run=$BATS_TEST_DIRNAME/../run
	export RUN_TESTS=$BATS_TEST_TMPDIR/tests RUN_OUT=$BATS_TEST_TMPDIR/out RUN_BOOT=$BATS_TEST_TMPDIR/boot
	export RUN_KERNELS=6.99.1-test T='' KERNEL=''
	mkdir -p "$RUN_TESTS"
	printf '@test "%s" {\n}\n' one two >"$RUN_TESTS/some.bats"
	: >"$RUN_TESTS/expected-skips"
	vm_ok="ok 1 modules load
ok 2 modules unload
ok 3 the kernel's log is clean"
}

# boot_writes CODE [FILE TEXT]...: a VM that leaves these files and ends with this code
boot_writes()
{
	local code=$1 n=0

	shift
	{
		echo '#!/bin/bash'
		# shellcheck disable=SC2016 # the stub's own variables
		echo 'while getopts k:d:t:e: o; do [ $o = d ] && d=$OPTARG; done'
		while (($#)); do
			printf '%s' "$2" >"$BATS_TEST_TMPDIR/file.$n"
			[[ -z $2 ]] || echo >>"$BATS_TEST_TMPDIR/file.$n"
			echo "cp '$BATS_TEST_TMPDIR/file.$n' \"\$d/$1\""
			n=$((n + 1))
			shift 2
		done
		echo "exit $code"
	} >"$RUN_BOOT"
	chmod +x "$RUN_BOOT"
}

# outcome CODE LAST-LINE: of the run
outcome()
{
	run "$run"
	if [[ $status != "$1" || ${lines[-1]} != "$2" ]]; then
		printf 'expected code %s, last line: %s\nactual code %s, output:\n%s\n' "$1" "$2" "$status" "$output"
		return 1
	fi
}

@test "all passed" {
	boot_writes 0 vm.tap.out "$vm_ok" some.bats.tap.out $'1..2\nok 1 one in 12ms\nok 2 two'
	outcome 0 "5 passed, 0 failed"
}

@test "a failed test fails the run and shows its output" {
	boot_writes 1 vm.tap.out "$vm_ok" some.bats.tap.out $'1..2\nok 1 one\nnot ok 2 two\n# the reason'
	outcome 1 "4 passed, 1 failed"
	[[ $output == *"FAILED  6.99  some.bats: two"*"the reason"* ]]
}

@test "a failed test fails the run though the VM's code is 0" {
	boot_writes 0 vm.tap.out "$vm_ok" some.bats.tap.out $'1..2\nok 1 one\nnot ok 2 two'
	outcome 1 "4 passed, 1 failed"
}

@test "a VM that fails without a failed test fails the run" {
	boot_writes 1 vm.tap.out "$vm_ok" some.bats.tap.out $'1..2\nok 1 one\nok 2 two'
	outcome 1 "5 passed, 1 failed"
}

@test "a panic fails every test that has no result" {
	boot_writes 4 vm.tap.out "ok 1 modules load" some.bats.tap.out $'1..2\nok 1 one'
	outcome 1 "2 passed, 3 failed"
	[[ $output == *"some.bats: two (no result: the kernel panicked)"* ]]
}

@test "a time-out fails every test that has no result" {
	boot_writes 5 vm.tap.out "ok 1 modules load" some.bats.tap.out $'1..2\nok 1 one'
	outcome 1 "2 passed, 3 failed"
	[[ $output == *"time-out"* ]]
}

@test "a VM that leaves nothing fails every test" {
	boot_writes 3
	outcome 1 "0 passed, 5 failed"
}

@test "a VM that cannot be started fails every test" {
	outcome 1 "0 passed, 5 failed"
}

@test "an unexpected skip is a failure" {
	boot_writes 0 vm.tap.out "$vm_ok" some.bats.tap.out $'1..2\nok 1 one\nok 2 two # skip no such device'
	outcome 1 "4 passed, 1 failed"
	[[ $output == *"no such device"* ]]
}

@test "an expected skip is none, on the kernel it is expected on" {
	boot_writes 0 vm.tap.out "$vm_ok" some.bats.tap.out $'1..2\nok 1 one\nok 2 two # skip no such device'
	echo '6.99 | some.bats | two | it has none' >"$RUN_TESTS/expected-skips"
	outcome 0 "4 passed, 0 failed, 1 skipped"
	echo '7.3 | some.bats | two | it has none' >"$RUN_TESTS/expected-skips"
	outcome 1 "4 passed, 1 failed"
}

@test "a dirty kernel log is a failure" {
	boot_writes 1 some.bats.tap.out $'1..2\nok 1 one\nok 2 two' vm.tap.out \
		$'ok 1 modules load\nok 2 modules unload\nnot ok 3 the kernel\'s log is clean\n# WARNING: CPU: 0'
	outcome 1 "4 passed, 1 failed"
	[[ $output == *"WARNING: CPU: 0"* ]]
}

@test "a failed setup_file, a syntax error: results that nobody planned" {
	boot_writes 1 vm.tap.out "$vm_ok" some.bats.tap.out $'1..2\nnot ok 1 setup_file failed'
	outcome 1 "3 passed, 3 failed"
}

@test "no test at all is a failure" {
	rm "$RUN_TESTS/some.bats"
	boot_writes 0
	outcome 2 "0 passed, 1 failed"
}

@test "T chooses by file and by name, and a T that chooses nothing is a failure" {
	boot_writes 0 vm.tap.out "$vm_ok" some.bats.tap.out $'1..1\nok 1 two'
	T=two outcome 0 "4 passed, 0 failed"
	T=nothing outcome 2 "0 passed, 1 failed"
}

@test "a program of TAP that is broken off is a failure" {
	: >"$RUN_TESTS/prog.tap"
	boot_writes 4 vm.tap.out "$vm_ok" some.bats.tap.out $'ok 1 one\nok 2 two' prog.tap.out $'ok 1 a case'
	outcome 1 "6 passed, 1 failed"
	[[ $output == *"prog.tap: (whole)"* ]]
}

@test "SPREAD: a file that is given to one kernel does not run on the other" {
	printf '# why\nsome.bats\tstable\n' >"$RUN_TESTS/spread"
	printf '@test "%s" {\n}\n' three >"$RUN_TESTS/other.bats"
	boot_writes 0 vm.tap.out "$vm_ok" some.bats.tap.out $'1..2\nok 1 one\nok 2 two' other.bats.tap.out $'1..1\nok 1 three'
	RUN_KERNELS="6.98.1-test 6.99.1-test" SPREAD=1 outcome 0 "12 passed, 0 failed"
	grep -q some.bats "$RUN_OUT/6.98/plan"
	if grep -q some.bats "$RUN_OUT/6.99/plan"; then false; fi
	grep -q other.bats "$RUN_OUT/6.99/plan"
	# not without it, nor with one kernel; the stub writes all results whatever is planned
	RUN_KERNELS="6.98.1-test 6.99.1-test" outcome 0 "12 passed, 0 failed"
	grep -q some.bats "$RUN_OUT/6.99/plan"
	SPREAD=1 outcome 0 "6 passed, 0 failed"
	grep -q some.bats "$RUN_OUT/6.99/plan"
}
