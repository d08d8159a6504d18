#!/bin/bash
# README's first command in a bare Debian, as root and without settings; a second time with nothing to do; and a tutorial after `. build/env.sh`:
# start_chroot.sh SOURCE_DIR BUILD_DIR. Needs root, debootstrap and Debian's mirror (GRIDBLAS_MIRROR: another one); takes five to ten minutes.
set -eu
source=$(realpath "$1")
mirror=${GRIDBLAS_MIRROR:-http://deb.debian.org/debian}
skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "a chroot wants root"
command -v debootstrap >/dev/null || skip "no debootstrap (Debian: debootstrap)"
tmp=$(mktemp -d)
trap 'rm -rf --one-file-system "$tmp"' EXIT
root=$tmp/root suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
unshare --mount --pid --fork true 2>/dev/null || skip "no mounts of one's own here (unshare)"
timeout 300 debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$tmp/log" 2>&1 || { tail -3 "$tmp/log"; skip "$mirror does not give $suite"; }
for file in /etc/resolv.conf /etc/hosts; do [ ! -e $file ] || cat $file >"$root$file"; done
mkdir "$root/gridblas"
tar -C "$source" --exclude=./build --exclude=./.git -cf - . | tar -C "$root/gridblas" -xf -
cat >"$root/try.sh" <<'E_TRY'
set -eu
cd /gridblas
echo "== the first command"
cmake/start.sh | tee /tmp/first
grep -q '^Checked: .*SuiteSparse' /tmp/first
grep -q '^  \. build/env.sh' /tmp/first
echo "== again, with nothing changed"
cmake/start.sh | tee /tmp/second
grep -q '^install   nothing is missing' /tmp/second
[ ! -e build/release/tests/unit_vector ] || { echo "FAILED: it builds tests"; exit 1; }
echo "== the tutorial"
tests/tutorial.sh . build/release command_line
echo "== a program of one's own"
. build/env.sh
cmake --install build/release --prefix /tmp/installed >/tmp/log
cmake -S examples -B build/examples -G Ninja -DCMAKE_PREFIX_PATH=/tmp/installed >>/tmp/log && cmake --build build/examples >>/tmp/log
mpirun -n 4 build/examples/bfs | tail -n 1
E_TRY
unshare --mount --pid --fork sh -c '
  mount -t proc proc "$1/proc" && mount -t sysfs -o ro sys "$1/sys" && mkdir -p "$1/dev/shm" && mount -t tmpfs -o mode=1777 shm "$1/dev/shm"
  exec chroot "$1" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh /try.sh' sh "$root"
