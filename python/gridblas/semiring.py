"""The semirings by name: gridblas.semiring.ADD_MUL of every monoid and operator; register_new makes one of two others."""

from __future__ import annotations

from .operators import namespaces as _n
from .operators.base import Operator

get = _n.semiring.get
register_new = _n.register_semiring


def __getattr__(name: str) -> Operator:
    return _n.semiring.attribute(name)


def __dir__() -> list[str]:
    return [*_n.semiring.names(), "register_new"]
