"""Searches in NetworkX's order, where paths and trees depend on it: neighbours come in the order of a graph's dictionaries."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from .dictionaries import make_edges, make_list, make_lists, make_paths, without_collection
from .graph import Graph, bounds
from .searches import address, functions


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


def distinct(values: np.ndarray) -> np.ndarray:
    """The values in ascending order, each once: np.unique has hashed since NumPy 2.3, which takes many times as long."""
    values = np.sort(values)
    new = np.ones(len(values), bool)
    new[1:] = values[1:] != values[:-1]
    return values[new]


def is_in(values: np.ndarray, ascending: np.ndarray) -> np.ndarray:
    """Whether each value is one of these."""
    if len(ascending) == 0:
        return np.zeros(len(values), bool)
    return np.take(ascending, np.searchsorted(ascending, values), mode="clip") == values


def simple_arcs(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    """(begin, heads) of the arcs, each once, without loops."""
    if not graph.is_multigraph() and not len(graph.loops()):
        return graph.begin, graph.heads
    apart = graph.tails != graph.heads
    tails, heads = np.divmod(distinct(graph.number_pairs(graph.tails[apart], graph.heads[apart])), max(len(graph), 1))
    return bounds(np.bincount(tails, minlength=len(graph))), np.ascontiguousarray(heads)


def degeneracy(begin: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """(order, place, most): nodes, next always one with the fewest neighbours among those that follow; where each is; the largest of these numbers."""
    n = len(begin) - 1
    (order, place, degree), first = np.empty((3, n), np.int64), np.empty(n + 1, np.int64)
    arrays = begin, heads, order, place, degree, first
    return order, place, functions.degeneracy_order(ctypes.c_int64(n), *map(address, arrays))


class Search(NamedTuple):
    """Nodes in the order in which they are found, the position of the one that each is found from (-1 for a source), and their levels."""

    found: np.ndarray
    before: np.ndarray
    level: np.ndarray


def breadth_first(graph: Graph, sources: Any, limit: float = float("inf"), backwards: bool = False) -> Search:
    """The search from these nodes (numbers) along arcs, or against them, until a level."""
    (found, before, level), reached = (np.empty(len(graph), np.int64) for _ in range(3)), np.zeros(len(graph), bool)
    found[: len(sources)] = sources
    arcs = map(address, graph.backwards() if backwards else (graph.begin, graph.heads))
    count = functions.breadth_first(
        *arcs, ctypes.c_int64(len(sources)), ctypes.c_double(limit), *map(address, (reached, found, before, level))
    )
    return Search(found[:count], before[:count], level[:count])


def labeled(graph: Graph, sources: list[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The edges of a search: tails, heads and kinds, 0 tree, 1 level, 2 forward, 3 reverse; an edge of an undirected graph is listed once."""
    depth, done = np.full(len(graph), -1), np.zeros(len(graph), bool)
    found, (tails, heads, kinds) = np.empty(len(graph), np.int64), np.empty((3, len(graph.heads)), np.int64)
    found[: len(sources)] = sources
    numbers = ctypes.c_int64(len(sources)), ctypes.c_bool(graph.is_directed())
    arrays = map(address, (depth, done, found, tails, heads, kinds))
    count = functions.labeled_search(address(graph.begin), address(graph.heads), *numbers, *arrays)
    return tails[:count], heads[:count], kinds[:count]


def named(graph: Graph, found: np.ndarray) -> list[Any]:
    """The names of nodes."""
    return make_list(graph.names, found)


def named_pairs(graph: Graph, tails: np.ndarray, heads: np.ndarray) -> Iterator[tuple[Any, Any]]:
    """The names of the ends of edges."""
    return make_edges(graph.names, tails, heads)


def named_lists(names: list[Any], begin: np.ndarray, items: list[Any], at: np.ndarray) -> dict[Any, list[Any]]:
    """For names[k] the items at the positions at[begin[k]:begin[k + 1]]."""
    with without_collection():
        return dict(zip(names, make_lists(items, begin, at)))


