"""The UnaryOp objects by name: gridblas.unary.NAME; register_new makes one of C text."""

from __future__ import annotations

from .operators import namespaces as _n
from .operators import text as _text
from .operators.base import Operator

get = _n.unary.get


def __getattr__(name: str) -> Operator:
    return _n.unary.attribute(name)


def __dir__() -> list[str]:
    return [*_n.unary.names(), "register_anonymous", "register_new"]


def register_new(name: str, text: str | list[str]) -> Operator:
    """Takes an operator in under a name: C text of a function for each type of operands, as gridblas.h says of its definitions."""
    return _text.register([_n.unary], "UnaryOp", name, text)


def register_anonymous(text: str | list[str]) -> Operator:
    """The same without a name."""
    return _text.register([], "UnaryOp", None, text)
