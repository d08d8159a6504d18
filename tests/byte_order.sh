#!/bin/sh
# CMake refuses a compiler for a big-endian processor, which is simulated after the compiler is found.
# Usage: byte_order.sh SOURCE_DIR CMAKE C_COMPILER
set -eu
source=$1 cmake=$2 compiler=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
echo 'set(CMAKE_C_BYTE_ORDER BIG_ENDIAN)' >"$tmp/big.cmake"
if "$cmake" -S "$source" -B "$tmp/build" "-DCMAKE_C_COMPILER=$compiler" \
  "-DCMAKE_PROJECT_gridblas_INCLUDE=$tmp/big.cmake" >"$tmp/log" 2>&1; then
  echo "a big-endian processor was accepted"
  exit 1
fi
grep -q 'gridblas needs a little-endian processor' "$tmp/log" || { cat "$tmp/log"; exit 1; }
