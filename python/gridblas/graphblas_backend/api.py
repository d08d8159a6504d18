"""ffi and lib: the C API as suitesparse_graphblas offers it, from the library's own headers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .. import library
from .._declarations import ALIASES, COMPLEX_ARGUMENTS, CONSTANTS
from .._declarations import ffi as _ffi
from . import casts

_raw = library.lib
free = _raw.free


# An option of SuiteSparse:GraphBLAS 9 that version 10 lacks, and python-graphblas 2025.2 uses: the GPU of a context.
GPU_ID = 7088
OLD_NAMES = {"GxB_CONTEXT_GPU_ID": GPU_ID, "GxB_GLOBAL_GPU_ID": GPU_ID}


class _FFI:
    """cffi's ffi, except that cast also turns collections into each other's kind."""

    def __init__(self) -> None:
        for name in (x for x in dir(_ffi) if not x.startswith("__")):
            setattr(self, name, getattr(_ffi, name))
        self.cast = casts.cast


class _Object:
    """An object of the library as an attribute. python-graphblas takes the callable values of vars(lib) for functions; cffi's pointers are
    callable, too, so that vars(lib) has this in place of the pointer.
    """

    def __init__(self, pointer: Any) -> None:
        self.pointer = pointer

    def __get__(self, instance: Any, owner: Any) -> Any:
        return self.pointer

    def __set__(self, instance: Any, value: Any) -> None:
        raise AttributeError("a predefined object cannot be replaced")


class Library:
    """The functions, objects and constants of the headers whose names begin with GrB_ or GxB_."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"gridblas does not have {name}, which python-graphblas asked for")


def _plain(name: str, function: Any) -> Callable[..., int]:
    """The function; copies of other kinds (see casts) among its arguments are kept up to date."""

    def call(*args: Any) -> int:
        return casts.call(function, args) if casts.views else function(*args)

    return call


def _settling(name: str, function: Any) -> Callable[..., int]:
    """The same for a call after which vectors are freed that a garbage collector has found."""

    def call(*args: Any) -> int:
        info = casts.call(function, args) if casts.views else function(*args)
        library.free_late()
        return info

    return call


def _freeing(name: str, function: Any) -> Callable[..., int]:
    """GrB_X_free: see library.free_object."""
    kind = name.removesuffix("_free")
    return lambda pointer: library.free_object(kind, function, pointer)


def _context_option(name: str, function: Any) -> Callable[..., int]:
    """An option of a context. The GPU is -1, none in particular, and cannot be chosen: gridblas.device chooses where operations run."""
    inner = _plain(name, function)

    def call(context: Any, field: int, value: Any) -> int:
        if field != GPU_ID:
            return inner(context, field, value)
        if "_get_" in name:
            value[0] = -1
            return 0
        return 0 if int(value) < 0 else lib.GrB_INVALID_VALUE

    return call


def _complex(name: str, function: Any) -> Callable[..., int]:
    """A function that takes complex numbers, which cffi passes as structures of two parts."""
    positions = COMPLEX_ARGUMENTS[name]
    inner = _plain(name, function)

    def call(*args: Any) -> int:
        values = list(args)
        for k in positions:
            value = complex(values[k])
            values[k] = (value.real, value.imag)
        return inner(*values)

    return call


def handing_over(name: str, function: Any) -> Callable[..., int]:
    """A function that takes over arrays: GxB_Matrix_pack_CSR and the like.

    The memory of NumPy's arrays is NumPy's. The library gets a copy, which it frees itself. Each array's size in bytes is an argument that
    follows all arrays, in their order.
    """
    parameters = _ffi.typeof(function).args
    arrays = [k for k, p in enumerate(parameters) if p.kind == "pointer" and p.item.kind == "pointer" and not p.cname.startswith("struct")]
    inner = _plain(name, function)

    def call(*args: Any) -> int:
        values = list(args)
        for k, size in zip(arrays, args[arrays[-1] + 1 :]):
            copy = _raw.malloc(max(size, 1))
            if not copy:
                raise MemoryError(f"{name}: no memory for {size} bytes")
            _ffi.memmove(copy, args[k][0], size)
            values[k] = _ffi.new(_ffi.getctype(parameters[k]), _ffi.cast(parameters[k].item, copy))
        info = inner(*values)
        for k in arrays:
            free(values[k][0])  # NULL where the library has taken it
        return info

    return call


def _explaining(name: str, function: Any) -> Callable[..., int]:
    """GrB_X_error: the text of the last failed call where the object has none, because that call made no object."""
    kept = None

    def call(text: Any, thing: Any) -> int:
        nonlocal kept
        last = library.last_error()
        if function(text, thing) < 0 or not text[0] or text[0][0] == b"\0":
            kept = _ffi.new("char[]", last.encode())
            text[0] = kept
        return 0

    return call


def _wrapper(name: str) -> Callable[[str, Any], Callable[..., int]]:
    """What a function of this name needs around it."""
    if name.endswith("_free"):
        return _freeing
    if name.endswith("_error"):
        return _explaining
    if name in ("GxB_Context_get_INT32", "GxB_Context_set_INT32"):
        return _context_option
    if re.match(r"GxB_(Matrix|Vector)_(pack|import)_(?!HyperHash)", name):
        return handing_over
    if name in COMPLEX_ARGUMENTS:
        return _complex
    return _settling if name in library.SETTLING else _plain


def _function(name: str, function: Any) -> Callable[..., int]:
    """A C function as a Python one, with its name and declaration."""
    made = _wrapper(name)(name, function)
    made.__name__ = made.__qualname__ = name
    made.__doc__ = _ffi.typeof(function).cname.replace("(*)", f" {name}", 1)
    return made


def _library() -> Library:
    """All that the headers declare and the shared library exports."""
    made = Library()
    names = {name: name for name in dir(_raw) if name.startswith(("GrB_", "GxB_"))}
    names.update({name: symbol for name, symbol in ALIASES.items() if name.startswith(("GrB_", "GxB_"))})
    for name, symbol in names.items():
        value = getattr(_raw, symbol, None)
        if isinstance(value, _ffi.CData) and _ffi.typeof(value).kind == "function":
            vars(made)[name] = _function(name, value)
        elif isinstance(value, _ffi.CData):
            vars(made)[name] = _Object(value)
            setattr(Library, name, vars(made)[name])
        elif value is not None:
            vars(made)[name] = value
    vars(made).update({**OLD_NAMES, **CONSTANTS})
    return made


ffi = _FFI()
lib = _library()
