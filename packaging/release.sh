#!/bin/bash
# Another release of Debian, in a folder: README's first command there, the quick tests that need no tools of the source tree, and other versions of gcc.
# Usage: packaging/release.sh FOLDER SUITE [STEP...]
#   SUITE      such as trixie (Debian 13)
#   start      cmake/start.sh, a second time with nothing to do, and a program of one's own on 4 processes
#   tests      builds with warnings as errors, and runs the unit tests, those of the program and of the Python package, on one process and on several
#   petsc      examples/petsc.c with PETSc on 1, 3 and 4 processes, after `tests`
#   compilers  packaging/compilers.sh with gcc-13; default: all four steps
# Needs root, debootstrap and the mirror (GRIDBLAS_MIRROR: another one). FOLDER keeps the system and the builds, 6 GB, for the next time.
# GRIDBLAS_TESTS: options of ctest instead of those above, such as '-R ^unit_vector'.
set -eu
source=$(realpath "$(dirname "$0")/..")
[ $# -ge 2 ] || { sed -n 's/^# \(Usage:.*\)/\1/p' "$0" >&2; exit 2; }
mkdir -p "$1"
root=$(realpath "$1")/$2 suite=$2
shift 2
[ $# -gt 0 ] || set -- start tests petsc compilers
skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "a chroot wants root"
command -v debootstrap >/dev/null || skip "no debootstrap (Debian: debootstrap)"
unshare --mount --pid --fork true 2>/dev/null || skip "no mounts of one's own here (unshare)"
mirror=${GRIDBLAS_MIRROR:-http://deb.debian.org/debian}
if [ ! -e "$root/complete" ]; then
  rm -rf --one-file-system "$root"
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 || { tail -n 3 "$root.log"; skip "$mirror does not give $suite"; }
  touch "$root/complete"
fi
for file in /etc/resolv.conf /etc/hosts; do [ ! -e $file ] || cat $file >"$root$file"; done
mkdir -p "$root/gridblas"
tar -C "$source" --exclude=./build --exclude=./.git -cf - . | tar -C "$root/gridblas" -xf -

cat >"$root/step.sh" <<'E_STEP'
set -eu
cd /gridblas
# The network of a chroot may be none that Open MPI can use.
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 OMPI_MCA_btl=^tcp
packages() { apt-get install -qy --no-install-recommends "$@" >/tmp/log 2>&1 || { tail -n 20 /tmp/log; exit 1; }; }
start() {
  cmake/start.sh
  cmake/start.sh | grep '^install   nothing is missing'
  . build/env.sh
  cmake --install build/release --prefix /tmp/installed >/tmp/log
  cmake -S examples -B build/examples -G Ninja -DCMAKE_PREFIX_PATH=/tmp/installed >>/tmp/log && cmake --build build/examples >>/tmp/log
  mpirun -n 4 build/examples/bfs | tail -n 1
}
tests() {
  # shellcheck disable=SC2046
  packages $(cmake/packages.sh quick_test --list) g++ gfortran libmpich-dev mpich python3-venv
  cmake --preset ci -DGRIDBLAS_CUDA=OFF >build/configure.log 2>&1 || { tail -n 20 build/configure.log; exit 1; }
  grep -E 'compiler identification|Found MPI|MPI plug-in' build/configure.log
  ninja -C build/ci >build/ci.log 2>&1 || { grep -A 5 -E 'error|FAILED' build/ci.log | head -n 40; exit 1; }
  # shellcheck disable=SC2086
  ctest --test-dir build/ci -j $(($(nproc) + 1)) --no-tests=error --output-on-failure ${GRIDBLAS_TESTS:--L ^(unit|program|python)$ -LE ^(long|long_sanitized|gpu)$}
}
petsc() {
  packages petsc-dev
  ctest --test-dir build/ci --output-on-failure -R '^petsc$' | tee /tmp/log
  ! grep -q Skipped /tmp/log
}
compilers() {
  packages g++ libcmocka-dev pkg-config
  packaging/compilers.sh build/compilers gcc-13
}
"$1"
E_STEP
for step; do
  case $step in start | tests | petsc | compilers) ;; *) echo "no such step: $step" >&2; exit 2 ;; esac
  echo "== $suite: $step"
  unshare --mount --pid --fork sh -c '
    mount -t proc proc "$1/proc" && mount -t sysfs -o ro sys "$1/sys" && mkdir -p "$1/dev/shm" && mount -t tmpfs -o mode=1777 shm "$1/dev/shm" && mount -t devpts devpts "$1/dev/pts"
    exec chroot "$1" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root GRIDBLAS_TESTS="$3" bash /step.sh "$2"' sh "$root" "$step" "${GRIDBLAS_TESTS-}"
done
