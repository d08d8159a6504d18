#!/bin/bash
# Builds gridblas without CUDA and measures it on a machine with many cores: bench/cpu.sh OUT [PHASE...]
#
# Phases (default: build, ops, all, search, tuples, processes and cores2, in this order):
#   build      configure and compile into $CPU_BUILD (build/cpu); the older tree in .carry/old, too, for comparisons
#   ops        bench/ops.sh at scale $CPU_SCALE (20), all cores: products, vectors and tuples compared with SuiteSparse:GraphBLAS
#   all        the same at scale 16, all rows
#   native     compiles for this processor, too, and compares: rows at scale 18, all cores; `search` then measures it as well
#   tuples     build from 67 million tuples (scale 21) on 1 and 2 processes, replicated tuples, or each process its own
#   kernel1    the phases of Graph500's kernel 1 at scale 22 on 1 and 2 processes (milliseconds of each phase, the slowest process's)
#   search     Graph500 with its kernel 1 at scales 20, 22 and 24, at 22 and 24 on 2 processes, too; old and new in turn
#   threads    bench/ops.sh at scale 18 on 1 and 2 threads
#   processes  bench/ops.sh at scale 18 on 1, 2, 4 and 16 processes, which divide the cores
#   cores2     the same on 1 and 4 processes that share two cores
#   against    every row of bench/ops.sh at scale 16 and searches at scales 20 and 22, 2 threads: the older tree and this one, built alike, in turn.
#              Prints the speed of this one relative to the older one, row by row, least times of $CPU_ROUNDS (3) rounds; not part of all
# A failing phase does not stop the others; failures are listed at the end and make the exit status 1. At most $CPU_SECONDS (540) in all: further
# steps are shortened or skipped, which is reported.
#
# In OUT: rows.tsv (figures by name, of new and old), a table.md and the programs' figures for each phase of operations, log.txt. Without network or
# packages: run bench/gpu_pack.sh elsewhere, which collects .carry/ with the peer library.
# Phases are called by name; options are unquoted.
# shellcheck disable=SC2317,SC2086
set -u
cd "$(dirname "$0")/.." || exit 2
out=${1:?usage: bench/cpu.sh OUT [PHASE...]}
shift
mkdir -p "$out" && out=$(realpath "$out") || exit 2
build=${CPU_BUILD:-build/cpu}
deadline=$((SECONDS + ${CPU_SECONDS:-540}))
cores=$(nproc)
log=$out/log.txt
rows=$out/rows.tsv
touch "$rows"
mkdir -p "$build"
failures=

# shellcheck source=bench/openmpi.sh
. bench/openmpi.sh
copy_through_shared_memory
carry=$PWD/.carry
[ ! -d "$carry" ] || export LD_LIBRARY_PATH=$carry/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

say() { echo "== $*" | tee -a "$log"; }
failed() {
  failures="$failures $1"
  say "FAILED: $1: $2"
}

# try NAME SECONDS COMMAND...: its output in $out/NAME.out and the log; a failure is noted, not fatal.
try() {
  local name=$1 limit=$2 left=$((deadline - SECONDS)) status start=$SECONDS
  shift 2
  if [ "$left" -lt 5 ]; then
    failed "$name" "left out: no time"
    return 1
  fi
  timeout -k 5 $((limit < left ? limit : left)) "$@" >"$out/$name.out" 2>&1 </dev/null
  status=$?
  say "$name: status $status, $((SECONDS - start)) s: $*"
  [ $status -eq 0 ] && return 0
  tail -n 12 "$out/$name.out" | tee -a "$log"
  failed "$name" "status $status"
  return 1
}

# ---- phases -------------------------------------------------------------------------------------------------------------

# The peer library is in its Python package.
unpack_peer() {
  local wheel
  wheel=$(find "$carry" -maxdepth 1 -name 'suitesparse_graphblas-*.whl' 2>/dev/null | head -n 1)
  [ -n "$wheel" ] || return 0
  mkdir -p "$build/peer"
  python3 -m zipfile -e "$wheel" "$build/peer" || return 0
  find "$PWD/$build/peer" -name 'libgraphblas*.so*' | head -n 1
}

