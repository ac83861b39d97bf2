#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0
# Building and installing, inside the VM's root: what lands where, and what is said when something is missing.

setup()
{
	top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	dest=$BATS_TEST_TMPDIR/dest
	release=$(cd /boot && printf '%s\n' vmlinuz-* | sed 's/^vmlinuz-//' | sort -V | tail -n 1)
	export MAKEFLAGS=''
}

# make_here TARGET...: for the newest kernel of the root, as tests/vm/build does it
make_here()
{
	make --no-print-directory -C "$top" PREFIX=/usr KDIR="/lib/modules/$release/build" "$@"
}

# says TEXT COMMAND...: it fails and says so
says()
{
	local text=$1

	shift
	run "$@"
	if ((status == 0)) || [[ $output != *"$text"* ]]; then
		printf 'should have failed and said: %s\ncommand: %s\ncode: %s\noutput: %s\n' "$text" "$*" "$status" "$output"
		return 1
	fi
}

@test "make install with DESTDIR and PREFIX writes there, and everything" {
	make_here install DESTDIR="$dest"
	cd "$dest"
	for file in usr/sbin/groctl usr/lib/bpf-gro/tcp.bpf.o usr/lib/bpf-gro/headers/native.bpf.o usr/include/bpf_gro/abi.h usr/include/bpf_gro/bpf_gro.h \
		usr/include/bpf_gro/rx_header.h "lib/modules/$release/updates/bpf_rx_header.ko" \
		usr/share/pkgconfig/bpf-gro.pc "lib/modules/$release/updates/bpf_gro.ko"; do
		[[ -s $file ]] || { echo "not there: $file"; find .; return 1; }
	done
	usr/sbin/groctl --version
	make_here uninstall DESTDIR="$dest"
	run find "$dest" -type f
	[[ -z $output ]] || { echo "left by uninstall: $output"; return 1; }
}

@test "a policy compiles against the installed headers only" {
	make_here install-tools DESTDIR="$dest"
	cp "$top/bpf/tcp.bpf.c" "$BATS_TEST_TMPDIR/mine.bpf.c"
	cp "$top/build/vmlinux.h" "$BATS_TEST_TMPDIR/"
	cd "$BATS_TEST_TMPDIR"
	flags=$(PKG_CONFIG_SYSROOT_DIR=$dest PKG_CONFIG_PATH=$dest/usr/share/pkgconfig PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
		pkg-config --cflags bpf-gro)
	# shellcheck disable=SC2086 # flags are words
	clang -g -O2 -target bpf -D__TARGET_ARCH_x86 -Wall -Werror -Wno-missing-declarations $flags -I. -c mine.bpf.c
}

@test "a missing dependency is named with its package" {
	says "install package clang" make_here B="$BATS_TEST_TMPDIR/b" CLANG=no-such-clang bpf
	says "install package libbpf-dev" make_here B="$BATS_TEST_TMPDIR/b" PKG_CONFIG=false tools
	says "install package pkg-config" make_here B="$BATS_TEST_TMPDIR/b" PKG_CONFIG=no-such tools
	says "install package linux-headers-6.99.0" make --no-print-directory -C "$top" B="$BATS_TEST_TMPDIR/b" \
		KDIR=/lib/modules/6.99.0/build KREL=6.99.0 modules
}

@test "a module without BTF is refused, with the remedy" {
	objcopy -R .BTF "$top/build/$release/bpf_gro.ko" "$BATS_TEST_TMPDIR/x.ko"
	says "cp /sys/kernel/btf/vmlinux" "$top/scripts/check-btf" "$BATS_TEST_TMPDIR/x.ko" /nowhere
	"$top/scripts/check-btf" "$top/build/$release/bpf_gro.ko" /nowhere
}

@test "an unchanged tree builds nothing again" {
	make_here bpf tools modules test-progs
	run make_here bpf tools modules test-progs
	[[ ! $output =~ (BPF|CC|LINK|MODULE|SKEL)\ +build ]] || { echo "built again: $output"; return 1; }
}

@test "DKMS builds the modules, with BTF" {
	make_here dkms DESTDIR="$dest"
	version=$(<"$top/VERSION")
	mkdir -p "$BATS_TEST_TMPDIR/tree" "$BATS_TEST_TMPDIR/modules"
	args=(--dkmstree "$BATS_TEST_TMPDIR/tree" --sourcetree "$dest/usr/src" -m bpf-gro -v "$version")
	dkms add "${args[@]}"
	dkms build "${args[@]}" -k "$release" || { cat "$BATS_TEST_TMPDIR"/tree/bpf-gro/"$version"/build/make.log; return 1; }
	for name in bpf_gro bpf_rx_header; do
		ko=$(find "$BATS_TEST_TMPDIR/tree" -name "$name.ko*" | grep "/$release/" | head -n 1)
		case $ko in
		*.xz) xz -dc "$ko" >"$BATS_TEST_TMPDIR/out.ko" ;;
		*.zst) zstd -dcq "$ko" >"$BATS_TEST_TMPDIR/out.ko" ;;
		*) cp "$ko" "$BATS_TEST_TMPDIR/out.ko" ;;
		esac
		"$top/scripts/check-btf" "$BATS_TEST_TMPDIR/out.ko" /nowhere
	done
}

@test "make help names every target that users have" {
	run make_here help
	for target in all demo test conformance bench shell install dkms lint clean; do
		[[ $output == *"  $target "* ]] || { echo "not in make help: $target"; echo "$output"; return 1; }
	done
}

@test "lint finds nothing" {
	CI=true make_here lint
}
