"""PageRank, betweenness, closeness, reach and degrees."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .. import algorithms
from ..exceptions import InvalidValue
from ..matrix import Matrix
from ..vector import Vector
from .graph import Graph
from .interface import algorithm, only_if
from .order import breadth_first, distinct
from .partitions import is_set, members, node_boundary
from .paths import number
from .distances import inverse, of_levels, reached, total


def _shares(graph: Graph, given: dict[Any, float] | None, none: Exception) -> Vector | None:
    """Values of some nodes, divided by their sum; an exception if that is 0."""
    if given is None:
        return None
    values = np.array([given.get(node, 0) for node in graph.names], float)
    if values.sum() == 0:
        raise none
    return Vector.from_dense(values / values.sum())


@algorithm
def pagerank(
    G: Graph,  # noqa: N803
    alpha: float = 0.85,
    personalization: dict[Any, float] | None = None,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: dict[Any, float] | None = None,
    weight: Any = "weight",
    dangling: dict[Any, float] | None = None,
) -> dict[Any, float]:
    """Ranks by power iteration; by the library's function if edges have no different weights and nothing else is given, since it begins at the nodes of restart."""
    n = len(G)
    if n == 0:
        return {}
    failure = nx.PowerIterationFailedConvergence(max_iter)
    personal = _shares(G, personalization, ZeroDivisionError("personalization adds up to 0"))
    values = G.values(weight)
    if np.isinf(2 * np.abs(values).sum(dtype=float)):  # NetworkX adds loops twice, and subtracts them
        raise NotImplementedError("gridblas ranks nodes by weights whose sum is finite")
    alike = not G.is_multigraph() and (len(values) == 0 or values[0] > 0 and (values == values[0]).all())
    if personal is None and nstart is None and dangling is None and alike and 0 <= alpha <= 1:
        found = _of_accepted(algorithms.pagerank, G.pattern(), None, alpha, n * tol, max_iter)
        if found.iterations == 0 or found.change >= n * tol:
            raise failure
        return G.by_node(found.rank)

    out = np.bincount(G.tails, values, n)
    scale = np.divide(1, out, out=np.zeros(n), where=out != 0)
    nowhere = Vector.from_coo(np.flatnonzero(scale == 0), 1.0, size=n)
    steps = _steps(G, values, scale)
    even = Vector.from_scalar(1.0 / n, n)
    restart = even if personal is None else personal
    instead = restart if dangling is None else _shares(G, dangling, failure)
    rank = even if nstart is None else _shares(G, nstart, failure)
    for _ in range(max_iter):
        lost = rank.ewise_mult(nowhere, "first").reduce("plus").get(0.0)
        later = (steps.mxv(rank, "plus_times").new() * alpha + instead * (alpha * lost) + restart * (1 - alpha)).new()
        change = (later - rank).new().apply("abs").new().reduce("plus").value
        rank = later
        if change < n * tol:
            return G.by_node(rank)
    raise failure


def _steps(graph: Graph, values: np.ndarray, scale: np.ndarray) -> Matrix:
    """Row v has the weight of each arc (u,v) times scale(u). The two arcs of an undirected edge have the same weight."""
    i, j = (graph.heads, graph.tails) if graph.is_directed() else (graph.tails, graph.heads)
    used = scale[j] != 0
    i, j, values = i[used], j[used], values[used]
    return Matrix.from_coo(i, j, values * scale[j], nrows=len(graph), ncols=len(graph), dup_op="plus")


def _of_accepted(method: Callable[..., Any], *args: Any) -> Any:
    """The method's result; NetworkX says what becomes of numbers that it refuses, such as infinity."""
    try:
        return method(*args)
    except InvalidValue as error:
        raise NotImplementedError(str(error)) from error


def _starts_everywhere(G: Any, *args: Any, nstart: Any = None, **options: Any) -> bool:  # noqa: N803
    return nstart is None or (isinstance(nstart, dict) and len(nstart) == len(G) and all(node in nstart for node in G))


def _power_limit(iterations: int, change: float, tolerance: float, max_iter: int) -> None:
    """Raises NetworkX's exception where an iteration has not converged."""
    if iterations == 0 or not change < tolerance:
        raise nx.PowerIterationFailedConvergence(max_iter)


