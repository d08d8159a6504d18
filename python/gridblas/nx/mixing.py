"""How the degrees of neighbours go together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from networkx.algorithms.assortativity.mixing import dict_to_numpy_array
from networkx.utils import not_implemented_for

from .. import algorithms
from ..vector import Vector
from .graph import Graph
from .interface import algorithm, only_if
from .partitions import is_set
from .order import arcs_of, firsts


def degrees(graph: Graph, direction: str) -> np.ndarray:
    """Edges out of each node, into it, or both."""
    if not graph.is_directed():
        return graph.degrees()
    parts = {"out": (True,), "in": (False,), "in+out": (True, False)}[direction]
    return sum(graph.degrees(outward) for outward in parts)


def _ends(graph: Graph, x: str, y: str) -> tuple[np.ndarray, np.ndarray]:
    """The degrees at both ends of each arc; nodes are in the order of a set, as NetworkX takes them."""
    nodes = np.fromiter(map(graph.index.__getitem__, set(graph)), np.int64)
    arcs = arcs_of(graph.begin, nodes)
    return degrees(graph, x)[graph.tails[arcs]], degrees(graph, y)[graph.heads[arcs]]


def _all_unweighted(G: Any, x: Any = "out", y: Any = "in", weight: Any = None, nodes: Any = None, **more: Any) -> bool:  # noqa: N803
    return weight is None and nodes is None and {x, y} <= {"in", "out"} and more.get("mapping") is None


@only_if(_all_unweighted)
def degree_mixing_dict(G: Graph, x: str = "out", y: str = "in", weight: Any = None, nodes: Any = None, normalized: bool = False) -> Any:  # noqa: N803
    """How many arcs lead from each degree to each."""
    tail_degree, head_degree = _ends(G, x, y)
    range_ = int(head_degree.max(initial=0)) + 1
    pairs = tail_degree * range_ + head_degree
    if pairs.max(initial=0) > 10 * len(pairs):
        which = np.unique(pairs, return_inverse=True)[1]
    else:
        which = pairs
    first = firsts(which, np.empty(which.max(initial=-1) + 1, np.int64))
    count = np.bincount(which)[which[first]] if len(which) else first
    found: dict[int, dict[int, Any]] = {}
    for a, b, n in zip(tail_degree[first].tolist(), head_degree[first].tolist(), count.tolist()):
        found.setdefault(a, {})
        found.setdefault(b, {})
        found[a][b] = n / len(G.heads) if normalized else n
    return found


@only_if(_all_unweighted)
def degree_mixing_matrix(
    G: Graph,  # noqa: N803
    x: str = "out",
    y: str = "in",
    weight: Any = None,
    nodes: Any = None,
    normalized: bool = True,
    mapping: Any = None,
) -> np.ndarray:
    """The same as a matrix of shares or of counts."""
    made = dict_to_numpy_array(degree_mixing_dict(G, x, y), mapping=mapping)
    return made / made.sum() if normalized else made


@only_if(_all_unweighted)
def degree_assortativity_coefficient(G: Graph, x: str = "out", y: str = "in", weight: Any = None, nodes: Any = None) -> float:  # noqa: N803
    """The correlation of the degrees at both ends."""
    if len(G.heads) < 2:
        return math.nan
    if G.is_multigraph():  # the matrix has one entry for parallel edges
        return degree_pearson_correlation_coefficient(G, x, y)
    return algorithms.assortativity(G.pattern(), *(Vector.from_dense(degrees(G, direction)) for direction in (x, y)))


@only_if(_all_unweighted)
def degree_pearson_correlation_coefficient(G: Graph, x: str = "out", y: str = "in", weight: Any = None, nodes: Any = None) -> float:  # noqa: N803
    """The same by SciPy's function."""
    import scipy

    if len(G.heads) == 0:
        raise ValueError("not enough values to unpack (expected 2, got 0)")
    return float(scipy.stats.pearsonr(*_ends(G, x, y))[0])


def _by_attribute(G: Any, attribute: Any, nodes: Any = None) -> bool:  # noqa: N803
    return nodes is None and not G.is_multigraph() and len(G) > 0


def _values(graph: Any, attribute: Any) -> list[Any]:
    """An attribute of each node, None where it has none."""
    return [data.get(attribute) for data in graph.nodes.values()]


