"""Accepted forms of an operator argument: an object, a name ("min_plus", "plus[FP64]") or a sign ("+", "<")."""

from __future__ import annotations

from typing import Any

from ..dtypes import INT64, DataType, unify
from ..core.operand import describe_value, similar
from . import namespaces
from .base import Operator, TypedOperator

SIGNS = {
    "unary": {"-": "ainv", "~": "lnot"},
    "select": {"<": "valuelt", ">": "valuegt", "<=": "valuele", ">=": "valuege", "!=": "valuene", "==": "valueeq"}
    | {"col<=": "colle", "col>": "colgt", "row<=": "rowle", "row>": "rowgt", "index<=": "indexle", "index>": "indexgt"},
    "binary": {"<": "lt", ">": "gt", "<=": "le", ">=": "ge", "!=": "ne", "==": "eq", "+": "plus", "-": "minus", "*": "times"}
    | {"/": "truediv", "//": "floordiv", "%": "floormod", "**": "pow", "&": "land", "|": "lor", "^": "lxor"},
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
PHRASES = {
    "unary": "unary operator",
    "binary": "binary operator",
    "indexunary": "index-unary operator",
    "select": "select operator",
    "monoid": "monoid",
    "semiring": "semiring",
    "aggregator": "aggregator",
}


def find(op: Any, *kinds: str, what: str = "op") -> Any:
    """The operator that is meant, of the first of these kinds that has it; kinds are names of the namespaces, `what` names the argument in
    messages."""
    if getattr(op, "kind", None) in [KINDS[kind] for kind in kinds]:
        return op
    if not isinstance(op, str):
        known = f"{op!r}, which is a {op.kind}" if isinstance(op, (Operator, TypedOperator)) else describe_value(op)
        hint = "; gridblas.binary.register_new makes an operator of C text" if describe_value(op) == "a Python function" else ""
        raise TypeError(f"{what}: {_expected(kinds)} is expected, not {known}{hint}")
    base, bracket, dtype = op.partition("[")
    for kind in kinds:
        if (found := _named(base, kind)) is not None:
            return found[dtype.removesuffix("]")] if bracket else found
    raise ValueError(f"{what}: no {' or '.join(PHRASES[kind] for kind in kinds)} is called {op!r}{_similar(base, kinds)}")


def _expected(kinds: tuple[str, ...]) -> str:
    modules = ", ".join(f"gridblas.{'agg' if kind == 'aggregator' else kind}" for kind in kinds)
    names = " or ".join(PHRASES[kind] for kind in kinds)
    return f"{'an' if names.startswith('index') else 'a'} {names} (of {modules}, or its name)"


def _similar(name: str, kinds: tuple[str, ...]) -> str:
    """Names of other kinds' operators that are close to a wrong one, as the end of a message."""
    from .. import agg

    known = {n for kind in kinds for n in (dir(agg) if kind == "aggregator" else getattr(namespaces, kind).names())}
    return similar(name, known)


def _named(name: str, kind: str) -> Operator | None:
    if kind == "aggregator":
        from .. import agg

        return agg.get(name)
    if kind == "semiring" and "." in name:
        add, mul = name.split(".", 1)
        name = f"{SIGNS['monoid'].get(add, add)}_{SIGNS['binary'].get(mul, mul)}"
    return getattr(namespaces, kind).get(SIGNS.get(kind, {}).get(name, name))


def named(module: str, name: str) -> Operator | None:
    """The operator of this name in a namespace, or None."""
    return getattr(namespaces, module).get(name)


def typed(op: Operator | TypedOperator, one: DataType, two: DataType | None = None) -> TypedOperator:
    """The operator for operands of these types."""
    if isinstance(op, TypedOperator):
        return op
    dtype = one if two is None else unify(one, two)
    if op.name.rpartition("_")[2] in ("pair", "oneb") and op.kind in ("BinaryOp", "Semiring"):
        dtype = INT64  # it reads no value, and its ones are counted
    try:
        return op[dtype]
    except KeyError:
        raise TypeError(f"{op!r} has no form for {dtype}") from None
