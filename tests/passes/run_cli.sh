#!/bin/sh
# `romark pass` as a user meets it: what it writes, and how it says no.
# usage: run_cli.sh ROMARK SOURCE.ll GATHER, of which GATHER.ll is dumped as GATHER.txt says
set -eu
romark=$1 ir=$2 gather=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# What LLVM holds is lost when its code generation fails.
export ASAN_OPTIONS=detect_leaks=0
cd "$folder"

fail()
{
	echo "$1" >&2
	exit 1
}

# refused CODE TEXT arguments...: exits with CODE, says TEXT in one line on stderr and writes no output.
refused()
{
	wanted=$1 text=$2
	shift 2
	code=0
	"$romark" pass "$@" > out 2> error || code=$?
	[ $code = "$wanted" ] || fail "pass $*: exit code $code, not $wanted"
	grep -qF -- "$text" error || fail "pass $*: no '$text' in: $(cat error)"
	[ "$(wc -l < error)" = 1 ] || fail "pass $*: more than a line: $(cat error)"
	[ ! -s out ] || fail "pass $*: output in spite of the error"
	[ ! -e result ] || fail "pass $*: left a file"
}

"$romark" pass "$ir" > text
grep -q '^kernel annotated: 1 of 1 loads marked' text || fail "no text report"
"$romark" pass --report=json "$ir" > json
grep -q '"schema": 1' json || fail "no JSON report"
"$romark" pass "$ir" -o module.bc > nothing
[ ! -s nothing ] || fail "a report nobody asked for"
"$romark" pass --emit=ptx module.bc -o one.ptx
"$romark" pass --emit=ptx "$ir" -o two.ptx
grep -q 'ld.global.ro' one.ptx || fail "no marked load"
cmp one.ptx two.ptx || fail "bitcode with marks and IR without give different PTX"
"$romark" pass --emit=ptx --load=nc -O2 "$ir" -o - --report-file=report.txt | grep -q 'ld.global.nc' || fail "no .nc load"
[ -s report.txt ] || fail "no report file"
# Both commands word their reports alike.
"$romark" ptx one.ptx > ptx-text
for shape in '^kernel annotated: 1 of 1 loads marked$' \
	'^  structure .*verdict     sharing    loads  marked  stores  atomics$' '^  guards: a launch ' '^    written  read$'; do
	grep -q "$shape" text || fail "no '$shape' in the pass's report"
	grep -q "$shape" ptx-text || fail "no '$shape' in the PTX analyser's report"
done
"$romark" pass --cross-check "$ir" > check
grep -q 'the pass marks it: yes, the PTX analyser: no .*: restrict' check || fail "no reason for a difference"
grep -q '^PTX analyser, strict: .* 0 for none$' check || fail "a difference without a reason"
"$romark" pass --cross-check --report=json "$ir" | grep -q '"unexplained": 0' || fail "no cross-check in JSON"
# The operations and their sets, in the order of the calling contexts.
"$romark" pass --dump=ops "$gather.ll" > dump
diff -u "$gather.txt" dump || fail "another dump"
"$romark" pass --dump=ops "$gather.ll" --report-file=dump.txt
cmp -s dump dump.txt || fail "another dump in a file"
refused 2 "--dump has no 'typo'" --dump=typo "$gather.ll"
refused 2 "writes no module" --dump=ops "$gather.ll" -o result

# Where inlined code, called functions and code without debug information come from.
places=$(dirname "$gather")/places
"$romark" pass --loads --alias=strict "$places.ll" | sed 1d > places-text
diff -u "$places.txt" places-text || fail "other places in text"
"$romark" pass --loads --alias=strict --report=json "$places.ll" | grep -v '"file": ".*places.ll"' > places-json
diff -u "$places.json" places-json || fail "other places in JSON"

# A store through a pointer that the kernel loads, or of unknown origin, is told as such and not by a made-up name.
cat > reach.ll <<'END'
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @loaded(ptr %rows, ptr %in) {
  %row = load ptr, ptr %rows, align 8
  %x = load float, ptr %in, align 4
  store float %x, ptr %row, align 4
  ret void
}
define ptx_kernel void @unknown(ptr %in) {
  %x = load i64, ptr %in, align 8
  %p = inttoptr i64 4096 to ptr
  store i64 %x, ptr %p, align 8
  ret void
}
END
"$romark" pass --alias=strict reach.ll > reach.txt
grep -qF 'why p1: `store float %x, ptr %row, align 4` in loaded: the kernel writes through a pointer loaded from p0, which may reach it' reach.txt ||
	fail "no store through a loaded pointer: $(cat reach.txt)"
grep -q 'why p0: .* in unknown: the kernel writes through a pointer of unknown origin, which may reach it' reach.txt ||
	fail "no store of unknown origin: $(cat reach.txt)"

"$romark" pass --help > help
grep -q 'usage: romark pass' help || fail "no help"

"$romark" pass --alias=strict "$ir" | grep -q '^  why p[0-9]: .*__restrict__ (noalias)' || fail "restrict is not named"
"$romark" pass --alias=distinct "$ir" | grep -q '^  why p[0-9]: .*unchecked$' || fail "what distinct takes on trust is not named"

grep -q '^  p0         a     read-only ' text || fail "no names of arguments"
grep -q '"name": "\*pp"' json || fail "no name of a pointee"

