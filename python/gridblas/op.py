"""Operators of all kinds by name: gridblas.op.NAME is the unary, binary, index-unary one or the semiring of this name."""

from __future__ import annotations

from .operators import namespaces as _n
from .operators.base import Operator

_ORDER = (_n.binary, _n.unary, _n.semiring, _n.indexunary)


def __getattr__(name: str) -> Operator:
    for namespace in _ORDER:
        if (found := namespace.get(name)) is not None:
            return found
    raise AttributeError(f"no operator is called {name!r}")


def __dir__() -> list[str]:
    return sorted({name for namespace in _ORDER for name in namespace})
