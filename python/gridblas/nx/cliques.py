"""Maximal cliques of undirected graphs."""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
from networkx.utils import not_implemented_for

from .dictionaries import make_lists, without_collection
from .graph import Graph, bounds
from .interface import only_if
from .order import arcs_of, degeneracy, simple_arcs
from .searches import address, functions, transposed

ROOM = 1 << 16  # nodes of cliques that are found at once


class _Search(ctypes.Structure):
    """The same as in C."""

    _fields_ = [("n", ctypes.c_int64)] + [
        (name, ctypes.c_void_p) for name in "begin middle heads next depth after local clique seen_end seen candidates left rows".split()
    ]


class Cliques:
    """A search of the maximal cliques of a graph, which goes on where it was at each call. Nodes are numbered in an order of degeneracy."""

    def __init__(self, graph: Graph) -> None:
        n = len(graph)
        begin, heads = simple_arcs(graph)
        self.order, place, most = degeneracy(begin, heads)
        self.largest = 1 + most  # no clique is larger
        heads = place[heads[arcs_of(begin, self.order)]]
        begin, heads = transposed(bounds(np.diff(begin)[self.order]), heads)[:2]  # the same graph, with ascending neighbours
        degree = np.diff(begin)
        tails = np.repeat(np.arange(n), degree)
        later = np.bincount(tails[heads > tails], minlength=n)
        words = (later + 63) // 64
        levels = self.largest + 2
        self.arrays = [
            *(begin, begin[1:] - later, heads, np.zeros(1, np.int64), np.full(1, -1), begin[1:] - later, np.full(n, -1)),
            *(np.empty(levels, np.int64), np.empty(levels, np.int64), np.empty(((later + 2) * (degree + 1)).max(initial=0), np.int64)),
            *np.empty((2, ((later + 1) * words).max(initial=0)), np.uint64),
            np.empty((degree * words).max(initial=0), np.uint64),
        ]
        self.search = _Search(n, *map(address, self.arrays))

    def lists(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """(begin, nodes) of some cliques after another."""
        begin, nodes = np.zeros(ROOM + 1, np.int64), np.empty(ROOM + self.largest, np.int64)
        while count := functions.list_cliques(ctypes.byref(self.search), ctypes.c_int64(ROOM), address(begin[1:]), address(nodes)):
            yield begin[: count + 1], self.order[nodes[: begin[count]]]

    def sizes(self) -> np.ndarray:
        """For each node the size of the largest that has it."""
        measured, found = np.zeros((2, len(self.order)), np.int64)
        while functions.measure_cliques(ctypes.byref(self.search), ctypes.c_int64(ROOM), address(measured)) == ROOM:
            pass  # an interrupt is seen here
        found[self.order] = measured
        return found


def _all_cliques(G: Any, nodes: Any = None, cliques: Any = None, separate_nodes: Any = False) -> bool:  # noqa: N803
    return nodes is None and cliques is None


@only_if(_all_cliques)
@not_implemented_for("directed")
def find_cliques(G: Graph, nodes: Any = None) -> Iterator[list[Any]]:  # noqa: N803
    """The maximal cliques."""
    for begin, members in Cliques(G).lists() if len(G) else ():
        with without_collection():
            made = make_lists(G.names, begin, members)
        yield from made


@only_if(_all_cliques)
@not_implemented_for("directed")
def node_clique_number(G: Graph, nodes: Any = None, cliques: Any = None, separate_nodes: Any = False) -> dict[Any, int]:  # noqa: N803
    """The size of the largest that each node is in."""
    return defaultdict(int, zip(G.names, Cliques(G).sizes().tolist()))
