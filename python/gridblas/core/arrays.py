"""Arrays of other packages as numpy's, and the library's own memory as numpy's, without a copy where that is possible."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .. import library
from .._declarations import ffi

# ---- in ----

_CPU, _CUDA_HOST = 1, 3  # devices of DLPack whose memory the processor reads


def as_host(x: Any, what: str) -> np.ndarray:
    """An array in host memory of whatever has one: a list, numpy's, Arrow's, DLPack's, or one of a GPU, which is copied.
    `what` names it in messages."""
    if isinstance(x, np.ndarray):
        if isinstance(x, np.ma.MaskedArray):
            _check_nulls(np.ma.getmaskarray(x), what, "masked")
        return np.asarray(x)
    if hasattr(x, "__cuda_array_interface__"):
        return _from_device(x.__cuda_array_interface__, what)
    if _is_arrow(x):
        from .arrow import column

        return column(x, what)
    if hasattr(x, "__dlpack__") and not hasattr(x, "__array__"):
        return _from_dlpack(x, what)
    if _is_pandas(x) and not isinstance(getattr(x, "dtype", None), np.dtype) and hasattr(x, "isna"):
        _check_nulls(np.asarray(x.isna()), what, "null")
    return np.asarray(x)


def _check_nulls(missing: np.ndarray, what: str, word: str) -> None:
    """An array without a value at some position is refused: what numpy makes of it there is no value either."""
    if missing.any():
        raise ValueError(f"{what}: {int(missing.sum())} of {missing.size} values are {word}; fill or drop them first")


def _is_pandas(x: Any) -> bool:
    return type(x).__module__.partition(".")[0] == "pandas"


def _is_arrow(x: Any) -> bool:
    """pandas has arrays of numpy's in most cases, and exports others only beside pyarrow."""
    return not _is_pandas(x) and (hasattr(x, "__arrow_c_stream__") or hasattr(x, "__arrow_c_array__"))


def table_columns(x: Any, what: str) -> list[Any] | None:
    """The columns of a table of Arrow or pandas; None: x is no table."""
    if _is_pandas(x) and hasattr(x, "columns"):
        return [as_host(x.iloc[:, k], f"{what}: {name}") for k, name in enumerate(x.columns)]
    if not _is_arrow(x):
        return None
    from .arrow import columns

    return columns(x, what)


def _from_dlpack(x: Any, what: str) -> np.ndarray:
    device = int(x.__dlpack_device__()[0])
    if device not in (_CPU, _CUDA_HOST):
        raise TypeError(f"{what}: an array in host memory, or one with __cuda_array_interface__, is expected, not on DLPack's device {device}")
    return np.from_dlpack(x)


def _from_device(interface: dict[str, Any], what: str) -> np.ndarray:
    """A copy on the host of an array in a GPU's memory: the library's calls read host memory."""
    made = np.empty(interface["shape"], np.dtype(interface["typestr"]))
    strides = interface.get("strides")
    if strides is not None and tuple(strides) != made.strides:
        raise TypeError(f"{what}: a contiguous array is expected on a GPU, not strides of {tuple(strides)} bytes")
    if interface.get("mask") is not None:
        raise TypeError(f"{what}: an array without a mask is expected")
    if made.size:
        copy_from_device(made.ctypes.data, interface["data"][0], made.nbytes, interface.get("stream"))
    return made


def copy_from_device(to: int, address: int, size: int, stream: int | None) -> None:
    """Bytes from a GPU's memory, by the CUDA driver that the array's package has loaded; after its stream's work if it names one."""
    driver = ctypes.CDLL("libcuda.so.1")
    code = driver.cuCtxSynchronize() if stream is not None else 0
    code = code or driver.cuMemcpyDtoH_v2(ctypes.c_void_p(to), ctypes.c_uint64(address), ctypes.c_size_t(size))
    if code:
        raise RuntimeError(f"copying {size} bytes from a GPU failed: CUDA's error {code}")


# ---- out ----


class Memory:
    """Memory of the library, as numpy's arrays see it: they keep this object, and so the memory, alive."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, owner: Any, address: Any, dtype: np.dtype, count: int, stride: int | None, writable: bool) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "shape": (count,),
            "typestr": dtype.str,
            "data": (int(ffi.cast("uintptr_t", address)), not writable),
            "strides": None if stride is None else (stride,),
        }


def _array(owner: Any, address: Any, dtype: Any, count: int, *, stride: int | None = None, writable: bool = False) -> np.ndarray:
    return np.asarray(Memory(owner, address, np.dtype(dtype), count, stride, writable)) if count else np.empty(0, dtype)


def new_view(x: Any, *, device: bool = False) -> Any:
    """The library's view of a vector or matrix, which is freed with the last reference."""
    view = ffi.new("Grid_View *")
    library.call(f"Grid_{x.kind}_{'device_' if device else ''}view", view, x)
    return ffi.gc(view, library.lib.Grid_View_free)


def values_of(view: Any, dtype: np.dtype, count: int, writable: bool = False) -> np.ndarray:
    """The values of a view; where all are one they are stored once, and the array has the stride 0."""
    return _array(view, view.values, dtype, count, stride=0 if view.iso else None, writable=writable and not view.iso)


def rows_of(view: Any, dtype: np.dtype, writable: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The three arrays of a matrix's view; writable: the values, since other matrices may share the pattern."""
    integer = {4: np.uint32, 8: np.uint64}
    indptr = _array(view, view.indptr, integer[view.indptr_bytes], view.n_indptr)
    indices = _array(view, view.indices, integer[view.indices_bytes], view.n_indices)
    return indptr, indices, values_of(view, dtype, view.n_indices, writable)