# make_tree NAME SOURCE BUILD TARGET...
make_tree() {
  local name=$1 source=$2 folder=$3 hints=()
  shift 3
  [ "$name" = new ] || hints+=(-DGRIDBLAS_NATIVE=ON) # older trees use AVX2 and AVX-512 only so
  [ ! -d "$carry" ] || hints+=(-DCMAKE_PREFIX_PATH="$carry" -DJANSSON_LIBRARY="$carry/lib/libjansson.so" -DJANSSON_INCLUDE="$carry/include"
    -DZLIB_ROOT="$carry" -DCMAKE_C_FLAGS="-idirafter $carry/include")
  [ ! -d "$carry/suitesparse" ] || hints+=(-DSUITESPARSE_INCLUDE="$carry/suitesparse")
  [ -z "${peer:-}" ] || hints+=(-DGRIDBLAS_OPS_PEER="$peer")
  try "configure.$name" 60 cmake -G Ninja -S "$source" -B "$folder" -DCMAKE_BUILD_TYPE=Release -DGRIDBLAS_CUDA=OFF \
    -DGRIDBLAS_TESTS=OFF "${hints[@]}" && try "compile.$name" 300 cmake --build "$folder" -j "$cores" --target "$@"
}

part_build() {
  local peer
  peer=$(unpack_peer)
  make_tree new . "$build" gridblas_program ops_gridblas ops_limits ops_suitesparse
  [ ! -d "$carry/old" ] || make_tree old "$carry/old" "$build-old" gridblas_program
}

# Rows of two builds, alternating: the least times of three rounds.
part_native() {
  local peer='' round
  make_tree native . "$build-native" gridblas_program ops_gridblas || return 1
  export OMP_NUM_THREADS=$cores
  rm -f "$out"/native.*.tsv
  for round in 1 2 3; do
    try "native.new.$round" 40 "$build/bench/ops_gridblas" --scale 18 --repeat 5 --rows "$native_rows"
    try "native.native.$round" 40 "$build-native/bench/ops_gridblas" --scale 18 --repeat 5 --rows "$native_rows"
  done
  awk -F '\t' '{ who = FILENAME ~ /native\.native/; if (!((who, $1) in t) || $5 < t[who, $1]) t[who, $1] = $5; if (!named[$1]++) name[++n] = $1 }
    END { for (k = 1; k <= n; k++) printf "native.%s\t%.3f\n", name[k], t[1, name[k]] / t[0, name[k]] }' "$out"/native.n*.[123].out >>"$rows"
}
native_rows='mxv.plus*,mxv.min*,vxm.f*,eWise*,apply*,select*,reduce*'

# operations NAME SECONDS OPTION...: a table of bench/ops.sh, on the cores that ${on_cores[@]} leaves
on_cores=()
operations() {
  local name=$1 limit=$2
  shift 2
  try "$name" "$limit" "${on_cores[@]}" bench/ops.sh "$build" --out "$out/$name" "$@"
  cp "$out/$name.out" "$out/$name.md"
}
part_ops() {
  operations ops 200 --scale "${CPU_SCALE:-20}" --rounds 1 --repeat 5 --threads "$cores" \
    --rows 'mxv*,vxm*,pagerank*,reduce*,build*,extractTuples*,assign*,extract.*,select*,eWise*,apply*'
}
part_all() { operations all 100 --scale 16 --rounds 1 --repeat 3 --threads "$cores"; }
part_tuples() { operations tuples 150 --scale 21 --rounds 1 --repeat 2 --processes "1 2" --rows 'build.shuffled,build.shares,build.duplicates'; }
part_threads() {
  operations threads1 100 --threads 1 --rounds 1 --repeat 2
  operations threads2 100 --threads 2 --rounds 1 --repeat 2
}
selected_rows='mxv.plus_times*,mxv.min_plus*,mxv.masked*,vxm.f*,pagerank*,reduce.*,build.s*,extractTuples*,assign*,extract.*,select.v*,eWise*.[fhs]*'
part_processes() { operations processes 200 --rounds 1 --repeat 3 --processes "1 2 4 16" --rows "$selected_rows"; }
part_cores2() {
  local on_cores=(taskset -c "0,1")
  operations cores2 60 --rounds 1 --repeat 3 --threads 2 --processes "1 4" --rows "$selected_rows"
}

