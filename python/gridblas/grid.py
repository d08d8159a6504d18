"""The grid of processes and its devices."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from . import library
from ._declarations import ffi
from .core.operand import check_integer, describe_value


def init(mode: str = "nonblocking", *, comm: Any = None, grid: tuple[int, int] | None = None, blocking: bool | None = None) -> None:
    """Starts the library; without this call the first object starts it. Collective.

    mode  "nonblocking" or "blocking"
    comm  a communicator of mpi4py's, whose processes form the grid; None: all processes that mpirun started, or this one alone
    grid  rows and columns of the grid; None: GRIDBLAS_GRID, else one column up to 16 processes

    A script that begins with `gb.init(grid=(4, 1))` distributes whole rows over its four processes.
    """
    if grid is not None and not (isinstance(grid, (tuple, list)) and len(grid) == 2):
        raise TypeError(f"grid: two numbers, its rows and columns, are expected, not {describe_value(grid)}")
    if mode == "suitesparse":  # what python-graphblas calls its only backend
        mode = "nonblocking"
    if blocking is not None:
        mode = "blocking" if blocking else "nonblocking"
    library.start(mode, comm, grid)


def _started() -> Any:
    library.start_once()
    return library.lib


def rank() -> int:
    """This process's number, 0 to size() - 1.

    >>> gb.rank() < gb.size()
    True
    """
    return _started().Grid_rank()


def size() -> int:
    """The number of processes.

    >>> rows, columns = gb.shape()
    >>> gb.size() == rows * columns
    True
    """
    return _started().Grid_size()


def shape() -> tuple[int, int]:
    """Rows and columns of the grid of processes.

    >>> len(gb.shape())
    2
    """
    rows, cols = ffi.new("int *"), ffi.new("int *")
    _started().Grid_shape(rows, cols)
    return rows[0], cols[0]


def threads(number: int = 0) -> int:
    """Sets the number of threads of each process, if `number` is 1 or more, and returns the number in force.

    >>> gb.threads(gb.threads()) == gb.threads()
    True
    """
    return _started().Grid_threads(min(check_integer("number", number), 2**31 - 1))


def local_range(n: int) -> range:
    """The indices of a dimension n whose vector entries this process owns; together the processes own 0 to n - 1.

    >>> own = gb.local_range(1000)
    >>> gb.Vector.from_local(own, np.ones(len(own)), size=1000).nvals
    1000
    """
    n = check_integer("n", n)
    first, count = ffi.new("GrB_Index *"), ffi.new("GrB_Index *")
    library.call("Grid_local_range", n, first, count)
    return range(first[0], first[0] + count[0])


def device(name: str | None = None) -> str:
    """Sets where operations run, if a name is given, and returns the current device, "cpu" or "cuda". Collective.

    name  "cpu"; "cuda", the GPU with the number of this process on its machine; or "cuda:1" and the like, the GPU of that number, which may be
          another one on each process. Once a GPU is in use it cannot become another one

    >>> gb.device("cpu")
    'cpu'
    """
    lib = _started()
    if name is not None:
        library.call("Grid_device_set", _device_number(name))
    return "cuda" if lib.Grid_device() == lib.Grid_CUDA else "cpu"


def _device_number(name: str) -> int:
    """What Grid_device_set takes."""
    number = library.lib.Grid_device_of(name.encode()) if isinstance(name, str) else -1
    if number < 0:
        raise ValueError(f"no such device: 'cpu', 'cuda' or 'cuda:1' with the number of a GPU is expected, not {describe_value(name)}")
    return number


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
    """This process's GPU, as a DeviceInfo; without one an exception. `gb.device_info().free` is the free memory in bytes."""
    info = ffi.new("Grid_Device_Info *")
    library.call("Grid_device_info", info)
    return DeviceInfo(ffi.string(info.name).decode(), info.number, info.count, info.total, info.free, info.held, info.peak)


def device_memory_limit(size: int | str) -> None:
    """Sets the most that the library takes of this process's GPU. Collective, the same on every process.

    size  bytes, or a text such as "4G" or "500M"; 0: no limit

    A matrix that does not fit stays in host memory, from where products with vectors copy what they need. The limit before is that of the
    environment variable GRIDBLAS_DEVICE_MEMORY, or none. `gb.device_info().peak` is the most that was held since.

    >>> gb.device_memory_limit("20G")
    >>> gb.device_memory_limit(0)
    """
    lib = _started()
    if isinstance(size, str):
        library.call("GrB_Global_set_String", lib.GrB_GLOBAL, ffi.new("char[]", size.encode()), lib.Grid_DEVICE_MEMORY)
    else:
        library.call("Grid_device_memory_limit", check_integer("size", size))


def fallbacks() -> dict[str, int]:
    """What was done on the CPU although the device is "cuda", and how often: {reason: number}.

    >>> gb.fallbacks() if gb.device() == "cpu" else {}
    {}
    """
    lib, count, found = _started(), ffi.new("uint64_t *"), {}
    while (text := lib.Grid_fallback(len(found), count)) != ffi.NULL:
        found[ffi.string(text).decode()] = count[0]
    return found


@contextmanager
def span(name: str) -> Iterator[None]:
    """A context with a name in the trace that the environment variable GRIDBLAS_BURBLE asks for (docs/settings.md).

    >>> with gb.span("setup"):
    ...     A = gb.Matrix(float, 3, 3)
    """
    kept = ffi.new("char[]", name.encode())
    lib = _started()
    lib.Grid_span_begin(kept)
    try:
        yield
    finally:
        lib.Grid_span_end()


def memory() -> int:
    """Bytes that the library holds on this process.

    >>> gb.memory() >= 0
    True
    """
    return _started().Grid_memory(ffi.NULL, False)


def memory_limit(size: int | str | None = None) -> int:
    """Sets how much memory the library may use on this process, if `size` is given, and returns the limit in bytes.

    size  bytes, or a text such as "4G" or "500M"; 0: the machine's free memory, divided by the processes on it. That is the limit from
          the start, unless the environment variable GRIDBLAS_MEMORY has another. The same on every process

    `gb.io.open` leaves a matrix on disk that would not fit beside what the library holds. The limit bounds matrices; vectors are always
    created.

    >>> gb.memory_limit("1G")
    1073741824
    >>> gb.memory_limit(0) == 2**30
    False
    """
    lib = _started()
    if isinstance(size, str):
        library.call("GrB_Global_set_String", lib.GrB_GLOBAL, ffi.new("char[]", size.encode()), lib.Grid_MEMORY)
    elif size is not None:
        library.call("Grid_memory_limit", check_integer("size", size))
    return lib.Grid_memory_budget()
