"""Distances, with and without weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .. import algorithms
from ..matrix import Matrix
from .graph import Graph
from .interface import algorithm, only_if

BATCH = 64  # sources that are searched at once


def _levels(graph: Graph, source: Any, cutoff: Any = None, backwards: bool = False) -> dict[Any, int]:
    """The number of edges from (to) a node to (from) each that is reached, near ones first."""
    pattern = graph.pattern().T.new() if backwards and graph.is_directed() else graph.pattern()
    limit = -1 if cutoff is None or cutoff == float("inf") else int(cutoff)
    if cutoff is not None and cutoff < 0:
        return {}
    where, level = algorithms.bfs(pattern, graph.number(source), limit, only="level").to_coo()
    order = np.argsort(level, kind="stable")
    return {graph.nodes[k]: d for k, d in zip(where[order].tolist(), level[order].tolist())}


def sums_of_levels(graph: Graph, nodes: list[Any], backwards: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each node: the sum of the distances from it (to it), how many nodes have one, and the sum of the inverse distances."""
    pattern = graph.pattern().T.new() if backwards and graph.is_directed() else graph.pattern()
    total, reached, inverse = (np.zeros(len(nodes), dtype) for dtype in (np.int64, np.int64, np.float64))
    for begin in range(0, len(nodes), BATCH):
        part = nodes[begin : begin + BATCH]
        # A column for each source, of small numbers whose sums are not.
        levels = algorithms.bfs_many(pattern, [graph.number(node) for node in part]).dup("INT64")
        for out, values in ((total, levels), (reached, levels.apply("one")), (inverse, levels.select(">", 0).new("FP64").apply("minv"))):
            sums = values.reduce_columnwise("plus").new().to_dense(0)
            out[begin : begin + len(part)] = sums
    return total, reached, inverse


def _farthest(graph: Graph, nodes: list[Any]) -> tuple[np.ndarray, np.ndarray]:
    """For each node: the largest distance from it, and how many nodes have one."""
    far, reached = np.zeros(len(nodes), np.int64), np.zeros(len(nodes), np.int64)
    for begin in range(0, len(nodes), BATCH):
        part = nodes[begin : begin + BATCH]
        levels = algorithms.bfs_many(graph.pattern(), [graph.number(node) for node in part])
        far[begin : begin + len(part)] = levels.reduce_columnwise("max").new().to_dense(0)
        reached[begin : begin + len(part)] = levels.reduce_columnwise("count").new().to_dense(0)
    return far, reached


# ---- without weights ----


@algorithm
def single_source_shortest_path_length(G: Graph, source: Any, cutoff: Any = None) -> dict[Any, int]:  # noqa: N803
    """Distances from a node."""
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    return _levels(G, source, cutoff)


@algorithm
def single_target_shortest_path_length(G: Graph, target: Any, cutoff: Any = None) -> dict[Any, int]:  # noqa: N803
    """Distances to a node."""
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    return _levels(G, target, cutoff, backwards=True)


@algorithm
def all_pairs_shortest_path_length(G: Graph, cutoff: Any = None) -> Iterator[tuple[Any, dict[Any, int]]]:  # noqa: N803
    """Distances from every node."""
    for node in G:
        yield node, _levels(G, node, cutoff)


@algorithm
def has_path(G: Graph, source: Any, target: Any) -> bool:  # noqa: N803
    """Whether one node reaches another."""
    for node, what in ((source, "Source"), (target, "Target")):
        if node not in G:
            raise nx.NodeNotFound(f"{what} {node} is not in G")
    return target in _levels(G, source)


def _must_be_there(graph: Graph, node: Any) -> None:
    if node not in graph:
        raise nx.NetworkXError(f"The node {node} is not in the graph.")


@algorithm
def descendants(G: Graph, source: Any) -> set[Any]:  # noqa: N803
    """Nodes that a node reaches."""
    _must_be_there(G, source)
    return _levels(G, source).keys() - {source}


@algorithm
def ancestors(G: Graph, source: Any) -> set[Any]:  # noqa: N803
    """Nodes that reach a node."""
    _must_be_there(G, source)
    return _levels(G, source, backwards=True).keys() - {source}


@algorithm
def descendants_at_distance(G: Graph, source: Any, distance: Any) -> set[Any]:  # noqa: N803
    """Nodes at one distance."""
    _must_be_there(G, source)
    return {node for node, d in _levels(G, source, distance).items() if d == distance}


@only_if(lambda G, sources: sources in G)
def bfs_layers(G: Graph, sources: Any) -> Iterator[list[Any]]:  # noqa: N803
    """Nodes by their distance from one."""
    layer: list[Any] = []
    at = 0
    for node, d in _levels(G, sources).items():
        if d != at:
            yield layer
            layer, at = [], d
        layer.append(node)
    yield layer


def _plain(G: Any, v: Any = None, sp: Any = None, weight: Any = None) -> bool:  # noqa: N803
    return sp is None and weight is None


@only_if(_plain)
def eccentricity(G: Graph, v: Any = None, sp: Any = None, weight: Any = None) -> Any:  # noqa: N803
    """The largest distance from each node."""
    nodes = G.chosen(v)
    far, reached = _farthest(G, nodes)
    if (reached < len(G)).any():
        directed = " because the digraph is not strongly connected" if G.is_directed() else " because the graph is not connected"
        raise nx.NetworkXError("Found infinite path length" + directed)
    values = dict(zip(nodes, far.tolist()))
    return values[v] if v is not None and v in G else values


