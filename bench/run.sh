#!/bin/sh
# The speed and memory table of docs/measurements/bfs-cpu.md as Markdown: bench/run.sh BUILD-FOLDER [SCALE [MEMORY-SCALE]]
# Builds nothing; takes bfs_vs_suitesparse from the build folder. Ratios are of figures measured one after the other on this machine.
set -eu
build=${1:?usage: bench/run.sh BUILD-FOLDER [SCALE [MEMORY-SCALE]]}
scale=${2:-20}
memory_scale=${3:-22}
program=$(find "$build" -type f -name bfs_vs_suitesparse -perm -u+x | head -n 1)
[ -n "$program" ] || { echo "run.sh: no bfs_vs_suitesparse under $build: cmake --build $build builds it (needs libgraphblas-dev)" >&2; exit 2; }
# shellcheck source=bench/openmpi.sh
. "$(dirname "$0")/openmpi.sh"
copy_through_shared_memory
MPIRUN=${MPIRUN:-mpirun}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
OMP_NUM_THREADS=2 "$program" "$scale" >"$work/one"
OMP_NUM_THREADS=1 "$MPIRUN" -n 4 "$program" "$scale" >"$work/four"
OMP_NUM_THREADS=2 "$program" memory "$memory_scale" >"$work/memory"

get() { sed -n "s/^$2: //p" "$work/$1"; }
over() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)

cat <<TABLE
Measured $(date -u +%Y-%m-%d) on ${processor:-an unnamed processor}, $(nproc) cores; R-MAT scale $scale, edge factor 16, $(get one keys) keys.

| what | measured | asked for |
| --- | --- | --- |
| BFS with parents, 1 process × 2 threads | $(get one gridblas_MTEPS) MTEPS, $(get one gridblas_ms) ms a search | 16 ms as a guide |
| the same by $(get one suitesparse) | $(get one suitesparse_MTEPS) MTEPS, $(get one suitesparse_ms) ms a search | |
| ratio of the two | $(get one ratio) | at least 2 |
| 4 processes × 1 thread on $(nproc) cores | $(get four gridblas_MTEPS) MTEPS, $(get four gridblas_ms) ms a search | |
| 4 processes against 1 process × 2 threads | $(over "$(get four gridblas_MTEPS)" "$(get one gridblas_MTEPS)") | at least 0.7 |
| kernel 1, 1 process × 2 threads | $(get one construction_seconds) s | at most 1.4 s |
| kernel 1, 4 processes | $(get four construction_seconds) s | |
| build by SuiteSparse:GraphBLAS (one direction serves both) | $(get one suitesparse_construction_seconds) s | |
| memory, scale $memory_scale | $(get memory bytes_per_entry) bytes per entry | at most 10 |
| memory of SuiteSparse:GraphBLAS, scale $scale | $(get one suitesparse_bytes_per_entry) bytes per entry | |
| delegates, scale $scale: 1 process / 4 processes | $(get one delegates) / $(get four delegates) | |
| entries inspected a search: 1 process / 4 processes | $(get one inspected_per_search) / $(get four inspected_per_search) | |
| bytes a search, 4 processes: expand / mask / fold / delegates | $(get four expand_bytes_per_search) / $(get four mask_bytes_per_search) / $(get four fold_bytes_per_search) / $(get four delegate_bytes_per_search) | |
| messages a search, 4 processes: lists / bitmaps | $(get four list_messages_per_search) / $(get four bitmap_messages_per_search) | |
TABLE
