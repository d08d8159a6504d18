"""The library's memory on a GPU, as CuPy, PyTorch and others take it without a copy."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .._declarations import ffi

_CUDA = 2  # DLPack's device


class DeviceArray:
    """One-dimensional values in a GPU's memory, which this object keeps: `cupy.asarray(x)`, `torch.as_tensor(x, device="cuda")` and
    `from_dlpack(x)` take it without a copy.

    shape, dtype  as numpy's
    pointer       the address on the GPU
    device        DLPack's device and its number
    """

    __slots__ = ("shape", "dtype", "pointer", "device", "strides", "owner")

    def __init__(self, owner: Any, address: Any, dtype: Any, count: int, stride: int | None = None, device: tuple[int, int] | None = None) -> None:
        self.owner, self.dtype, self.shape = owner, np.dtype(dtype), (count,)
        self.pointer = int(ffi.cast("uintptr_t", address))
        self.strides = None if stride is None else (stride,)
        self.device = device or (_CUDA, _number_of_gpu(self.pointer) if count else 0)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<DeviceArray of {self.shape[0]} values of {self.dtype.name} on GPU {self.device[1]}>"

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        # The library has waited for its work, so there is no stream. PyTorch refuses arrays that cannot be written to.
        data = {"typestr": self.dtype.str, "data": (self.pointer, False), "strides": self.strides, "stream": None}
        return {"version": 3, "shape": self.shape, **data}

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None) -> Any:
        """DLPack's capsule, of the form before 1.0, which all read. `stream` may be any: the library has waited for its work."""
        if copy or (dl_device is not None and tuple(dl_device) != self.device):
            raise BufferError("DeviceArray: only its own memory is given out, not a copy or another device's")
        return _capsule(self)


def _number_of_gpu(pointer: int) -> int:
    """The number that CUDA gives the GPU in whose memory the address is."""
    number = ctypes.c_int(0)
    device_ordinal = 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    code = ctypes.CDLL("libcuda.so.1").cuPointerGetAttribute(ctypes.byref(number), device_ordinal, ctypes.c_uint64(pointer))
    if code:
        raise RuntimeError(f"asking for an address's GPU failed: CUDA's error {code}")
    return number.value


# ---- DLPack's structures ----


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
_NAME = b"dltensor"
_given_out: dict[int, tuple[Any, ...]] = {}  # by address: what a consumer's tensor needs


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _release(tensor: int) -> None:
    _given_out.pop(tensor, None)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _release_unused(capsule: int) -> None:
    """A consumer renames the capsule and calls the deleter itself."""
    if ctypes.pythonapi.PyCapsule_IsValid(ctypes.c_void_p(capsule), _NAME):
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype = ctypes.c_void_p
        _given_out.pop(get(ctypes.c_void_p(capsule), _NAME), None)


def _capsule(x: DeviceArray) -> Any:
    shape = (ctypes.c_int64 * 1)(*x.shape)
    strides = (ctypes.c_int64 * 1)(1 if x.strides is None else x.strides[0] // x.dtype.itemsize)
    tensor = _Tensor(x.pointer, *x.device, 1, _CODES[x.dtype.kind], 8 * x.dtype.itemsize, 1, shape, strides, 0, None)
    tensor.deleter = ctypes.cast(_release, ctypes.c_void_p)
    address = ctypes.addressof(tensor)
    _given_out[address] = (tensor, shape, strides, x)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    return new(ctypes.c_void_p(address), _NAME, _release_unused)
