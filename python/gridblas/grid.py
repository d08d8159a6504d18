"""The grid of processes and its devices."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from . import library
from ._declarations import ffi


def init(mode: str = "nonblocking", *, comm: Any = None, grid: tuple[int, int] | None = None, blocking: bool | None = None) -> None:
    """Starts the library; without this call the first object starts it. Collective.

    mode: "nonblocking" or "blocking". comm: a communicator of mpi4py's, whose processes form the grid; without one all processes that
    mpirun started, or this one alone. grid: its rows and columns.
    """
    if mode == "suitesparse":  # what python-graphblas calls its only backend
        mode = "nonblocking"
    if blocking is not None:
        mode = "blocking" if blocking else "nonblocking"
    library.start(mode, comm, grid)


def _started() -> Any:
    if not library.running():
        library.start()
    return library.lib


def rank() -> int:
    """This process's number."""
    return _started().Grid_rank()


def size() -> int:
    """The number of processes."""
    return _started().Grid_size()


def shape() -> tuple[int, int]:
    """Rows and columns of the grid of processes."""
    rows, cols = ffi.new("int *"), ffi.new("int *")
    _started().Grid_shape(rows, cols)
    return rows[0], cols[0]


def threads(number: int = 0) -> int:
    """Sets the number of threads of each process, if it is 1 or more, and gives the number in force."""
    return _started().Grid_threads(number)


def share(n: int) -> range:
    """The indices of a dimension n that this process owns."""
    first, count = ffi.new("GrB_Index *"), ffi.new("GrB_Index *")
    library.call("Grid_share", n, first, count)
    return range(first[0], first[0] + count[0])


def device(name: str | None = None) -> str:
    """Sets where operations run, "cpu" or "cuda", if a name is given, and gives the device in force. Collective."""
    lib = _started()
    if name is not None:
        if name not in ("cpu", "cuda"):
            raise ValueError(f"no such device: {name!r}; there are 'cpu' and 'cuda'")
        library.call("Grid_device_set", lib.Grid_CUDA if name == "cuda" else lib.Grid_CPU)
    return "cuda" if lib.Grid_device() == lib.Grid_CUDA else "cpu"


@dataclass(frozen=True)
class DeviceInfo:
    """A process's GPU: bytes in all, free, held by objects, and the most that was held."""

    name: str
    number: int
    count: int
    total: int
    free: int
    held: int
    peak: int


def device_info() -> DeviceInfo:
    """This process's GPU."""
    info = ffi.new("Grid_Device_Info *")
    library.call("Grid_device_info", info)
    return DeviceInfo(ffi.string(info.name).decode(), info.number, info.count, info.total, info.free, info.held, info.peak)


def fallbacks() -> dict[str, int]:
    """What was done on the CPU although the device is "cuda", and how often."""
    lib, count, found = _started(), ffi.new("uint64_t *"), {}
    while (text := lib.Grid_fallback(len(found), count)) != ffi.NULL:
        found[ffi.string(text).decode()] = count[0]
    return found


@contextmanager
def span(name: str) -> Iterator[None]:
    """`with gb.span("setup"):` is a stretch with a name in the trace, and in the lines, that GRIDBLAS_BURBLE asks for (gridblas.h). Each process tells its own."""
    kept = ffi.new("char[]", name.encode())
    lib = _started()
    lib.Grid_span_begin(kept)
    try:
        yield
    finally:
        lib.Grid_span_end()


def memory() -> int:
    """Bytes that the library holds on this process."""
    return _started().Grid_memory(ffi.NULL, False)
