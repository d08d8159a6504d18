"""Bridges, articulation points and biconnected components."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .. import algorithms
from .graph import Graph, bounds
from .interface import algorithm, only_if
from .order import named, named_pairs
from .paths import path_between


def _bridges(graph: Graph, root: Any) -> np.ndarray:
    """The numbers of the ends of each bridge, in NetworkX's order of edges."""
    if root is not None and root not in graph:
        raise nx.NodeNotFound(f"Root node {root} is not in graph")
    if len(graph) == 0:
        return graph.pairs
    bridge = graph.number_pairs(*algorithms.biconnected(graph.pattern(), only="bridge").to_coo()[:2])
    pairs = graph.pairs
    number = graph.number_pairs(*pairs.T)  # the smaller first
    wanted = np.isin(number, bridge)
    _, which, count = np.unique(number[wanted], return_inverse=True, return_counts=True)
    wanted[wanted] = count[which] == 1  # a bridge has no parallel edge
    if root is not None:
        component = algorithms.components(graph.pattern()).to_dense()
        wanted &= component[pairs[:, 0]] == component[graph.index[root]]
    return pairs[wanted]


@algorithm
@not_implemented_for("directed")
def bridges(G: Graph, root: Any = None) -> Iterator[tuple[Any, Any]]:  # noqa: N803
    """The edges without which there are more components; with a root those of its component."""
    yield from named_pairs(G, *_bridges(G, root).T)


@algorithm
@not_implemented_for("directed")
def has_bridges(G: Graph, root: Any = None) -> bool:  # noqa: N803
    """Whether there are any."""
    return len(_bridges(G, root)) > 0


@only_if(lambda G, with_span=True, weight=None: with_span is not True or weight is None)
@not_implemented_for("multigraph")
@not_implemented_for("directed")
def local_bridges(G: Graph, with_span: bool = True, weight: Any = None) -> Iterator[tuple[Any, ...]]:  # noqa: N803
    """The edges whose ends have no neighbour in common; with their spans, the distances of the ends without the edge."""
    pattern = G.pattern()
    common = pattern.mxm(pattern, "any_pair").new(mask=pattern.S)
    closed = np.isin(G.number_pairs(*G.pairs.T), G.number_pairs(*common.to_coo()[:2]))
    bridges = G.pairs[~closed]
    if with_span is not True:
        yield from named_pairs(G, *bridges.T)
        return
    for (u, v), *ends in zip(named_pairs(G, *bridges.T), bridges[:, 0].tolist(), bridges[:, 1].tolist()):
        path = path_between(G, ends, edge=False)
        yield u, v, float("inf") if path is None else len(path) - 1


@algorithm
@not_implemented_for("directed")
def articulation_points(G: Graph) -> Iterator[Any]:  # noqa: N803
    """The nodes without which there are more components."""
    if len(G):
        yield from named(G, algorithms.biconnected(G.pattern(), only="articulation").to_coo()[0])


def _components(graph: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The ends of each edge, by component, and where each component begins."""
    if len(graph) == 0:
        nothing = np.empty(0, np.int64)
        return nothing, nothing, np.zeros(1, np.int64)
    i, j, component = algorithms.biconnected(graph.pattern(), only="component").to_coo()
    order = np.argsort(component, kind="stable")
    return i[order], j[order], bounds(np.bincount(component))


@algorithm
@not_implemented_for("directed")
def biconnected_components(G: Graph) -> Iterator[set[Any]]:  # noqa: N803
    """The nodes of each component."""
    i, j, begin = _components(G)
    nodes, ends = named(G, np.stack((i, j), axis=1).ravel()), (2 * begin).tolist()
    yield from (set(nodes[b:e]) for b, e in zip(ends, ends[1:]))


@algorithm
@not_implemented_for("directed")
def biconnected_component_edges(G: Graph) -> Iterator[list[tuple[Any, Any]]]:  # noqa: N803
    """The edges of each component; NetworkX lists those from a node to itself, too."""
    if len(G.loops()):
        yield from nx.biconnected_component_edges.orig_func(G.original())
        return
    i, j, begin = _components(G)
    edges, ends = list(named_pairs(G, i, j)), begin.tolist()
    yield from (edges[b:e] for b, e in zip(ends, ends[1:]))


@algorithm
@not_implemented_for("directed")
def is_biconnected(G: Graph) -> bool:  # noqa: N803
    """Whether there is one component, with all nodes."""
    i, j, begin = _components(G)
    return len(begin) == 2 and len(np.union1d(i, j)) == len(G)
