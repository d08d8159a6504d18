# Functions of the tests that install wheels on a bare Debian 12 with Python alone, in a chroot; they source this file. Its folder is $root, in $tmp, which ends with the test.
# Status 77: not root, no debootstrap, no mirror (GRIDBLAS_MIRROR: another one).
# shellcheck shell=bash
skip() { echo "skipped: $*"; exit 77; }

# What the functions below need; before a build that takes minutes.
bare_debian_check() {
  [ "$(id -u)" -eq 0 ] || skip "a chroot wants root"
  command -v debootstrap >/dev/null || skip "no debootstrap (Debian: debootstrap)"
  unshare --mount --pid --fork true 2>/dev/null || skip "no mounts of one's own here (unshare)"
}

bare_debian_make() {
  local mirror=${GRIDBLAS_MIRROR:-http://deb.debian.org/debian}
  tmp=$(mktemp -d)
  trap 'rm -rf --one-file-system "$tmp"' EXIT
  root=$tmp/root
  timeout 300 debootstrap --variant=minbase --include=python3,python3-venv bookworm "$root" "$mirror" >"$tmp/log" 2>&1 || { tail -3 "$tmp/log"; skip "$mirror does not give bookworm"; }
  mkdir "$root/packages"
}

# bare_debian_run FILE: runs the shell script /packages/FILE there, where there are no compiler, MPI, OpenMP's library and CUDA.
bare_debian_run() {
  cat >"$root/packages/absent.sh" <<'E_ABSENT'
for absent in cc gcc mpirun nvcc; do ! command -v $absent || { echo "this machine has $absent"; exit 1; }; done
ls -d /usr/lib/*/libgomp.so* /usr/lib/*/libcuda.so* /usr/local/cuda* 2>/dev/null && exit 1
set -e
. "$1"
E_ABSENT
  # shellcheck disable=SC2016
  unshare --mount --pid --fork sh -c '
    mount -t proc proc "$1/proc" && { mkdir -p "$1/dev/shm" && mount -t tmpfs -o mode=1777 shm "$1/dev/shm"; }
    exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 sh /packages/absent.sh "/packages/$2"' sh "$root" "$1"
}
