"""Link prediction by common neighbors and communities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from ..matrix import Matrix
from ..vector import Vector
from .graph import Graph
from .interface import only_if
from .dictionaries import make_triples
from .links import numbers, of_pairs


def _values(graph: Any, community: Any) -> list[Any] | None:
    """The community of each node; None if a node has none."""
    if isinstance(graph, Graph):
        if community in graph.node_columns:
            return graph.node_columns[community]
        graph = graph.original()
    values = [data[community] for data in graph._node.values() if community in data]
    return values if len(values) == len(graph) else None


def _all_have_one(G: Any, ebunch: Any = None, delta: float = 0.001, community: Any = "community") -> bool:  # noqa: N803
    """NetworkX looks for the communities of those nodes alone that it needs, and fails where one has none."""
    values = None if ebunch is None else _values(G, community)
    return values is not None and len(set(values)) >= 0 and None not in values


class _Pairs:
    """Pairs of nodes, and sums over the common neighbours of each."""

    def __init__(self, graph: Graph, ebunch: Any, community: Any) -> None:
        self.graph = graph
        self.pairs, self.rows = numbers(graph, ebunch)
        values = _values(graph, community) or []
        number = {value: k for k, value in enumerate(dict.fromkeys(values))}
        self.label = np.array([number[value] for value in values], np.int64)
        self.alike = self.label[self.rows[:, 0]] == self.label[self.rows[:, 1]]
        self.apart = graph.pattern().select("offdiag", 0).new()

    def sums(self, edges: Matrix, values: np.ndarray, which: np.ndarray) -> np.ndarray:
        """For each pair of which: the values of common neighbours by these edges are added up; 0 for others."""
        found = np.zeros(len(self.rows), values.dtype)
        if which.any():
            weighted = Vector.from_dense(values).diag().mxm(edges, "plus_times").new()
            sums = edges.mxm(weighted, "plus_second")
            found[which] = of_pairs(self.graph, self.rows[which], lambda wanted: sums.new(mask=wanted.S))
        return found

    def common(self) -> np.ndarray:
        """The number of common neighbours."""
        return self.sums(self.apart, np.ones(len(self.graph), np.int64), np.ones(len(self.rows), bool))

    def within(self, values: np.ndarray) -> np.ndarray:
        """Values of the common neighbours in the community of both nodes; 0 where these have two."""
        i, j, _ = self.apart.to_coo()
        inside = self.label[i] == self.label[j]
        edges = Matrix.from_coo(i[inside], j[inside], True, nrows=self.graph.rows, ncols=self.graph.rows)
        return self.sums(edges, values, self.alike)

    def scores(self, values: np.ndarray) -> Iterator[tuple[Any, Any, Any]]:
        """Each pair with its value."""
        return make_triples(self.pairs, values)


def _prediction(score: Callable[..., Any]) -> Callable[..., Any]:
    return only_if(_all_have_one)(not_implemented_for("directed")(not_implemented_for("multigraph")(score)))


@_prediction
def cn_soundarajan_hopcroft(G: Graph, ebunch: Any = None, community: Any = "community") -> Iterator[tuple[Any, Any, int]]:  # noqa: N803
    """Common neighbours; those in the community of both nodes count twice."""
    found = _Pairs(G, ebunch, community)
    return found.scores(found.common() + found.within(np.ones(len(G), np.int64)))


@_prediction
def ra_index_soundarajan_hopcroft(G: Graph, ebunch: Any = None, community: Any = "community") -> Iterator[tuple[Any, Any, float]]:  # noqa: N803
    """The inverse degrees of common neighbours in the community of both nodes."""
    found = _Pairs(G, ebunch, community)
    return found.scores(found.within(1 / np.maximum(G.degrees(), 1)))


@_prediction
def within_inter_cluster(
    G: Graph,  # noqa: N803
    ebunch: Any = None,
    delta: float = 0.001,
    community: Any = "community",
) -> Iterator[tuple[Any, Any, float]]:
    """Common neighbours in the community of both nodes over the others."""
    if delta <= 0:
        raise nx.NetworkXAlgorithmError("Delta must be greater than zero")
    found = _Pairs(G, ebunch, community)
    within = found.within(np.ones(len(G), np.int64))
    return found.scores(np.where(found.alike, within / (found.common() - within + delta), 0))
