#!/bin/bash
# PageRank's time under each order of the vertices: bench/order.sh GRIDBLAS P GRAPH...
#
# In turn, ROUNDS (3) times, each order of ORDERS ("random degree rcm metis"; none: the graph's own numbers), on P processes of one thread each (OMP_NUM_THREADS).
# Printed are the share of entries between parts, the seconds to order, the least time of ITERATIONS (20) rounds, and that relative to the first order. Twice: processes that
# share memory, and messages as between machines. LAUNCH ("mpirun -n P") may be "bench/cluster.sh P 1gbit" instead. OPTIONS are the program's.
# With more processes than cores the times mean nothing.
set -eu
[ $# -ge 3 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 P=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/mpi.sh"
echo "| graph, P = $P | order | entries cut | ordering, s | ms | relative | messages, ms | relative |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- |"

# field NAME: its value in the report of the run.
field() {
  sed -n "s/^$1: *//p" "$work/out"
}

for graph in "$@"; do
  : >"$work/runs"
  for _ in $(seq "${ROUNDS:-3}"); do
    for order in ${ORDERS:-random degree rcm metis}; do
      for shared in on off; do
        # shellcheck disable=SC2086
        GRIDBLAS_TUNE=shm_mailbox=$shared ${LAUNCH:-mpirun -n $P} "$program" pagerank "$graph" --order "$order" --iterations "${ITERATIONS:-20}" --tolerance 0 \
          ${OPTIONS:-} >"$work/out" 2>&1 || { tail -n 3 "$work/out" >&2; exit 1; }
        echo "$order $shared $(field run_ms) $(field entries_cut_share) $(field order_seconds)" >>"$work/runs"
      done
    done
  done
  awk -v graph="$graph" '{ k = $1 " " $2 } !(k in t) || $3 < t[k] { t[k] = $3 } !($1 in cut) { name[++n] = $1; cut[$1] = $4; s[$1] = $5 }
    END { for (k = 1; k <= n; k++) { o = name[k]; on = o " on"; off = o " off"
      printf "| %s | %s | %.3f | %.2f | %.1f | %.2f | %.1f | %.2f |\n", graph, o, cut[o], s[o], t[on], t[on] / t[name[1] " on"], t[off], t[off] / t[name[1] " off"] } }' "$work/runs"
done
