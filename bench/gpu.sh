#!/bin/bash
# Builds, tests and benchmarks the CUDA backend on a GPU machine: bench/gpu.sh OUT [PHASE...]
#
# Phases (default: all, in this order):
#   build      configure and compile into $GPU_BUILD (build/gpu)
#   test       ctest -L gpu
#   sanitize   compute-sanitizer memcheck and racecheck on the tests
#   search     Graph500 at scales 22, 24, 26 and 27 on one GPU (search22, ... one of them); kernel 1 and memory come with scale 26
#   push       scale 24 by push alone
#   products   y = A x over all rows compared with cuSPARSE, bench/measure/gpu_products.c: OUT/products.tsv
#   matrices   matrix-valued operations, A A compared with cuSPARSE, triangles: OUT/matrices.tsv; A by dense blocks, compared with cuSPARSE: OUT/blocks.tsv
#   searches   the forms in which programs write a search, bench/measure/gpu_searches.c, scales 22 and 24
#   calls      the cost of calls in addition to their kernels, fused and single, bench/measure/gpu_calls.c
#   small      from which size calls pay on the GPU, and many small graphs on the CPU, by the rule for small calls, and all on the GPU, bench/measure/gpu_small.c
#   first      what the first run of an algorithm written in GraphBLAS calls costs beyond the fastest, one with operators of its own, with the build's kernels and with none, bench/measure/gpu_first.c
#   algorithms components, betweenness of 4 sources, shortest paths, PageRank at scales 22 and 24: medians of 9, and fallbacks to the CPU
#   cugraph    the same algorithms by cuGraph and by gridblas, bench/measure/gpu_cugraph.c, scales 22 and 24: OUT/cugraph.txt. $GPU_CUGRAPH: the folder of its
#              Python packages (bench/CMakeLists.txt says which), or .carry/cugraph, made by bench/cugraph_pack.py; not part of all
#   several    the same and triangles on one and on two GPUs
#   levels     a path and a mesh of 10^6 vertices: time of an almost empty level
#   delegates  scale $GPU_SPLIT_SCALE (22) on one GPU, scale 29 on eight: on against off
#   links      the speed of the GPUs' links, bench/measure/gpu_links.cu on all of them; the lower bounds for several GPUs use it
#   weak       2, 4 and 8 GPUs, as many as there are, from scale 26 and 27 a GPU (weak2, weak4, weak8: one of them); by messages, and on grids with columns
#   grids      search at scales 24 and 26 on two GPUs, 2x1 and 1x2, and on one
#   strong     components, shortest paths, PageRank at scale 26 on 1, 2, 4 and 8 GPUs, as many as there are
#   errors     a process killed, device memory exhausted, more processes than GPUs
#   against    an older version ($GPU_OLD, a source tree; .carry/old) and this one, alternating on this machine: searches of scales 22, 24, 26, with two
#              GPUs of scale 27 on both, pushes, a path and a mesh, kernel 1; builds both. $GPU_ROOTS keys (16), $GPU_ROUNDS turns (2); not part of all
#   table      only the table, from existing figures
# A failing phase does not stop the others; failures are listed at the end and make the exit status 1. At most $GPU_SECONDS (560) in all: further
# steps are skipped, which is reported.
#
# In OUT: rows.tsv (figures by name), table.md, table.csv, results.json (the program's reports), test.txt (ctest's output), log.txt. Rows of earlier runs are added to the table
# if $GPU_ROWS names their rows.tsv. Without network or packages: run bench/gpu_pack.sh elsewhere, which collects .carry/.
# A dry run of weak, strong and delegates without a GPU: GPU_DEVICE=cpu GPU_COUNT=8 GPU_SMALLER=15 (subtracted from their scales).
# Phases are called by name; counts and process ids are unquoted.
# shellcheck disable=SC2317,SC2086
set -u
cd "$(dirname "$0")/.." || exit 2
out=${1:?usage: bench/gpu.sh OUT [PHASE...]}
shift
mkdir -p "$out" && out=$(realpath "$out") || exit 2
build=${GPU_BUILD:-build/gpu}
work=$build/results
roots=${GPU_ROOTS:-64}
device=${GPU_DEVICE:-cuda} # cpu: a dry run of this script
threshold=${GPU_THRESHOLD:-511} # delegates have more entries than this
split_scale=${GPU_SPLIT_SCALE:-22} # of the comparison with delegates on one GPU
deadline=$((SECONDS + ${GPU_SECONDS:-560}))
mkdir -p "$work"
log=$out/log.txt
rows=$out/rows.tsv
touch "$rows"
failures=

