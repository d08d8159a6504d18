"""Triangles, clustering and core numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .. import algorithms
from .graph import Graph, joins_arcs
from .interface import algorithm, only_if
from .order import arcs_of, distinct, is_in, named
from .subgraphs import induced, with_edges


def _chosen(graph: Graph, values: dict[Any, Any], nodes: Any) -> Any:
    """All nodes' values, one node's, or those of several that are in the graph."""
    if nodes is None:
        return values
    if nodes in graph:
        return values[nodes]
    return {node: values[node] for node in graph.chosen(nodes)}


@algorithm
@not_implemented_for("directed")
def triangles(G: Graph, nodes: Any = None) -> Any:  # noqa: N803
    """Triangles that each node is a corner of."""
    if nodes is not None and G.is_multigraph():
        raise nx.NetworkXNotImplemented("not implemented for multigraph type")
    return _chosen(G, G.by_node(algorithms.triangles(G.pattern(), only="per_vertex")), nodes)


def _undirected(G: Any, nodes: Any = None, weight: Any = None, count_zeros: bool = True) -> bool:  # noqa: N803
    return weight is None and not G.is_directed()


@only_if(_undirected)
@not_implemented_for("multigraph")
def clustering(G: Graph, nodes: Any = None, weight: Any = None) -> Any:  # noqa: N803
    """The share of pairs of a node's neighbours that have an edge."""
    found = _chosen(G, G.by_node(algorithms.lcc(G.pattern())), nodes)
    return 0 if found == 0 else found  # of one node, as NetworkX: its error in the mean of one node names the type


@only_if(_undirected)
@not_implemented_for("multigraph")
def average_clustering(G: Graph, nodes: Any = None, weight: Any = None, count_zeros: bool = True) -> float:  # noqa: N803
    """The mean of that."""
    values = clustering(G, nodes).values() if nodes is not None else algorithms.lcc(G.pattern()).to_dense(0)[: len(G)].tolist()
    values = [x for x in values if count_zeros or abs(x) > 0]
    return sum(values) / len(values)


