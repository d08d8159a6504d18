#!/bin/bash
# The wheels of gridblas and gridblas-cuda13 (packaging/wheels.sh) on a bare Debian with Python alone, without a GPU, a driver and the CUDA toolkit; and here, on four
# processes. Usage: manylinux_cuda.sh SOURCE_DIR BUILD_DIR. Takes half an hour on 2 cores, most of it to compile. Needs nvcc 13, PyPI, Debian's mirror, root.
# GRIDBLAS_CUDA_ARCHITECTURES: all GPUs of the wheel take longer; default: one.
set -eu
source=$(realpath "$1") build=$(realpath "$2")
. "$source/tests/bare_debian.sh"
bare_debian_check
"$source/packaging/wheels.sh" "$build/wheels"
GRIDBLAS_CUDA_ARCHITECTURES=${GRIDBLAS_CUDA_ARCHITECTURES:-90-real} "$source/packaging/wheels.sh" "$build/wheels" --cuda
bare_debian_make
/usr/bin/python3 -m venv "$tmp/venv"
pip() { timeout 600 "$tmp/venv/bin/pip" --disable-pip-version-check -q "$@"; }
cp "$build"/wheels/x86_64/repaired/*.whl "$build"/wheels/x86_64-cuda/repaired/*.whl "$root/packages"
pip download --only-binary :all: --find-links "$root/packages" -d "$root/packages" 'gridblas-cuda13[nvrtc]' || skip "PyPI does not answer"

cat >"$root/packages/try.py" <<'E_PY'
"""Computes on the CPU with the library whose folder is named; asks for the GPU, if that is the one with CUDA."""
import sys, time
from pathlib import Path
start = time.process_time()
import numpy
middle = time.process_time()
import gridblas as gb
end = time.process_time()
folder = sys.argv[1]
maps = Path("/proc/self/maps").read_text()
assert f"/{folder}/libgridblas.so" in maps and maps.count("/libgridblas.so") == maps.count(f"/{folder}/libgridblas.so")
for absent in "libcuda", "libmpi", "nvrtc", "libnccl":
    assert gb.size() > 1 or absent not in maps, absent
A = gb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0])
def check():
    assert gb.algorithms.bfs(A, 0).level.to_coo()[1].tolist() == [0, 1, 2]
    assert gb.device() == "cpu"
check()
try:
    gb.device("cuda")
except gb.exceptions.GraphblasException as error:
    reason = f"{type(error).__name__}: {error}"
assert ("no NVIDIA driver is installed" in reason) == (folder == "gridblas_cuda13"), reason
check()
if gb.rank() == 0:
    print(f"{folder} on {gb.size()}: {reason}; numpy {1000 * (middle - start):.0f} ms of the processor, gridblas {1000 * (end - middle):.0f} ms more")
E_PY
# NVRTC where the library's run path leads, with the files beside it that it loads itself.
cat >"$root/packages/nvrtc.py" <<'E_PY'
import ctypes, sys
nvrtc = ctypes.CDLL(sys.argv[1])
program, major, minor = ctypes.c_void_p(), ctypes.c_int(), ctypes.c_int()
assert nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)) == 0 and major.value == 13
assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), b"__global__ void f(float *x) { *x = sinf(*x); }", b"f", 0, None, None) == 0
assert nvrtc.nvrtcCompileProgram(program, 1, (ctypes.c_char_p * 1)(b"-arch=sm_90")) == 0
print(f"NVRTC {major.value}.{minor.value}: {sys.argv[1]}")
E_PY
cat >"$root/packages/try.sh" <<'E_TRY'
python3 -m venv /venv
pip() { /venv/bin/pip --disable-pip-version-check -q "$@"; }
try() { /venv/bin/python -W error /packages/try.py "$@"; }
pip install --no-index --find-links /packages 'gridblas-cuda13[nvrtc]'
cd /venv/lib/python3*/site-packages
du -sk gridblas gridblas.libs gridblas_cuda13 gridblas_cuda13.libs nvidia
for file in gridblas_cuda13/*.so; do ldd "$file"; done | sort -u | tee /ldd
if grep -i 'not found\|nvidia\|libcu\|nvrtc\|nccl\|libmpi' /ldd; then exit 1; fi
[ "$(ls gridblas_cuda13/kernels | wc -l)" -gt 500 ]
for time in 1 2 3; do try gridblas_cuda13; done
if GRIDBLAS_DEVICE=cuda /venv/bin/python -c 'import gridblas as gb; gb.size()' 2>/device; then exit 1; fi
tail -n 1 /device | grep "no NVIDIA driver is installed"
/venv/bin/python /packages/nvrtc.py "$(cat /packages/nvrtc)"
echo "== of another version"
sed -i 's/^__version__ = .*/__version__ = "0.0.1"/' gridblas_cuda13/__init__.py
/venv/bin/python /packages/try.py gridblas 2>&1 | tee /version
grep 'gridblas-cuda13 0.0.1 is not used' /version
echo "== removed"
pip uninstall -y gridblas-cuda13
if ls -d gridblas_cuda13*; then exit 1; fi
try gridblas
E_TRY
# the run path's entry that has NVRTC's file, in the packages of /venv
mkdir "$tmp/unpacked"
"$tmp/venv/bin/python" -m zipfile -e "$(echo "$root"/packages/gridblas_cuda13-*.whl)" "$tmp/unpacked"
path=$(readelf -d "$tmp/unpacked/gridblas_cuda13/libgridblas.so" | sed -n 's/.*R.*PATH.*\[\(.*\)\]/\1/p')
echo "run path: $path"
# shellcheck disable=SC2016
echo "$path" | tr : '\n' | sed -n 's,^$ORIGIN\(.*/cu13/lib\)$,/venv/lib/python3.11/site-packages/gridblas_cuda13\1/libnvrtc.so.13,p' >"$root/packages/nvrtc"
echo "== a bare Debian 12"
bare_debian_run try.sh
echo "== four processes"
pip install --no-index --find-links "$root/packages" gridblas-cuda13
cd "$tmp"
env -u PYTHONPATH "${MPIEXEC:-mpirun}" -n 4 "$tmp/venv/bin/python" "$root/packages/try.py" gridblas_cuda13 | grep "on 4"
