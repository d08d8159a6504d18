"""Arrays that change hands between NumPy and the library."""

from __future__ import annotations

from typing import Any

import numpy as np

from .api import ffi as _ffi
from .api import free as _free


def claim_buffer(ffi: Any, cdata: Any, size: int, dtype: np.dtype, arena: int | None = None) -> np.ndarray:
    """A one-dimensional array of `size` elements over memory that the library allocated, which is freed with the array."""
    count = size * dtype.itemsize
    if count and cdata == ffi.NULL:
        raise ValueError(f"claim_buffer: NULL instead of {size} elements")
    owner = _ffi.gc(_ffi.cast("char *", cdata), _free, count)
    return np.frombuffer(_ffi.buffer(owner, count), dtype) if count else np.empty(0, dtype)


def claim_buffer_2d(
    ffi: Any, cdata: Any, cdata_size: int, nrows: int, ncols: int, dtype: np.dtype, is_c_order: bool, arena: int | None = None
) -> np.ndarray:
    """The same as an array of nrows x ncols elements, by rows (is_c_order) or by columns. cdata_size elements may be more."""
    if cdata_size < nrows * ncols:
        raise ValueError(f"claim_buffer_2d: {cdata_size} elements are too few for {nrows} x {ncols}")
    values = claim_buffer(ffi, cdata, cdata_size, dtype, arena)[: nrows * ncols]
    if is_c_order:
        return values.reshape(nrows, ncols, *dtype.shape)
    return values.reshape(ncols, nrows, *dtype.shape).swapaxes(0, 1)


def can_unclaim_buffer(array: Any, arena: int | None = None) -> bool:
    """Whether the library takes over the values of this array: those of any that has no Python objects. It copies them."""
    return isinstance(array, np.ndarray) and not array.dtype.hasobject


def unclaim_buffer(array: np.ndarray, arena: int | None = None) -> None:
    """Makes an array read-only whose values the library has taken over. The library has a copy (see api.handing_over)."""
    if array.flags.owndata:
        array.flags.writeable = False
