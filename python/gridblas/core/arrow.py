"""Columns of Apache Arrow (pyarrow, pandas, polars, ...) as numpy's arrays, through Arrow's C data interface: no package is imported.

The format is described at https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p
from typing import Any

import numpy as np


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(_Schema))),
    ("dictionary", c_void_p),
    ("release", CFUNCTYPE(None, POINTER(_Schema))),
    ("private_data", c_void_p),
]
_Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(_Array))),
    ("dictionary", c_void_p),
    ("release", CFUNCTYPE(None, POINTER(_Array))),
    ("private_data", c_void_p),
]
_Stream._fields_ = [
    ("get_schema", CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Schema))),
    ("get_next", CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Array))),
    ("get_last_error", CFUNCTYPE(c_char_p, POINTER(_Stream))),
    ("release", CFUNCTYPE(None, POINTER(_Stream))),
    ("private_data", c_void_p),
]

# Arrow's letters for types; "b", of bits, is unpacked.
_TYPES = dict(zip("cCsSiIlLfg", map(np.dtype, "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64".split())))

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [ctypes.py_object, c_char_p]


class _Owner:
    """A structure of Arrow's that is released with the last reference. It is moved out of the capsule, which then releases nothing."""

    def __init__(self, kind: type[ctypes.Structure], capsule: Any = None, name: bytes = b"") -> None:
        self.it = kind()
        if capsule is not None:
            source = kind.from_address(_pointer(capsule, name))
            ctypes.memmove(ctypes.byref(self.it), ctypes.byref(source), ctypes.sizeof(kind))
            source.release = type(source.release)()

    def __del__(self) -> None:
        if self.it.release:
            self.it.release(ctypes.byref(self.it))


class _Memory:
    """A buffer as numpy sees it; the array keeps the owner alive."""

    def __init__(self, owner: _Owner, address: int, dtype: np.dtype, count: int) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "shape": (count,), "typestr": dtype.str, "data": (address, True)}


def _chunks(x: Any) -> tuple[_Owner, list[_Owner]]:
    """The schema and the arrays of what x exports."""
    if not hasattr(x, "__arrow_c_stream__"):
        schema, array = x.__arrow_c_array__()
        return _Owner(_Schema, schema, b"arrow_schema"), [_Owner(_Array, array, b"arrow_array")]
    stream = _Owner(_Stream, x.__arrow_c_stream__(), b"arrow_array_stream")
    made, at = _Owner(_Schema), ctypes.byref(stream.it)

    def check(code: int) -> None:
        if code:
            raise RuntimeError(f"Arrow's stream failed: {(stream.it.get_last_error(at) or b'').decode() or code}")

    check(stream.it.get_schema(at, ctypes.byref(made.it)))
    found = []
    while True:
        chunk = _Owner(_Array)
        check(stream.it.get_next(at, ctypes.byref(chunk.it)))
        if not chunk.it.release:
            return made, found
        found.append(chunk)


def _bits(owner: _Owner, address: int, first: int, count: int) -> np.ndarray:
    packed = np.asarray(_Memory(owner, address, np.dtype(np.uint8), (first + count + 7) // 8))
    return np.unpackbits(packed, bitorder="little")[first : first + count].view(bool)


def _values(owner: _Owner, a: _Array, format: str, what: str) -> np.ndarray:  # noqa: A002
    """The values of one chunk."""
    first, count = a.offset, a.length
    if format != "b" and format not in _TYPES:
        raise TypeError(f"{what}: real numbers are expected, not Arrow's type {format!r}")
    if count == 0:
        return np.empty(0, bool if format == "b" else _TYPES[format])
    if a.null_count and a.buffers[0]:
        missing = count - int(_bits(owner, a.buffers[0], first, count).sum())
        if missing:
            raise ValueError(f"{what}: {missing} of {count} values are null; fill or drop them first")
    if format == "b":
        return _bits(owner, a.buffers[1], first, count)
    dtype = _TYPES[format]
    return np.asarray(_Memory(owner, a.buffers[1] + first * dtype.itemsize, dtype, count))


def _join(parts: list[np.ndarray], format: str) -> np.ndarray:  # noqa: A002
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0, bool if format == "b" else _TYPES.get(format, float))


def column(x: Any, what: str) -> np.ndarray:
    """The values of an Arrow array or column: without a copy where it has one chunk."""
    schema, chunks = _chunks(x)
    format = schema.it.format.decode()  # noqa: A001
    return _join([_values(c, c.it, format, what) for c in chunks], format)


def columns(x: Any, what: str) -> list[np.ndarray]:
    """The columns of an Arrow table or batch, each as `column` gives it."""
    schema, chunks = _chunks(x)
    if schema.it.format != b"+s":
        raise TypeError(f"{what}: a table is expected, not an array of Arrow's type {schema.it.format.decode()!r}")
    made = []
    for k in range(schema.it.n_children):
        child = schema.it.children[k].contents
        name, format = f"{what}: {(child.name or b'').decode()}", child.format.decode()  # noqa: A001
        parts = [_values(c, c.it.children[k].contents, format, name) for c in chunks]
        made.append(_join([part[c.it.offset : c.it.offset + c.it.length] for c, part in zip(chunks, parts)], format))
    return made
