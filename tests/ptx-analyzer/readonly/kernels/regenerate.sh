#!/bin/sh
# Compiles the kernels of this folder with nvcc and Clang into NAME.nvcc.ptx and NAME.clang.ptx, which are checked in:
# the tests need neither compiler. Usage: regenerate.sh [NAME...]
set -eu
cd "$(dirname "$0")"
[ $# -gt 0 ] || set -- $(ls ./*.cu | sed 's,^\./,,; s,\.cu$,,')
for name; do
	arch=75
	[ "$name" != async ] || arch=90
	rdc=false
	[ "$name" != library ] || rdc=true
	nvcc -arch=compute_$arch -rdc=$rdc --extended-lambda -ptx "$name.cu" -o "$name.nvcc.ptx"
	clang++-19 -x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_$arch --cuda-device-only -O2 -S \
		-Xclang -target-sdk-version=11.8 -Wno-unknown-cuda-version -Wno-pass-failed \
		--cuda-feature=+ptx82 "$name.cu" -o "$name.clang.ptx"
done
