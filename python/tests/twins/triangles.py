"""Triangles by a masked product, and what follows from them."""

import graphblas as gb
import numpy as np
from graphblas import binary, monoid, select, semiring

rng = np.random.default_rng(3)
n = 40
edges = rng.integers(0, n, (2, 220))
A = gb.Matrix.from_coo(edges[0], edges[1], 1, nrows=n, ncols=n)
A << select.offdiag(A, 0)
A(binary.first) << A.T
L = select.tril(A).new()
C = gb.Matrix(int, n, n)
C(L.S) << L.mxm(L.T, semiring.plus_pair)
count = C.reduce_scalar(monoid.plus).new()
corners = gb.Matrix(int, n, n)
corners(A.S) << semiring.plus_pair(A @ A)
per_vertex = (corners.reduce_rowwise(monoid.plus).new() // 2).new()
degree = A.reduce_rowwise(gb.agg.count).new()
results = {"count": count, "each": per_vertex, "degree": degree, "C": C, "share": (per_vertex / degree).new()}
