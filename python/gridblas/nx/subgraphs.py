"""NetworkX graphs with some of a graph's nodes or edges, written into its dictionaries: its views take several times as long."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from .dictionaries import add_edges, without_collection
from .graph import PLAIN, Graph
from .order import arcs_of, named


def induced(graph: Graph, nodes: np.ndarray) -> Any:
    """A copy of the subgraph of some nodes (numbers), with NetworkX's order of nodes and edges."""
    original = graph.original()
    names = named(graph, nodes)
    if graph.is_multigraph() or hasattr(original, "_graph"):  # the order of a view's nodes depends on the graph that it is of
        return original.subgraph(names).copy()
    if 2 * len(nodes) < len(graph):  # NetworkX goes through a set of fewer nodes
        order = np.array(graph.numbers(set(names)), np.int64)
    else:
        order = np.sort(nodes)
    place = np.full(len(graph), -1)
    place[order] = np.arange(len(order))
    arcs = arcs_of(graph.begin, order)
    ends = place[graph.heads[arcs]]
    kept = (ends >= place[graph.tails[arcs]]) | ((ends >= 0) & graph.is_directed())
    return with_edges(graph, order, arcs[kept])


def with_edges(graph: Graph, nodes: np.ndarray, arcs: np.ndarray) -> Any:
    """The graph of these nodes and edges, which are no parallel ones, with copies of their attributes."""
    original = graph.original()
    made = original.__class__()
    made.graph.update(original.graph)
    names, found, rows = graph.names, original._adj, made._adj
    if type(original) not in PLAIN:  # of dictionaries of its own
        made.add_nodes_from((names[k], original._node[names[k]]) for k in nodes.tolist())
        made.add_edges_from((names[i], names[j], found[names[i]][names[j]]) for i, j in zip(*graph.ends(arcs)))
        return made
    back, chosen = made._pred if graph.is_directed() else rows, named(graph, nodes)
    with without_collection():
        made._node.update({node: original._node[node].copy() for node in chosen})
        for ends in (rows, back) if graph.is_directed() else (rows,):
            ends.update({node: {} for node in chosen})
        add_edges(found, names, graph.tails[arcs], graph.heads[arcs], rows, back)
    return made


def digraph(names: list[Any], tails: np.ndarray, heads: np.ndarray) -> Any:
    """The directed graph of these edges (positions in names), without attributes."""
    made = nx.DiGraph()
    with without_collection():
        for part in (made._node, made._succ, made._pred):
            part.update({node: {} for node in names})
        add_edges(None, names, tails, heads, made._succ, made._pred)
    return made
