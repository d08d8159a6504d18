"""Choices of nodes one after another: colours, and votes."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .cores import all_degrees
from .graph import Graph
from .interface import algorithm, only_if
from .order import named
from .searches import address, functions


def colors(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    """The nodes by descending degrees, and the colour of each node: the least that no neighbour before it has."""
    n = len(graph)
    order = np.argsort(-all_degrees(graph), kind="stable")
    last, color = np.full(n + 1, -1), np.full(n, -1)
    functions.greedy_colors(ctypes.c_int64(n), *map(address, (graph.begin, graph.heads, order, last, color)))
    return order, color


@only_if(lambda G, strategy="largest_first", interchange=False: strategy == "largest_first" and not interchange)
def greedy_color(G: Graph, strategy: Any = "largest_first", interchange: bool = False) -> dict[Any, int]:  # noqa: N803
    """A colour of each node that no neighbour has; nodes of large degrees choose first."""
    order, color = colors(G)
    return dict(zip(named(G, order), color[order].tolist()))


@algorithm
def voterank(G: Graph, number_of_nodes: Any = None) -> list[Any]:  # noqa: N803
    """The nodes with most votes of their neighbours, whose votes count less then."""
    n = len(G)
    most = n if number_of_nodes is None else max(min(number_of_nodes, n), 0)
    degree = int(G.degrees().sum()) / max(n, 1)
    pairs, found = np.ascontiguousarray(G.pairs, np.int64), np.empty(n, np.int64)
    numbers = ctypes.c_int64(len(pairs)), address(pairs), ctypes.c_bool(G.is_directed()), ctypes.c_double(degree), ctypes.c_int64(most)
    arrays = np.empty(n), np.ones(n), np.zeros(n, bool), found
    count = functions.vote_rank(ctypes.c_int64(n), address(G.begin), address(G.heads), *numbers, *map(address, arrays))
    return named(G, found[:count])
