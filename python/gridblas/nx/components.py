"""Connected components."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .. import algorithms
from ..matrix import Matrix
from .graph import Graph
from .interface import algorithm
from .order import named


def groups(graph: Graph, matrix: Matrix, function: Callable[..., Any]) -> list[set[Any]]:
    """The nodes of equal labels, which are the first node of each group: in that order."""
    label = function(matrix).to_dense()[: len(graph)] if graph.names else np.empty(0, np.int64)
    order = np.argsort(label, kind="stable")
    nodes, begin = named(graph, order), [*np.flatnonzero(np.diff(label[order], prepend=-1)).tolist(), len(order)]
    return [set(nodes[b:e]) for b, e in zip(begin, begin[1:])]


def _all_in_one(graph: Graph, function: Callable[..., Any], what: str) -> bool:
    if not graph.names:
        raise nx.NetworkXPointlessConcept(f"{what} is undefined for the null graph.")
    return count(graph, function) == 1


def count(graph: Graph, function: Callable[..., Any]) -> int:
    """How many there are: each has a first node."""
    label = function(graph.pattern()).to_dense()[: len(graph)] if graph.names else np.empty(0)
    return int((label == np.arange(len(label))).sum())


@algorithm
@not_implemented_for("directed")
def connected_components(G: Graph) -> Iterator[set[Any]]:  # noqa: N803
    """Sets of nodes that are connected."""
    yield from groups(G, G.pattern(), algorithms.components)


@algorithm
@not_implemented_for("directed")
def number_connected_components(G: Graph) -> int:  # noqa: N803
    """How many there are."""
    return count(G, algorithms.components)


@algorithm
@not_implemented_for("directed")
def is_connected(G: Graph) -> bool:  # noqa: N803
    """Whether there is one."""
    return _all_in_one(G, algorithms.components, "Connectivity")


@algorithm
@not_implemented_for("directed")
def node_connected_component(G: Graph, n: Any) -> set[Any]:  # noqa: N803
    """The nodes that are connected with n."""
    if n not in G:
        raise KeyError(n)
    level = algorithms.bfs(G.pattern(), G.number(n), only="level")
    return {G.names[k] for k in level}


@algorithm
@not_implemented_for("undirected")
def weakly_connected_components(G: Graph) -> Iterator[set[Any]]:  # noqa: N803
    """Sets of nodes that are connected whatever the direction of edges."""
    yield from groups(G, G.pattern(), algorithms.components)


@algorithm
@not_implemented_for("undirected")
def number_weakly_connected_components(G: Graph) -> int:  # noqa: N803
    """How many there are."""
    return count(G, algorithms.components)


@algorithm
@not_implemented_for("undirected")
def is_weakly_connected(G: Graph) -> bool:  # noqa: N803
    """Whether there is one."""
    return _all_in_one(G, algorithms.components, "Connectivity")


@algorithm
@not_implemented_for("undirected")
def strongly_connected_components(G: Graph) -> Iterator[set[Any]]:  # noqa: N803
    """Sets of nodes that reach each other."""
    yield from groups(G, G.pattern(), algorithms.strong_components)


@algorithm
@not_implemented_for("undirected")
def number_strongly_connected_components(G: Graph) -> int:  # noqa: N803
    """How many there are."""
    return count(G, algorithms.strong_components)


@algorithm
@not_implemented_for("undirected")
def is_strongly_connected(G: Graph) -> bool:  # noqa: N803
    """Whether there is one."""
    return _all_in_one(G, algorithms.strong_components, "Connectivity")
