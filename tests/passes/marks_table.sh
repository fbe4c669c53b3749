#!/bin/sh
# Prints a Markdown table of marked loads per kernel: the pass, the PTX analyser, Clang's and nvcc's own ld.global.nc.
# usage: marks_table.sh CLANG++ ROMARK CROSSCHECK DEVICE_LIBRARY.bc TRUTH
set -eu
clang=$1 romark=$2 crosscheck=$3 library=$4 truth=$5
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

rows()
{
	TABLE=1 "$here/run_crosscheck.sh" "$clang" "$romark" "$crosscheck" "$here/known.txt" "$@" -O2 2> /dev/null |
		c++filt | awk -F '\t' '{
			sub(/\(.*/, "", $2)
			printf "| %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6 }'
}

cat <<'END'
# Marked loads, kernel by kernel

This table compares four tools on the kernels of the samples and tests. A cell of the LLVM pass or
the PTX analyser counts marked loads and global loads: `4/6` says that 4 of 6 are marked. These
marks are made at -O2 and level `guarded`. A cell of Clang or nvcc counts the `ld.global.nc` in its
own PTX. `-` says that nvcc's PTX of this file is not in the tree. nvcc unrolls differently, so
compare only whether its number is zero.

`tests/passes/marks_table.sh` generates this page.

| file | kernel | pass | PTX analyser | Clang 19 | nvcc 13 |
| --- | --- | --- | --- | --- | --- |
END
for source in "$root"/samples/*/*.cu; do
	rows "$source" --cuda-gpu-arch=sm_75 --cuda-feature=+ptx78 -I"$root/runtime/include" -I"$root/samples/common" -include cuda_runtime.h \
		-Xclang -mlink-builtin-bitcode -Xclang "$library"
done
for source in "$root"/tests/ptx-analyzer/readonly/kernels/*.cu "$here/cuda/patterns.cu"; do
	rows "$source" --cuda-gpu-arch=sm_90 --cuda-feature=+ptx82
done

cat <<'END'

## Kernels of machine learning and science

`tests/passes/truth/learning.cu` and `science.cu` have 48 kernels, and above each what it writes.
They have 94 structures that are only read. A cell counts those of which every load is marked at
level `guarded`, for code of Clang 19. No load of written data is marked in any of them.

| file | pass -O0 | pass -O3 | PTX analyser -O0 | PTX analyser -O3 |
| --- | --- | --- | --- | --- |
END
for name in learning science; do
	printf '| %s |' "$name"
	for engine in pass ptx; do
		for level in -O0 -O3; do
			"$here/run_truth.sh" "$romark" "$truth" "$here/truth/$name.cu" "$engine" "$level" 0 2>/dev/null |
				sed -n 's/^\([0-9]* of [0-9]*\) read-only rows found, 0 errors$/ \1 |/p' | tr -d '\n'
		done
	done
	echo
done
cat <<'END'

Without optimisation all variables of a function are in one frame, and PTX does not tell where an
array in it ends. romark's compiler driver adds that ([ptx.md](ptx.md#variables-in-a-frame)).
Without this, 8 more are not found at -O0: an index without a bound may then reach each pointer in
the frame (`table_of_inputs`, `pointer_stack`, `trace_rays`).

These are not found in PTX of -O0:

- `elementwise_strided` (2 structures): a function returns the place of an element by its index. The
  analysis has one result for all calls, so each pointer in the array may be any of the three.
- `pitched` (1): a function adds `y * pitch` to a pointer, both from a struct in memory. In a
  function either may be the base. Only a kernel's parameters are taken for a pointer that a launch
  checks.
- `concatenate` (1): the compiler copies the kernel's parameters byte by byte, and a pointer that is
  put together from bytes may lead anywhere. It is not found at -O3 either: there a number of 32
  bits from the parameter goes into the address of the output, and counts as a part of the pointers
  that are beside it.
END
