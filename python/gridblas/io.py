"""Matrices from and to scipy.sparse, NetworkX and files."""

from __future__ import annotations

import errno as _errno
import os as _os
from contextlib import ExitStack as _ExitStack
from typing import Any

import numpy as _np

from . import library as _library
from ._declarations import ffi as _ffi
from .core.expression import compute as _compute
from .grid import local_range as _local_range
from .grid import size as _size
from .core.index import pointer as _pointer
from .exceptions import InvalidValue as _InvalidValue
from .matrix import Matrix, TransposedMatrix
from .core.operand import check_integer as _check_integer
from .core.operand import describe_value as _describe_value
from .page_files import PageWriter
from .page_files import encode_path as _path
from .page_files import inexact_text as _inexact_text
from .page_files import is_exact as _is_exact
from .page_files import local_names as _local_names
from .page_files import page_flags as _page_flags
from .page_files import quarter_of_memory as _quarter_of_memory
from .page_files import row_parts as _row_parts
from .vector import Vector

__all__ = [
    "as_matrix",
    "convert_to_pages",
    "from_networkx",
    "from_scipy_sparse",
    "mmread",
    "open",
    "PageWriter",
    "read",
    "rmat",
    "to_networkx",
    "to_scipy_sparse",
    "write",
]


def __dir__() -> list[str]:
    return __all__


def from_scipy_sparse(A: Any, *, dup_op: Any = None, name: str | None = None) -> Matrix:  # noqa: N803
    """The matrix of a scipy.sparse matrix or array of any format, the same on every process. Collective.

    A       m x n, of any format and any numeric type or bool
    dup_op  the operator that combines entries at the same position, of formats other than CSR and CSC; None: they are summed
    name    a name for the matrix, which is printed with it

    Returns a Matrix, m x n, of the type of A's values. The arrays of CSR and CSC are read as they are, with indices of 32 or 64 bits;
    those of other formats are converted by scipy.

    >>> import scipy.sparse
    >>> gb.io.from_scipy_sparse(scipy.sparse.csr_array([[0, 2], [3, 0]])).to_dicts()
    {0: {1: 2}, 1: {0: 3}}
    """
    if not _is_scipy(A):
        raise TypeError(f"from_scipy_sparse: a scipy.sparse matrix or array is expected, not {_describe_value(A)}")
    if len(A.shape) != 2:
        raise ValueError(f"from_scipy_sparse: 2 dimensions are expected, not {len(A.shape)}")
    nrows, ncols = A.shape
    if A.format in ("csr", "csc"):
        if not A.has_canonical_format:
            A = A.copy()
            A.sum_duplicates()
        if A.format == "csr":
            return Matrix.from_csr(A.indptr, A.indices, A.data, ncols=ncols, name=name)
        return Matrix.from_csc(A.indptr, A.indices, A.data, nrows=nrows, name=name)
    A = A.tocoo()
    return Matrix.from_coo(A.row, A.col, A.data, nrows=nrows, ncols=ncols, dup_op=dup_op or "plus", name=name)


_SCIPY_FORMATS = ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")


def to_scipy_sparse(A: Matrix, format: str = "csr", *, copy: bool = True) -> Any:  # noqa: A002, N803
    """The scipy.sparse array of a matrix, with all entries on every process. Collective.

    A       Matrix, m x n, any type
    format  "csr", "csc", "coo" or another format of scipy
    copy    False: on one process a "csr" array has the matrix's own memory, as `Matrix.view` gives it; do not change it

    Returns a scipy.sparse array, m x n, of A's type. It takes the exported entries over without a copy.

    >>> gb.io.to_scipy_sparse(gb.Matrix.from_coo([0, 1], [1, 0], [2.0, 3.0])).nnz
    2
    """
    import scipy.sparse

    A = as_matrix(A)  # noqa: N806
    if format not in _SCIPY_FORMATS:
        raise ValueError(f"format: one of {', '.join(_SCIPY_FORMATS)} is expected, not {_describe_value(format)}")
    if format == "csr" and not copy and _size() == 1:
        return _local_rows(A)
    if format in ("csr", "csc"):
        indptr, indices, values = A.to_csr() if format == "csr" else A.to_csc()
        made = scipy.sparse.csr_array if format == "csr" else scipy.sparse.csc_array
        return made((values, indices.view(_np.int64), indptr.view(_np.int64)), shape=A.shape, copy=False)
    i, j, x = A.to_coo()
    return scipy.sparse.coo_array((x, (i.view(_np.int64), j.view(_np.int64))), shape=A.shape, copy=False).asformat(format)


