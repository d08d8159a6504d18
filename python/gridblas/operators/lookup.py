"""What a program writes where an operator is wanted: an object, a name ("min_plus", "plus[FP64]") or a sign ("+", "<")."""

from __future__ import annotations

from typing import Any

from ..dtypes import INT64, DataType, unify
from . import namespaces
from .base import Operator, TypedOperator

SIGNS = {
    "unary": {"-": "ainv", "~": "lnot"},
    "select": {"<": "valuelt", ">": "valuegt", "<=": "valuele", ">=": "valuege", "!=": "valuene", "==": "valueeq"}
    | {"col<=": "colle", "col>": "colgt", "row<=": "rowle", "row>": "rowgt", "index<=": "indexle", "index>": "indexgt"},
    "binary": {"<": "lt", ">": "gt", "<=": "le", ">=": "ge", "!=": "ne", "==": "eq", "+": "plus", "-": "minus", "*": "times"}
    | {"/": "truediv", "//": "floordiv", "**": "pow", "&": "land", "|": "lor", "^": "lxor"},
    "monoid": {"==": "eq", "+": "plus", "*": "times", "&": "land", "|": "lor", "^": "lxor"},
}
KINDS = {
    "unary": "UnaryOp",
    "binary": "BinaryOp",
    "indexunary": "IndexUnaryOp",
    "select": "SelectOp",
    "monoid": "Monoid",
    "semiring": "Semiring",
    "aggregator": "Aggregator",
}
SIGNS["indexunary"] = SIGNS["select"]


def find(op: Any, *kinds: str) -> Operator | TypedOperator:
    """The operator that is meant, of the first of these kinds that has it; kinds are names of the namespaces."""
    if isinstance(op, (Operator, TypedOperator)):
        if op.kind not in [KINDS[kind] for kind in kinds]:
            raise TypeError(f"{' or '.join(KINDS[kind] for kind in kinds)} is wanted here, {op!r} is a {op.kind}")
        return op
    if not isinstance(op, str):
        raise TypeError(f"an operator or its name is wanted here, not {op!r}")
    base, bracket, dtype = op.partition("[")
    for kind in kinds:
        if (found := _named(base, kind)) is not None:
            return found[dtype.removesuffix("]")] if bracket else found
    raise ValueError(f"no {' or '.join(kinds)} operator is called {op!r}")


def _named(name: str, kind: str) -> Operator | None:
    if kind == "aggregator":
        from .. import agg

        return agg.get(name)
    if kind == "semiring" and "." in name:
        add, mul = name.split(".", 1)
        name = f"{SIGNS['monoid'].get(add, add)}_{SIGNS['binary'].get(mul, mul)}"
    return getattr(namespaces, kind).get(SIGNS.get(kind, {}).get(name, name))


def typed(op: Operator | TypedOperator, one: DataType, two: DataType | None = None) -> TypedOperator:
    """The operator for operands of these types."""
    if isinstance(op, TypedOperator):
        return op
    dtype = one if two is None else unify(one, two)
    if op.name.rpartition("_")[2] in ("pair", "oneb") and op.kind in ("BinaryOp", "Semiring"):
        dtype = INT64  # it looks at no value, and its ones are counted
    try:
        return op[dtype]
    except KeyError:
        raise TypeError(f"{op!r} has no form for {dtype}") from None
