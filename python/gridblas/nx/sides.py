"""Bipartite graphs."""

from __future__ import annotations

from itertools import compress
from typing import Any

import networkx as nx
import numpy as np

from .. import algorithms
from ..vector import Vector
from .betweenness import betweenness_centrality
from .components import is_connected, is_weakly_connected
from .distances import of_levels, reached, total
from .graph import Graph
from .interface import algorithm, of_all_pairs, only_if
from .partitions import members


def _color(graph: Graph) -> np.ndarray:
    """The sides of a bipartite graph."""
    color = _alternating(graph)
    if (color[graph.tails] == color[graph.heads]).any():
        raise nx.NetworkXError("Graph is not bipartite.")
    return color


def _alternating(graph: Graph) -> np.ndarray:
    """1 for the first node of each component that has edges and those at an even distance from it, 0 for others."""
    if len(graph) == 0:
        return np.empty(0, np.int64)
    pattern = graph.pattern()
    either = pattern.ewise_add(pattern.T, "any").new() if graph.is_directed() else pattern
    component = algorithms.components(pattern).to_dense()
    isolated = np.ones(len(graph), bool)
    isolated[graph.tails] = isolated[graph.heads] = False
    starts = np.flatnonzero(np.diff(graph.begin) > 0)  # in a directed graph with an edge from it
    _, first = np.unique(component[starts], return_index=True)
    layer, color, value = starts[first], np.full(len(graph), -1), 1
    fringe = Vector.from_coo(layer, True, size=graph.rows)
    while fringe.nvals:
        color[fringe.to_coo()[0]] = value
        left = Vector.from_coo(np.flatnonzero(color < 0), True, size=graph.rows)
        fringe = fringe.vxm(either, "any_pair").new(mask=left.S)
        value = 1 - value
    return np.where(isolated, 0, color)


@algorithm
def color(G: Graph) -> dict[Any, int]:  # noqa: N803
    """The side of each node."""
    return dict(zip(G.names, _color(G).tolist()))


@algorithm
def is_bipartite(G: Graph) -> bool:  # noqa: N803
    """Whether every edge joins two sides."""
    try:
        _color(G)
    except nx.NetworkXError:
        return False
    return True


def top_side(graph: Graph, top_nodes: Any = None) -> np.ndarray:
    """Whether each node is one of these, or else on the side of the first node."""
    if top_nodes is not None:
        return members(graph, top_nodes)
    if not (is_weakly_connected(graph) if graph.is_directed() else is_connected(graph)):
        raise nx.AmbiguousSolution("Disconnected graph: Ambiguous solution for bipartite sets.")
    return _color(graph) == 1


@algorithm
def sets(G: Graph, top_nodes: Any = None) -> tuple[set[Any], set[Any]]:  # noqa: N803
    """The nodes of each side."""
    if top_nodes is not None:
        top = set(top_nodes)
        return top, set(G) - top
    side = top_side(G).tolist()
    return set(compress(G.names, side)), {node for node, top in zip(G.names, side) if not top}


@only_if(lambda G, nodes: not G.is_directed())
def is_bipartite_node_set(G: Graph, nodes: Any) -> bool:  # noqa: N803
    """Whether some nodes are one side of each component."""
    members = set(nodes)
    if len(members) < len(nodes):
        raise nx.AmbiguousSolution(
            "The input node set contains duplicates.\n"
            "This may lead to incorrect results when using it in bipartite algorithms.\n"
            "Consider using set(nodes) as the input"
        )
    color = _alternating(G)
    member = np.array([node in members for node in G.names], bool)
    component = algorithms.components(G.pattern()).to_dense()[: len(G)]
    differ = np.bincount(component, (color == 1) != member, len(G))  # of each component
    size = np.bincount(component, minlength=len(G))
    wrong = np.flatnonzero((differ != 0) & (differ != size))
    odd = component[G.tails[color[G.tails] == color[G.heads]]]  # components that are not bipartite
    if len(odd) and (len(wrong) == 0 or odd.min() <= wrong[0]):
        raise nx.NetworkXError("Graph is not bipartite.")
    return len(wrong) == 0


@only_if(lambda B, nodes: all(node in B for node in nodes))
def density(B: Graph, nodes: Any) -> float:  # noqa: N803
    """Edges over the pairs of nodes of both sides; these nodes are one."""
    one, other = len(nodes), len(B) - len(nodes)
    if len(B.pairs) == 0:
        return 0.0
    return len(B.pairs) / (2 * one * other if B.is_directed() else one * other)


def _in_graph(G: Any, nodes: Any, normalized: bool = True) -> bool:  # noqa: N803
    return isinstance(nodes, (set, frozenset, list, tuple)) and all(node in G for node in nodes)


@only_if(_in_graph)
def bipartite_degree_centrality(G: Graph, nodes: Any) -> dict[Any, float]:  # noqa: N803
    """Edges of a node over the number of nodes of the other side."""
    top = set(nodes)
    bottom = set(G) - top
    degree = G.degrees() + G.degrees(outward=False) if G.is_directed() else G.degrees()
    found = {}
    for side, other in ((top, bottom), (bottom, top)):
        scale = 1.0 / len(other)
        found.update((node, int(degree[G.index[node]]) * scale) for node in side)
    return found


def _most_shares(n: int, m: int) -> float:
    """The largest sum of shares of shortest paths that a node of a side of n can have; the other side has m."""
    s, t = divmod(n - 1, m)
    return ((m**2) * (s + 1) ** 2 + m * (s + 1) * (2 * t - s - 1) - t * (2 * s - t + 3)) / 2.0


@only_if(_in_graph)
def bipartite_betweenness_centrality(G: Graph, nodes: Any) -> dict[Any, float]:  # noqa: N803
    """The shares of shortest paths through each node, over the most that a node of its side can have."""
    top = set(nodes)
    n, m = len(top), len(G) - len(top)
    of_top, of_bottom = _most_shares(n, m), _most_shares(m, n)
    found = betweenness_centrality(G, normalized=False)
    return {node: x / (of_top if node in top else of_bottom) for node, x in found.items()}


@only_if(_in_graph)
def bipartite_closeness_centrality(G: Graph, nodes: Any, normalized: bool = True) -> dict[Any, float]:  # noqa: N803
    """The least sum of distances that a node of its side can have, over that of each node."""
    top = set(nodes)
    bottom = set(G) - top
    sums, count = of_levels(G, [*top, *bottom], total, reached)
    values = {}
    for node, sum_, others in zip((*top, *bottom), sums.tolist(), (count - 1).tolist()):
        near, far = (len(bottom), len(top)) if node in top else (len(top), len(bottom))
        value = (near + 2 * (far - 1)) / sum_ if sum_ > 0 and len(G) > 1 else 0.0
        values[node] = value * (others / (len(G) - 1)) if normalized and value else value
    return values


of_all_pairs |= {"bipartite_betweenness_centrality", "bipartite_closeness_centrality"}
