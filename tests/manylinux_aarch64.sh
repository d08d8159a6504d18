#!/bin/bash
# The wheel for aarch64 (packaging/wheels.sh), with Debian 12's Python for aarch64 under qemu, on one process. Usage: manylinux_aarch64.sh SOURCE_DIR BUILD_DIR
# Takes a quarter of an hour on 2 cores, most of it to compile the library. Needs PyPI and Debian's mirror.
set -eu
source=$(realpath "$1") build=$(realpath "$2")
skip() { echo "skipped: $*"; exit 77; }
command -v qemu-aarch64-static >/dev/null || skip "no qemu-aarch64-static (Debian: qemu-user-static)"
"$source/packaging/wheels.sh" "$build/wheels" aarch64
work=$build/wheels/python-aarch64
"$source/packaging/sysroot.sh" "$work" bookworm arm64 python3 libstdc++6 # numpy's
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$build/wheels/tools/bin/pip" install --disable-pip-version-check -q --target "$tmp/packages" --only-binary :all: --python-version 3.11 --implementation cp \
  --platform manylinux_2_28_aarch64 --platform manylinux_2_27_aarch64 --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
  "$build"/wheels/aarch64/repaired/*.whl || skip "PyPI does not answer"
readelf -h "$tmp/packages/gridblas/libgridblas.so" | grep Machine
cat >"$tmp/try.py" <<'E_PY'
import platform
import gridblas as gb
A = gb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0])
assert gb.algorithms.bfs(A, 0).level.to_coo()[1].tolist() == [0, 1, 2]
B = gb.Matrix.from_coo([0, 3], [1, 2], nrows=4, ncols=4)
assert gb.algorithms.components(B).to_dense().tolist() == [0, 0, 2, 2]
print(gb.__version__, "on", platform.machine(), platform.python_version())
E_PY
cd "$tmp"
env -i PATH=/nowhere PYTHONHOME="$work/root/usr" PYTHONPATH="$tmp/packages" OMP_NUM_THREADS=2 GRIDBLAS_CC=off "$(command -v qemu-aarch64-static)" -L "$work/root" \
  "$work/root/usr/bin/python3.11" try.py
