"""Page files: matrices on disk, for graphs larger than memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import numpy as np

from . import agg, library
from ._declarations import ffi
from .core.index import index_array, pointer
from .core.operand import check_integer, describe_value
from .core.values import pairs_of
from .exceptions import GraphblasException, InvalidValue
from .grid import local_range
from .operators import lookup
from .vector import Vector

MAX_EXACT = 2**53  # the largest integer up to which a double holds all

PART_ENTRIES = 1 << 20  # the least size of a part of a matrix that is written in parts
MAX_PARTS = 256  # about so many, of a matrix with more entries


def encode_path(path: Any, what: str = "path") -> bytes:
    """A file's name for C. `what` names the argument."""
    try:
        name = os.fsencode(path)
    except TypeError:
        raise TypeError(f"{what}: a file's name is expected, not {describe_value(path)}") from None
    if b"\0" in name:
        raise ValueError(f"{what}: a file's name without null characters is expected, not {name!r}")
    return name


def is_exact(values: np.ndarray) -> bool:
    """Are all values doubles, without rounding an integer?"""
    is_integer = values.dtype.kind in "iu" and len(values) > 0
    return not is_integer or max(int(values.max()), -int(values.min())) <= MAX_EXACT


def inexact_text(path: bytes) -> str:
    return f"{os.fsdecode(path)}: files have values of FP64, and an integer is beyond 2^53"


class PageWriter:
    """Writes a page file in parts, which need not fit in memory together. For `with`. Collective, but `append` is local.

    path          the file, which all processes can reach under this name; an existing one is replaced at the end
    nrows, ncols  dimensions of the matrix
    values        False: a pattern, without values; True: values of FP64
    mirror        True: every entry counts also with row and column exchanged (a square matrix)
    loops         False: entries on the diagonal are left out
    by_degree     True: the vertices are renumbered by falling degree, which makes the file smaller and products faster; `open` with
                  names=True returns their numbers before that
    dup_op        joins the values of several entries at one position: "min", "max", "plus" or "times"; the file records it
    names         nrows integers, which `open` with names=True returns; None: none, or the rows' numbers with by_degree

    Entries are sorted within `gb.memory_limit`, and in files beside `path` if there are more. The file gets its name at the end of the
    block. If an exception leaves the block on some process, all processes raise one, nothing is written, and an existing file is
    unchanged.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.gettempdir(), "gridblas-example.pages")
    >>> with gb.io.PageWriter(path, 1000, 1000, mirror=True) as file:
    ...     for first in range(0, 999, 100):
    ...         rows = np.arange(first, min(first + 100, 999))
    ...         file.append(rows, rows + 1, np.ones(len(rows)))
    >>> gb.io.open(path).nvals
    1998
    """

    def __init__(
        self,
        path: Any,
        nrows: int,
        ncols: int,
        *,
        values: bool = True,
        mirror: bool = False,
        loops: bool = True,
        by_degree: bool = False,
        dup_op: Any = "min",
        names: Any = None,
    ) -> None:
        self._path, self._values, self._builder = encode_path(path), bool(values), None
        self._shape = check_integer("nrows", nrows), check_integer("ncols", ncols)
        self._flags = page_flags(mirror, loops, by_degree, dup_op)
        self._names = None if names is None else local_names(names, self._shape[0], "PageWriter")

    def __enter__(self) -> PageWriter:
        if self._builder is not None:
            raise ValueError(f"{os.fsdecode(self._path)}: this PageWriter is in use")
        builder = ffi.new("Grid_Pages_Builder *")
        library.call("Grid_Pages_begin", builder, self._path, *self._shape, self._values, self._flags)
        self._builder = builder
        if self._names is not None:
            # its error is one of the file, at the end: this process alone must not leave the block
            library.lib.Grid_Pages_set_names(builder[0], pointer(self._names, "uint64_t"), len(self._names))
        return self

    def append(self, rows: Any, columns: Any, values: Any = None) -> None:
        """Adds entries: any entries on any process, any number of times.

        rows, columns  arrays or lists of integers, of one length
        values         array of as many numbers, or one number for all; None in a file without values

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.gettempdir(), "gridblas-example.pages")
        >>> with gb.io.PageWriter(path, 3, 3, values=False) as file:
        ...     file.append([0, 1], [1, 2])
        >>> gb.io.open(path).dtype.name
        'BOOL'
        """
        if self._builder is None:
            raise ValueError(f"append: {os.fsdecode(self._path)} is written within `with PageWriter(...) as file:`")
        rows, columns = index_array(rows, "rows"), index_array(columns, "columns")
        if len(rows) != len(columns):
            raise ValueError(f"rows and columns: arrays of one length are expected, not of {len(rows)} and {len(columns)}")
        if (values is not None) != self._values:
            expected = "values are expected" if self._values else "None is expected in a file without values"
            raise ValueError(f"values: {expected}, not {describe_value(values)}")
        data = ffi.NULL
        if values is not None:
            array = pairs_of(values, len(rows), None)[0]
            if not is_exact(array):
                raise InvalidValue(inexact_text(self._path))
            array = np.ascontiguousarray(array, np.float64)
            data = pointer(array, "double")
        library.call("Grid_Pages_append", self._builder[0], pointer(rows, "uint64_t"), pointer(columns, "uint64_t"), data, len(rows))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        builder, self._builder = self._builder, None
        invalid = library.lib.GrB_INVALID_VALUE
        text = "" if error is None else f"{os.fsdecode(self._path)}: not written, because of {type(error).__name__}: {error}"
        try:
            library.call("Grid_agree", 0 if error is None else invalid, text.encode(errors="replace"))
        except GraphblasException:
            library.lib.Grid_Pages_end(builder, invalid, ffi.NULL)  # removes what was written
            if error is None:
                raise
        else:
            library.call("Grid_Pages_end", builder, 0, None)


