#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# A slot without a native handler: IP protocol 253. Packets are chained, the module splits them again, and it cannot go while
# a chain of it is on its way.

load lib/common
load lib/rig

# chains NAME OBJECT
chains()
{
	local spec

	run_ok groctl attach "$2" || return 1
	for spec in free4 free6; do
		rig_script rig "feed $spec 16x1000" "segs 16" sent clear \
			"feed $spec 4x1000 hold" "feed $spec 1x500 hold" "feed $spec 4x1000" "segs 5 4" sent clear \
			"feed $spec 4x1000 hold" "feed $spec 4x1000 gap=7" "segs 4 4" sent clear \
			"feed $spec 4x1000 hold" "feed $spec 4x1000 ttl=9" "segs 4 4" sent clear \
			"feed $spec 4x1000 flow=1 hold" "feed $spec 4x1000 flow=2 hold" "feed $spec 4x1000 flow=1" "segs 8 4" sent || return 1
	done
	run_ok groctl stats --json || return 1
	assert_json "$output" '.policies[0].sum | .joined > 60 and .joined == .joined_by.chain' || return 1
	# TCP is not its business
	rig_script rig "feed tcp4 16x1000" "segs 16" sent || return 1
	run_ok groctl detach "$1" || return 1
	rig_script rig "feed free4 4x1000" "segs 1 1 1 1" sent
}

@test "packets of a protocol that no kernel knows are chained, and split again as sent" {
	rig_script rig "feed free4 4x1000" "segs 1 1 1 1" sent clear "feed free6 4x1000 flow=1" "segs 1 1 1 1" sent
	chains free253 "$progs/free253.bpf.o"
	# the example of the documentation, which declares the key
	chains seq "$progs/seq253.bpf.o"
	assert_nothing_attached
}

@test "what is held when the policy goes, or another comes, is finished" {
	rig_script rig "run groctl attach $progs/free253.bpf.o" \
		"feed free4 8x1000 hold" "run groctl replace free253 $progs/free253.bpf.o" \
		"feed free4 8x1000 hold" "run groctl detach free253" \
		"feed free4 8x1000 hold" "run groctl attach $progs/free253.bpf.o" "feed free4 8x1000 hold" flush \
		"segs 8 8 1 1 1 1 1 1 1 1 8" sent
	rig_script rig "feed free4 8x1000 hold" "run groctl detach free253" flush "segs 8" sent
	assert_nothing_attached
}

@test "the module stays while a chain of a free slot is held, and goes after it" {
	rig_script rig "run groctl attach $progs/free253.bpf.o" \
		"feed free4 8x1000 hold" "run groctl detach free253" \
		"run ! rmmod bpf_gro 2>$BATS_TEST_TMPDIR/rmmod" flush "segs 8" sent
	assert_match "$(<"$BATS_TEST_TMPDIR/rmmod")" "in use"
	wait_for 20 unreferenced
	run_ok rmmod bpf_gro
	# a packet alone is no chain: it needs nobody
	run_ok load_module bpf_gro
	rig_script rig "run groctl attach $progs/free253.bpf.o" "feed free4 1x1000 hold" "run groctl detach free253" \
		"run rmmod bpf_gro" flush "segs 1" sent
	run_ok load_module bpf_gro
}

@test "an ejected policy's chain is finished" {
	rig_script rig "run groctl attach $progs/free253.bpf.o" "feed free4 8x1000 hold" \
		"run groctl replace free253 $progs/free253_eject__verdict.bpf.o" "feed free4 8x1000 hold" flush \
		"segs 8 1 1 1 1 1 1 1 1" sent
	wait_for 20 ejected free253
	run_ok groctl detach free253
	assert_nothing_attached
}
