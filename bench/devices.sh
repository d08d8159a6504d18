#!/bin/bash
# Every algorithm of the program on the CPU and on one GPU: bench/devices.sh GRIDBLAS SCALE [SMALL_SCALE]
#
# R-MAT graphs of 2^SCALE vertices, undirected, with hashed weights where a command reads weights; graphs of 2^SMALL_SCALE (SCALE - 6) vertices for commands whose
# result grows with the square of the vertices, and of a scale between for those that count subgraphs. A row: the command, the median of 3 runs on all cores, of 3 runs on the GPU, their ratio, and the calls that the
# GPU run left to the CPU, with their number. COMMANDS="lcc kcore": only these. A run may take LIMIT (60) seconds.
# Without a GPU: DEVICE=cpu measures the CPU twice.
set -eu
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 scale=$2 small=${3:-$(($2 - 6))} device=${DEVICE:-cuda}
# shellcheck source=bench/algorithms_of.sh
. "$(dirname "$0")/algorithms_of.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=bench/openmpi.sh
. "$(dirname "$0")/openmpi.sh"

graph_of() { # command
  case $1 in
    all-pairs|transitive-closure|markov-clustering|similarity|eccentricity|closeness) echo "rmat:$small" ;;
    motif-counts|square-clustering|clique-count|betweenness-sampled) echo "rmat:$(((scale + small) / 2))" ;;
    *) echo "rmat:$scale" ;;
  esac
}
run() { # device, file of the result, command line
  timeout "${LIMIT:-60}" "$program" "${@:3}" --repeat 3 --device "$1" --json "$2" >"$work/out" 2>&1 || rm -f "$2"
}

communities=$work/communities
"$program" louvain "rmat:$scale" --out "$communities" >/dev/null 2>&1
echo "| command | CPU, ms | GPU, ms | CPU / GPU | on the CPU although a GPU is on |"
echo "| --- | --- | --- | --- | --- |"
for command in ${COMMANDS:-$(algorithms_of "$program")}; do
  [ "$command" != topological-order ] || continue # R-MAT graphs have cycles
  help=$("$program" "$command" --help)
  read -r -a options < <(options_of "$command") || true
  case $help in *--weights*) options+=(--weights hash) ;; esac
  graph=$(graph_of "$command")
  run cpu "$work/cpu.json" "$command" "$graph" "${options[@]}"
  run "$device" "$work/gpu.json" "$command" "$graph" "${options[@]}"
  python3 -c '
import json, os, sys
cpu, gpu = [json.load(open(f)) if os.path.exists(f) else {} for f in sys.argv[1:3]]
a, b = [x.get("run_ms", float("nan")) for x in (cpu, gpu)]
calls = "; ".join("%s, %d" % (f["what"], f["times"]) for f in gpu.get("fallbacks", []))
print("| %s | %.1f | %.1f | %.2f | %s |" % (" ".join(sys.argv[3:]), a, b, a / b, calls))' "$work/cpu.json" "$work/gpu.json" "$command" "$graph" "${options[@]}"
done
