"""Collections used as each other's kind.

SuiteSparse:GraphBLAS stores scalars, vectors and matrices in one structure, and python-graphblas casts a pointer to one into a pointer to
another: a scalar is then a vector of one element, a vector a matrix of one column. This library stores them in different ways. A cast
therefore makes a copy of the kind that is asked for. A call that takes the copy first updates it from the original, and the original from
it afterwards, if it is the call's output (its first argument).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import library
from .._declarations import ffi

_call = library.call

KINDS = ("GrB_Scalar", "GrB_Vector", "GrB_Matrix")
_handles = {ffi.typeof(kind): kind for kind in KINDS}
_pointers = {ffi.typeof(f"{kind} *"): kind for kind in KINDS}


def _rows(x: Any) -> tuple[Any, int]:
    """GrB_ALL and the number of rows of a vector or matrix."""
    n = ffi.new("GrB_Index *")
    _call("GrB_Vector_size" if ffi.typeof(x) is ffi.typeof("GrB_Vector") else "GrB_Matrix_nrows", n, x)
    return library.symbol("GrB_ALL"), n[0]


# How the entries of one kind become those of another: COPY[from, to](destination, source).
COPY: dict[tuple[str, str], Callable[[Any, Any], int]] = {
    ("GrB_Scalar", "GrB_Vector"): lambda w, s: _call("GrB_Vector_setElement_Scalar", w, s, 0),
    ("GrB_Scalar", "GrB_Matrix"): lambda C, s: _call("GrB_Matrix_setElement_Scalar", C, s, 0, 0),
    ("GrB_Vector", "GrB_Scalar"): lambda s, v: _call("GrB_Vector_extractElement_Scalar", s, v, 0),
    ("GrB_Matrix", "GrB_Scalar"): lambda s, A: _call("GrB_Matrix_extractElement_Scalar", s, A, 0, 0),
    ("GrB_Vector", "GrB_Matrix"): lambda C, v: _call("GrB_Col_assign", C, None, None, v, *_rows(v), 0, None),
    ("GrB_Matrix", "GrB_Vector"): lambda w, A: _call("GrB_Col_extract", w, None, None, A, *_rows(A), 0, None),
}


def _new(kind: str, source_kind: str, source: Any) -> Any:
    """A pointer to a new object of a kind, of the type and size of another: the caller frees it."""
    type_, made = ffi.new("GrB_Type *"), ffi.new(f"{kind} *")
    _call(source_kind.replace("GrB_", "GxB_") + "_type", type_, source)
    rows = 1 if source_kind == "GrB_Scalar" else _rows(source)[1]
    shape = {"GrB_Scalar": (), "GrB_Vector": (rows,), "GrB_Matrix": (rows, 1)}[kind]
    _call(f"{kind}_new", made, type_[0], *shape)
    return made


class _View:
    """A copy of a collection as another kind: pointers to both."""

    def __init__(self, kind: str, original_kind: str, original: Any) -> None:
        self.kind, self.original_kind, self.original = kind, original_kind, original
        self.copy = _new(kind, original_kind, original[0])

    def load(self) -> None:
        if self.original[0]:
            COPY[self.original_kind, self.kind](self.copy[0], self.original[0])

    def store(self) -> None:
        if self.original[0]:
            COPY[self.kind, self.original_kind](self.original[0], self.copy[0])


# The copies in use, by the address of their handle.
views: dict[int, _View] = {}


def _address(x: Any) -> int:
    return int(ffi.cast("uintptr_t", x))


def _view(kind: str, original_kind: str, original: Any) -> Any:
    """A pointer of the other kind, whose copy lives as long as the pointer."""
    view = _View(kind, original_kind, original)
    view.load()
    address = _address(view.copy[0])
    views[address] = view

    def release(pointer: Any) -> None:
        del views[address]
        library.free_object(kind, library.symbol(f"{kind}_free"), pointer)

    return ffi.gc(view.copy, release)


def _converted(kind: str, original_kind: str, original: Any) -> Any:
    """A handle of the other kind in place of one that its owner gives up."""
    made = _new(kind, original_kind, original)
    COPY[original_kind, kind](made[0], original)
    _call(f"{original_kind}_free", ffi.new(f"{original_kind} *", original))
    return made[0]


def cast(ctype: Any, value: Any) -> Any:
    """As ffi.cast; a pointer to a collection may become a pointer to another kind, and a handle that nothing else holds a handle."""
    if isinstance(ctype, str) and ctype.startswith(KINDS) and isinstance(value, ffi.CData):
        kind, source = ffi.typeof(ctype), ffi.typeof(value)
        if kind in _pointers and source in _pointers and kind is not source:
            return _view(_pointers[kind], _pointers[source], value)
        if kind in _handles and source in _handles and kind is not source:
            return _converted(_handles[kind], _handles[source], value)
    return ffi.cast(ctype, value)


def call(function: Any, args: tuple[Any, ...]) -> int:
    """Calls a C function while copies are in use: those among the arguments are updated before, their originals after it."""
    found = [views.get(_address(x)) if isinstance(x, ffi.CData) and ffi.typeof(x) in _handles else None for x in args]
    for view in found:
        if view:
            view.load()
    info = function(*args)
    if info >= 0 and found and found[0]:
        found[0].store()
    return info
