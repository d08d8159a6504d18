"""Distances and paths without weights, and the functions that take both."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from .. import algorithms
from . import weighted
from .dictionaries import make_all_paths, without_collection
from .graph import Graph, bounds
from .interface import algorithm, only_if
from .order import Search, arcs_of, breadth_first, chain, firsts, lengths, named, nearest, nodes_before, shortest_paths_between, trails


def number(graph: Graph, node: Any, message: str) -> int:
    """A node's row, or NetworkX's exception with {} for the node."""
    if node not in graph:
        raise nx.NodeNotFound(message.format(node))
    return graph.index[node]


def _limit(cutoff: Any) -> Any:
    return math.inf if cutoff is None else cutoff


def _levels(graph: Graph, found: Search) -> dict[Any, int]:
    return dict(zip(named(graph, found.found), found.level.tolist()))


@algorithm
def single_source_shortest_path_length(G: Graph, source: Any, cutoff: Any = None) -> dict[Any, int]:  # noqa: N803
    """Distances from a node."""
    return _levels(G, breadth_first(G, [number(G, source, "Source {} is not in G")], _limit(cutoff)))


@algorithm
def single_target_shortest_path_length(G: Graph, target: Any, cutoff: Any = None) -> dict[Any, int]:  # noqa: N803
    """Distances to a node."""
    return _levels(G, breadth_first(G, [number(G, target, "Target {} is not in G")], _limit(cutoff), backwards=True))


@algorithm
def all_pairs_shortest_path_length(G: Graph, cutoff: Any = None) -> Iterator[tuple[Any, dict[Any, int]]]:  # noqa: N803
    """Distances from every node."""
    for node in G:
        yield node, single_source_shortest_path_length(G, node, cutoff)


@algorithm
def single_source_shortest_path(G: Graph, source: Any, cutoff: Any = None) -> dict[Any, list[Any]]:  # noqa: N803
    """Paths from a node."""
    return trails(G, *breadth_first(G, [number(G, source, "Source {} not in G")], _limit(cutoff))[:2])


@algorithm
def single_target_shortest_path(G: Graph, target: Any, cutoff: Any = None) -> dict[Any, list[Any]]:  # noqa: N803
    """Paths to a node."""
    return trails(G, *breadth_first(G, [number(G, target, "Target {} not in G")], _limit(cutoff), backwards=True)[:2], backwards=True)


@algorithm
def all_pairs_shortest_path(G: Graph, cutoff: Any = None) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:  # noqa: N803
    """Paths from every node."""
    for node in G:
        yield node, single_source_shortest_path(G, node, cutoff)


@algorithm
def bidirectional_shortest_path(G: Graph, source: Any, target: Any) -> list[Any]:  # noqa: N803
    """A path between two nodes, by searches from both."""
    ends = [number(G, source, "Source {} is not in G"), number(G, target, "Target {} is not in G")]
    if ends[0] == ends[1]:
        return [source]
    found = path_between(G, ends)
    if found is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return [G.names[k] for k in found]


def path_between(graph: Graph, ends: list[int], edge: bool = True) -> list[int] | None:
    """The numbers of a path's nodes, None if there is none; edge: it may be the edge itself. The search with fewer nodes in its last level goes on."""
    ways = ((graph.begin, graph.heads), graph.backwards())
    before = np.full((2, len(graph)), -2)  # from each end: the node before, -1 at the end, -2: not seen
    before[[0, 1], ends] = -1
    layers = [np.array([end]) for end in ends]
    mark = np.empty(len(graph), np.int64)
    while len(layers[0]) and len(layers[1]):
        side = 0 if len(layers[0]) <= len(layers[1]) else 1
        (begin, heads), layer = ways[side], layers[side]
        arcs = arcs_of(begin, layer)
        owner, neighbour = np.repeat(layer, begin[layer + 1] - begin[layer]), heads[arcs]
        new = np.flatnonzero((before[side, neighbour] == -2) & (edge or (owner != ends[side]) | (neighbour != ends[1 - side])))
        new = new[firsts(neighbour[new], mark)]
        before[side, neighbour[new]] = owner[new]
        layers[side] = neighbour[new]
        meeting = np.flatnonzero((before[1 - side, neighbour] != -2) & (before[side, neighbour] == owner))
        if len(meeting):
            forward, backward = (chain(before[k], int(neighbour[meeting[0]])) for k in (0, 1))
            return forward[::-1] + backward[1:]
    return None


@algorithm
def predecessor(G: Graph, source: Any, target: Any = None, cutoff: Any = None, return_seen: Any = None) -> Any:  # noqa: N803
    """For each node those before it on shortest paths from the source, and levels if return_seen."""
    start = number(G, source, "Source {} not in G")
    limit = math.ceil(max(cutoff, 1)) if cutoff and cutoff < math.inf else None
    found = nearest(G, [start], None, limit)
    before = weighted.predecessors(G, found, None, limit)
    level = dict(zip(before, found.distance.astype(int).tolist()))
    if target is None:
        return (before, level) if return_seen else before
    return (before.get(target, []), level.get(target, -1)) if return_seen else before.get(target, [])


# ---- whether nodes are reached ----


def _reached(graph: Graph, source: Any, backwards: bool = False) -> set[Any]:
    pattern = graph.pattern().T.new() if backwards and graph.is_directed() else graph.pattern()
    return {graph.names[k] for k in algorithms.bfs(pattern, graph.number(source), only="level")}


@algorithm
def has_path(G: Graph, source: Any, target: Any) -> bool:  # noqa: N803
    """Whether one node reaches another."""
    number(G, source, "Source {} is not in G")
    number(G, target, "Target {} is not in G")
    return bool((algorithms.bfs(G.pattern(), G.index[source], only="level").to_coo()[0] == G.index[target]).any())


