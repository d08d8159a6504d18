"""Maximal matchings, matchings of the largest or least weight; maximum matchings and smallest covers of bipartite graphs."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from networkx.utils import not_implemented_for

from .. import algorithms
from ..matrix import Matrix
from .graph import Graph, bounds
from .interface import algorithm, of_all_pairs, only_if
from .order import firsts, named
from .searches import address, functions, transposed
from .sides import top_side

STEPS = 1 << 26  # of a search for a matching, until an interrupt is seen


def _undirected(G: Any, top_nodes: Any = None) -> bool:  # noqa: N803
    """NetworkX may ask again with the same nodes, which an iterator has lost."""
    listed = isinstance(top_nodes, (set, frozenset, list, tuple, range, dict))
    return not G.is_directed() and (top_nodes is None or (listed and all(node in G for node in top_nodes)))


def _maximum(graph: Graph, top_nodes: Any) -> dict[Any, Any]:
    """The mate of each node in a matching of as many edges as possible."""
    top = top_side(graph, top_nodes)
    if (top[graph.tails] == top[graph.heads]).any():
        raise NotImplementedError("gridblas takes one side of a bipartite graph as top nodes")
    down = top[graph.tails]
    tails, heads = graph.tails[down], graph.heads[down]
    matrix = Matrix.from_coo(tails, heads, True, nrows=graph.rows, ncols=graph.rows, dup_op="first")
    nodes, mates = algorithms.bipartite_matching(matrix, only="row_mate").to_coo()
    left, right = named(graph, nodes), named(graph, mates)
    return dict(zip(left, right)) | dict(zip(right, left))


@only_if(_undirected)
def hopcroft_karp_matching(G: Graph, top_nodes: Any = None) -> dict[Any, Any]:  # noqa: N803
    """The mate of each node in a maximum matching of a bipartite graph."""
    return _maximum(G, top_nodes)


@only_if(_undirected)
def eppstein_matching(G: Graph, top_nodes: Any = None) -> dict[Any, Any]:  # noqa: N803
    """The same."""
    return _maximum(G, top_nodes)


@algorithm
@not_implemented_for("directed")
@not_implemented_for("multigraph")
def maximal_matching(G: Graph) -> set[tuple[Any, Any]]:  # noqa: N803
    """The matching that takes each edge, in NetworkX's order, whose ends are free."""
    free, taken = [True] * len(G), []
    for i, j in zip(*G.ends(G.listed)):
        if free[i] and free[j] and i != j:
            free[i] = free[j] = False
            taken.append((G.names[i], G.names[j]))
    return set(taken)


def _cover_of(G: Any, matching: Any, top_nodes: Any = None) -> bool:  # noqa: N803
    return isinstance(matching, dict) and _undirected(G, top_nodes)


@only_if(_cover_of)
def to_vertex_cover(G: Graph, matching: dict[Any, Any], top_nodes: Any = None) -> set[Any]:  # noqa: N803
    """The smallest set of nodes with an end of every edge, by a maximum matching and Konig's theorem."""
    left = top_side(G, top_nodes)
    mate = np.full(len(G), -1)
    for u, v in matching.items():
        if u not in G or v not in G or matching.get(v) != u or left[G.index[u]] == left[G.index[v]]:
            raise NotImplementedError("gridblas takes a matching of both sides")
        mate[G.index[u]] = G.index[v]
    if (left[G.tails] == left[G.heads]).any():
        raise NotImplementedError("gridblas takes one side of a bipartite graph as top nodes")
    reached = left & (mate < 0)  # by alternating paths from free nodes of the left side
    layer = reached
    while layer.any():
        new = np.zeros(len(G), bool)
        new[G.heads[layer[G.tails]]] = True
        right = np.flatnonzero(new & ~reached & ~left)
        reached[right] = True
        back = mate[right]
        layer = np.zeros(len(G), bool)
        layer[back[back >= 0]] = True
        reached = reached | layer
    return {G.names[k] for k in np.flatnonzero(np.where(left, ~reached, reached)).tolist()}


class _Search(ctypes.Structure):
    """The same as in C."""

    _fields_ = [("n", ctypes.c_int64), ("cardinality", ctypes.c_int64)] + [
        (name, ctypes.c_void_p)
        for name in (
            "begin tails heads reverse weights allowed next_best top mate matched queue order work label label_arc best parent base child "
            "next previous edge best_list best_to older younger unused dual count sum"
        ).split()
    ]


