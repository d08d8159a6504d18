"""Matrices of a graph as NumPy's and SciPy's arrays."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils.backends import _registered_algorithms

from .. import grid
from ..matrix import Matrix
from ..vector import Vector
from .graph import Graph
from .interface import only_if

COMBINED = {sum: np.add, min: np.minimum, max: np.maximum}  # how the weights of parallel edges become one


def _all_nodes(graph: Any, nodelist: Any) -> bool:
    """No list, or one of all nodes in any order."""
    return nodelist is None or _in_order(list(graph), nodelist) or (len(nodelist) == len(graph) == len(set(nodelist)) and all(node in graph for node in nodelist))


def _in_order(nodes: list[Any], nodelist: Any) -> bool:
    """Whether a list is that of all nodes, as several functions of NetworkX pass it."""
    return isinstance(nodelist, list) and nodelist == nodes


def _places(graph: Graph, nodelist: Any) -> tuple[np.ndarray, np.ndarray]:
    """The row and the column of each arc."""
    if nodelist is None or _in_order(graph.names, nodelist):
        return graph.tails, graph.heads
    place = np.empty(len(graph), np.int64)
    place[[graph.index[node] for node in nodelist]] = np.arange(len(graph))
    return place[graph.tails], place[graph.heads]


def _dense(
    G: Any,  # noqa: N803
    nodelist: Any = None,
    dtype: Any = None,
    order: Any = None,
    multigraph_weight: Any = sum,
    weight: Any = "weight",
    nonedge: Any = 0.0,
) -> bool:
    return _all_nodes(G, nodelist) and getattr(dtype, "names", None) is None and multigraph_weight in COMBINED


@only_if(_dense)
def to_numpy_array(
    G: Graph,  # noqa: N803
    nodelist: Any = None,
    dtype: Any = None,
    order: Any = None,
    multigraph_weight: Any = sum,
    weight: Any = "weight",
    nonedge: Any = 0.0,
) -> np.ndarray:
    """Weights at the places of edges, another value elsewhere."""
    made = np.full((len(G), len(G)), nonedge, dtype, order)
    i, j = _places(G, nodelist)
    values = G.summable(weight) if G.is_multigraph() else G.values(weight)
    if G.is_multigraph() and len(values):
        keys, first, which = np.unique(i * len(G) + j, return_index=True, return_inverse=True)
        i, j, several, values = i[first], j[first], values, values[first].copy()
        if multigraph_weight is not sum and np.isnan(several).any():
            raise NotImplementedError("gridblas compares weights that are numbers")
        rest = np.ones(len(several), bool)
        rest[first] = False
        COMBINED[multigraph_weight].at(values, which[rest], several[rest])
    made[i, j] = _castable(values, made.dtype)
    return made


def _castable(values: np.ndarray, dtype: Any) -> Any:
    """Python's numbers where the array will have other whole ones: infinity and large ones are an error then, as NetworkX's."""
    return values.tolist() if dtype is not None and np.dtype(dtype).kind in "iu" and values.dtype != dtype else values


def _sparse(G: Any, nodelist: Any = None, dtype: Any = None, weight: Any = "weight", format: str = "csr") -> bool:  # noqa: N803
    return _all_nodes(G, nodelist)


@only_if(_sparse)
def to_scipy_sparse_array(G: Graph, nodelist: Any = None, dtype: Any = None, weight: Any = "weight", format: str = "csr") -> Any:  # noqa: N803
    """Weights at the places of edges; those of parallel edges are added."""
    import scipy

    if len(G) == 0:
        raise nx.NetworkXError("Graph has no nodes or edges")
    i, j = (place.astype(np.int32) if len(G) < 2**31 else place for place in _places(G, nodelist))
    values = G.values(weight) if len(G.heads) else np.empty(0)
    added = values[(G.heads == G.tails) & (not G.is_directed())]  # NetworkX adds these loops twice, and subtracts them
    floating = dtype if np.dtype(dtype).kind == "f" else float
    if np.isinf((2.0 * added).astype(floating)).any():
        raise NotImplementedError("gridblas makes no matrix of loops whose weights are infinite")
    if G.is_bool(weight) and not len(added):
        values = values.astype(bool)
    made = scipy.sparse.coo_array((_castable(values, dtype), (i, j)), shape=(len(G), len(G)), dtype=dtype)
    np.array((-added).tolist(), dtype)  # NumPy's error where a type lacks what NetworkX subtracts
    try:
        return made.asformat(format)
    except ValueError as error:
        raise nx.NetworkXError(f"Unknown sparse matrix format: {format}") from error


def _two_sides(
    G: Any,  # noqa: N803
    row_order: Any,
    column_order: Any = None,
    dtype: Any = None,
    weight: Any = "weight",
    format: str = "csr",
) -> bool:
    """Nodes of the graph, none of them on both sides."""
    orders = [row_order] if column_order is None else [row_order, column_order]
    listed = all(isinstance(order, (list, tuple, range, set, frozenset)) and all(node in G for node in order) for order in orders)
    return listed and (column_order is None or set(row_order).isdisjoint(column_order))


@only_if(_two_sides)
def biadjacency_matrix(
    G: Graph,  # noqa: N803
    row_order: Any,
    column_order: Any = None,
    dtype: Any = None,
    weight: Any = "weight",
    format: str = "csr",
) -> Any:
    """Weights at the places of edges from the nodes of one side, the rows, to those of the other; those of parallel edges are added."""
    import scipy

    if len(row_order) == 0:
        raise nx.NetworkXError("row_order is empty list")
    columns = list(set(G) - set(row_order)) if column_order is None else column_order
    places = []
    for what, order in (("row_order", row_order), ("column_order", columns)):
        place = np.full(len(G), -1, np.int32 if len(G) < 2**31 else np.int64)
        place[G.numbers(order)] = np.arange(len(order))
        if np.count_nonzero(place >= 0) < len(order):
            raise nx.NetworkXError(f"Ambiguous ordering: `{what}` contained duplicates.")
        places.append(place)
    i, j = places[0][G.tails], places[1][G.heads]
    used = np.flatnonzero((i >= 0) & (j >= 0))
    if len(G.heads) and not len(used):
        raise ValueError("not enough values to unpack (expected 3, got 0)")  # NetworkX's words
    used = used[np.argsort(i[used], kind="stable")]
    values = G.values(weight)[used] if len(used) else np.empty(0)
    if len(used) and G.is_bool(weight):
        values = values.astype(bool)
    elif len(used) and dtype is None and values.dtype.kind == "f" and (values == np.floor(values)).all():
        original = G.original(alive=True)  # NetworkX's type is that of the weights of these edges
        edges = () if original is None else original.edges(row_order, data=weight, default=1)
        if original is not None and all(isinstance(x, int) for _, v, x in edges if places[1][G.index[v]] >= 0):
            values = values.astype(np.int64)
    made = scipy.sparse.coo_array((_castable(values, dtype), (i[used], j[used])), shape=(len(row_order), len(columns)), dtype=dtype)
    try:
        return made.asformat(format)
    except ValueError as error:
        raise nx.NetworkXError(f"Unknown sparse array format: {format}") from error


def _of_all_edges(
    G: Any,  # noqa: N803
    nodelist: Any = None,
    edgelist: Any = None,
    oriented: bool = False,
    weight: Any = None,
    *,
    dtype: Any = None,
) -> bool:
    return edgelist is None and _all_nodes(G, nodelist)


@only_if(_of_all_edges)
def incidence_matrix(
    G: Graph,  # noqa: N803
    nodelist: Any = None,
    edgelist: Any = None,
    oriented: bool = False,
    weight: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    """Two weights in the column of each edge, at its nodes: 1 without weights, and below 0 at the first node if oriented."""
    import scipy

    i, j = (place[G.listed] for place in _places(G, nodelist))
    values = np.ones(len(i)) if weight is None else G.edge_values(weight)
    edge = np.flatnonzero(i != j)
    i, j, values = i[edge], j[edge], values[edge]
    values = np.concatenate((-values if oriented else values, values))
    entries = _castable(values, dtype), (np.concatenate((i, j)), np.concatenate((edge, edge)))
    made = scipy.sparse.coo_array(entries, shape=(len(G), len(G.listed)), dtype=dtype or float).asformat("csc")
    made.eliminate_zeros()  # of weights, or of the cast to dtype
    return made


def _offer_from(name: str) -> None:
    """NetworkX's own function, which asks the backend for the matrix of edges and computes with that."""
    if name not in _registered_algorithms:
        return
    function: Callable[..., Any] = _registered_algorithms[name].orig_func

    def of_matrix(G: Graph, *args: Any, **options: Any) -> Any:  # noqa: N803
        return function(G, *args, **options)

    of_matrix.__name__ = of_matrix.__qualname__ = name
    of_matrix.__signature__ = inspect.signature(function)
    only_if(_of_all_nodes)(of_matrix)


