#!/bin/bash
# Times of the algorithms' commands on a graph of 134 million edges and 2 threads, as on a laptop: bench/laptop.sh PROGRAM [COMMAND...]
#   PROGRAM  the program gridblas; COMMAND: only these
# The graph is R-MAT of scale $SCALE (23), 16 edges a vertex, generated anew for each command and not part of the time. A command that takes longer than
# $LIMIT (300) seconds with the graph is stopped. Prints CSV: the command, milliseconds of one run, peak of memory in bytes.
set -u
program=$(realpath "${1:?usage: bench/laptop.sh PROGRAM [COMMAND...]}")
shift
graph=rmat:${SCALE:-23}
commands='bfs --source 1
components
pagerank --iterations 20 --tolerance 0
sssp --source 1
betweenness --samples 4
bfs-many --samples 64
diameter
mis
msf
kcore
triangles
cdlp --iterations 10
lcc
ktruss --k 8
heat --sources 1,2
neural --sources 1
circuit --sources 1,2'

echo "# Machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors, 2 threads"
echo "# Date: $(date +%F); commit $(git -C "$(dirname "$0")" rev-parse --short HEAD 2>/dev/null)"
echo "# Graph: $graph, 16 edges a vertex; one run a command"
echo "# Command: bench/laptop.sh PROGRAM"
echo "command,ms,peak_bytes"
while read -r name options; do
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  # shellcheck disable=SC2086
  report=$(timeout "${LIMIT:-300}" "$program" "$name" "$graph" --threads 2 $options 2>&1) ||
    { echo "$name $options: status $?: $(tail -n 1 <<<"$report")" >&2; continue; }
  echo "\"$name${options:+ $options}\",$(sed -n 's/^run_ms: *//p' <<<"$report"),$(sed -n 's/^peak_bytes_largest_process: *//p' <<<"$report")"
done <<<"$commands"
