# Sourced by the tests of checkpoints, behind tests/cc/common.sh: a run beside one that is interrupted.

# sim TRACE OUT OPTIONS...: every output that a run has, as OUT.*
sim()
{
	trace=$1 out=$2
	shift 2
	"$romark" sim "$trace" --gpu=selrep64 --detail --verify --series-cycles=777 --json="$out.json" \
		--series="$out.csv" --perfetto="$out.perfetto" "$@" > "$out.txt" 2> "$out.err"
}

# What both runs print and write must be the same, but for the times that they took.
same()
{
	for end in csv perfetto; do
		cmp -s "$1.$end" "$2.$end" || fail "$3: the files .$end differ"
	done
	for side in "$1" "$2"; do
		grep -q '"host"' "$side.json" || fail "$3: no results in $side.json"
		sed '/^ "host"/,$d' "$side.json" > "$side.json.timeless"
		grep -v simulated "$side.txt" > "$side.txt.timeless"
	done
	cmp -s "$1.json.timeless" "$2.json.timeless" || fail "$3: the results differ"
	cmp -s "$1.txt.timeless" "$2.txt.timeless" || fail "$3: the summaries differ"
}

# random TEXT LIMIT: a number from 1 to LIMIT that is always the same for the text.
random()
{
	echo $(($(printf %s "$1" | cksum | cut -d' ' -f1) % $2 + 1))
}

# stopped_at CYCLE CODE: the run has ended there and says how to go on.
stopped()
{
	[ "$2" -eq 3 ] || fail "$3: exit code $2 instead of 3 at the interruption"
	grep -q "^romark: stopped before cycle [0-9]*; the same command with --resume=ck" interrupted.err ||
		fail "$3: no word of how to go on: $(cat interrupted.err)"
	[ -e ck ] || fail "$3: no checkpoint"
	[ ! -e interrupted.json ] || fail "$3: an interrupted run has left results"
}

# interrupt WHAT CYCLES TRACE OPTIONS...: full.* is there; the same run, stopped at each of the cycles.
interrupt()
{
	what=$1 cycles=$2 trace=$3
	shift 3
	rm -f interrupted.* ck
	from=--checkpoint=ck
	for cycle in $cycles; do
		sim "$trace" interrupted "$@" $from --checkpoint-at-cycle="$cycle"
		stopped "$cycle" $? "$what at cycle $cycle"
		from=--resume=ck
	done
	sim "$trace" interrupted "$@" --resume=ck || fail "$what: the resumed run has failed: $(cat interrupted.err)"
	same full interrupted "$what, stopped at $cycles"
	[ ! -e ck ] || fail "$what: the checkpoint is still there"
}

# The run's length in cycles, of full.json.
length()
{
	sed -n 's/^ "cycles": \([0-9]*\),$/\1/p' full.json
}
