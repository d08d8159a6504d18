#!/bin/bash
# `pip wheel ./python`, and the wheel in a virtual environment with its dependencies only: used on one process and on four, and uninstalled.
# Usage: wheel.sh SOURCE_DIR BUILD_DIR. Takes minutes, because it builds the library. Needs PyPI.
set -eu
source=$(realpath "$1") build=$(realpath "$2")
python=$(sed -n 's/^GRIDBLAS_PYTHON_FOUND:[^=]*=//p' "$build/CMakeCache.txt")
[ -n "$python" ] || { echo "skipped: the Python package is left out"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$python" -m venv "$tmp/venv" || { echo "skipped: no virtual environment (Debian: python3-venv)"; exit 77; }
pip() { timeout 1200 "$tmp/venv/bin/python" -m pip "$@" --disable-pip-version-check -q; }
pip download --no-deps -d "$tmp" 'scikit-build-core>=0.10' || { echo "skipped: PyPI does not give scikit-build-core"; exit 77; }
cuda=$(sed -n 's/^GRIDBLAS_CUDA:[^=]*=//p' "$build/CMakeCache.txt")
pip wheel "$source/python" --no-deps -w "$tmp/wheel" --config-settings=build-dir="$tmp/built" --config-settings=cmake.define.GRIDBLAS_CUDA="$cuda"
ls "$tmp/wheel"
pip install "$tmp"/wheel/gridblas-*.whl
cat >"$tmp/try.py" <<'E_PY'
import gridblas as gb
A = gb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0])
assert gb.algorithms.bfs(A, 0).level.to_coo()[1].tolist() == [0, 1, 2]
if gb.rank() == 0:
    print(gb.__file__, "on", gb.size())
if gb.size() == 1:
    maps = open("/proc/self/maps").read()
    assert "libmpi" not in maps or "libhdf5_openmpi" in maps, "one process has loaded MPI"
E_PY
cd "$tmp" # away from the sources
env -u PYTHONPATH "$tmp/venv/bin/python" try.py
env -u PYTHONPATH "${MPIEXEC:-mpirun}" -n 4 "$tmp/venv/bin/python" try.py | grep "on 4"
pip uninstall -y gridblas
left=$(find "$tmp/venv" -iname '*gridblas*')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
