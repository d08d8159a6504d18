"""Tuples from Python's lists and numpy's arrays into matrices and vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import library
from .dtypes import DataType, lookup_dtype
from .index import pointer
from .operators import lookup


def pairs_of(values: Any, count: int, dtype: Any) -> tuple[np.ndarray, DataType]:
    """An array of values, one an index, as they lie where their type is right; one value stands for all."""
    array = np.asarray(values)
    if dtype is None:
        dtype = array.dtype if array.size or array.dtype.kind != "f" else np.dtype(float)
    dtype = lookup_dtype(dtype)
    if array.ndim == 0:
        array = np.full(count, array, dtype.np_type)
    array = np.ascontiguousarray(array, dtype.np_type)
    if array.shape != (count,):
        raise ValueError(f"{count} indices, but values of shape {array.shape}")
    return array, dtype


def build(out: Any, indices: list[np.ndarray], values: np.ndarray, dup_op: Any, alike: bool = False) -> None:
    """GrB_build of arrays that are the same on every process. Where all values are alike, duplicates are no matter."""
    if alike and dup_op is None:
        dup_op = "first"
    if len({len(part) for part in indices}) > 1:
        raise ValueError(f"arrays of indices differ in length: {', '.join(str(len(part)) for part in indices)}")
    dup = None
    if dup_op is not None:
        found = lookup.find(dup_op, "binary", "monoid")
        dup = lookup.typed(found.binaryop if found.kind == "Monoid" else found, out.dtype)
    function = f"GrB_{out.kind}_build_{out.dtype.name}"
    arrays = [pointer(part, "GrB_Index") for part in indices]
    library.call(function, out, *arrays, pointer(values, out.dtype.c_type), len(values), dup)
