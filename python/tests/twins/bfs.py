"""Breadth-first search: levels and parents by masked products."""

import graphblas as gb
import numpy as np

rng = np.random.default_rng(1)
n = 60
edges = rng.integers(0, n, (2, 150))
A = gb.Matrix.from_coo(edges[0], edges[1], True, nrows=n, ncols=n)
level = gb.Vector(gb.dtypes.INT64, n)
frontier = gb.Vector.from_coo([0], [True], size=n)
depth = 0
while frontier.nvals > 0:
    level(frontier.S) << depth
    frontier(~level.S, replace=True) << frontier.vxm(A, gb.semiring.any_pair)
    depth += 1
results = {"level": level, "depth": depth}
