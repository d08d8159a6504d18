"""Tests of graphs: trees, forests, cycles, regularity, trails over all edges."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .. import algorithms
from .components import is_connected, is_strongly_connected, is_weakly_connected, Strong, number_of_strong, strong, strong_sets
from .cores import all_degrees, triangles
from .distances import diameter
from .graph import Graph, bounds
from .interface import algorithm, only_if
from .order import distinct, generations, kruskal
from .paths import has_path
from .subgraphs import digraph


def _one_edge_in(graph: Graph) -> bool:
    return bool(graph.degrees(outward=False).max() <= 1)


@algorithm
def is_forest(G: Graph) -> bool:  # noqa: N803
    """Whether there is no cycle, whatever the direction of edges; opposite edges are a cycle, and parallel ones."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    edges = G.number_of_edges()
    return edges < len(G) and len(kruskal(G, np.arange(edges))) == edges


@algorithm
def is_tree(G: Graph) -> bool:  # noqa: N803
    """... and there is one component: no forest of these nodes has more edges."""
    return is_forest(G) and len(G) - 1 == G.number_of_edges()


@algorithm
@not_implemented_for("undirected")
def is_branching(G: Graph) -> bool:  # noqa: N803
    """A forest with at most one edge to each node."""
    return is_forest(G) and _one_edge_in(G)


@algorithm
@not_implemented_for("undirected")
def is_arborescence(G: Graph) -> bool:  # noqa: N803
    """A tree with at most one edge to each node."""
    return is_tree(G) and _one_edge_in(G)


@algorithm
def is_directed_acyclic_graph(G: Graph) -> bool:  # noqa: N803
    """Whether no node reaches itself."""
    return G.is_directed() and len(G.loops()) == 0 and number_of_strong(G) == len(G)


@algorithm
def has_cycle(G: Graph) -> bool:  # noqa: N803
    """Whether a directed graph has one."""
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    return not generations(G)[1]


@only_if(lambda G, scc=None: scc is None)
@not_implemented_for("undirected")
def condensation(G: Graph, scc: Any = None) -> Any:  # noqa: N803
    """The graph of the strong components, in which each has the attribute `members`."""
    found = strong(G)
    tails, heads = found.component[G.tails], found.component[G.heads]
    apart = np.flatnonzero(tails != heads)
    first = np.unique(G.number_pairs(tails, heads)[apart], return_index=True)[1]
    arcs = apart[np.sort(first)]
    made = digraph(list(range(found.number)), tails[arcs], heads[arcs])
    members = list(strong_sets(G, lambda found: range(found.number)))
    made.graph["mapping"] = {node: k for k, part in enumerate(members) for node in part}
    nx.set_node_attributes(made, dict(enumerate(members)), "members")
    return made


@algorithm
def is_regular(G: Graph) -> bool:  # noqa: N803
    """Whether all nodes have the same degree."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Graph has no nodes.")
    return all(bool((degree == degree[0]).all()) for degree in (G.degrees(), G.degrees(outward=False)))


@algorithm
@not_implemented_for("directed")
def is_k_regular(G: Graph, k: int) -> bool:  # noqa: N803
    """Whether all nodes have the degree k."""
    return bool((G.degrees() == k).all())


@algorithm
def is_empty(G: Graph) -> bool:  # noqa: N803
    """Whether there is no edge."""
    return G.number_of_edges() == 0


@algorithm
def number_of_selfloops(G: Graph) -> int:  # noqa: N803
    """Edges from a node to itself."""
    return len(G.loops())


# ---- directed graphs: what their strong components are like ----


def _condensed(graph: Graph) -> tuple[np.ndarray, Graph]:
    """The strong component of each node, and the graph of components."""
    number, component, _ = strong(graph)
    tails, heads = component[graph.tails], component[graph.heads]
    pairs = distinct((tails * number + heads)[tails != heads])
    begin = bounds(np.bincount(pairs // max(number, 1), minlength=number))
    return component, Graph(list(range(number)), begin, pairs % max(number, 1), True, False)


def _attracting(graph: Graph, found: Strong) -> list[int]:
    tails, heads = found.component[graph.tails], found.component[graph.heads]
    closed = np.ones(found.number, bool)
    closed[tails[tails != heads]] = False
    return np.flatnonzero(closed).tolist()


@algorithm
@not_implemented_for("undirected")
def attracting_components(G: Graph) -> Iterator[set[Any]]:  # noqa: N803
    """Strong components that no edge leaves."""
    yield from strong_sets(G, lambda found: _attracting(G, found))


@algorithm
@not_implemented_for("undirected")
def number_attracting_components(G: Graph) -> int:  # noqa: N803
    """How many there are."""
    return len(_attracting(G, strong(G)))


@algorithm
@not_implemented_for("undirected")
def is_attracting_component(G: Graph) -> bool:  # noqa: N803
    """Whether there is one, with all nodes."""
    return number_of_strong(G) == 1


@algorithm
@not_implemented_for("undirected")
def is_semiconnected(G: Graph) -> bool:  # noqa: N803
    """Whether of two nodes one reaches the other: the components are in a line."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return all(len(layer) == 1 for layer in generations(_condensed(G)[1])[0])


