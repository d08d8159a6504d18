"""Trees, forests, graphs without cycles, regular graphs."""

from __future__ import annotations

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .. import algorithms
from .graph import Graph
from .interface import algorithm


def _groups(graph: Graph, strong: bool = False) -> int:
    """The number of components."""
    if len(graph) == 0:
        return 0
    function = algorithms.strong_components if strong else algorithms.components
    return len(np.unique(function(graph.pattern()).to_dense()))


def _one_edge_in(graph: Graph) -> bool:
    return bool(graph.degrees(outward=False).max() <= 1)


@algorithm
def is_forest(G: Graph) -> bool:  # noqa: N803
    """Whether no component has a cycle, whatever the direction of edges. A component has at least one edge less than nodes."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    return len(G) - _groups(G) == len(G.pairs)


@algorithm
def is_tree(G: Graph) -> bool:  # noqa: N803
    """... and there is one component."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    return len(G) - 1 == len(G.pairs) and _groups(G) == 1


@algorithm
@not_implemented_for("undirected")
def is_branching(G: Graph) -> bool:  # noqa: N803
    """A forest with at most one edge to each node."""
    return is_forest(G) and _one_edge_in(G)


@algorithm
@not_implemented_for("undirected")
def is_arborescence(G: Graph) -> bool:  # noqa: N803
    """A tree with at most one edge to each node."""
    return is_tree(G) and _one_edge_in(G)


@algorithm
def is_directed_acyclic_graph(G: Graph) -> bool:  # noqa: N803
    """Whether no node reaches itself."""
    return G.is_directed() and len(G.loops()) == 0 and _groups(G, strong=True) == len(G)


@algorithm
def is_regular(G: Graph) -> bool:  # noqa: N803
    """Whether all nodes have the same degree."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Graph has no nodes.")
    return all(bool((degree == degree[0]).all()) for degree in (G.degrees(), G.degrees(outward=False)))


@algorithm
@not_implemented_for("directed")
def is_k_regular(G: Graph, k: int) -> bool:  # noqa: N803
    """Whether all nodes have the degree k."""
    return bool((G.degrees() == k).all())


@algorithm
def is_empty(G: Graph) -> bool:  # noqa: N803
    """Whether there is no edge."""
    return len(G.pairs) == 0


@algorithm
def number_of_selfloops(G: Graph) -> int:  # noqa: N803
    """Edges from a node to itself."""
    return len(G.loops())
