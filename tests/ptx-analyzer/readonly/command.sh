#!/bin/sh
# romark ptx as users call it: output, exit codes, and no half-written files. Usage: command.sh ROMARK FOLDER
set -u
romark=$1
kernels=$2/kernels
shared=$2/shared.ptx
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

check() { # description, then a command that must succeed
	what=$1
	shift
	"$@" >"$work/log" 2>&1 && return
	echo "FAILED: $what"
	sed 's/^/    /' "$work/log"
	failed=1
}
exits() { # expected code, command...
	want=$1
	shift
	"$@"
	test $? -eq "$want"
}
has() { grep -qe "$1" "$2"; }

in=$kernels/params.nvcc.ptx
check "marks a file" "$romark" ptx "$in" -o "$work/out.ptx" --report=json --report-file="$work/out.json"
check "marked loads in it" has 'ld\.global\.ro\.f32' "$work/out.ptx"
check "no .nc left" exits 1 grep -q 'const_only.*\.nc' "$work/out.ptx"
check "schema in JSON" has '"schema": 1' "$work/out.json"
check "level in JSON" has '"alias": "guarded"' "$work/out.json"
"$romark" ptx "$in" --report=json >"$work/stdout.json"
check "same report on stdout" cmp "$work/out.json" "$work/stdout.json"
check "keep leaves loads alone" "$romark" ptx "$in" --load=keep -o "$work/keep.ptx" --report-file="$work/keep.txt"
check "no mark with keep" exits 1 grep -q '\.ro\.' "$work/keep.ptx"
check "nc for hardware" "$romark" ptx "$in" --load=nc -o "$work/nc.ptx" --report-file="$work/nc.txt"
check "only nc" exits 1 grep -q '\.ro\.' "$work/nc.ptx"
"$romark" ptx "$in" -o - >"$work/dash.ptx"
check "-o - writes PTX alone" cmp "$work/out.ptx" "$work/dash.ptx"
"$romark" ptx "$in" --kernel='^in_place$' >"$work/one.txt"
check "one kernel" has '1 kernel,' "$work/one.txt"

"$romark" ptx "$kernels/sharing.nvcc.ptx" --kernel='^matmul$' >"$work/matmul.txt"
check "guards in the text" has '^    p2       p0, p1$' "$work/matmul.txt"
check "what read-only rests on" has '^  why p0: no store, atomic .*; 1 guard: p2 must be other memory at the launch$' "$work/matmul.txt"
check "a structure's row" has '^  p0  *read-only  *grid  *5  *5  *0  *0$' "$work/matmul.txt"
"$romark" ptx "$kernels/structs.nvcc.ptx" --kernel='apply<launch_lambda' >"$work/mangled.txt"
check "a kernel by its C++ name" has '^  void apply<launch_lambda(' "$work/mangled.txt"
check "and only that" has '1 kernel,' "$work/mangled.txt"

# Bytes of each access, in text and JSON.
"$romark" ptx "$kernels/sharing.nvcc.ptx" --kernel='^stencil$' --ranges >"$work/ranges.txt"
check "bytes as text" has '^    line [0-9]*: ld.global.f32  p0\[4 .. 4\*ntid.x\*nctaid.x + 4)$' "$work/ranges.txt"
"$romark" ptx "$kernels/sharing.nvcc.ptx" --kernel='^stencil$' --ranges --report=json >"$work/ranges.json"
check "bytes in JSON" has '"bytes": "p1\[0 .. 4\*ntid.x\*nctaid.x)"' "$work/ranges.json"
"$romark" ptx "$kernels/sharing.nvcc.ptx" --ranges >"$work/scans.txt"
check "scans as text" has '^    line 633: .*; a launch may know it by scans of p0\[0 .. 4\*p4), p0\[4 .. 4\*p4 + 4)$' "$work/scans.txt"
check "and by what these are known" has '^    line 637: .*; a launch may know it by scans of p1$' "$work/scans.txt"
check "no scans for what is known" exits 1 grep -q ').*by scans of p0\[0 .. p2)' "$work/scans.txt"
"$romark" ptx "$kernels/sharing.nvcc.ptx" --ranges --report=json | tr -d '\n' >"$work/scans.json"
check "scans in JSON" has '"scans": \[ *"p0\[0 .. 4\*p4)", *"p0\[4 .. 4\*p4 + 4)" *\]' "$work/scans.json"
check "no bytes unasked" exits 1 grep -q 'bytes' "$work/matmul.txt"

