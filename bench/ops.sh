#!/bin/bash
# GraphBLAS operations one by one, gridblas beside SuiteSparse:GraphBLAS: bench/ops.sh BUILD-FOLDER [OPTION...]
#
#   --scale N         R-MAT scale, edge factor 16 (18)
#   --rows PATTERNS   rows whose names match, as in a shell, comma-separated ('*')
#   --shape NAME      rmat, mesh (3D, 7 points), or an awkward one: hyper, longrow, empty, iso (rmat)
#   --repeat N        timings a row in each round; short rows take more (5)
#   --rounds N        rounds: the programs run in turn in each (3)
#   --threads N       of each program together, all its processes (all cores)
#   --processes LIST  gridblas on so many processes, too, each of threads / processes threads, on cores of its own (1)
#   --measure WHAT    time, or memory: the most that a row takes of the system beside its inputs, on its first call, with the library started for it
#                     alone in one process, which gives freed memory back at once; and on a second call, beside what the first one left (time)
#   --show WHICH      median of the rounds' medians, or the least of all timings: on a machine that others use (median)
#   --out FOLDER      there: rows.tsv, every program's figures; ops.tsv and ops.json, the table's
#   --add FILE        rows.tsv of an earlier call, whose figures join the table (with --rounds 0: nothing is run)
#
# Prints a table: median milliseconds of both (of all rounds), their ratio (above 1: gridblas is faster), nanoseconds an entry, what must be
# touched and how fast gridblas touched it; first what the machine's memory, two plain loops and, for algorithm.* rows, GAP's algorithms in plain C
# (limit.NAME) did in the same rounds. Results are compared;
# any that differ make the exit status 1. Builds nothing. With which library gridblas is compared: cmake -DGRIDBLAS_OPS_PEER=...
set -eu
cores=$(env -u OMP_NUM_THREADS nproc)
usage() { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 1 ] || usage
script_folder=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
scale=18 rows='*' shape=rmat repeat=5 rounds=3 threads=$cores processes=1 measure=time show=median out="" add=()
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || usage
  case $1 in
    --scale) scale=$2 ;; --rows) rows=$2 ;; --shape) shape=$2 ;; --repeat) repeat=$2 ;; --rounds) rounds=$2 ;;
    --threads) threads=$2 ;; --processes) processes=$2 ;; --measure) measure=$2 ;; --show) show=$2 ;; --out) out=$2 ;; --add) add+=("$2") ;;
    *) usage ;;
  esac
  shift 2
done
program() { # NAME: where the build has it
  local at=$build/bench/$1
  [ -x "$at" ] || { echo "ops.sh: no $at: cmake --build $build builds it (ops_suitesparse needs libgraphblas-dev)" >&2; exit 2; }
  echo "$at"
}
gridblas=$(program ops_gridblas)
suitesparse=$(program ops_suitesparse)
limits=$(program ops_limits)
if [ "$(ldd "$suitesparse" | grep -cE 'lib(gomp|omp|iomp5)[-.]')" -gt 1 ]; then
  echo "ops.sh: $suitesparse has two OpenMP runtimes: the threads of the second would share a core" >&2
  exit 2
fi
# shellcheck source=bench/openmpi.sh
. "$script_folder/openmpi.sh"
copy_through_shared_memory
MPIRUN=${MPIRUN:-mpirun}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 stopped=
trap 'stopped=1' TERM # told to end: the table of what is there

# take WHO COMMAND...: its rows, each with who made them in front
take() {
  local who=$1
  shift
  [ -z "$stopped" ] || return 0
  "$@" >"$work/out" || {
    [ $? -ne 2 ] || exit 2 # it has printed which options it takes
    echo "ops.sh: failed: $*" >&2
    failed=1
  }
  sed "s/^/$who\t/" "$work/out" >>"$work/rows.tsv"
}

what=(--scale "$scale" --shape "$shape" --repeat "$repeat" --rows "$rows" --measure "$measure")
if [ "$measure" = memory ]; then
  export GRIDBLAS_TUNE=memory_cache=off
  rounds=1 processes=1
fi
cat /dev/null "${add[@]}" >"$work/rows.tsv"
for ((round = 0; round < rounds; round++)); do
  export OMP_NUM_THREADS=$threads OMP_PROC_BIND=${OMP_PROC_BIND:-true}
  [ "$shape$measure" != rmattime ] || take limit "$limits" --scale "$scale" --repeat "$repeat" --rows "$rows"
  take peer "$suitesparse" "${what[@]}"
  for p in $processes; do
    export OMP_NUM_THREADS=$((threads / p > 0 ? threads / p : 1))
    if [ "$p" -eq 1 ]; then take 1 "$gridblas" "${what[@]}"; else take "$p" "$MPIRUN" -n "$p" "$script_folder/bind.sh" "$gridblas" "${what[@]}"; fi
  done
done

processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
echo "R-MAT scale $scale, edge factor 16, shape $shape; $threads threads on $cores cores of ${processor:-an unnamed processor}; $rounds rounds of $repeat, $show;"
echo "peer: $(ldd "$suitesparse" | sed -n 's/.*\(libgraphblas[^ ]*\) =>.*/\1/p')"
echo
awk -F '\t' -v processes="$processes" -v measure="$measure" -v show_which="$show" -v tsv="$work/ops.tsv" -v json="$work/ops.json" '
  function median(key, v, k, j, x, n) { # of the rounds; or the least of all
    n = count[key]
    if (show_which == "least") return n ? least[key] : ""
    for (k = 1; k <= n; k++) {
      x = time[key, k]
      for (j = k; j > 1 && v[j - 1] > x; j--) v[j] = v[j - 1]
      v[j] = x
    }
    return n ? v[int((n + 1) / 2)] : ""
  }
  function same(a, b, tolerance, d, m) {
    d = a - b; if (d < 0) d = -d
    m = a < 0 ? -a : a
    return d <= tolerance * m
  }
  function show(x) { return x == "" ? "" : sprintf(x >= 100 ? "%.0f" : x >= 0.1 ? "%.2f" : "%.4f", x) }
  function quotient(a, b) { return a == "" || a == 0 || b == "" || b == 0 ? "" : a / b }
  $1 == "limit" {
    if (!($2 in limit)) limit_name[++limit_names] = $2
    limit[$2] = 1
  }
  {
    key = $1 SUBSEP $2
    time[key, ++count[key]] = $5
    if (!(key in least) || $6 < least[key]) least[key] = $6
    if (measure == "memory") second[key] = $13
    if ($1 == "limit") {
      entries[$2] = $8; bytes[$2] = $9
      if (NF > 9) { row = "algorithm" substr($2, 6); limit_nvals[row] = $10; limit_sum[row] = $11 }
      next
    }
    if (!($2 in entries)) { name[++names] = $2; entries[$2] = $8; bytes[$2] = $9; nvals[$2] = $10; sum[$2] = $11; tolerance[$2] = $12 }
    else if (entries[$2] != $8 || nvals[$2] != $10 || !same(sum[$2], $11, $12)) differ[$2] = 1
  }
  function show_memory(k, r, gridblas, suitesparse) {
    print "| row | peer: inputs MB | inputs MB | peer: beside them MB | beside them MB | ratio | peer: second call MB | second call MB |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for (k = 1; k <= names; k++) {
      r = name[k]; suitesparse = "peer" SUBSEP r; gridblas = "1" SUBSEP r
      printf "| %s | %.1f | %.1f | %.1f | %.1f | %s | %.1f | %.1f |\n", r, 1e-6 * least[suitesparse], 1e-6 * least[gridblas], 1e-6 * time[suitesparse, 1],
        1e-6 * time[gridblas, 1], time[gridblas, 1] < 1e5 ? "" : show(quotient(time[suitesparse, 1], time[gridblas, 1])), 1e-6 * second[suitesparse], 1e-6 * second[gridblas]
      printf "%s\tpeer\t%s\t%s\n%s\t1\t%s\t%s\n", r, time[suitesparse, 1], second[suitesparse], r, time[gridblas, 1], second[gridblas] >tsv
    }
    printf "" >json
  }
  END {
    if (measure == "memory") {
      show_memory()
      for (r in differ) { print "results differ: " r; bad = 1 }
      exit bad
    }
    print "| limit | ms | ns an entry | GB/s |\n| --- | --- | --- | --- |"
    for (k = 1; k <= limit_names; k++) {
      r = limit_name[k]; t = median("limit" SUBSEP r)
      printf "| %s | %s | %s | %.1f |\n", r, show(t), show(1e6 * t / entries[r]), 1e-6 * bytes[r] / t
      printf "%s\tlimit\t%s\t%s\t%s\n", r, t, entries[r], bytes[r] >tsv
    }
    P = split(processes, list, " ")
    head = "| row | peer ms | ms | ratio | peer ns an entry | ns an entry | MB | GB/s |"; line = "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for (k = 1; k <= P; k++) if (list[k] != 1) { head = head " ms, " list[k] " processes |"; line = line " --- |" }
    print "\n" head "\n" line
    printf "[" >json
    for (k = 1; k <= limit_names; k++) {
      r = limit_name[k]
      printf "%s\n{\"row\": \"%s\", \"entries\": %s, \"bytes\": %s, \"peer_ms\": null, \"ms\": {\"limit\": %s}}", (k > 1 ? "," : ""), r, entries[r], bytes[r], median("limit" SUBSEP r) >json
    }
    for (k = 1; k <= names; k++) {
      r = name[k]; t = median("1" SUBSEP r); peer = median("peer" SUBSEP r)
      printf "| %s | %s | %s | %s | %s | %s | %.1f | %s |", r, show(peer), show(t), show(quotient(peer, t)), show(quotient(1e6 * peer, entries[r])),
        show(quotient(1e6 * t, entries[r])), 1e-6 * bytes[r], show(quotient(1e-6 * bytes[r], t))
      printf "%s\tpeer\t%s\t%s\t%s\n%s\t1\t%s\t%s\t%s\n", r, peer, entries[r], bytes[r], r, t, entries[r], bytes[r] >tsv
      printf "%s\n{\"row\": \"%s\", \"entries\": %s, \"bytes\": %s, \"peer_ms\": %s, \"ms\": {", (k + limit_names > 1 ? "," : ""), r, entries[r], bytes[r], (peer == "" ? "null" : peer) >json
      for (j = 1; j <= P; j++) {
        x = median(list[j] SUBSEP r)
        if (list[j] != 1) { printf " %s |", show(x); printf "%s\t%s\t%s\t%s\t%s\n", r, list[j], x, entries[r], bytes[r] >tsv }
        printf "%s\"%s\": %s", (j > 1 ? ", " : ""), list[j], (x == "" ? "null" : x) >json
      }
      printf "}}" >json
      print ""
    }
    print "\n]" >json
    for (r in limit_sum) if (r in nvals && (limit_nvals[r] != nvals[r] || !same(limit_sum[r], sum[r], tolerance[r]))) differ[r] = 1
    for (r in differ) { print "results differ: " r; bad = 1 }
    exit bad
  }' "$work/rows.tsv" || failed=1
if [ -n "$out" ]; then
  mkdir -p "$out"
  cp "$work/rows.tsv" "$work/ops.tsv" "$work/ops.json" "$out/"
fi
exit $failed
