#!/bin/bash
# Compiles the library by other compilers, warnings as errors, and runs four unit tests with each. For Debian 12, on the CPU.
# Usage: packaging/compilers.sh WORK_FOLDER COMPILER[:native]...
#   COMPILER   a program such as clang, or the name of a Debian package, such as gcc-11 or clang-19: it is unpacked in WORK_FOLDER, not installed
#   :native    for this machine's processor: -DGRIDBLAS_NATIVE=ON
# WORK_FOLDER keeps the packages, and a build and a log for each compiler. GRIDBLAS_JOBS: how many compilers run at once; default: one a core.
set -eu
source=$(realpath "$(dirname "$0")/..")
[ $# -ge 2 ] || { sed -n 's/^# \(Usage:.*\)/\1/p' "$0" >&2; exit 2; }
mkdir -p "$1"
work=$(realpath "$1") jobs=${GRIDBLAS_JOBS:-$(nproc)} tests="unit_semiring unit_vector unit_matrix unit_threads"
shift
root=$work/root libraries=$work/root/usr/lib/$(uname -m)-linux-gnu

# unpack NAME: Debian's compiler, what it needs that this machine lacks, and clang's OpenMP. Several versions of that cannot be installed together.
unpack() {
  local archives=$work/apt/archives openmp=${1/clang-/libomp-}-dev
  local apt=(-q -o "Dir::Cache::archives=$archives" -o Debug::NoLocking=true -o "APT::Sandbox::User=$(id -un)")
  mkdir -p "$archives/partial" "$root"
  apt-get "${apt[@]}" install -y --no-install-recommends --download-only "$1" >>"$work/apt/log" 2>&1 || return 1
  if [ "$openmp" != "$1-dev" ]; then
    (cd "$archives" && apt-get "${apt[@]}" download "$openmp" &&
      apt-get "${apt[@]}" download "$(dpkg-deb -f "$openmp"_*.deb Depends | grep -o 'libomp5-[0-9]*')") >>"$work/apt/log" 2>&1 || return 1
  fi
  for deb in "$archives"/*.deb; do dpkg-deb -x "$deb" "$root"; done
  rm "$archives"/*.deb
}

# try COMPILER NATIVE BUILD: the outcome as a line.
try() {
  local program log=$3.log begin=$SECONDS launcher=
  program=$(command -v "$1") || program=$root/usr/bin/$1
  [ -x "$program" ] || unpack "$1" || { echo "skipped $1: no such program, and no Debian package ($work/apt/log)"; return; }
  command -v ccache >/dev/null && launcher=-DCMAKE_C_COMPILER_LAUNCHER=ccache
  cmake -S "$source" -B "$3" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$program" -DGRIDBLAS_NATIVE="$2" -DGRIDBLAS_WERROR=ON \
    -DGRIDBLAS_CUDA=OFF -DGRIDBLAS_PYTHON=OFF -DGRIDBLAS_FORTRAN=OFF -DGRIDBLAS_SHARED=OFF $launcher >"$log" 2>&1 ||
    { echo "FAILED  $(basename "$3"): CMake, $log"; return; }
  # shellcheck disable=SC2086
  ninja -C "$3" -j "$jobs" -k 0 gridblas $tests >>"$log" 2>&1 || { echo "FAILED  $(basename "$3"): $(grep -c ' error: ' "$log") errors, $log"; return; }
  for test in $tests; do
    (cd "$3/tests" && OMP_NUM_THREADS=2 "./$test") >>"$log" 2>&1 || { echo "FAILED  $(basename "$3"): $test, $log"; return; }
  done
  echo "passed  $(basename "$3"), $("$program" -dumpfullversion -dumpversion), $((SECONDS - begin)) s"
}

export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} OMPI_MCA_ess_singleton_isolated=1
: >"$work/results"
for argument in "$@"; do
  native=OFF
  case $argument in *:native) native=ON ;; esac
  try "${argument%:native}" $native "$work/${argument/:/-}" | tee -a "$work/results"
done
! grep -q FAILED "$work/results"
