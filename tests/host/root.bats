#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# The VM's root: what is broken, half-built or of another list is noticed, a failed build leaves nothing
# that looks whole, and two at once do not spoil it. A stub stands in for debootstrap.

setup()
{
	root=$BATS_TEST_DIRNAME/../vm/root
	export BPF_GRO_CACHE=$BATS_TEST_TMPDIR/cache BPF_GRO_MIRROR=http://mirror.invalid/debian BPF_GRO_KEYRING=/dev/null
	fake=$BPF_GRO_CACHE/root
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	stub "exit 7"
}

# stub BODY: what debootstrap does
stub()
{
	printf '#!/bin/bash\n%s\n' "$1" >"$BATS_TEST_TMPDIR/bin/debootstrap"
	chmod +x "$BATS_TEST_TMPDIR/bin/debootstrap"
}

# a root that looks whole
fake_root()
{
	local kernel

	mkdir -p "$fake"/{boot,usr/bin,usr/sbin,usr/src/linux-source}
	touch "$fake"/usr/bin/{vng,qemu-system-x86_64,clang,gcc,bats} "$fake/usr/sbin/bpftool"
	for kernel in 6.12.1 7.3.1; do
		touch "$fake/boot/vmlinuz-$kernel"
		mkdir -p "$fake/lib/modules/$kernel"
		touch "$fake/lib/modules/$kernel/modules.dep"
		ln -sfn /usr/src "$fake/lib/modules/$kernel/build"
	done
	echo disk >"$fake/.bpf-gro-disk"
	"$root" --wanted >"$fake/.bpf-gro-stamp"
}

# builds WHY: it would be built anew, and says why; debootstrap's failure ends it
builds()
{
	run "$root"
	if ((status == 0)) || [[ $output != *"$1"* || $output != *"failed: debootstrap"* ]]; then
		printf 'expected a build because: %s\ncode: %s\noutput: %s\n' "$1" "$status" "$output"
		return 1
	fi
}

@test "a whole root is left alone, silently" {
	fake_root
	run "$root"
	[[ $status == 0 && -z $output ]] || { echo "code $status: $output"; return 1; }
}

@test "no root, a half-built one, one of another list" {
	builds "there is none yet"
	fake_root
	rm "$fake/.bpf-gro-stamp"
	builds "it is not complete"
	: >"$fake/.bpf-gro-stamp"
	builds "it is not complete"
	echo other >"$fake/.bpf-gro-stamp"
	builds "its list of packages has changed"
}

@test "a broken root: a program, a kernel, headers missing" {
	fake_root
	rm "$fake/usr/bin/clang"
	builds "it is broken: /usr/bin/clang is missing"
	fake_root
	rm "$fake/boot/vmlinuz-7.3.1"
	builds "it is broken: it has 1 kernels of 2"
	fake_root
	rm "$fake/lib/modules/6.12.1/build"
	builds "it is broken: kernel 6.12.1 lacks"
}

@test "a whole root without its disk gets one; one that cannot be made leaves nothing" {
	fake_root
	rm "$fake/.bpf-gro-disk"
	printf "#!/bin/bash\nexit 9\n" >"$BATS_TEST_TMPDIR/bin/mke2fs"
	chmod +x "$BATS_TEST_TMPDIR/bin/mke2fs"
	run "$root"
	((status != 0)) && [[ $output == *"failed: mke2fs"* && ! -e $fake/.bpf-gro-disk ]] || { echo "$output"; return 1; }
	rm "$BATS_TEST_TMPDIR/bin/mke2fs"
	run "$root"
	((status == 0)) && [[ -s $fake/.bpf-gro-disk && ! -e $fake.disk ]] || { echo "$output"; return 1; }
	run "$root"
	[[ $status == 0 && -z $output ]] || { echo "$output"; return 1; }
}

@test "a failed build leaves the old root and nothing that looks whole" {
	fake_root
	run "$root" --rebuild
	((status != 0)) || { echo "$output"; return 1; }
	"$root"
	rm -rf "$fake"
	builds "there is none yet"
	[[ ! -e $fake ]]
}

@test "of two at once the second waits, then finds it done" {
	# the first builds until it is let go, and fails; a root appears meanwhile
	stub "until [[ -e $BATS_TEST_TMPDIR/go ]]; do sleep 0.05; done; exit 1"
	"$root" >"$BATS_TEST_TMPDIR/first" 2>&1 3>&- &
	first=$!
	for ((n = 0; n < 200; n++)); do
		! grep -q "1 of 6" "$BATS_TEST_TMPDIR/first" || break
		sleep 0.05
	done
	"$root" >"$BATS_TEST_TMPDIR/second" 2>&1 3>&- &
	second=$!
	for ((n = 0; n < 200; n++)); do
		! grep -q "another run is building" "$BATS_TEST_TMPDIR/second" || break
		sleep 0.05
	done
	fake_root
	touch "$BATS_TEST_TMPDIR/go"
	! wait "$first" || { echo "the first should have failed"; return 1; }
	wait "$second" || { cat "$BATS_TEST_TMPDIR/second"; return 1; }
	grep -q "waiting" "$BATS_TEST_TMPDIR/second"
}
