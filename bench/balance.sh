#!/bin/bash
# The gain of partitions by work: bench/balance.sh GRIDBLAS P GRAPH...
#
# For each graph, on P processes of one thread each, compares an even partition; partitions of rows that count each row as 0 entries or 10; the
# library's for entries, products and searches; and by measured times of rounds, repeated four times. Prints the ratio of maximum to mean of
# entries, and of the entries that searches inspect; and for one round of PageRank and for a search the slowest process's CPU time (Grid_cpu_time) over
# the mean, that time, and the wall time, in milliseconds. Then the measured cost of a row, and the repair of a partition that gives
# process 0 seven eighths of the vertices. With more processes than cores the wall time means nothing. REPEAT (10) and ITERATIONS (200) set
# how often and for how long, GRID (P x 1) on which grid. DEVICE=cuda does so on GPUs: the processes' own time is then that of their GPUs on products
# (Grid_device_time), 0 in searches, and the cost of a row is not fitted.
set -eu
[ $# -ge 3 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 P=$2
shift 2
OMP_NUM_THREADS=1
. "$(dirname "$0")/mpi.sh"
echo "| graph, P = $P | cuts | entries | looks | round: time | work ms | ms | search: time | work ms | ms |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
for graph in "$@"; do
  mpirun -n "$P" "$program" balance "$graph" --grid "${GRID:-${P}x1}" --repeat "${REPEAT:-10}" --iterations "${ITERATIONS:-200}" --device "${DEVICE:-cpu}" --json - 2>/dev/null | python3 -c '
import json, sys
r, graph = json.load(sys.stdin), sys.argv[1].split("/")[-1]
for cuts in "even", "row_0", "row_10", "entries", "products", "searches", "measured":
    x = [r[f"{cuts}_{k}"] for k in ("entries_load", "search_load", "round_time_load", "round_work_ms", "round_ms", "search_time_load", "search_work_ms", "search_ms")]
    print(f"| {graph} | {cuts} | " + " | ".join(f"{v:.2f}" for v in x) + " |")
keys = "round_row_of_many_in_entries", "round_row_of_few_in_entries", "search_row_of_many_ns", "search_row_of_few_ns", "search_entry_ns", "bad_round_ms", "mended_moves", "mended_move_ms", "mended_before_round", "mended_round_ms"
print("{}: a row of two entries or more costs {:.1f} entries in a round, one of fewer {:.1f}; in a search {:.1f} and {:.1f} ns, an entry {:.2f}; bad cuts: {:.2f} ms a round, {} moves of {:.0f} ms together, the last before round {}, "
      "then {:.2f} ms".format(graph, *[r.get(k, 0) for k in keys]), file=sys.stderr)
' "$graph"
done