export PATH=$PATH:/usr/local/cuda/bin
export GRIDBLAS_TUNE=build_times=on   # phases of kernel 1, on standard error
GRIDBLAS_KERNELS=$(realpath -m "$build/kernels")
export GRIDBLAS_KERNELS
export NCCL_NVLS_ENABLE=0 # multicast stays off on these machines
# shellcheck source=bench/openmpi.sh
. bench/openmpi.sh
copy_through_shared_memory
carry=$PWD/.carry
[ ! -d "$carry" ] || export LD_LIBRARY_PATH=$carry/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
gpus=${GPU_COUNT:-$(nvidia-smi -L 2>/dev/null | grep -c '^GPU ')}
smaller=${GPU_SMALLER:-0}
cores=$(nproc)

# ---- running ------------------------------------------------------------------------------------------------------------

say() { echo "== $*" | tee -a "$log"; }
row() { printf '%s\t%s\n' "$1" "$2" >>"$rows"; }
failed() {
  failures="$failures $1"
  row "failed.$1" "$2"
  say "FAILED: $1: $2"
}

# try NAME SECONDS COMMAND...: its output in $work/NAME.out and the log; a failure is noted, not fatal.
try() {
  local name=$1 limit=$2 left=$((deadline - SECONDS)) status
  shift 2
  if [ "$left" -lt 5 ]; then
    failed "$name" "left out: no time"
    return 1
  fi
  [ "$limit" -le "$left" ] || limit=$left
  say "$name ($limit s at most): $*"
  local start=$SECONDS
  timeout -k 10 "$limit" "$@" >"$work/$name.out" 2>&1 </dev/null
  status=$?
  { tail -n 150 "$work/$name.out"; echo "-- $name: status $status, $((SECONDS - start)) s"; } >>"$log"
  [ $status -eq 0 ] && return 0
  tail -n 12 "$work/$name.out"
  case $status in
    124 | 137) failed "$name" "no end after $limit s" ;;
    *) failed "$name" "status $status: $(tail -n 1 "$work/$name.out" | cut -c 1-200)" ;;
  esac
  return 1
}

# bench NAME SECONDS PROCESSES ARGUMENT...: the program on that many GPUs, its report also as JSON.
bench() {
  local name=$1 limit=$2 n=$3
  shift 3
  export OMP_NUM_THREADS=$((cores / n > 0 ? cores / n : 1))
  rm -f "$work/$name.json"
  if [ "$n" -eq 1 ]; then
    try "$name" "$limit" "$build/gridblas" "$@" --device $device --json "$work/$name.json"
  else
    try "$name" "$limit" mpirun -n "$n" "$build/gridblas" "$@" --device $device --json "$work/$name.json"
  fi
}

value() { sed -n "s/^$2: *//p" "$work/$1.out" | tail -n 1; }
take() { # ROW NAME KEY: a figure of the program's report becomes a row
  local v
  v=$(value "$2" "$3")
  [ -z "$v" ] || row "$1" "$v"
}

# ---- phases -------------------------------------------------------------------------------------------------------------

configure() { # NAME SOURCE BUILD
  local hints=()
  [ ! -d "$carry" ] || hints=(-DCMAKE_PREFIX_PATH="$carry" -DJANSSON_LIBRARY="$carry/lib/libjansson.so" -DJANSSON_INCLUDE="$carry/include"
    -DCMOCKA_LIBRARY="$carry/lib/libcmocka.so" -DZLIB_ROOT="$carry" -DCMAKE_C_FLAGS="-idirafter $carry/include")
  try "$1" 120 cmake -G Ninja -S "$2" -B "$3" -DCMAKE_BUILD_TYPE=Release -DGRIDBLAS_CUDA=AUTO "${hints[@]}"
}

part_build() {
  configure configure . "$build" || return
  try compile 420 cmake --build "$build" -j "$cores" --target gridblas_program kernels gpu_tests gpu_fill gpu_links gpu_products gpu_calls gpu_searches gpu_small gpu_first
}

# against_one SIDE ROUND: every row of the comparison, of one of the two builds.
against_one() {
  local side=$1 name=$1.$2 roots=${GPU_ROOTS:-16} scale
  local build=$build
  [ "$side" = new ] || build=$build-old
  for scale in 22 24 26; do graph500 "$name.one$scale" 120 1 "$scale" --roots "$roots"; done
  [ "$gpus" -lt 2 ] || graph500 "$name.two27" 120 2 27 --roots "$roots"
  graph500 "$name.push24" 120 1 24 --direction push --roots "$roots"
  bench "$name.path" 60 1 bfs path:1000000 --source 0 && take "$name.path.level_us" "$name.path" level_us
  bench "$name.mesh" 60 1 bfs mesh:1000x1000 --source 0 --repeat 5 && take "$name.mesh.level_us" "$name.mesh" level_us
}

