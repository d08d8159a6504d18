#!/bin/bash
# The kernels that a build compiles (spmat/cuda/jit/prebuilt_kernels.txt): each compiles, under the name that the library looks for; and with a
# GPU, algorithms need no others.
# Usage: prebuilt_kernels.sh MAKE_KERNELS LIST KERNELS GRIDBLAS
set -eu
make_kernels=$1 list=$2 kernels=$3 program=$4
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
count() { find "$1" -name '*.kernel' | wc -l; }
"$make_kernels" --list "$kernels" >"$tmp/list"
cmp "$list" "$tmp/list" || { echo "the compiled kernels are not those of the list, in its order"; exit 1; }
echo "$(count "$kernels") kernels"

# In a folder of a build that others may write to; and again after they were deleted.
awk -v RS='----\n' -v ORS='----\n' 'NR < 3' "$list" >"$tmp/two"
mkdir "$tmp/open" && chmod 777 "$tmp/open"
"$make_kernels" "$tmp/two" "$tmp/open"
[ "$(count "$tmp/open")" -eq 2 ] || { echo "not compiled in a folder that others may write to"; exit 1; }
rm "$tmp/open"/*.kernel
"$make_kernels" "$tmp/two" "$tmp/open"
[ "$(count "$tmp/open")" -eq 2 ] || { echo "not compiled again"; exit 1; }
mkdir -m 700 "$tmp/user"
export GRIDBLAS_CACHE=$tmp/user GRIDBLAS_KERNELS=$kernels
"$program" bfs rmat:4 --device cuda >/dev/null 2>&1 || { echo "no GPU: not checked whether algorithms need others"; exit 0; }
GRIDBLAS_CACHE=$tmp/cpu "$program" louvain rmat:14 --out "$tmp/communities" >/dev/null # on the CPU
for command in "bfs rmat:12" "components rmat:12" "pagerank rmat:12" "sssp rmat:12 --weights hash" "betweenness rmat:12 --samples 4" "triangles rmat:12" \
  "kcore rmat:12" "cdlp rmat:12" "modularity rmat:14 --weights hash --communities $tmp/communities"; do
  # shellcheck disable=SC2086
  "$program" $command --device cuda >/dev/null
  [ "$(count "$tmp/user")" -eq 0 ] || { echo "gridblas $command needs kernels that are not in the list: regenerate it (cmake/kernels.sh)"; exit 1; }
done
