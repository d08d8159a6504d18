"""In and out, extraction, single elements, changes of size, comparisons."""

import graphblas as gb
import numpy as np

A = gb.Matrix.from_coo([0, 0, 2, 3], [1, 3, 2, 0], [1.5, 2.0, 3.5, 4.0], nrows=4, ncols=5)
B = gb.Matrix.from_dicts({0: {1: 2}, 3: {4: 7}}, nrows=4, ncols=5)
C = gb.Matrix.from_csr([0, 1, 1, 3, 3], [4, 0, 2], [1, 2, 3], ncols=5)
D = gb.Matrix.from_dense(np.array([[1, 0], [0, 2]]), missing_value=0)
E = gb.Matrix.from_edgelist([(0, 1), (2, 0)], 3.0)
v = gb.Vector.from_coo([1, 4], [2, 3], size=6)
A[1, 1] = 9
A[0, 1] << 8
del A[3, 0]
F = A.dup()
F.resize(3, 3)
w = v.dup()
w[2:4] = 5
w[[0, 5]] << gb.Vector.from_coo([0, 1], [10, 11])
x = A[0, 3].new()
y = A[3, 3].new()
results = {
    "A": A,
    "B": B,
    "C": C,
    "D": D,
    "E": E,
    "F": F,
    "v": v,
    "w": w,
    "x": x,
    "y": y,
    "rows": A[[2, 0], :].new(),
    "strided": A[::2, 1:4].new(),
    "backwards": A[::-1, [0, 0, 3]].new(),
    "row": A[0, :].new(),
    "column": A[:, 2].new(),
    "transposed": A.T.new(),
    "row of transposed": A.T[3, :].new(),
    "sum": (A + B).new(),
    "difference": (A - B).new(),
    "product": (A * 2).new(),
    "less": (A < 3).new(),
    "union": gb.binary.minus(A | B, left_default=1, right_default=10).new(),
    "outer": v.outer(w).new(),
    "inner": v.inner(w).new(),
    "diag": v.diag(1),
    "diagonal": A.diag(1),
    "equal": A.isequal(A.dup()),
    "not": A.isequal(F),
    "close": A.isclose(A.dup()),
    "contains": (0, 1) in A,
    "get": A.get(3, 3, -1),
    "dense": A.to_dense(0).tolist(),
    "csr": [part.tolist() for part in A.to_csr()],
    "csc": [part.tolist() for part in A.to_csc()],
    "dict": v.to_dict(),
    "dicts": B.to_dicts(),
    "masked": A.dup(mask=B.S),
    "index": A.apply(gb.indexunary.rowindex, 1).new(),
    "power": gb.Matrix.from_coo([0, 1], [1, 0], [2, 3]).power(3).new(),
}
