#!/bin/sh
# Volatile loads, relaxed atomic loads and copies of structures, which NVPTX drops, cannot compile or leaves unmarked: at
# every optimisation level, by every way into the pass.
# usage: run_defects.sh LLVM_BIN PLUGIN ROMARK DEFECTS.ll DEFECTS.cu
set -eu
bin=$1 plugin=$2 romark=$3 ir=$4 cuda=$5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# The global loads of a kernel in $folder/x.ptx, sorted, without types and registers.
loads()
{
	sed -n "/entry $1(/,/^}/p" "$folder/x.ptx" |
		sed -n 's/^[^/]*\t\(ld\.[a-z.]*\)\(\.v[24]\)*\.[bsuf][0-9]*[[:space:]].*/\1/p' | grep -v 'param\|local' | sort -u |
		tr '\n' ' '
}

# expect HOW KERNEL LOADS: these are all kinds of loads in the kernel.
expect()
{
	found=$(loads "$2")
	[ "$found" = "$3" ] && return
	echo "$1: loads of $2 are '$found', not '$3'" >&2
	failed=1
}

# What each way in gives: volatile and relaxed loads as they were (one is printed as the other), all others marked.
check()
{
	ordered=$(loads relaxed)
	case $ordered in
	ld.relaxed.global\ | ld.relaxed.sys.global\ | ld.volatile.global\ | ld.relaxed\ | ld.relaxed.sys\ | ld.volatile\ ) ;;
	*) echo "$1: the relaxed load is '$ordered'" >&2; failed=1 ;;
	esac
	case $(loads volatile_spin) in
	"$2 ld.volatile.global " | "$2 ld.volatile " | "ld.volatile.global $2 " ) ;;
	*) echo "$1: the loads of volatile_spin are '$(loads volatile_spin)'" >&2; failed=1 ;;
	esac
	expect "$1" copy12 "$2 "
	[ -z "${3:-}" ] || expect "$1" "$3" "$2 "
}

for level in 0 1 2 3; do
	"$romark" pass --emit=ptx --load=nc -O$level "$ir" -o "$folder/x.ptx"
	check "romark pass -O$level" ld.global.nc copy4096
	"$bin/opt" -load-pass-plugin="$plugin" -passes="default<O$level>,romark<relocatable=no>" "$ir" -o "$folder/x.bc"
	"$bin/llc" -O$level -mcpu=sm_75 "$folder/x.bc" -o "$folder/x.ptx"
	check "opt -O$level" ld.global.nc copy4096
	ROMARK_RELOCATABLE=no "$bin/clang++" --target=nvptx64-nvidia-cuda -Xclang -target-cpu -Xclang sm_75 -Xclang -target-feature -Xclang +ptx63 \
		-Wno-override-module -fpass-plugin="$plugin" -O$level -x ir "$ir" -S -o "$folder/x.ptx"
	check "clang on IR -O$level" ld.global.nc copy4096
	ROMARK_RELOCATABLE=no "$bin/clang++" -fpass-plugin="$plugin" -x cuda -nocudainc -nocudalib --cuda-device-only -DPLAIN_CLANG \
		--cuda-gpu-arch=sm_75 --cuda-feature=+ptx63 -Wno-unknown-cuda-version -O$level -S "$cuda" -o "$folder/x.ptx"
	check "clang -O$level" ld.global.nc copy40
	for mark in nc ro; do
		"$romark" cc -ptx --load=$mark -O$level "$cuda" -o "$folder/x.ptx"
		check "romark cc --load=$mark -O$level" ld.global.$mark copy40
	done
done
exit $failed
