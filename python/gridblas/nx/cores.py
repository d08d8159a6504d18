"""Triangles, clustering and core numbers."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .. import algorithms
from .graph import Graph
from .interface import algorithm, only_if


def _chosen(graph: Graph, values: dict[Any, Any], nodes: Any) -> Any:
    """All nodes' values, one node's, or those of several that are in the graph."""
    if nodes is not None and nodes in graph:
        return values[nodes]
    return {node: values[node] for node in graph.chosen(nodes)}


@algorithm
@not_implemented_for("directed")
def triangles(G: Graph, nodes: Any = None) -> Any:  # noqa: N803
    """Triangles that each node is a corner of."""
    return _chosen(G, G.by_node(algorithms.triangles(G.pattern(), only="per_vertex")), nodes)


def _undirected(G: Any, nodes: Any = None, weight: Any = None, count_zeros: bool = True) -> bool:  # noqa: N803
    return weight is None and not G.is_directed()


@only_if(_undirected)
def clustering(G: Graph, nodes: Any = None, weight: Any = None) -> Any:  # noqa: N803
    """The share of pairs of a node's neighbours that have an edge."""
    values = G.by_node(algorithms.lcc(G.pattern()))
    return _chosen(G, {node: x or 0 for node, x in values.items()}, nodes)


@only_if(_undirected)
def average_clustering(G: Graph, nodes: Any = None, weight: Any = None, count_zeros: bool = True) -> float:  # noqa: N803
    """The mean of that."""
    values = clustering(G, nodes).values()
    values = [x for x in values if count_zeros or abs(x) > 0]
    return sum(values) / len(values)


@only_if(lambda G: not G.is_directed())
def transitivity(G: Graph) -> float:  # noqa: N803
    """Three times the triangles over the pairs of edges that meet."""
    count = algorithms.triangles(G.pattern(), only="count")
    degree = G.pattern().select("offdiag", 0).new().reduce_rowwise("count").new().to_coo()[1]
    pairs = int((degree * (degree - 1) // 2).sum())
    return 3 * count / pairs if count else 0


def _no_directions(G: Any) -> bool:  # noqa: N803
    return not G.is_directed()


@only_if(_no_directions)
@not_implemented_for("multigraph")
def core_number(G: Graph) -> dict[Any, int]:  # noqa: N803
    """The largest k of a k-core that each node is in."""
    if len(G.loops()):
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    return G.by_node(algorithms.kcore(G.pattern()))


@algorithm
def isolates(G: Graph) -> Any:  # noqa: N803
    """Nodes without edges."""
    return iter([node for node, d in zip(G.nodes, _all_edges(G)) if d == 0])


@algorithm
def is_isolate(G: Graph, n: Any) -> bool:  # noqa: N803
    """Whether a node has none."""
    return bool(_all_edges(G)[G.number(n)] == 0)


@algorithm
def number_of_isolates(G: Graph) -> int:  # noqa: N803
    """How many have none."""
    return int((_all_edges(G) == 0).sum())


def _all_edges(graph: Graph) -> np.ndarray:
    return graph.degree() + graph.degree(outward=False) if graph.is_directed() else graph.degree()