def _local_rows(A: Matrix) -> Any:  # noqa: N803
    """scipy's array of a matrix's own arrays, with scipy's signed indices."""
    import scipy.sparse

    indptr, indices, values = A.view()
    narrow = indptr.itemsize == indices.itemsize == 4 and max(A.ncols, len(indices)) < 2**31
    index = _np.int32 if narrow else _np.int64
    indptr, indices = (part.view(index) if part.itemsize == index().itemsize else part.astype(index) for part in (indptr, indices))
    return scipy.sparse.csr_array((_np.ascontiguousarray(values), indices, indptr), shape=A.shape, copy=False)


def from_networkx(
    G: Any,  # noqa: N803
    nodelist: Any = None,
    dtype: Any = None,
    weight: str | None = "weight",
    name: str | None = None,
) -> Matrix:
    """The adjacency matrix of a NetworkX graph, the same on every process. Collective.

    G         Graph, DiGraph, MultiGraph or MultiDiGraph of n nodes
    nodelist  a list of nodes: row and column k belong to its k-th node; None: the nodes in the order of G
    dtype     the type of the entries; None: that of the weights
    weight    the edge's attribute that becomes the entry, 1 where an edge has none; None: 1 everywhere
    name      a name for the matrix, which is printed with it

    Returns a Matrix, n x n. Edges of an undirected graph have entries in both directions; the weights of parallel edges are summed.

    >>> import networkx
    >>> gb.io.from_networkx(networkx.path_graph(3)).to_dicts()
    {0: {1: 1}, 1: {0: 1, 2: 1}, 2: {1: 1}}
    """
    if not _is_networkx(G):
        raise TypeError(f"from_networkx: a NetworkX graph is expected, not {_describe_value(G)}")
    nodes = list(G) if nodelist is None else list(nodelist)
    number = {node: k for k, node in enumerate(nodes)}
    if nodelist is not None and (len(number) < len(nodes) or any(node not in G for node in nodes)):
        raise ValueError("from_networkx: nodelist: different nodes of G are expected")
    edges = [
        (number[u], number[v], 1 if weight is None else d.get(weight, 1)) for u, v, d in G.edges(data=True) if u in number and v in number
    ]
    if not G.is_directed():
        edges += [(v, u, x) for u, v, x in edges if u != v]
    columns = [[edge[k] for edge in edges] for k in range(3)]
    try:
        return Matrix.from_coo(*columns, dtype, nrows=len(nodes), ncols=len(nodes), dup_op="plus", name=name)
    except TypeError:
        for u, v, x in edges:
            if not isinstance(x, (int, float, _np.number, _np.bool_)):
                edge = (nodes[u], nodes[v])
                raise TypeError(f"from_networkx: {weight!r} of the edge {edge} is {x!r}, not a number; weight=None leaves it out") from None
        raise


def to_networkx(A: Matrix, edge_attribute: str | None = "weight") -> Any:  # noqa: N803
    """The NetworkX graph of a square matrix, with all edges on every process. Collective.

    A               Matrix, n x n, any type
    edge_attribute  the edges' attribute that gets the entries; None: edges have no attribute

    Returns a DiGraph with the nodes 0 to n - 1 and an edge for each entry.

    >>> sorted(gb.io.to_networkx(gb.Matrix.from_coo([0, 1], [1, 0], [2.0, 3.0])).edges(data="weight"))
    [(0, 1, 2.0), (1, 0, 3.0)]
    """
    import networkx

    A = as_matrix(A)  # noqa: N806
    if A.nrows != A.ncols:
        raise ValueError(f"to_networkx: a square matrix is expected, not {A.nrows} x {A.ncols}")
    made = networkx.DiGraph()
    made.add_nodes_from(range(A.nrows))
    triples = zip(*(part.tolist() for part in A.to_coo()))
    if edge_attribute is None:
        made.add_edges_from((i, j) for i, j, _ in triples)
    else:
        made.add_weighted_edges_from(triples, edge_attribute)
    return made


def _is_scipy(x: Any) -> bool:
    return type(x).__module__.startswith("scipy.sparse") and hasattr(x, "tocoo")


def _is_networkx(x: Any) -> bool:
    return hasattr(x, "is_directed") and hasattr(x, "is_multigraph") and hasattr(x, "edges")


