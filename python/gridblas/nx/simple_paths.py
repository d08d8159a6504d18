"""Simple paths."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import pairwise

from .dictionaries import make_edges
from .graph import Graph
from .interface import algorithm, enumerations, only_if
from .order import breadth_first, in_parts
from .searches import address, functions

FAR = 1 << 62


class _Search(ctypes.Structure):
    """The same as in C."""

    _fields_ = [("limit", ctypes.c_int64), ("by_arcs", ctypes.c_int64)] + [
        (name, ctypes.c_void_p) for name in "begin heads distance target on_path path arc next state".split()
    ]


def _targets(graph: Graph, target: Any) -> set[Any]:
    if target in graph:
        return {target}
    try:
        return set(target)
    except TypeError as error:
        raise nx.NodeNotFound(f"target node {target} not in graph") from error


def _paths(graph: Graph, source: Any, target: Any, cutoff: Any, items: list[Any] | None = None) -> Iterator[list[Any]]:
    """The paths by their nodes, or by the items of their arcs."""
    if source not in graph:
        raise nx.NodeNotFound(f"source node {source} not in graph")
    targets, n = _targets(graph, target), len(graph)
    cutoff = n - 1 if cutoff is None else cutoff
    if not (cutoff >= 0 and targets):
        return
    is_target, on_path = np.zeros((2, n), bool)
    is_target[graph.numbers(targets)] = True
    toward = breadth_first(graph, np.flatnonzero(is_target), backwards=True)
    distance, limit = np.full(n, FAR), math.ceil(min(cutoff, n))
    distance[toward.found] = toward.level
    (path, arc, following), state = np.empty((3, n + 1), np.int64), np.array([0, len(targets)])
    path[0] = graph.index[source]
    arrays = graph.begin, graph.heads, distance, is_target, on_path, path, arc, following, state
    search = _Search(limit, items is not None, *map(address, arrays))
    find = lambda *room: functions.list_simple_paths(ctypes.byref(search), *room)  # noqa: E731
    yield from in_parts(graph.names if items is None else items, n, find, lambda: state[0] < 0)


def _limited(G: Any, source: Any = None, target: Any = None, cutoff: Any = None) -> bool:  # noqa: N803
    return cutoff is None or isinstance(cutoff, (int, float))


@only_if(_limited)
def all_simple_paths(G: Graph, source: Any, target: Any, cutoff: Any = None) -> Iterator[list[Any]]:  # noqa: N803
    """The paths from a node to one, or one of several, that meet no node twice."""
    yield from _paths(G, source, target, cutoff)


def _edge_paths(graph: Graph, original: Any, source: Any, target: Any, cutoff: Any) -> Iterator[list[Any]]:
    """By the ends of edges, and their keys in a multigraph, which the backend's has not."""
    if original is None:
        yield from (list(pairwise(path)) for path in _paths(graph, source, target, cutoff))
        return
    keys = chain.from_iterable(chain.from_iterable(others.values()) for others in original._adj.values())
    edges = [(u, v, key) for (u, v), key in zip(make_edges(graph.names, graph.tails, graph.heads), keys)]
    yield from _paths(graph, source, target, cutoff, edges)


@only_if(_limited)
def all_simple_edge_paths(G: Graph, source: Any, target: Any, cutoff: Any = None) -> Iterator[list[Any]]:  # noqa: N803
    """The same by their edges."""
    return _edge_paths(G, G.original() if G.is_multigraph() else None, source, target, cutoff)


enumerations.update(("all_simple_paths", "all_simple_edge_paths"))


@algorithm
def is_simple_path(G: Graph, nodes: Any) -> bool:  # noqa: N803
    """Whether these nodes are a path, of at least one, that meets no node twice."""
    if len(nodes) < 2:
        return len(nodes) == 1 and nodes[0] in G
    if not all(node in G for node in nodes) or len(set(nodes)) != len(nodes):
        return False
    return all(G.adjacent(u, v) for u, v in pairwise(nodes))
