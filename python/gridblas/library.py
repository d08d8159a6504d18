"""The C library: where it is, how it starts and ends, and how its functions are called."""

from __future__ import annotations

import atexit
import gc
import os
import threading
import warnings
from typing import Any

from . import exceptions
from ._declarations import VERSION, ffi

NULL = ffi.NULL
_alive = False
_starting = threading.RLock()  # a thread whose call comes meanwhile waits


def _with_cuda() -> str | None:
    """The library of the package gridblas-cuda13, if that is installed in this version."""
    try:
        import gridblas_cuda13
    except ImportError:
        return None
    if gridblas_cuda13.__version__ == VERSION:
        return gridblas_cuda13.library
    warnings.warn(
        f"gridblas-cuda13 {gridblas_cuda13.__version__} is not used, because gridblas is {VERSION}: pip install gridblas-cuda13=={VERSION}",
        stacklevel=2,
    )
    return None


def _path() -> str:
    """$GRIDBLAS_LIBRARY, else that with CUDA, else what was installed with this package, else what the system's loader finds."""
    bundled = os.path.join(os.path.dirname(__file__), "libgridblas.so")
    return os.environ.get("GRIDBLAS_LIBRARY") or _with_cuda() or (bundled if os.path.exists(bundled) else "libgridblas.so.0")


# Local: another GraphBLAS library in this process keeps its own functions of the same names.
lib = ffi.dlopen(_path(), ffi.RTLD_NOW | ffi.RTLD_LOCAL)


def symbol(name: str) -> Any:
    """A function or object of the C API by its name in the headers."""
    return getattr(lib, name)


def last_error() -> str:
    """The sentence about the last failed call on this process."""
    return ffi.string(lib.Grid_last_error()).decode()


# These go to C as they are: to find that they have no handle takes longer than many calls.
_PLAIN = {int, float, bool, type(NULL), type(ffi.new("int *")), type(ffi.gc(ffi.new("int *"), id))}


def check(info: int) -> int:
    """Raises the exception of a return code; GrB_NO_VALUE is a result, not an error."""
    if info < 0:
        name = ffi.string(lib.Grid_info_name(info)).decode()
        raise exceptions.named(name)(last_error() or name)
    return info


def call(name: str, *args: Any) -> int:
    """Calls a C function; objects of this package are passed by their handles, None is NULL."""
    if not _alive:
        start_once()
    values = [a if type(a) in _PLAIN else NULL if a is None else getattr(a, "handle", a) for a in args]
    info = check(getattr(lib, name)(*values))
    if _late and name in SETTLING:
        free_late()
    return info


def start(mode: str = "nonblocking", comm: Any = None, grid: tuple[int, int] | None = None) -> None:
    """Starts the library, if it does not run: see gridblas.init."""
    global _alive
    if mode not in ("blocking", "nonblocking"):
        raise ValueError(f"mode is {mode!r}, neither 'blocking' nor 'nonblocking'")
    address = NULL
    if comm is not None:
        from mpi4py import MPI

        address = ffi.cast("void *", MPI._addressof(comm))
    rows, cols = grid or (0, 0)
    value = lib.GrB_BLOCKING if mode == "blocking" else lib.GrB_NONBLOCKING
    with _starting:
        if _alive:
            raise exceptions.InvalidValue("init: the library runs already; call init before anything else")
        check(lib.Grid_init(value, address, rows, cols))
        _alive = True
    atexit.register(stop)


def start_once() -> None:
    """Starts the library if it does not run."""
    with _starting:
        if not _alive:
            start()


def stop() -> None:
    """Finalizes the library, which frees the memory of remaining objects."""
    global _alive
    if _alive:
        _alive = False
        check(symbol("GrB_finalize")())


def running() -> bool:
    """Whether the library has been started."""
    return _alive


def make(kind: str, maker: str, *args: Any) -> Any:
    """A new C object: a pointer to its handle, which is freed with the last reference to the pointer."""
    pointer = ffi.new(kind + " *")
    call(maker, pointer, *args)
    return owned(kind, pointer)


def owned(kind: str, pointer: Any) -> Any:
    """The same for a handle that the library has written to pointer[0]."""

    def release(p: Any) -> None:
        free_object(kind, symbol(kind + "_free"), p)

    return ffi.gc(pointer, release)


# References go at the same point of the program on all processes, cycles when each process's collector likes. A vector may have single
# elements waiting, which all processes merge together: it is freed after a call that has done so.
SETTLING = {
    "GrB_mxm",
    "GrB_mxv",
    "GrB_vxm",
    "GrB_transpose",
    "GrB_Vector_nvals",
    "GrB_Matrix_nvals",
    "GrB_Vector_apply",
    "GrB_Matrix_apply",
}
_late: list[tuple[Any, Any]] = []
_collecting = False


def free_object(kind: str, free: Any, pointer: Any) -> int:
    """Frees an object by its C function; a vector that Python's collector of cycles has found, after the next call of SETTLING."""
    if not _alive:  # finalizing the library has freed it
        return 0
    if _collecting and kind == "GrB_Vector" and pointer:
        _late.append((free, ffi.new("GrB_Vector *", pointer[0])))
        pointer[0] = NULL
        return 0
    return free(pointer)


def free_late() -> None:
    """Frees the vectors that free_object has postponed. Another thread may take the last one first."""
    while True:
        try:
            free, pointer = _late.pop()
        except IndexError:
            return
        free(pointer)


def _collector(phase: str, _: dict[str, int]) -> None:
    global _collecting
    _collecting = phase == "start"


gc.callbacks.append(_collector)