# The speed of the new version relative to the old one, from the rows SIDE.ROUND.NAME.KEY.
compare() {
  awk -F '\t' '
    split($1, part, ".") == 4 && (part[1] == "old" || part[1] == "new") {
      name = part[3] "." part[4]
      if (name !~ /harmonic_mean_TEPS|construction_time|level_us|bytes_per_entry/) next
      if (!(name in named)) { named[name] = 1; names[++n] = name }
      sum[part[1], name] += $2; each[part[1], name] = each[part[1], name] " " $2
    }
    END {
      for (k = 1; k <= n; k++) {
        old = sum["old", names[k]]; new = sum["new", names[k]]
        if (old <= 0 || new <= 0) continue
        ratio = names[k] ~ /TEPS/ ? new / old : old / new
        printf "against.%s\t%.3f of the old state%s (old%s; new%s)\n", names[k], ratio, names[k] ~ /TEPS/ ? "" : ", as speed", each["old", names[k]], each["new", names[k]]
      }
    }' "$rows"
}

part_against() {
  local old=${GPU_OLD:-$carry/old} round
  if [ ! -f "$old/CMakeLists.txt" ]; then
    failed against "no source tree in $old"
    return
  fi
  configure against.configure.old "$old" "$build-old" && configure against.configure.new . "$build" || return
  try against.compile.old 300 cmake --build "$build-old" -j "$cores" --target gridblas_program &
  local other=$!
  try against.compile.new 300 cmake --build "$build" -j "$cores" --target gridblas_program
  wait "$other"
  if [ ! -x "$build/gridblas" ] || [ ! -x "$build-old/gridblas" ]; then
    failed against "not both states were built"
    return
  fi
  for round in $(seq "${GPU_ROUNDS:-2}"); do
    against_one old "$round"
    against_one new "$round"
  done
  compare | tee -a "$log" >"$work/against.rows"
  cat "$work/against.rows" >>"$rows"
}

part_test() {
  GRIDBLAS_TUNE='' try test 420 ctest --test-dir "$build" -L gpu -j "$cores" --output-on-failure
  cp "$work/test.out" "$out/test.txt"
  local summary skipped
  summary=$(grep 'tests passed' "$work/test.out" | tail -n 1)
  skipped=$(grep -c '(Skipped)' "$work/test.out")
  [ -n "$summary" ] || failed test "no test ran"
  row test "$summary, $skipped of them skipped"
  grep -E '\(Failed\)|\(Timeout\)|\(Skipped\)|\*\*\*' "$work/test.out"
}

part_sanitize() {
  local tool
  if ! command -v compute-sanitizer >/dev/null; then
    failed sanitize "no compute-sanitizer here"
    return
  fi
  for tool in memcheck racecheck; do
    GRID_TEST_SMALL=1 try sanitize.$tool 200 compute-sanitizer --tool $tool --error-exitcode 9 "$build/tests/unit_cuda"
    row sanitize.$tool "$(grep -E '^=+ (ERROR|RACECHECK) SUMMARY' "$work/sanitize.$tool.out" | sed 's/^=* //' | tail -n 1)"
    try sanitize.$tool.validate 120 compute-sanitizer --tool $tool --error-exitcode 9 "$build/tests/gpu_validate"
  done
  [ "$gpus" -ge 2 ] || return 0
  # NCCL tries calls that fail, which are no errors; under racecheck GPUs that wait for each other take too long
  try sanitize.several 120 mpirun -n 2 compute-sanitizer --tool memcheck --report-api-errors no --error-exitcode 9 \
    "$build/tests/unit_search_grid" small_graphs
  row sanitize.several "$(grep -E '^=+ ERROR SUMMARY' "$work/sanitize.several.out" | sed 's/^=* //' | paste -sd ';')"
}

# graph500 NAME SECONDS PROCESSES SCALE OPTION...
graph500() {
  local name=$1 limit=$2 n=$3 scale=$4 key
  shift 4
  bench "$name" "$limit" "$n" graph500 --scale $((scale - smaller)) --levels --verbose "$@" || return
  for key in harmonic_mean_TEPS mean_time mean_nedge construction_time mean_validate entries bytes_per_entry delegates \
    gpu_bytes_peak_largest_process; do take "$name.$key" "$name" $key; done
  row "left.$name" "$(sed -n 's/^left to the CPU: //p' "$work/$name.out" | paste -sd ';')"
  grep -E '^(left to the CPU|nothing was left)' "$work/$name.out"
  value "$name" harmonic_mean_TEPS | awk -v name="$name" '{ printf "   %s: %.1f GTEPS\n", name, $1 / 1e9 }' | tee -a "$log"
}
part_search22() { graph500 one22 120 1 22 --roots "$roots"; }
part_search24() { graph500 one24 150 1 24 --roots "$roots"; }
part_search26() { graph500 one26 240 1 26 --roots "$roots"; }
part_search27() { graph500 one27 300 1 27 --roots "$roots"; }
part_search() { part_search22; part_search24; part_search26; part_search27; }

