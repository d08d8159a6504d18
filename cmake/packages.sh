#!/bin/sh
# Installs the Debian packages named, those that are missing only: without a missing one it needs neither network nor root.
# Usage: packages.sh build | test
set -eu
build="gcc libc6-dev cmake ninja-build pkg-config libopenmpi-dev openmpi-bin zlib1g-dev libzstd-dev libhdf5-openmpi-dev libjansson-dev libgraphblas-dev"
test="zstd libcmocka-dev clang libclang-rt-dev libomp-dev clang-tidy cppcheck valgrind
python3-cffi python3-numpy python3-scipy python3-pytest python3-mpi4py python3-venv
python3-matplotlib chromium zsh debootstrap dpkg-dev"
case "${1:-build}" in
  build) wanted=$build ;;
  test) wanted="$build $test" ;;
  *) echo "usage: packages.sh build | test" >&2; exit 2 ;;
esac

missing=
for package in $wanted; do
  dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

echo "installing:$missing"
as_root=
[ "$(id -u)" -eq 0 ] || as_root=sudo
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q
# shellcheck disable=SC2086  (the list is words)
$as_root apt-get install -qy --no-install-recommends $missing