# Load by load: as many as are counted, each marked or with its reason, in text and JSON.
for ptx in "$kernels"/*.ptx; do
	for level in strict guarded distinct; do
		"$romark" ptx --alias=$level --loads "$ptx" >"$work/loads.txt"
		counted=$(sed -n '1s/.*, \([0-9]*\) of \([0-9]*\) global loads.*/\1 \2/p' "$work/loads.txt")
		listed="$(grep -c '^  load line .*: marked$' "$work/loads.txt") $(grep -c '^  load line' "$work/loads.txt")"
		check "loads of $ptx at level $level ($counted, $listed)" test "$counted" = "$listed"
		check "reasons of $ptx at level $level" exits 1 grep -q 'not marked, $' "$work/loads.txt"
	done
done
# A reason's line holds the instruction that it names (a call goes on in the lines behind); JSON has the same lines.
for ptx in "$kernels"/*.ptx; do
	"$romark" ptx "$ptx" | sed -n 's/^  why [^ ]*: line \([0-9]*\): [^`]*`\([^`]*\)`.*/\1 \2/p' >"$work/why.txt"
	check "reasons in $ptx" test -s "$work/why.txt"
	while read -r line name; do
		case $name in *.*) last=$line ;; *) last=$((line + 6)) ;; esac
		sed -n "$line,${last}p" "$ptx" >"$work/place.txt"
		check "line $line of $ptx has $name" grep -qF "$name" "$work/place.txt"
	done <"$work/why.txt"
	"$romark" ptx --report=json "$ptx" | sed -n 's/^ *"line": \([0-9]*\),$/\1/p' >"$work/json-lines"
	while read -r line name; do
		check "line $line in the JSON of $ptx" has "^$line\$" "$work/json-lines"
	done <"$work/why.txt"
done
# Loads of other memory stand behind them, and are not counted.
"$romark" ptx --loads --kernel='^matmul_tiled$' "$kernels/sharing.nvcc.ptx" >"$work/tiled.txt"
check "loads of shared memory" has '^  other load line .*: `ld.shared.f32` of shared memory: not marked, marks are for loads of global memory$' "$work/tiled.txt"
check "loads of parameters" has '^  other load line .*: `ld.param.u64` of param memory: not marked' "$work/tiled.txt"
check "without --loads none" exits 1 grep -q 'other load' "$work/matmul.txt"
for space in shared local const param; do
	written=$(sed -n '/entry matmul_tiled/,/^}/p' "$kernels/sharing.nvcc.ptx" | grep -c "	ld\.$space\.")
	listed=$(grep -c "^  other load line .*\`ld\.$space\." "$work/tiled.txt")
	check "loads of $space memory ($written, $listed)" test "$written" = "$listed"
done
"$romark" ptx --loads "$shared" >"$work/shared-loads.txt"
"$romark" ptx --loads --kernel=reader "$shared" >"$work/reader-loads.txt"
check "a generic load of global memory is none of them" exits 1 grep -q 'other load .*`ld.u32`' "$work/reader-loads.txt"
check "a generic load of local memory" has '`ld.u32` of local, shared, parameter or constant memory' "$work/shared-loads.txt"
"$romark" ptx --loads "$kernels/ordering.nvcc.ptx" >"$work/loads.txt"
check "a load's own reason" has 'not marked, a volatile load is never marked' "$work/loads.txt"
check "its structure's reason" has 'of p[0-9]*: not marked, p[0-9]* is read-write: ' "$work/loads.txt"
"$romark" ptx --loads --report=json "$in" >"$work/loads.json"
check "loads in JSON" has '"load_list": \[' "$work/loads.json"
check "not without being asked" exits 1 grep -q load_list "$work/out.json"

# Who forbids a mark is named: another kernel by its writes or its memory, or other modules. (--load=keep: no copies.)
"$romark" ptx --load=keep "$shared" >"$work/shared.txt"
check "the kernel that writes" has '^  why p0: .*`ld.u32` in pick is not marked: kernel writer comes to it, too, and writes' "$work/shared.txt"
check "nobody forbids" has '^  why p1: no store, atomic' "$work/shared.txt"
check "the kernel with local memory" has '^  why p2: .* in near is not marked: kernel local comes .* local, shared' "$work/shared.txt"
"$romark" ptx --load=keep --loads --report=json "$shared" | tr -d ' \n' >"$work/shared.json"
check "who forbids, of a structure" has '"text":"[^"]*","denied_by":{"kernel":"writer","demangled":"writer"},' "$work/shared.json"
check "who forbids, of a load" has '"why":"[^"]*","denied_by":{"kernel":"local","demangled":"local"},' "$work/shared.json"
sed 's/^.func/.visible .func/' "$shared" >"$work/visible.ptx"
"$romark" ptx --load=keep --relocatable "$work/visible.ptx" >"$work/visible.txt"
check "other modules" has '^  why p1: .* is not marked: code that is not in this module may come to it through mine$' "$work/visible.txt"
"$romark" ptx --load=keep --relocatable --report=json "$work/visible.ptx" | tr -d ' \n' >"$work/visible.json"
check "other modules in JSON" has '"denied_by":{"function":"mine","demangled":"mine"}' "$work/visible.json"