part_calls() {
  local log_of each name
  for log_of in 16 12 18 20; do
    for each in "" .unfused; do # consecutive calls fused; each by itself
      name=calls$log_of$each
      GRIDBLAS_TUNE=build_times=on,device_vector_min=0${each:+,fuse_after=off} try "$name" 40 "$build/bench/gpu_calls" "$log_of" || continue
      row "calls.$log_of$each.us" "$(awk '/^six calls and a count/ { print $6 }' "$work/$name.out")"
      row "calls.$log_of$each.counted.us" "$(awk '/^six calls, a count each/ { print $6 }' "$work/$name.out")"
    done
  done
}

part_small() {
  local name
  [ -x "$build/bench/gpu_small" ] || { say "small: left out, there is no cuSPARSE"; return; }
  GRIDBLAS_TUNE=device_vector_min=0,device_matrix_min=0,fuse_after=off try small.calls 60 "$build/bench/gpu_small" calls && cat "$work/small.calls.out"
  GRIDBLAS_TUNE='' GRIDBLAS_DEVICE=cpu try small.cpu 30 "$build/bench/gpu_small" graphs
  GRIDBLAS_TUNE='' GRIDBLAS_DEVICE=cuda try small.rule 30 "$build/bench/gpu_small" graphs
  GRIDBLAS_TUNE=device_vector_min=0,device_matrix_min=0 GRIDBLAS_DEVICE=cuda try small.gpu 60 "$build/bench/gpu_small" graphs
  for name in cpu rule gpu; do
    row "small.$name.us" "$(awk '/us a graph/ { printf "%s%s:%s", s, $2, $3; s = " " }' "$work/small.$name.out")"
    sed "s/^/$name: /" "$work/small.$name.out"
  done
}

part_first() {
  local name folder
  for name in kernels none; do
    folder=$(mktemp -d)
    GRIDBLAS_CACHE=$folder GRIDBLAS_DEVICE=cuda GRIDBLAS_KERNELS=$([ $name = none ] || echo "$build/kernels") try first.$name 60 "$build/bench/gpu_first" 18 &&
      sed "s/^/$name: /" "$work/first.$name.out"
    rm -rf "$folder"
  done
}

part_searches() {
  [ -x "$build/bench/gpu_searches" ] || { say "searches: left out, there is no cuSPARSE"; return; }
  try searches 90 "$build/bench/gpu_searches" 18 22 24 || return
  cp "$work/searches.out" "$out/searches.txt"
  local scale
  for scale in 22 24; do
    row "searches.$scale.least_ms" "$(awk -v s=$scale '$1 == s && $2 == "MIN_SECONDI" { print $3 }' "$work/searches.out")"
    row "searches.$scale.first_ms" "$(awk -v s=$scale '$1 == s && /indices by apply/ { print $NF }' "$work/searches.out")"
    row "searches.$scale.by_value_ms" "$(awk -v s=$scale '$1 == s && /mask by value/ { print $NF }' "$work/searches.out")"
  done
}

part_algorithms() {
  local scale name options
  for scale in 22 24; do
    while read -r name options; do
      bench "$name$scale" 60 1 "$name" "rmat:$scale" $options --repeat 9 --verbose || continue
      take "$name.$scale.ms" "$name$scale" run_ms
      row "$name.$scale.left" "$(grep -E '^(left to the CPU|nothing was left)' "$work/$name$scale.out" | head -n 1)"
    done <<<"components
betweenness --samples 4
sssp --weights hash
pagerank --fp32 --tolerance 0 --iterations 20"
  done
}

