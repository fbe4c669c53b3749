#!/bin/sh
# Executes the kernels of truth/disguised.cu with the pass's marks, at every level, and with none: no launch may write
# what a marked load takes, and memory must be left the same. At strict, buffers alias in every way.
# usage: run_disguised.sh ROMARK FOLDER -O0|-O2|-O3
set -eu
romark=$1 tests=$2 optimise=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
source=$tests/truth/disguised.cu
"$romark" cc -w "$tests/launch_disguised.cu" -o "$folder/launch" -lcuda
# What `romark cc` would hand to LLVM's back end.
"$romark" cc -### -ptx "$optimise" --load=keep -w "$source" -o "$folder/x.ptx" 2>&1 |
	sed -n "s/ -fpass-plugin=[^ ]*//; s/ -S / -emit-llvm -c /p" | sed "s|\(.*\) -o .*|\1 -o $folder/in|" > "$folder/command"
sh "$folder/command"
for level in strict guarded distinct; do
	aliased=
	[ $level != strict ] || aliased=aliased
	"$romark" pass --emit=ptx --load=keep --alias=$level "$folder/in" -o "$folder/plain.ptx"
	"$romark" pass --emit=ptx --alias=$level "$folder/in" -o "$folder/marked.ptx"
	[ $level = strict ] || [ "$(grep -c 'ld\.global\.ro' "$folder/marked.ptx")" -gt 30 ] || { echo "$level: hardly a mark" >&2; exit 1; }
	"$romark" run -q --load=keep -- "$folder/launch" "$folder/plain.ptx" "$source" $aliased > "$folder/plain"
	# The device adds no marks but those that need no guard.
	"$romark" run -q --verify --alias=strict -- "$folder/launch" "$folder/marked.ptx" "$source" $aliased > "$folder/marked"
	cmp "$folder/plain" "$folder/marked"
	[ -s "$folder/plain" ] || { echo "nothing was launched" >&2; exit 1; }
	echo "$level: $(wc -l < "$folder/plain") launches"
done
