"""The shares of shortest paths through nodes, and through edges."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np

from .. import algorithms
from .components import first_nodes
from .graph import Graph
from .interface import only_if
from .partitions import of_one_process


def _sources(graph: Graph, k: int | None, seed: Any) -> "list[int] | None":
    """The nodes (numbers) that are drawn; None: all."""
    return None if k is None else of_one_process(np.array(seed.sample(range(len(graph)), k))).tolist()


def _is_sample(k: Any) -> bool:
    return k is None or (type(k) is int and k > 0)


def _without_weights(
    G: Any,  # noqa: N803
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    endpoints: bool = False,
    seed: Any = None,
) -> bool:
    return _is_sample(k) and weight is None and not (endpoints and G.is_directed())


def _as_ends(graph: Graph, is_source: np.ndarray) -> np.ndarray:
    """How many paths begin or end at each node of an undirected graph, from and to each source in its component."""
    first, n = first_nodes(graph), len(graph)
    reached, sources = (np.bincount(first, chosen, n)[first] for chosen in (None, is_source))
    return sources - is_source + is_source * (reached - 1)


@only_if(_without_weights)
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
    sources = _sources(G, None if k == n else k, seed)
    if n == 0:
        return {}
    found = algorithms.betweenness(G.pattern(), sources).to_dense(0.0)[:n]
    is_source = np.ones(n) if sources is None else np.bincount(sources, minlength=n)
    if endpoints:
        found = found + _as_ends(G, is_source)
    other = n if endpoints else n - 1  # ends of a path from a node, but for one
    if other < 2:
        return dict.fromkeys(G.names, 0.0)
    count = other if sources is None else len(sources)
    scale = 1 / (other - 1) if normalized else other / (1 if G.is_directed() else 2)
    scales = np.full(n, scale / count)
    if sources is not None and not endpoints:  # no path from a source counts for itself
        scales[sources] = scale / (count - 1) if count > 1 else nan
    return dict(zip(G.names, (found * scales).tolist()))


def _edges_without_weights(G: Any, k: int | None = None, normalized: bool = True, weight: Any = None, seed: Any = None) -> bool:  # noqa: N803
    return _is_sample(k) and weight is None and not G.is_multigraph()


@only_if(_edges_without_weights)
def edge_betweenness_centrality(
    G: Graph,  # noqa: N803
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    seed: Any = None,
) -> dict[Any, float]:
    """The shares of shortest paths that have each edge."""
    n, pairs = len(G), G.pairs
    sources = _sources(G, k, seed)
    shares = np.zeros(len(pairs))
    if len(pairs):
        i, j, x = algorithms.edge_betweenness(G.pattern(), sources).to_coo()
        numbers = G.number_pairs(i, j)
        order = np.argsort(numbers)

        def of(tails: np.ndarray, heads: np.ndarray) -> np.ndarray:
            return x[order[np.searchsorted(numbers[order], G.number_pairs(tails, heads))]]

        shares = of(*pairs.T) if G.is_directed() else of(*pairs.T) + of(*pairs.T[::-1])
    if n > 1:
        count = n if sources is None else len(sources)
        shares *= 1 / (count * (n - 1)) if normalized else n / (count * (1 if G.is_directed() else 2))
    return {(G.names[i], G.names[j]): x for (i, j), x in zip(pairs.tolist(), shares.tolist())}
