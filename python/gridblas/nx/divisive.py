"""Communities that remain where the edges with the largest betweenness are removed one after another."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from .components import connected_components, first_nodes, groups
from .graph import Graph, bounds
from .interface import of_all_pairs, only_if
from .order import firsts
from .searches import address, functions

STEPS = 1 << 20  # nodes that are searched until an interrupt is seen


class _Search(ctypes.Structure):
    """The same as in C."""

    _fields_ = [("n", ctypes.c_int64), ("edges", ctypes.c_int64), ("scale", ctypes.c_double)] + [
        (name, ctypes.c_void_p)
        for name in "begin end heads edge tails edge_heads shares first sources found level paths delta state".split()
    ]


def _copied_arcs(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    """(tails, heads) of the arcs of NetworkX's undirected copy, without loops: an edge comes first at the end that has it first."""
    n, apart = max(len(graph), 1), graph.tails != graph.heads
    ends = graph.tails[apart], graph.heads[apart]
    numbers = np.stack((graph.number_pairs(*ends), graph.number_pairs(*ends[::-1])), axis=1).reshape(-1)
    different, numbers = np.unique(numbers, return_inverse=True)
    at = firsts(numbers, np.empty(len(different), np.int64))
    tails, heads = np.divmod(different[numbers[at]], n)
    order = np.argsort(tails, kind="stable")
    return tails[order], heads[order]


class _Division:
    """The components of the graph, of which there is another one after each call of `divide`."""

    def __init__(self, graph: Graph) -> None:
        n, (tails, self.heads) = len(graph), _copied_arcs(graph)
        begin, later = bounds(np.bincount(tails, minlength=n)), self.heads > tails
        numbers = graph.number_pairs(np.minimum(tails, self.heads), np.maximum(tails, self.heads))
        order = np.argsort(numbers[later])
        edge = order[np.searchsorted(numbers[later][order], numbers)]
        edges, self.first = len(order), first_nodes(graph).copy()
        self.state = np.array([n, 0, edges])
        (found, level), (paths, delta) = np.empty((2, n), np.int64), np.empty((2, n))
        level[:] = -1
        self.arrays = [
            *(begin, begin[1:].copy(), self.heads, edge, tails[later], self.heads[later], np.zeros(edges)),
            *(self.first, np.arange(n), found, level, paths, delta, self.state),
        ]
        self.search = _Search(n, edges, 1 / (n * (n - 1)) if n > 1 else 1, *map(address, self.arrays))

    def left(self) -> int:
        """How many edges there are."""
        return int(self.state[2])

    def divide(self) -> None:
        """Removes edges until a component falls apart."""
        while not functions.remove_central_edges(ctypes.byref(self.search), ctypes.c_int64(STEPS)):
            pass  # an interrupt is seen here


def _by_betweenness(G: Any, most_valuable_edge: Any = None) -> bool:  # noqa: N803
    return most_valuable_edge is None and not G.is_multigraph()


@only_if(_by_betweenness)
def girvan_newman(G: Graph, most_valuable_edge: Any = None) -> Iterator[tuple[set[Any], ...]]:  # noqa: N803
    """The components, each time after the removal of edges until there is another."""
    if len(G.heads) == 0:
        yield tuple(connected_components(G))
        return
    division = _Division(G)
    while division.left() > 0:
        division.divide()
        yield tuple(groups(G, division.first))


def _without_weights(G: Any, number_of_sets: Any, *, weight: Any = None) -> bool:  # noqa: N803
    return weight is None and isinstance(number_of_sets, int) and not G.is_multigraph() and not G.is_directed()


@only_if(_without_weights)
def edge_betweenness_partition(G: Graph, number_of_sets: int, *, weight: Any = None) -> list[set[Any]]:  # noqa: N803
    """So many components at least."""
    if number_of_sets <= 0:
        raise nx.NetworkXError("number_of_sets must be >0")
    if number_of_sets == 1:
        return [set(G)]
    if number_of_sets == len(G):
        return [{node} for node in G]
    if number_of_sets > len(G):
        raise nx.NetworkXError("number_of_sets must be <= len(G)")
    division = _Division(G)
    while len(components := groups(G, division.first)) < number_of_sets:
        division.divide()
    return components


of_all_pairs.update(("girvan_newman", "edge_betweenness_partition"))
