"""Conjugate gradients: A x = b, A the five-point Laplace operator on a square mesh with zero around it.

Each process makes the rows it owns. Usage: [mpirun -n N] python3 conjugate_gradient.py [SIDE]
"""

import math
import sys
import time

import numpy as np

import gridblas as gb


def laplace(side):
    """4 on the diagonal, -1 for each neighbor on the mesh."""
    n = side * side
    local = gb.local_range(n)
    i = np.arange(local.start, local.stop)
    r, c = i // side, i % side
    neighbors = [(r > 0, -side), (r + 1 < side, side), (c > 0, -1), (c + 1 < side, 1)]
    rows = np.concatenate([i, *(i[inside] for inside, _ in neighbors)])
    columns = np.concatenate([i, *(i[inside] + step for inside, step in neighbors)])
    values = np.where(rows == columns, 4.0, -1.0)
    return gb.Matrix.from_local(rows, columns, values, nrows=n, ncols=n)


def solve(A, b, tolerance=1e-8):
    """The solution and the number of steps; the residual's norm falls to `tolerance` of b's."""
    x = gb.Vector.from_scalar(0.0, b.size)
    r, p = b.dup(), b.dup()
    rr = start = r.inner(r).value
    steps = 0
    while rr > tolerance**2 * start:
        q = A.mxv(p).new()
        alpha = rr / p.inner(q).value
        x += alpha * p
        r += -alpha * q
        before, rr = rr, r.inner(r).value
        p << r + (rr / before) * p
        steps += 1
    return x, steps


if __name__ == "__main__":
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    A = laplace(side)
    b = gb.Vector.from_scalar(1.0, side * side)
    start = time.perf_counter()
    x, steps = solve(A, b)
    seconds = time.perf_counter() - start
    residual = (b - A.mxv(x).new()).new()
    norm, largest = math.sqrt(residual.inner(residual).value), x.reduce("max").value  # called by every process
    if gb.rank() == 0:
        print(f"{side * side} unknowns, {steps} steps, {1000 * seconds / steps:.1f} ms a step, residual {norm:.1e}, largest {largest:.6f}")
