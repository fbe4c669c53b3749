#!/bin/sh
# Compiles a CUDA source with Clang and holds the LLVM pass against the PTX analyser on it.
# usage: run_crosscheck.sh CLANG++ CROSSCHECK KNOWN SOURCE [Clang options]
# A file SOURCE.nvcc.ptx beside the source (ending replaced) is what nvcc made of it. TABLE=1 prints the marks of all.
set -eu
clang=$1 crosscheck=$2 known=$3 source=$4
shift 4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
name=$(basename "$source" .cu)
nvcc="${source%.cu}.nvcc.ptx"
set -- -x cuda -nocudainc -nocudalib --cuda-device-only -Xclang -target-sdk-version=11.8 -Wno-unknown-cuda-version \
	-Wno-pass-failed "$@"
"$clang" "$@" -emit-llvm -c "$source" -o "$folder/module.bc"
"$clang" "$@" -S "$source" -o "$folder/module.ptx"
set --
[ ! -f "$nvcc" ] || set -- --nvcc="$nvcc"
"$crosscheck" ${TABLE:+--table} --known="$known" "$@" "$name" \
	"$folder/module.bc" "$folder/module.ptx"
