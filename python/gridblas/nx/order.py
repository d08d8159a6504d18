"""Searches in NetworkX's order, where paths and trees depend on it: neighbours come in the order of a graph's dictionaries."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from .. import algorithms
from ..matrix import Matrix
from .dictionaries import make_paths
from .graph import Graph


def arcs_of(begin: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """The numbers of these nodes' arcs, one node's after another's."""
    counts = begin[nodes + 1] - begin[nodes]
    ends = np.cumsum(counts)
    return np.repeat(begin[nodes] - ends + counts, counts) + np.arange(ends[-1] if len(ends) else 0)


def firsts(values: np.ndarray, mark: np.ndarray, last: bool = False) -> np.ndarray:
    """Where each value occurs for the first time (the last time), in ascending order; mark has room for an integer a value."""
    at = np.arange(len(values))
    if last:
        mark[values] = at
    else:
        mark[values[::-1]] = at[::-1]
    return np.flatnonzero(mark[values] == at)


@contextmanager
def without_collection() -> Iterator[None]:
    """While many lists or dictionaries are made for a result: the collector would go through those of NetworkX's graph again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class Search(NamedTuple):
    """Nodes in the order in which they are found, the one that each is found from (-1 for a source), and their levels."""

    found: np.ndarray
    parent: np.ndarray
    level: np.ndarray


def breadth_first(graph: Graph, sources: Any, limit: float = float("inf"), backwards: bool = False) -> Search:
    """The search from these nodes (numbers) along arcs, or against them, until a level."""
    begin, heads = graph.backwards() if backwards else (graph.begin, graph.heads)
    seen, mark = np.zeros(len(graph), bool), np.empty(len(graph), np.int64)
    layer = np.array(sources, np.int64)
    seen[layer] = True
    found, parents, depth = [layer], [np.full(len(layer), -1)], 0
    while len(layer) and depth < limit:
        arcs = arcs_of(begin, layer)
        owner = np.repeat(layer, begin[layer + 1] - begin[layer])
        new = ~seen[heads[arcs]]
        arcs, owner = arcs[new], owner[new]
        first = firsts(heads[arcs], mark)
        layer = heads[arcs[first]]
        seen[layer] = True
        found.append(layer)
        parents.append(owner[first])
        depth += 1
    level = np.repeat(np.arange(len(found)), [len(part) for part in found])
    return Search(np.concatenate(found), np.concatenate(parents), level)


def named(graph: Graph, found: np.ndarray) -> list[Any]:
    """The names of nodes."""
    return list(map(graph.names.__getitem__, found.tolist()))


def trails(graph: Graph, found: np.ndarray, parent: np.ndarray, backwards: bool = False, names: list[Any] | None = None) -> dict[Any, list[Any]]:
    """The path from a source to each node; backwards: from the node to the source. A node comes after the one it is found from. names: theirs."""
    place = np.empty(len(graph), np.int64)
    place[found] = np.arange(len(found))
    names = named(graph, found) if names is None else names
    with without_collection():
        return dict(zip(names, make_paths(names, np.where(parent < 0, -1, place[parent]), backwards)))


def chain(before: np.ndarray, node: int) -> list[int]:
    """A node (number), the one before it, and so on to one with -1."""
    made = []
    while node != -1:
        made.append(node)
        node = int(before[node])
    return made


class Nearest(NamedTuple):
    """Nodes by their distance, as Dijkstra's method takes them, their distances, and for each the nodes before it on shortest paths."""

    found: np.ndarray
    distance: np.ndarray  # FP64
    begin: np.ndarray  # the nodes before found[k] are before[begin[k]:begin[k + 1]]
    before: np.ndarray
    sources: int  # the first nodes; by weights of 0 there may be nodes before a source, too

    def parent(self) -> np.ndarray:
        """The first of the nodes before each, -1 for a source."""
        parent = np.full(len(self.found), -1)
        parent[self.sources :] = self.before[self.begin[self.sources : -1]]
        return parent


def lengths(graph: Graph, weight: Any) -> np.ndarray:
    """The weights of arcs, if paths of them are found exactly."""
    length = graph.values(weight)
    exact = 2.0**53 if length.dtype.kind == "i" else np.inf
    if len(length) and not (length.min() >= 0 and length.sum(dtype=float) < exact):
        raise NotImplementedError("gridblas finds paths of weights that are not below 0; the sum of whole numbers is below 2**53")
    return length


