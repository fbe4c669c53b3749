# Sourced by the tests here and in tests/cli: a scratch folder, the arguments by name, and the ways to check. Arguments:
# the command romark, the folders of the sources, of the samples and of the objects that compile_objects makes.
set -u
romark=$1 sources=$2 samples=$3 built=${4-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
cd "$work" || exit 1
failed=0

fail()
{
	echo "FAILED: $*"
	failed=1
}

# expect CODE COMMAND...: runs it, output in out.txt and err.txt.
expect()
{
	wanted=$1
	shift
	"$@" > out.txt 2> err.txt
	code=$?
	if [ $code -ne "$wanted" ]; then
		fail "exit code $code instead of $wanted: $*"
		head -n 20 err.txt
	fi
}

# Runs a program that does not name the runtime itself: with sanitizers, theirs has to be there before it.
program()
{
	env ${ROMARK_TEST_PRELOAD:+LD_PRELOAD="$ROMARK_TEST_PRELOAD"} "$@"
}

says()
{
	grep -q -e "$2" "$1" || { fail "'$2' is not in $1:"; head -n 20 "$1"; }
}

silent_about()
{
	if grep -q -e "$2" "$1"; then fail "'$2' is in $1"; fi
}

# Nothing stays behind in the folder for temporary files.
clean()
{
	[ -z "$(ls -A "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"
}

finish()
{
	clean
	exit $failed
}
