"""PageRank by power iteration."""

import graphblas as gb
import numpy as np

rng = np.random.default_rng(2)
n = 50
edges = rng.integers(0, n, (2, 200))
A = gb.Matrix.from_coo(edges[0], edges[1], 1.0, nrows=n, ncols=n)
out = A.reduce_rowwise(gb.monoid.plus).new()
steps = gb.unary.minv(out).new().diag().mxm(A, gb.semiring.plus_times).new()
rank = gb.Vector.from_scalar(1 / n, n)
for _ in range(30):
    new = gb.Vector.from_scalar(0.15 / n, n)
    lost = rank.dup(mask=~out.S).reduce(gb.monoid.plus).get(0.0)
    new(gb.binary.plus) << rank.vxm(steps, gb.semiring.plus_times).new().apply(gb.binary.times, right=0.85)
    new(gb.binary.plus) << 0.85 * lost / n
    rank = new
results = {"rank": rank, "out": out}