def as_matrix(x: Any, what: str = "A") -> Matrix:
    """A gridblas matrix of whatever stands for one: a matrix, its transpose, an expression, a scipy.sparse matrix or array, or a
    NetworkX graph (by `from_networkx`: vertex k is the graph's k-th node). `what` names the argument in the error message.

    >>> import networkx
    >>> gb.io.as_matrix(networkx.cycle_graph(4)).nvals
    8
    """
    x = _compute(x)
    if isinstance(x, Matrix):
        return x
    if isinstance(x, TransposedMatrix):
        return x.new()
    if _is_scipy(x):
        return from_scipy_sparse(x)
    if _is_networkx(x):
        return from_networkx(x)
    raise TypeError(f"{what}: a gridblas Matrix, a scipy.sparse matrix or a NetworkX graph is expected, not {_describe_value(x)}")


# ---- files ----


def _array(pointer: Any, count: int, dtype: Any) -> _np.ndarray:
    """The C array as numpy sees it, without a copy."""
    return _np.frombuffer(_ffi.buffer(pointer, count * 8), dtype) if count else _np.empty(0, dtype)


def _encoded(format: str | None) -> bytes | None:  # noqa: A002
    return None if format is None else format.encode()


def _call_on_file(function: str, path: Any, *args: Any) -> None:
    """Calls a C function that reads the file of that path, with these arguments; if there is no such file: FileNotFoundError."""
    try:
        _library.call(function, *args)
    except _InvalidValue:
        name = _os.fsdecode(path)
        if _os.path.exists(name) or ":" in name or "," in name:  # generated graphs and striped files
            raise
        raise FileNotFoundError(_errno.ENOENT, _os.strerror(_errno.ENOENT), name) from None


def _vertex_names(edges: Any) -> _np.ndarray:
    """The names of all rows, on every process; the file's reader distributes them evenly over the processes."""
    if edges.ids == _ffi.NULL:
        return _np.arange(edges.nrows, dtype=_np.uint64) + _np.uint64(edges.base)
    first, count = edges.ids_first, edges.ids_count
    share = Vector.from_local(_np.arange(first, first + count), _array(edges.ids, count, _np.uint64), size=edges.nrows)
    return share.to_dense()


def read(
    path: Any,
    *,
    directed: bool = False,
    loops: bool = True,
    dtype: Any = None,
    dup_op: Any = "min",
    format: str | None = None,  # noqa: A002
    names: bool = False,
) -> Any:
    """The matrix of a file of any format of docs/formats.md; each process reads a part. Collective.

    path      the file, the same on every process; its format is recognized by content and ending, or is `format`, such as "edges"
    directed  False, the default of the program `gridblas`: the edges of an edge list, and all entries of a square matrix, count in
              both directions. True: entries stand where the file lists them. Matrices that are not square, and those that the file
              says to be symmetric or skew-symmetric, are what the file says either way
    loops     False leaves out the entries on the diagonal, as the program's commands do
    dtype     type of the result; default: FP64, or BOOL where the file has no values
    dup_op    joins the values at one position: an edge that is listed twice, or in both directions; None: that is an error. Entries
              of a page file were joined when it was made
    names     True: the result is (A, names). names[k] is what the file calls row k: a number of an edge list, whose numbers are
              sorted and become the rows 0, 1, ...; the row counted from 1 in Matrix Market

    >>> A = gb.io.read("karate.txt")
    >>> A.shape, A.nvals, gb.algorithms.bfs(A, 0).level.nvals
    ((34, 34), 156, 34)
    >>> gb.io.read("karate.txt", directed=True).nvals
    78
    >>> A, names = gb.io.read("karate.txt", names=True)
    >>> int(names[0])
    1
    """
    edges = _ffi.new("Grid_Edges *")
    _call_on_file("Grid_read_as", path, edges, _path(path), _encoded(format))
    try:
        count = edges.n
        rows, cols = _array(edges.rows, count, _np.uint64), _array(edges.cols, count, _np.uint64)
        values = None if edges.pattern else _array(edges.values, count, _np.float64)
        mirror = bool(edges.symmetric or edges.skew or (not directed and edges.nrows == edges.ncols))
        if edges.skew and values is not None:  # the opposite entries have the other sign
            apart = rows != cols
            rows, cols = _np.concatenate((rows, cols[apart])), _np.concatenate((cols, rows[apart]))
            values, mirror = _np.concatenate((values, -values[apart])), False
        shape = {"nrows": edges.nrows, "ncols": edges.ncols}
        joined = None if values is None else dup_op
        made = Matrix.from_local(rows, cols, values, dtype, dup_op=joined, mirror=mirror, loops=loops, **shape)
        return (made, _vertex_names(edges)) if names else made
    finally:
        _library.lib.Grid_Edges_free(edges)


