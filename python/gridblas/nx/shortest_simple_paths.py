"""Simple paths between two nodes by their length, by Yen's method: the next one leaves one of those before at some node."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for, pairwise

from .graph import Graph
from .interface import only_if
from .order import lengths, sums_differ
from .searches import address, functions

_integer, _pointer = ctypes.c_int64, ctypes.c_void_p


class _Side(ctypes.Structure):
    """The same as in C."""

    _fields_ = [(name, _pointer) for name in "begin heads weights found done parent distance queue heap".split()] + [
        (name, _integer) for name in "count level_begin pushed".split()
    ]


class _Search(ctypes.Structure):
    """The same as in C."""

    _fields_ = [
        *((name, _integer) for name in "directed weighted search source target".split()),
        *((name, _pointer) for name in "left_out closed path".split()),
        ("length", ctypes.c_double),
        ("sides", _Side * 2),
    ]


def _back_weights(graph: Graph, into: np.ndarray, tails: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weights of the arcs to each node."""
    numbers = graph.number_pairs(graph.tails, graph.heads)
    order = np.argsort(numbers)
    heads = np.repeat(np.arange(len(graph)), np.diff(into))
    return weights[order[np.searchsorted(numbers[order], graph.number_pairs(tails, heads))]]


class _Paths:
    """Searches of one graph."""

    def __init__(self, graph: Graph, weights: np.ndarray | None) -> None:
        self.graph, self.weights, n, arcs = graph, weights, len(graph), len(graph.heads)
        backwards, back_weights = graph.backwards(), weights
        if weights is not None and graph.is_directed():
            back_weights = _back_weights(graph, *backwards, weights)
        room = arcs + 1 if weights is not None else 0
        self.path, self.arrays = np.empty(n + 1, np.int64), [*np.zeros((2, n), np.int64)]
        sides = []
        for begin, heads, values in ((graph.begin, graph.heads, weights), (*backwards, back_weights)):
            made = [begin, heads, np.empty(0) if values is None else np.ascontiguousarray(values), *np.zeros((3, n), np.int64)]
            made += [np.empty(n), np.empty(n, np.int64), np.empty(room * functions.path_item_bytes(), np.uint8)]
            sides.append(_Side(*map(address, made)))
            self.arrays += made
        numbers = graph.is_directed(), weights is not None, 0, 0, 0
        self.search = _Search(*numbers, *map(address, (*self.arrays[:2], self.path)), 0.0, (_Side * 2)(*sides))

    def around(self, root: list[int], closed: list[int], target: int) -> tuple[float, list[int]] | None:
        """(length, path) of the shortest one from the root's last node, without its others, and not at first to these nodes; None: there is none."""
        heads = np.array(closed, np.int64)
        self.path[: len(root)] = root
        numbers = _integer(len(root) - 1), _integer(len(heads))
        found = functions.find_path_around(ctypes.byref(self.search), *numbers, address(heads), _integer(target))
        return (self.search.length if self.search.weighted else found, self.path[:found].tolist()) if found else None

    def weight(self, u: int, v: int) -> Any:
        """That of the arc between two nodes."""
        begin, end = self.graph.begin[u : u + 2]
        return self.weights[begin + np.flatnonzero(self.graph.heads[begin:end] == v)[0]].item()


def _shortest_first(paths: _Paths, source: int, target: int) -> Iterator[list[int]]:
    first, order = paths.around([source], [], target), count()
    if first is None:
        return
    waiting, known = [(first[0], next(order), first[1])], {tuple(first[1])}
    # A tree of the paths that were listed: the next nodes after each beginning, with their places in this list.
    followers: list[dict[int, int]] = [{}]
    while waiting:
        path = heappop(waiting)[2]
        known.remove(tuple(path))
        yield path
        steps, place = [] if paths.weights is None else [paths.weight(u, v) for u, v in pairwise(path)], 0
        for k in range(1, len(path)):
            if path[k] not in followers[place]:
                followers[place][path[k]] = len(followers)
                followers.append({})
            found = paths.around(path[:k], list(followers[place]), target)
            place = followers[place][path[k]]
            if found is None:
                continue
            longer = path[: k - 1] + found[1]
            if tuple(longer) not in known:
                known.add(tuple(longer))
                heappush(waiting, ((k if paths.weights is None else sum(steps[: k - 1])) + found[0], next(order), longer))


def _weights(graph: Graph, weight: Any) -> np.ndarray | None:
    if weight is None:
        return None
    values = lengths(graph, weight)
    if (values < 0).any():
        raise NotImplementedError("gridblas takes no weights below 0 here")
    if sums_differ(graph, weight, values):
        raise NotImplementedError("gridblas adds up whole numbers, or floating ones")
    return values


def _no_function(G: Any, source: Any, target: Any, weight: Any = None) -> bool:  # noqa: N803
    return not callable(weight)


@only_if(_no_function)
@not_implemented_for("multigraph")
def shortest_simple_paths(G: Graph, source: Any, target: Any, weight: Any = None) -> Iterator[list[Any]]:  # noqa: N803
    """The paths from a node to another that meet no node twice, shortest first."""
    return _named(G, source, target, _weights(G, weight))  # at once: NetworkX computes what is declined


def _named(graph: Graph, source: Any, target: Any, weights: np.ndarray | None) -> Iterator[list[Any]]:
    for node, end in ((source, "source"), (target, "target")):
        if node not in graph:
            raise nx.NodeNotFound(f"{end} node {node} not in graph")
    names, none = graph.names, True
    for path in _shortest_first(_Paths(graph, weights), graph.index[source], graph.index[target]):
        none = False
        yield [names[k] for k in path]
    if none:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
