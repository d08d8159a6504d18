"""The predefined types: gridblas.dtypes.FP64, ... They come from the library's own table."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import library
from ._declarations import TYPES
from .core.operand import describe_value


class DataType:
    """A predefined type: its name in GraphBLAS, in C, and its numpy type."""

    __slots__ = ("name", "c_type", "np_type")

    def __init__(self, name: str, c_type: str) -> None:
        self.name = name
        self.c_type = c_type
        self.np_type = np.dtype({"float": "float32", "double": "float64"}.get(c_type, c_type.removesuffix("_t")))

    @property
    def handle(self) -> Any:
        """The object of the C library."""
        return library.symbol("GrB_" + self.name)

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        try:
            return lookup_dtype(other) is self
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> Any:
        return lookup_dtype, (self.name,)  # copies are compared by identity, too


_BY_NAME = {name: DataType(name, c_type) for name, c_type in TYPES.items()}
_BY_NUMPY = {dtype.np_type: dtype for dtype in _BY_NAME.values()}
_BY_CODE: dict[int, DataType] = {}

BOOL = _BY_NAME["BOOL"]
INT8 = _BY_NAME["INT8"]
INT16 = _BY_NAME["INT16"]
INT32 = _BY_NAME["INT32"]
INT64 = _BY_NAME["INT64"]
UINT8 = _BY_NAME["UINT8"]
UINT16 = _BY_NAME["UINT16"]
UINT32 = _BY_NAME["UINT32"]
UINT64 = _BY_NAME["UINT64"]
FP32 = _BY_NAME["FP32"]
FP64 = _BY_NAME["FP64"]


__all__ = [*_BY_NAME, "DataType", "lookup_dtype"]


def __dir__() -> list[str]:
    return __all__


def lookup_dtype(key: Any) -> DataType:
    """A type by itself, its name ("FP64", "float64", "float"), its numpy or its Python type.

    >>> gb.dtypes.lookup_dtype(np.float32)
    FP32
    """
    if isinstance(key, DataType):
        return key
    if isinstance(key, str) and key.upper() in _BY_NAME:
        return _BY_NAME[key.upper()]
    try:
        if key is None:  # numpy's default type
            raise TypeError
        return _BY_NUMPY[np.dtype(key).newbyteorder("=")]
    except (KeyError, TypeError):
        names = ", ".join(_BY_NAME)
        raise TypeError(
            f"dtype: a type of GraphBLAS ({names}), or numpy's or Python's for it, is expected, not {_described(key)}"
        ) from None


def _described(key: Any) -> str:
    return str(key) if isinstance(key, np.dtype) else describe_value(key)


def type_of_code(code: int) -> DataType:
    """A type by the library's code for it (GrB_Type_Code)."""
    if not _BY_CODE:
        for name, dtype in _BY_NAME.items():
            _BY_CODE[int(getattr(library.lib, f"GrB_{name}_CODE"))] = dtype
    return _BY_CODE[code]


def unify(one: DataType, two: DataType) -> DataType:
    """The type that holds values of both, as numpy sees it."""
    return one if one is two else lookup_dtype(np.promote_types(one.np_type, two.np_type))


def is_floating(dtype: DataType) -> bool:
    """FP32 or FP64."""
    return dtype.np_type.kind == "f"
