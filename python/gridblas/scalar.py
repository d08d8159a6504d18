"""gridblas.Scalar: one value, or none."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from . import library
from ._declarations import ffi
from .core.collection import Collection
from .core.values import to_number
from .dtypes import DataType, lookup_dtype
from .core.operand import describe_value
from .operators import lookup


class Scalar(Collection):
    """A value of a type, or none: the result of reductions, and an operand of apply and select.

    >>> s = gb.Scalar(int)
    >>> s.value = 3
    >>> s.value, s + 1 == 4, gb.Scalar(int).is_empty
    (3, True, True)
    """

    __slots__ = ()
    kind, letter = "Scalar", "s"
    shape = ()
    is_transposed = False

    def __init__(self, dtype: Any = "FP64", *, name: str | None = None, is_cscalar: bool = False) -> None:
        self._dtype = lookup_dtype(dtype)
        self._init(library.make("GrB_Scalar", "GrB_Scalar_new", self.dtype), name)

    @classmethod
    def from_value(cls, value: Any, dtype: Any = None, *, name: str | None = None, is_cscalar: bool = False) -> Scalar:
        """A scalar with a value; its type is the value's, if none is given.

        >>> gb.Scalar.from_value(2.5).dtype
        FP64
        """
        if isinstance(value, Scalar):
            dtype, value = dtype or value.dtype, value.value
        elif getattr(value, "ndim", None) == 0 and hasattr(value, "new"):
            value = value.new().value
        if dtype is None:
            dtype = value.dtype if isinstance(value, np.generic) else {bool: "BOOL", int: "INT64", float: "FP64"}.get(type(value))
            if dtype is None:
                raise TypeError(f"value: a number (bool, int, float, or of numpy) or a gridblas Scalar is expected, not {describe_value(value)}")
        made = cls(dtype, name=name)
        made.value = value
        return made

    @property
    def value(self) -> Any:
        """The value as a Python number, None where there is none.

        >>> gb.Vector.from_coo([0, 1], [1, 2]).reduce("plus").new().value
        3
        """
        number = ffi.new(self.dtype.c_type + " *")
        info = library.call(f"GrB_Scalar_extractElement_{self.dtype.name}", number, self)
        return None if info == library.lib.GrB_NO_VALUE else number[0]

    @value.setter
    def value(self, value: Any) -> None:
        if value is None:
            self.clear()
            return
        number = to_number("value", value, self.dtype)
        library.call(f"GrB_Scalar_setElement_{self.dtype.name}", self, number)

    @property
    def is_empty(self) -> bool:
        """Whether there is no value.

        >>> gb.Vector(int, 3)[0].new().is_empty
        True
        """
        return self.nvals == 0

    def get(self, default: Any = None) -> Any:
        """The value; the default where there is none.

        >>> gb.Scalar(int).get(default=7)
        7
        """
        value = self.value
        return default if value is None else value

    def _like(self, dtype: DataType) -> Scalar:
        return Scalar(dtype)

    def _put(self, value: Any, accum: Any) -> None:
        """self accum= value."""
        value = value if isinstance(value, Scalar) else Scalar.from_value(value)
        if accum is not None and not self.is_empty and not value.is_empty:
            from .vector import Vector

            both = Vector(accum.return_type, 1)
            both[0] << self
            both(accum)[0] << value
            value = both[0].new()
        elif accum is not None and value.is_empty:
            return
        self.value = value.value

    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """Whether both have the same value, or none; with check_dtype also the same type.

        >>> gb.Scalar.from_value(2).isequal(2.0)
        True
        """
        other = other if isinstance(other, Scalar) else Scalar.from_value(other)
        return not (check_dtype and self.dtype is not other.dtype) and self.value == other.value

    def isclose(self, other: Any, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False) -> bool:
        """Whether both have values that differ by at most max(rel_tol * the larger, abs_tol), or none.

        >>> gb.Scalar.from_value(2.0).isclose(2.0 + 1e-12)
        True
        """
        other = other if isinstance(other, Scalar) else Scalar.from_value(other)
        if (check_dtype and self.dtype is not other.dtype) or self.is_empty or other.is_empty:
            return not check_dtype and self.is_empty and other.is_empty
        return math.isclose(self.value, other.value, rel_tol=rel_tol, abs_tol=abs_tol)

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Any:
        """op of the value: a unary operator, or a binary one with right= or left=.

        >>> gb.Scalar.from_value(-2).apply("abs").new().value
        2
        """
        from .core.expression import recipe

        def make() -> Any:
            from .vector import Vector

            line = Vector(self.dtype, 1)
            line[0] << self
            return line.apply(op, right, left=left).new()[0].new()

        kinds = ("unary",) if right is None and left is None else ("binary",)
        return recipe("Scalar", lookup.typed(lookup.find(op, *kinds), self.dtype).return_type, (), make, "apply")

    def __reduce__(self) -> Any:
        return Scalar.from_value, (self.value, self.dtype)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def __index__(self) -> int:
        if self.dtype.np_type.kind not in "iu":
            raise TypeError(f"index: an integer is expected, not a Scalar of type {self.dtype}")
        return int(self.value)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(self.value, dtype or self.dtype.np_type)

    def __repr__(self) -> str:
        return f"gridblas.Scalar {self.name}: {self.value}, {self.dtype}"

    def _repr_html_(self) -> str:
        from .display import scalar_html

        return scalar_html(self)


def _arithmetic(function: Callable[..., Any], turned: bool = False) -> Callable[..., Any]:
    """An operator of Python's on the values; empty where an operand is."""

    def combine(self: Scalar, other: Any) -> Any:
        if getattr(other, "ndim", 0):
            return NotImplemented
        x, y = self.value, other.value if hasattr(other, "value") else other
        if x is None or y is None:
            return Scalar(self.dtype)
        return Scalar.from_value(function(y, x) if turned else function(x, y))

    return combine


def _comparison(function: Callable[..., Any]) -> Callable[..., Any]:
    def compare(self: Scalar, other: Any) -> Any:
        if getattr(other, "ndim", 0):
            return NotImplemented
        return function(self.value, other.value if hasattr(other, "value") else other)

    return compare


for _name in ("add", "sub", "mul", "truediv", "floordiv", "pow", "mod"):
    _function = getattr(operator, _name)
    setattr(Scalar, f"__{_name}__", _arithmetic(_function))
    setattr(Scalar, f"__r{_name}__", _arithmetic(_function, turned=True))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Scalar, f"__{_name}__", _comparison(getattr(operator, _name)))
for _name in ("neg", "abs"):
    setattr(Scalar, f"__{_name}__", lambda self, f=getattr(operator, _name): self.dup() if self.is_empty else Scalar.from_value(f(self.value), self.dtype))
