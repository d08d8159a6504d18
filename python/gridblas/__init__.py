"""gridblas: sparse matrices and vectors over a grid of processes, in the manner of python-graphblas.

Every process makes the same calls and gets the same answers; one process without mpirun is the grid of one. docs/python.md tells more.
"""

from . import agg, algorithms, binary, dtypes, exceptions, indexunary, io, monoid, op, select, semiring, unary
from ._declarations import VERSION as __version__
from .grid import DeviceInfo, device, device_info, device_memory_limit, fallbacks, init, local_range, memory, memory_limit, rank, shape, size, span, threads
from .core.infix import install_all as _install_all
from .matrix import Matrix, TransposedMatrix
from .scalar import Scalar
from .core.update import replace
from .vector import Vector

_install_all()

__all__ = [
    "agg",
    "algorithms",
    "binary",
    "device",
    "device_info",
    "device_memory_limit",
    "DeviceInfo",
    "dtypes",
    "exceptions",
    "fallbacks",
    "indexunary",
    "init",
    "io",
    "local_range",
    "Matrix",
    "memory",
    "memory_limit",
    "monoid",
    "op",
    "rank",
    "replace",
    "Scalar",
    "select",
    "semiring",
    "shape",
    "size",
    "span",
    "threads",
    "TransposedMatrix",
    "unary",
    "Vector",
    "__version__",
]


def __dir__() -> list[str]:
    return __all__
