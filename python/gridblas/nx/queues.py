"""Paths of weights of either sign, where one path is shortest: of several NetworkX takes the one that its queue finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from .. import algorithms
from ..matrix import Matrix
from .graph import Graph
from .interface import only_if


def _not_a_function(G: Any, weight: Any = "weight", **others: Any) -> bool:  # noqa: N803
    return not callable(weight)


class _Paths:
    """The shortest paths from a node."""

    def __init__(self, graph: Graph, source: Any, weight: Any) -> None:
        if source not in graph:
            raise nx.NodeNotFound(f"Source {source} not in G")
        length = graph.values(weight)
        if length.dtype.kind == "i" and np.abs(length).sum(dtype=float) >= 2.0**53:
            raise NotImplementedError("gridblas finds paths whose whole numbers add up to less than 2**53")
        found = algorithms.bellman_ford(graph.signed_weights(weight), graph.index[source], only="distance")
        if found is None:
            raise nx.NetworkXUnbounded("Negative cycle detected.")
        self.names, self.source, self.whole = graph.names, graph.index[source], length.dtype.kind == "i"
        self.distance = found.to_dense(np.inf, float)[: len(graph)]
        self.reached = np.flatnonzero(np.isfinite(self.distance)).tolist()
        last = np.isfinite(self.distance[graph.tails]) & (self.distance[graph.tails] + length == self.distance[graph.heads])
        pairs = np.unique(graph.number_pairs(graph.heads[last], graph.tails[last]))
        self.parent = np.full(len(graph), -1)
        self.parent[pairs // len(graph)] = pairs % len(graph)
        self.count = np.bincount(pairs // len(graph), minlength=len(graph))

    def length(self, node: int) -> Any:
        """Its length; of no edges it is a whole number."""
        return int(self.distance[node]) if self.whole or node == self.source else float(self.distance[node])

    def trail(self, node: int) -> list[Any]:
        """The path to a node."""
        trail = [self.names[node]]
        while node != self.source:
            if self.count[node] != 1:
                break
            node = int(self.parent[node])
            trail.append(self.names[node])
        if self.count[node] != (node != self.source):
            raise NotImplementedError("gridblas finds paths of weights of either sign where one is shortest")
        return trail[::-1]

    def lengths(self) -> dict[Any, Any]:
        """All lengths."""
        return {self.names[k]: self.length(k) for k in self.reached}

    def trails(self) -> dict[Any, list[Any]]:
        """All paths."""
        return {self.names[k]: self.trail(k) for k in self.reached}


@only_if(_not_a_function)
def single_source_bellman_ford(G: Graph, source: Any, target: Any = None, weight: Any = "weight") -> Any:  # noqa: N803
    """Distances and paths from a node, or both of one target."""
    if source == target:
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} is not found in the graph")
        return 0, [source]
    found = _Paths(G, source, weight)
    if target is None:
        return found.lengths(), found.trails()
    if target not in G or not np.isfinite(found.distance[G.index[target]]):
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    return found.length(G.index[target]), found.trail(G.index[target])


@only_if(_not_a_function)
def single_source_bellman_ford_path(G: Graph, source: Any, weight: Any = "weight") -> dict[Any, list[Any]]:  # noqa: N803
    """The paths."""
    return single_source_bellman_ford(G, source, weight=weight)[1]


@only_if(_not_a_function)
def bellman_ford_path(G: Graph, source: Any, target: Any, weight: Any = "weight") -> list[Any]:  # noqa: N803
    """The path between two nodes."""
    return single_source_bellman_ford(G, source, target, weight)[1]


@only_if(_not_a_function)
def all_pairs_bellman_ford_path(G: Graph, weight: Any = "weight") -> Iterator[Any]:  # noqa: N803
    """The paths from every node."""
    return iter([(node, _Paths(G, node, weight).trails()) for node in G])  # at once: NetworkX computes what is declined


@only_if(_not_a_function)
def negative_edge_cycle(G: Graph, weight: Any = "weight", heuristic: bool = True) -> bool:  # noqa: N803
    """Whether the weights of a cycle add up to less than 0: searched for from a vertex before all nodes."""
    if len(G.heads) == 0:
        return False
    G.signed_weights(weight)
    n, length = len(G), G.values(weight)
    tails, heads = np.append(G.tails, np.full(n, n)), np.append(G.heads, np.arange(n))
    matrix = Matrix.from_coo(tails, heads, np.append(length, np.zeros(n, length.dtype)), nrows=n + 1, ncols=n + 1, dup_op="min")
    return bool(algorithms.bellman_ford(matrix, n, only="negative_cycle"))
