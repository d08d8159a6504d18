#!/bin/bash
# The cost of GRIDBLAS_BURBLE while it is off: bench/burble.sh BUILD-FOLDER [ROUNDS]
#
# Builds the sources again in BUILD-FOLDER-untraced, without the code that traces calls, and counts the instructions of small calls on vectors of
# length 64 in both, with one process and one thread: valgrind's count of 1500 rounds (ROUNDS) less that of 500, for each call. Counts do not depend on load.
set -eu
[ $# -ge 1 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d' >&2; exit 2; }
source=$(realpath "$(dirname "$0")/..") build=$(realpath "$1") rounds=${2:-1500}
command -v valgrind >/dev/null || { echo "burble.sh: no valgrind (Debian: valgrind)" >&2; exit 2; }
setting() { sed -n "s/^$1:[^=]*=//p" "$build/CMakeCache.txt"; }
cmake -S "$source" -B "$build-untraced" -G Ninja -DCMAKE_BUILD_TYPE="$(setting CMAKE_BUILD_TYPE)" -DCMAKE_C_COMPILER="$(setting CMAKE_C_COMPILER)" \
  -DCMAKE_C_COMPILER_LAUNCHER="$(setting CMAKE_C_COMPILER_LAUNCHER)" -DCMAKE_C_FLAGS=-DGRID_UNTRACED -DGRIDBLAS_CUDA=OFF -DGRIDBLAS_PYTHON=OFF -DGRIDBLAS_TESTS=OFF >/dev/null
cmake --build "$build-untraced" --target burble_calls >/dev/null
cmake --build "$build" --target burble_calls >/dev/null
export OMP_NUM_THREADS=1 GRIDBLAS_BURBLE=0
instructions() { # BUILD CALL ROUNDS
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1/bench/burble_calls" "$2" "$3" 2>&1 | awk '/Collected/ { print $NF }'
}
echo "| call | instructions a call | without the burble | more |"
echo "| --- | --- | --- | --- |"
for call in apply assign eWiseAdd reduce vxm span; do
  for b in "$build" "$build-untraced"; do echo "$(instructions "$b" $call "$rounds") $(instructions "$b" $call 500)"; done |
    awk -v call=$call -v n=$((rounds - 500)) '{ each[NR] = ($1 - $2) / n } END { printf "| %s | %.1f | %.1f | %.1f |\n", call, each[1], each[2], each[1] - each[2] }'
done
