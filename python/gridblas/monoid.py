"""The monoids by name: gridblas.monoid.NAME; register_new makes one of an operator and its identity."""

from __future__ import annotations

from .operators import namespaces as _n
from .operators.base import Operator

get = _n.monoid.get
register_new = _n.register_monoid


def __getattr__(name: str) -> Operator:
    return _n.monoid.attribute(name)


def __dir__() -> list[str]:
    return [*_n.monoid.names(), "register_new"]
