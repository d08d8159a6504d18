#!/bin/bash
# A graph on disk whose pages go to the GPU, against the disk's rate and the CPU: bench/pages_gpu.sh GRIDBLAS SCALE [FOLDER]
#
# An R-MAT graph is written as pages in FOLDER (default: here), then read by dd, past the system's cache if the file system can, as the library reads it.
# PageRank (5 iterations), betweenness (masked products) and a search run with --memory of a quarter of the file, on the CPU and on the GPU, twice
# each: the faster run counts. So does PageRank of the same graph directed, whose matrix is not symmetric.
# "of the disk's rate": bytes of pages read in the time of the run, against dd. Pages that fit the budget are read once only.
set -u
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 scale=$2 folder=${3:-.}
file=$folder/pages_gpu-$scale.pages
directed=$folder/pages_gpu-$scale-directed.pages
trap 'rm -f "$file" "$directed" "$file.json" "$file.out"' EXIT
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-$(nproc)}
"$program" convert "rmat:$scale" "$file" --undirected --no-loops --pattern >&2 || exit 1
"$program" convert "rmat:$scale" "$directed" --no-loops --pattern >&2 || exit 1
bytes=$(stat -c %s "$file")

how="past the system's cache" flag=iflag=direct
dd if="$file" of=/dev/null bs=1M count=1 $flag 2>/dev/null || { how="through the system's cache: no direct reads here" flag=iflag=fullblock; }
seconds=$(for _ in 1 2 3; do
  start=$(date +%s.%N)
  dd if="$file" of=/dev/null bs=4M $flag 2>/dev/null
  echo "$start $(date +%s.%N)" | awk '{ print $2 - $1 }'
done | sort -g | head -1)
echo "scale $scale: $bytes bytes; dd reads $(awk "BEGIN { printf \"%.0f\", $bytes / $seconds / 1e6 }") MB/s, $how; $OMP_NUM_THREADS threads"
echo "| what | device | ms | read, of the file | MB/s | of the disk's rate |"
echo "| --- | --- | --- | --- | --- | --- |"
# row NAME GRAPH COMMAND [OPTION...]: on each device.
row() {
  local name=$1 graph=$2 command=$3 size device
  shift 3
  size=$(stat -c %s "$graph")
  for device in cpu cuda; do
    for _ in 1 2; do
      "$program" "$command" "$graph" "$@" --device $device --memory $((size / 4)) --json "$file.json" >"$file.out" 2>&1 ||
        { cat "$file.out" >&2; exit 1; }
      grep -i fallback "$file.out" >&2
      python3 -c '
import json, sys
x = json.load(open(sys.argv[1]))
print(x["run_ms"], x.get("pages_read_bytes", 0))' "$file.json"
    done | sort -g | head -1 | awk -v name="$name" -v device=$device -v size="$size" -v bytes="$bytes" -v seconds="$seconds" '{
      rate = $2 / $1 * 1e3
      printf "| %s | %s | %.0f | %.2f | %.0f | %.2f |\n", name, device, $1, $2 / size, rate / 1e6, rate * seconds / bytes }'
  done
}
row pagerank "$file" pagerank --iterations 5 --tolerance 0
row "pagerank, directed" "$directed" pagerank --iterations 5 --tolerance 0
row betweenness "$file" betweenness --samples 1
row bfs "$file" bfs