# Where inlined code and called functions come from, by names of the source.
"$romark" ptx --loads --alias=strict --load=keep "$2/places.ptx" | sed 1d >"$work/places.txt"
check "places in text" diff -u "$2/places.txt" "$work/places.txt"
"$romark" ptx --loads --alias=strict --load=keep --report=json "$2/places.ptx" | grep -v '"file": ".*places.ptx"' >"$work/places.json"
check "places in JSON" diff -u "$2/places.json" "$work/places.json"
sed 's/pick/_Z4pickPi/; s/writer/_Z6writerPi/' "$shared" >"$work/mangled.ptx"
"$romark" ptx --load=keep "$work/mangled.ptx" >"$work/mangled.txt"
check "who forbids, by a plain name" has '`ld.u32` in pick is not marked: kernel writer comes to it, too' "$work/mangled.txt"
"$romark" ptx --load=keep --report=json "$work/mangled.ptx" | tr -d ' \n' >"$work/mangled.json"
check "with the symbol beside it" has '"denied_by":{"kernel":"_Z6writerPi","demangled":"writer(int\*)"}' "$work/mangled.json"

"$romark" ptx --report=html "$2/line.ptx" >"$work/line.html"
check "a hostile name stays data" test "$(grep -o '</script' "$work/line.html" | wc -l)" = 2

# Sources: only text from folders of the user's choice, whatever a foreign file names; nothing blocks or is read without end.
mkdir -p "$work/ptx/beside" "$work/else" "$work/here"
echo 'secret of ptx' >"$work/ptx/own.cu"
echo 'secret of else' >"$work/else/other.cuh"
echo 'secret without ending' >"$work/ptx/passwords"
printf 'secret\0binary' >"$work/ptx/binary.cu"
ln -s ../else/other.cuh "$work/ptx/link.cu"
ln -s passwords "$work/ptx/named.cu"
mkfifo "$work/ptx/pipe.cu"
mkdir "$work/ptx/folder.cu"
truncate -s 5M "$work/ptx/large.cu"
shows() { # what, options: a page whose kernel names the file, from the folder `here`
	printf '.version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p) { .loc 1 3 1\n ret; }\n%s\n' \
		".file 1 \"$1\"" >"$work/ptx/k.ptx"
	shift
	(cd "$work/here" && timeout 20 "$romark" ptx "$@" --report=html ../ptx/k.ptx >../page.html 2>../page.err) &&
		grep -q secret "$work/page.html"
}
refuses() { # reason, what
	exits 1 shows "$2" && grep -q "source not shown: $1" "$work/page.err"
}
check "a source beside the PTX" shows own.cu
check "a source that has moved beside it" shows /gone/own.cu
check "a source elsewhere" refuses 'neither under the working folder' "$work/else/other.cuh"
check "one that is allowed" shows "$work/else/other.cuh" --source="$work/ptx/beside" --source="$work/else"
check "a link to elsewhere" refuses 'neither under' link.cu
check "a link to no source" refuses 'no source file' named.cu
check "a way up" refuses 'neither under' "$work/here/../else/other.cuh"
check "no source by its name" refuses 'no source file' passwords
check "a device" refuses 'no source file' /dev/zero
check "a pipe" refuses 'no regular file' "$work/ptx/pipe.cu"
check "a folder" refuses 'no regular file' folder.cu
check "no text" refuses 'no text' binary.cu
check "a large file" refuses 'larger than 4194304 bytes' large.cu

# Names of the source where debug information or the symbol gives them.
"$romark" ptx "$2/../language/debug.clang.ptx" >"$work/names.txt"
check "a column of names" has '^  structure  name          verdict ' "$work/names.txt"
check "a parameter's name" has '^  p1         out           write-only ' "$work/names.txt"
check "a member's name" has '^  p2+24      v.inner.hits  read-only ' "$work/names.txt"
check "a variable's name" has '^  counter                  write-only ' "$work/names.txt"
check "no column without names" exits 1 grep -q '^  structure  *name' "$work/matmul.txt"
"$romark" ptx --report=json "$2/../language/debug.nvcc.ptx" | tr -d ' \n' >"$work/names.json"
check "names in JSON" has '"id":"p1","name":"out","verdict"' "$work/names.json"

