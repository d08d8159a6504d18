"""python-graphblas over gridblas: this module takes the place of suitesparse_graphblas.

    import gridblas.graphblas_backend
    import graphblas as gb

python-graphblas then runs on this library: on one process, on a grid of processes under mpirun, on a GPU. To choose the grid or the
device, call gridblas.init and gridblas.device between the two lines, or set GRIDBLAS_GRID and GRIDBLAS_DEVICE (docs/python_graphblas.md).

The module has the shape of suitesparse_graphblas: ffi and lib (the C API), initialize, check_status, burble, utils, exceptions. `lib` has
what the headers of gridblas declare. A name that it lacks is an AttributeError that says so.
"""

import sys
from typing import Any

from .. import exceptions, library
from . import api, utils
from .api import ffi, lib
from .burble import burble

# The version of SuiteSparse:GraphBLAS whose extensions the headers follow, and of the module that this one stands for.
libgraphblas_version = (10, 5, 1)
__version__ = "10.5.1.0"


def is_initialized() -> bool:
    """Whether the library has been initialised, by this module or by gridblas.init."""
    return library.running()


def supports_complex() -> bool:
    """Whether the library has the complex types GxB_FC32 and GxB_FC64."""
    return hasattr(lib, "GxB_FC64")


def initialize(*, blocking: bool = False, memory_manager: str = "numpy") -> None:
    """Initialises the library, as gridblas.init does. Collective.

    memory_manager  "numpy" or "c", as for suitesparse_graphblas. The library uses the allocator of C with both.
    """
    if memory_manager.lower() not in ("numpy", "c"):
        raise ValueError(f'memory_manager: "numpy" or "c" is expected, not {memory_manager!r}')
    if is_initialized():
        raise RuntimeError("GraphBLAS is already initialized!  Unable to initialize again.")
    library.start("blocking" if blocking else "nonblocking")


def libget(name: str) -> Any:
    """A function, object or constant by its name with GrB_, which may be an extension: then its name has GxB_ instead."""
    return getattr(lib, name if hasattr(lib, name) else f"GxB_{name[4:]}")


def vararg(value: Any) -> Any:
    """The value itself: cffi passes it as an argument of a variadic function."""
    return value


def check_status(obj: Any, response_code: int) -> Any:
    """Raises the exception of a return code, with the error text of obj, the first argument of the call (or a pointer to it)."""
    if response_code == lib.GrB_SUCCESS:
        return None
    if response_code == lib.GrB_NO_VALUE:
        return exceptions.NoValue
    kind = ffi.typeof(obj)
    if kind.item.kind == "pointer":
        obj, kind = obj[0], kind.item
    name = kind.cname.removeprefix("struct GB_").removesuffix("_opaque *")
    text = ffi.new("char **")
    libget(f"GrB_{name}_error")(text, obj)
    code = ffi.string(library.lib.Grid_info_name(response_code)).decode()
    raise exceptions.named(code)(ffi.string(text[0]).decode() or library.last_error() or code)


def _types(*names: str) -> frozenset:
    return frozenset(getattr(lib, name) for name in names if hasattr(lib, name))


bool_types = _types("GrB_BOOL")
signed_integer_types = _types("GrB_INT8", "GrB_INT16", "GrB_INT32", "GrB_INT64")
unsigned_integer_types = _types("GrB_UINT8", "GrB_UINT16", "GrB_UINT32", "GrB_UINT64")
integer_types = signed_integer_types | unsigned_integer_types
real_types = _types("GrB_FP32", "GrB_FP64")
complex_types = _types("GxB_FC32", "GxB_FC64")
grb_types = bool_types | integer_types | real_types | complex_types

_NAME = "suitesparse_graphblas"


def _register() -> None:
    """Makes this module the one that python-graphblas imports."""
    other = sys.modules.get(_NAME)
    if other is not None and other is not sys.modules[__name__]:
        raise ImportError(f"gridblas.graphblas_backend must be imported before graphblas: {_NAME} is {other.__file__} already")
    sys.modules[_NAME] = sys.modules[__name__]
    sys.modules[f"{_NAME}.utils"] = utils
    sys.modules[f"{_NAME}.exceptions"] = exceptions


_register()

__all__ = [
    "api",
    "bool_types",
    "burble",
    "check_status",
    "complex_types",
    "exceptions",
    "ffi",
    "grb_types",
    "initialize",
    "integer_types",
    "is_initialized",
    "lib",
    "libget",
    "libgraphblas_version",
    "real_types",
    "signed_integer_types",
    "supports_complex",
    "unsigned_integer_types",
    "utils",
    "vararg",
]