part_cugraph() {
  local folder=${GPU_CUGRAPH:-$build/cugraph} scale
  if [ -z "${GPU_CUGRAPH:-}" ]; then
    [ -d "$carry/cugraph" ] || { say "cugraph: left out, neither GPU_CUGRAPH nor .carry/cugraph is there"; return; }
    rm -rf "$folder" && cp -r "$carry/cugraph" "$folder"
    find "$folder" -name '*.so*.xz' -print0 | xargs -0 -P "$cores" -n 1 xz -d && tar -C "$folder" -xJf "$folder/headers.tar.xz"
  fi
  try cugraph.configure 120 cmake -DGRIDBLAS_CUGRAPH="$(realpath "$folder")" "$build" || return
  try cugraph.build 200 cmake --build "$build" -j "$cores" --target gpu_cugraph || return
  for scale in 22 24; do
    try cugraph.$scale 240 "$build/bench/gpu_cugraph" $scale
    cat "$work/cugraph.$scale.out" >>"$out/cugraph.txt"
  done
}

part_several() {
  local scale name options n
  [ "$gpus" -ge 2 ] || { say "several: left out, there are $gpus GPUs"; return; }
  for scale in 22 24; do
    while read -r name options; do
      for n in 1 2; do
        bench "$name$scale.$n" 60 $n "$name" "rmat:$scale" $options --repeat 5 && take "$name.$scale.on$n.ms" "$name$scale.$n" run_ms
      done
    done <<<"components
betweenness --samples 4
sssp --weights hash
pagerank --fp32 --gap-variant --tolerance 0 --iterations 20"
  done
  for scale in 20 22; do
    for n in 1 2; do
      bench triangles$scale.$n 60 $n triangles rmat:$scale --repeat 3 && take triangles.$scale.on$n.ms triangles$scale.$n run_ms
    done
  done
}

part_products() {
  [ -x "$build/bench/gpu_products" ] || { say "products: left out, there is no cuSPARSE"; return; }
  try products 150 "$build/bench/gpu_products" rmat:14 rmat:16 rmat:18 rmat:20 rmat:22 rmat:24 mesh:100 random:20 random:22
  cp "$work/products.out" "$out/products.tsv"
}
part_matrices() {
  [ -x "$build/bench/gpu_products" ] || { say "matrices: left out, there is no cuSPARSE"; return; }
  try matrices 200 "$build/bench/gpu_products" square/rmat:14 square/rmat:16 square/mesh:100 matrices/rmat:20 matrices/rmat:22
  cp "$work/matrices.out" "$out/matrices.tsv"
  try blocks 120 "$build/bench/gpu_products" block/rmat:16 block/rmat:20 block/mesh:100 block/random:20
  cp "$work/blocks.out" "$out/blocks.tsv"
  local scale
  for scale in 20 22; do
    bench triangles$scale 120 1 triangles rmat:$scale --repeat 3 --verbose && take triangles$scale.time triangles$scale time
    grep -E '^(left to the CPU|nothing was left)' "$work/triangles$scale.out"
  done
}
part_push() { graph500 push24 200 1 24 --direction push --roots "$roots"; }

part_levels() {
  bench path 120 1 bfs path:1000000 --source 0 --check && take path.level_us path level_us
  bench mesh 120 1 bfs mesh:1000x1000 --source 0 --repeat 5 --check && take mesh.level_us mesh level_us
}

part_delegates() {
  graph500 offone 120 1 $split_scale --roots 16 --delegates off --skip-validation
  graph500 onone 240 1 $split_scale --roots 16 --delegates "$threshold" --skip-validation
  if [ "$gpus" -ge 8 ]; then
    graph500 off29 200 8 29 --roots 16 --delegates off --skip-validation
    graph500 on29 300 8 29 --roots 16 --delegates "$threshold"
  fi
}

part_links() {
  local key
  if [ "$gpus" -lt 2 ]; then
    say "links: left out, there are $gpus GPUs"
    return
  fi
  try links 60 mpirun -n "$gpus" "$build/bench/gpu_links" || return
  for key in barrier_us fetch_GB_per_s wake_us; do take links.$key links $key; done
}

weak() { # GPUS SCALE [GRID...]
  local n=$1 scale=$2 grid
  shift 2
  if [ "$gpus" -lt "$n" ]; then
    say "weak$n: left out, there are $gpus GPUs"
    return
  fi
  [ -s "$work/one26.out" ] || graph500 one26 200 1 26 --roots 16
  graph500 "weak$n" 300 "$n" "$scale" --roots "$roots"
  # the same by messages, level by level
  GRIDBLAS_TUNE=build_times=on,peer=off graph500 "messages$n" 100 "$n" "$scale" --roots 16 --skip-validation
  for grid in "$@"; do graph500 "grid$grid" 100 "$n" "$scale" --grid "$grid" --roots 16 --skip-validation; done
  [ "$n" -eq 2 ] || graph500 "larger$n" 400 "$n" $((scale + 1)) --roots "$roots"
}
# Two GPUs on both shapes, and one: search at scales 24 and 26.
part_grids() {
  local scale grid
  [ "$gpus" -ge 2 ] || { say "grids: left out, there are $gpus GPUs"; return; }
  for scale in 24 26; do
    graph500 "one$scale" 120 1 $scale --roots 16 --skip-validation
    for grid in 2x1 1x2; do graph500 "grid$grid.$scale" 120 2 $scale --grid $grid --roots 16; done
  done
}
part_weak2() { weak 2 27; }
part_weak4() { weak 4 28 2x2; }
part_weak8() { weak 8 29 4x2 2x4; }
part_weak() { part_weak2; part_weak4; part_weak8; }