@only_if(_starts_everywhere)
@not_implemented_for("multigraph")
def katz_centrality(
    G: Graph,  # noqa: N803
    alpha: float = 0.1,
    beta: Any = 1.0,
    max_iter: int = 1000,
    tol: float = 1.0e-6,
    nstart: dict[Any, float] | None = None,
    normalized: bool = True,
    weight: Any = None,
) -> dict[Any, float]:
    """The walks that end at each node, by power iteration."""
    n = len(G)
    if n == 0:
        return {}
    try:
        betas = np.full(n, float(beta))
    except (TypeError, ValueError, AttributeError) as error:
        if set(beta) != set(G):
            raise nx.NetworkXError("beta dictionary must have a value for every node") from error
        betas = np.array([beta[node] for node in G.names], float)
    start = None if nstart is None else Vector.from_dense(np.array([nstart[node] for node in G.names], float))
    found = _of_accepted(algorithms.katz, _weighted(G, weight), start, Vector.from_dense(betas), alpha, n * tol, max(max_iter, 0))
    _power_limit(found.iterations, found.change, n * tol, max_iter)
    values = found.centrality.to_dense()
    norm = math.hypot(*values) if normalized else 1.0
    return dict(zip(G.names, (values / norm if norm else values).tolist()))


def _weighted(graph: Graph, weight: Any) -> Any:
    """The matrix of an attribute; without one the pattern."""
    return graph.pattern() if weight is None else graph.weights(weight, "plus")


@only_if(_starts_everywhere)
@not_implemented_for("multigraph")
def eigenvector_centrality(
    G: Graph,  # noqa: N803
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: dict[Any, float] | None = None,
    weight: Any = None,
) -> dict[Any, float]:
    """The eigenvector of the largest eigenvalue, by power iteration."""
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    start = None
    if nstart is not None:
        if all(x == 0 for x in nstart.values()):
            raise nx.NetworkXError("initial vector cannot have all zero values")
        start = Vector.from_dense(np.array([nstart[node] for node in G.names], float))
    found = _of_accepted(algorithms.eigenvector, _weighted(G, weight), start, n * tol, max(max_iter, 0))
    _power_limit(found.iterations, found.change, n * tol, max_iter)
    return G.by_node(found.centrality)


def _of_sum_1(G: Any, max_iter: int = 100, tol: float = 1.0e-8, nstart: Any = None, normalized: bool = True) -> bool:  # noqa: N803
    return nstart is None and bool(normalized)


@only_if(_of_sum_1)
def hits(G: Graph, max_iter: int = 100, tol: float = 1.0e-8, nstart: Any = None, normalized: bool = True) -> Any:  # noqa: N803
    """Hubs and authorities; they depend on the start where the largest singular value is not single.

    NetworkX takes fewer iterations than products with a vector, so a hundred times as many are allowed.
    """
    if len(G) == 0:
        return {}, {}
    if max_iter <= 0:
        raise nx.PowerIterationFailedConvergence(max_iter)
    tol = max(tol, 1e-15)  # 0: as exact as numbers are
    found = algorithms.hits(G.weights("weight", "plus"), None, tol, 100 * max_iter)
    _power_limit(found.iterations, found.change, tol, max_iter)
    return G.by_node(found.hub), G.by_node(found.authority)


@only_if(lambda G, u=None, distance=None, wf_improved=True: distance is None)
def closeness_centrality(G: Graph, u: Any = None, distance: Any = None, wf_improved: bool = True) -> Any:  # noqa: N803
    """The inverse of the mean distance from those that reach a node."""
    nodes = list(G) if u is None else [G.names[number(G, u, "Source {} is not in G")]]
    sums, count = of_levels(G, nodes, total, reached, backwards=True)
    values = {}
    for node, sum_, others in zip(nodes, sums.tolist(), (count - 1).tolist()):
        value = others / sum_ if sum_ > 0 and len(G) > 1 else 0.0
        values[node] = value * (others / (len(G) - 1)) if wf_improved and value else value
    return values if u is None else values[u]


