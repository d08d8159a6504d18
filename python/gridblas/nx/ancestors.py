"""Lowest common ancestors: NetworkX's choice of several depends on the order of sets, which are made in its order."""

from __future__ import annotations

from typing import Any

import networkx as nx
from networkx.utils import not_implemented_for

from .graph import Graph
from .interface import algorithm
from .order import breadth_first, named
from .recognition import is_directed_acyclic_graph


def _with_ancestors(graph: Graph, node: Any) -> set[Any]:
    """A node and those from which it can be reached."""
    found = set(named(graph, breadth_first(graph, [graph.index[node]], backwards=True).found[1:]))
    found.add(node)
    return found


@algorithm
@not_implemented_for("undirected")
def lowest_common_ancestor(G: Graph, node1: Any, node2: Any, default: Any = None) -> Any:  # noqa: N803
    """An ancestor of both nodes that has no successor which is one, too."""
    if not is_directed_acyclic_graph(G):
        raise nx.NetworkXError("LCA only defined on directed acyclic graphs.")
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("LCA meaningless on null graphs.")
    missing = {node1, node2} - set(G)
    if missing:
        raise nx.NodeNotFound(f"Node(s) {missing} from pair {(node1, node2)} not in G.")
    of_one = _with_ancestors(G, node1)
    common = of_one & (of_one if node1 == node2 else _with_ancestors(G, node2))
    if not common:
        return default
    node = next(iter(common))
    while True:
        k = G.index[node]
        lower = next((other for other in named(G, G.heads[G.begin[k] : G.begin[k + 1]]) if other in common), None)
        if lower is None:
            return node
        node = lower