def nearest(graph: Graph, sources: list[int], weight: Any, cutoff: Any = None) -> Nearest:
    """Distances from the nearest of these nodes. Of nodes at the same distance the one comes first that was put into the heap first."""
    length = lengths(graph, weight)
    distance = _distances(graph, sources, weight)
    reached = np.flatnonzero(np.isfinite(distance) & ((distance <= cutoff) if cutoff is not None else True))
    if cutoff is not None and len(reached) < len(sources):
        reached = np.union1d(reached, sources)  # they have no path that could be too long
    found = reached[np.argsort(distance[reached])]
    # Nodes at the same distance are a group; a group of one has its place already.
    bounds = np.flatnonzero(np.concatenate(([True], np.diff(distance[found]) > 0, [True])))
    rank = np.full(len(graph), len(graph), np.int64)
    rank[found] = np.arange(len(found))
    tails, heads = graph.tails, graph.heads
    tight = np.flatnonzero((rank[heads] < len(graph)) & (distance[tails] + length == distance[heads]))
    several = np.flatnonzero(np.diff(bounds) > 1)
    if len(several):
        tight = tight[np.argsort(distance[heads[tight]], kind="stable")]
        of_group = np.searchsorted(distance[heads[tight]], distance[found[bounds[:-1]]], "left")
        of_group = np.append(of_group, len(tight))
        mark = np.empty(len(graph), np.int64)
    for k in several.tolist():
        into = tight[of_group[k] : of_group[k + 1]]
        within = rank[tails[into]] >= bounds[k]  # by weights of 0
        before = into[~within]
        pushed = heads[before[np.argsort(rank[tails[before]], kind="stable")]]
        members = pushed[firsts(pushed, mark)] if k else np.array(sources)
        if within.any():
            members = _pushed_within(members.tolist(), tails[into[within]].tolist(), heads[into[within]].tolist())
        found[bounds[k] : bounds[k + 1]] = members
        rank[members] = np.arange(bounds[k], bounds[k + 1])
    tight = tight[np.argsort(rank[heads[tight]] * len(graph) + rank[tails[tight]])]
    if graph.is_multigraph():  # parallel edges count once
        pairs = rank[heads[tight]] * len(graph) + tails[tight]
        tight = tight[np.concatenate(([True], np.diff(pairs) != 0))[: len(tight)]]
    counts = np.bincount(rank[heads[tight]], minlength=len(found))
    return Nearest(found, distance[found], np.concatenate(([0], np.cumsum(counts))), tails[tight], len(sources))


def _pushed_within(members: list[int], tails: list[int], heads: list[int]) -> np.ndarray:
    """Nodes at one distance in the order of the heap: the first members, and those that arcs between nodes at this distance add."""
    arcs: dict[int, list[int]] = {}
    for tail, head in zip(tails, heads):
        arcs.setdefault(tail, []).append(head)
    queue, known = list(members), set(members)
    for node in queue:
        for head in arcs.get(node, ()):
            if head not in known:
                known.add(head)
                queue.append(head)
    return np.array(queue)


def seen(graph: Graph, nearby: Nearest, weight: Any, cutoff: Any = None) -> list[int]:
    """These nodes in the order in which they are put into the heap for the first time."""
    arcs = arcs_of(graph.begin, nearby.found)
    if cutoff is not None:
        distance = np.repeat(nearby.distance, graph.begin[nearby.found + 1] - graph.begin[nearby.found])
        arcs = arcs[distance + graph.values(weight)[arcs] <= cutoff]
    nodes = np.append(nearby.found[: nearby.sources], graph.heads[arcs])
    return nodes[firsts(nodes, np.empty(len(graph), np.int64))].tolist()


def _distances(graph: Graph, sources: list[int], weight: Any) -> np.ndarray:
    """The distance of each node from the nearest source, infinity where there is no path."""
    start, weights = sources[0], graph.weights(weight, "min")
    if len(sources) > 1:  # a vertex before all of them
        start, n = len(graph), len(graph) + 1
        tails, heads = np.append(graph.tails, np.full(len(sources), start)), np.append(graph.heads, sorted(sources))
        length = np.append(graph.values(weight), np.zeros(len(sources), graph.values(weight).dtype))
        weights = Matrix.from_coo(tails, heads, length, nrows=n, ncols=n, dup_op="min")
    return algorithms.shortest_paths(weights, start, only="distance").to_dense(np.inf, float)[: len(graph)]


def generations(graph: Graph) -> "tuple[list[np.ndarray], bool]":
    """The nodes of a directed graph by generations, each after all nodes with edges to it, and whether all are in one."""
    waiting = np.bincount(graph.heads, minlength=len(graph))
    mark = np.empty(len(graph), np.int64)
    layer, layers = np.flatnonzero(waiting == 0), []
    while len(layer):
        layers.append(layer)
        children = graph.heads[arcs_of(graph.begin, layer)]
        np.subtract.at(waiting, children, 1)
        children = children[waiting[children] == 0]
        layer = children[firsts(children, mark, last=True)]
    return layers, sum(map(len, layers)) == len(graph)
