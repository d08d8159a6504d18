"""Graphs from tables and arrays, without NetworkX's dictionaries."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from .graph import Graph, bounds
from .interface import only_if

KINDS = {None: False, nx.Graph: False, nx.DiGraph: True}  # what create_using may be: whether it is directed


def from_edges(names: list[Any], tails: np.ndarray, heads: np.ndarray, columns: dict[Any, np.ndarray], directed: bool) -> Graph:
    """The graph that has these edges added in this order: the last values of an edge count."""
    at = np.arange(len(tails))
    if not directed:
        apart = tails != heads
        tails, heads, at = (np.concatenate(both) for both in ((tails, heads[apart]), (heads, tails[apart]), (at, at[apart])))
    begin, to, last = _neighbors(tails, heads, at, len(names))
    made = Graph(names, begin, to, directed, False)
    made.columns = {name: values[last] for name, values in columns.items()}
    if directed:
        made.set_backwards(*_neighbors(heads, tails, at, len(names))[:2])
    return made


def _neighbors(tails: np.ndarray, heads: np.ndarray, at: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(begin, heads) of the nodes in the order in which they become neighbours, and when each arc comes for the last time."""
    order = np.lexsort((at, tails))
    tails, heads, at = tails[order], heads[order], at[order]
    _, first, which = np.unique(tails * n + heads, return_index=True, return_inverse=True)
    last = np.zeros(len(first), np.int64)
    np.maximum.at(last, which, at)
    kept = np.argsort(first)
    return bounds(np.bincount(tails[first], minlength=n)), heads[first[kept]], last[kept]


def _number(values: Any) -> np.ndarray:
    return np.asarray(values).astype(np.int64 if np.asarray(values).dtype.kind in "iu" else np.float64, copy=False)


def _is_number(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and (dtype.kind in "if" or dtype in (np.uint8, np.uint16, np.uint32))


def _may_be_text(dtype: Any) -> bool:
    """pandas 3 gives text the type str, earlier versions object."""
    return getattr(dtype, "name", "") in ("object", "str", "string")


def _square(A: Any, create_using: Any = None, nodelist: Any = None, **others: Any) -> bool:  # noqa: N803
    right = getattr(A, "ndim", 0) == 2 and A.shape[0] == A.shape[1] and _is_number(A.dtype)
    names = nodelist is None or (len(nodelist) == len(set(nodelist)) == A.shape[0] and None not in nodelist)
    return right and names and known(create_using)


def known(create_using: Any) -> bool:
    """Whether a graph of this class can be made."""
    return create_using is None or (isinstance(create_using, type) and create_using in KINDS)


@only_if(_square)
def from_numpy_array(
    A: np.ndarray,  # noqa: N803
    parallel_edges: bool = False,
    create_using: Any = None,
    edge_attr: Any = "weight",
    *,
    nodelist: Any = None,
) -> Graph:
    """An edge for each entry that is not 0."""
    tails, heads = A.nonzero()
    columns = {} if edge_attr in (False, None) else {edge_attr: _number(A[tails, heads])}
    return from_edges(list(range(len(A)) if nodelist is None else nodelist), tails, heads, columns, KINDS[create_using])


@only_if(lambda A, **others: getattr(A, "format", None) in ("csr", "coo") and _square(A, **others))
def from_scipy_sparse_array(A: Any, parallel_edges: bool = False, create_using: Any = None, edge_attribute: str = "weight") -> Graph:  # noqa: N803
    """An edge for each entry."""
    entries = A.tocoo()
    tails, heads = (np.asarray(x, np.int64) for x in (entries.row, entries.col))
    return from_edges(list(range(A.shape[0])), tails, heads, {edge_attribute: _number(entries.data)}, KINDS[create_using])


def _no_order(A: Any, create_using: Any = None, edge_attribute: str = "weight", *, row_order: Any = None, column_order: Any = None) -> bool:  # noqa: N803
    plain = getattr(A, "format", None) in ("csr", "coo") and getattr(A, "ndim", 0) == 2 and _is_number(A.dtype)
    return plain and known(create_using) and row_order is None and column_order is None


@only_if(_no_order)
def from_biadjacency_matrix(
    A: Any,  # noqa: N803
    create_using: Any = None,
    edge_attribute: str = "weight",
    *,
    row_order: Any = None,
    column_order: Any = None,
) -> Graph:
    """A node for each row, and one for each column; an edge for each entry."""
    entries = A.tocoo()
    n, m = A.shape
    tails, heads = np.asarray(entries.row, np.int64), n + np.asarray(entries.col, np.int64)
    made = from_edges(list(range(n + m)), tails, heads, {edge_attribute: _number(entries.data)}, KINDS[create_using])
    made.node_columns["bipartite"] = [0] * n + [1] * m
    return made


def _attributes(df: Any, source: Any, target: Any, edge_attr: Any) -> list[Any]:
    if edge_attr is None:
        return []
    if edge_attr is True:
        return [column for column in df.columns if column not in (source, target)]
    return list(edge_attr) if isinstance(edge_attr, (list, tuple)) else [edge_attr]


def _table(
    df: Any, source: Any = "source", target: Any = "target", edge_attr: Any = None, create_using: Any = None, edge_key: Any = None
) -> bool:
    """Nodes are whole numbers, or all are strings; attributes are numbers."""
    attributes = _attributes(df, source, target, edge_attr)
    if not df.columns.is_unique or not {source, target, *attributes} <= set(df.columns) or not known(create_using):
        return False
    ends = (df[source].dtype, df[target].dtype)
    named = all(_may_be_text(dtype) for dtype in ends) and all(type(x) is str for column in (source, target) for x in df[column])
    whole = all(_is_number(dtype) and dtype.kind == "i" for dtype in ends)
    return (named or whole) and (bool(attributes) or edge_attr is None) and all(_is_number(df[column].dtype) for column in attributes)


@only_if(_table)
def from_pandas_edgelist(
    df: Any,
    source: Any = "source",
    target: Any = "target",
    edge_attr: Any = None,
    create_using: Any = None,
    edge_key: Any = None,
) -> Graph:
    """An edge for each row; nodes in the order in which they are named."""
    import pandas

    numbers, names = pandas.factorize(np.stack((df[source].to_numpy(), df[target].to_numpy()), axis=1).ravel())
    columns = {column: _number(df[column]) for column in _attributes(df, source, target, edge_attr)}
    return from_edges(names.tolist(), numbers[0::2].astype(np.int64), numbers[1::2].astype(np.int64), columns, KINDS[create_using])
