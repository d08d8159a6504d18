"""gridblas: sparse matrices and vectors over a grid of processes, in the manner of python-graphblas.

Every process makes the same calls and gets the same answers; one process without mpirun is the grid of one. docs/python.md tells more.
"""

from . import agg, algorithms, binary, dtypes, exceptions, indexunary, io, monoid, op, select, semiring, unary
from ._declarations import VERSION as __version__
from .grid import DeviceInfo, device, device_info, fallbacks, init, memory, rank, shape, share, size, span, threads
from .infix import install_all as _install_all
from .matrix import Matrix, TransposedMatrix
from .scalar import Scalar
from .update import replace
from .vector import Vector

_install_all()

__all__ = [
    "DeviceInfo",
    "Matrix",
    "Scalar",
    "TransposedMatrix",
    "Vector",
    "agg",
    "algorithms",
    "binary",
    "device",
    "device_info",
    "dtypes",
    "exceptions",
    "fallbacks",
    "indexunary",
    "init",
    "io",
    "memory",
    "monoid",
    "op",
    "rank",
    "replace",
    "select",
    "semiring",
    "shape",
    "share",
    "size",
    "span",
    "threads",
    "unary",
    "__version__",
]


def __dir__() -> list[str]:
    return __all__
