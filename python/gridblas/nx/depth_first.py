"""Depth-first searches."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .dictionaries import make_edges
from .graph import Graph
from .interface import only_if
from .order import named, named_lists, named_pairs
from .paths import number_of_node
from .searches import address, functions
from .subgraphs import digraph

KINDS = ["forward", "nontree", "reverse", "reverse-depth_limit"]
REVERSE = 2


class Steps(NamedTuple):
    """The steps of a search, from tails to heads."""

    tails: np.ndarray
    heads: np.ndarray
    kinds: np.ndarray


def _steps(graph: Graph, source: Any, depth_limit: Any, all_of_them: bool) -> Steps:
    """The steps from a node, or from all nodes (None) that are not visited yet; all_of_them: not alone those to new nodes."""
    n = len(graph)
    starts = np.arange(n) if source is None else np.array([number_of_node(graph, source, "digraph" if graph.is_directed() else "graph")])
    limit = ctypes.c_double(n if depth_limit is None else depth_limit)
    rows = np.empty((3, len(graph.heads) + 3 * n if all_of_them else n), np.int64)
    room = np.zeros(n, bool), np.empty(n, np.int64), np.empty(n, np.int64)
    numbers = ctypes.c_int64(len(starts)), address(starts), limit, ctypes.c_bool(all_of_them)
    count = functions.depth_first(address(graph.begin), address(graph.heads), *numbers, *map(address, (*room, *rows)))
    return Steps(*(row[:count] for row in rows))


def _tree(graph: Graph, source: Any, depth_limit: Any) -> tuple[np.ndarray, np.ndarray]:
    """The ends of the edges of the search trees."""
    tails, heads, _ = _steps(graph, source, depth_limit, False)
    edge = tails != heads
    return tails[edge], heads[edge]


def _unsorted(G: Any, source: Any = None, depth_limit: Any = None, *, sort_neighbors: Any = None) -> bool:  # noqa: N803
    return sort_neighbors is None


@only_if(_unsorted)
def dfs_edges(G: Graph, source: Any = None, depth_limit: Any = None, *, sort_neighbors: Any = None) -> Iterator[Any]:  # noqa: N803
    """The edges of the search trees."""
    yield from named_pairs(G, *_tree(G, source, depth_limit))


@only_if(_unsorted)
def dfs_tree(G: Graph, source: Any = None, depth_limit: Any = None, *, sort_neighbors: Any = None) -> Any:  # noqa: N803
    """The search trees."""
    tails, heads = _tree(G, source, depth_limit)
    nodes = np.arange(len(G)) if source is None else np.append(G.index[source], heads)
    place = np.empty(len(G), np.int64)
    place[nodes] = np.arange(len(nodes))
    return digraph(named(G, nodes), place[tails], place[heads])


@only_if(_unsorted)
def dfs_predecessors(G: Graph, source: Any = None, depth_limit: Any = None, *, sort_neighbors: Any = None) -> dict[Any, Any]:  # noqa: N803
    """Each node with the one that it is found from."""
    tails, heads = _tree(G, source, depth_limit)
    return dict(zip(named(G, heads), named(G, tails)))


@only_if(_unsorted)
def dfs_successors(G: Graph, source: Any = None, depth_limit: Any = None, *, sort_neighbors: Any = None) -> dict[Any, list[Any]]:  # noqa: N803
    """Each node with those that are found from it."""
    tails, heads = _tree(G, source, depth_limit)
    first = np.full(len(G), len(tails))
    np.minimum.at(first, tails, np.arange(len(tails)))  # a node's first child is found next
    order = np.argsort(first[tails], kind="stable")
    begin = np.append(np.flatnonzero(np.diff(first[tails[order]], prepend=-1)), len(order))
    return named_lists(named(G, tails[order[begin[:-1]]]), begin, G.names, heads[order])


@only_if(_unsorted)
def dfs_preorder_nodes(G: Graph, source: Any = None, depth_limit: Any = None, *, sort_neighbors: Any = None) -> Iterator[Any]:  # noqa: N803
    """Nodes as they are found."""
    yield from named(G, _steps(G, source, depth_limit, False).heads)


@only_if(_unsorted)
def dfs_postorder_nodes(G: Graph, source: Any = None, depth_limit: Any = None, *, sort_neighbors: Any = None) -> Iterator[Any]:  # noqa: N803
    """Nodes as the search goes back from them."""
    steps = _steps(G, source, depth_limit, True)
    yield from named(G, steps.heads[steps.kinds == REVERSE])


@only_if(_unsorted)
def dfs_labeled_edges(G: Graph, source: Any = None, depth_limit: Any = None, *, sort_neighbors: Any = None) -> Iterator[Any]:  # noqa: N803
    """All steps of the search, with their kinds."""
    steps = _steps(G, source, depth_limit, True)
    yield from make_edges(G.names, steps.tails, steps.heads, KINDS, steps.kinds)
