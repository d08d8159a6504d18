"""The operators that select entries, by name: gridblas.select.NAME."""

from __future__ import annotations

from .operators import namespaces as _n
from .operators.base import Operator

get = _n.select.get


def __getattr__(name: str) -> Operator:
    return _n.select.attribute(name)


def __dir__() -> list[str]:
    return _n.select.names()
