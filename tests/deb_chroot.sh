#!/bin/bash
# The Debian packages that deb.sh built, in a clean Debian: installed with their dependencies only, used like a user would, and removed. After that every file of
# the system must be as before. Usage: deb_chroot.sh SOURCE_DIR BUILD_DIR. Needs root, debootstrap and Debian's mirror (GRIDBLAS_MIRROR: another one);
# takes two to four minutes. Everything is in a temporary folder, whose mounts end with it.
set -eu
source=$(realpath "$1") build=$(realpath "$2")
mirror=${GRIDBLAS_MIRROR:-http://deb.debian.org/debian}
skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "a chroot wants root"
command -v debootstrap >/dev/null || skip "no debootstrap (Debian: debootstrap)"
ls "$build"/deb/*.deb >/dev/null 2>&1 || skip "deb.sh has left no packages"
tmp=$(mktemp -d)
trap 'rm -rf --one-file-system "$tmp"' EXIT
root=$tmp/root suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
unshare --mount --pid --fork true 2>/dev/null || skip "no mounts of one's own here (unshare)"
timeout 300 debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$tmp/log" 2>&1 || { tail -3 "$tmp/log"; skip "$mirror does not give $suite"; }
mkdir "$root/packages"
cp "$build"/deb/*.deb "$source/examples/bfs.c" "$source/examples/data/karate.txt" "$root/packages"
for file in /etc/resolv.conf /etc/hosts; do [ ! -e $file ] || cat $file >"$root$file"; done

cat >"$root/packages/try.sh" <<'E_TRY'
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
apt() { apt-get -qy --no-install-recommends "$@" >/tmp/log 2>&1 || { tail -n 20 /tmp/log; exit 1; }; }
apt update
cd /packages
# Dependencies and a compiler are installed before, so that all changes afterwards come from the packages.
for deb in *.deb; do dpkg-deb -f "$deb" Depends; done | tr ',' '\n' | sed 's/^ *//' | grep -v '^libgridblas' | sort -u | paste -sd, >/tmp/needs
apt satisfy "$(cat /tmp/needs)"
apt install gcc libc6-dev pkg-config
useradd -m user
state() { # every file except apt's and dpkg's own records: name, kind, checksum
  find / -xdev \( -path /proc -o -path /sys -o -path /tmp -o -path /packages -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache -o -path /var/log \
    -o -path /home -o -path /dev \) -prune -o \( -type f -printf '%p %s ' -exec sh -c 'cksum <"$1"' sh {} \; -o -printf '%p %y %l\n' \) | sort
}
state >/tmp/before
echo "== installed"
apt install ./*.deb
dpkg -l '*gridblas*' | awk '/^ii/ { print $2, $3 }'
[ "$(dpkg -l '*gridblas*' | grep -c ^ii)" -eq 4 ]
ldconfig -p | grep libgridblas.so.0
cat >/tmp/user.sh <<'E_USER'
set -eu
cd
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
echo "== the program"
gridblas bfs /packages/karate.txt --check | grep -E 'reached|check'
mpirun -n 4 gridblas pagerank rmat:10 --check | grep -E 'grid:|check'
gridblas manual bfs >/dev/null
test -s /usr/share/man/man1/gridblas-bfs.1.gz
test -s /usr/share/bash-completion/completions/gridblas
echo "== a program of one's own"
gcc /packages/bfs.c $(pkg-config --cflags --libs gridblas) -o bfs
./bfs | tail -n 1
mpirun -n 4 ./bfs | tail -n 1
echo "== Python"
cat >try.py <<'E_PY'
import gridblas as gb
A = gb.io.read("/packages/karate.txt")
B = gb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0])
assert B.reduce_scalar("plus").new().value == 6
assert gb.algorithms.bfs(B, 0).level.to_coo()[1].tolist() == [0, 1, 2]
if gb.rank() == 0:
    print(gb.__file__, "on", gb.size())
E_PY
python3 try.py
mpirun -n 4 python3 try.py
E_USER
su user -c 'sh /tmp/user.sh'
python3 -c 'import gridblas' # as root, so that Python writes its __pycache__
state >/tmp/during
[ "$(diff /tmp/before /tmp/during | grep -c gridblas)" -gt 50 ]
echo "== removed"
apt purge gridblas libgridblas0 libgridblas-dev python3-gridblas
state >/tmp/after
if diff /tmp/before /tmp/after >/tmp/left; then echo "no trace of it"; else echo "what is another than before:"; head -n 30 /tmp/left; exit 1; fi
E_TRY
unshare --mount --pid --fork sh -c '
  mount -t proc proc "$1/proc" && mount -t sysfs -o ro sys "$1/sys" && mount -t tmpfs -o mode=1777 shm "$1/dev/shm" 2>/dev/null || { mkdir -p "$1/dev/shm" && mount -t tmpfs -o mode=1777 shm "$1/dev/shm"; }
  exec chroot "$1" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh /packages/try.sh' sh "$root"