@algorithm
def is_aperiodic(G: Graph) -> bool:  # noqa: N803
    """Whether the lengths of all cycles have no common divisor."""
    if not G.is_directed():
        raise nx.NetworkXError("is_aperiodic not defined for undirected graphs")
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Graph has no nodes.")
    if not is_strongly_connected(G):
        raise nx.NetworkXError("Graph is not strongly connected.")
    level = algorithms.bfs(G.pattern(), 0, only="level").to_dense().astype(np.int64)
    return bool(np.gcd.reduce(level[G.tails] - level[G.heads] + 1) == 1)


@algorithm
def flow_hierarchy(G: Graph, weight: Any = None) -> float:  # noqa: N803
    """The share of edges, or of their weights, that are in no cycle."""
    if G.number_of_edges() == 0:
        raise nx.NetworkXError("flow_hierarchy not applicable to empty graphs")
    if not G.is_directed():
        raise nx.NetworkXError("G must be a digraph in flow_hierarchy")
    component, values = _condensed(G)[0], G.summable(weight)
    if not np.isfinite(2.0 * values.sum()):  # NetworkX adds both ends of edges
        raise NotImplementedError("gridblas adds weights whose sum is finite")
    return 1 - values[component[G.tails] == component[G.heads]].sum().item() / values.sum().item()


# ---- trails over all edges, tournaments, regular distances ----


def _balance(graph: Graph) -> np.ndarray:
    """Edges out of each node less those into it; in an undirected graph whether it has an odd number."""
    return graph.degrees() - graph.degrees(outward=False) if graph.is_directed() else graph.degrees() % 2


@algorithm
def is_eulerian(G: Graph) -> bool:  # noqa: N803
    """Whether there is a closed trail over all edges."""
    if G.is_directed():
        return not _balance(G).any() and is_strongly_connected(G)
    return not _balance(G).any() and is_connected(G)


@only_if(lambda G, source=None: source is None or source in G)
def has_eulerian_path(G: Graph, source: Any = None) -> bool:  # noqa: N803
    """Whether there is one, which need not be closed, from a node."""
    if is_eulerian(G):
        return True
    balance = _balance(G)
    if source is not None and balance[G.index[source]] != 1:
        return False
    if not G.is_directed():
        return int(balance.sum()) == 2 and is_connected(G)
    return bool(np.abs(balance).max() <= 1) and int((balance == -1).sum()) <= 1 and is_weakly_connected(G)


@algorithm
def is_semieulerian(G: Graph) -> bool:  # noqa: N803
    """Whether there is one that is not closed."""
    return has_eulerian_path(G) and not is_eulerian(G)


@algorithm
@not_implemented_for("undirected")
@not_implemented_for("multigraph")
def is_tournament(G: Graph) -> bool:  # noqa: N803
    """Whether any two nodes have one edge."""
    pairs = G.number_pairs(np.minimum(G.tails, G.heads), np.maximum(G.tails, G.heads))
    return len(G.loops()) == 0 and 2 * len(pairs) == len(G) * (len(G) - 1) == 2 * len(distinct(pairs))


@algorithm
@not_implemented_for("undirected")
@not_implemented_for("multigraph")
def score_sequence(G: Graph) -> list[int]:  # noqa: N803
    """The numbers of edges out of nodes, ascending."""
    return np.sort(G.degrees()).tolist()