def _of_all_nodes(G: Any, nodes: Any = None, nodelist: Any = None, **others: Any) -> bool:  # noqa: N803
    return nodes is None and _all_nodes(G, nodelist)


@only_if(lambda G, nodes=None, weight=None: nodes is None)
def effective_size(G: Graph, nodes: Any = None, weight: Any = None) -> dict[Any, float]:  # noqa: N803
    """For each node the number of neighbours less what they share; of single edges without weights by a product at the places of edges alone."""
    if weight is not None or G.is_directed() or G.is_multigraph() or len(G) == 0:
        return nx.effective_size.orig_func(G, weight=weight)
    edge = G.pattern()
    common = edge.mxm(edge, "plus_pair").new(mask=edge.S).reduce_rowwise("plus").new().to_dense(0)[: len(G)]
    degree = np.diff(G.begin)  # a loop counts once
    with np.errstate(invalid="ignore"):
        size = degree - common / degree
    size[np.bincount(G.tails[G.tails != G.heads], minlength=len(G)) == 0] = np.nan
    return dict(zip(G.names, size.tolist()))


@only_if(lambda G, nodes=None, weight=None: nodes is None)
def constraint(G: Graph, nodes: Any = None, weight: Any = None) -> dict[Any, float]:  # noqa: N803
    """For each node the sum of (p(u,v) + the sum of p(u,w) p(w,v))^2 over its neighbours v, with p the share of a weight in its row's; weights above 0."""
    if len(G) == 0 or G.is_bool(weight) or not (G.values(weight) > 0).all() or np.isinf(G.values(weight).sum(dtype=float)):
        return nx.constraint.orig_func(G, weight=weight)
    weights = G.weights(weight, "plus")
    i, j, mutual = weights.ewise_add(weights.T, "plus").new("FP64").to_coo()
    sums = np.bincount(i, mutual, len(G))
    share = Matrix.from_coo(i, j, mutual / sums[i], nrows=G.rows, ncols=G.rows)
    local = share.ewise_add(share.mxm(share, "plus_times").new(mask=share.S), "plus").new()
    found = local.ewise_mult(local, "times").reduce_rowwise("plus").new().to_dense(0)[: len(G)]
    loops = np.bincount(i[i == j], mutual[i == j], len(G))
    found[sums - 2 * loops / np.where(sums == 0, 1, sums) == 0] = np.nan  # no other neighbours
    return dict(zip(G.names, found.tolist()))


