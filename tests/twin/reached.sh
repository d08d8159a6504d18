#!/bin/bash
# Checks that every function of the standard was called by a twin. Usage: reached.sh FUNCTIONS LIBRARY OUTPUT.reached...
# Names those that no run called, and those that the library lacks.
functions=$1 library=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LC_ALL=C sort -u "$functions" >"$work/all"
nm "$library" 2>/dev/null | sed -n 's/.* T \(GrB_.*\)/\1/p' | LC_ALL=C sort -u >"$work/there"
cat "$@" | LC_ALL=C sort -u >"$work/reached"
[ -s "$work/there" ] && [ -s "$work/reached" ] || { echo "reached.sh: nothing to read"; exit 2; }
LC_ALL=C comm -23 "$work/all" "$work/there" >"$work/lacking"
LC_ALL=C comm -12 "$work/all" "$work/there" | LC_ALL=C comm -23 - "$work/reached" >"$work/missed"
echo "$(wc -l <"$work/all") functions, $(wc -l <"$work/reached") reached"
sed 's/^/not in the library: /' "$work/lacking"
sed 's/^/not reached by any twin: /' "$work/missed"
[ ! -s "$work/missed" ] && [ ! -s "$work/lacking" ]
