#!/bin/sh
# Compiles a CUDA source at every optimisation level, with and without -g, and checks each against its expectations.
# usage: run_cuda.sh CLANG++ CHECK SOURCE
set -eu
failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for level in 0 1 2 3; do
	for debug in "" -g; do
		"$1" -x cuda -nocudainc -nocudalib --cuda-device-only --cuda-gpu-arch=sm_75 --cuda-feature=+ptx63 -Wno-unknown-cuda-version \
			-O$level $debug -emit-llvm -c "$3" -o "$folder/module.bc"
		if [ $level = 0 ]; then
			"$2" "$3" "$folder/module.bc" || { echo "at -O$level $debug" >&2; failed=1; }
		else
			"$2" --from-O1 "$3" "$folder/module.bc" || { echo "at -O$level $debug" >&2; failed=1; }
		fi
	done
done
exit $failed
