#!/bin/bash
# Runs tests: tests/run.sh [--all | NAME...]. docs/testing.md describes them.
#   (nothing)  the quick set: installs what is missing, builds with sanitizers and with warnings as errors, runs the quick tests of both
#   --all      every test, each long one in one of the builds (tests/quick.cmake); and the tests of threads under ThreadSanitizer
#   NAME...    the tests whose names begin with one of these (unit_vector, unit_vector.4): builds only what they need, in build/ci; the
#              first time it installs what is missing, too
# Prints ctest's summary last; the exit status is 0 when all passed.
set -u
cd "$(dirname "$0")/.." || exit 2
jobs=$(nproc)
tests=$((jobs + 1)) # tests at a time: processes that mpirun starts wait as long as they compute
quick=(-LE '^(long|long_sanitized|gpu)$')
packages=quick_test
seeds=4
faster=() # tools that make the builds quicker
command -v ccache >/dev/null && faster=(-DCMAKE_C_COMPILER_LAUNCHER=ccache)
command -v ld.lld >/dev/null && faster+=(-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld)
failed=0

say() { echo "== $* ($((SECONDS / 60)) min $((SECONDS % 60)) s)"; }
install() { cmake/packages.sh $packages >build/packages.log 2>&1 || { tail -n 3 build/packages.log; echo "continuing: tests that need the missing packages are skipped"; } }
# configure PRESET OPTION...
configure() { cmake --preset "$@" "${faster[@]}" -DGRIDBLAS_TWIN_SEEDS="$seeds" >build/configure.log 2>&1 || { cat build/configure.log; return 1; }; }
build() { cmake --build --preset "$1" -j "$jobs" --target "${@:2}" >build/build.log 2>&1 || { tail -n 40 build/build.log; return 1; }; }
mkdir -p build

# ---- some tests, by name ----
# The build targets of a test: its own program, or those that its script starts.
targets_of() {
  case $1 in
    unit_*.*) echo "${1%%.*}" ;;
    unit_*) ninja -C build/ci -t targets all | sed -n "s/^\($1[a-z0-9_]*\): phony\$/\1/p" ;; # longer names begin with it, too
    cuda* | fused*) echo unit_tests ;;
    fuzz_*) echo "$1" ;;
    twin*) echo twin_gridblas twin_suitesparse twin_compare twin_algorithms_gridblas twin_algorithms_suitesparse ;;
    python*) echo python_package ;;
    ops*) echo ops_gridblas ops_suitesparse ops_limits ;;
    program | progress | algorithm* | lost_process | burble | report* | manual | tutorial.command_line | cluster | installed_kernels) echo gridblas_program manual ;;
    mismatched_calls) echo mismatched_calls gridblas_program ;;
    mpi_program*) echo mpi_program ;;
    links | source | site* | start | tidy | cppcheck) echo gridblas ;;
    *) echo all ;;
  esac
}
if [ $# -gt 0 ] && [ "$1" != --all ]; then
  [ -f build/ci/build.ninja ] || { install; configure ci -DGRIDBLAS_CUDA=OFF; } || exit 1
  # shellcheck disable=SC2046
  build ci $(for name in "$@"; do targets_of "$name"; done | tr ' ' '\n' | sort -u) || exit 1
  pattern=$(printf '|%s' "$@" | sed 's/[.]/[.]/g')
  exec ctest --test-dir build/ci -j "$tests" --no-tests=error --output-on-failure -R "^(${pattern#|})"
fi

# ---- the sets ----
if [ "${1:-}" = --all ]; then
  quick=(-LE '^(gpu|long_sanitized)$')
  packages='test'
  seeds=16
fi
say "packages"
install

# The sanitizer build uses clang if installed, so that both compilers compile every file.
compiler=gcc
echo 'int main(void) { return 0; }' | clang -fopenmp -fsanitize=address,undefined -x c - -o /dev/null 2>/dev/null && compiler=clang
say "sanitizers ($compiler): build"
if [ "${1:-}" = --all ]; then
  configure asan -DCMAKE_C_COMPILER=$compiler && build asan all || failed=1
  say "sanitizers: tests"
  ctest --test-dir build/asan -j "$tests" -LE '^(gpu|source|long)$' -E '^(report|manual|installed_kernels|burble|ops[.].*)$' --output-on-failure --progress || failed=1
  if [ $compiler = clang ]; then
    say "ThreadSanitizer"
    configure tsan && build tsan unit_threads unit_context_threads unit_context_outofcore unit_device_contexts mpi_threads && ctest --test-dir build/tsan -R '^(unit_(threads|context_threads|context_outofcore|device_contexts)|mpi_threads.4)$' --output-on-failure || failed=1
  fi
else
  configure asan -DCMAKE_C_COMPILER=$compiler && build asan unit_tests || failed=1
  say "sanitizers: tests"
  ctest --test-dir build/asan -j "$tests" -L '^unit$' "${quick[@]}" --output-on-failure || failed=1
fi

# Without a GPU the CUDA code is only compiled: without optimization and, in the quick set, without prebuilt kernels.
cuda=()
if [ ! -e /dev/nvidia0 ]; then
  cuda=(-DCMAKE_CUDA_ARCHITECTURES=90-virtual "-DCMAKE_CUDA_FLAGS=-Xcicc -O0")
  [ "${1:-}" = --all ] || cuda+=(-DGRIDBLAS_KERNELS=OFF)
fi
say "all else: build"
configure ci "${cuda[@]}" && build ci "$([ "${1:-}" = --all ] && echo all || echo quick_tests)" || exit 1
say "all else: tests"
[ $failed -eq 0 ] || echo "FAILED: a sanitizer run above"
ctest --test-dir build/ci -j "$tests" "${quick[@]}" --output-on-failure && [ $failed -eq 0 ]