@only_if(lambda G, e=None, usebounds=False, weight=None: weight is None and not usebounds and e is None)
def diameter(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> int:  # noqa: N803
    """The largest of these."""
    return max(eccentricity(G).values())


@only_if(lambda G, e=None, usebounds=False, weight=None: weight is None and not usebounds and e is None)
def radius(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> int:  # noqa: N803
    """The smallest of these."""
    return min(eccentricity(G).values())


@only_if(lambda G, e=None, usebounds=False, weight=None: weight is None and not usebounds and e is None)
def periphery(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Any]:  # noqa: N803
    """The nodes where it is largest."""
    values = eccentricity(G)
    most = max(values.values())
    return [node for node, far in values.items() if far == most]


@algorithm
@not_implemented_for("directed")
def global_efficiency(G: Graph) -> float:  # noqa: N803
    """The mean inverse distance of two nodes."""
    n = len(G)
    return float(sums_of_levels(G, list(G))[2].sum()) / (n * (n - 1)) if n > 1 else 0


@only_if(lambda G, weight=None, method=None: weight is None and method is None)
def average_shortest_path_length(G: Graph, weight: Any = None, method: Any = None) -> float:  # noqa: N803
    """The mean distance between two nodes."""
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus there is no average shortest path length")
    if n == 1:
        return 0
    total, reached, _ = sums_of_levels(G, list(G))
    if G.is_directed():
        back = sums_of_levels(G, [G.nodes[0]], backwards=True)[1]
        if reached[0] < n or back[0] < n:
            raise nx.NetworkXError("Graph is not strongly connected.")
    elif reached[0] < n:
        raise nx.NetworkXError("Graph is not connected.")
    return int(total.sum()) / (n * (n - 1))


@only_if(lambda G, weight=None: weight is None)
def wiener_index(G: Graph, weight: Any = None) -> float:  # noqa: N803
    """The sum of all distances, of a pair of nodes once in an undirected graph."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    total, reached, _ = sums_of_levels(G, list(G))
    if (reached < len(G)).any():
        return float("inf")
    return float(total.sum()) / (1 if G.is_directed() else 2)


# ---- with weights ----


def _by_name(G: Any, *args: Any, weight: Any = "weight", **options: Any) -> bool:  # noqa: N803
    """Weights are an attribute, not a function; NetworkX passes them by name or last."""
    return not callable(weight) and not any(callable(x) for x in args)


def _one_source(G: Any, source: Any, *args: Any, weight: Any = "weight", **options: Any) -> bool:  # noqa: N803
    return source in G and _by_name(G, *args, weight=weight)


def _lengths(graph: Graph, source: Any, weight: Any, cutoff: Any = None, negative: bool = False) -> dict[Any, Any]:
    """Distances from a node by the weights of edges, near ones first."""
    if source not in graph:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    weights: Matrix = graph.weights(weight, "min")
    if negative:
        found = algorithms.bellman_ford(weights, graph.number(source), only="distance")
        if found is None:
            raise nx.NetworkXUnbounded("Negative cycle detected.")
    else:
        if weights.reduce_scalar("min").get(0) < 0:
            raise ValueError("Contradictory paths found:", "negative weights?")
        found = algorithms.shortest_paths(weights, graph.number(source), only="distance")
    where, length = found.to_coo()
    order = np.argsort(length, kind="stable")
    pairs = zip(where[order].tolist(), length[order].tolist())
    return {graph.nodes[k]: d for k, d in pairs if cutoff is None or d <= cutoff}


@only_if(_one_source)
def single_source_dijkstra_path_length(G: Graph, source: Any, cutoff: Any = None, weight: Any = "weight") -> dict[Any, Any]:  # noqa: N803
    """Distances from a node; no weight is below 0."""
    return _lengths(G, source, weight, cutoff)


@only_if(_by_name)
def all_pairs_dijkstra_path_length(G: Graph, cutoff: Any = None, weight: Any = "weight") -> Iterator[Any]:  # noqa: N803
    """The same from every node."""
    for node in G:
        yield node, _lengths(G, node, weight, cutoff)


@only_if(_one_source)
def dijkstra_path_length(G: Graph, source: Any, target: Any, weight: Any = "weight") -> Any:  # noqa: N803
    """The same between two."""
    return _between(G, source, target, _lengths(G, source, weight))


@only_if(_one_source)
def single_source_bellman_ford_path_length(G: Graph, source: Any, weight: Any = "weight") -> dict[Any, Any]:  # noqa: N803
    """Distances from a node; weights may be below 0."""
    return _lengths(G, source, weight, negative=True)


@only_if(_by_name)
def all_pairs_bellman_ford_path_length(G: Graph, weight: Any = "weight") -> Iterator[Any]:  # noqa: N803
    """The same from every node."""
    for node in G:
        yield node, _lengths(G, node, weight, negative=True)


@only_if(_one_source)
def bellman_ford_path_length(G: Graph, source: Any, target: Any, weight: Any = "weight") -> Any:  # noqa: N803
    """The same between two."""
    return _between(G, source, target, _lengths(G, source, weight, negative=True))


def _between(graph: Graph, source: Any, target: Any, lengths: dict[Any, Any]) -> Any:
    if source == target:
        return 0
    if target not in lengths:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return lengths[target]
