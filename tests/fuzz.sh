#!/bin/sh
# Short libFuzzer runs over the file readers (from the corpus in tests/corpus), over serialized matrices (from tests/blobs) and over page files
# (from tests/pages). Needs clang;
# without it the test counts as skipped.
# Usage: fuzz.sh SOURCE_DIR BUILD_DIR SECONDS (of each)
set -eu
source=$1 build=$2 seconds=$3
echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n); int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return !d && n; }' |
  clang -fsanitize=fuzzer,address -fopenmp -x c - -o /dev/null 2>/dev/null ||
  { echo "skipped: no clang with libFuzzer and OpenMP (Debian: clang libclang-rt-dev libomp-dev)"; exit 77; }
mkdir -p "$build/found" "$build/found_blobs" "$build/found_pages"
cmake --preset fuzz -S "$source" -B "$build" >"$build/log" 2>&1 || { cat "$build/log"; exit 1; }
cmake --build "$build" --target fuzz_read fuzz_blob fuzz_pages >"$build/log" 2>&1 || { cat "$build/log"; exit 1; }

# fuzz TARGET FOUND CORPUS
fuzz() {
  "$build/tests/$1" -max_total_time="$seconds" -error_exitcode=1 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$build/$2/" "$build/$2" "$source/tests/$3"
}
fuzz fuzz_read found corpus
fuzz fuzz_blob found_blobs blobs
fuzz fuzz_pages found_pages pages