part_strong() {
  local scale=$((26 - smaller)) name options n
  while read -r name options; do
    for n in 1 2 4 8; do
      [ "$n" -le "$gpus" ] || continue
      bench "$name.strong$n" 100 $n "$name" "rmat:$scale" $options --repeat 5 --verbose && take "$name.strong.on$n.ms" "$name.strong$n" run_ms
    done
  done <<<"components
sssp --weights hash
pagerank --fp32 --tolerance 0 --iterations 20"
}

# One process of a running job is killed: the others must end soon, with an error.
error_kill() {
  local n=$((gpus > 1 ? gpus : 2)) job child='' start
  say "kill: one of $n processes"
  GRIDBLAS_SHARE_GPU=$((gpus < 2)) mpirun -n $n "$build/gridblas" graph500 --scale 20 --roots 20000 --device $device >"$work/kill.out" 2>&1 &
  job=$!
  for _ in $(seq 40); do
    sleep 1
    kill -0 $job 2>/dev/null || break
    child=$(pgrep -P $job gridblas | tail -n 1)
    [ -n "$child" ] && [ "$(ps -o etimes= -p "$child" | tr -d ' ')" -ge 15 ] && break
  done
  if [ -z "$child" ]; then
    failed kill "the job did not start: $(grep -m 1 '^gridblas:' "$work/kill.out")"
    kill $job 2>/dev/null
    return
  fi
  kill -9 "$child"
  start=$SECONDS
  while kill -0 $job 2>/dev/null && [ $((SECONDS - start)) -lt 60 ]; do sleep 1; done
  if kill -0 $job 2>/dev/null; then
    failed kill "the job still runs 60 s after one of its processes was killed"
    kill $job
    return
  fi
  wait $job
  local status=$?
  cat "$work/kill.out" >>"$log"
  if [ $status -eq 0 ]; then failed kill "the job ended with status 0"; else row kill "ended after $((SECONDS - start)) s, status $status"; fi
}

# ends_with NAME PATTERN COMMAND...: exit status 2 (mpirun: any failure) and a line of the program's that matches.
ends_with() {
  local name=$1 pattern=$2 status
  shift 2
  say "$name: $*"
  timeout -k 5 120 "$@" >"$work/$name.out" 2>&1 </dev/null
  status=$?
  cat "$work/$name.out" >>"$log"
  if [ $status -ne 0 ] && [ $status -lt 124 ] && grep -Eq "^gridblas: .*($pattern)" "$work/$name.out"; then
    row "$name" "$(grep -E "^gridblas: " "$work/$name.out" | head -n 1 | sed 's/^gridblas: //')"
  else
    failed "$name" "status $status, and no line with '$pattern': $(tail -n 1 "$work/$name.out")"
  fi
}

error_full() {
  local filler
  "$build/bench/gpu_fill" 0 3000 >"$work/fill.out" 2>&1 &
  filler=$!
  for _ in $(seq 30); do
    grep -q filled "$work/fill.out" && break
    sleep 1
  done
  ends_with full 'out of (device )?memory' "$build/gridblas" graph500 --scale 24 --roots 2 --device $device
  kill $filler
  wait $filler 2>/dev/null
}

part_errors() {
  error_kill
  error_full
  ends_with too_many 'has no GPU [0-9]*, there' mpirun -n $((gpus + 1)) "$build/gridblas" bfs rmat:10 --device $device
}

# ---- the table ----------------------------------------------------------------------------------------------------------

