"""Distances and paths with weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from .. import algorithms
from .dictionaries import without_collection
from .graph import Graph
from .interface import of_all_pairs, only_if
from .order import Nearest, chain, lengths, named, named_lists, nearest, nodes_before, trails


def _by_name(G: Any, weight: Any = "weight", **others: Any) -> bool:  # noqa: N803
    """Weights are an attribute, not a function."""
    return not callable(weight)


def _number_of_node(graph: Graph, node: Any, message: str = "Node {} not found in graph") -> int:
    if node not in graph:
        raise nx.NodeNotFound(message.format(node))
    return graph.index[node]


# ---- distances alone ----


def _any_below_0(graph: Graph, weight: Any) -> bool:
    return graph._once(("below 0", weight), lambda: bool((graph.values(weight) < 0).any()))


def _reached(
    graph: Graph, source: Any, weight: Any, negative: bool = False, cutoff: Any = None, target: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """The nodes that are reached from one, and their distances by the weights of edges. negative: by the method of Bellman and Ford."""
    start = _number_of_node(graph, source, "Source {} not in G" if negative else "Node {} not found in graph")
    if negative:
        found = algorithms.bellman_ford(graph.signed_weights(weight), start, only="distance")
        if found is None:
            raise nx.NetworkXUnbounded("Negative cycle detected.")
        where, length = found.to_coo()
        return where[length < np.inf], length[length < np.inf]  # Dijkstra's method alone reaches nodes at infinity
    elif _any_below_0(graph, weight):  # Dijkstra's method finds other distances then, or an error
        reached = nearest(graph, [start], weight, cutoff, graph.index[target] if target in graph else -1)
        return reached.found, reached.distance.astype(graph.values(weight).dtype)
    else:
        found = algorithms.shortest_paths(graph.weights(weight, "min"), start, only="distance")
    return found.to_coo()


def _lengths(graph: Graph, source: Any, weight: Any, cutoff: Any = None, negative: bool = False) -> dict[Any, Any]:
    """Distances from a node by the weights of edges, near ones first; by the queue of Bellman and Ford in no order."""
    where, length = _reached(graph, source, weight, negative, cutoff)
    if cutoff is not None:
        where, length = where[length <= cutoff], length[length <= cutoff]
    if not negative:
        order = np.argsort(length, kind="stable")
        where, length = where[order], length[order]
    return {source: 0} | dict(zip(named(graph, where), (length + 0).tolist())) | {source: 0}  # -0.0 becomes 0.0


def _between(graph: Graph, source: Any, target: Any, weight: Any, what: str, negative: bool = False) -> Any:
    if source == target:
        _number_of_node(graph, source)
        return 0
    where, length = _reached(graph, source, weight, negative, target=target)
    at = np.flatnonzero(where == graph.index[target]) if target in graph else ()
    if len(at) == 0:
        raise nx.NetworkXNoPath(f"{what} {target} not reachable from {source}")
    return (length[at[0]] + 0).item()


@only_if(_by_name)
def single_source_dijkstra_path_length(G: Graph, source: Any, cutoff: Any = None, weight: Any = "weight") -> dict[Any, Any]:  # noqa: N803
    """Distances from a node."""
    return _lengths(G, source, weight, cutoff)


@only_if(_by_name)
def all_pairs_dijkstra_path_length(G: Graph, cutoff: Any = None, weight: Any = "weight") -> Iterator[Any]:  # noqa: N803
    """The same from every node."""
    if _any_below_0(G, weight):
        lengths(G, weight)  # declines at once, not at the first result
    return ((node, _lengths(G, node, weight, cutoff)) for node in G)


@only_if(_by_name)
def floyd_warshall(G: Graph, weight: Any = "weight") -> dict[Any, dict[Any, Any]]:  # noqa: N803
    """Distances of all pairs, infinity where no path leads; no weight is below 0."""
    if _any_below_0(G, weight):
        raise NotImplementedError("gridblas takes no weights below 0 here")
    if len(G) == 0:
        return {}
    i, j, length = algorithms.all_pairs(G.weights(weight, "min")).to_coo()
    whole = length.dtype.kind == "i"
    table = np.full((len(G), len(G)), np.inf, object if whole else float)  # an array of whole numbers has no infinity
    if whole and len(length) == len(G) ** 2:
        table = np.empty(table.shape, length.dtype)
    table[i, j] = length
    with without_collection():
        return {node: dict(zip(G.names, row)) for node, row in zip(G.names, table.tolist())}


@only_if(_by_name)
def dijkstra_path_length(G: Graph, source: Any, target: Any, weight: Any = "weight") -> Any:  # noqa: N803
    """The same between two."""
    return _between(G, source, target, weight, "Node")


@only_if(_by_name)
def single_source_bellman_ford_path_length(G: Graph, source: Any, weight: Any = "weight") -> dict[Any, Any]:  # noqa: N803
    """Distances from a node; weights may be below 0."""
    return _lengths(G, source, weight, negative=True)


@only_if(_by_name)
def all_pairs_bellman_ford_path_length(G: Graph, weight: Any = "weight") -> Iterator[Any]:  # noqa: N803
    """The same from every node."""
    G.signed_weights(weight)  # at once: NetworkX computes what is declined
    return ((node, _lengths(G, node, weight, negative=True)) for node in G)


@only_if(_by_name)
def bellman_ford_path_length(G: Graph, source: Any, target: Any, weight: Any = "weight") -> Any:  # noqa: N803
    """The same between two."""
    return _between(G, source, target, weight, "node", negative=True)


# Of two nodes, from one, of all pairs.
LENGTHS = {
    "dijkstra": (dijkstra_path_length, single_source_dijkstra_path_length, all_pairs_dijkstra_path_length),
    "bellman-ford": (bellman_ford_path_length, single_source_bellman_ford_path_length, all_pairs_bellman_ford_path_length),
}


# ---- paths, in the order of Dijkstra's method ----


def _from_several(G: Any, weight: Any = "weight", **others: Any) -> bool:  # noqa: N803
    sources = others.get("sources", others.get("center_nodes"))
    return isinstance(sources, (set, frozenset, list, tuple, dict)) and not callable(weight)


def _found(graph: Graph, sources: Any, weight: Any, cutoff: Any = None, target: int = -1) -> Nearest:
    if not sources:
        raise ValueError("sources must not be empty")
    return nearest(graph, [_number_of_node(graph, node) for node in dict.fromkeys(sources)], weight, cutoff, target)


def _distances(graph: Graph, found: Nearest, weight: Any) -> dict[Any, Any]:
    whole = graph.values(weight).dtype.kind == "i"
    distances = dict(zip(named(graph, found.found), found.distance.astype(int if whole else float).tolist()))
    distances.update(dict.fromkeys(named(graph, found.found[found.before < 0]), 0))  # a whole number, as NetworkX's
    return distances


def predecessors(graph: Graph, found: Nearest, weight: Any, cutoff: Any = None) -> dict[Any, list[Any]]:
    """For each node those before it on shortest paths."""
    begin, before = nodes_before(graph, found, weight, cutoff)
    names = named(graph, found.found)
    return named_lists(names, begin, names, before)


def _paths(graph: Graph, sources: Any, found: Nearest, names: list[Any] | None = None) -> dict[Any, list[Any]]:
    """All paths; NetworkX takes the first nodes for the sources."""
    if (found.before[: len(set(sources))] >= 0).any():
        raise NotImplementedError("gridblas takes no weights below 0 here")
    return trails(graph, found.found, found.before, names=names)


@only_if(_from_several)
def multi_source_dijkstra(G: Graph, sources: Any, target: Any = None, cutoff: Any = None, weight: Any = "weight") -> Any:  # noqa: N803
    """Distances from the nearest of some nodes, and paths; or both of one target."""
    if target is not None and target in sources:
        for node in sources:
            _number_of_node(G, node)
        return 0, [target]
    found = _found(G, sources, weight, cutoff, G.index[target] if target in G else -1)
    distances = _distances(G, found, weight)
    if target is None:
        return distances, _paths(G, sources, found, list(distances))
    if target not in distances:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return distances[target], named(G, found.found[chain(found.before, len(found.found) - 1)[::-1]])


@only_if(_from_several)
def multi_source_dijkstra_path(G: Graph, sources: Any, cutoff: Any = None, weight: Any = "weight") -> dict[Any, list[Any]]:  # noqa: N803
    """The paths."""
    return _paths(G, sources, _found(G, sources, weight, cutoff))


@only_if(_from_several)
def multi_source_dijkstra_path_length(G: Graph, sources: Any, cutoff: Any = None, weight: Any = "weight") -> dict[Any, Any]:  # noqa: N803
    """The distances."""
    return _distances(G, _found(G, sources, weight, cutoff), weight)


@only_if(_by_name)
def single_source_dijkstra(G: Graph, source: Any, target: Any = None, cutoff: Any = None, weight: Any = "weight") -> Any:  # noqa: N803
    """Distances and paths from one node."""
    return multi_source_dijkstra(G, {source}, target, cutoff, weight)


@only_if(_by_name)
def single_source_dijkstra_path(G: Graph, source: Any, cutoff: Any = None, weight: Any = "weight") -> dict[Any, list[Any]]:  # noqa: N803
    """The paths."""
    return multi_source_dijkstra_path(G, {source}, cutoff, weight)


@only_if(_by_name)
def dijkstra_path(G: Graph, source: Any, target: Any, weight: Any = "weight") -> list[Any]:  # noqa: N803
    """The path between two nodes."""
    return single_source_dijkstra(G, source, target, weight=weight)[1]


@only_if(_by_name)
def all_pairs_dijkstra(G: Graph, cutoff: Any = None, weight: Any = "weight") -> Iterator[Any]:  # noqa: N803
    """Distances and paths from every node."""
    lengths(G, weight)  # declines at once, not at the first result
    return ((node, single_source_dijkstra(G, node, None, cutoff, weight)) for node in G)


@only_if(_by_name)
def all_pairs_dijkstra_path(G: Graph, cutoff: Any = None, weight: Any = "weight") -> Iterator[Any]:  # noqa: N803
    """The paths."""
    lengths(G, weight)
    return ((node, single_source_dijkstra_path(G, node, cutoff, weight)) for node in G)


@only_if(_by_name)
def johnson(G: Graph, weight: Any = "weight") -> dict[Any, dict[Any, list[Any]]]:  # noqa: N803
    """The paths between all nodes; with weights below 0 by NetworkX."""
    if _any_below_0(G, weight):
        return nx.johnson.orig_func(G.original(), weight)
    return dict(all_pairs_dijkstra_path(G, None, weight))


of_all_pairs.add("johnson")


@only_if(_by_name)
def dijkstra_predecessor_and_distance(G: Graph, source: Any, cutoff: Any = None, weight: Any = "weight") -> Any:  # noqa: N803
    """For each node those before it on shortest paths, and its distance."""
    found = nearest(G, [_number_of_node(G, source, "Node {} is not found in the graph")], weight, cutoff)
    before, names = predecessors(G, found, weight, cutoff), named(G, found.pushed)
    return dict(zip(names, map(before.__getitem__, names))), _distances(G, found, weight)


@only_if(_from_several)
def voronoi_cells(G: Graph, center_nodes: Any, weight: Any = "weight") -> dict[Any, set[Any]]:  # noqa: N803
    """For each center the nodes that are nearer to it than to others."""
    cells: dict[Any, set[Any]] = {}
    for node, trail in multi_source_dijkstra_path(G, center_nodes, weight=weight).items():
        cells.setdefault(trail[0], set()).add(node)
    left = set(G).difference(*cells.values())
    return {**cells, "unreachable": left} if left else cells
