"""The shares of shortest paths through nodes, and through edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import algorithms
from .graph import Graph
from .interface import only_if


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
        i, j, x = algorithms.edge_betweenness(G.pattern()).to_coo()
        order = np.argsort(G.number_pairs(G.tails, G.heads))
        shares[order[np.searchsorted(G.number_pairs(G.tails, G.heads)[order], G.number_pairs(i, j))]] = x
    scale = 1.0
    if normalized and n > 1:
        scale = (1.0 if G.is_directed() else 2.0) / (n * (n - 1))
    values = (shares[G.listed] * scale).tolist()
    return {(G.names[i], G.names[j]): x for (i, j), x in zip(G.pairs.tolist(), values)}
