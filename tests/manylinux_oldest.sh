#!/bin/bash
# The wheel that others install (packaging/wheels.sh), on one process with the oldest glibc that it names, 2.27: Ubuntu 18.04's. Usage: manylinux_oldest.sh SOURCE_DIR BUILD_DIR
# That system's Python is too old, so Python 3.11 is compiled there. Takes a quarter of an hour. Needs PyPI, the mirrors of Debian and Ubuntu
# (GRIDBLAS_MIRROR, GRIDBLAS_UBUNTU_MIRROR: others), root. GRIDBLAS_WHEEL: a wheel that is there, instead of building one.
set -eu
source=$(realpath "$1") build=$(realpath "$2")
. "$source/tests/bare_debian.sh"
bare_debian_check
ubuntu=${GRIDBLAS_UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu} debian=${GRIDBLAS_MIRROR:-http://deb.debian.org/debian}
wheel=${GRIDBLAS_WHEEL-}
if [ -z "$wheel" ]; then
  "$source/packaging/wheels.sh" "$build/wheels"
  wheel=$(echo "$build"/wheels/x86_64/repaired/*.whl)
fi
tmp=$(mktemp -d)
trap 'rm -rf --one-file-system "$tmp"' EXIT
root=$tmp/root
# Debian has no keys of Ubuntu's archive: the packages are not verified, and run nowhere else.
timeout 600 debootstrap --no-check-gpg --variant=minbase --include=gcc,make,libc6-dev,zlib1g-dev,libffi-dev bionic "$root" "$ubuntu" >"$tmp/log" 2>&1 || { tail -n 3 "$tmp/log"; skip "$ubuntu does not give bionic"; }
mkdir "$root/packages"
cp "$wheel" "$root/packages"
curl -sSf -o "$root/packages/python.tar.gz" "$debian/pool/main/p/python3.11/python3.11_3.11.2.orig.tar.gz" || skip "$debian does not answer"
echo "2411c74bda5bbcfcddaf4531f66d1adc73f247f529aee981b029513aefdbf849  $root/packages/python.tar.gz" | sha256sum -c --quiet
/usr/bin/python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" download --disable-pip-version-check -q --only-binary :all: --platform manylinux_2_27_x86_64 --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 \
  --python-version 3.11 -d "$root/packages" "$wheel" || skip "PyPI does not answer"

cat >"$root/packages/try.py" <<'E_PY'
import platform
import gridblas as gb
A = gb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0])
assert gb.algorithms.bfs(A, 0).level.to_coo()[1].tolist() == [0, 1, 2]
B = gb.Matrix.from_coo([0, 3], [1, 2], nrows=4, ncols=4)
assert gb.algorithms.components(B).to_dense().tolist() == [0, 0, 2, 2]
print(gb.__version__, "with", *platform.libc_ver(), "and Python", platform.python_version())
E_PY
cat >"$root/packages/try.sh" <<'E_TRY'
set -eu
mkdir /python
tar -C /python --strip-components=1 -xf /packages/python.tar.gz
cd /python
{ ./configure -q && make -j "$(nproc)" && make install; } >/tmp/log 2>&1 || { tail -n 20 /tmp/log; exit 1; }
/usr/local/bin/python3 -m venv /venv
/venv/bin/pip install --disable-pip-version-check -q --no-index --find-links /packages gridblas
OMP_NUM_THREADS=2 /venv/bin/python /packages/try.py
E_TRY
unshare --mount --pid --fork sh -c '
  mount -t proc proc "$1/proc" && { mkdir -p "$1/dev/shm" && mount -t tmpfs -o mode=1777 shm "$1/dev/shm"; }
  exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 sh /packages/try.sh' sh "$root"
