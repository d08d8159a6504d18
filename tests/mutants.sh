#!/bin/bash
# mutants.sh [SEED] [N] [STAGE...]: mutation testing. Changes one thing at a time in a copy of the C code (mutate.py), builds what depends on it,
# and runs tests until one fails. The failing test, or none, is written to build/mutants/SEED.tsv. Stages run in the order
# given: unit (one process), quick (the quick set) and all; default: unit and quick. MUTANTS="3 17" runs these numbers only. WORKERS=W: W
# mutants at a time, each in its own source tree. Mutants that the file already has are not run again.
# CONFIGURE: further options of cmake. SECONDS_MOST: no mutant starts after that many seconds.
set -u
cd "$(dirname "$0")/.." || exit 2
seed=${1:-1} n=${2:-60}
[ $# -le 2 ] || stages="${*:3}"
stages=${stages:-unit quick}
workers=${WORKERS:-1}
jobs=$((($(nproc) + workers - 1) / workers))
[ "$jobs" -gt 1 ] || jobs=2
root=$PWD
out=$root/build/mutants/$seed.tsv
mkdir -p "$root/build/mutants"
touch "$out"
target=quick_tests
[[ " $stages " != *" all "* ]] || target=all

# The functions below work in $work: tree (the mutated source), unchanged (copies of files), build.txt, test.txt.
build() { cmake --build "$tree/build/release" -j "$jobs" --target $target >"$work/build.txt" 2>&1; }

# run_tests STAGE OPTION...: prints the names of the tests that fail.
run_tests() {
  local which
  case $1 in
    unit) which=(-L '^unit$' -LE '^(long|long_sanitized|gpu)$' -E "^(.*[.].*$failing)\$") ;;
    quick) which=(-LE '^(long|long_sanitized|gpu|source)$' -E "^(-$failing)\$") ;;
    all) which=(-LE '^(gpu|source)$' -E "^(-$failing)\$") ;;
    *) echo "mutants.sh: no stage $1" >&2; exit 2 ;;
  esac
  ctest --test-dir "$tree/build/release" "${which[@]}" "${@:2}" >"$work/test.txt" 2>&1
  sed -n 's/.*Test *#[0-9]*: \([^ ]*\) .*\*\*\*\(Failed\|Exception\|Timeout\|Not Run\).*/\1/p; s/.*Test *#[0-9]*: \([^ ]*\) .*Exception.*/\1/p' "$work/test.txt"
}
failing= # tests that fail without a mutation, as |NAME...

# prepare: copies and builds the tree.
prepare() {
  mkdir -p "$tree"
  tar -c --exclude=./build --exclude=./.git --exclude=./.carry . | tar -x -C "$tree"
  rm -rf "$work/unchanged" && mkdir "$work/unchanged" # not this tree, which may change meanwhile
  cp -r "$tree"/{semiring,spmat,dist,algos} "$work/unchanged"
  # shellcheck disable=SC2046,SC2086
  [ -f "$tree/build/release/build.ninja" ] || (cd "$tree" && cmake --preset release -DGRIDBLAS_CUDA=OFF $(command -v ccache >/dev/null && echo -DCMAKE_C_COMPILER_LAUNCHER=ccache) ${CONFIGURE:-}) >"$work/build.txt" 2>&1
  build || { tail "$work/build.txt"; exit 1; }
}

try_mutant() {
  local number=$1 attempt change file by='' stage
  for attempt in $(seq 20); do
    change=$(python3 tests/mutate.py "$tree" "$seed" "$number" "$attempt")
    file=${change%%:*}
    build && break
    cp "$work/unchanged/$file" "$tree/$file" # it does not compile: try another one
    [ "$attempt" -lt 20 ] || { echo "mutant $number: no change compiles"; return; }
  done
  for stage in $stages; do
    # not the longest first, as ctest does otherwise: mostly one of many tests suffices
    by=$(run_tests "$stage" -j "$jobs" --schedule-random --stop-on-failure | head -n 1)
    [ -z "$by" ] || break
  done
  cp "$work/unchanged/$file" "$tree/$file"
  printf '%s\t%s\t%s\n' "$number" "${by:-none}${by:+ ($stage)}" "$change" | tee -a "$out"
}

use_worker() { work=$root/build/mutants/worker.$1 tree=$work/tree; }

worker() {
  use_worker "$1"
  local position=0 number
  for number in ${MUTANTS:-$(seq "$n")}; do
    position=$((position + 1))
    [ $((position % workers)) -eq "$1" ] || continue
    [ "$SECONDS" -lt "${SECONDS_MOST:-1000000}" ] || break
    grep -q "^$number	" "$out" || try_mutant "$number"
  done
}

for w in $(seq 0 $((workers - 1))); do (use_worker "$w" && prepare) & done
wait
echo "built: $SECONDS s"
use_worker 0
failing=$(run_tests "${stages##* }" -j "$(nproc)" | sed 's/[.]/[.]/g; s/^/|/' | tr -d '\n')
echo "unchanged: $SECONDS s; left out because they fail: ${failing:-none}"
for w in $(seq 0 $((workers - 1))); do worker "$w" & done
wait
echo "noticed: $(grep -vc '	none	' "$out") of $(wc -l <"$out") (stages: $stages)"
