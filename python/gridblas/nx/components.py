"""Connected components."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .graph import Graph, bounds
from .interface import algorithm
from .order import breadth_first, named
from .searches import address, functions


def groups(graph: Graph, label: np.ndarray) -> list[set[Any]]:
    """The nodes of equal labels, which are the first node of each group: in that order."""
    order = np.argsort(label, kind="stable")
    nodes, begin = named(graph, order), [*np.flatnonzero(np.diff(label[order], prepend=-1)).tolist(), len(order)]
    return [set(nodes[b:e]) for b, e in zip(begin, begin[1:])]


def _all_in_one(graph: Graph, count: Callable[[Graph], int]) -> bool:
    if not graph.names:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return count(graph) == 1


def first_nodes(graph: Graph) -> np.ndarray:
    """The first node of each node's component, whatever the direction of edges."""

    def join() -> np.ndarray:
        first = np.arange(len(graph))
        functions.join_ends(ctypes.c_int64(len(graph)), *map(address, (graph.begin, graph.heads, first)))
        return first

    return graph._once("first nodes", join)


def _count(graph: Graph) -> int:
    """How many there are: each has a first node."""
    label = first_nodes(graph)
    return int((label == np.arange(len(label))).sum())


class Strong(NamedTuple):
    """Strong components in NetworkX's order: how many, that of each node, and the nodes by component."""

    number: int
    component: np.ndarray
    nodes: np.ndarray


def strong(graph: Graph) -> Strong:
    """Those of a directed graph."""
    n = len(graph)
    component, nodes, room = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(5 * n, np.int64)
    arrays = map(address, (graph.begin, graph.heads, room, component, nodes))
    return Strong(functions.find_strong_components(ctypes.c_int64(n), *arrays), component, nodes)


def strong_sets(graph: Graph, wanted: Callable[[Strong], Any]) -> Iterator[set[Any]]:
    """The nodes of those that are wanted (numbers)."""
    found = strong(graph)
    nodes, begin = named(graph, found.nodes), bounds(np.bincount(found.component)).tolist()
    return (set(nodes[begin[k] : begin[k + 1]]) for k in wanted(found))


def number_of_strong(graph: Graph) -> int:
    """How many there are."""
    return strong(graph).number


@algorithm
@not_implemented_for("directed")
def connected_components(G: Graph) -> Iterator[set[Any]]:  # noqa: N803
    """Sets of nodes that are connected."""
    yield from groups(G, first_nodes(G))


@algorithm
@not_implemented_for("directed")
def number_connected_components(G: Graph) -> int:  # noqa: N803
    """How many there are."""
    return _count(G)


@algorithm
@not_implemented_for("directed")
def is_connected(G: Graph) -> bool:  # noqa: N803
    """Whether there is one."""
    return _all_in_one(G, _count)


@algorithm
@not_implemented_for("directed")
def node_connected_component(G: Graph, n: Any) -> set[Any]:  # noqa: N803
    """The nodes that are connected with n."""
    if n not in G:
        raise KeyError(n)
    return set(named(G, breadth_first(G, [G.number(n)]).found))


@algorithm
@not_implemented_for("undirected")
def weakly_connected_components(G: Graph) -> Iterator[set[Any]]:  # noqa: N803
    """Sets of nodes that are connected whatever the direction of edges."""
    yield from groups(G, first_nodes(G))


@algorithm
@not_implemented_for("undirected")
def number_weakly_connected_components(G: Graph) -> int:  # noqa: N803
    """How many there are."""
    return _count(G)


@algorithm
@not_implemented_for("undirected")
def is_weakly_connected(G: Graph) -> bool:  # noqa: N803
    """Whether there is one."""
    return _all_in_one(G, _count)


@algorithm
@not_implemented_for("undirected")
def strongly_connected_components(G: Graph) -> Iterator[set[Any]]:  # noqa: N803
    """Sets of nodes that reach each other."""
    yield from strong_sets(G, lambda found: range(found.number))


@algorithm
@not_implemented_for("undirected")
def number_strongly_connected_components(G: Graph) -> int:  # noqa: N803
    """How many there are."""
    return number_of_strong(G)


@algorithm
@not_implemented_for("undirected")
def is_strongly_connected(G: Graph) -> bool:  # noqa: N803
    """Whether there is one."""
    return _all_in_one(G, number_of_strong)
