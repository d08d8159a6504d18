"""Spanning trees of least and of greatest weight."""

from __future__ import annotations

from collections.abc import Iterator
from operator import getitem
from typing import Any

import numpy as np
from networkx.utils import not_implemented_for

from .graph import Graph
from .interface import only_if
from .order import kruskal, named
from .subgraphs import with_edges


def _kept(graph: Graph, weight: Any, sign: int, ignore_nan: bool) -> np.ndarray:
    """The edges that Kruskal's method takes, in its order: by weight, and edges of the same weight as they are listed."""
    weights = graph.edge_values(weight)
    used = np.flatnonzero(~np.isnan(weights))
    if len(used) < len(weights) and not ignore_nan:
        first = next(_edges(graph, [int(np.isnan(weights).argmax())], True, True))
        raise ValueError(f"NaN found as an edge weight. Edge {first}")
    return kruskal(graph, used[_order(sign * weights[used])])


def _order(weights: np.ndarray) -> np.ndarray:
    """The order of ascending weights, and of the same weights as they are: a stable sort takes several times as long."""
    order = np.argsort(weights)
    ascending = weights[order]
    return order if (ascending[1:] > ascending[:-1]).all() else np.argsort(weights, kind="stable")


def _edges(graph: Graph, kept: Any, keys: bool, data: bool) -> Iterator[tuple[Any, ...]]:
    original = graph.original()
    if graph.is_multigraph():
        listed = list(original.edges(keys=True, data=True))
        edges = (listed[k] for k in kept)
        return ((u, v, *((key,) if keys else ()), *((attributes,) if data else ())) for u, v, key, attributes in edges)
    tails, heads = (named(graph, ends) for ends in graph.pairs[kept].T)
    return zip(tails, heads, map(getitem, map(original._adj.__getitem__, tails), heads)) if data else zip(tails, heads)


def _kruskal(
    G: Any, algorithm: str = "kruskal", weight: Any = "weight", keys: Any = True, data: Any = True, ignore_nan: Any = False
) -> bool:  # noqa: N803
    return algorithm == "kruskal"


def _kruskal_tree(G: Any, weight: Any = "weight", algorithm: str = "kruskal", ignore_nan: Any = False) -> bool:  # noqa: N803
    return algorithm == "kruskal" and not G.is_directed()


def _offer_forest(kind: str, sign: int) -> None:
    """The two functions of NetworkX."""

    def found(graph: Graph, weight: Any, ignore_nan: bool, keys: bool = True, data: bool = True) -> Iterator[tuple[Any, ...]]:
        yield from _edges(graph, _kept(graph, weight, sign, ignore_nan), keys, data)

    def edges(
        G: Graph, algorithm: str = "kruskal", weight: Any = "weight", keys: Any = True, data: Any = True, ignore_nan: Any = False
    ) -> Any:  # noqa: N803
        return found(G, weight, ignore_nan, keys, data)

    def tree(G: Graph, weight: Any = "weight", algorithm: str = "kruskal", ignore_nan: Any = False) -> Any:  # noqa: N803
        original = G.original()
        if not G.is_multigraph():
            return with_edges(G, np.arange(len(G)), G.listed[_kept(G, weight, sign, ignore_nan)])
        made = original.__class__()
        made.graph.update(original.graph)
        made.add_nodes_from(original.nodes.items())
        made.add_edges_from(found(G, weight, ignore_nan))
        return made

    edges.__name__ = edges.__qualname__ = f"{kind}_spanning_edges"
    tree.__name__ = tree.__qualname__ = f"{kind}_spanning_tree"
    only_if(_kruskal)(not_implemented_for("directed")(edges))
    only_if(_kruskal_tree)(tree)


_offer_forest("minimum", 1)
_offer_forest("maximum", -1)
