#!/bin/bash
# The bytes and inspected entries of searches on P processes, by layout: bench/bytes.sh GRIDBLAS SCALE P "GRID..." "DELEGATES..." [SOURCE...]
#
# One line for each grid and each --delegates: KB for each process and search, by purpose, and matrix entries inspected by all processes,
# means over the sources (default: 5 of them). Counts, not times: processes may share cores. docs/measurements/grids.md has such tables.
set -eu
[ $# -ge 5 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 scale=$2 P=$3 grids=$4 delegates=$5
shift 5
[ $# -gt 0 ] || set -- 1 1000 22222 33333 44444
. "$(dirname "$0")/mpi.sh"
export GRIDBLAS_NETWORK=${GRIDBLAS_NETWORK:-1e-9,1e3} # so that `auto` numbers delegates wherever possible
echo "| grid | delegates | expand | mask | fold | delegates' bits | KB a process and search | entries looked at |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
for grid in $grids; do
  for d in $delegates; do
    for source in "$@"; do
      mpirun -n "$P" "$program" bfs "rmat:$scale" --grid "$grid" --delegates "$d" --source "$source" --verbose --json=- 2>/dev/null || true # a source without edges
    done | python3 -c '
import json, sys
P, grid, d = int(sys.argv[1]), sys.argv[2], sys.argv[3]
text, at, runs = sys.stdin.read(), 0, []
decode = json.JSONDecoder()
while (at := text.find("{", at)) >= 0:
    run, at = decode.raw_decode(text, at)
    runs.append(run)
runs = [r for r in runs if r["reached"] > 1]
def mean(key): return sum(l[key] for r in runs for l in r["products"]) / max(len(runs), 1)
looked = mean("inspected") / 1e6
kb = [mean(k + "_bytes") / P / 1000 for k in ("expand", "mask", "fold", "delegate")]
print(f"| {grid} | {d} | " + " | ".join(f"{x:.1f}" for x in kb) + f" | {sum(kb):.1f} | {looked:.2f} M |")
' "$P" "$grid" "$d"
  done
done