# Kernels in another order, and only those with something to do.
"$romark" ptx --load=keep --sort=unmarked "$shared" | sed -n 's/^kernel \([^:]*\):.*/\1/p' | tr '\n' ' ' >"$work/order"
check "most unmarked first" has '^reader writer local $' "$work/order"
"$romark" ptx --load=keep --sort=name "$shared" | sed -n 's/^kernel \([^:]*\):.*/\1/p' | tr '\n' ' ' >"$work/order"
check "by name" has '^local reader writer $' "$work/order"
"$romark" ptx --load=keep --unmarked "$shared" >"$work/unmarked.txt"
check "kernels with unmarked loads" has ': 2 kernels, 1 of 4 global' "$work/unmarked.txt"
check "and no other" exits 1 grep -q '^kernel local' "$work/unmarked.txt"
"$romark" ptx --unmarked --kernel=matmul "$kernels/sharing.nvcc.ptx" >"$work/unmarked.txt"
check "none left is no error" has ': 0 kernels,' "$work/unmarked.txt"

"$romark" ptx --diff "$kernels/params.nvcc.ptx" "$kernels/params.nvcc.ptx" >"$work/same.txt"
check "no difference" has 'none changed' "$work/same.txt"
sed 's/st\.global\.f32/st.f32/' "$in" | sed '/const_only/,/ret;/s/ld\.global\.f32/ld.volatile.global.f32/' >"$work/new.ptx"
"$romark" ptx --diff "$in" "$work/new.ptx" >"$work/diff.txt"
check "difference named" has 'kernel const_only: 1 of 1 loads marked -> 0 of 1' "$work/diff.txt"
check "its reason" has 'volatile' "$work/diff.txt"
"$romark" ptx --diff --report=json "$in" "$work/new.ptx" >"$work/diff.json"
check "difference in JSON" has '"change": "changed"' "$work/diff.json"
# A mark that the program's promise gave, and that a guard has to carry now.
sed '/^.visible .entry only_header/,/^}/d; /_Z5outerPf/d; /_Z7strangePf/,/^}/d; s/ld.global.f32/ld.global.nc.f32/' "$2/places.ptx" >"$work/promised.ptx"
sed 's/ld.global.nc/ld.global/' "$work/promised.ptx" >"$work/unpromised.ptx"
"$romark" ptx --diff "$work/promised.ptx" "$work/unpromised.ptx" | sed 1d >"$work/ground.txt"
cat >"$work/ground.wanted" <<-END

	kernel _Z6callerPfPKf: 1 of 1 loads marked -> 1 of 1
	  caller(float*, float const*)
	  p1: read-only, grid, 1 of 1 loads marked, by promise -> read-only, grid, 1 of 1 loads marked, if p0 is other memory
	    no store, atomic or unknown code reaches it; 1 guard: p0 must be other memory at the launch
END
check "a mark that rests on a guard now" diff -u "$work/ground.wanted" "$work/ground.txt"
"$romark" ptx --diff --report=json "$work/promised.ptx" "$work/unpromised.ptx" | tr -d ' \n' >"$work/ground.json"
check "and in JSON" has '"loads_marked":1,"rests_on":"promise","guards":\[\]},"new":{.*"loads_marked":1,"guards":\["p0"\]}' "$work/ground.json"

"$romark" ptx --relocatable --load=keep --kernel=call_reader_restrict "$kernels/calls.clang.ptx" >"$work/part.txt"
check "visible functions of a part stay unmarked" has 'call_reader_restrict: 0 of 1 loads marked' "$work/part.txt"
"$romark" ptx --relocatable --kernel=call_reader_restrict "$kernels/calls.clang.ptx" >"$work/part.txt"
check "its kernels call copies" has 'call_reader_restrict: 1 of 1 loads marked' "$work/part.txt"
check "the report names them" has 'copy: .*\$call_' "$work/part.txt"

