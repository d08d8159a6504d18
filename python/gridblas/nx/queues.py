"""Paths of weights of either sign. Of several shortest ones NetworkX takes the one that its queue finds: its own search answers then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from .. import algorithms
from ..matrix import Matrix
from .graph import Graph, bounds
from .interface import only_if
from .order import arcs_of, named, trails


def _not_a_function(G: Any, weight: Any = "weight", **others: Any) -> bool:  # noqa: N803
    return not callable(weight)


class _Several(Exception):
    """Several paths are shortest, or sums of whole numbers are rounded."""


class _Paths:
    """The shortest paths from a node."""

    def __init__(self, graph: Graph, source: Any, weight: Any) -> None:
        length = graph.values(weight)
        weights = graph.signed_weights(weight)
        if length.dtype.kind == "i" and np.abs(length).sum(dtype=float) >= 2.0**53:
            raise _Several
        found = algorithms.bellman_ford(weights, graph.index[source], only="distance")
        if found is None:
            raise nx.NetworkXUnbounded("Negative cycle detected.")
        self.graph, self.names, self.source, self.whole = graph, graph.names, graph.index[source], length.dtype.kind == "i"
        self.distance = found.to_dense(np.inf, float)[: len(graph)]
        self.reached = np.flatnonzero(np.isfinite(self.distance))
        last = np.isfinite(self.distance[graph.heads]) & (self.distance[graph.tails] + length == self.distance[graph.heads])
        heads, tails = graph.heads[last], graph.tails[last]
        if graph.is_multigraph():  # parallel edges count once
            heads, tails = np.unique(np.stack((heads, tails)), axis=1)
        self.parent = np.full(len(graph), -1)
        self.parent[heads] = tails
        self.count = np.bincount(heads, minlength=len(graph))

    def length(self, node: int) -> Any:
        """Its length; of no edges it is a whole number."""
        return int(self.distance[node]) if self.whole or node == self.source else float(self.distance[node])

    def trail(self, node: int) -> list[Any]:
        """The path to a node."""
        trail = [self.names[node]]
        while node != self.source:
            if self.count[node] != 1:
                raise _Several
            node = int(self.parent[node])
            trail.append(self.names[node])
        if self.count[node]:
            raise _Several
        return trail[::-1]


    def lengths(self) -> dict[Any, Any]:
        """All lengths."""
        lengths = self.distance[self.reached].astype(int if self.whole else float).tolist()
        return dict(zip(named(self.graph, self.reached), lengths)) | {self.names[self.source]: 0}

    def trails(self) -> dict[Any, list[Any]]:
        """All paths."""
        if (self.count[self.reached] != (self.reached != self.source)).any():
            raise _Several
        children = np.argsort(self.parent, kind="stable")  # those without a parent first
        begin = bounds(np.bincount(self.parent + 1, minlength=len(self.parent) + 1))[1:]
        found = [np.array([self.source])]
        while len(found[-1]):
            found.append(children[arcs_of(begin, found[-1])])
        nodes = np.concatenate(found)
        position = np.empty(len(self.graph), np.int64)
        position[nodes] = np.arange(len(nodes))
        return trails(self.graph, nodes, np.append(-1, position[self.parent[nodes[1:]]]))


def _found(graph: Graph, source: Any, target: Any, weight: Any) -> Any:
    """Distances and paths, or both of one target."""
    found = _Paths(graph, source, weight)
    if target is None:
        return found.lengths(), found.trails()
    if target not in graph or not np.isfinite(found.distance[graph.index[target]]):
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    return found.length(graph.index[target]), found.trail(graph.index[target])


@only_if(_not_a_function)
def single_source_bellman_ford(G: Graph, source: Any, target: Any = None, weight: Any = "weight") -> Any:  # noqa: N803
    """Distances and paths from a node, or both of one target."""
    if source == target:
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} is not found in the graph")
        return 0, [source]
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} not in G")
    try:
        return _found(G, source, target, weight)
    except _Several:
        return nx.single_source_bellman_ford.orig_func(G.original(), source, target, weight)


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
    G.signed_weights(weight)  # at once: NetworkX computes what is declined
    return ((node, single_source_bellman_ford_path(G, node, weight)) for node in G)


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
