#!/bin/sh
# Reports in SARIF: each is valid, has every unmarked load once, and says where and why.
# usage: sarif.sh ROMARK CHECK_SARIF KERNELS PLACES.ptx PLACES.ll
set -u
romark=$1 checker=$2 kernels=$3 ptx=$4 ir=$5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

fail()
{
	echo "FAILED: $*" >&2
	failed=1
}

# checked COMMAND INPUT options...: the report in SARIF beside the one in JSON
checked()
{
	command=$1 input=$2
	shift 2
	"$romark" "$command" "$@" --report=sarif "$input" >report.sarif || fail "$command $* $input: no SARIF"
	"$romark" "$command" "$@" --report=json --loads "$input" >report.json || fail "$command $* $input: no JSON"
	"$checker" report.sarif report.json || fail "$command $* $input"
}

has()
{
	grep -qF -- "$1" report.sarif || fail "no '$1' in the report on $input"
}

for input in "$kernels"/*.ptx; do
	for alias in strict guarded distinct; do
		checked ptx "$input" --alias=$alias
	done
done

# Lines of the source, and of the text where there are none. The working folder's files are told relative to it.
checked ptx "$ptx" --alias=strict
has '"uri": "file:///'
has '"text": "inlined here"'
has '"ruleId": "alias"'
has 'how the kernel comes to the instruction that decided'
checked pass "$ir" --alias=strict
has '"uri": "file:///data/k.cu"'
has '"startLine": 16,'
has '"decoratedName": "_Z6callerPfPKf"'
has '"text": "1 load of `in` (p1) in kernel caller has no read-only mark: p0 is written, and nothing in the IR shows that p1 is other memory; see [k.cu:4](1)."'
has '"text": "1 load of p0 in kernel bare has no read-only mark: p1 is written, and nothing in the IR shows that p0 is other memory."'

# A folder with letters that a URI has to encode; the input is under it.
mkdir 'a b#ü%[1]'
grep -v '^[[:space:]]*\.loc' "$kernels/params.nvcc.ptx" >'a b#ü%[1]/k.ptx'
checked ptx 'a b#ü%[1]/../a b#ü%[1]/./k.ptx' --alias=strict
has '"uri": "a%20b%23%C3%BC%25%5B1%5D/k.ptx"'
has '"startLine": '

# The same bytes each time; a file appears whole.
"$romark" ptx --alias=strict --report=sarif "$ptx" >once.sarif
"$romark" ptx --alias=strict --report=sarif "$ptx" >twice.sarif
cmp once.sarif twice.sarif || fail "other bytes"
"$romark" ptx --alias=strict --report=sarif --report-file=file.sarif "$ptx" || fail "no file"
grep -q '"--report-file=file.sarif"' file.sarif || fail "the arguments are not told"

# Lines that move leave the fingerprints as they are.
sed 's|^\.version|// one line more\n&|' "$ptx" >moved.ptx
"$romark" ptx --alias=strict --report=sarif moved.ptx | grep romarkUnmarked >moved.prints
grep romarkUnmarked once.sarif >prints
cmp prints moved.prints || fail "other fingerprints after a line in front"
[ -s prints ] || fail "no fingerprints"

"$romark" ptx --diff --report=sarif "$ptx" "$ptx" >out 2>error
[ $? = 2 ] || fail "--diff in SARIF"
"$romark" pass --cross-check --report=sarif "$ir" >out 2>error
[ $? = 2 ] || fail "--cross-check in SARIF"
grep -q 'text or JSON' error || fail "no reason: $(cat error)"
exit $failed
