"""The IndexUnaryOp objects by name: gridblas.indexunary.NAME; register_new makes one of C text."""

from __future__ import annotations

from .operators import namespaces as _n
from .operators import text as _text
from .operators.base import Operator

get = _n.indexunary.get


def __getattr__(name: str) -> Operator:
    return _n.indexunary.attribute(name)


def __dir__() -> list[str]:
    return [*_n.indexunary.names(), "register_anonymous", "register_new"]


def register_new(name: str, text: str | list[str]) -> Operator:
    """A new index-unary operator, registered by its name.

    name  of the operator: gridblas.indexunary.NAME
    text  a C function for one type of operands, or a list of functions for several; math.h and stdint.h are included. The C compiler
          on the path compiles it; product kernels use it, too

    >>> text = "void band(bool *z, const double *x, GrB_Index i, GrB_Index j, const int64_t *y) { *z = (i > j ? i - j : j - i) <= *y; }"
    >>> band = gb.indexunary.register_new("band", text)
    >>> gb.Matrix.from_dense(np.ones((4, 4))).select(band, 1).nvals
    10
    """
    return _text.register([_n.indexunary], "IndexUnaryOp", name, text)


def register_anonymous(text: str | list[str]) -> Operator:
    """The same without a name.

    >>> text = "void far(bool *z, const double *x, GrB_Index i, GrB_Index j, const int64_t *y) { *z = (i > j ? i - j : j - i) > *y; }"
    >>> gb.Matrix.from_dense(np.ones((4, 4))).select(gb.indexunary.register_anonymous(text), 1).nvals
    6
    """
    return _text.register([], "IndexUnaryOp", None, text)
