#!/bin/bash
# The speed of reading and writing files: bench/formats.sh GRIDBLAS [SCALE] [PROCESSES]
#
# A table: for each format (docs/formats.md) of an R-MAT graph of that scale (18), the file's size, seconds and MB/s of writing it and of reading it, by
# PROCESSES processes (1) of one thread. For comparison, other programs on the same bytes in the same run: `cat` to /dev/null, `wc -l` of the text, `gzip -d` and
# `zstd -d` of compressed files, `h5dump` of the column numbers. Files are in the page cache: the work is timed, not the disk.
set -eu
[ $# -ge 1 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d' >&2; exit 2; }
program=$(realpath "$1") scale=${2:-18} P=${3:-1}
# shellcheck source=bench/openmpi.sh
. "$(dirname "$0")/openmpi.sh"
export OMP_NUM_THREADS=1 OMPI_MCA_mpi_yield_when_idle=1
run=("$program")
[ "$P" -eq 1 ] || run=(mpirun -n "$P" "$program")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
"${run[@]}" convert "rmat:$scale" graph.mtx --no-loops --undirected >/dev/null

seconds_of() { # what it takes COMMAND..., its output dropped
  local from
  from=$(date +%s.%N)
  "$@" >/dev/null 2>&1
  echo "$(date +%s.%N) $from" | awk '{print $1 - $2}'
}
rate() { awk -v s="$1" -v b="$2" 'BEGIN {if (s > 0) printf "%.0f", b / s / 1e6; else printf "-"}'; }

echo "| format | MB | bytes an entry | write s | MB/s | read s | MB/s | beside it | s | MB/s |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
for end in txt mtx gr metis g500 g500p npz h5 grb mtx.gz mtx.zst; do
  file=graph.$end
  if ! "${run[@]}" convert graph.mtx "written.$end" >out 2>&1; then
    echo "| $end | left out: $(tail -n 1 out | cut -c 1-120) |"
    continue
  fi
  write=$(awk '$1 == "write_seconds:" {print $2}' out)
  mv "written.$end" "$file"
  "${run[@]}" convert "$file" again.g500p --pattern >out 2>&1
  read=$(awk '$1 == "read_seconds:" {print $2}' out)
  entries=$(awk '$1 == "tuples:" {print $2; exit}' out)
  bytes=$(stat -c %s "$file")
  case $end in
    *.gz) beside=(gzip -dc "$file") ;;
    *.zst) beside=(zstd -dcq "$file") ;;
    h5) beside=(h5dump -b -o columns -d indices_1 "$file") ;;
    g500* | npz | grb) beside=(cat "$file") ;;
    *) beside=(wc -l "$file") ;;
  esac
  other=-
  ! command -v "${beside[0]}" >/dev/null || other=$(seconds_of "${beside[@]}")
  echo "| $end | $(awk -v b="$bytes" 'BEGIN {printf "%.1f", b / 1e6}') | $(awk -v b="$bytes" -v e="${entries:-0}" 'BEGIN {if (e > 0) printf "%.2f", b / e; else printf "-"}') |" \
    "$write | $(rate "$write" "$bytes") | $read | $(rate "$read" "$bytes") | ${beside[0]} | $other | $(rate "$other" "$bytes") |"
done