def mmread(path: Any, *, dtype: Any = None, dup_op: Any = "plus") -> Matrix:
    """The matrix of a Matrix Market file, with entries where the file has them: `read` with directed=True. Collective.

    >>> gb.io.mmread("chesapeake.mtx").shape
    (39, 39)
    """
    return read(path, directed=True, dtype=dtype, dup_op=dup_op)


def rmat(scale: int, edgefactor: int = 16, *, seed: int = 1, directed: bool = False, loops: bool = True) -> Matrix:
    """A random graph of 2**scale vertices, of which few have most edges: R-MAT with Graph500's parameters. Collective.

    edgefactor  edges for each vertex, before those that are drawn twice become one
    seed        of the random numbers: the same graph on any number of processes
    directed    False: edges count in both directions
    loops       False leaves out the edges from a vertex to itself

    Returns a matrix of BOOL, the graph that the program calls `rmat:SCALE:EDGEFACTOR:SEED`. Each process generates a part.

    >>> A = gb.io.rmat(10)
    >>> A.shape, gb.algorithms.components(A).nvals
    ((1024, 1024), 1024)
    """
    scale, edgefactor, seed = (_check_integer(*given) for given in (("scale", scale, 1), ("edgefactor", edgefactor, 1), ("seed", seed)))
    if scale > 58:
        raise ValueError(f"scale: {scale} is above 58")
    A = Matrix("BOOL", 2**scale, 2**scale)  # noqa: N806
    flags = (0 if directed else _library.lib.Grid_MIRROR) | (0 if loops else _library.lib.Grid_NO_LOOPS)
    _library.call("Grid_Matrix_rmat", A, scale, edgefactor, seed, flags)
    return A


def _doubles(values: _np.ndarray, path: Any) -> _np.ndarray:
    """The values as files have them; an integer that no double holds is refused on every process."""
    text = _inexact_text(_path(path))
    _library.call("Grid_agree", 0 if _is_exact(values) else _library.lib.GrB_INVALID_VALUE, text.encode(errors="replace"))
    return _np.ascontiguousarray(values, _np.float64)


def write(
    A: Any,  # noqa: N803
    path: Any,
    format: str | None = None,  # noqa: A002
    *,
    symmetric: bool = False,
    names: Any = None,
) -> None:
    """Writes a matrix to a file; each process writes a part. Collective.

    A          a matrix, or what `as_matrix` takes
    path       the file, which all processes can reach under this name; one that is there is replaced
    format     a name of docs/formats.md ("edges", "matrix-market", "npz", ...); None: the ending of `path` says it
    symmetric  True: A equals its transpose, and one triangle is listed (Matrix Market then says "symmetric")
    names      nrows integers: what an edge list calls the vertices, as `read` gives them; other formats number them

    BOOL matrices whose entries all are true are written without values, others with values of FP64. What the format cannot hold
    raises InvalidValue. A matrix on disk (`is_on_disk`) goes to a page file in parts, which need not fit in memory together.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.gettempdir(), "gridblas-example.mtx")
    >>> gb.io.write(gb.Matrix.from_coo([0, 1], [1, 0], [2.0, 2.0]), path, symmetric=True)
    >>> gb.io.read(path).to_dicts()
    {0: {1: 2.0}, 1: {0: 2.0}}
    """
    A = as_matrix(A)  # noqa: N806
    if symmetric and not (A.nrows == A.ncols and A.isequal(A.T)):
        raise ValueError("write: symmetric=True, but A does not equal its transpose")
    pattern = A.dtype == "BOOL" and bool(A._reduce_all("land"))
    if A.is_on_disk and _is_page_file(path, format):
        _write_parts(A, path, symmetric, pattern, names)
        return
    share = None if names is None else _local_names(names, A.nrows, "write")
    rows, cols, values = _file_entries(A.to_local(), path, symmetric, pattern)
    edges = _ffi.new("Grid_Edges *")
    edges.nrows, edges.ncols, edges.n, edges.total = A.nrows, A.ncols, len(rows), A.nvals
    edges.rows, edges.cols = _pointer(rows, "uint64_t"), _pointer(cols, "uint64_t")
    edges.values = _ffi.NULL if values is None else _pointer(values, "double")
    edges.symmetric, edges.pattern = symmetric, pattern
    if share is not None:
        edges.ids, edges.ids_first, edges.ids_count = _pointer(share, "uint64_t"), _local_range(A.nrows).start, len(share)
    _library.call("Grid_write", edges, _path(path), _encoded(format))


