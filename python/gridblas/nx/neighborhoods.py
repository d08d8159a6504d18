"""The neighbourhoods of nodes: triads, the efficiency of neighbours, and edges to all nodes that are near."""

from __future__ import annotations

import ctypes
from typing import Any

import networkx as nx
import numpy as np
from networkx.algorithms.triads import TRIAD_NAMES, TRICODES
from networkx.utils import not_implemented_for

from .graph import Graph, bounds
from .interface import of_all_pairs, only_if
from .searches import address, functions
from .subgraphs import set_edges


def _directions(graph: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The neighbours of each node in ascending order, and the directions of their edges: 1 to them, 2 from them, 3 both."""
    apart = graph.tails != graph.heads
    tails, heads = graph.tails[apart], graph.heads[apart]
    pairs = np.concatenate((graph.number_pairs(tails, heads), graph.number_pairs(heads, tails)))
    order = np.argsort(pairs)
    pairs, directions = pairs[order], np.repeat(np.array([1, 2], np.uint8), len(tails))[order]
    first = np.flatnonzero(np.diff(pairs, prepend=-1))
    directions = np.bitwise_or.reduceat(directions, first) if len(first) else directions
    begin = bounds(np.bincount(pairs[first] // len(graph), minlength=len(graph)))
    return begin, pairs[first] % max(len(graph), 1), directions


@only_if(lambda G, nodelist=None: nodelist is None and len(G) > 0)
@not_implemented_for("undirected")
def triadic_census(G: Graph, nodelist: Any = None) -> dict[str, int]:  # noqa: N803
    """How many sets of three nodes have edges of each of 16 kinds."""
    n = len(G)
    begin, heads, directions = _directions(G)
    counts, dyads = np.zeros(64, np.int64), np.zeros(2, np.int64)
    functions.count_triads(ctypes.c_int64(n), *map(address, (begin, heads, directions, counts, dyads)))
    census = dict.fromkeys(TRIAD_NAMES, 0)
    for kind, count in zip(TRICODES, counts.tolist()):
        census[TRIAD_NAMES[kind - 1]] += count
    for name, count in zip(("012", "102"), dyads.tolist()):
        census[name] += count
    census["003"] = n * (n - 1) * (n - 2) // 6 - sum(census.values())
    return census


@only_if(lambda G: not G.is_multigraph())
@not_implemented_for("directed")
def local_efficiency(G: Graph) -> float:  # noqa: N803
    """How near a node's neighbours are to each other without it, in the mean of all nodes."""
    n = len(G)
    arrays = np.full(n, -1), np.full(n, -1), np.empty(n, np.int64)
    return functions.near_neighbors(ctypes.c_int64(n), *map(address, (G.begin, G.heads, *arrays))) / n


@only_if(lambda G, k: type(k) is int)
@not_implemented_for("directed")
@not_implemented_for("multigraph")
def power(G: Graph, k: int) -> Any:  # noqa: N803
    """The graph with an edge between any two nodes whose distance is k or less."""
    if k <= 0:
        raise ValueError("k must be a positive integer")
    n = len(G)
    level, queue = np.full(n, -1), np.empty(n, np.int64)
    arguments = ctypes.c_int64(n), address(G.begin), address(G.heads), ctypes.c_int64(k), address(level), address(queue)
    begin, none = np.zeros(n + 1, np.int64), ctypes.c_void_p(None)
    functions.list_near(*arguments, address(begin), none)
    heads = np.empty(begin[n], np.int64)
    functions.list_near(*arguments, address(begin), address(heads))
    made = nx.Graph()
    made.add_nodes_from(G.names)
    set_edges(made, G.names, np.repeat(np.arange(n), np.diff(begin)), heads, [{} for _ in range(len(heads))])
    return made


of_all_pairs |= {"local_efficiency", "power", "triadic_census"}