@only_if(_by_attribute)
def attribute_assortativity_coefficient(G: Graph, attribute: Any, nodes: Any = None) -> float:  # noqa: N803
    """Whether edges connect nodes with the same value of an attribute."""
    if not len(G.heads):
        return 0.0
    number: dict[Any, int] = {}
    labels = [number.setdefault(value, len(number)) for value in G.node_columns.get(attribute) or _values(G, attribute)]
    return algorithms.label_assortativity(G.pattern(), Vector.from_dense(np.array(labels)))


def _by_number(G: Any, attribute: Any, nodes: Any = None) -> bool:  # noqa: N803
    return _by_attribute(G, attribute, nodes) and all(isinstance(value, (int, float)) for value in _values(G, attribute))


@only_if(_by_number)
def numeric_assortativity_coefficient(G: Graph, attribute: Any, nodes: Any = None) -> float:  # noqa: N803
    """The correlation of an attribute's values at both ends of edges."""
    values = Vector.from_dense(np.array(G.node_columns.get(attribute) or _values(G, attribute), float))
    return algorithms.assortativity(G.pattern(), values, values)


def _are_nodes(graph: Any, nodes: Any) -> bool:
    """All nodes, or a collection that is not a node itself."""
    return nodes is None or (isinstance(nodes, (list, set, frozenset)) and is_set(graph, nodes))


def _of_neighbors(G: Any, source: Any = "out", target: Any = "out", nodes: Any = None, weight: Any = None) -> bool:  # noqa: N803
    known = {source, target} <= {"in", "out", "in+out"} if G.is_directed() else source == target == "out"
    return weight is None and not G.is_multigraph() and known and _are_nodes(G, nodes)


@only_if(_of_neighbors)
def average_neighbor_degree(G: Graph, source: str = "out", target: str = "out", nodes: Any = None, weight: Any = None) -> dict[Any, float]:  # noqa: N803
    """The mean degree of the neighbours of each node."""
    degree_of_source, degree_of_target = degrees(G, source), degrees(G, target)
    sums = np.zeros(len(G), np.int64)
    if "out" in source:
        np.add.at(sums, G.tails, degree_of_target[G.heads])
    if "in" in source and G.is_directed():
        np.add.at(sums, G.heads, degree_of_target[G.tails])
    means = np.divide(sums, degree_of_source, out=np.zeros(len(G)), where=degree_of_source != 0)
    chosen = G.chosen(nodes)
    return dict(zip(chosen, means[G.numbers(chosen)].tolist()))


def _of_degrees(G: Any, source: Any = "in+out", target: Any = "in+out", nodes: Any = None, weight: Any = None) -> bool:  # noqa: N803
    known = {source, target} <= {"in", "out", "in+out"} if G.is_directed() else source == target == "in+out"
    return weight is None and not G.is_multigraph() and known and _are_nodes(G, nodes)


@only_if(_of_degrees)
def average_degree_connectivity(G: Graph, source: str = "in+out", target: str = "in+out", nodes: Any = None, weight: Any = None) -> Any:  # noqa: N803
    """The mean degree of the neighbours of nodes of each degree."""
    degree_of_source, degree_of_target = degrees(G, source), degrees(G, target)
    sums = np.zeros(len(G), np.int64)
    node, neighbour = (G.heads, G.tails) if source == "in" and G.is_directed() else (G.tails, G.heads)
    np.add.at(sums, node, degree_of_target[neighbour])
    chosen = slice(None) if nodes is None else list(dict.fromkeys(G.numbers(G.chosen(nodes))))
    degree, sums = degree_of_source[chosen], sums[chosen]
    kinds = degree[firsts(degree, np.empty(degree.max(initial=-1) + 1, np.int64))].tolist()
    edges, total = (np.bincount(degree, values).tolist() for values in (degree, sums))  # exact below 2**53
    return {k: total[k] / edges[k] if edges[k] else 0 for k in kinds}


@algorithm
def s_metric(G: Graph) -> float:  # noqa: N803
    """The sum of the products of the degrees at both ends of edges."""
    degree = degrees(G, "in+out")
    return float((degree[G.pairs[:, 0]] * degree[G.pairs[:, 1]]).sum())


@only_if(lambda G, normalized=True, Q=100, seed=None: not normalized)
@not_implemented_for("directed")
@not_implemented_for("multigraph")
def rich_club_coefficient(G: Graph, normalized: bool = True, Q: Any = 100, seed: Any = None) -> dict[int, float]:  # noqa: N803
    """For each degree the share of possible edges between the nodes of larger degree."""
    if len(G.loops()):
        raise Exception("rich_club_coefficient is not implemented for graphs with self loops.")
    return algorithms.rich_club(G.pattern()).to_dict()
