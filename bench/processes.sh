#!/bin/bash
# Every algorithm on processes of one thread, beside as many threads of one process: bench/processes.sh GRIDBLAS [GRID...]
#
# GRIDs (16x1 4x4) are shapes of as many processes as cores, each bound to one. Prints a CSV: the fastest of REPEAT (4) calls, ms, and threads / processes:
# above 1, processes are faster. ROWS: lines "GRAPH COMMAND [OPTION...]" in place of the list below. A call that takes more than LIMIT (60) seconds is empty.
set -u
[ $# -ge 1 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1
shift
[ $# -gt 0 ] || set -- 16x1 4x4
# shellcheck source=bench/openmpi.sh
. "$(dirname "$0")/openmpi.sh"
copy_through_shared_memory
bind=$(dirname "$0")/bind.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rows=${ROWS:-"rmat:22 bfs
rmat:22 components
rmat:22 pagerank --iterations 20 --tolerance 0
rmat:22 sssp
rmat:22 betweenness --samples 4
rmat:20 bellman-ford
rmat:20 bfs-many --samples 16
rmat:20 bfs-path --samples 2
rmat:20 closeness --samples 16
rmat:20 coloring
rmat:20 components --strong --directed
rmat:20 densest-subgraph
rmat:20 diameter
rmat:20 eigenvector
rmat:20 hits --directed
rmat:20 katz --iterations 20
rmat:20 kcore
rmat:20 matching
rmat:20 mis
rmat:20 msf
rmat:20 peer-pressure
rmat:20 reciprocity --directed
rmat:20 assortativity
rmat:20 rich-club
rmat:20 triangles
rmat:20 vertex-cover
rmat:18 biconnected
rmat:18 bipartite-matching --directed
rmat:18 edge-betweenness --samples 4
rmat:18 sssp-many --samples 4
rmat:18 als --iterations 5
rmat:18 cdlp
rmat:18 eccentricity
rmat:18 ktruss --k 5
rmat:18 lcc
rmat:18 leiden
rmat:18 louvain
rmat:16 max-flow --samples 2
rmat:16 clique-count --k 4
rmat:14 square-clustering
rmat:14 motif-counts
rmat:14 betweenness-sampled --epsilon 0.02
rmat:12 all-pairs
rmat:12 markov-clustering
rmat:12 similarity
rmat:12 transitive-closure --directed"}

# of a run's report, the fastest call
ms() { awk '$1 == "run_ms:" { ms = $2 } $1 == "run_ms_fastest:" { ms = $2 } END { print ms }' "$work/out"; }

(IFS=,; printf 'graph,command,threads_ms'; printf ',%s_ms' "$@"; printf ',%s_speed' "$@"; echo)
while read -r graph command options; do
  call="$command $graph $options --repeat ${REPEAT:-4}"
  # shellcheck disable=SC2086
  OMP_PROC_BIND=true timeout "${LIMIT:-60}" "$program" $call </dev/null >"$work/out" 2>"$work/err" || tail -n 1 "$work/err" >&2
  times=$(ms)
  for grid in "$@"; do
    # shellcheck disable=SC2086
    timeout "${LIMIT:-60}" mpirun -n $((${grid/x/*})) -x OMP_NUM_THREADS=1 "$bind" "$program" $call --grid "$grid" </dev/null >"$work/out" 2>"$work/err" ||
      tail -n 1 "$work/err" >&2
    times="$times $(ms)"
  done
  echo "$times" | awk -v graph="$graph" -v command="$command${options:+ $options}" -v grids=$# -F ' ' '{
    line = graph "," command; for (k = 1; k <= grids + 1; k++) line = line "," $k
    for (k = 2; k <= grids + 1; k++) line = line "," ($k > 0 ? sprintf("%.2f", $1 / $k) : ""); print line }'
done <<<"$rows"
