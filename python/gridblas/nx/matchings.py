"""Maximal matchings; maximum matchings and smallest covers of bipartite graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
from networkx.utils import not_implemented_for

from .. import algorithms
from ..matrix import Matrix
from .graph import Graph
from .interface import algorithm, only_if
from .order import named
from .sides import top_side


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
