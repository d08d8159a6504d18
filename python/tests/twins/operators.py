"""Operators by name on several types: values, and types of results."""

import graphblas as gb
import numpy as np

rng = np.random.default_rng(6)
results = {}
BINARY = (
    "first second pair min max plus minus times cdiv truediv rminus eq ne gt lt ge le lor land lxor atan2 hypot iseq isne isgt islt "
    "isge isle"
).split()
for dtype in ("bool", "int8", "uint16", "int64", "float32", "float64"):
    i, j = np.nonzero(rng.random((6, 6)) < 0.6)
    A = gb.Matrix.from_coo(i, j, rng.integers(1, 9, len(i)).astype(dtype), nrows=6, ncols=6)
    B = A.T.new()
    for name in BINARY:
        if dtype == "bool" and name in ("rminus", "minus", "cdiv", "hypot", "atan2", "truediv"):
            continue
        results[f"{dtype} {name} both"] = A.ewise_mult(B, getattr(gb.binary, name)).new()
        results[f"{dtype} {name} either"] = A.ewise_add(B, getattr(gb.binary, name)).new()
    for name in ("identity", "abs", "one") + (("ainv", "minv", "sqrt", "exp", "log", "floor", "signum") if dtype != "bool" else ("lnot",)):
        results[f"{dtype} {name}"] = A.apply(getattr(gb.unary, name)).new()
    for name in ("min", "max", "times", "land", "lor", "any") if dtype != "bool" else ("lor", "land", "lxor"):
        if name != "any":
            results[f"{dtype} {name} rows"] = A.reduce_rowwise(getattr(gb.monoid, name)).new()
            results[f"{dtype} {name} all"] = A.reduce_scalar(getattr(gb.monoid, name)).new()
    if dtype in ("int64", "float64"):
        for name in (
            "sum prod count mean varp vars stdp stds sum_of_squares L1norm L2norm Linfnorm peak_to_peak root_mean_square "
            "sum_of_inverses harmonic_mean geometric_mean all any"
        ).split():
            results[f"{dtype} {name}"] = A.reduce_scalar(getattr(gb.agg, name)).new()
            results[f"{dtype} {name} rows"] = A.reduce_rowwise(getattr(gb.agg, name)).new()
            results[f"{dtype} {name} columns"] = A.reduce_columnwise(getattr(gb.agg, name)).new()
    for name in ("tril", "triu", "diag", "offdiag", "rowle", "colgt", "valuegt", "valueeq", "valuene"):
        if dtype != "bool" or not name.startswith("value"):
            results[f"{dtype} {name}"] = A.select(
                getattr(gb.select, name), np.dtype(dtype).type(2) if name.startswith("value") else 2
            ).new()
    if dtype != "bool":
        for name in ("plus_times", "min_plus", "max_times", "plus_pair", "max_min", "plus_first", "min_second", "any_pair", "lor_land"):
            results[f"{dtype} {name}"] = A.mxm(B, getattr(gb.semiring, name)).new()
    if dtype in ("uint16", "int64", "float64"):
        for divisor in (3, -2)[: 2 if dtype != "uint16" else 1]:
            results[f"{dtype} modulo {divisor}"] = (A % np.dtype(dtype).type(divisor)).new()
        results[f"{dtype} modulo"] = (A % B).new()
