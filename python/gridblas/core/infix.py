"""Python's operators between matrices, vectors, expressions and values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .collection import Indexed, Infix
from ..dtypes import BOOL, INT64, unify
from .expression import Expression, compute
from ..matrix import Matrix, TransposedMatrix
from .operand import conversion_hint, describe_value
from ..operators import lookup
from ..scalar import Scalar
from ..vector import Vector


def _has_dimensions(x: Any) -> bool:
    return isinstance(x, OPERANDS) and x.ndim > 0


def _entrywise(name: str, how: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """x op y: on what both have, on what either has, or (union) with 0 for what one of them lacks."""

    def combine(x: Any, y: Any) -> Any:
        op = lookup.named("binary", name)
        x, y = compute(x), compute(y)
        if _has_dimensions(x) and _has_dimensions(y):
            if x.ndim != y.ndim:
                raise TypeError(f"{SIGNS[name]}: two objects of one kind are expected, not a {x.kind} and a {y.kind}")
            if how == "union":
                return _difference(x, y)
            return x.ewise_add(y, op) if how == "add" else x.ewise_mult(y, op)
        left = _has_dimensions(x) or (isinstance(x, Scalar) and not _has_dimensions(y))
        known, value = (x, y) if left else (y, x)
        if not isinstance(value, (Scalar, bool, int, float, np.generic)):
            hint = conversion_hint(value, known.kind)
            raise TypeError(f"{SIGNS[name]}: a gridblas {known.kind} or a number is expected, not {describe_value(value)}{hint}")
        return x.apply(op, right=y) if left else y.apply(op, left=x)

    return combine, lambda x, y: combine(y, x)


def _difference(x: Any, y: Any) -> Expression:
    """x - y, with the INT64 0 for an entry that one of them lacks: x + (-y), which takes two passes where ewise_union takes four."""
    dtype = unify(unify(x.dtype, INT64), unify(y.dtype, INT64))
    return x.ewise_add(y.apply(lookup.find("ainv", "unary")[dtype]), lookup.find("plus", "binary")[dtype])


def _in_place(name: str, how: str) -> Callable[..., Any]:
    forward, _ = _entrywise(name, how)

    def combine(self: Any, other: Any) -> Any:
        if how == "add" and getattr(other, "ndim", 0):
            self(name) << other
        else:
            self << forward(self, other)
        return self

    return combine


def _unary(name: str) -> Callable[..., Any]:
    def combine(self: Any) -> Any:
        return compute(self).apply(name)

    return combine


def _not(self: Any) -> Any:
    self = compute(self)
    if self.dtype is not BOOL:
        raise TypeError(f"~: a BOOL object is expected, not {self.dtype}; ~A.S and ~A.V are complements of masks")
    return self.apply("lnot")


def _sign(sign: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    def combine(x: Any, y: Any) -> Any:
        if not (isinstance(x, OPERANDS) and isinstance(y, OPERANDS)):
            wrong = y if isinstance(x, OPERANDS) else x
            raise TypeError(
                f"{sign}: a gridblas Matrix or Vector is expected, not {describe_value(wrong)}{conversion_hint(wrong, 'Vector')}"
            )
        return Infix(x, y, sign)

    return combine, lambda x, y: combine(y, x)


OPERANDS = (Matrix, TransposedMatrix, Vector, Expression, Indexed, Infix)
SIGNS = {"plus": "+", "minus": "-", "times": "*", "truediv": "/", "floordiv": "//", "floormod": "%", "pow": "**", "lxor": "^"}
SIGNS |= {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
ARITHMETIC = {
    "add": ("plus", "add"),
    "sub": ("minus", "union"),
    "mul": ("times", "mult"),
    "truediv": ("truediv", "mult"),
    "floordiv": ("floordiv", "mult"),
    "mod": ("floormod", "mult"),
    "pow": ("pow", "mult"),
    "xor": ("lxor", "add"),
}


ENTRIES = {"add": "where either has an entry", "union": "where either has an entry, 0 for one that lacks it", "mult": "where both have an entry"}


def _install(cls: type, name: str, function: Callable[..., Any], doc: str) -> None:
    """Adds an operator, which `help` shows by its name."""
    function.__name__, function.__qualname__, function.__doc__ = f"__{name}__", f"{cls.__name__}.__{name}__", doc
    setattr(cls, f"__{name}__", function)


def install(cls: type, in_place: bool) -> None:
    """Adds the operators to a class."""
    for python, (name, how) in ARITHMETIC.items():
        sign, (forward, backward) = SIGNS[name], _entrywise(name, how)
        _install(cls, python, forward, f"x {sign} y, {ENTRIES[how]}, or of every entry and a number: an expression.")
        _install(cls, "r" + python, backward, f"y {sign} x.")
        if in_place:
            _install(cls, "i" + python, _in_place(name, how), f"x {sign}= y.")
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        _install(cls, name, _entrywise(name, "mult")[0], f"x {SIGNS[name]} y, where both have an entry, or of every entry and a number: an expression.")
    for python, sign in {"or": "|", "and": "&", "matmul": "@"}.items():
        forward, backward = _sign(sign)
        _install(cls, python, forward, f"x {sign} y, the argument of an operator: `binary.plus(x | y)`, `semiring.min_plus(A @ B)`.")
        _install(cls, "r" + python, backward, f"y {sign} x.")
    for python, name in {"neg": "ainv", "abs": "abs"}.items():
        _install(cls, python, _unary(name), f"unary.{name} of every entry: an expression.")
    _install(cls, "invert", _not, "unary.lnot of every entry of a BOOL object: an expression.")
    cls.__hash__ = None  # type: ignore[assignment]
    cls.__array_ufunc__ = None  # type: ignore[attr-defined]  # numpy's values leave an operator to the object


def install_all() -> None:
    """Outputs can also be changed in place."""
    for cls in (Matrix, Vector):
        install(cls, True)
    for cls in (TransposedMatrix, Expression, Indexed):
        install(cls, False)