def _file_entries(entries: Any, path: Any, symmetric: bool, pattern: bool) -> tuple[_np.ndarray, _np.ndarray, _np.ndarray | None]:
    """Rows, columns and values as a file lists them. Collective."""
    rows, cols, values = entries
    values = None if pattern else _doubles(values, path)
    if symmetric:
        lower = rows >= cols
        rows, cols = rows[lower], cols[lower]
        values = None if values is None else values[lower]
    return rows, cols, values


def _is_page_file(path: Any, format: str | None) -> bool:  # noqa: A002
    return format == "pages" if format is not None else _os.fsdecode(path).endswith(".pages")


def _write_parts(A: Matrix, path: Any, symmetric: bool, pattern: bool, names: Any) -> None:  # noqa: N803
    """Writes a matrix on disk to a page file, a range of rows at a time."""
    with _ExitStack() as stack:
        with _quarter_of_memory():  # the rest is for the parts
            file = stack.enter_context(PageWriter(path, A.nrows, A.ncols, values=not pattern, mirror=symmetric, names=names))
        for entries in _row_parts(A):
            file.append(*_file_entries(entries, path, symmetric, pattern))


# ---- graphs larger than memory ----


def open(path: Any, *, names: bool = False, name: str | None = None) -> Any:  # noqa: A001
    """The matrix of a page file, whose rows stay on disk if they do not fit in memory. Collective.

    path   the file, the same on every process; it must not change as long as the matrix is used
    names  True: the result is (A, names), as that of `read`. names[k] is what the file calls row k, such as its number before the
           vertices were renumbered by degree
    name   a name for the matrix, which is printed with it

    Returns a Matrix, BOOL if the file has no values, else FP64. Every operation and every algorithm takes it. `gb.memory_limit` says
    what fits in memory, and `A.is_on_disk` whether A did not.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.gettempdir(), "gridblas-example.pages")
    >>> gb.io.convert_to_pages("karate.txt", path)
    >>> A = gb.io.open(path)
    >>> A.shape, A.nvals, gb.algorithms.bfs(A, 0).level.nvals
    ((34, 34), 156, 34)
    """
    made = _ffi.new("GrB_Matrix *")
    _call_on_file("Grid_Matrix_open", path, made, _path(path))
    A = Matrix._adopt(made, name)  # noqa: N806
    if not names:
        return A
    edges = _ffi.new("Grid_Edges *")
    _library.call("Grid_Pages_names", edges, _path(path))
    try:
        return A, _vertex_names(edges)
    finally:
        _library.lib.Grid_Edges_free(edges)


def convert_to_pages(
    source: Any,
    path: Any,
    *,
    directed: bool = False,
    loops: bool = True,
    values: bool = True,
    by_degree: bool = False,
    dup_op: Any = "min",
    format: str | None = None,  # noqa: A002
) -> None:
    """Writes a page file, for `open`, from a file of any format, whose entries need not fit in memory. Collective.

    source     the file, as in `read`; `format` is its format, if that cannot be recognized
    path       the page file, which all processes can reach under this name; an existing one is replaced
    directed   False: every entry counts in both directions (a square matrix that is not skew-symmetric). True: entries stand where the
               file lists them
    loops      False leaves out the entries on the diagonal
    values     False leaves out the values
    by_degree  True: the vertices are renumbered by falling degree, as by `PageWriter`
    dup_op     joins several values at one position, as by `PageWriter`

    Formats that are read in segments are listed in docs/formats.md; others are
    read whole.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.gettempdir(), "gridblas-example.pages")
    >>> gb.io.convert_to_pages("karate.txt", path, by_degree=True)
    >>> A, names = gb.io.open(path, names=True)
    >>> names[:3].tolist()
    [34, 1, 33]
    """
    flags = _page_flags(not directed, loops, by_degree, dup_op)
    arguments = _path(path), _path(source), _encoded(format), not values, flags, None, None
    _call_on_file("Grid_Pages_convert", source, *arguments)
