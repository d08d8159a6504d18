"""Reductions to a scalar or a vector, by a monoid or an aggregator."""

from __future__ import annotations

from typing import Any

from .expression import Expression, calls
from ..operators import lookup
from ..operators.base import TypedOperator


def reduction(op: Any, dtype: Any) -> Any:
    """The aggregator or the monoid that is meant, for entries of this type."""
    found = lookup.find(op, "monoid", "aggregator", "binary")
    if found.kind == "Aggregator":
        return found
    if found.kind == "BinaryOp":
        parent = found.parent if isinstance(found, TypedOperator) else found
        if parent.monoid is None:
            raise TypeError(f"op: a monoid or an aggregator is expected, and {found!r} is neither: it has no identity")
        found = parent.monoid[found.type] if isinstance(found, TypedOperator) else parent.monoid
    return lookup.typed(found, dtype)


def reduce_to_scalar(x: Any, op: Any, allow_empty: bool) -> Expression:
    """All entries of x as one scalar; without entries an empty one, or the monoid's identity."""
    found = reduction(op, x.dtype)
    if found.kind == "Aggregator":
        if not allow_empty:
            raise ValueError("allow_empty=False is for monoids: an aggregator of no entries has no value")
        return found.expression(x, "scalar")
    if allow_empty:
        return calls("Scalar", found.return_type, (), f"GrB_{x.kind}_reduce_Monoid_Scalar", found, x.parent)

    from .. import library
    from .._declarations import ffi
    from .expression import recipe

    def make() -> Any:
        number = ffi.new(found.return_type.c_type + " *")
        library.call(f"GrB_{x.kind}_reduce_{found.return_type.name}", number, None, found, x.parent, None)
        return found.return_type.np_type.type(number[0])

    return recipe("Scalar", found.return_type, (), make, f"reduce({found!r})")


def reduce_to_vector(x: Any, op: Any, by_column: bool) -> Expression:
    """The entries of each row (column) of a matrix as an entry of a vector."""
    found = reduction(op, x.dtype)
    if found.kind == "Aggregator":
        return found.expression(x, "columnwise" if by_column else "rowwise")
    size = x.ncols if by_column else x.nrows
    flag = by_column != x.is_transposed
    return calls("Vector", found.return_type, (size,), "GrB_Matrix_reduce_Monoid", found, x.parent, first=flag)
