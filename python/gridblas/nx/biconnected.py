"""Bridges, articulation points and biconnected components."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .dictionaries import without_collection
from .graph import Graph
from .interface import algorithm, only_if
from .order import breadth_first, distinct, is_in, named, named_pairs
from .paths import path_between
from .searches import address, functions
from .subgraphs import within


class _Search(NamedTuple):
    """The arcs of each component, one component's after another's, where each begins, and the articulation points: all in NetworkX's order."""

    arcs: np.ndarray
    begin: np.ndarray
    points: np.ndarray


def find_components(graph: Graph) -> _Search:
    n = len(graph)
    (ends, points), (edges, arcs), counts = np.empty((2, n), np.int64), np.empty((2, len(graph.heads)), np.int64), np.empty(2, np.int64)
    room, found = np.empty(5 * n, np.int64), np.zeros(n, bool)
    functions.find_biconnected(
        ctypes.c_int64(n), *map(address, (graph.begin, graph.heads, room, edges, arcs, ends, points, found, counts))
    )
    begin = np.append(0, ends[: counts[0]])
    return _Search(arcs[: begin[-1]], begin, points[: counts[1]])


def _bridges(graph: Graph, root: Any) -> np.ndarray:
    """The numbers of the ends of each bridge, in NetworkX's order of edges."""
    if root is not None and root not in graph:
        raise nx.NodeNotFound(f"Root node {root} is not in graph")
    search = find_components(graph)
    component = np.repeat(np.arange(len(search.begin) - 1), np.diff(search.begin))
    apart = graph.tails[search.arcs] != graph.heads[search.arcs]
    arcs = search.arcs[apart & (np.bincount(component[apart], minlength=len(component))[component] == 1)]
    bridge = graph.number_pairs(np.minimum(graph.tails[arcs], graph.heads[arcs]), np.maximum(graph.tails[arcs], graph.heads[arcs]))
    pairs = graph.pairs
    if root is not None:
        component = set(named(graph, breadth_first(graph, [graph.index[root]]).found))
        arcs = within(graph, np.array(graph.numbers(component)))[1]
        pairs = np.stack((graph.tails[arcs], graph.heads[arcs]), axis=1)
    number = graph.number_pairs(pairs.min(axis=1), pairs.max(axis=1))
    wanted = is_in(number, np.sort(bridge))
    _, which, count = np.unique(number[wanted], return_inverse=True, return_counts=True)
    wanted[wanted] = count[which] == 1  # a bridge has no parallel edge
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
    closed = is_in(G.number_pairs(*G.pairs.T), G.number_pairs(*common.to_coo()[:2]))
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
    yield from named(G, find_components(G).points)


@algorithm
@not_implemented_for("directed")
def biconnected_components(G: Graph) -> Iterator[set[Any]]:  # noqa: N803
    """The nodes of each component."""
    search = find_components(G)
    nodes, ends = named(G, np.stack((G.tails[search.arcs], G.heads[search.arcs]), axis=1).ravel()), (2 * search.begin).tolist()
    yield from (set(nodes[b:e]) for b, e in zip(ends, ends[1:]))


@algorithm
@not_implemented_for("directed")
def biconnected_component_edges(G: Graph) -> Iterator[list[tuple[Any, Any]]]:  # noqa: N803
    """The edges of each component."""
    search = find_components(G)
    with without_collection():
        edges = list(named_pairs(G, G.tails[search.arcs], G.heads[search.arcs]))
    ends = search.begin.tolist()
    yield from (edges[b:e] for b, e in zip(ends, ends[1:]))


@algorithm
@not_implemented_for("directed")
def is_biconnected(G: Graph) -> bool:  # noqa: N803
    """Whether there is one component, with all nodes."""
    search = find_components(G)
    return len(search.begin) == 2 and len(distinct(np.append(G.tails[search.arcs], G.heads[search.arcs]))) == len(G)
