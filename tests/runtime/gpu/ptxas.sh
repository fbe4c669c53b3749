#!/bin/sh
# ptxas accepts every doubled module, for each GPU generation, and the marks change the machine code.
# Usage: ptxas.sh DOUBLE_PTX CUBIN_DIFF ROMARK SAMPLES KERNELS [PROGRAMS]; skipped (77) without ptxas.
# SAMPLES: folder of programs; KERNELS: of PTX; PROGRAMS: of CUDA sources, where romark cc can compile them.
set -eu
double=$1 diff=$2 romark=$3 samples=$4 kernels=$5 programs=${6:-}
PATH=$PATH:/usr/local/cuda/bin
command -v ptxas >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Of these, what this ptxas knows; older toolkits lack the last ones.
known=
for arch in sm_80 sm_90 sm_100 sm_120; do
	if ptxas --help | grep -q "'$arch'"; then known="$known $arch"; fi
done
[ -n "$known" ] || { echo "this ptxas knows none of the architectures here"; exit 1; }

failed=0
# Kernels that check each load, which older GPUs run as well.
for arch in sm_75 sm_80 sm_90; do
	ptxas --help | grep -q "'$arch'" || continue
	for kernel in "$kernels"/*.ptx; do
		case $kernel in *async*) continue ;; esac
		"$double" --check "$kernel" | sed 's/^\.target sm_[0-9]*/.target '$arch/ >checked.ptx
		ptxas -c -arch="$arch" checked.ptx -o checked.cubin || { echo "FAILED: $kernel, checked, $arch"; failed=1; }
	done
done
check() # FILE.ptx ARCH [PTXAS OPTION]
{
	"$double" "$1" >doubled.ptx
	ptxas $3 -arch="$2" doubled.ptx -o doubled.cubin || { echo "FAILED: $1 for $2"; failed=1; return; }
	if grep -q '\$plain(' doubled.ptx; then
		"$diff" doubled.cubin >table || { echo "the marks change nothing: $1 for $2"; failed=1; }
	fi
}

for sample in "$samples"/*/; do
	name=$(basename "$sample")
	[ -x "$sample$name" ] || continue
	"$romark" ptx "$sample$name" --load=keep -o "$name.ptx" --report-file=report
	for arch in $known; do
		check "$name.ptx" "$arch" ""
		echo "$name $arch"
		cat table
	done
done
for source in ${programs:+"$programs"/*.cu}; do
	name=$(basename "$source" .cu)
	"$romark" cc -O2 -ptx "$source" -o "$name.ptx"
	for arch in $known; do
		check "$name.ptx" "$arch" ""
		echo "$name $arch"
		cat table
	done
done
for kernel in "$kernels"/*.ptx; do
	for arch in $known; do
		case $kernel-$arch in *async*-sm_80) continue ;; esac
		check "$kernel" "$arch" -c # some call functions of other modules
	done
done
exit $failed
