#!/bin/bash
# mutants.sh [SEED] [N] [STAGE...]: do the tests notice mistakes? One thing at a time is changed in a copy of the committed C code (mutate.py), what
# depends on it is built, and tests run until one fails. Which one it is, or that none did, stands in build/mutants/SEED.tsv. Stages run in the order
# given: unit (one process), quick (the quick set) and all; without any: unit and quick. MUTANTS="3 17" runs these numbers alone.
set -u
cd "$(dirname "$0")/.." || exit 2
seed=${1:-1} n=${2:-60}
[ $# -le 2 ] || stages="${*:3}"
stages=${stages:-unit quick}
work=$PWD/build/mutants
tree=$work/tree
out=$work/$seed.tsv
mkdir -p "$tree"
git archive HEAD | tar -x -C "$tree"
touch "$out"

build() { cmake --build "$tree/build/release" >"$work/build.txt" 2>&1; }

# tests STAGE: the first of its tests that fails.
tests() {
  local which
  case $1 in
    unit) which=(-L '^unit$' -LE '^(long|gpu)$' -E '[.]') ;;
    quick) which=(-LE '^(long|gpu|source)$') ;;
    all) which=(-LE '^(gpu|source)$') ;;
    *) echo "mutants.sh: no stage $1" >&2; exit 2 ;;
  esac
  ctest --test-dir "$tree/build/release" -j 2 --timeout 120 --stop-on-failure "${which[@]}" >"$work/test.txt" 2>&1
  sed -n 's/.*Test *#[0-9]*: \([^ ]*\) .*\*\*\*\(Failed\|Exception\|Timeout\).*/\1/p; s/.*Test *#[0-9]*: \([^ ]*\) .*Exception.*/\1/p' "$work/test.txt" | head -n 1
}

(cd "$tree" && cmake --preset release -DGRIDBLAS_CUDA=OFF $(command -v ccache >/dev/null && echo -DCMAKE_C_COMPILER_LAUNCHER=ccache)) >"$work/build.txt" 2>&1
build || { tail "$work/build.txt"; exit 1; }
noticed=0 tried=0
for number in ${MUTANTS:-$(seq "$n")}; do
  for attempt in $(seq 20); do
    change=$(python3 tests/mutate.py "$tree" "$seed" "$number" "$attempt")
    file=${change%%:*}
    build && break
    git show "HEAD:$file" >"$tree/$file" # it does not compile: another one
  done
  by=
  for stage in $stages; do
    by=$(tests "$stage")
    [ -z "$by" ] || break
  done
  git show "HEAD:$file" >"$tree/$file"
  tried=$((tried + 1))
  [ -z "$by" ] || noticed=$((noticed + 1))
  printf '%s\t%s\t%s\n' "$number" "${by:-nobody}${by:+ ($stage)}" "$change" | tee -a "$out"
done
echo "noticed: $noticed of $tried (stages: $stages)"
