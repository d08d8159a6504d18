#!/bin/bash
# The wheel that others install (packaging/wheels.sh): on a bare Debian with Python alone, without compiler, MPI, OpenMP's library and headers; and here, on four processes
# with mpi4py. Usage: manylinux.sh SOURCE_DIR BUILD_DIR. Takes minutes, because it builds the library. Needs PyPI, Debian's mirror (GRIDBLAS_MIRROR: another one), root.
set -eu
source=$(realpath "$1") build=$(realpath "$2")
. "$source/tests/bare_debian.sh"
bare_debian_check
"$source/packaging/wheels.sh" "$build/wheels"
bare_debian_make
/usr/bin/python3 -m venv "$tmp/venv"
pip() { timeout 600 "$tmp/venv/bin/pip" --disable-pip-version-check -q "$@"; }
cp "$build"/wheels/x86_64/repaired/*.whl "$root/packages"
pip download --only-binary :all: -d "$root/packages" "$root"/packages/gridblas-*.whl || skip "PyPI does not answer"

cat >"$tmp/try.py" <<'E_PY'
import sys, time
if "mpi4py" in sys.argv:
    from mpi4py import MPI
start = time.perf_counter()
import numpy
middle = time.perf_counter()
import gridblas as gb
end = time.perf_counter()
A = gb.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0])
assert gb.algorithms.bfs(A, 0).level.to_coo()[1].tolist() == [0, 1, 2]
if "mpi4py" in sys.argv:
    assert gb.size() == MPI.COMM_WORLD.Get_size() == 4
if gb.rank() == 0:
    print(f"{gb.__file__} on {gb.size()}: numpy {1000 * (middle - start):.0f} ms, gridblas {1000 * (end - middle):.0f} ms more")
E_PY
cp "$tmp/try.py" "$root/packages"
cat >"$root/packages/try.sh" <<'E_TRY'
python3 -m venv /venv
/venv/bin/pip install --disable-pip-version-check -q --no-index --find-links /packages gridblas
du -sk /venv/lib/python3*/site-packages/gridblas* /venv/lib/python3*/site-packages/_nx_gridblas
for time in 1 2 3; do /venv/bin/python /packages/try.py; done
! grep -l 'GLIBC_2\.\(29\|3[0-9]\)' /venv/lib/python3*/site-packages/gridblas*/*.so* || { echo "these need a newer glibc"; exit 1; }
E_TRY
echo "== a bare Debian 12"
bare_debian_run try.sh
echo "== four processes"
pip install --no-index --find-links "$root/packages" gridblas
pip install 'mpi4py>=4.1'
cd "$tmp"
env -u PYTHONPATH "${MPIEXEC:-mpirun}" -n 4 "$tmp/venv/bin/python" try.py mpi4py | grep "on 4"
env -u PYTHONPATH "${MPIEXEC:-mpirun}" -n 4 "$tmp/venv/bin/python" try.py | grep "on 4"
