#!/bin/sh
# The plugin in opt and in Clang: what it marks in PTX that somebody else's code generation prints.
# usage: run_plugin.sh LLVM_BIN PLUGIN ALIAS.ll ORDER.ll SOURCE.cu
set -eu
bin=$1 plugin=$2 ir=$3 order=$4 cuda=$5
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

# refused WORDS MESSAGE: the plugin does not take these parameters, and says so.
refused()
{
	if "$bin/opt" -load-pass-plugin="$plugin" -passes="romark<$1>" "$ir" -S -o "$folder/none.ll" 2> "$folder/said"; then
		echo "taken: romark<$1>" >&2
		exit 1
	fi
	expect "$1" 1 "$2" "$folder/said"
}
refused 'laod=nc' "no parameter 'laod'; there are alias, load, relocatable and report; did you mean 'load'?"
refused 'alias=strict;nothing=1' "no parameter 'nothing'; there are alias, load, relocatable and report"
refused 'alias' "'alias' has no value"
refused 'alias=strickt' "romark: plugin: alias=strickt: it takes strict, guarded or distinct; did you mean 'strict'?"
ROMARK_LOAD=kepe refused 'alias=strict' "romark: plugin: ROMARK_LOAD=kepe: it takes nc, ro or keep; did you mean 'keep'?"
ROMARK_RELOCATABLE=1 refused 'alias=strict' "romark: plugin: ROMARK_RELOCATABLE=1: it takes yes or no"

# What launches must be checked for changes no code: it is metadata, unless .nc is asked for.
"$bin/opt" -load-pass-plugin="$plugin" -passes='romark<alias=guarded;load=ro;report='"$folder/report.json"'>' "$ir" -S \
	-o "$folder/guarded.ll"
expect guarded-ir 10 '!romark.ro' "$folder/guarded.ll"
expect guarded-report 1 '"alias": "guarded"' "$folder/report.json"

# With .nc it is assembly that reads: however much is optimised behind it, no load passes a store.
"$bin/opt" -load-pass-plugin="$plugin" -passes='romark<alias=guarded;load=nc>,default<O3>' "$order" -S -o "$folder/order.ll"
expect nc-ir 1 '!invariant.load' "$folder/order.ll"
"$bin/llc" -O3 -mcpu=sm_75 "$folder/order.ll" -o "$folder/order.ptx"
expect nc-ptx 4 'ld.global.nc.b32 %' "$folder/order.ptx"
sed -n '/entry around_store/,/^}/p' "$folder/order.ptx" | grep -oE '(ld|st)\.global(\.nc)?' | tr '\n' ' ' > "$folder/around"
expect nc-order 1 'ld.global.nc st.global ld.global.nc st.global ' "$folder/around"

# A function that other modules can call stays as it is, unless there are none; the kernel calls a copy.
cat > "$folder/library.ll" <<'END'
target triple = "nvptx64-nvidia-cuda"
define i32 @visible(ptr %p) noinline {
  %v = load i32, ptr %p, align 4
  ret i32 %v
}
define ptx_kernel void @k(ptr %a, ptr noalias %out) {
  %v = call i32 @visible(ptr %a)
  store i32 %v, ptr %out, align 4
  ret void
}
END
"$bin/opt" -load-pass-plugin="$plugin" -passes=romark "$folder/library.ll" -S -o "$folder/linked.ll"
expect linked 1 '!romark.ro' "$folder/linked.ll"
sed -n '/^define i32 @visible(/,/^}/p' "$folder/linked.ll" > "$folder/visible.ll"
expect original 0 '!romark.ro' "$folder/visible.ll"
expect original-body 1 'load i32' "$folder/visible.ll"
expect copy 1 'define internal i32 @"visible$k"(' "$folder/linked.ll"
expect call 1 'call i32 @"visible$k"(' "$folder/linked.ll"
"$bin/opt" -load-pass-plugin="$plugin" -passes='romark<relocatable=no>' "$folder/library.ll" -S -o "$folder/alone.ll"
expect alone 1 '!romark.ro' "$folder/alone.ll"

# Between the front end and the code generator, options from the environment.
ROMARK_ALIAS=strict ROMARK_REPORT="$folder/clang.json" "$bin/clang++" -fpass-plugin="$plugin" -x cuda -nocudainc \
	-nocudalib --cuda-device-only --cuda-gpu-arch=sm_75 --cuda-feature=+ptx63 \
	-Wno-unknown-cuda-version -O2 -S "$cuda" -o "$folder/clang.ptx"
expect clang-report 1 '"name": "relaxed"' "$folder/clang.json"
expect clang-ptx 0 'ld.global.nc' "$folder/clang.ptx"

# A wrong parameter is an error.
if "$bin/opt" -load-pass-plugin="$plugin" -passes='romark<alias=loose>' "$ir" -o "$folder/wrong.bc" 2> "$folder/error"; then
	echo "a wrong parameter was accepted" >&2
	exit 1
fi
expect wrong 1 "alias=loose: it takes strict, guarded or distinct" "$folder/error"