ROOM, STEPS = 1 << 15, 1 << 22  # items of lists, and steps, until lists are made and interrupts seen


def in_parts(names: list[Any], longest: int, find: Callable[..., int], ended: Callable[[], bool]) -> Iterator[list[Any]]:
    """The lists that find(steps, room, ends, items) finds, at each call some more, until ended(). Early ones come at once."""
    room = 64
    while not ended():
        begin, items = np.zeros(room + 3, np.int64), np.empty(room + longest + 1, np.int64)
        count = find(ctypes.c_int64(STEPS), ctypes.c_int64(room), address(begin[1:]), address(items))
        with without_collection():
            made = make_lists(names, begin[: count + 1], items)
        yield from made
        room = min(4 * room, ROOM)


def trails(graph: Graph, found: np.ndarray, before: np.ndarray, backwards: bool = False, names: list[Any] | None = None) -> dict[Any, list[Any]]:
    """The path from a source to each node; backwards: from the node to the source.

    before: the position of the node that each is found from. names: theirs.
    """
    names = named(graph, found) if names is None else names
    with without_collection():
        return dict(zip(names, make_paths(names, before, backwards)))


def chain(before: np.ndarray, node: int) -> list[int]:
    """A number, the one before it, and so on to one with -1."""
    made = []
    while node != -1:
        made.append(node)
        node = int(before[node])
    return made


class Nearest(NamedTuple):
    """Nodes by their distance, as Dijkstra's method takes them, their distances, and the position of the one before each on its path, or -1."""

    found: np.ndarray
    distance: np.ndarray  # FP64
    before: np.ndarray
    pushed: np.ndarray  # the nodes as they are first put into the heap
    of_nodes: tuple[np.ndarray, np.ndarray]  # the distance of each node, and its position; NaN and below 0 where it is not found


def exact_lengths(length: np.ndarray) -> np.ndarray:
    """Weights of arcs in FP64, if paths of them are found exactly."""
    right = (length > -np.inf).all() if length.dtype.kind == "f" else np.abs(length.astype(float)).sum() < 2.0**53
    if not right:
        raise NotImplementedError("gridblas finds paths of numbers above minus infinity; the sum of whole ones is below 2**53")
    return length.astype(np.float64, copy=False)


def lengths(graph: Graph, weight: Any) -> np.ndarray:
    """The weights of arcs in FP64, if paths of them are found exactly."""
    return graph._once(("lengths", weight), lambda: exact_lengths(graph.values(weight)))


def sums_differ(graph: Graph, attribute: Any, values: np.ndarray, default: Any = 1) -> bool:
    """Whether edges have whole numbers beside floating ones whose sums are rounded: Python's sum() adds up both in a way of its own."""
    original, scaled = graph.original(alive=True), values[np.isfinite(values)] * 2.0**20
    if values.dtype.kind == "i" or original is None or ((scaled == np.floor(scaled)).all() and np.abs(scaled).sum() < 2.0**52):
        return False
    return any(isinstance(x, (int, np.integer)) for _, _, x in original.edges(data=attribute, default=default))


def nearest(graph: Graph, sources: list[int], weight: Any, cutoff: Any = None, target: int = -1) -> Nearest:
    """Distances from the nearest of these nodes, until a target is found.

    Of nodes at the same distance the one comes first that was put into the heap first.
    """
    if weight is None and target < 0:
        return _by_level(graph, sources, cutoff)
    length, n = lengths(graph, weight), len(graph)
    distance, position = np.full(n, np.nan), np.full(n, -1)
    place, found, before, pushed = (np.empty(n, np.int64) for _ in range(4))
    found[: len(sources)] = sources
    items = np.empty(n * functions.item_bytes(), np.uint8)
    numbers = ctypes.c_int64(len(sources)), _limit(cutoff), ctypes.c_int64(target)
    count = functions.dijkstra(
        *map(address, (graph.begin, graph.heads, length)), *numbers, *map(address, (distance, position, items, place, found, before, pushed))
    )
    if count < 0:
        raise ValueError("Contradictory paths found:", "negative weights?")
    return Nearest(found[:count], distance[found[:count]], before[:count], pushed[:count], (distance, position))


