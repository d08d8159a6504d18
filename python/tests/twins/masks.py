"""Every mixture of mask, complement, structure, accumulator and replace, for products, entrywise operations and assignments."""

import itertools

import graphblas as gb
import numpy as np

rng = np.random.default_rng(5)


def draw(rows, cols, high=9, density=0.4):
    i, j = np.nonzero(rng.random((rows, cols)) < density)
    return gb.Matrix.from_coo(i, j, rng.integers(0, high, len(i)), nrows=rows, ncols=cols)


A, B, C0, M = draw(8, 8), draw(8, 8), draw(8, 8), draw(8, 8, 2)
small, inner = draw(3, 4), draw(3, 4, 2)
v, w0, m = A[0, :].new(), B[1, :].new(), M[2, :].new()
rows, cols = [5, 0, 3], [1, 7, 2, 4]
results = {}
cases = itertools.product((False, True), (False, True), (None, "plus", "min", "second"), (False, True))
for structure, complement, accum, replace in cases:
    name = f"{structure} {complement} {accum} {replace}"
    mask = M.S if structure else M.V
    line = m.S if structure else m.V
    part = inner.S if structure else inner.V
    if complement:
        mask, line, part = ~mask, ~line, ~part
    for kind, value in {
        "mxm": A.mxm(B.T),
        "add": A.ewise_add(B, "max"),
        "mult": A.T.ewise_mult(B, "times"),
        "apply": A.apply("plus", right=2),
        "select": A.select(">", 3),
        "matrix": A,
        "value": 7,
        "kronecker": A[:4, :4].new().kronecker(B[:2, :2].new()),
    }.items():
        C = C0.dup()
        C(mask, accum=accum, replace=replace) << value
        results[f"{kind} {name}"] = C
    C = C0.dup()
    C(mask, accum=accum, replace=replace)[rows, cols] << small
    results[f"assign {name}"] = C
    C = C0.dup()
    C[rows, cols](part, accum=accum, replace=replace) << small
    results[f"part {name}"] = C
    C = C0.dup()
    C[rows, cols](part, accum=accum, replace=replace) << 5
    results[f"value in part {name}"] = C
    C = C0.dup()
    C(line, accum=accum, replace=replace)[3, :] << v
    results[f"row {name}"] = C
    C = C0.dup()
    C(line, accum=accum, replace=replace)[:, 2] << v
    results[f"column {name}"] = C
    for kind, value in {"vxm": v.vxm(A), "mxv": A.mxv(v), "reduce": A.reduce_rowwise(), "vector": v, "extract": A[:, 3]}.items():
        w = w0.dup()
        w(line, accum=accum, replace=replace) << value
        results[f"{kind} {name}"] = w
    w = w0.dup()
    w(line, accum=accum, replace=replace)[rows] << 4
    results[f"vector assign {name}"] = w
other, beside = draw(8, 8, 2), draw(1, 8, 2)[0, :].new()
masks = (M.S, M.V, ~M.S, ~M.V), (other.S, other.V, ~other.S, ~other.V), (m.S, m.V, ~m.S, ~m.V), (beside.S, beside.V, ~beside.S, ~beside.V)
for k, (first, second) in enumerate((*itertools.product(*masks[:2]), *itertools.product(*masks[2:]))):
    for sign, mask in {"and": first & second, "or": first | second, "not": ~(first | second)}.items():
        C = (C0 if k < 16 else w0).dup()
        C(mask) << 7
        results[f"{sign} of masks {k}"] = C
