#!/bin/sh
# Compiles the kernels of truth/ and lets an analyser judge them at every level.
# usage: run_truth.sh ROMARK TRUTH SOURCE.cu ptx|pass -O0|-O3 FLOOR
set -eu
romark=$1 truth=$2 source=$3 engine=$4 optimise=$5 floor=$6
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ "$engine" = ptx ]; then
	"$romark" cc -ptx "$optimise" --load=keep -w "$source" -o "$folder/in"
else
	# What `romark cc` would hand to LLVM's back end.
	"$romark" cc -### -ptx "$optimise" --load=keep -w "$source" -o "$folder/x.ptx" 2>&1 |
		sed -n "s/ -fpass-plugin=[^ ]*//; s/ -S / -emit-llvm -c /p" | sed "s|\(.*\) -o .*|\1 -o $folder/in|" > "$folder/command"
	sh "$folder/command"
fi
for level in strict guarded distinct; do
	"$romark" "$engine" "$folder/in" --report=json --alias=$level > "$folder/$level"
done
"$truth" "$floor" "$source" strict="$folder/strict" guarded="$folder/guarded" distinct="$folder/distinct"
