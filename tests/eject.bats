#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# Policies that break the contract are taken off their slots. tests/progs/NAME_eject__VIOLATION.bpf.c: the file's name says the
# violation, '_' standing for '-'.

load lib/common
load lib/rig

# train_for NAME: lines of the rig that make the program break its rule
train_for()
{
	case $1 in
	free253_eject) echo "feed free4 16x1000" ;;
	burn_eject) echo "feed tcp4 12x1000" ;;
	udp_hold_unchecked_eject) echo "feed udp4 16x1000 unseen" ;;
	udp_65_eject) echo "feed udp6 80x500" ;;
	udp_*) echo "feed udp4 16x1000" ;;
	gre_seq_eject) echo "feed ip4/gres/ip4/tcp 16x1000" ;;
	gre_unchecked_eject) echo "feed gre-csum-tcp4 16x1000 unseen" ;;
	gre_*) echo "feed gre-tcp4 16x1000" ;;
	long_segment_eject) printf '%s\n' "feed tcp4 4x1000 hold" "feed tcp4 1x1400 hold" "feed tcp4 16x1000" ;;
	short_middle_eject) printf '%s\n' "feed tcp4 4x1000 hold" "feed tcp4 1x500 hold" "feed tcp4 16x1000" ;;
	other_ttl_eject) printf '%s\n' "feed tcp4 4x1000 hold" "feed tcp4 1x1000 ttl=63 hold" "feed tcp4 16x1000" ;;
	*) echo "feed tcp4 160x1000" ;;
	esac
}

ejected_as()
{
	local have

	have=$(policy "$1" '"\(.state) \(.violation)"')
	[[ $have == "ejected $2" ]] || {
		echo "groctl status says: $have"
		return 1
	}
}

# ejected_by PROGRAM
ejected_by()
{
	local name=${1%__*} violation=${1#*__}

	violation=${violation//_/-}
	# every packet came up, in order, with all its bytes; the next train joins natively
	run_ok groctl attach "$progs/$1.bpf.o" &&
		rig_script rig "$(train_for "$name")" sent clear "feed tcp4 16x1000 flow=1" "segs 16" sent &&
		wait_for 20 ejected_as "$name" "$violation" &&
		run_ok groctl detach "$name"
}

@test "each program that breaks the contract is ejected for what it did, and no packet suffers" {
	local prog log failed=0 n=0

	for prog in "$src"/tests/progs/*_eject__*.bpf.c; do
		prog=${prog##*/}
		prog=${prog%.bpf.c}
		n=$((n + 1))
		ejected_by "$prog" || {
			explain "$prog was not ejected as it should be" || failed=1
			groctl detach "${prog%__*}" || true
		}
	done
	assert_ge 18 "$n" "programs"
	log=$(test_dmesg)
	for prog in "$src"/tests/progs/*_eject__*.bpf.c; do
		prog=${prog##*/}
		[[ $log == *"bpf_gro: policy ${prog%__*} ejected: "* ]] || explain "no line in dmesg about $prog" || failed=1
	done
	assert_nothing_attached
	((failed == 0))
}

@test "every violation of the contract has a program that commits it" {
	local names name missing=()

	# those of the table in abi.h, but for "none"
	mapfile -t names < <(sed -n '/define BPF_GRO_VIOLATIONS/,/^$/ s/.*X([A-Z_]*,[[:space:]]*"\([a-z-]*\)".*/\1/p' \
		"$src/bpf/include/bpf_gro/abi.h")
	assert_ge 12 "${#names[@]}" "violations"
	for name in "${names[@]:1}"; do
		compgen -G "$src/tests/progs/*_eject__${name//-/_}.bpf.c" >/dev/null || missing+=("$name")
	done
	assert_eq "" "${missing[*]}" "violations without a program"
}

@test "an ejected policy says why, sees nothing more, leaves its slots to others, is active again after replace" {
	local name=verdict_eject seen

	run_ok groctl attach "$progs/verdict_eject__verdict.bpf.o"
	rig_script rig "feed tcp4 16x1000" sent
	wait_for 20 ejected $name
	run_ok groctl status
	assert_match "$output" "ejected"
	[[ $output == *"$(policy $name .message)"* ]] || explain "groctl status does not say why" "$output"
	seen=$(stat_of $name .packets)
	rig_script rig "feed tcp4 16x1000" "segs 16" sent
	assert_eq "$seen" "$(stat_of $name .packets)" "packets that the ejected policy saw"

	# another one can have the slots at once, and works
	run_ok groctl attach tcp
	rig_script rig "feed tcp4 16x1000" "segs 16" sent
	assert_eq 15 "$(stat_of tcp .joined)" "joined by the next owner"
	# and the ejected one cannot have them back meanwhile
	run_fail 1 groctl replace $name "$progs/verdict_eject__verdict.bpf.o"
	assert_match "$errors" "already belongs to policy tcp"
	run_ok groctl detach tcp
	run_ok groctl replace $name tcp
	rig_script rig "feed tcp4 16x1000" "segs 16" sent
	assert_eq "active 15" "$(groctl status --json | jq -r '.policies[0].state') $(groctl stats --json | jq '.policies[0].sum.joined')"
}

@test "what is held for a flow when a policy is ejected leaves before the packet that it was ejected for" {
	local spec prog

	for spec in tcp4 tcp6; do
		for prog in verdict_eject__verdict pass_blind_eject__no_lookup hold_blind_eject__no_lookup; do
			rig_script rig "run groctl attach tcp" "feed $spec 8x1000 hold" "run groctl replace tcp $progs/$prog.bpf.o" \
				"feed $spec 8x1000 hold" flush sent "run groctl detach --all"
		done
	done
}

@test "only the devices of an ejected policy go native" {
	run_ok groctl attach tcp
	rig_script "rig bad0" "run groctl attach $progs/verdict_eject__verdict.bpf.o --dev bad0" "feed tcp4 16x1000" sent \
		"run printf '%s\n' 'rig good0' 'feed tcp4 16x1000' 'segs 16' sent | $build/rigscript"
	wait_for 20 ejected verdict_eject
	assert_eq "active 15" "$(policy tcp .state) $(stat_of tcp .joined)"
}
