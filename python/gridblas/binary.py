"""The BinaryOp objects by name: gridblas.binary.NAME; register_new makes one of C text."""

from __future__ import annotations

from .operators import namespaces as _n
from .operators import text as _text
from .operators.base import Operator

get = _n.binary.get


def __getattr__(name: str) -> Operator:
    return _n.binary.attribute(name)


def __dir__() -> list[str]:
    return [*_n.binary.names(), "register_anonymous", "register_new"]


def register_new(name: str, text: str | list[str]) -> Operator:
    """Takes an operator in under a name: C text of a function for each type of operands, as gridblas.h says of its definitions."""
    return _text.register([_n.binary], "BinaryOp", name, text)


def register_anonymous(text: str | list[str]) -> Operator:
    """The same without a name."""
    return _text.register([], "BinaryOp", None, text)
