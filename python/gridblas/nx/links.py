"""Link prediction by common neighbors, and reciprocity."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .. import algorithms
from ..matrix import Matrix
from .dictionaries import make_triples, read_pairs
from .graph import Graph
from .interface import only_if
from .distances import BATCH


def _of_pairs(G: Any, ebunch: Any = None, alpha: Any = None) -> bool:  # noqa: N803
    return ebunch is not None


def numbers(graph: Graph, ebunch: Any) -> tuple[list[Any], np.ndarray]:
    """The pairs of nodes, and of their rows."""
    pairs = list(ebunch)
    read = read_pairs(pairs, graph.numbering)
    if read is not None:
        return pairs, read
    pairs = [(u, v) for u, v in pairs]
    try:
        rows = np.fromiter(map(graph.index.__getitem__, chain.from_iterable(pairs)), np.int64)
    except (KeyError, TypeError):
        missing = next(node for node in chain.from_iterable(pairs) if node not in graph)
        raise nx.NodeNotFound(f"Node {missing} not in G.") from None
    return pairs, rows.reshape(-1, 2)


def of_pairs(graph: Graph, rows: np.ndarray, measure: Callable[[Matrix], Matrix]) -> np.ndarray:
    """The entries of measure(wanted) at these pairs, 0 where there is none; wanted: a matrix with an entry for each pair."""
    number = graph.number_pairs(*rows.T)
    order = np.argsort(number)  # the same matrix on all processes, though a set has another order on each
    number = number[order]
    new = np.diff(number, prepend=-1) > 0
    i, j = rows[order[new]].T
    *found, entries = measure(Matrix.from_coo(i, j, True, nrows=graph.rows, ncols=graph.rows)).to_coo()
    values = np.zeros(len(i), entries.dtype)
    values[np.searchsorted(number[new], graph.number_pairs(*found))] = entries
    made = np.empty(len(rows), entries.dtype)
    made[order] = values[np.cumsum(new) - 1]
    return made


def _scores(graph: Graph, ebunch: Any, name: str, measure: int) -> Iterator[tuple[Any, Any, float]]:
    """Each pair and its similarity: of two nodes, in a graph without loops, by the library."""
    original = getattr(nx, name).orig_func
    if len(graph.loops()):
        return original(graph.original(), ebunch)
    pairs, rows = numbers(graph, ebunch)
    apart = rows[:, 0] != rows[:, 1]
    values = np.zeros(len(rows))
    values[apart] = of_pairs(graph, rows[apart], lambda wanted: algorithms.similarity(graph.pattern(), wanted, measure))
    if apart.all():
        return make_triples(pairs, values)

    def score(u: Any, v: Any, x: float, two: bool) -> float:
        return x or 0 if two else next(original(graph.original(), [(u, v)]))[2]

    return ((u, v, score(u, v, x, two)) for (u, v), x, two in zip(pairs, values.tolist(), apart.tolist()))


def _prediction(name: str, measure: int) -> Callable[..., Any]:
    """The function of NetworkX with that name."""

    def predict(G: Graph, ebunch: Any = None) -> Iterator[tuple[Any, Any, float]]:  # noqa: N803
        return _scores(G, ebunch, name, measure)

    predict.__name__ = predict.__qualname__ = name
    return only_if(_of_pairs)(not_implemented_for("directed")(not_implemented_for("multigraph")(predict)))


jaccard_coefficient = _prediction("jaccard_coefficient", algorithms.SIMILARITY_JACCARD)
adamic_adar_index = _prediction("adamic_adar_index", algorithms.SIMILARITY_ADAMIC_ADAR)
resource_allocation_index = _prediction("resource_allocation_index", algorithms.SIMILARITY_RESOURCE_ALLOCATION)


@only_if(lambda G, ebunch=None: ebunch is not None)
@not_implemented_for("directed")
@not_implemented_for("multigraph")
def preferential_attachment(G: Graph, ebunch: Any = None) -> Iterator[tuple[Any, Any, int]]:  # noqa: N803
    """The product of both degrees."""
    pairs, rows = numbers(G, ebunch)
    degree = G.degrees()
    return make_triples(pairs, degree[rows[:, 0]] * degree[rows[:, 1]])


def _distances(graph: Graph, rows: np.ndarray) -> np.ndarray:
    """Between the nodes of each pair, infinity where no path leads; one search for each first node."""
    found = np.full(len(rows), math.inf)
    order = np.argsort(rows[:, 0], kind="stable")
    sources, begin = np.unique(rows[order, 0], return_index=True)
    pairs = np.split(order, begin[1:])
    for first in range(0, len(sources), BATCH):
        batch = sources[first : first + BATCH].tolist()
        node, column, distance = algorithms.bfs_many(graph.pattern(), batch).to_coo()
        level = np.full((graph.rows, len(batch)), math.inf)
        level[node, column] = distance
        for k, which in enumerate(pairs[first : first + BATCH]):
            found[which] = level[rows[which, 1], k]
    return found


@only_if(_of_pairs)
@not_implemented_for("directed")
@not_implemented_for("multigraph")
def common_neighbor_centrality(G: Graph, ebunch: Any = None, alpha: float = 0.8) -> Iterator[tuple[Any, Any, float]]:  # noqa: N803
    """Common neighbours, and by 1 - alpha the inverse of the distance."""
    if len(G.loops()):
        return nx.common_neighbor_centrality.orig_func(G.original(), ebunch, alpha)
    pairs, rows = numbers(G, ebunch)
    apart = rows[rows[:, 0] != rows[:, 1]]
    common = of_pairs(G, apart, lambda wanted: algorithms.similarity(G.pattern(), wanted, algorithms.SIMILARITY_COMMON))
    found = dict(zip(G.number_pairs(*apart.T).tolist(), common.astype(int).tolist()))
    distances = _distances(G, apart) if alpha != 1 else np.ones(len(apart))
    distance = dict(zip(G.number_pairs(*apart.T).tolist(), distances.tolist()))

    def score(u: Any, v: Any) -> float:
        if u == v:
            raise nx.NetworkXAlgorithmError("Self loops are not supported")
        pair = G.index[u] * len(G) + G.index[v]
        return found[pair] if alpha == 1 else alpha * found[pair] + (1 - alpha) * len(G) / distance[pair]

    return ((u, v, score(u, v)) for u, v in pairs)


def _single_edges(G: Any, nodes: Any = None) -> bool:  # noqa: N803
    """For other graphs NetworkX's answers are not shares."""
    return nodes is None and G.is_directed() and not G.is_multigraph()


def _reciprocity(graph: Graph) -> float:
    edges = graph.number_of_edges()
    if edges == 0:
        raise nx.NetworkXError("Not defined for empty graphs")
    apart = graph.pattern().select("offdiag", 0).new()
    return apart.ewise_mult(apart.T, "oneb").new().nvals / edges


@only_if(_single_edges)
def overall_reciprocity(G: Graph) -> float:  # noqa: N803
    """The share of edges that have one in the other direction."""
    return _reciprocity(G)


@only_if(_single_edges)
def reciprocity(G: Graph, nodes: Any = None) -> float:  # noqa: N803
    """The same."""
    return _reciprocity(G)