def local_names(names: Any, n: int, call: str) -> np.ndarray:
    """This process's part of the names."""
    names = index_array(names, f"{call}: names")
    if names.shape != (n,):
        raise ValueError(f"{call}: names has {n} integers, one for each row, not {len(names)}")
    local = local_range(n)
    return names[local.start : local.stop]


def page_flags(mirror: bool, loops: bool, by_degree: bool, dup_op: Any) -> int:
    """The flags for C of a page file's matrix."""
    lib = library.lib
    dups = {"min": 0, "max": lib.Grid_DUP_MAX, "plus": lib.Grid_DUP_PLUS, "times": lib.Grid_DUP_TIMES}
    name = lookup.find(dup_op, "binary", "monoid", what="dup_op").name
    if name not in dups:
        raise ValueError(f"dup_op: min, max, plus or times is expected, not {name}")
    return (lib.Grid_MIRROR if mirror else 0) | (0 if loops else lib.Grid_NO_LOOPS) | (lib.Grid_BY_DEGREE if by_degree else 0) | dups[name]


def _first_rows(A: Any, entries: int) -> np.ndarray:  # noqa: N803
    """The rows with entries that begin ranges of about so many, or of one row. Collective."""
    rows, counts = A.reduce_rowwise(agg.count).new().to_local()
    part = np.cumsum(counts) // entries
    firsts = rows[np.flatnonzero(np.diff(part, prepend=-1))]  # of this process
    return Vector.from_local(firsts, True, size=A.nrows).to_coo()[0]


@contextmanager
def quarter_of_memory() -> Iterator[None]:
    """A limit, where one was set, that leaves a quarter of the memory below it to what a block begins."""
    lib, size = library.lib, ffi.new("size_t *")
    library.call("GrB_Global_get_SIZE", lib.GrB_GLOBAL, size, lib.Grid_MEMORY)
    text = ffi.new("char[]", size[0])
    library.call("GrB_Global_get_String", lib.GrB_GLOBAL, text, lib.Grid_MEMORY)
    if not ffi.string(text):
        yield
        return
    limit, used = lib.Grid_memory_budget(), lib.Grid_memory(ffi.NULL, False)
    library.call("Grid_memory_limit", used + max(limit - used, 4) // 4)
    try:
        yield
    finally:
        library.call("Grid_memory_limit", limit)


def row_parts(A: Any) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:  # noqa: N803
    """This process's rows, columns and values of one range of rows of a matrix on disk after the other. Collective."""
    firsts = _first_rows(A, max(PART_ENTRIES, A.nvals // MAX_PARTS)).tolist()
    for first, end in zip(firsts, [*firsts[1:], A.nrows]):
        rows, columns, values = A[first:end, :].new().to_local()
        yield rows + np.uint64(first), columns, values
