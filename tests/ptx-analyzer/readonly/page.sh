#!/bin/sh
# The HTML report in a headless Chromium: it draws itself, and picking a structure shows where it is touched.
# Usage: page.sh ROMARK FOLDER; skipped (77) without Chromium.
set -eu
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

width=1400
dom() { # fragment
	timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" \
		--window-size=$width,900 --virtual-time-budget=5000 --dump-dom "file://$work/page.html#$1" 2>"$work/browser.log"
}
need() { # pattern, file
	grep -q "$1" "$2" || { echo "FAILED: no '$1' in the page"; exit 1; }
}

"$1" ptx "$2/kernels/sharing.nvcc.ptx" --report=html --report-file="$work/page.html"
if grep -Eq '(src|href)="?(https?:)?//' "$work/page.html"; then
	echo "FAILED: the page refers to something outside itself"
	exit 1
fi
dom "" >"$work/plain"
need 'matmul: \([0-9]*\) of \1 loads marked' "$work/plain"
need 'class="row ro has"' "$work/plain"
need 'class="row st has"' "$work/plain"
need 'fully_connected' "$work/plain"
dom "structure=p2" >"$work/picked"
need 'aria-selected="true"' "$work/picked"
need 'class="row st has picked' "$work/picked"
if grep -q 'class="row ro has picked' "$work/picked"; then
	echo "FAILED: a load of another structure is picked"
	exit 1
fi
dom "search=fma" >"$work/found"
need 'class="row[^"]* found"' "$work/found"
dom "theme=dark" >"$work/dark"
need 'data-theme="dark"' "$work/dark"
need '<table class="guards">.*<td>p2</td><td>p0, p1</td>' "$work/dark"
# Nothing is copied, so kernels keep marks out of others.
"$1" ptx "$2/shared.ptx" --load=keep --report=html --report-file="$work/page.html"
names() { # fragment: the kernels listed, in order
	dom "$1" | tr '\n' ' ' | sed 's/.*<div id="kernels">//; s/<\/nav>.*//' | grep -o 'title="[a-z]*"' | tr -d '\n'
}
for wanted in '=title="writer"title="local"title="reader"' 'sort=unmarked=title="reader"title="writer"title="local"' 'sort=name=title="local"title="reader"title="writer"' \
	'unmarked=1=title="writer"title="reader"' 'filter=RIT=title="writer"'; do
	listed=$(names "${wanted%%=title*}")
	[ "title=${wanted#*=title=}" = "$listed" ] || { echo "FAILED: '$wanted' lists $listed"; exit 1; }
done
dom "kernel=reader" >"$work/shared"
need 'comes to it, too, and writes what it loads, or may <a href="#kernel=writer">show writer</a>' "$work/shared"
"$1" ptx "$2/places.ptx" --report=html --report-file="$work/page.html"
dom "kernel=_Z6callerPfPKf" >"$work/places"
need '<h2>caller: 1 of 1 loads marked</h2>' "$work/places"
need '<p class="symbol dim" title="_Z6callerPfPKf">caller(float\*, float const\*)</p>' "$work/places"
need 'title="_Z3putPfi">put</h3>' "$work/places"
need 'calls: caller(float\*, float const\*) → scale(float\*) (k.cu:15) → put(float\*, int) (k.cu:8)' "$work/places"
dom "kernel=_Z5adderIfEvPT_PKS0_" >"$work/places"
need 'inlined: sm_20_atomic_functions.hpp:84 into k.cu:2 into k.cu:23' "$work/places"
"$1" ptx "$2/shared.ptx" --load=keep --report=html --report-file="$work/page.html"
# In a narrow window nothing but tables and code reaches beyond its edge.
echo '<script>document.title = document.documentElement.scrollWidth <= innerWidth ? "fits" : "too wide";</script>' >>"$work/page.html"
for width in 420 1400; do
	dom "kernel=reader" >"$work/narrow"
	need '<title>fits</title>' "$work/narrow"
done
"$1" ptx "$2/../language/debug.clang.ptx" --report=html --report-file="$work/page.html"
dom "kernel=scale" >"$work/names"
need '<td>p2+24</td><td data-label="name">v.inner.hits</td>' "$work/names"
"$1" ptx "$2/line.ptx" --report=html --report-file="$work/page.html"
dom "" >"$work/line"
need 'class="row ro st has"[^>]*><i>4</i><b><span class="ro">RO</span><span class="st">ST</span></b>' "$work/line"
if grep -q '<b onload' "$work/line"; then
	echo "FAILED: a file's name became an element"
	exit 1
fi
"$1" ptx "$2/kernels/structs.nvcc.ptx" --kernel=launch_lambda --report=html --report-file="$work/page.html"
dom "" >"$work/mangled"
need '<h2>apply&lt;launch_lambda(' "$work/mangled"
