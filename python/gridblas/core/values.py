"""Tuples from Python's lists and numpy's arrays into matrices and vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import library
from ..dtypes import DataType, lookup_dtype
from .arrays import as_host
from .index import pointer
from .operand import describe_value
from ..operators import lookup


def to_number(what: str, value: Any, dtype: DataType) -> Any:
    """A number of Python's, numpy's or another package's as a Python number of a type. `what` names it in messages."""
    expected = f"{what}: a number of type {dtype} is expected, not {describe_value(value)}"
    kind = getattr(getattr(value, "dtype", None), "kind", "f")  # numpy's dates have __float__, too
    if kind not in "biuf" or getattr(value, "ndim", 0) or not hasattr(value, "__float__"):
        raise TypeError(expected)
    value = value.item() if hasattr(value, "item") else value
    if dtype.np_type.kind not in "iu":
        return dtype.np_type.type(value).item()
    if value != value:
        raise TypeError(expected)
    bounds = np.iinfo(dtype.np_type)
    if not bounds.min <= value < bounds.max + 1:
        raise OverflowError(f"{what}: {value} does not fit {dtype}")
    return int(value)


def pairs_of(values: Any, count: int, dtype: Any) -> tuple[np.ndarray, DataType]:
    """An array of values, one an index, as they lie where their type is right; one value stands for all."""
    array = as_host(values, "values")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"values: real numbers are expected, not {array.dtype}")
    if dtype is None:
        dtype = array.dtype
    dtype = lookup_dtype(dtype)
    if array.ndim == 0:
        array = np.full(count, array, dtype.np_type)
    array = np.ascontiguousarray(array, dtype.np_type)
    if array.shape != (count,):
        raise ValueError(f"values: {count} are expected, as many as indices, or one number, not an array of shape {array.shape}")
    return array, dtype


def check_dense(values: Any, ndim: int, dtype: Any) -> np.ndarray:
    """An array of a number of dimensions, of a type if one is given."""
    array = as_host(values, "values")
    if array.ndim != ndim:
        raise ValueError(f"values: an array of {ndim} dimension{'s' * (ndim > 1)} is expected, not of {array.ndim}")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"values: real numbers are expected, not {array.dtype}")
    return array if dtype is None else array.astype(lookup_dtype(dtype).np_type)


def present(values: np.ndarray, missing_value: Any) -> np.ndarray:
    """Where an array has entries: all but the missing value, which may be NaN."""
    if missing_value is None:
        return np.ones(values.shape, bool)
    if not isinstance(missing_value, (bool, int, float, np.generic)):
        raise TypeError(f"missing_value: a number is expected, not {describe_value(missing_value)}")
    return ~np.isnan(values) if missing_value != missing_value else values != missing_value


def check_tuples(what: str, items: Any, *lengths: int) -> list[Any]:
    """The items of a list, each of one of these lengths, all of the same."""
    expected = f"{what}: a list of tuples of {' or '.join(map(str, lengths))} is expected"
    if not hasattr(items, "__iter__") or isinstance(items, str):
        raise TypeError(f"{expected}, not {describe_value(items)}")
    items = list(items)
    for item in items:
        if not hasattr(item, "__len__") or len(item) not in lengths or len(item) != len(items[0]):
            raise TypeError(f"{expected}, all of one length, and one of them is {item!r}")
    return items


def build(out: Any, indices: list[np.ndarray], values: np.ndarray, dup_op: Any, alike: bool = False) -> None:
    """GrB_build of arrays that are the same on every process. Where all values are alike, duplicates are no matter."""
    if alike and dup_op is None:
        dup_op = "first"
    if len({len(part) for part in indices}) > 1:
        raise ValueError(f"rows and columns: arrays of one length are expected, not of {' and '.join(str(len(part)) for part in indices)}")
    dup = None
    if dup_op is not None:
        found = lookup.find(dup_op, "binary", "monoid", what="dup_op")
        dup = lookup.typed(found.binaryop if found.kind == "Monoid" else found, out.dtype)
    function = f"GrB_{out.kind}_build_{out.dtype.name}"
    arrays = [pointer(part, "GrB_Index") for part in indices]
    library.call(function, out, *arrays, pointer(values, out.dtype.c_type), len(values), dup)