@only_if(lambda G, walk_length: isinstance(walk_length, int) and len(G) > 0)
def number_of_walks(G: Graph, walk_length: int) -> dict[Any, dict[Any, int]]:  # noqa: N803
    """For each two nodes the walks of some edges: a power of the matrix, whose entries SciPy's array gives one by one."""
    if walk_length < 0:
        raise ValueError(f"`walk_length` cannot be negative: {walk_length}")
    edges = G.weights(None, "plus")
    if 4 * edges.nvals > len(G) ** 2 and grid.size() == 1:  # the product with a full matrix reads no indices
        edges = Matrix.from_dense(edges.to_dense(0))
    walks = Vector.from_dense(np.ones(len(G), np.int64)).diag()
    for _ in range(walk_length):
        walks = walks.mxm(edges, "plus_times").new()
    counts = np.zeros((len(G), len(G)), np.int64)
    i, j, x = walks.to_coo()
    counts[i, j] = x
    return {node: dict(zip(G.names, row.tolist())) for node, row in zip(G.names, counts)}


for _name in (
    "adjacency_matrix bethe_hessian_matrix directed_modularity_matrix floyd_warshall_numpy google_matrix laplacian_matrix modularity_matrix "
    "normalized_laplacian_matrix to_pandas_adjacency tournament_matrix"
).split():
    _offer_from(_name)
