"""Distances by min_plus until nothing changes, and of all pairs."""

import graphblas as gb
import numpy as np
from graphblas.semiring import min_plus

rng = np.random.default_rng(4)
n = 30
edges = rng.integers(0, n, (2, 120))
A = gb.Matrix.from_coo(edges[0], edges[1], rng.integers(1, 20, 120), nrows=n, ncols=n, dup_op=gb.binary.min)
d = gb.Vector.from_coo([3], [0], size=n)
while True:
    before = d.dup()
    d(gb.binary.min) << min_plus(d @ A)
    if d.isequal(before):
        break
D = A.dup()
for _ in range(5):
    D("min") << D.mxm(D, "min_plus")
results = {"d": d, "D": D, "far": D.reduce_rowwise("max").new(), "all": D.reduce_scalar("min").new()}
