"""What stands between brackets: a number, a slice, a list or an array of indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import library
from ._declarations import ffi


class Axis:
    """The indices of one dimension: a single one, all, or a list."""

    __slots__ = ("single", "array", "count")

    def __init__(self, index: Any, size: int) -> None:
        self.single: int | None = None
        self.array: np.ndarray | None = None
        self.count = size
        if isinstance(index, slice):
            start, stop, step = index.indices(size)
            if (start, stop, step) != (0, size, 1):
                self._list(np.arange(start, stop, step), size)
        elif hasattr(index, "__index__") and getattr(index, "ndim", 0) == 0:
            self.single = _within(index.__index__(), size)
            self.count = 1
        else:
            if isinstance(index, (tuple, str)) or hasattr(index, "nvals"):
                raise TypeError(f"an index is a number, a slice, a list or an array, not {type(index).__name__}; masks go in parentheses")
            self._list(np.asarray(list(index) if not isinstance(index, np.ndarray) else index), size)

    def _list(self, array: np.ndarray, size: int) -> None:
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            raise TypeError(f"indices are a list of whole numbers, not {array.ndim}-dimensional {array.dtype}")
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
    def handle(self) -> Any:
        """For C: the array, or GrB_ALL."""
        return library.symbol("GrB_ALL") if self.array is None else pointer(self.array, "GrB_Index")


def _within(index: int, size: int) -> int:
    if not -size <= index < size:
        raise IndexError(f"index {index} of a dimension of {size}")
    return index + size if index < 0 else index


def axes(index: Any, shape: tuple[int, ...]) -> list[Axis]:
    """The indices of each dimension."""
    if index is Ellipsis:
        index = (slice(None),) * len(shape)
    if len(shape) == 1 and not (isinstance(index, tuple) and len(index) == 1 and isinstance(index[0], slice)):
        index = (index,)
    if not isinstance(index, tuple) or len(index) != len(shape):
        raise TypeError(f"an index of {len(shape)} dimensions is wanted")
    return [Axis(one, size) for one, size in zip(index, shape)]


def pointer(array: np.ndarray, c_type: str) -> Any:
    """The array's memory, for C."""
    return ffi.cast(c_type + " *", array.ctypes.data)


def places(indices: Any) -> np.ndarray:
    """Indices as the library takes them, without a copy where they are 64-bit numbers already."""
    array = np.asarray(indices)
    if array.size == 0:
        return np.empty(0, np.uint64)
    if array.dtype.kind not in "iu":
        if array.dtype.kind != "f" or (array != array.astype(np.int64)).any():
            raise TypeError(f"indices are whole numbers, not {array.dtype}")
        array = array.astype(np.int64)
    if array.ndim != 1:
        raise TypeError(f"indices are a list, not {array.ndim}-dimensional")
    if array.dtype.kind == "i" and array.min() < 0:
        raise IndexError(f"an index is below 0: {array.min()}")
    array = np.ascontiguousarray(array)
    return array.view(np.uint64) if array.dtype == np.int64 else array.astype(np.uint64, copy=False)
