"""Matrices from and to scipy.sparse, NetworkX and files."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import library
from ._declarations import ffi
from .matrix import Matrix


def from_scipy_sparse(A: Any, *, dup_op: Any = None, name: str | None = None) -> Matrix:  # noqa: N803
    """A matrix of scipy's: its arrays are read as they lie where indices have 64 bits, else widened."""
    nrows, ncols = A.shape
    if A.format == "csr":
        if not A.has_canonical_format:
            A = A.copy()
            A.sum_duplicates()
        return Matrix.from_csr(A.indptr, A.indices, A.data, ncols=ncols, name=name)
    if A.format == "csc":
        if not A.has_canonical_format:
            A = A.copy()
            A.sum_duplicates()
        return Matrix.from_csc(A.indptr, A.indices, A.data, nrows=nrows, name=name)
    A = A.tocoo()
    return Matrix.from_coo(A.row, A.col, A.data, nrows=nrows, ncols=ncols, dup_op=dup_op or "plus", name=name)


def to_scipy_sparse(A: Matrix, format: str = "csr") -> Any:  # noqa: A002, N803
    """scipy's array of a matrix, on every process: it takes the exported arrays over without a copy."""
    import scipy.sparse

    A = getattr(A, "new", lambda: A)() if not isinstance(A, Matrix) else A  # noqa: N806
    if format in ("csr", "csc"):
        indptr, indices, values = A.to_csr() if format == "csr" else A.to_csc()
        made = scipy.sparse.csr_array if format == "csr" else scipy.sparse.csc_array
        return made((values, indices.view(np.int64), indptr.view(np.int64)), shape=A.shape, copy=False)
    i, j, x = A.to_coo()
    return scipy.sparse.coo_array((x, (i.view(np.int64), j.view(np.int64))), shape=A.shape, copy=False).asformat(format)


def from_networkx(G: Any, nodelist: Any = None, dtype: Any = None, weight: str = "weight", name: str | None = None) -> Matrix:  # noqa: N803
    """The adjacency matrix of a graph; rows and columns in the order of nodelist, weights 1 where an edge has none."""
    nodes = list(G) if nodelist is None else list(nodelist)
    number = {node: k for k, node in enumerate(nodes)}
    edges = [
        (number[u], number[v], 1 if weight is None else d.get(weight, 1)) for u, v, d in G.edges(data=True) if u in number and v in number
    ]
    if not G.is_directed():
        edges += [(v, u, x) for u, v, x in edges if u != v]
    columns = [[edge[k] for edge in edges] for k in range(3)]
    return Matrix.from_coo(*columns, dtype, nrows=len(nodes), ncols=len(nodes), dup_op="plus", name=name)


def to_networkx(A: Matrix, edge_attribute: str | None = "weight") -> Any:  # noqa: N803
    """The directed graph of a square matrix, its entries as an attribute of the edges."""
    import networkx

    made = networkx.DiGraph()
    made.add_nodes_from(range(A.nrows))
    triples = zip(*(part.tolist() for part in A.to_coo()))
    if edge_attribute is None:
        made.add_edges_from((i, j) for i, j, _ in triples)
    else:
        made.add_weighted_edges_from(triples, edge_attribute)
    return made


def read(path: Any, *, directed: bool = True, dtype: Any = None) -> Matrix:
    """The matrix of a file of any format that docs/formats.md has, each process reading its share; of an edge list rows and
    columns are the file's ids in ascending order. Not directed: edges count both ways, once. Collective."""
    edges = ffi.new("Grid_Edges *")
    library.call("Grid_read", edges, str(path).encode())
    try:
        count = edges.n
        rows = np.frombuffer(ffi.buffer(edges.rows, count * 8), np.uint64) if count else np.empty(0, np.uint64)
        cols = np.frombuffer(ffi.buffer(edges.cols, count * 8), np.uint64) if count else np.empty(0, np.uint64)
        values = None
        if not edges.pattern:
            values = np.frombuffer(ffi.buffer(edges.values, count * 8), np.float64) if count else np.empty(0)
        shape = {"nrows": edges.nrows, "ncols": edges.ncols}
        if edges.symmetric or edges.skew or not directed:
            apart = rows != cols
            rows, cols = np.concatenate((rows, cols[apart])), np.concatenate((cols, rows[apart]))
            if values is not None:
                values = np.concatenate((values, -values[apart] if edges.skew else values[apart]))
        dup_op = None if values is None else ("plus" if edges.nrows != edges.ncols or directed else "second")
        return Matrix.from_local(rows, cols, values, dtype, dup_op=dup_op, **shape)
    finally:
        library.lib.Grid_Edges_free(edges)


mmread = read