@only_if(lambda G: not G.is_directed())
@not_implemented_for("multigraph")
def transitivity(G: Graph) -> float:  # noqa: N803
    """Three times the triangles over the pairs of edges that meet."""
    count = algorithms.triangles(G.pattern(), only="count")
    degree = G.pattern().select("offdiag", 0).new().reduce_rowwise("count").new().to_coo()[1]
    pairs = int((degree * (degree - 1) // 2).sum())
    return 3 * count / pairs if count else 0


def _no_directions(G: Any) -> bool:  # noqa: N803
    return not G.is_directed()


def _no_loops(graph: Graph, what: str) -> None:
    if len(graph.loops()):
        raise nx.NetworkXNotImplemented(f"{what} which is not permitted; Consider using G.remove_edges_from(nx.selfloop_edges(G)).")


@only_if(_no_directions)
@not_implemented_for("multigraph")
def core_number(G: Graph) -> dict[Any, int]:  # noqa: N803
    """The largest k of a k-core that each node is in."""
    _no_loops(G, "Input graph has self loops")
    return G.by_node(algorithms.kcore(G.pattern()))


@algorithm
def isolates(G: Graph) -> Any:  # noqa: N803
    """Nodes without edges."""
    return iter([node for node, d in zip(G.names, all_degrees(G)) if d == 0])


@only_if(lambda G, n: n in G)
def is_isolate(G: Graph, n: Any) -> bool:  # noqa: N803
    """Whether a node has none."""
    return bool(all_degrees(G)[G.number(n)] == 0)


@algorithm
def number_of_isolates(G: Graph) -> int:  # noqa: N803
    """How many have none."""
    return int((all_degrees(G) == 0).sum())


def all_degrees(graph: Graph) -> np.ndarray:
    """Edges of each node, in both directions."""
    return graph.degrees() + graph.degrees(outward=False) if graph.is_directed() else graph.degrees()


# ---- subgraphs by core numbers ----


def _computed(G: Any, k: Any = None, core_number: Any = None) -> bool:  # noqa: N803
    return core_number is None and not G.is_directed()


def _offer_part(name: str, belongs: Callable[[Graph, np.ndarray, Any], np.ndarray], below_largest: int = 0) -> None:
    """The function of NetworkX with that name: the subgraph of the nodes that belong; k is the largest core number, or less by below_largest."""

    def part(G: Graph, k: Any = None, core_number: Any = None) -> Any:  # noqa: N803
        _no_loops(G, "Input graph has self loops")
        core = algorithms.kcore(G.pattern()).to_dense(0)[: len(G)]
        k = max(core.tolist()) - below_largest if k is None else k
        return induced(G, np.flatnonzero(belongs(G, core, k)))

    part.__name__ = part.__qualname__ = name
    only_if(_computed)(not_implemented_for("multigraph")(part))


def _corona(graph: Graph, core: np.ndarray, k: Any) -> np.ndarray:
    return (core == k) & (np.bincount(graph.tails[core[graph.heads] >= k], minlength=len(graph)) == k)


for _name, _belongs, _below in (
    ("k_core", lambda graph, core, k: core >= k, 0),
    ("k_shell", lambda graph, core, k: core == k, 0),
    ("k_crust", lambda graph, core, k: core <= k, 1),
    ("k_corona", _corona, 0),
):
    _offer_part(_name, _belongs, _below)


def _has_one_value(G: Any, k: Any = None) -> bool:  # noqa: N803
    """NetworkX's copy of a view of a directed graph merges the attributes of opposite edges."""
    return not joins_arcs(G)


@only_if(_has_one_value)
@not_implemented_for("directed")
@not_implemented_for("multigraph")
def k_truss(G: Graph, k: int) -> Any:  # noqa: N803
    """The largest subgraph whose edges all are in k - 2 of its triangles or more."""
    _no_loops(G, "Input graph has self loops")
    arcs = G.listed
    if k > 2 and len(G):
        kept = G.number_pairs(*algorithms.ktruss(G.pattern(), math.ceil(k)).to_coo()[:2])
        arcs = arcs[is_in(G.number_pairs(*G.pairs.T), kept)]
    return with_edges(G, distinct(np.append(G.tails[arcs], G.heads[arcs])), arcs)


@algorithm
@not_implemented_for("directed")
@not_implemented_for("multigraph")
def onion_layers(G: Graph) -> dict[Any, int]:  # noqa: N803
    """The round in which each node is removed, if all are removed at once that have no more edges than the core number so far."""
    _no_loops(G, "Input graph contains self loops")
    degree, left = G.degrees(), np.ones(len(G), bool)
    layers: dict[Any, int] = {}
    core, round_ = 1, 1
    if len(G) and degree.min() == 0:
        core = 0  # isolated nodes are a round of their own
    while left.any():
        core = max(core, int(degree[left].min())) if round_ > 1 or core else 0
        nodes = np.flatnonzero(left & (degree <= core))
        nodes = nodes[np.argsort(degree[nodes], kind="stable")]
        layers.update(dict.fromkeys(named(G, nodes), round_))
        left[nodes] = False
        np.subtract.at(degree, G.heads[arcs_of(G.begin, nodes)], 1)
        round_, core = round_ + 1, max(core, 1)
    return layers


# ---- by common neighbours ----


@only_if(_undirected)
def square_clustering(G: Graph, nodes: Any = None) -> Any:  # noqa: N803
    """The share of squares that a node is in, of those that its neighbours' edges could make."""
    return _chosen(G, G.by_node(algorithms.square_clustering(G.pattern())), nodes)


@algorithm
@not_implemented_for("directed")
@not_implemented_for("multigraph")
def generalized_degree(G: Graph, nodes: Any = None) -> Any:  # noqa: N803
    """For each node how many of its edges are in 0, 1, ... triangles."""
    apart = G.pattern().select("offdiag", 0).new()
    i, j, _ = apart.to_coo()
    triangles = apart.mxm(apart, "plus_pair").new(mask=apart.S).to_coo()
    counts = np.zeros(len(i), np.int64)
    counts[np.searchsorted(G.number_pairs(i, j), G.number_pairs(*triangles[:2]))] = triangles[2]
    most = int(counts.max(initial=0)) + 1
    pairs, edges = np.unique(i.astype(np.int64) * most + counts, return_counts=True)
    found: dict[Any, Counter[int]] = {node: Counter.__new__(Counter) for node in G}  # empty; __init__ would take most of the time
    for k, count, number in zip((pairs // most).tolist(), (pairs % most).tolist(), edges.tolist()):
        found[G.names[k]][count] = number
    return _chosen(G, found, nodes)
