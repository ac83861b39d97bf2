# SPDX-License-Identifier: GPL-2.0
# Sourced by tests/vm/{root,enter,boot} and tests/run: where things are, how they are locked.
#
#	cache	$BPF_GRO_CACHE, else $XDG_CACHE_HOME/bpf-gro, else ~/.cache/bpf-gro
#	  root/		the Debian root the VMs boot and everything for them is built in
#	  root/.bpf-gro-lock	held by who uses this root, so that it is not removed meanwhile
#	  root/.bpf-gro-disk	a disk of the part of it that the VMs start programs from
#	  slot[12].lock	one VM each: no more than two run at once on a machine

# shellcheck disable=SC2034 # used by those who source this file
vm_top=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
vm_cache=${BPF_GRO_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/bpf-gro}
vm_root=$vm_cache/root
vm_stamp=$vm_root/.bpf-gro-stamp
vm_lock=$vm_root/.bpf-gro-lock
vm_disk=$vm_root/.bpf-gro-disk
vm_src=/src		# the checkout, inside the root and inside the VM

say()
{
	printf '%s\n' "$*" >&2
}

# die [CODE] SENTENCE: CODE is 1 unless given
die()
{
	local code=1

	if [[ $1 =~ ^[0-9]+$ ]]; then
		code=$1
		shift
	fi
	say "${0##*/}: $*"
	exit "$code"
}

need_root()
{
	[[ $EUID -eq 0 ]] ||
		die 3 "needs root for chroot, mounts and debootstrap: run it with sudo"
}

# The directories that a chroot needs, in the mount namespace of the caller, which must be private.
mount_root()
{
	local root=$1

	mount -t proc proc "$root/proc" &&
	mount --rbind /sys "$root/sys" &&
	mount --rbind /dev "$root/dev" &&
	mount -t tmpfs -o mode=1777 tmpfs "$root/tmp" &&
	mount -t tmpfs -o mode=755 tmpfs "$root/run"
}

# Holds the root for as long as this process and its children live. It may be replaced meanwhile.
hold_root()
{
	local lock

	while :; do
		exec {lock}>"$vm_lock"
		flock --shared "$lock"
		[[ ! /proc/self/fd/$lock -ef $vm_lock ]] || return 0
		exec {lock}>&-
	done
}

# The kernel release in the root that $1 means: newest, a version as 6.12, or a whole release.
kernel_release()
{
	local want=${1:-newest} all

	all=$(cd "$vm_root/boot" && printf '%s\n' vmlinuz-* | sed 's/^vmlinuz-//' | sort -V)
	case $want in
	newest)
		;;
	*)
		all=$(grep -E "^${want//./\\.}([.+-]|$)" <<<"${all//+/+}" || grep -Fx -- "$want" <<<"$all")
		;;
	esac
	[[ -n $all ]] || return 1
	tail -n 1 <<<"$all"
}

kernel_list()
{
	(cd "$vm_root/boot" && printf '%s\n' vmlinuz-* | sed 's/^vmlinuz-//' | sort -V)
}
