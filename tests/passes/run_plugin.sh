#!/bin/sh
# The plugin in opt and in Clang: what it marks in PTX that somebody else's code generation prints.
# usage: run_plugin.sh LLVM_BIN PLUGIN SOURCE.ll SOURCE.cu
set -eu
bin=$1 plugin=$2 ir=$3 cuda=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect NAME COUNT TEXT FILE: TEXT stands COUNT times in FILE.
expect()
{
	found=$(grep -cF -- "$3" "$4" || true)
	[ "$found" = "$2" ] && return
	echo "$1: '$3' stands $found times, not $2" >&2
	exit 1
}

# What the code proves.
"$bin/opt" -load-pass-plugin="$plugin" -passes=romark "$ir" -S -o "$folder/strict.ll"
expect strict-ir 5 '!invariant.load' "$folder/strict.ll"
"$bin/llc" -mcpu=sm_75 "$folder/strict.ll" -o "$folder/strict.ptx"
expect strict-ptx 5 'ld.global.nc' "$folder/strict.ptx"

# What launches must be checked for changes no code: it is metadata, unless .nc is asked for.
"$bin/opt" -load-pass-plugin="$plugin" -passes='romark<alias=guarded;load=ro;report='"$folder/report.json"'>' "$ir" -S \
	-o "$folder/guarded.ll"
expect guarded-ir 9 '!romark.ro' "$folder/guarded.ll"
expect guarded-report 1 '"alias": "guarded"' "$folder/report.json"

# Between the front end and the code generator, options from the environment.
ROMARK_ALIAS=strict ROMARK_REPORT="$folder/clang.json" "$bin/clang++" -fpass-plugin="$plugin" -x cuda -nocudainc \
	-nocudalib --cuda-device-only --cuda-gpu-arch=sm_75 -Wno-unknown-cuda-version -O2 -S "$cuda" -o "$folder/clang.ptx"
expect clang-report 1 '"name": "relaxed"' "$folder/clang.json"
expect clang-ptx 0 'ld.global.nc' "$folder/clang.ptx"

# A wrong parameter is an error.
if "$bin/opt" -load-pass-plugin="$plugin" -passes='romark<alias=loose>' "$ir" -o "$folder/wrong.bc" 2> "$folder/error"; then
	echo "a wrong parameter was accepted" >&2
	exit 1
fi
expect wrong 1 "no such alias: 'loose'" "$folder/error"