# The lower bound of a row is the time that an H200 needs for the memory traffic of the row; see the comments.
make_table() {
  cat ${GPU_ROWS:-} "$rows" | awk -F '\t' -v csv="$out/table.csv" -v split_scale=$split_scale '
    { r[$1] = $2 }
    # Random reads a second of a set of that many bytes.
    function rate(bytes) { return bytes <= 16777216 ? 158e9 : bytes <= 33554432 ? 139e9 : bytes <= 67108864 ? 76e9 : 40e9 }
    function larger(a, b) { return a > b ? a : b }
    # The figures of the phase links, or else those of 2 H200s.
    function meeting() { return (r["links.barrier_us"] > 0 ? r["links.barrier_us"] : 1.3) * 1e-6 }
    function fetch_rate() { return (r["links.fetch_GB_per_s"] > 0 ? r["links.fetch_GB_per_s"] : 270) * 1e9 }
    # A search: outputs written once 12 bytes a vertex, 13 of adjacency and offsets (counted at scale 26), beside 0.92 look-ups
    # of a bitmap a vertex, and eight launches. Several GPUs gather the bitmap in one level, and have twelve barriers.
    function search_floor(scale, P, n, bits) {
      n = 2 ^ scale; bits = n / 8
      return larger(26.8 * n / P / 3.97e12, 0.92 * n / P / rate(bits)) + 8 * 5.6e-6 + (P > 1 ? 12 * meeting() + bits * (P - 1) / P / fetch_rate() : 0)
    }
    # A push: one look-up in the visited bits for every entry, and the entry itself.
    function push_floor(scale, entries) { return larger(entries / rate(2 ^ scale / 8), 4 * entries / 3.97e12) }
    # Kernel 1: keys of 8 bytes generated, sorted in passes of 8 bits (read and written), read for the histogram, deduplicated to 4 bytes.
    function build_floor(scale, keys) { keys = 2 ^ (scale + 5); return keys * (8 + 8 + 16 * int((2 * scale + 7) / 8) + 8 + 4) / 3.97e12 }
    function number(v) { return v == "" ? "" : v >= 100 ? sprintf("%.0f", v) : v >= 10 ? sprintf("%.1f", v) : sprintf("%.3g", v) }
    function line(what, measured, least, aim, floor, unit, ratio) {
      ratio = measured != "" && floor != "" && floor > 0 ? sprintf("%.2f", measured / floor) : ""
      printf "| %s | %s | %s | %s | %s | %s |\n", what, measured == "" ? "not run" : number(measured) " " unit, least, aim, floor == "" ? "" : number(floor) " " unit, ratio
      printf "\"%s\",%s,\"%s\",%s,%s,%s,%s\n", what, measured, unit, least, aim, floor, ratio >csv
    }
    function gteps(name) { return r[name ".harmonic_mean_TEPS"] == "" ? "" : r[name ".harmonic_mean_TEPS"] / 1e9 }
    function reach(name, seconds) { return r[name ".mean_nedge"] == "" ? "" : r[name ".mean_nedge"] / seconds / 1e9 }
    function quotient(a, b) { return a == "" || b == "" ? "" : a / b }
    END {
      print "what,measured,unit,at least,aim,floor,ratio" >csv
      print "| what | measured | at least | aim | floor | measured / floor |"
      print "| --- | --- | --- | --- | --- | --- |"
      line("one GPU, scale 22", gteps("one22"), 200, 500, reach("one22", search_floor(22, 1)), "GTEPS")
      line("one GPU, scale 24", gteps("one24"), 350, 800, reach("one24", search_floor(24, 1)), "GTEPS")
      line("one GPU, scale 26", gteps("one26"), 430, 1000, reach("one26", search_floor(26, 1)), "GTEPS")
      line("one GPU, scale 27 (it fits)", gteps("one27"), "", "", reach("one27", search_floor(27, 1)), "GTEPS")
      line("push only, scale 24", gteps("push24"), 45.6, 91.2, reach("push24", push_floor(24, r["push24.entries"])), "GTEPS")
      for (scale = 22; scale <= 24; scale += 2) {
        line("a search with the least parents, MIN_FIRST, scale " scale, r["searches." scale ".first_ms"], scale == 22 ? 0.6 : 2, scale == 22 ? 0.4 : 1, "", "ms")
        line("... MIN_SECONDI, scale " scale, r["searches." scale ".least_ms"], scale == 22 ? 0.6 : 2, scale == 22 ? 0.4 : 1, "", "ms")
        line("... levels by LOR_LAND, mask by value, scale " scale, r["searches." scale ".by_value_ms"], "", "", "", "ms")
      }
      line("a level of a path of 10^6 vertices", r["path.level_us"], 40, 8, 5.6, "µs")
      line("a level of a mesh of 10^6 vertices", r["mesh.level_us"], 40, 8, 5.6, "µs")
      for (P = 2; P <= 8; P *= 2) {
        scale = 26 + (P == 2 ? 1 : P == 4 ? 2 : 3)
        line(P " GPUs, scale " scale, gteps("weak" P), P == 8 ? 3500 : "", P == 8 ? 5000 : "", reach("weak" P, search_floor(scale, P)), "GTEPS")
        line(P " GPUs, efficiency", quotient(quotient(gteps("weak" P), gteps("one26")), P), 0.65, 0.85, "", "")
        line(P " GPUs, looking into each other against messages", quotient(gteps("weak" P), gteps("messages" P)), "", "", "", "")
        if (P > 2) line(P " GPUs, scale " scale + 1, gteps("larger" P), P == 8 ? 3500 : "", P == 8 ? 5000 : "", reach("larger" P, search_floor(scale + 1, P)), "GTEPS")
      }
      grids = split("2x2 4x2 2x4", grid, " ")
      for (k = 1; k <= grids; k++) line("grid " grid[k] " against P×1", quotient(gteps("grid" grid[k]), gteps(k == 1 ? "weak4" : "weak8")), "", 0.8, "", "")
      line("kernel 1, 8 GPUs, scale 29, generation included", r["weak8.construction_time"], 5, 1, build_floor(29) / 8, "s")
      algorithms = split("components sssp pagerank", algorithm, " ")
      for (k = 1; k <= algorithms; k++) for (P = 1; P <= 8; P *= 2) {
        line(algorithm[k] ", scale 26, " P (P == 1 ? " GPU" : " GPUs"), r[algorithm[k] ".strong.on" P ".ms"], "", "", "", "ms")
        if (P > 1) line("... efficiency", quotient(quotient(r[algorithm[k] ".strong.on1.ms"], r[algorithm[k] ".strong.on" P ".ms"]), P), "", 0.7, "", "")
      }
      line("kernel 1, scale 26, generation included", r["one26.construction_time"], 1, 0.3, build_floor(26), "s")
      line("kernel 1, scale 27, generation included", r["one27.construction_time"], "", "", build_floor(27), "s")
      line("delegates on against off, one GPU, scale " split_scale, quotient(gteps("onone"), gteps("offone")), "", "", "", "")
      line("delegates on against off, 8 GPUs, scale 29", quotient(gteps("on29"), gteps("off29")), 1, 1.3, "", "")
      line("memory, both directions ready, scale 26", r["one26.bytes_per_entry"], 9, 5, 4, "bytes an entry")
      line("peak of device memory, scale 26", quotient(r["one26.gpu_bytes_peak_largest_process"], 2 ^ 30), "", "", "", "GiB")
      line("peak of device memory, scale 27", quotient(r["one27.gpu_bytes_peak_largest_process"], 2 ^ 30), "", "", "", "GiB")
      print ""
      plains = split("test sanitize.memcheck sanitize.racecheck sanitize.several links.barrier_us links.fetch_GB_per_s links.wake_us kill full too_many", plain, " ")
      for (k = 1; k <= plains; k++) if (r[plain[k]] != "") printf "* %s: %s\n", plain[k], r[plain[k]]
      for (name in r) if (name ~ /^against\./) printf "* %s: %s\n", substr(name, 9), r[name]
      for (name in r) if (name ~ /^left\./ && r[name] != "") printf "* left to the CPU, %s: %s\n", substr(name, 6), r[name]
      for (name in r) if (name ~ /^failed\./) printf "* FAILED %s: %s\n", substr(name, 8), r[name]
    }' >"$out/table.body"
  {
    echo "Measured $(date -u +%Y-%m-%d), $(git describe --always --dirty 2>/dev/null || echo 'no git'), $gpus × $(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1), driver $(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1)."
    echo "R-MAT, edge factor 16, harmonic mean over $roots keys, levels and parents written, every tree validated."
    echo
    cat "$out/table.body"
  } >"$out/table.md"
  rm -f "$out/table.body"
}

# The program's reports as one JSON object.
merge_reports() {
  local file first=1
  {
    echo '{'
    for file in "$work"/*.json; do
      [ -s "$file" ] || continue
      [ $first -eq 1 ] || echo ','
      first=0
      printf '"%s": ' "$(basename "$file" .json)"
      cat "$file"
    done
    echo '}'
  } >"$out/results.json"
}

[ $# -gt 0 ] || set -- build test search push products matrices searches calls algorithms several levels delegates links weak strong errors sanitize
say "gpu.sh $* on $(uname -n): $gpus GPUs, $cores cores"
for part in "$@"; do
  [ "$part" != table ] || continue
  if ! declare -F "part_$part" >/dev/null; then
    echo "gpu.sh: there is no part '$part'" >&2
    exit 2
  fi
  part_"$part"
done
merge_reports
make_table
cat "$out/table.md"
[ -z "$failures" ] && exit 0
echo "failed:$failures"
exit 1
