"""GRIDBLAS_CHECK=calls: different calls raise an exception on all processes, which names both calls, and the program continues. Run under mpirun.

Usage: mismatched_calls.py PACKAGE_PATH.
"""

import sys

sys.path.insert(0, sys.argv[1])
import gridblas as gb

v = gb.Vector.from_coo([0, 3], [1.0, 2.0], size=5)
assert v.nvals == 2 and gb.size() > 1
try:
    if gb.rank() == 0:
        v.nvals  # noqa: B018
    else:
        v.reduce("max").new()
except gb.exceptions.Panic as error:
    text = str(error)
    assert "process 0 calls GrB_Vector_nvals, process 1 GrB_" in text, text
    assert "every process must make every call" in text, text
else:
    raise AssertionError("different calls raised no exception")
assert v.nvals == 2