def _tournament_alone(graph: Graph) -> None:
    if not is_tournament(graph):
        raise NotImplementedError("gridblas answers for tournaments")  # for other graphs NetworkX's answer is not about paths


@algorithm
@not_implemented_for("undirected")
@not_implemented_for("multigraph")
def tournament_is_strongly_connected(G: Graph) -> bool:  # noqa: N803
    """Whether any two nodes of a tournament reach each other."""
    _tournament_alone(G)
    return number_of_strong(G) <= 1


@only_if(lambda G, s, t: s in G and t in G)
@not_implemented_for("undirected")
@not_implemented_for("multigraph")
def is_reachable(G: Graph, s: Any, t: Any) -> bool:  # noqa: N803
    """Whether a node of a tournament reaches another."""
    _tournament_alone(G)
    return has_path(G, s, t)


@algorithm
@not_implemented_for("directed")
@not_implemented_for("multigraph")
def intersection_array(G: Graph) -> tuple[list[int], list[int]]:  # noqa: N803
    """For two nodes of each distance, how many neighbours of one are farther from the other, and how many nearer."""
    if not is_regular(G) or not is_connected(G):
        raise nx.NetworkXError("Graph is not distance regular.")
    n, most = len(G), 8 * math.log(len(G), 2) / 3  # NetworkX expects no larger distance
    farther, nearer = np.full(n, -1), np.full(n, -1)  # by distance; -1: not known
    for k in range(n):
        level = algorithms.bfs(G.pattern(), k, only="level").to_dense()[:n].astype(np.int64)
        step = level[G.heads] - level[G.tails]
        distance = level[k:]
        too_far = wrong = distance > most
        counts = np.bincount(3 * G.tails + 1 + step, minlength=3 * n).reshape(n, 3)[k:]  # of nearer neighbours, as near, and farther ones
        for known, edges in ((farther, counts[:, 2]), (nearer, counts[:, 0])):
            new = np.flatnonzero(known[distance] < 0)[::-1]
            known[distance[new]] = edges[new]  # of several values the last one is stored
            wrong = wrong | (known[distance] != edges)
        if wrong.any():
            raise nx.NetworkXError("Graph is not distance regular" + "." * bool(too_far[wrong.argmax()]))
    diameter = int((farther >= 0).sum()) - 1
    return farther[:diameter].tolist(), nearer[1 : diameter + 1].tolist()


@algorithm
def is_distance_regular(G: Graph) -> bool:  # noqa: N803
    """Whether these numbers depend on the distance alone."""
    for excluded, what in ((G.is_multigraph(), "multigraph"), (G.is_directed(), "directed")):
        if excluded:
            raise nx.NetworkXNotImplemented(f"not implemented for {what} type")
    try:
        intersection_array(G)
    except nx.NetworkXError:
        return False
    return True


@algorithm
@not_implemented_for("directed")
@not_implemented_for("multigraph")
def is_strongly_regular(G: Graph) -> bool:  # noqa: N803
    """... and no distance is above 2."""
    return is_distance_regular(G) and diameter(G) == 2


@only_if(lambda G, edge=None, weight="weight": edge is None)
def is_negatively_weighted(G: Graph, edge: Any = None, weight: Any = "weight") -> bool:  # noqa: N803
    """Whether a weight is below 0."""
    return bool((G.values(weight) < 0).any())


# ---- two graphs ----


@algorithm
def faster_could_be_isomorphic(G1: Graph, G2: Graph) -> bool:  # noqa: N803
    """Whether both have the same degrees."""
    return np.array_equal(*(np.sort(all_degrees(graph)) for graph in (G1, G2)))


@algorithm
def fast_could_be_isomorphic(G1: Graph, G2: Graph) -> bool:  # noqa: N803
    """Whether both have nodes of the same degrees in as many triangles."""
    if len(G1) != len(G2):
        return False
    counts = (np.array(list(triangles(graph).values())) for graph in (G1, G2))
    return np.array_equal(*(np.sort(all_degrees(graph) + 1j * count) for graph, count in zip((G1, G2), counts)))  # ascending pairs
