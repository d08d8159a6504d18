#!/bin/sh
# A short libFuzzer run over the file readers, from the corpus in tests/corpus. Needs clang; without it the test counts as skipped.
# Usage: fuzz.sh SOURCE_DIR BUILD_DIR SECONDS
set -eu
source=$1 build=$2 seconds=$3
echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n); int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return !d && n; }' |
  clang -fsanitize=fuzzer,address -fopenmp -x c - -o /dev/null 2>/dev/null ||
  { echo "skipped: no clang with libFuzzer and OpenMP (Debian: clang libclang-rt-dev libomp-dev)"; exit 77; }
mkdir -p "$build/found"
cmake --preset fuzz -S "$source" -B "$build" >"$build/log" 2>&1 || { cat "$build/log"; exit 1; }
cmake --build "$build" --target fuzz_read >"$build/log" 2>&1 || { cat "$build/log"; exit 1; }
"$build/tests/fuzz_read" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
  -artifact_prefix="$build/found/" "$build/found" "$source/tests/corpus"
