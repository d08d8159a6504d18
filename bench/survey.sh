#!/bin/bash
# Every algorithm with a quarter of the memory that its matrix takes: bench/survey.sh GRIDBLAS SCALE FOLDER [--memory|--device-memory]
#
# R-MAT graphs of 2^SCALE vertices are written to FOLDER as pages: both ways, directed, and both ways with weights. Every command of GRIDBLAS that
# checks an answer about a graph then runs on 1 and on 4 processes (PROCESSES), with budgets of a quarter of the matrix, shared out, and without, and
# --check says whether the answer is right. "read": of the matrix, from disk (what is made of it meanwhile is not counted). --device-memory: the GPU's
# memory is what is small, the host's is not, VECTORS (128) bytes a vertex come on top, on several processes half of it for each, since inputs are
# gathered there whole, and "read" is what was sent.
# COMMANDS="triangles lcc": these alone. A run may take LIMIT (300) seconds. "Peak" is of the process that took most, vectors and all, and without
# --check, which reads all tuples.
set -eu
[ $# -ge 3 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 scale=$2 budget=${4:---memory}
case $budget in
  --memory) device=cpu vectors=0 ;;
  --device-memory)
    device=cuda vectors=${VECTORS:-128}
    "$program" bfs rmat:4 --device cuda >/dev/null || { echo "survey.sh: --device-memory wants a GPU" >&2; exit 1; } ;;
  *) echo "survey.sh: --memory or --device-memory, not $budget" >&2; exit 2 ;;
esac
work=$(mktemp -d "$3/survey.XXXXXX")
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
threads=${OMP_NUM_THREADS:-$(nproc)}

"$program" convert "rmat:$scale" "$work/both.pages" --undirected --no-loops --pattern >/dev/null 2>&1
"$program" convert "rmat:$scale" "$work/directed.pages" --no-loops --pattern >/dev/null 2>&1
"$program" convert "rmat:$scale" "$work/edges.txt" >/dev/null 2>&1
awk '!/^#/ { print $1, $2, 1 + ($1 * 7 + $2 * 13) % 97 }' "$work/edges.txt" >"$work/weighted.txt"
"$program" convert "$work/weighted.txt" "$work/weighted.pages" --undirected --no-loops >/dev/null 2>&1
rm "$work"/*.txt

options_of() {
  case $1 in
    bfs-many|betweenness) echo --samples 16 ;;
    cdlp) echo --iterations 10 ;;
    pagerank) echo --iterations 10 --tolerance 0 ;;
    ktruss) echo --k 5 ;;
    factors) echo --factors 4 --iterations 5 ;;
    heat|neural|circuit) echo --samples 4 --iterations 20 ;;
  esac
}
run() { # processes, file of the result, command line: true if it ended well
  local launch=(timeout "${LIMIT:-300}")
  [ "$1" -eq 1 ] || launch+=(mpirun -n "$1")
  [ $device = cpu ] || [ "$(nvidia-smi -L 2>/dev/null | wc -l)" -ge "$1" ] || export GRIDBLAS_SHARE_GPU=1
  OMP_NUM_THREADS=$((threads > $1 ? threads / $1 : 1)) "${launch[@]}" "$program" "${@:3}" --device $device --json "$2" >"$work/out" 2>&1
}
survey() { # graph, command and options
  local file=$work/$1.pages P quarter right
  for P in ${PROCESSES:-1 4}; do
    quarter=$(python3 -c '
import struct, sys
_, rows, _, entries, flags = struct.unpack("<5Q", open(sys.argv[1], "rb").read(56)[16:])
vectors, P = map(int, sys.argv[2:])
print((entries * (12 if flags & 4 else 4) // 4 + rows * vectors) // P + (rows * vectors // 2 if P > 1 else 0))' "$file" "$vectors" "$P")
    rm -f "$work"/*.json
    run "$P" "$work/small.json" "$2" "$file" "${@:3}" "$budget" "$quarter" || true
    run "$P" "$work/large.json" "$2" "$file" "${@:3}" || true
    run "$P" "$work/right.json" "$2" "$file" "${@:3}" "$budget" "$quarter" --check && right=yes || right="no: $(grep -m 1 '^gridblas' "$work/out" || tail -1 "$work/out")"
    python3 -c '
import json, os, sys
small, large = [json.load(open(f)) if os.path.exists(f) and os.path.getsize(f) else {} for f in sys.argv[1:3]]
graph, P, quarter, right, *command = sys.argv[3:]
get = small.get
read, all = ("gpu_pages_sent_bytes", "gpu_pages_bytes") if "gpu_pages_bytes" in small else ("pages_read_bytes", "pages_bytes")
ms, memory = get("run_ms", float("nan")), large.get("run_ms", float("nan"))
print("| %s | %s | %s | %.0f | %.0f | %.1f | %.2f | %.2f | %.2f | %s |" % (" ".join(command), graph, P, ms, memory, ms / memory, get(read, 0) / get(all, 1),
      int(quarter) / 1e6, get("peak_bytes_largest_process", 0) / 1e6, right))' "$work/small.json" "$work/large.json" "$1" "$P" "$quarter" "$right" "${@:2}"
  done
}

echo "| command | graph | processes | quarter, ms | all, ms | times | read | budget, MB | peak, MB | right |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
commands=$("$program" --help | sed -nE 's/^  gridblas ([a-z-]+) (GRAPH|RATINGS).*/\1/p')
for command in ${COMMANDS:-$commands}; do
  help=$("$program" "$command" --help)
  case $help in *--check*) ;; *) continue ;; esac
  case $help in *--repeat*) ;; *) continue ;; esac # no algorithm, as plan is none
  read -r -a options < <(options_of "$command") || true
  [ "$command" = factors ] || survey both "$command" "${options[@]}" # without ratings these are drawn for the tuples, which are then all read
  case $help in *--directed*) survey directed "$command" "${options[@]}" --directed ;; esac
  case $help in *--strong*) survey directed "$command" "${options[@]}" --directed --strong ;; esac
  case $help in *--weights*) survey weighted "$command" "${options[@]}" ;; esac
done
