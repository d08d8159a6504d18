"""Eccentricities, and sums over the distances of all nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .. import algorithms
from ..matrix import Matrix
from ..vector import Vector
from .graph import Graph
from .interface import algorithm, only_if
from .paths import bidirectional_shortest_path

BATCH = 64  # sources that are searched at once


# Of a matrix of distances, a column for each source: a value for each column.
def total(levels: Matrix) -> Vector:
    """The sum of the distances."""
    return levels.reduce_columnwise("plus[INT64]").new()


def squares(levels: Matrix) -> Vector:
    """The sum of their squares."""
    return levels.ewise_mult(levels, "times[INT64]").reduce_columnwise("plus").new()


def inverse(levels: Matrix) -> Vector:
    """The sum of their inverses."""
    return levels.select(">", 0).new("FP64").apply("minv").new().reduce_columnwise("plus").new()


def reached(levels: Matrix) -> Vector:
    """How many nodes are reached."""
    return levels.reduce_columnwise("count").new()


def farthest(levels: Matrix) -> Vector:
    """The largest distance."""
    return levels.reduce_columnwise("max[INT64]").new()


def of_levels(graph: Graph, nodes: list[Any], *measures: Callable[[Matrix], Vector], backwards: bool = False) -> list[np.ndarray]:
    """Each measure of the distances from (to) each node."""
    pattern = graph.pattern().T.new() if backwards and graph.is_directed() else graph.pattern()
    rows = np.array([graph.number(node) for node in nodes], np.int64)
    order = np.argsort(rows, kind="stable")  # all processes search alike, though a set has another order on each
    found = [[np.empty(0, np.int64)] for _ in measures]
    for begin in range(0, len(rows), BATCH):
        levels = algorithms.bfs_many(pattern, rows[order[begin : begin + BATCH]].tolist())
        for part, measure in zip(found, measures):
            part.append(measure(levels).to_dense(0))
    return [np.concatenate(part)[np.argsort(order)] for part in found]


def _plain(G: Any, v: Any = None, sp: Any = None, weight: Any = None) -> bool:  # noqa: N803
    return sp is None and weight is None


@only_if(_plain)
def eccentricity(G: Graph, v: Any = None, sp: Any = None, weight: Any = None) -> Any:  # noqa: N803
    """The largest distance from each node."""
    nodes = G.chosen(v)
    far, count = of_levels(G, nodes, farthest, reached)
    if (count < len(G)).any():
        directed = " because the digraph is not strongly connected" if G.is_directed() else " because the graph is not connected"
        raise nx.NetworkXError("Found infinite path length" + directed)
    values = dict(zip(nodes, far.tolist()))
    return values[v] if v is not None and v in G else values


def _extreme(G: Any, e: Any = None, usebounds: bool = False, weight: Any = None) -> bool:  # noqa: N803
    return weight is None and not usebounds and e is None


@only_if(_extreme)
def diameter(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> int:  # noqa: N803
    """The largest of these."""
    return max(eccentricity(G).values())


@only_if(_extreme)
def radius(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> int:  # noqa: N803
    """The smallest of these."""
    return min(eccentricity(G).values())


def _where(graph: Graph, extreme: Callable[..., int]) -> list[Any]:
    values = eccentricity(graph)
    wanted = extreme(values.values())
    return [node for node, far in values.items() if far == wanted]


@only_if(_extreme)
def periphery(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Any]:  # noqa: N803
    """The nodes where it is largest."""
    return _where(G, max)


@only_if(_extreme)
def center(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Any]:  # noqa: N803
    """The nodes where it is smallest."""
    if len(G) == 0 and not G.is_directed():
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    return _where(G, min)


@only_if(lambda G, weight=None, attr=None, sp=None: weight is None and attr is None and sp is None)
def barycenter(G: Graph, weight: Any = None, attr: Any = None, sp: Any = None) -> list[Any]:  # noqa: N803
    """The nodes with the smallest sum of distances."""
    if len(G) == 0:
        if G.is_directed():
            return []
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    sums, count = of_levels(G, list(G), total, reached)
    if (count < len(G)).any():
        raise nx.NetworkXNoPath(f"Input graph {G.original()} is disconnected, so every induced subgraph has infinite barycentricity.")
    found = np.flatnonzero(sums == sums.min()).tolist()
    if not G.is_directed() and G.number_of_edges() == len(G) - 1 and len(found) == 2:  # a tree: the one nearer to the first node comes first
        level = algorithms.bfs(G.pattern(), 0, only="level").to_dense()
        found.sort(key=lambda k: int(level[k]))
    return [G.names[k] for k in found]


@algorithm
@not_implemented_for("directed")
def efficiency(G: Graph, u: Any, v: Any) -> float:  # noqa: N803
    """The inverse distance of two nodes."""
    try:
        return 1 / (len(bidirectional_shortest_path(G, u, v)) - 1)
    except nx.NetworkXNoPath:
        return 0


@algorithm
@not_implemented_for("directed")
def global_efficiency(G: Graph) -> float:  # noqa: N803
    """The mean inverse distance of two nodes."""
    n = len(G)
    return float(of_levels(G, list(G), inverse)[0].sum()) / (n * (n - 1)) if n > 1 else 0


@only_if(lambda G, sp=None, *, weight=None: sp is None and weight is None)
def harmonic_diameter(G: Graph, sp: Any = None, *, weight: Any = None) -> float:  # noqa: N803
    """The inverse of that."""
    n, efficiency = len(G), float(of_levels(G, list(G), inverse)[0].sum())
    if efficiency != 0:
        return n * (n - 1) / efficiency
    return float("inf" if n > 1 else "nan")


@only_if(lambda G, weight=None, method=None: weight is None and method is None)
def average_shortest_path_length(G: Graph, weight: Any = None, method: Any = None) -> float:  # noqa: N803
    """The mean distance between two nodes."""
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus there is no average shortest path length")
    if n == 1:
        return 0
    sums, count = of_levels(G, list(G), total, reached)
    if G.is_directed():
        back = of_levels(G, [G.names[0]], reached, backwards=True)[0]
        if count[0] < n or back[0] < n:
            raise nx.NetworkXError("Graph is not strongly connected.")
    elif count[0] < n:
        raise nx.NetworkXError("Graph is not connected.")
    return int(sums.sum()) / (n * (n - 1))


# ---- indices of molecules ----


def _index(graph: Graph, *measures: Callable[[Matrix], Vector]) -> list[np.ndarray] | None:
    """The measures of all nodes; None if the graph is not connected."""
    if len(graph) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    count, *found = of_levels(graph, list(graph), reached, *measures)
    return None if (count < len(graph)).any() else found


@only_if(lambda G, weight=None: weight is None)
def wiener_index(G: Graph, weight: Any = None) -> float:  # noqa: N803
    """The sum of all distances, of a pair of nodes once in an undirected graph."""
    found = _index(G, total)
    if found is None:
        return float("inf")
    return int(found[0].sum()) if G.is_directed() else int(found[0].sum()) / 2


def _offer_index(name: str, sum_of: Callable[[Graph], float | None]) -> None:
    """The function of NetworkX with that name."""

    def index(G: Graph, weight: Any = None) -> float:  # noqa: N803
        found = sum_of(G)
        return float("inf") if found is None else found / 2

    index.__name__ = index.__qualname__ = name
    only_if(lambda G, weight=None: weight is None)(not_implemented_for("directed")(not_implemented_for("multigraph")(index)))


def _of_squares(graph: Graph) -> int | None:
    found = _index(graph, total, squares)
    return None if found is None else int(found[0].sum() + found[1].sum())


def _of_degrees(graph: Graph) -> int | None:
    found = _index(graph, total)
    return None if found is None else int(2 * (found[0] * graph.degrees()).sum())


def _of_products(graph: Graph) -> int | None:
    degree = Vector.from_dense(graph.degrees()) if len(graph) else None
    found = _index(graph, lambda levels: degree.vxm(levels, "plus_times").new())
    return None if found is None else int((found[0] * graph.degrees()).sum())


for _name, _sum in (("hyper_wiener_index", _of_squares), ("schultz_index", _of_degrees), ("gutman_index", _of_products)):
    _offer_index(_name, _sum)
