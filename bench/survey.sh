#!/bin/bash
# Every algorithm with a memory budget of a quarter of its matrix: bench/survey.sh GRIDBLAS SCALE FOLDER [--memory|--device-memory]
#
# R-MAT graphs of 2^SCALE vertices (SCALE:EDGEFACTOR: of that many edges a vertex, instead of 16) are written to FOLDER as pages: undirected, directed, and
# undirected with weights. Every command of GRIDBLAS with a checked result then runs on 1 and on 4 processes (PROCESSES), with budgets of a
# quarter of the matrix, divided by the processes, and without; --check verifies the result. "read": bytes of the matrix read from disk (without derived
# matrices). --device-memory limits the GPU's memory instead of the host's. Bytes a vertex are added to the budget, on several
# processes half of them for each, because inputs are gathered whole: the first of VECTORS ("48 64 96 128 192 256 384") with which the command
# succeeds. "pages": the bytes of a process's block in pages, if products copied any; "kept": the share of these cached on the GPU at the end; "sent": how many
# times all of them were copied; "peak": a process's maximum; "CPU": fallbacks for lack of memory, and how often.
# COMMANDS="triangles lcc": only these; GRAPHS="both weighted": only on these. A run may take LIMIT (300) seconds. "Peak" is of the process with
# the maximum, including vectors, without --check, which reads all tuples.
set -eu
[ $# -ge 3 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 scale=$2 budget=${4:---memory}
case $budget in
  --memory) device=cpu vectors=0 columns="read | budget, MB | peak, MB" ;;
  --device-memory)
    device=cuda vectors=${VECTORS:-48 64 96 128 192 256 384}
    columns="bytes a vertex | budget, MB | peak, MB | pages, MB | kept | sent | CPU"
    "$program" bfs rmat:4 --device cuda >/dev/null || { echo "survey.sh: --device-memory needs a GPU" >&2; exit 1; } ;;
  *) echo "survey.sh: --memory or --device-memory, not $budget" >&2; exit 2 ;;
esac
work=$(mktemp -d "$3/survey.XXXXXX")
trap 'rm -rf "$work"' EXIT
# shellcheck source=bench/openmpi.sh
. "$(dirname "$0")/openmpi.sh"
threads=${OMP_NUM_THREADS:-$(nproc)}
# shellcheck source=bench/algorithms_of.sh
. "$(dirname "$0")/algorithms_of.sh"

make_graph() { # both, directed or weighted
  local options=(--no-loops --pattern)
  [ "$1" = directed ] || options+=(--undirected)
  [ ! -e "$work/$1.pages" ] || return 0
  if [ "$1" = weighted ]; then
    "$program" convert "rmat:$scale" "$work/edges.txt"
    awk '!/^#/ { print $1, $2, 1 + ($1 * 7 + $2 * 13) % 97 }' "$work/edges.txt" >"$work/weighted.txt"
    "$program" convert "$work/weighted.txt" "$work/weighted.pages" --undirected --no-loops
    rm "$work"/*.txt
  else
    "$program" convert "rmat:$scale" "$work/$1.pages" "${options[@]}"
  fi >/dev/null 2>&1
}
run() { # processes, file of the result, command line: true if it ended well
  local launch=(timeout "${LIMIT:-300}")
  [ "$1" -eq 1 ] || launch+=(mpirun -n "$1")
  [ $device = cpu ] || [ "$(nvidia-smi -L 2>/dev/null | wc -l)" -ge "$1" ] || export GRIDBLAS_SHARE_GPU=1
  OMP_NUM_THREADS=$((threads > $1 ? threads / $1 : 1)) "${launch[@]}" "$program" "${@:3}" --device $device --json "$2" >"$work/out" 2>&1
}
budget_of() { # file, bytes a vertex, processes
  python3 -c '
import struct, sys
_, rows, _, entries, flags = struct.unpack("<5Q", open(sys.argv[1], "rb").read(56)[16:])
vectors, P = map(int, sys.argv[2:])
print((entries * (12 if flags & 4 else 4) // 4 + rows * vectors) // P + (rows * vectors // 2 if P > 1 else 0))' "$@"
}
survey() { # graph, command and options
  local file=$work/$1.pages P v quarter right
  case " ${GRAPHS:-both directed weighted} " in *" $1 "*) ;; *) return 0 ;; esac
  make_graph "$1"
  for P in ${PROCESSES:-1 4}; do
    rm -f "$work"/*.json
    for v in $vectors; do
      quarter=$(budget_of "$file" "$v" "$P")
      run "$P" "$work/small.json" "$2" "$file" "${@:3}" "$budget" "$quarter" && break
    done
    run "$P" "$work/large.json" "$2" "$file" "${@:3}" || true
    run "$P" "$work/right.json" "$2" "$file" "${@:3}" "$budget" "$quarter" --check && right=yes || right="no: $(grep -m 1 '^gridblas' "$work/out" || grep -m 1 -E 'signal|exited|exit code|rror' "$work/out" || tail -1 "$work/out")"
    python3 -c '
import json, os, sys
small, large = [json.load(open(f)) if os.path.exists(f) and os.path.getsize(f) else {} for f in sys.argv[1:3]]
device, graph, P, vectors, quarter, right, *command = sys.argv[3:]
get = small.get
ms, memory = get("run_ms", float("nan")), large.get("run_ms", float("nan"))
row = [" ".join(command), graph, P, "%.0f" % ms, "%.0f" % memory, "%.1f" % (ms / memory)]
if device == "cpu":
    row += ["%.2f" % (get("pages_read_bytes", 0) / get("pages_bytes", 1)), "%.2f" % (int(quarter) / 1e6), "%.2f" % (get("peak_bytes_largest_process", 0) / 1e6)]
else:
    pages = get("gpu_pages_bytes", 0)
    row += [vectors, "%.2f" % (int(quarter) / 1e6), "%.2f" % (get("gpu_bytes_peak_largest_process", 0) / 1e6), "%.2f" % (pages / int(P) / 1e6)]
    row += ["%.2f" % (get("gpu_pages_" + what + "_bytes", 0) / pages) if pages else "" for what in ("kept", "sent")]
    row += ["; ".join("%s, %d" % (f["what"], f["times"]) for f in get("fallbacks", []))]
print("| " + " | ".join(row + [right]) + " |")' "$work/small.json" "$work/large.json" "$device" "$1" "$P" "$v" "$quarter" "$right" "${@:2}"
  done
}

echo "| command | graph | processes | quarter, ms | all, ms | times | $columns | right |"
echo "| --- | --- | --- | --- | --- | --- | --- |$(tr -cd '|' <<<"$columns" | sed 's/|/ --- |/g') --- |"
for command in ${COMMANDS:-$(algorithms_of "$program")}; do
  [ "$command" != modularity ] || continue # reads a file of communities
  help=$("$program" "$command" --help)
  read -r -a options < <(options_of "$command") || true
  [ "$command" = factors ] || survey both "$command" "${options[@]}" # without ratings they are hashed from the tuples, which are then all read
  case $help in *--directed*) survey directed "$command" "${options[@]}" --directed ;; esac
  case $help in *--strong*) survey directed "$command" "${options[@]}" --directed --strong ;; esac
  case $help in *--weights*) survey weighted "$command" "${options[@]}" ;; esac
done
