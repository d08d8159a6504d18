"""What stands between brackets: a number, a slice, a list or an array of indices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import library
from .._declarations import ffi
from .arrays import as_host
from .operand import check_integer, describe_value


GXB_RANGE = 2**63 - 1  # for C in place of the number of indices: the list is the first one and the last one


class Axis:
    """The indices of one dimension: a single one, all, a range, or a list. `count` is how many there are."""

    __slots__ = ("single", "array", "count", "is_range")

    def __init__(self, index: Any, size: int) -> None:
        self.single: int | None = None
        self.array: np.ndarray | None = None
        self.count = size
        self.is_range = False
        if isinstance(index, slice):
            start, stop, step = index.indices(size)
            if (start, stop, step) != (0, size, 1):
                self.count = len(range(start, stop, step))
                self.is_range = step == 1 and self.count > 0
                self.array = np.array([start, stop - 1], np.uint64) if self.is_range else np.arange(start, stop, step).astype(np.uint64)
        elif hasattr(index, "__index__") and getattr(index, "ndim", 0) == 0:
            self.single = _within(index.__index__(), size)
            self.count = 1
        else:
            if not isinstance(index, (list, range, np.ndarray)):
                mask = "; a mask goes in parentheses: A(mask)" if hasattr(index, "parent") or hasattr(index, "nvals") else ""
                raise TypeError(f"index: an integer, a slice, a list or an array is expected, not {describe_value(index)}{mask}")
            self._list(as_host(index, "index"), size)

    def _list(self, array: np.ndarray, size: int) -> None:
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            hint = "; np.flatnonzero makes indices of it" if array.dtype.kind == "b" else ""
            raise TypeError(f"index: a list of integers is expected, not {array.ndim}-dimensional {array.dtype}{hint}")
        if array.dtype.kind == "i" and array.size and array.min() < 0:
            _within(int(array.min()), size)
            array = np.where(array < 0, array + size, array)
        self.array = np.ascontiguousarray(array, np.uint64)
        self.count = len(array)

    def as_list(self) -> Axis:
        """A single index as a list of one."""
        if self.single is not None:
            self.array = np.array([self.single], np.uint64)
        return self

    @property
    def number(self) -> int:
        """For C: how many indices the list has."""
        return GXB_RANGE if self.is_range else self.count

    @property
    def handle(self) -> Any:
        """For C: the array, or GrB_ALL."""
        return library.symbol("GrB_ALL") if self.array is None else pointer(self.array, "GrB_Index")


def _within(index: int, size: int) -> int:
    if not -size <= index < size:
        raise IndexError(f"index {index} is outside of a dimension of {size}")
    return index + size if index < 0 else index


def single_index(index: Any, size: int) -> Axis:
    """The index of one position."""
    axis = Axis(index, size)
    if axis.single is None:
        raise TypeError(f"get: an integer is expected, not {describe_value(index)}")
    return axis


def axes(index: Any, shape: tuple[int, ...]) -> list[Axis]:
    """The indices of each dimension."""
    if index is Ellipsis:
        index = (slice(None),) * len(shape)
    if len(shape) == 1 and not isinstance(index, tuple):
        index = (index,)
    if not isinstance(index, tuple) or len(index) != len(shape):
        known = len(index) if isinstance(index, tuple) else 1
        form = "A[rows, columns]" if len(shape) == 2 else "v[indices]"
        mask = "; a mask goes in parentheses: A(mask)" if hasattr(index, "complement") else ""
        raise TypeError(f"index: {len(shape)} dimensions are expected, {form}, not {known}{mask}")
    return [Axis(one, size) for one, size in zip(index, shape)]


def pointer(array: np.ndarray, c_type: str) -> Any:
    """The array's memory, for C."""
    return ffi.cast(c_type + " *", array.ctypes.data)


def dimension(size: int | None, indices: np.ndarray, what: str) -> int:
    """A dimension as it is given, else the largest index + 1. `what` names the argument that gives it."""
    if size is None and indices.size == 0:
        raise ValueError(f"{what}: without indices it must be given")
    return check_integer(what, size if size is not None else int(indices.max()) + 1)


def integer_array(indices: Any, what: str) -> np.ndarray:
    """Indices as an array of one dimension of an integer type; without elements the type may be another."""
    if isinstance(indices, Iterator):
        indices = list(indices)
    array = as_host(indices, what)
    if array.ndim == 0:
        raise TypeError(f"{what}: a list or an array of integers is expected, not {describe_value(indices)}")
    if array.ndim != 1:
        raise TypeError(f"{what}: a list or an array of one dimension is expected, not of {array.ndim}")
    if array.size and array.dtype.kind not in "iu":
        with np.errstate(invalid="ignore"):  # NaN is no integer
            integers = array.astype(np.int64) if array.dtype.kind == "f" else None
        if integers is None or (array != integers).any():
            hint = "; pandas.factorize, or numpy.unique with return_inverse=True, numbers names" if array.dtype.kind in "OSUT" else ""
            raise TypeError(f"{what}: integers are expected, not {array.dtype}{hint}")
        array = integers
    return array


def index_array32(indices: Any, what: str) -> np.ndarray:
    """The same as `index_array`, but 32-bit integers stay as they are; the library finds negative ones."""
    array = integer_array(indices, what)
    return np.ascontiguousarray(array) if array.dtype in (np.int32, np.uint32) else index_array(array, what)


def index_array(indices: Any, what: str = "indices") -> np.ndarray:
    """Indices as the library takes them, without a copy where they are 64-bit numbers already. `what` names them in messages."""
    array = integer_array(indices, what)
    if array.size == 0:
        return np.empty(0, np.uint64)
    if array.dtype.kind == "i" and array.min() < 0:
        raise IndexError(f"{what}: {array.min()} is below 0")
    array = np.ascontiguousarray(array)
    return array.view(np.uint64) if array.dtype == np.int64 else array.astype(np.uint64, copy=False)