def _by_level(graph: Graph, sources: list[int], cutoff: Any) -> Nearest:
    search = breadth_first(graph, sources, np.inf if cutoff is None else np.floor(cutoff))
    distance, position = np.full(len(graph), np.nan), np.full(len(graph), -1)
    distance[search.found], position[search.found] = search.level, np.arange(len(search.found))
    return Nearest(search.found, distance[search.found], search.before, search.found, (distance, position))


def _limit(cutoff: Any) -> ctypes.c_double:
    return ctypes.c_double(np.inf if cutoff is None else cutoff)


def nodes_before(graph: Graph, nearby: Nearest, weight: Any, cutoff: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """For each of these nodes all those before it on shortest paths, (begin, positions), in the order of nearby."""
    length, count = lengths(graph, weight), len(nearby.found)
    last, ends, before = np.empty(count, np.int64), np.zeros(count, np.int64), np.empty(len(length), np.int64)
    arcs = map(address, (graph.begin, graph.heads, length))
    functions.nodes_before(
        *arcs, ctypes.c_int64(count), _limit(cutoff), *map(address, (*nearby.of_nodes, nearby.found, last, ends, before))
    )
    begin = np.append(0, ends)
    return begin, before[: begin[-1]]


def shortest_paths_between(names: list[Any], begin: np.ndarray, before: np.ndarray, target: Any) -> Iterator[list[Any]]:
    """All from names[0] to a target: those before names[k] are at the positions before[begin[k]:begin[k + 1]]."""
    n, position = len(names), dict(zip(names, range(len(names)))).get(target)
    if position is None:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    (stack, following), on_stack, top = np.empty((2, n), np.int64), np.zeros(n, bool), np.zeros(1, np.int64)
    begin, before = (np.ascontiguousarray(x, np.int64) for x in (begin, before))
    stack[0], following[0], on_stack[position] = position, begin[position], True
    given = address(begin), address(before), ctypes.c_int64(0), *map(address, (stack, following, on_stack, top))
    yield from in_parts(names, n, lambda *room: functions.list_shortest_paths(*given, *room), lambda: top[0] < 0)


def kruskal(graph: Graph, order: np.ndarray) -> np.ndarray:
    """Those of the edges, taken in this order, that close no cycle with those before them."""
    pairs, kept = np.ascontiguousarray(graph.pairs, np.int64), np.empty(len(order), np.int64)
    parent = np.arange(len(graph))
    return kept[: functions.kruskal(ctypes.c_int64(len(order)), *map(address, (pairs, order, parent, kept)))]


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


def longest_paths(begin: np.ndarray, tails: np.ndarray, length: np.ndarray, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each node the length of the longest path to it, at least 0, and the node before it there, or the node itself."""
    n = len(order)
    distance, before, length = np.empty(n), np.empty(n, np.int64), np.ascontiguousarray(length)
    functions.longest_paths(ctypes.c_int64(n), *map(address, (begin, tails, length, order, distance, before)))
    return distance, before


WORDS = 8  # of searches.c


def redundant_arcs(graph: Graph, order: np.ndarray) -> np.ndarray:
    """Whether a longer path leads to the head of each arc; order: the nodes, each after all with arcs to it."""
    redundant, reached = np.zeros(len(graph.heads), bool), np.empty(WORDS * len(graph), np.uint64)
    functions.redundant_arcs(ctypes.c_int64(len(graph)), *map(address, (graph.begin, graph.heads, order, reached, redundant)))
    return redundant
