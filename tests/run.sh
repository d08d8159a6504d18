#!/bin/sh
# All tests: installs what is missing, builds with warnings as errors, runs the sanitizer build on fewer process counts, then everything.
# Prints ctest's summary last; the exit status is 0 when all passed.
set -u
cd "$(dirname "$0")/.."
cmake/packages.sh test || echo "going on without: what needs the missing packages is skipped below"

# The sanitizer build uses clang where there is one, so both compilers see every file.
compiler=gcc
echo 'int main(void) { return 0; }' | clang -fopenmp -fsanitize=address,undefined -x c - -o /dev/null 2>/dev/null && compiler=clang
echo "== sanitizers ($compiler)"
cmake --preset asan -DCMAKE_C_COMPILER=$compiler && cmake --build --preset asan && ctest --preset asan -j 2
asan=$?

echo "== everything"
cmake --preset ci && cmake --build --preset ci || exit 1
[ $asan -eq 0 ] || echo "FAILED: the sanitizer run above"
ctest --preset ci -j 2 && [ $asan -eq 0 ]