# graph500 PROCESSES SCALE TURNS: old and new in turn; medians of harmonic mean and construction time.
graph500() {
  local n=$1 scale=$2 turns=$3 name=search.$2.$1 who turn program key
  export OMP_NUM_THREADS=$((cores / n > 0 ? cores / n : 1))
  for ((turn = 0; turn < turns; turn++)); do
    for who in new old native; do
      program=$build/gridblas
      [ $who = new ] || program=$build-$who/gridblas
      [ -x "$program" ] || continue
      if [ "$n" -eq 1 ]; then set -- "$program"; else set -- mpirun -n "$n" "$program"; fi
      try "$name.$who.$turn" 60 "$@" graph500 --scale "$scale" --roots 64 --skip-validation
    done
  done
  for who in new old native; do
    for key in harmonic_mean_TEPS construction_time; do
      sed -n "s/^$key: *//p" "$out/$name.$who".*.out 2>/dev/null | sort -g |
        awk -v name="$name.$key.$who" '{ v[NR] = $1 } END { if (NR) print name "\t" v[int((NR + 1) / 2)] }' >>"$rows"
    done
  done
}
part_search() {
  graph500 1 20 5
  graph500 1 22 3
  graph500 2 22 3
  graph500 1 24 2
  graph500 2 24 1
}

part_kernel1() {
  local n
  for n in 1 2; do
    export OMP_NUM_THREADS=$((cores / n > 0 ? cores / n : 1)) GRIDBLAS_TUNE=build_times=on
    if [ "$n" -eq 1 ]; then set --; else set -- mpirun -n "$n"; fi
    try "kernel1.$n" 60 "$@" "$build/gridblas" graph500 --scale 22 --roots 1 --skip-validation
    unset GRIDBLAS_TUNE
    awk -v name="kernel1.$n" '/^gridblas.* ms$/ {
        sub(/^gridblas[ 0-9]*: */, ""); ms = $(NF - 1); sub(/ +[0-9.]+ ms$/, ""); gsub(/ /, "_")
        if (!($0 in most)) order[++rows] = $0
        if (ms > most[$0] + 0) most[$0] = ms
      }
      /^construction_time/ { print name ".construction\t" $2 * 1000 }
      END { for (k = 1; k <= rows; k++) print name "." order[k] "\t" most[order[k]] }' "$out/kernel1.$n.out" >>"$rows"
  done
}

# against_one SIDE ROUND: every row and both searches of one build, on two cores.
against_one() {
  local folder=$build-$1 scale
  export OMP_NUM_THREADS=2 OMP_PROC_BIND=true
  try "against.$1.$2" 150 taskset -c 0,1 "$folder/bench/ops_gridblas" --scale 16 --shape rmat --repeat 3 --rows '*' --measure time
  for scale in 20 22; do
    try "against.$1.$2.search$scale" 60 taskset -c 0,1 "$folder/gridblas" graph500 --scale "$scale" --roots 32 --skip-validation
    awk -v name="search.$scale" '/^harmonic_mean_TEPS/ { print name "\t\t\t\t" 1e9 / $2 }' "$out/against.$1.$2.search$scale.out" >>"$out/against.$1.$2.out"
  done
}
part_against() {
  local round
  local peer=''
  make_tree same_new . "$build-same_new" gridblas_program ops_gridblas || return 1
  make_tree same_old "$carry/old" "$build-same_old" gridblas_program ops_gridblas || return 1
  for ((round = 0; round < ${CPU_ROUNDS:-3}; round++)); do
    against_one same_old "$round"
    against_one same_new "$round"
  done
  awk -F '\t' 'NF >= 5 { new = FILENAME ~ /same_new/; if (!((new, $1) in t) || $5 < t[new, $1]) t[new, $1] = $5; if (!named[$1]++) name[++n] = $1 }
    END {
      for (k = 1; k <= n; k++) {
        if (!((0, name[k]) in t) || !((1, name[k]) in t)) continue # a row that one of the trees does not have
        r = t[0, name[k]] / t[1, name[k]]; sum += log(r); both++
        printf "against.%s\t%.3f\n", name[k], r
      }
      if (both) printf "against.geometric_mean\t%.3f\n", exp(sum / both)
    }' "$out"/against.same_*.[0-9].out | sort -t "$(printf '\t')" -k2,2g >>"$rows"
}

# ---- main ---------------------------------------------------------------------------------------------------------------

if [ $# -eq 0 ]; then set -- build ops all search tuples processes cores2; fi
for part in "$@"; do
  if ! declare -F "part_$part" >/dev/null; then
    echo "cpu.sh: no part '$part'" >&2
    exit 2
  fi
done
for part in "$@"; do part_"$part"; done
cat "$rows"
[ -z "$failures" ] || { say "failed:$failures"; exit 1; }
