#!/bin/sh
# Installs missing Debian packages. If none is missing it needs neither network nor root.
# Usage: packages.sh build | quick_test | test [--list]
#   build       dependencies of the library and the program, and SuiteSparse:GraphBLAS, with which `gridblas --check` compares
#   quick_test  also those of the quick test set: more file formats, the Python package, reports
#   test        also all optional ones
#   --list      print the missing ones, and install nothing
set -eu
build="gcc libc6-dev cmake ninja-build libopenmpi-dev openmpi-bin zlib1g-dev libjansson-dev libgraphblas-dev"
quick_test="pkg-config libzstd-dev libdeflate-dev libhdf5-dev libmetis-dev zstd libcmocka-dev clang lld libclang-rt-dev libomp-dev
python3-cffi python3-numpy python3-scipy python3-pytest python3-mpi4py python3-matplotlib zsh abigail-tools xz-utils"
test="clang-format clang-tidy shellcheck cppcheck valgrind python3-venv chromium debootstrap dpkg-dev gfortran libmpich-dev mpich"
usage() { sed -n 's/^# \(Usage:.*\)/\1/p' "$0" >&2; exit 2; }
case "${1:-build}" in
  build) wanted=$build ;;
  quick_test) wanted="$build $quick_test" ;;
  test) wanted="$build $quick_test $test" ;;
  *) usage ;;
esac
[ "${2:---list}" = --list ] || usage

missing=
for package in $wanted; do
  dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
missing=${missing# }
[ "${2-}" != --list ] || { echo "$missing"; exit 0; }

command -v apt-get >/dev/null || { echo "packages.sh: no apt-get here; missing: $missing" >&2; exit 1; }
as_root=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "packages.sh: not root, and no sudo; missing: $missing" >&2; exit 1; }
  as_root=sudo
  [ -t 0 ] || as_root="sudo -n" # no terminal to ask for a password at
fi
echo "installing: $missing"
export DEBIAN_FRONTEND=noninteractive
apt() { $as_root apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=20 "$@"; }
apt update -q
# shellcheck disable=SC2086
apt install -qy --no-install-recommends $missing
