"""Whether edges are a matching, and nodes or edges reach all others."""

from __future__ import annotations

from itertools import chain
from typing import Any

import networkx as nx
import numpy as np
from networkx.algorithms.matching import matching_dict_to_set
from networkx.utils import not_implemented_for

from .. import algorithms
from .dictionaries import read_pairs
from .graph import Graph
from .interface import only_if
from .order import distinct
from .partitions import is_set, members, neighbors


def _listed(G: Any, matching: Any) -> bool:  # noqa: N803
    return isinstance(matching, (set, frozenset, list, tuple, dict))


def _matched(graph: Graph, matching: Any) -> set[Any] | None:
    """The nodes of a matching; None if it is none."""
    edges = list(matching_dict_to_set(matching) if isinstance(matching, dict) else matching)
    pairs = read_pairs(edges, graph.numbering)
    if pairs is not None:  # pairs of nodes: no errors
        mate = np.full(len(graph), -1)
        mate[pairs[:, 0]] = pairs[:, 1]
        joined = distinct(graph.tails[mate[graph.tails] == graph.heads])  # first ends of edges of the graph
        apart = len(distinct(pairs.ravel())) == 2 * len(pairs)
        return set(chain.from_iterable(edges)) if apart and len(joined) == len(pairs) else None
    nodes: set[Any] = set()
    for edge in edges:
        if len(edge) != 2:
            raise nx.NetworkXError(f"matching has non-2-tuple edge {edge}")
        u, v = edge
        if u not in graph or v not in graph:
            raise nx.NetworkXError(f"matching contains edge {edge} with node not in G")
        if u == v or not graph.adjacent(u, v) or u in nodes or v in nodes:
            return None
        nodes.update(edge)
    return nodes


@only_if(_listed)
def is_matching(G: Graph, matching: Any) -> bool:  # noqa: N803
    """Whether these are edges without a common node."""
    return _matched(G, matching) is not None


@only_if(_listed)
def is_perfect_matching(G: Graph, matching: Any) -> bool:  # noqa: N803
    """... and all nodes are in one."""
    nodes = _matched(G, matching)
    return nodes is not None and len(nodes) == len(G)


@only_if(lambda G, matching: not G.is_multigraph() and _listed(G, matching))
def is_maximal_matching(G: Graph, matching: Any) -> bool:  # noqa: N803
    """... or no edge could be added."""
    nodes = _matched(G, matching)
    if nodes is None:
        return False
    free = ~members(G, nodes)
    return not bool((free[G.tails] & free[G.heads] & (G.tails != G.heads)).any())


@only_if(lambda G, cover: isinstance(cover, (set, frozenset, list, tuple)))
@not_implemented_for("directed")
def is_edge_cover(G: Graph, cover: Any) -> bool:  # noqa: N803
    """Whether every node is in one of these edges."""
    return set(G) <= set(chain.from_iterable(cover))


@only_if(lambda G, nbunch: is_set(G, nbunch))
def is_dominating_set(G: Graph, nbunch: Any) -> bool:  # noqa: N803
    """Whether every other node has an edge from one of these."""
    member = members(G, nbunch)
    return bool((member | neighbors(G, member)).all())


@only_if(lambda G, nbunch: is_set(G, nbunch) and len(nbunch) > 0 and all(node in G for node in nbunch))
@not_implemented_for("directed")
def is_connected_dominating_set(G: Graph, nbunch: Any) -> bool:  # noqa: N803
    """... and these are connected among themselves."""
    if not is_dominating_set(G, nbunch):
        return False
    rows = np.flatnonzero(members(G, nbunch))
    return bool((algorithms.components(G.pattern()[rows, rows].new()).to_dense() == 0).all())
