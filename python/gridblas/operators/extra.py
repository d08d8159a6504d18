"""Operators that the standard lacks and Python programs use, as C text, compiled at their first use."""

from __future__ import annotations

import numpy as np

from ..dtypes import BOOL, FP64, INT8, DataType, is_floating, lookup_dtype
from . import text
from .base import Operator, TypedOperator

# name: (types, expression). Types: "fp": FP32 or FP64, whichever holds the operand, and so the result; "test": the same
# with a BOOL result, of floating types alone; "same": the operand's; "true": FP64 of integers; "number": "same", BOOL as INT8.
UNARY = {
    "one": ("same", "1"),
    "signum": ("fp", "*x > 0 ? 1 : *x < 0 ? -1 : *x"),
    "isnan": ("test", "*x != *x"),
    "isinf": ("test", "*x - *x != 0 && *x == *x"),
    "isfinite": ("test", "*x - *x == 0"),
}
for _name in (
    "sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh ceil floor round "
    "trunc cbrt erf erfc lgamma tgamma"
).split():
    # Halves go to the even number, as in numpy.
    UNARY[_name] = ("fp", f"{'rint' if _name == 'round' else _name}((double)*x)")
BINARY = {
    "rminus": ("same", "*y - *x"),
    "truediv": ("true", "*x / *y"),
    "rtruediv": ("true", "*y / *x"),
    "floordiv": ("number", "FLOOR(*x, *y)"),
    "rfloordiv": ("number", "FLOOR(*y, *x)"),
    "floormod": ("number", "MODULO(*x, *y)"),
    "rfloormod": ("number", "MODULO(*y, *x)"),
    "absfirst": ("same", "*x < 0 ? -*x : *x"),
    "abssecond": ("same", "*y < 0 ? -*y : *y"),
    "pow": ("fp", "pow((double)*x, (double)*y)"),
    "rpow": ("fp", "pow((double)*y, (double)*x)"),
    "lor": ("same", "*x != 0 || *y != 0"),
    "land": ("same", "*x != 0 && *y != 0"),
    "lxor": ("same", "(*x != 0) != (*y != 0)"),
}
for _name in "atan2 hypot fmod remainder copysign".split():
    BINARY[_name] = ("fp", f"{_name}((double)*x, (double)*y)")
for _name, _sign in {"eq": "==", "ne": "!=", "gt": ">", "lt": "<", "ge": ">=", "le": "<="}.items():
    BINARY["is" + _name] = ("same", f"*x {_sign} *y")
TABLE = {"UnaryOp": UNARY, "BinaryOp": BINARY}


def _operand(rule: str, dtype: DataType) -> DataType | None:
    """The type that an operator computes in, for operands of this one."""
    if rule == "fp":
        return lookup_dtype(np.promote_types(dtype.np_type, np.float32))
    if rule == "test":
        return dtype if is_floating(dtype) else None
    if rule == "true":
        return dtype if is_floating(dtype) else FP64
    return INT8 if rule == "number" and dtype is BOOL else dtype


def _floor(operand: DataType, x: str, y: str) -> str:
    """The quotient rounded down; of integers divided by zero 0."""
    if is_floating(operand):
        return f"floor((double)({x} / {y}))"
    if operand.np_type.kind == "u":
        return f"{y} == 0 ? 0 : {x} / {y}"
    return f"{y} == 0 ? 0 : {y} == -1 ? 0 - {x} : {x} / {y} - ({x} % {y} != 0 && ({x} < 0) != ({y} < 0))"


def _modulo(operand: DataType, x: str, y: str) -> str:
    """What that quotient leaves, of the sign of y; of integers divided by zero 0."""
    if operand.np_type.kind == "u":
        return f"{y} == 0 ? 0 : {x} % {y}"
    rest, none = (f"fmod({x}, {y})", "") if is_floating(operand) else (f"({x} % {y})", f"{y} == 0 || {y} == -1 ? 0 : ")
    return f"{none}{rest} != 0 && ({rest} < 0) != ({y} < 0) ? {rest} + {y} : {rest}"


def _text(kind: str, name: str, rule: str, expression: str, operand: DataType) -> str:
    if expression.startswith("FLOOR"):
        expression = _floor(operand, *expression[6:-1].split(", "))
    if expression.startswith("MODULO"):
        expression = _modulo(operand, *expression[7:-1].split(", "))
    result = BOOL if rule == "test" else operand
    second = f", const {operand.c_type} *y" if kind == "BinaryOp" else ""
    function = f"gridblas_{name}_{operand.name}"
    return f"void {function}({result.c_type} *z, const {operand.c_type} *x{second}) {{ *z = ({result.c_type})({expression}); }}"


def find_for(kind: str, name: str):  # noqa: ANN201
    """How such an operator finds its form for a type."""
    rule, expression = TABLE[kind][name]

    def find(parent: Operator, dtype: DataType) -> TypedOperator | None:
        operand = _operand(rule, dtype)
        if operand is None:
            return None
        if operand is not dtype and operand in parent._typed and (form := parent._typed[operand]):
            return text._like(form, dtype)
        return text.typed(parent, kind, _text(kind, name, rule, expression, operand), dtype)

    return find