def _reverse_arcs(begin: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """For each arc of an undirected graph without parallel edges the one in the other direction."""
    into, tails, arcs = transposed(begin, heads)
    reverse = np.empty(len(heads), np.int64)
    reverse[arcs[transposed(into, tails)[2]]] = arcs
    return reverse


def _heaviest(tails: np.ndarray, heads: np.ndarray, weights: np.ndarray, n: int, cardinality: bool) -> list[tuple[int, int]]:
    """The pairs (numbers) of the matching that NetworkX finds; arcs are in the order of their tails."""
    whole, weights = weights.dtype.kind == "i", weights.astype(np.float64)
    if not (np.abs(weights) < 1e300).all():
        raise NotImplementedError("gridblas matches by weights whose sums are finite")
    apart = tails != heads
    tails, heads, weights = (np.ascontiguousarray(x[apart]) for x in (tails, heads, weights))
    if not len(heads):
        return []
    begin, size = bounds(np.bincount(tails, minlength=n)), n + n // 2 + 1
    of_arcs, of_nodes, of_blossoms = np.empty((2, len(heads)), np.int64), np.empty((6, 2 * n), np.int64), np.empty((14, size), np.int64)
    dual, count, total = np.empty(size), np.zeros(6, np.int64), np.zeros(1)
    arrays = begin, tails, heads, _reverse_arcs(begin, heads), weights, *of_arcs, *of_nodes, *of_blossoms, dual, count, total
    search = _Search(n, cardinality, *map(address, arrays))
    functions.start_matching(ctypes.byref(search))
    while functions.improve_matching(ctypes.byref(search), ctypes.c_int64(STEPS)):
        pass  # an interrupt is seen here
    if whole and 4 * np.abs(weights).max(initial=0) + 2 * total[0] >= 2.0**53:
        raise NotImplementedError("gridblas matches by whole weights whose sums are below 2**53")
    mate, matched = of_nodes[1:3, :n]
    nodes = np.flatnonzero(mate >= 0)
    others = heads[mate[nodes]]
    first = matched[nodes] < matched[others]
    return list(zip(nodes[first].tolist(), others[first].tolist()))


def _named(names: list[Any], pairs: list[tuple[int, int]]) -> set[tuple[Any, Any]]:
    return {(names[i], names[j]) for i, j in pairs}


def _by_attribute(G: Any, maxcardinality: Any = False, weight: Any = "weight") -> bool:  # noqa: N803
    return not callable(weight) and not isinstance(weight, bool)


@only_if(_by_attribute)
@not_implemented_for("multigraph")
@not_implemented_for("directed")
def max_weight_matching(G: Graph, maxcardinality: Any = False, weight: Any = "weight") -> set[tuple[Any, Any]]:  # noqa: N803
    """The matching of the largest weight; maxcardinality: of those with as many edges as possible."""
    return _named(G.names, _heaviest(G.tails, G.heads, G.values(weight), len(G), bool(maxcardinality)))


@only_if(lambda G, weight="weight": _by_attribute(G, weight=weight))
@not_implemented_for("multigraph")
@not_implemented_for("directed")
def min_weight_matching(G: Graph, weight: Any = "weight") -> set[tuple[Any, Any]]:  # noqa: N803
    """The matching of the least weight of those with as many edges as possible, in the graph that NetworkX makes of the edges."""
    if len(G.heads) == 0:
        return set()
    values, ends = G.edge_values(weight), G.pairs.reshape(-1)
    if values.dtype.kind == "i" and np.abs(values.astype(float)).max() >= 2.0**51:
        raise NotImplementedError("gridblas takes whole weights below 2**51 here")
    nodes = ends[firsts(ends, np.empty(len(G), np.int64))]
    place = np.empty(len(G), np.int64)
    place[nodes] = np.arange(len(nodes))
    tails, heads = place[ends], place[G.pairs[:, ::-1].reshape(-1)]
    order = np.argsort(tails, kind="stable")
    weights = np.repeat((1 + values.max()) - values, 2)
    return _named(named(G, nodes), _heaviest(tails[order], heads[order], weights[order], len(nodes), True))


of_all_pairs.update(("max_weight_matching", "min_weight_matching"))