check "help" "$romark" ptx --help
check "no input is wrong usage" exits 2 "$romark" ptx
check "unknown option" exits 2 "$romark" ptx --alais=strict "$in"
check "unknown level" exits 2 "$romark" ptx --alias=loose "$in"
check "no kernel matches" exits 1 "$romark" ptx --kernel=nothing "$in" -o "$work/bad.out"
check "missing file" exits 1 "$romark" ptx "$work/none.ptx"
check "bad expression" exits 2 "$romark" ptx --kernel='(' "$in"
check "bad output folder" exits 1 "$romark" ptx "$in" -o "$work/no/such/out.ptx"
{ cat "$in"; echo 'nonsense'; } >"$work/bad.ptx"
check "syntax error" exits 1 "$romark" ptx "$work/bad.ptx" -o "$work/bad.out" --report-file="$work/bad.txt"
check "no output after an error" exits 1 test -e "$work/bad.out" -o -e "$work/bad.txt"
"$romark" ptx "$work/bad.ptx" 2>"$work/error"
check "error names the line" has 'bad\.ptx:[0-9]*:' "$work/error"

# What the analysis went through, in the order of the text whatever the order of the words.
inside=$2/inside
"$romark" ptx "$inside.ptx" --dump=verdicts,cfg,origins >"$work/inside.txt"
check "control flow, origins and verdicts" diff -u "$inside.txt" "$work/inside.txt"
"$romark" ptx "$inside.ptx" --dump=verdicts --report-file="$work/verdicts.txt"
check "a dump into a file" grep -q 'p0 is other memory than p1' "$work/verdicts.txt"
check "only the words asked for" exits 1 grep -q 'block 0' "$work/verdicts.txt"
"$romark" ptx "$kernels/sharing.nvcc.ptx" --kernel='^matmul$' --dump=cfg >"$work/matmul.txt"
check "the kernels asked for" exits 1 grep '^.entry [^m]' "$work/matmul.txt"
here=$(dirname "$kernels")
"$romark" ptx "$here/places.ptx" --dump=verdicts >"$work/places.txt"
check "the source's line in a dump" has '^      61  atom.global.add.f32 %f2, \[%rd1\], %f1; (k.cu:2 into k.cu:23)$' "$work/places.txt"
check "a plain name in a dump" has '^.entry _Z5adderIfEvPT_PKS0_, line 49, adder<float>: ' "$work/places.txt"
check "a word that is none" exits 2 "$romark" ptx "$inside.ptx" --dump=cfg,typo
check "no PTX beside a dump" exits 2 "$romark" ptx "$inside.ptx" --dump=cfg -o "$work/none.ptx"
for ptx in "$kernels"/*.ptx; do
	check "$ptx dumped" "$romark" ptx "$ptx" --dump=cfg,origins,verdicts
done

# A variable's symbol is shown as the source has it, and nvcc's namespace with a hash of the file is not: two builds of
# one file have the same names. JSON keeps the symbols.
hashed() { # hash of the file, then what is done to the variable
	cat <<END
.version 7.0
.target sm_75
.address_size 64
.global .align 4 .b8 _ZN31_INTERNAL_$1_5_st_cu_main5tableE[256];
.visible .entry _ZN33_GLOBAL__N__$1_5_st_cu_main4anonEPf(.param .u64 out)
{
	.reg .f32 %f;
	.reg .u64 %p;
	ld.param.u64 %p, [out];
	cvta.to.global.u64 %p, %p;
	ld.global.f32 %f, [_ZN31_INTERNAL_$1_5_st_cu_main5tableE];
	st.global.f32 [$2], %f;
	ret;
}
END
}
hashed 0d532c90 %p >"$work/hashed.ptx"
hashed 65154d41 %p >"$work/again.ptx"
hashed 65154d41 _ZN31_INTERNAL_65154d41_5_st_cu_main5tableE >"$work/writes.ptx"
"$romark" ptx "$work/hashed.ptx" >"$work/hashed.txt"
check "plain names of variables" has '^  table  *read-only ' "$work/hashed.txt"
check "in reasons" has '^  why table: no store.*; 1 guard: p0 must' "$work/hashed.txt"
check "in guards" has '^    p0  *table$' "$work/hashed.txt"
check "no hash but in the kernel's symbol" test "$(grep -c '0d532c90' "$work/hashed.txt")" = 1
"$romark" ptx --report=json "$work/hashed.ptx" >"$work/hashed.json"
check "symbols in JSON" has '"id": "_ZN31_INTERNAL_0d532c90_5_st_cu_main5tableE"' "$work/hashed.json"
check "names beside them" has '"name": "table"' "$work/hashed.json"
"$romark" ptx --diff "$work/hashed.ptx" "$work/again.ptx" >"$work/same.txt"
check "another hash is no other kernel" has '1 kernel unchanged, none changed' "$work/same.txt"
"$romark" ptx --diff "$work/hashed.ptx" "$work/writes.ptx" >"$work/changed.txt"
check "a change of one kernel" has '^  table: read-only, .* -> read-write' "$work/changed.txt"

exit $failed
