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
    """A new unary operator, registered by its name.

    name  of the operator: gridblas.unary.NAME
    text  a C function for one type of operands, or a list of functions for several; math.h and stdint.h are included. The C compiler
          on the path compiles it; product kernels use it, too

    >>> half = gb.unary.register_new("half", "void half(double *z, const double *x) { *z = *x / 2; }")
    >>> half(gb.Vector.from_coo([0], [3.0])).new().to_dict()
    {0: 1.5}
    """
    return _text.register([_n.unary], "UnaryOp", name, text)


def register_anonymous(text: str | list[str]) -> Operator:
    """The same without a name.

    >>> third = gb.unary.register_anonymous("void third(double *z, const double *x) { *z = *x / 3; }")
    >>> third(gb.Vector.from_coo([0], [3.0])).new().to_dict()
    {0: 1.0}
    """
    return _text.register([], "UnaryOp", None, text)
