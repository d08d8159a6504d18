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
    """A new binary operator, registered by its name.

    name  of the operator: gridblas.binary.NAME
    text  a C function for one type of operands, or a list of functions for several; math.h and stdint.h are included. The C compiler
          on the path compiles it; product kernels use it, too

    >>> hyp = gb.binary.register_new("hyp", "void hyp(double *z, const double *x, const double *y) { *z = sqrt(*x * *x + *y * *y); }")
    >>> v = gb.Vector.from_coo([0], [3.0])
    >>> v.ewise_mult(gb.Vector.from_coo([0], [4.0]), "hyp").new().to_dict()
    {0: 5.0}
    """
    return _text.register([_n.binary], "BinaryOp", name, text)


def register_anonymous(text: str | list[str]) -> Operator:
    """The same without a name.

    >>> mean = gb.binary.register_anonymous("void mean(double *z, const double *x, const double *y) { *z = (*x + *y) / 2; }")
    >>> mean(gb.Vector.from_coo([0], [3.0]), 4.0).new().to_dict()
    {0: 3.5}
    """
    return _text.register([], "BinaryOp", None, text)
