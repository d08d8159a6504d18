#!/bin/bash
# Collects run-time compiled kernels: cmake/kernels.sh GRIDBLAS FOLDER [cuda|cpu]
#
# Every algorithm of the program GRIDBLAS runs once on small graphs, all on the GPU (on the CPU: with kernels compiled at their first use), and the compiled
# kernels are stored in FOLDER. If GRIDBLAS_KERNELS names it, the library uses kernels from there that are not in the user's cache. They are for this version of
# the library. `make_kernels --list FOLDER >spmat/cuda/jit/prebuilt_kernels.txt` then updates the list of prebuilt kernels (cmake/kernels.cmake).
# COMMANDS="bfs sssp": only these. LIMIT (60) seconds a run. JOBS (half the processors, at most 8): concurrent runs.
set -u
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 folder=$2 device=${3:-cuda}
if ! "$program" bfs rmat:4 --device "$device" >/dev/null 2>&1; then
  echo "$program does not run with --device $device: kernels are compiled at their first use"
  exit 0
fi
umask 022 # others read them, and only their owner writes
mkdir -p "$folder" || exit 1
export GRIDBLAS_CACHE=$folder GRIDBLAS_KERNELS=''
small=cc_threshold=0,device_vector_min=0,device_matrix_min=0,compile_wait_bytes=0
# Sums over all rows by tiles, by tiles in the order of degrees, and by blocks of even rows, as on larger graphs.
tiles=$small,tiles_entries=1,tiles_pulls=0,tiles_long_share=0 uneven=even_rows_ratio=0
tunes=("$small")
[ "$device" = cpu ] || tunes+=("$tiles,$uneven" "$tiles,$uneven,tiles_order_entries=1,tiles_order_pulls=0,tiles_hub_share=0" "$tiles,even_rows_ratio=1e9")
before=$(find "$folder" -name '*.kernel' | wc -l)
failures=$(mktemp) && communities=$(mktemp) && trap 'rm -f "$failures" "$communities"' EXIT || exit 1
jobs=${JOBS:-$((($(nproc) + 1) / 2 < 8 ? ($(nproc) + 1) / 2 : 8))}

# shellcheck source=bench/algorithms_of.sh
. "$(dirname "$0")/../bench/algorithms_of.sh"

one() {
  local tune
  for tune in "${tunes[@]}"; do
    GRIDBLAS_TUNE=$tune timeout "${LIMIT:-60}" "$program" "$@" --device "$device" >/dev/null 2>&1 && continue
    echo "kernels.sh: gridblas $* failed with GRIDBLAS_TUNE=$tune" | tee -a "$failures" >&2
  done
}
run() {
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
  one "$@" &
}

one louvain rmat:12 --out "$communities"
for command in ${COMMANDS:-$(algorithms_of "$program")}; do
  help=$("$program" "$command" --help)
  read -r -a options < <(options_of "$command") || true
  run "$command" rmat:12 "${options[@]}"
  case $help in *--directed*) run "$command" rmat:12 "${options[@]}" --directed ;; esac
  case $help in *--weights*) run "$command" rmat:12 "${options[@]}" --weights hash ;; esac
  case $help in *--fp32*) run "$command" rmat:12 "${options[@]}" --fp32 ;; esac
  # larger graphs use other methods
  case $device$command in cudabfs | cudacomponents | cudabetweenness | cudapagerank | cudasssp | cudatriangles) run "$command" rmat:20 "${options[@]}" ;; esac
done
wait
find "$folder" -name '*.kernel' -exec chmod a+r {} +
echo "$(($(find "$folder" -name '*.kernel' | wc -l) - before)) kernels compiled in $folder"
[ ! -s "$failures" ]