def number_of_node(graph: Graph, node: Any, kind: str = "graph") -> int:
    """A node's row, or NetworkX's other exception."""
    if node not in graph:
        raise nx.NetworkXError(f"The node {node} is not in the {kind}.")
    return graph.index[node]


@algorithm
def descendants(G: Graph, source: Any) -> set[Any]:  # noqa: N803
    """Nodes that a node reaches."""
    number_of_node(G, source, "digraph" if G.is_directed() else "graph")
    return _reached(G, source) - {source}


@algorithm
def ancestors(G: Graph, source: Any) -> set[Any]:  # noqa: N803
    """Nodes that reach a node."""
    number_of_node(G, source, "digraph" if G.is_directed() else "graph")
    return _reached(G, source, backwards=True) - {source}


# ---- with and without weights ----

METHODS = ("dijkstra", "bellman-ford")


def _kind(weight: Any, method: str) -> str:
    if method not in METHODS:
        raise ValueError(f"method not supported: {method}")
    return "unweighted" if weight is None else method


def _a_path(G: Any, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra") -> bool:  # noqa: N803
    """Not where NetworkX searches with weights from both ends, against edges, or by a queue."""
    backwards = source is None and target is not None and G.is_directed()
    both = source is not None and target is not None
    return weight is None or (not callable(weight) and method != "bellman-ford" and not backwards and not both)


@only_if(_a_path)
def shortest_path(G: Graph, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra") -> Any:  # noqa: N803
    """Paths between two nodes, from one, to one, or of all pairs."""
    plain = _kind(weight, method) == "unweighted"
    if source is not None and target is not None:
        return bidirectional_shortest_path(G, source, target)
    if source is not None:
        return single_source_shortest_path(G, source) if plain else weighted.single_source_dijkstra_path(G, source, weight=weight)
    if target is None:
        return all_pairs_shortest_path(G) if plain else weighted.all_pairs_dijkstra_path(G, weight=weight)
    if plain:
        return trails(G, *breadth_first(G, [number(G, target, "Source {} not in G")], backwards=True)[:2], backwards=True)
    return {node: trail[::-1] for node, trail in weighted.single_source_dijkstra_path(G, target, weight=weight).items()}


def _a_length(G: Any, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra") -> bool:  # noqa: N803
    backwards = source is None and target is not None and G.is_directed()
    return weight is None or not (callable(weight) or backwards)


@only_if(_a_length)
def shortest_path_length(G: Graph, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra") -> Any:  # noqa: N803
    """Their lengths."""
    kind = _kind(weight, method)
    if kind == "unweighted":
        if source is not None and target is not None:
            return len(bidirectional_shortest_path(G, source, target)) - 1
        if source is not None or target is not None:
            node, backwards = (target, True) if source is None else (source, False)
            return _levels(G, breadth_first(G, [number(G, node, "Source {} is not in G")], backwards=backwards))
        return all_pairs_shortest_path_length(G)
    between, from_one, from_all = weighted.LENGTHS[kind]
    if source is not None and target is not None:
        return between(G, source, target, weight)
    if source is None and target is None:
        return from_all(G, weight=weight)
    return from_one(G, target if source is None else source, weight=weight)


def _no_queue(G: Any, weight: Any = None, method: str = "dijkstra", **others: Any) -> bool:  # noqa: N803
    return not callable(weight) and not (weight is not None and method == "bellman-ford")


def _before(graph: Graph, source: Any, weight: Any, method: str) -> tuple[list[Any], np.ndarray, np.ndarray]:
    """The nodes that are reached from one, and the positions of those before each on shortest paths, with bounds; in NetworkX's order."""
    if weight is not None and method not in METHODS:
        raise ValueError(f"method not supported: {method}")
    start = number(graph, source, "Source {} not in G" if weight is None else "Node {} is not found in the graph")
    found = nearest(graph, [start], weight)
    begin, before = nodes_before(graph, found, weight)
    if weight is None:
        return named(graph, found.found), begin, before
    order = found.of_nodes[1][found.pushed]
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return named(graph, found.found[order]), bounds(np.diff(begin)[order]), place[before[arcs_of(begin, order)]]


@only_if(_no_queue)
def all_shortest_paths(G: Graph, source: Any, target: Any, weight: Any = None, method: str = "dijkstra") -> Iterator[Any]:  # noqa: N803
    """All shortest paths between two nodes."""
    names, begin, before = _before(G, source, weight, method)
    return shortest_paths_between(names, begin, before, target)


@only_if(_no_queue)
def single_source_all_shortest_paths(G: Graph, source: Any, weight: Any = None, method: str = "dijkstra") -> Iterator[Any]:  # noqa: N803
    """All from one."""
    lengths(G, weight)  # declines at once, not at the first result
    return _all_from(G, source, weight, method)


def _all_from(graph: Graph, source: Any, weight: Any, method: str) -> Iterator[Any]:
    names, begin, before = _before(graph, source, weight, method)
    yield from zip(names, make_all_paths(names, begin, before))


def _all_by_target(graph: Graph, source: Any, weight: Any, method: str) -> dict[Any, list[list[Any]]]:
    with without_collection():
        return dict(_all_from(graph, source, weight, method))


@only_if(_no_queue)
def all_pairs_all_shortest_paths(G: Graph, weight: Any = None, method: str = "dijkstra") -> Iterator[Any]:  # noqa: N803
    """All of all pairs."""
    lengths(G, weight)
    return ((node, _all_by_target(G, node, weight, method)) for node in G)