@only_if(lambda G, nbunch=None, distance=None, sources=None: distance is None and sources is None)
def harmonic_centrality(G: Graph, nbunch: Any = None, distance: Any = None, sources: Any = None) -> dict[Any, float]:  # noqa: N803
    """The sum of the inverse distances from those that reach a node."""
    nodes = G.chosen(nbunch)
    return dict(zip(nodes, of_levels(G, nodes, inverse, backwards=True)[0].tolist()))


@only_if(lambda G, v, paths=None, weight=None, normalized=True: paths is None and weight is None)
def local_reaching_centrality(G: Graph, v: Any, paths: Any = None, weight: Any = None, normalized: bool = True) -> float:  # noqa: N803
    """The share of nodes that are reached; in an undirected graph each counts by its inverse distance."""
    if G.number_of_edges() and len(G) == 1:
        raise nx.NetworkXError("local_reaching_centrality of a single node with self-loop not well-defined")
    if G.number_of_edges() == 0:
        raise nx.NetworkXError("Size of G must be positive")
    return _reach(G, [v])[0] if v in G else number(G, v, "Source {} not in G")


@only_if(lambda G, weight=None, normalized=True: weight is None)
def global_reaching_centrality(G: Graph, weight: Any = None, normalized: bool = True) -> float:  # noqa: N803
    """The mean difference from the largest of these."""
    if G.number_of_edges() == 0:
        raise nx.NetworkXError("Size of G must be positive")
    if len(G) == 1:
        return local_reaching_centrality(G, G.names[0])
    values = _reach(G, list(G))
    return sum(max(values) - x for x in values) / (len(G) - 1)


def _reach(graph: Graph, nodes: list[Any]) -> list[float]:
    found = of_levels(graph, nodes, reached if graph.is_directed() else inverse)[0]
    return ((found - 1 if graph.is_directed() else found) / (len(graph) - 1)).tolist()


def _group(G: Any, S: Any, weight: Any = None) -> bool:  # noqa: N803
    return weight is None and is_set(G, S) and len(S) > 0 and all(node in G for node in S)


@only_if(_group)
def group_closeness_centrality(G: Graph, S: Any, weight: Any = None) -> float:  # noqa: N803
    """The number of nodes outside a group over the sum of their distances to it."""
    members = dict.fromkeys(S)
    level = breadth_first(G, [G.index[node] for node in members], backwards=True).level
    return (len(G) - len(members)) / int(level.sum()) if level.any() else 0


@only_if(_group)
def group_degree_centrality(G: Graph, S: Any) -> float:  # noqa: N803
    """The share of nodes outside a group that it has edges to."""
    return len(node_boundary(G, S)) / (len(G) - len(S))


@only_if(_group)
@not_implemented_for("undirected")
def group_out_degree_centrality(G: Graph, S: Any) -> float:  # noqa: N803
    """The same."""
    return group_degree_centrality(G, S)


@only_if(_group)
@not_implemented_for("undirected")
def group_in_degree_centrality(G: Graph, S: Any) -> float:  # noqa: N803
    """The share that has edges to it."""
    member = members(G, S)
    before = distinct(G.tails[member[G.heads] & ~member[G.tails]])
    return len(before) / (len(G) - len(S))


def _degrees(graph: Graph, degree: np.ndarray) -> dict[Any, float]:
    if len(graph) <= 1:
        return dict.fromkeys(graph, 1)
    scale = 1.0 / (len(graph) - 1.0)
    return {node: d * scale for node, d in zip(graph.names, degree.tolist())}


@algorithm
def degree_centrality(G: Graph) -> dict[Any, float]:  # noqa: N803
    """Edges of a node over the number of others."""
    return _degrees(G, G.degrees() + G.degrees(outward=False) if G.is_directed() else G.degrees())


@algorithm
@not_implemented_for("undirected")
def in_degree_centrality(G: Graph) -> dict[Any, float]:  # noqa: N803
    """The same of the edges to it."""
    return _degrees(G, G.degrees(outward=False))


@algorithm
@not_implemented_for("undirected")
def out_degree_centrality(G: Graph) -> dict[Any, float]:  # noqa: N803
    """The same of the edges from it."""
    return _degrees(G, G.degrees())
