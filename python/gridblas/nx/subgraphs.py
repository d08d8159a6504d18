"""NetworkX graphs with some of a graph's nodes or edges, written into its dictionaries: its views take several times as long."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from .dictionaries import copy_attributes, make_adjacency, without_collection
from .graph import PLAIN, Graph
from .order import arcs_of, named
from .searches import transposed


def induced(graph: Graph, nodes: np.ndarray) -> Any:
    """A copy of the subgraph of some nodes (numbers), with NetworkX's order of nodes and edges."""
    original = graph.original()
    if graph.is_multigraph() or hasattr(original, "_graph"):  # the order of a view's nodes depends on the graph that it is of
        return original.subgraph(named(graph, nodes)).copy()
    return with_edges(graph, *within(graph, nodes))


def within(graph: Graph, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Some nodes (numbers), and an arc of each edge between them, in the order of NetworkX's copy of their subgraph."""
    if 2 * len(nodes) < len(graph):  # NetworkX goes through a set of fewer nodes
        order = np.array(graph.numbers(set(named(graph, nodes))), np.int64)
    else:
        order = np.sort(nodes)
    place = np.full(len(graph), -1)
    place[order] = np.arange(len(order))
    arcs = arcs_of(graph.begin, order)
    ends = place[graph.heads[arcs]]
    kept = (ends >= place[graph.tails[arcs]]) | ((ends >= 0) & graph.is_directed())
    return order, arcs[kept]


def with_edges(graph: Graph, nodes: np.ndarray, arcs: np.ndarray) -> Any:
    """The graph of these nodes and edges, which are no parallel ones, with copies of their attributes."""
    original = graph.original()
    made = original.__class__()
    made.graph.update(original.graph)
    names, found = graph.names, original._adj
    if type(original) not in PLAIN:  # of dictionaries of its own
        made.add_nodes_from((names[k], original._node[names[k]]) for k in nodes.tolist())
        made.add_edges_from((names[i], names[j], found[names[i]][names[j]]) for i, j in zip(*graph.ends(arcs)))
        return made
    data = copy_attributes(found, len(graph.heads), arcs)
    if data is None:
        data = [found[names[i]][names[j]].copy() for i, j in zip(*graph.ends(arcs))]
    place, chosen = np.empty(len(graph), np.int64), named(graph, nodes)
    place[nodes] = np.arange(len(nodes))
    made._node = dict(zip(chosen, map(dict.copy, map(original._node.__getitem__, chosen))))
    set_edges(made, chosen, place[graph.tails[arcs]], place[graph.heads[arcs]], data)
    return made


def digraph(names: list[Any], tails: np.ndarray, heads: np.ndarray) -> Any:
    """The directed graph of these edges (positions in names), without attributes."""
    made = nx.DiGraph()
    with without_collection():
        made._node = {name: {} for name in names}
        set_edges(made, names, tails, heads, [{} for _ in range(len(tails))])
    return made


def set_edges(made: Any, names: list[Any], tails: np.ndarray, heads: np.ndarray, data: list[Any]) -> None:
    """Edges (positions in names) of a graph that has none, with their attributes; each node's neighbours come in this order."""
    if made.is_directed():
        made._succ, made._pred = _adjacency(names, tails, heads, data), _adjacency(names, heads, tails, data)
        return
    both = np.stack((tails, heads), axis=1)
    made._adj = _adjacency(names, both.ravel(), both[:, ::-1].ravel(), data, 2)


def _adjacency(names: list[Any], tails: np.ndarray, heads: np.ndarray, data: list[Any], arcs: int = 1) -> dict[Any, Any]:
    """NetworkX's dictionary of these arcs; data: of each, or of so many after one another."""
    one_row = np.full(len(names) + 1, len(tails))
    one_row[0] = 0
    begin, _, order = transposed(one_row, np.ascontiguousarray(tails, np.int64))  # a stable sort by tails
    return make_adjacency(names, data, begin, heads[order], order // arcs)
