"""The library's predefined operators, by kind, name and type: the objects that its headers declare."""

from __future__ import annotations

import re
from collections import defaultdict

from .. import library
from .._declarations import OBJECTS, TYPES, ffi
from ..dtypes import BOOL, DataType, type_of_code
from .base import Operator, TypedOperator

# Names that Python programs use, and the standard's.
ALIASES = {"pair": "oneb", "cdiv": "div"}


def _table() -> dict[str, dict[str, dict[str, str]]]:
    """kind: name: type: object. An object without a type in its name stands under ''."""
    table: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for name, kind in OBJECTS.items():
        words = [word for word in name.split("_")[1:] if word not in ("MONOID", "SEMIRING")]
        dtype = words.pop() if words[-1] in TYPES else ""
        table[kind.removeprefix("GrB_")]["_".join(words).lower()][dtype] = name
    return table


TABLE = _table()


def object_of(kind: str, name: str, dtype: DataType) -> str | None:
    """The C name of an operator of this kind for this type."""
    forms = TABLE[kind].get(ALIASES.get(name, name), {})
    if set(forms) == {"INT32", "INT64"}:  # of positions: they do not read the values
        return forms.get(dtype.name, forms["INT64"])
    return forms.get(dtype.name) or forms.get("")


def names(kind: str) -> list[str]:
    """All names of a kind, the aliases with them."""
    found = [name for name in TABLE[kind] if name not in ("true", "false")]
    return found + [alias for alias, name in ALIASES.items() if name in TABLE[kind]]


def result_type(kind: str, handle: object) -> DataType:
    """The result type, as the library reports it."""
    code = ffi.new("int32_t *")
    library.call(f"GrB_{kind}_get_INT32", handle, code, library.lib.GrB_OUTP_TYPE_CODE)
    return type_of_code(code[0])


def typed(parent: Operator, kind: str, cname: str, dtype: DataType) -> TypedOperator:
    """The operator of this C name, for operands of this type."""
    library.start_once()
    handle = library.symbol(cname)
    return TypedOperator(parent, dtype, result_type(kind, handle), handle)


# Operators of one type alone take others, too, cast to it.
def find_for(kind: str, name: str, taken: DataType | None = None):  # noqa: ANN201
    """How an operator finds its form for a type."""

    def find(parent: Operator, dtype: DataType) -> TypedOperator | None:
        cname = object_of(kind, name, taken or dtype)
        return typed(parent, kind, cname, dtype) if cname else None

    return find


def is_position(name: str) -> bool:
    """Is it a binary operator that gives a row or column of an operand? Which one depends on the operation."""
    return re.fullmatch("(first|second)[ij]1?", name) is not None


def only_type(kind: str, name: str) -> DataType | None:
    """BOOL, where an operator has a form for it alone."""
    return BOOL if list(TABLE[kind].get(name, {})) == ["BOOL"] else None
