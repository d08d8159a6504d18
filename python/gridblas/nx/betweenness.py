"""The shares of shortest paths through nodes, and through edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import algorithms
from ..matrix import Matrix
from .graph import Graph
from .interface import only_if

BATCH = 64  # sources that are searched from at once


def _from_all(
    G: Any,  # noqa: N803
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    endpoints: bool = False,
    seed: Any = None,
) -> bool:
    return k is None and weight is None and not endpoints


@only_if(_from_all)
def betweenness_centrality(
    G: Graph,  # noqa: N803
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    endpoints: bool = False,
    seed: Any = None,
) -> dict[Any, float]:
    """The shares of shortest paths through each node."""
    n = len(G)
    if n == 0:
        return {}
    scale = 1.0 if G.is_directed() else 0.5
    if normalized:
        scale = 1.0 / ((n - 1) * (n - 2)) if n > 2 else 1.0
    found = algorithms.betweenness(G.pattern())
    return {node: x * scale for node, x in G.by_node(found).items()}


def _edges_from_all(G: Any, k: int | None = None, normalized: bool = True, weight: Any = None, seed: Any = None) -> bool:  # noqa: N803
    return k is None and weight is None and not G.is_multigraph()


@only_if(_edges_from_all)
def edge_betweenness_centrality(
    G: Graph,  # noqa: N803
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    seed: Any = None,
) -> dict[Any, float]:
    """The shares of shortest paths that have each edge."""
    n = len(G)
    shares = np.zeros(len(G.heads))
    if len(shares):
        edge = G.pattern().apply("one").new("FP64")
        found = Matrix("FP64", n, n)
        for begin in range(0, n, BATCH):
            found(accum="plus") << _shares(edge, list(range(begin, min(begin + BATCH, n))))
        i, j, x = found.to_coo()
        order = np.argsort(G.number_pairs(G.tails, G.heads))
        shares[order[np.searchsorted(G.number_pairs(G.tails, G.heads)[order], G.number_pairs(i, j))]] = x
    if not G.is_directed():  # both directions
        order = np.lexsort((G.tails, G.heads))
        back = np.empty_like(shares)
        back[np.lexsort((G.heads, G.tails))] = shares[order]
        shares = np.where(G.tails == G.heads, shares, shares + back)
    scale = 1.0 if G.is_directed() else 0.5
    if normalized:
        scale = 1.0 / (n * (n - 1)) if n > 1 else 1.0
    values = (shares[G.listed] * scale).tolist()
    return {(G.names[i], G.names[j]): x for (i, j), x in zip(G.pairs.tolist(), values)}


def _shares(edge: Matrix, sources: list[int]) -> Matrix:
    """For each edge the sum over sources and targets of the share of shortest paths that have it."""
    levels = algorithms.bfs_many(edge, sources)
    layers = [levels.select("==", d).new("FP64") for d in range(int(levels.reduce_scalar("max").value) + 1)]
    # Numbers of paths to the nodes of each layer, from the sources on.
    paths = [layers[0].apply("one").new()]
    for layer in layers[1:]:
        paths.append(edge.T.mxm(paths[-1], "plus_times").new(mask=layer.S))
    # The shares of the paths that go on from a node to others, from the last layer back.
    found, beyond = Matrix("FP64", edge.nrows, edge.ncols), Matrix("FP64", edge.nrows, len(sources))
    for near, far in zip(paths[-2::-1], paths[:0:-1]):
        each = far.apply("minv").new()  # of one path
        each(accum="plus") << each.ewise_mult(beyond, "times").new()
        found(accum="plus") << near.mxm(each.T, "plus_times").new(mask=edge.S)
        beyond = near.ewise_mult(edge.mxm(each, "plus_times").new(mask=near.S), "times").new()
    return found
