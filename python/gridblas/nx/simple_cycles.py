"""Simple cycles."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np

from .biconnected import find_components
from .components import strong
from .graph import Graph, bounds
from .interface import enumerations, only_if
from .order import arcs_of, degeneracy, distinct, in_parts, simple_arcs
from .searches import address, functions, transposed


class _Search(ctypes.Structure):
    """The same as in C."""

    _fields_ = [(name, ctypes.c_int64) for name in ("n", "bound", "directed")] + [
        (name, ctypes.c_void_p)
        for name in "begin heads into tails arcs lock most reached stack out in dropped closes on_path closed waits path next state".split()
    ]


def _pair_numbers(begin: np.ndarray, heads: np.ndarray) -> np.ndarray:
    n = len(begin) - 1
    return np.repeat(np.arange(n), np.diff(begin)) * n + heads


def _arcs_of_pairs(numbers: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    tails, heads = np.divmod(numbers, n)
    return bounds(np.bincount(tails, minlength=n)), np.ascontiguousarray(heads)


def _strong(graph: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(begin, heads, nodes): the arcs that may be in directed cycles."""
    n, (begin, heads) = len(graph), simple_arcs(graph)
    component, numbers = strong(graph).component, _pair_numbers(begin, heads)
    numbers = numbers[component[numbers // n] == component[numbers % n]]
    return *_arcs_of_pairs(numbers, n), np.arange(n)


def _biconnected(graph: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(begin, heads, nodes): biconnected components, each with nodes of its own, so that a search passes through one only."""
    search = find_components(graph)
    number = np.repeat(np.arange(len(search.begin) - 1), np.diff(search.begin)) * len(graph)
    ends = np.stack((graph.tails[search.arcs], graph.heads[search.arcs]))
    ends = (number + ends)[:, ends[0] != ends[1]]
    nodes = distinct(ends.reshape(-1))
    tails, heads = np.searchsorted(nodes, ends)
    numbers = distinct(np.append(tails * len(nodes) + heads, heads * len(nodes) + tails))
    return *_arcs_of_pairs(numbers, len(nodes)), nodes % max(len(graph), 1)


def _renumbered(graph: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(begin, heads, nodes): the arcs that may be in cycles, heads ascending, of nodes in an order of degeneracy: a start has few arcs to later nodes."""
    begin, heads, nodes = both = _strong(graph) if graph.is_directed() else _biconnected(graph)
    if graph.is_directed():
        n, numbers = len(graph), _pair_numbers(begin, heads)
        both = _arcs_of_pairs(distinct(np.append(numbers, numbers % n * n + numbers // n)), n)
    order, place, _ = degeneracy(*both[:2])
    heads = place[heads[arcs_of(begin, order)]]
    begin, heads = transposed(bounds(np.diff(begin)[order]), heads)[:2]
    return *transposed(begin, heads)[:2], nodes[order]


def _longer_cycles(graph: Graph, bound: int | None) -> Iterator[list[Any]]:
    """Those of two nodes and more; of three in undirected graphs."""
    begin, heads, nodes = _renumbered(graph)
    n = len(nodes)
    into, tails, arcs = transposed(begin, heads)
    of_nodes, (path, following), state = np.zeros((4, n), np.int64), np.empty((2, n), np.int64), np.zeros(4, np.int64)
    dropped, closes, on_path, closed = np.zeros((4, n), bool)
    of_nodes = *of_nodes, np.diff(begin), np.diff(into), dropped
    arrays = begin, heads, into, tails, arcs, *of_nodes, closes, on_path, closed, np.zeros(len(heads), bool), path, following, state
    search = _Search(n, n + 1 if bound is None or bound >= n else bound, graph.is_directed(), *map(address, arrays))
    names = [graph.names[k] for k in nodes.tolist()]
    find = lambda *room: functions.list_cycles(ctypes.byref(search), *room)  # noqa: E731
    yield from in_parts(names, n, find, lambda: state[0] == n and state[2] == 0)  # the arrays live until then


def _parallel_pairs(graph: Graph) -> Iterator[list[Any]]:
    """Two nodes with several edges between them."""
    later = graph.listed[graph.tails[graph.listed] != graph.heads[graph.listed]]
    numbers, count = np.unique(graph.number_pairs(graph.tails[later], graph.heads[later]), return_counts=True)
    for k in numbers[count > 1].tolist():
        yield [graph.names[k // len(graph)], graph.names[k % len(graph)]]


def _bounded(G: Any, length_bound: Any = None) -> bool:  # noqa: N803
    return length_bound is None or isinstance(length_bound, int)


@only_if(_bounded)
def simple_cycles(G: Graph, length_bound: int | None = None) -> Iterator[list[Any]]:  # noqa: N803
    """The cycles that meet no node twice."""
    bound = len(G) if length_bound is None else length_bound
    if bound < 0:
        raise ValueError("length bound must be non-negative")
    if bound >= 1:
        yield from ([node] for node in dict.fromkeys(G.names[k] for k in G.loops().tolist()))
    if bound >= 2 and G.is_multigraph() and not G.is_directed():
        yield from _parallel_pairs(G)
    if bound >= 2:
        yield from _longer_cycles(G, length_bound)


enumerations.add("simple_cycles")
