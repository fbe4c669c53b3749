#!/bin/sh
# ptxas accepts every module that --load=nc writes. Usage: ptxas.sh ROMARK FOLDER; skipped (77) without ptxas.
set -eu
PATH=$PATH:/usr/local/cuda/bin
command -v ptxas >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ptx in "$2"/kernels/*.ptx; do
	arch=sm_75
	case $ptx in *async*) arch=sm_90 ;; esac
	"$1" ptx "$ptx" --load=nc -o "$work/marked.ptx" --report-file="$work/report.txt"
	ptxas -c -arch=$arch "$work/marked.ptx" -o "$work/out.cubin" || { echo "FAILED: $ptx"; exit 1; }
done
