"""The namespaces: create an operator from its name, either predefined in the library or given as text."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import library
from ..core.operand import check_real
from ..dtypes import BOOL, INT64, DataType
from . import extra, predefined
from .base import BinaryOp, IndexUnaryOp, Monoid, Namespace, Operator, SelectOp, Semiring, TypedOperator, UnaryOp


def _either(kind: str, name: str) -> Any:
    """The predefined operator if it exists, else the text."""
    first = predefined.find_for(kind, name) if name_known(kind, name) else None
    second = extra.find_for(kind, name) if name in extra.TABLE[kind] else None

    def find(parent: Operator, dtype: DataType) -> TypedOperator | None:
        exact = first and predefined.object_of(kind, name, dtype)
        if exact and (dtype is BOOL or not second):
            return first(parent, dtype)
        return second(parent, dtype) if second else None

    return find


def name_known(kind: str, name: str) -> bool:
    """Whether the library has an operator of this name for some type."""
    return predefined.ALIASES.get(name, name) in predefined.TABLE[kind]


def _unary(name: str) -> Operator | None:
    known = name_known("UnaryOp", name) or name in extra.UNARY
    return UnaryOp(name, _either("UnaryOp", name)) if known else None


def _binary(name: str) -> Operator | None:
    known = name_known("BinaryOp", name) or name in extra.BINARY
    return BinaryOp(name, _either("BinaryOp", name)) if known else None


INDEX_ALIASES = {"index": "rowindex", "indexle": "rowle", "indexgt": "rowgt"}


def _index_form(name: str) -> Any:
    cname = INDEX_ALIASES.get(name, name)
    # Operators that read no value take all types, and an integer.
    return predefined.find_for("IndexUnaryOp", cname, None if cname.startswith("value") else INT64)


def _index(name: str) -> Operator | None:
    return IndexUnaryOp(name, _index_form(name)) if name_known("IndexUnaryOp", INDEX_ALIASES.get(name, name)) else None


def _select(name: str) -> Operator | None:
    known = name_known("IndexUnaryOp", INDEX_ALIASES.get(name, name)) and not name.endswith("index")
    return SelectOp(name, _index_form(name)) if known else None


# Monoids of predefined operators that have no predefined object: name of the operator: its identity for a type, or None.
def _identity(name: str, dtype: DataType) -> Any:
    if name in ("bor", "bxor", "band", "bxnor") and dtype.np_type.kind in "iu":
        ones = name in ("band", "bxnor")
        return np.iinfo(dtype.np_type).max if ones and dtype.np_type.kind == "u" else -1 if ones else 0
    if dtype is BOOL and name in ("min", "times", "eq", "max"):
        return name != "max"
    return None


MONOIDS_NEW = ["band", "bor", "bxnor", "bxor", "eq"]


def _monoid(name: str) -> Operator | None:
    if not name_known("Monoid", name) and name not in MONOIDS_NEW:
        return None
    only = predefined.only_type("Monoid", name)

    def find(parent: Operator, dtype: DataType) -> TypedOperator | None:
        cname = predefined.object_of("Monoid", name, only or dtype)
        if cname:
            return predefined.typed(parent, "Monoid", cname, dtype)
        identity = _identity(name, dtype)
        return None if identity is None else made_monoid(parent, binary.attribute(name)[dtype], dtype, identity)

    return Monoid(name, find)


def made_monoid(parent: Operator, op: TypedOperator, dtype: DataType, identity: Any) -> TypedOperator:
    """A monoid of an operator and an identity."""
    owner = library.make("GrB_Monoid", f"GrB_Monoid_new_{dtype.name}", op, identity)
    return TypedOperator(parent, dtype, op.return_type, owner[0], (owner, op))


def _semiring(name: str) -> Operator | None:
    add, _, mul = name.partition("_")
    adds = monoid.get(add) if mul else None
    if adds is None:
        return None
    multiplies = binary.get(mul)
    if multiplies is None:
        # It exists in semirings only, and reads no value.
        known = f"{add}_{mul}" in predefined.TABLE["Semiring"]
        return Semiring(name, adds, None, predefined.find_for("Semiring", name, INT64)) if known else None
    return Semiring(name, adds, multiplies, semiring_finder(adds, multiplies))


def semiring_parts(add: Operator, mul: Operator, dtype: DataType) -> tuple[TypedOperator, TypedOperator] | None:
    """The typed monoid and multiplication of a semiring for operands of a type; None where there are none."""
    if dtype not in mul:
        return None
    times = mul[dtype]
    if times.return_type not in add:
        # Pairs are counted whatever they are pairs of.
        if predefined.ALIASES.get(mul.name, mul.name) != "oneb" or dtype is not BOOL:
            return None
        times = mul[INT64]
    plus = add[times.return_type]
    if plus.return_type is not times.return_type:
        if BOOL not in mul:
            return None
        times = mul[BOOL]
    return plus, times


def typed_parts(semiring: TypedOperator) -> tuple[TypedOperator, TypedOperator] | None:
    """The typed monoid and multiplication of a typed semiring; None where the multiplication is by position."""
    parent = semiring.parent
    return None if parent.mul is None or predefined.is_position(parent.mul.name) else semiring_parts(parent.add, parent.mul, semiring.type)


def semiring_finder(add: Operator, mul: Operator) -> Any:
    """How a semiring is created: predefined, or from a monoid and an operator."""
    first = predefined.ALIASES.get(mul.name, mul.name)

    def find(parent: Operator, dtype: DataType) -> TypedOperator | None:
        parts = semiring_parts(add, mul, dtype)
        if parts is None:
            return None
        plus, times = parts
        cname = predefined.TABLE["Semiring"].get(f"{add.name}_{first}", {}).get(times.type.name)
        if cname:
            return predefined.typed(parent, "Semiring", cname, dtype)
        owner = library.make("GrB_Semiring", "GrB_Semiring_new", plus, times)
        return TypedOperator(parent, dtype, plus.return_type, owner[0], (owner, plus, times))

    return find


def _index_names() -> list[str]:
    return [*predefined.names("IndexUnaryOp"), *INDEX_ALIASES]


def _extra_names(kind: str) -> list[str]:
    return [*predefined.names(kind), *extra.TABLE[kind]]


unary = Namespace("unary operator", _unary, lambda: _extra_names("UnaryOp"))
binary = Namespace("binary operator", _binary, lambda: _extra_names("BinaryOp"))
indexunary = Namespace("index-unary operator", _index, _index_names)
select = Namespace("select operator", _select, lambda: [name for name in _index_names() if not name.endswith("index")])
monoid = Namespace("monoid", _monoid, lambda: [*predefined.names("Monoid"), *MONOIDS_NEW])
semiring = Namespace("semiring", _semiring, lambda: predefined.names("Semiring"))


def register_monoid(name: str, op: Any, identity: Any) -> Operator:
    """A new monoid, registered by its name.

    op        a binary operator that is associative and commutative
    identity  one value, or a dictionary {type: value}

    >>> larger = gb.monoid.register_new("larger", gb.binary.max, 0)
    >>> gb.Vector.from_coo([0, 1], [3, 4]).reduce(larger).value
    4
    """
    from . import lookup

    op = lookup.find(op, "binary")
    for value in identity.values() if isinstance(identity, dict) else (identity,):
        check_real("identity", value)

    def find(parent: Operator, dtype: DataType) -> TypedOperator | None:
        value = identity.get(dtype, identity.get(dtype.name)) if isinstance(identity, dict) else identity
        return made_monoid(parent, op[dtype], dtype, value) if dtype in op and value is not None else None

    return monoid.add(Monoid(name, find))


def register_semiring(name: str, add: Any, mul: Any) -> Operator:
    """A new semiring of a monoid that adds and a binary operator that multiplies, registered by its name.

    >>> widest = gb.semiring.register_new("widest", gb.monoid.max, gb.binary.min)
    >>> A = gb.Matrix.from_coo([0, 0], [0, 1], [3, 5], nrows=2)
    >>> A.mxv(gb.Vector.from_coo([0, 1], [9, 4]), widest).new().to_dict()
    {0: 4}
    """
    from . import lookup

    add, mul = lookup.find(add, "monoid", what="add"), lookup.find(mul, "binary", what="mul")
    return semiring.add(Semiring(name, add, mul, semiring_finder(add, mul)))
