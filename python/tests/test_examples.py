"""The example programs in Python."""

import sys
from pathlib import Path

import numpy as np

import gridblas as gb

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
import conjugate_gradient  # noqa: E402


def test_conjugate_gradient():
    side = 7
    A = conjugate_gradient.laplace(side)
    line = 2 * np.eye(side) - np.eye(side, k=1) - np.eye(side, k=-1)
    dense = np.kron(line, np.eye(side)) + np.kron(np.eye(side), line)
    assert np.array_equal(A.to_dense(0), dense)
    b = np.arange(1.0, side**2 + 1)
    x, steps = conjugate_gradient.solve(A, gb.Vector.from_dense(b), tolerance=1e-10)
    assert np.allclose(x.to_dense(), np.linalg.solve(dense, b)) and steps <= 2 * side**2