mixed=$(dirname "$ir")/mixed.ll
"$romark" pass --load=keep "$mixed" > mixed-text
# Where halves of an address are loaded at once, PTX alone says where it was loaded, and the difference has a ground.
"$romark" pass --cross-check --report=json "$mixed" >mixed-json || fail "loads of mixed.ll differ without a ground"
[ "$(grep -o "loads at once the parts of an address" mixed-json | wc -l)" = 6 ] || fail "no ground for merged loads"
for reason in 'kernel from_both comes to it, too, and writes' 'kernel from_local comes to it, too, and lets it load local'; do
	grep -q "^  why p[0-9]: \`.*load .*\` in [a-z_]*: read-only, but a load is not marked: $reason" mixed-text || fail "no '$reason'"
done
"$romark" pass --load=keep --report=json "$mixed" | tr -d ' \n' | grep -q '"denied_by":{"kernel":"from_both","demangled":"from_both"}' ||
	fail "no denied_by"
"$romark" pass --load=keep --emit=ptx "$mixed" -o plain.ptx
! grep -q 'reader\$' plain.ptx || fail "functions were copied for no mark"
"$romark" pass --emit=ptx "$mixed" -o copies.ptx --report-file=copies-text --report=text
grep -q '^\.func .* other_reader\$from_other(' copies.ptx || fail "no copy"
grep -q 'other_reader\$from_other' copies-text || fail "the report does not name the copy"
for level in strict guarded distinct; do
	"$romark" pass --cross-check "${mixed%mixed.ll}copies.ll" | grep -q "^PTX analyser, $level: .* 0 for none$" ||
		fail "copies differ without a reason"
done
cat > open.ll <<-'END'
	target triple = "nvptx64-nvidia-cuda"
	define float @pick(ptr %from) noinline {
	  %x = load float, ptr %from
	  ret float %x
	}
	define void @reader(ptr addrspace(1) %a, ptr addrspace(1) %out) {
	  %from = addrspacecast ptr addrspace(1) %a to ptr
	  %x = call float @pick(ptr %from)
	  store float %x, ptr addrspace(1) %out
	  ret void
	}
	!nvvm.annotations = !{!0}
	!0 = !{ptr @reader, !"kernel", i32 1}
END
"$romark" pass --relocatable --load=keep open.ll > open-text
grep -q 'code that is not in this module may come to it through pick$' open-text || fail "no way in"
"$romark" pass --relocatable --emit=ptx open.ll -o open.ptx
grep -q '^\.func .* pick\$reader(' open.ptx || fail "the kernel of a part calls no copy"
[ "$(grep -c 'ld\.global\.ro' open.ptx)" = 1 ] || fail "not only the copy is marked"
sed -n '/^\.visible .* pick(/,/^}/p' open.ptx | grep -q 'ld\.f32' || fail "the original is not as it was"

# A kernel that reads, and one that writes, for each of 20 functions: 16 groups of kernels get copies.
for k in $(seq 20); do
	cat <<-END
		define internal i32 @f$k(ptr %p) noinline {
		  %v = load i32, ptr %p
		  ret i32 %v
		}
		define ptx_kernel void @reads$k(ptr %a, ptr %b) {
		  %v = call i32 @f$k(ptr %a)
		  store i32 %v, ptr %b
		  ret void
		}
		define ptx_kernel void @writes$k(ptr %a) {
		  %v = call i32 @f$k(ptr %a)
		  store i32 %v, ptr %a
		  ret void
		}
	END
done > many.ll
copies=$({ echo 'target triple = "nvptx64-nvidia-cuda"'; cat many.ll; } | "$romark" pass --report=json - | grep -c '"f[0-9]*\$reads')
[ "$copies" = 16 ] || fail "$copies groups of copies, not 16"

# copies_of LENGTH: how many copies of a function of so many instructions two kernels get, which allow one load each.
copies_of()
{
	{
		echo 'target triple = "nvptx64-nvidia-cuda"'
		echo 'define internal i32 @long(ptr %p, ptr %q) noinline {'
		echo '  %w = load i32, ptr %p'
		echo '  %v0 = load i32, ptr %q'
		seq "$1" | awk '{ print "  %v" $1 " = add i32 %v" $1 - 1 ", %w" }'
		printf '  ret i32 %%v%s\n}\n' "$1"
		for written in a b c; do
			echo "define ptx_kernel void @writes_$written(ptr %a, ptr %b, ptr %c) {"
			echo '  %v = call i32 @long(ptr %a, ptr %b)'
			printf '  store i32 %%v, ptr %%%s\n  ret void\n}\n' $written
		done
	} | "$romark" pass --report=json - | grep -c '"long\$writes'
}
[ "$(copies_of 1000)" = 2 ] || fail "a small module gets not all copies that it wants"
[ "$(copies_of 3000)" = 1 ] || fail "a module of some thousand instructions more than doubles"

printf 'no IR' > bad.ll
printf 'target triple = "x86_64-linux-gnu"\n' > host.ll
printf 'target triple = "nvptx64-nvidia-cuda"\ndefine void @f() {\n  call void @llvm.nvvm.cp.async.wait.all()\n  ret void\n}\ndeclare void @llvm.nvvm.cp.async.wait.all()\n' > old.ll
head -c 200 module.bc > cut.bc
refused 1 "bad.ll" bad.ll -o result
refused 1 "device code for nvptx64 is wanted" host.ll -o result
refused 1 "Cannot select" --emit=ptx --arch=sm_75 old.ll -o result
refused 1 "cut.bc" cut.bc -o result
refused 1 "cannot open" missing.bc -o result
refused 1 "cannot write" "$ir" -o missing/result
refused 2 "one input file" -o result
refused 2 "unknown option" --frobnicate "$ir"
refused 2 "guarded|strict|distinct" --alias=loose "$ir"
