#!/bin/sh
# Compiles a CUDA source with Clang and holds the LLVM pass against the PTX analyser on it.
# usage: run_crosscheck.sh CLANG++ ROMARK CROSSCHECK KNOWN SOURCE [Clang options]
# A file SOURCE.nvcc.ptx beside the source (ending replaced) is what nvcc made of it. TABLE=1 prints the marks of all.
set -eu
clang=$1 romark=$2 crosscheck=$3 known=$4 source=$5
shift 5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
name=$(basename "$source" .cu)
nvcc="${source%.cu}.nvcc.ptx"
set -- -x cuda -nocudainc -nocudalib --cuda-device-only -Xclang -target-sdk-version=11.8 -Wno-unknown-cuda-version \
	-Wno-pass-failed "$@"
"$clang" "$@" -emit-llvm -c "$source" -o "$folder/module.bc"
"$clang" "$@" -S "$source" -o "$folder/module.ptx"
# Differences without a ground are this script's exit code, too: the report is there in any case.
"$romark" pass --cross-check --report=json "$folder/module.bc" > "$folder/report.json" || [ -s "$folder/report.json" ]
set --
[ ! -f "$nvcc" ] || set -- --nvcc="$nvcc"
"$crosscheck" ${TABLE:+--table} --known="$known" "$@" "$name" \
	"$folder/report.json" "$folder/module.ptx"
