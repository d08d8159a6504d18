"""Projections of bipartite graphs: edges between the nodes of a side that have common neighbours, in the order of NetworkX's sets."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .graph import Graph
from .interface import only_if
from .order import named
from .partitions import COLLECTIONS
from .searches import address, functions
from .subgraphs import set_edges


class _Row(NamedTuple):
    """The nodes two arcs from one, and of each the number of nodes between, and the sum of their shares."""

    names: list[Any]
    numbers: np.ndarray
    common: np.ndarray
    shares: np.ndarray


def _rows(graph: Graph, nodes: Any, by_set: bool) -> Iterator[_Row]:
    """Those of each node, itself among them, in the order in which NetworkX puts them into a set; by_set: it goes through a set of neighbours."""
    n = len(graph)
    degree = np.diff(graph.begin)
    share = np.divide(1, degree - 1, out=np.zeros(n), where=degree > 1)
    place, found, common, shares = np.full(n, -1), np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n)
    for node in nodes:
        k = graph.index[node]
        between = graph.heads[graph.begin[k] : graph.begin[k + 1]]
        if by_set:
            between = np.array([graph.index[name] for name in set(named(graph, between))], np.int64)
        arrays = between, graph.begin, graph.heads, share, place, found, common, shares
        count = functions.list_two_steps(ctypes.c_int64(len(between)), *map(address, arrays))
        numbers = found[:count]
        yield _Row(named(graph, numbers), numbers, common[:count], shares[:count])


def _project(graph: Graph, nodes: Any, rows: Iterator[_Row], difference: bool, weigh: Callable[[int, _Row], np.ndarray] | None) -> Any:
    """The graph of these nodes with an edge to each node of their rows; difference: the node is removed from the set of the others afterwards."""
    original = graph.original()
    made = nx.DiGraph() if graph.is_directed() else nx.Graph()
    made.graph.update(original.graph)
    made.add_nodes_from((node, original._node[node]) for node in nodes)
    position = {node: k for k, node in enumerate(nodes)}
    tails, heads, data = [], [], []
    for k, (node, row) in enumerate(zip(nodes, rows)):
        others = set(row.names) - {node} if difference else {name for name in row.names if name != node}
        weights = None if weigh is None else dict(zip(row.names, weigh(graph.index[node], row).tolist()))
        for other in others:
            at = position.setdefault(other, len(position))
            if at > k or graph.is_directed():  # an undirected edge is found from both ends
                tails.append(k)
                heads.append(at)
                data.append({} if weights is None else {"weight": weights[other]})
    made.add_nodes_from(list(position)[len(nodes) :])
    set_edges(made, list(position), np.array(tails, np.int64), np.array(heads, np.int64), data)
    return made


def _side(B: Any, nodes: Any, ratio: Any = False, jaccard: Any = True, multigraph: Any = False) -> bool:  # noqa: N803
    """Different nodes of the graph, in a collection that can be read several times."""
    return not multigraph and isinstance(nodes, COLLECTIONS) and len(set(nodes)) == len(nodes) and all(node in B for node in nodes)


@only_if(_side)
def projected_graph(B: Graph, nodes: Any, multigraph: bool = False) -> Any:  # noqa: N803
    """Edges without weights."""
    if B.is_multigraph():
        raise nx.NetworkXError("not defined for multigraphs")
    return _project(B, nodes, _rows(B, nodes, False), False, None)


@only_if(_side)
@not_implemented_for("multigraph")
def weighted_projected_graph(B: Graph, nodes: Any, ratio: bool = False) -> Any:  # noqa: N803
    """The number of common neighbours, or their share of the other side."""
    others = len(B) - len(nodes)
    if others < 1:
        raise nx.NetworkXAlgorithmError(
            f"the size of the nodes to project onto ({len(nodes)}) is >= the graph size ({len(B)}).\n"
            "They are either not a valid bipartite partition or contain duplicates"
        )
    return _project(B, nodes, _rows(B, nodes, True), True, lambda k, row: row.common / others if ratio else row.common)


@only_if(_side)
@not_implemented_for("multigraph")
def collaboration_weighted_projected_graph(B: Graph, nodes: Any) -> Any:  # noqa: N803
    """Each common neighbour counts the less the more neighbours it has."""
    return _project(B, nodes, _rows(B, nodes, True), False, lambda k, row: row.shares)


@only_if(_side)
@not_implemented_for("multigraph")
def overlap_weighted_projected_graph(B: Graph, nodes: Any, jaccard: bool = True) -> Any:  # noqa: N803
    """The share of common neighbours in those of both nodes, or of the node that has fewer."""
    out = np.diff(B.begin)
    into = np.diff(B.backwards()[0])

    def weigh(k: int, row: _Row) -> np.ndarray:
        size = into[row.numbers]
        return row.common / (out[k] + size - row.common if jaccard else np.minimum(out[k], size))

    return _project(B, nodes, _rows(B, nodes, True), True, weigh)
