#!/bin/bash
# A graph on disk against the disk's rate, and against the same in memory: bench/pages.sh [--by-degree] GRIDBLAS SCALE [FOLDER]
#
# With --by-degree the vertices of the file are in order of degree (gridblas convert --by-degree), else as R-MAT numbers them.
# An R-MAT graph is written as pages in FOLDER (default: here; a folder in memory tells nothing), then read by dd as the library reads it, past the
# system's cache, for what the disk gives. PageRank (10 iterations) and components run with a budget of a quarter of the matrix in memory (4 bytes an
# entry), and with none, twice each, the faster counts. "of the disk's rate": bytes of pages read in the time of the run, against dd.
#
# Below it: the external build (gridblas convert, with a quarter of what its tuples take) against the disk's rate, the mean of reading and writing, for
# four times the tuples' bytes; and PageRank as a plain loop over an array of neighbours that is mapped into memory (pages_mmap, beside GRIDBLAS), from
# disk and from memory.
set -eu
order=()
if [ "${1:-}" = --by-degree ]; then order=(--by-degree) && shift; fi
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 scale=$2 folder=${3:-.}
file=$folder/pages-$scale${order[*]}.pages
trap 'rm -f "$file" "$file.json"' EXIT
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-$(nproc)}
[ -f "$file" ] || "$program" convert "rmat:$scale" "$file" --undirected --no-loops --pattern "${order[@]}" >&2

value() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1])).get(sys.argv[2], 0))' "$file.json" "$1"; }
run() { # memory, command and options: milliseconds, bytes read, peak
  best=
  for _ in 1 2; do
    "$program" "$2" "$file" --memory "$1" --json "$file.json" "${@:3}" >"$file.out" || { cat "$file.out" >&2; exit 1; }
    ms=$(value run_ms)
    if [ -z "$best" ] || python3 -c "import sys; sys.exit(not $ms < ${best%% *})"; then
      best="$ms $(value pages_read_bytes) $(value memory_peak_bytes)"
    fi
  done
  rm -f "$file.out"
  echo "$best"
}

bytes=$(stat -c %s "$file")
read -r entries pages < <(python3 -c '
import struct, sys
head = struct.unpack("<12Q", open(sys.argv[1], "rb").read(112)[16:])
print(head[3], head[9] - head[8])' "$file")
seconds=$(for _ in 1 2 3; do
  python3 -c '
import os, subprocess, sys, time
start = time.time()
subprocess.run(["dd", "if=" + sys.argv[1], "of=/dev/null", "bs=4M", "iflag=direct"], stderr=subprocess.DEVNULL, check=True)
print(time.time() - start)' "$file"
done | sort -g | head -1)
quarter=$((entries * 4 / 4))
echo "scale $scale${order:+, by degree}: $entries entries, $bytes bytes, $(python3 -c "print('%.3f' % ($pages / $entries))") bytes an entry in pages; the disk gives $(python3 -c "print('%.0f' % ($bytes / $seconds / 1e6))") MB/s"
echo "| what | on disk, ms | in memory, ms | times | of the matrix read | MB/s | of the disk's rate | budget, MB | peak, MB |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
for what in "pagerank --iterations 10 --tolerance 0" components bfs; do
  # shellcheck disable=SC2086
  on=$(run $quarter $what)
  # shellcheck disable=SC2086
  in=$(run 1T $what)
  python3 -c '
import sys
what, on, in_, bytes, pages, seconds, quarter = sys.argv[1:]
ms, read, peak = map(float, on.split())
memory = float(in_.split()[0])
rate, disk = read / ms * 1e3, float(bytes) / float(seconds)
print("| %s | %.0f | %.0f | %.1f | %.2f | %.0f | %.2f | %.0f | %.0f |" % (what.split()[0], ms, memory, ms / memory,
      read / float(pages), rate / 1e6, rate / disk, float(quarter) / 1e6, peak / 1e6))' "$what" "$on" "$in" "$bytes" "$pages" "$seconds" "$quarter"
done

# The external build: tuples of 8 bytes, both ways.
tuples=$((2 * 16 * (1 << scale)))
budget=$((tuples * 8 / 4 > 4 << 20 ? tuples * 8 / 4 : 4 << 20))
written=$(python3 -c '
import os, subprocess, sys, time
start = time.time()
subprocess.run(["dd", "if=/dev/zero", "of=" + sys.argv[1], "bs=4M", "count=64", "oflag=direct"], stderr=subprocess.DEVNULL, check=True)
print(time.time() - start)
os.remove(sys.argv[1])' "$file.dd")
best=
for _ in 1 2; do
  ms=$(python3 -c '
import subprocess, sys, time
start = time.time()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(1e3 * (time.time() - start))' "$program" convert "rmat:$scale" "$file.built.pages" --undirected --no-loops --pattern "${order[@]}" --memory "$budget")
  if [ -z "$best" ] || python3 -c "import sys; sys.exit(not $ms < $best)"; then best=$ms; fi
  rm -f "$file.built.pages"
done
python3 -c '
import sys
ms, tuples, bytes, seconds, written, budget = map(float, sys.argv[1:])
disk = 2 / (seconds / bytes + written / (64 * 4 * 2 ** 20))
print("external build: %.0f ms with %.0f MB; four times %.0f MB of tuples at the disk'"'"'s %.0f MB/s take %.0f ms: %.2f" % (
    ms, budget / 1e6, tuples * 8 / 1e6, disk / 1e6, 4e3 * tuples * 8 / disk, 4e3 * tuples * 8 / disk / ms))' "$best" "$tuples" "$bytes" "$seconds" "$written" "$budget"
peer=$(dirname "$program")/bench/pages_mmap
if [ -x "$peer" ]; then
  read -r from_disk from_memory mapped < <("$peer" "$file" "$file.csr")
  rm -f "$file.csr"
  echo "a mapped array of neighbours, $mapped bytes, ms an iteration of PageRank: $from_disk from disk, $from_memory in memory"
fi
