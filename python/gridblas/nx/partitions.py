"""Cuts between sets of nodes, their boundaries and expansions, the modularity of partitions, and partitions by it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for, py_random_state

from .. import algorithms, grid
from ..matrix import Matrix
from ..vector import Vector
from .components import groups
from .graph import Graph
from .interface import only_if
from .order import arcs_of, named_pairs

COLLECTIONS = (set, frozenset, list, tuple, range)


def is_set(graph: Any, nodes: Any) -> bool:
    """A collection of nodes, which is not a node itself."""
    if not isinstance(nodes, COLLECTIONS):
        return False
    try:
        return nodes not in graph
    except TypeError:
        return True


def _two_sets(G: Any, S: Any, T: Any = None, weight: Any = None) -> bool:  # noqa: N803
    return is_set(G, S) and (T is None or is_set(G, T))


def _given_sets(G: Any, S: Any, T: Any = None, weight: Any = None) -> bool:  # noqa: N803
    """Without T NetworkX takes the other nodes, in undirected graphs alone."""
    return _two_sets(G, S, T) and not (T is None and G.is_directed())


def _one_set(G: Any, S: Any, weight: Any = None) -> bool:  # noqa: N803
    return is_set(G, S)


def members(graph: Graph, nodes: Any) -> np.ndarray:
    """Whether each node is one of these."""
    member = np.zeros(len(graph), bool)
    member[graph.numbers(nodes)] = True
    return member


def _others(graph: Graph, nodes: Any) -> set[Any]:
    return set(graph) - set(nodes)


@only_if(_given_sets)
def cut_size(G: Graph, S: Any, T: Any = None, weight: Any = None) -> Any:  # noqa: N803
    """The sum of the edges between two sets of nodes, in a directed graph of both directions."""
    tail, head = G.pairs[:, 0], G.pairs[:, 1]
    s = members(G, S)
    t = members(G, T) if T is not None else ~s
    values = G.summable(weight)[G.listed]
    forward, backward = s[tail] & t[head], t[tail] & s[head]
    if not G.is_directed():
        return values[forward | backward].sum().item()
    # NetworkX looks for edges in either direction among those out of S, then among those out of T.
    return (values[forward | (backward & s[tail])].sum() + values[backward | (forward & t[tail])].sum()).item()


@only_if(_one_set)
def volume(G: Graph, S: Any, weight: Any = None) -> Any:  # noqa: N803
    """The sum of the degrees of some nodes; of outgoing edges in a directed graph."""
    values = G.summable(weight)[G.listed]
    degree = np.zeros(len(G), values.dtype)
    for column in (0,) if G.is_directed() else (0, 1):
        np.add.at(degree, G.pairs[:, column], values)
    return degree[G.numbers(S)].sum().item()


@only_if(_two_sets)
def normalized_cut_size(G: Graph, S: Any, T: Any = None, weight: Any = None) -> float:  # noqa: N803
    """The cut times the sum of the inverse volumes."""
    other = _others(G, S) if T is None else T
    return cut_size(G, S, other, weight) * (1 / volume(G, S, weight) + 1 / volume(G, other, weight))


@only_if(_two_sets)
def conductance(G: Graph, S: Any, T: Any = None, weight: Any = None) -> float:  # noqa: N803
    """The cut over the smaller volume."""
    other = _others(G, S) if T is None else T
    return cut_size(G, S, other, weight) / min(volume(G, S, weight), volume(G, other, weight))


@only_if(_two_sets)
def edge_expansion(G: Graph, S: Any, T: Any = None, weight: Any = None) -> float:  # noqa: N803
    """The cut over the number of nodes in the smaller set."""
    other = _others(G, S) if T is None else T
    return cut_size(G, S, other, weight) / min(len(S), len(other))


@only_if(_given_sets)
def mixing_expansion(G: Graph, S: Any, T: Any = None, weight: Any = None) -> float:  # noqa: N803
    """The cut over twice the number of edges."""
    return cut_size(G, S, T, weight) / (2 * G.number_of_edges())


def neighbors(graph: Graph, member: np.ndarray) -> np.ndarray:
    """The nodes that the members have an edge to."""
    found = np.zeros(len(graph), bool)
    for tail, head in ((0, 1),) if graph.is_directed() else ((0, 1), (1, 0)):
        found[graph.pairs[member[graph.pairs[:, tail]], head]] = True
    return found


@only_if(lambda G, S: is_set(G, S) and all(node in G for node in S))
def node_expansion(G: Graph, S: Any) -> float:  # noqa: N803
    """The number of neighbours over the number of nodes."""
    return int(neighbors(G, members(G, S)).sum()) / len(S)


@only_if(_one_set)
def boundary_expansion(G: Graph, S: Any) -> float:  # noqa: N803
    """The number of neighbours outside over the number of nodes."""
    return len(node_boundary(G, S)) / len(S)


@only_if(lambda G, nbunch1, nbunch2=None: _two_sets(G, nbunch1, nbunch2))
def node_boundary(G: Graph, nbunch1: Any, nbunch2: Any = None) -> set[Any]:  # noqa: N803
    """The neighbours of some nodes that are not among them, but among others."""
    member = members(G, nbunch1)
    found = neighbors(G, member) & ~member
    if nbunch2 is not None:
        found &= members(G, nbunch2)
    return {G.names[k] for k in np.flatnonzero(found).tolist()}


def _is_list(G: Any, communities: Any, weight: Any = None, resolution: Any = 1) -> bool:  # noqa: N803
    """NetworkX may ask again with the same argument, which an iterator has lost."""
    return isinstance(communities, (list, tuple)) and all(isinstance(c, COLLECTIONS) for c in communities)


@only_if(_is_list)
def is_partition(G: Graph, communities: Any) -> bool:  # noqa: N803
    """Whether every node is in one set, and the sets have nothing else."""
    try:
        nodes = set(G).intersection(chain.from_iterable(communities))
    except TypeError:  # some are no nodes of any graph
        return False
    return len(G) == len(nodes) == sum(len(c) for c in communities)


def _both_ends(graph: Graph, weight: Any) -> Matrix:
    """The weights of edges; a loop of an undirected graph counts for both its ends."""
    matrix = graph.weights(weight, "plus").dup("FP64")
    return matrix if graph.is_directed() else matrix.ewise_add(matrix.select("diag", 0).new(), "plus").new()


def modularity_of_sums(total: Any, inside: list[Any], out: list[Any], into: list[Any], directed: bool, resolution: Any) -> Any:
    """NetworkX's formula. total: of all degrees; of each community the weights inside, and the degrees in both directions."""
    norm = 1 / total**2
    edges = total if directed else total / 2
    return sum(x / edges - resolution * o * i * norm for x, o, i in zip(inside, out, into))


@only_if(_is_list)
def modularity(G: Graph, communities: Any, weight: Any = "weight", resolution: float = 1) -> float:  # noqa: N803
    """The modularity of a partition."""
    if not is_partition(G, communities):
        raise nx.community.quality.NotAPartition(G.original(), communities)
    values, label = G.summable(weight)[G.listed], _label(G, communities)

    def sums(at: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
        found = np.zeros(count, values.dtype)
        np.add.at(found, at, values)
        return found

    tails, heads = G.pairs[:, 0], G.pairs[:, 1]
    inside = label[tails] == label[heads]
    out, into = (sums(ends, values, len(G)) for ends in (tails, heads))
    if not G.is_directed():
        out = into = out + into
    of_communities = (
        sums(*given, len(communities)).tolist() for given in ((label[tails[inside]], values[inside]), (label, out), (label, into))
    )
    return modularity_of_sums(sum(out.tolist()), *of_communities, G.is_directed(), resolution)


def of_one_process(numbers: np.ndarray) -> np.ndarray:
    """The numbers of the process that has index 0: without a seed each process draws others."""
    index = np.arange(len(numbers) * len(grid.local_range(1)))
    return Vector.from_local(index, numbers[index], "INT64", size=len(numbers)).to_dense()


@only_if(lambda G, weight="weight", resolution=1, max_level=None, seed=None: max_level is None)
@not_implemented_for("directed")
@py_random_state("seed")
def leiden_communities(
    G: Graph,  # noqa: N803
    weight: Any = "weight",
    resolution: float = 1,
    max_level: Any = None,
    seed: Any = None,
) -> list[set[Any]]:
    """Communities of large modularity by Leiden's method, in the order of their first nodes."""

    def find(matrix: Matrix) -> Vector:
        drawn = of_one_process(np.array([seed.randrange(1 << 62)]))
        return algorithms.leiden(matrix, resolution, int(drawn[0]), only="community")

    return groups(G, find(_both_ends(G, weight)).to_dense()[: len(G)] if G.names else np.empty(0, np.int64))


# ---- edges within the sets of a partition, and between them ----


def _label(graph: Graph, partition: Any) -> np.ndarray:
    """The number of each node's set."""
    label = np.zeros(len(graph), np.int64)
    for k, part in enumerate(partition):
        label[graph.numbers(part)] = k
    return label


def _within(graph: Graph, partition: Any) -> int:
    label = _label(graph, partition)
    return int((label[graph.pairs[:, 0]] == label[graph.pairs[:, 1]]).sum())


def _is_partition(G: Any, partition: Any) -> bool:  # noqa: N803
    """A list of sets that have every node once."""
    return _is_list(G, partition) and is_partition(G, partition)


@only_if(_is_partition)
def intra_community_edges(G: Graph, partition: Any) -> int:  # noqa: N803
    """The number of edges within sets."""
    return _within(G, partition)


@only_if(lambda G, partition: not G.is_multigraph() and _is_partition(G, partition))
def inter_community_edges(G: Graph, partition: Any) -> int:  # noqa: N803
    """The number of edges between sets."""
    return G.number_of_edges() - _within(G, partition)


def _pairs_between(graph: Graph, partition: Any) -> int:
    """The pairs of nodes of two sets, in a directed graph in either order."""
    sizes = [len(part) for part in partition]
    return (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // (1 if graph.is_directed() else 2)


@only_if(lambda G, partition: not G.is_multigraph() and _is_partition(G, partition))
def inter_community_non_edges(G: Graph, partition: Any) -> int:  # noqa: N803
    """The number of pairs of nodes of two sets without an edge."""
    return _pairs_between(G, partition) - inter_community_edges(G, partition)


@only_if(_is_partition)
def partition_quality(G: Graph, partition: Any) -> tuple[float, float]:  # noqa: N803
    """The share of edges within sets; and of pairs of nodes that have an edge in a set, or none between sets."""
    edges, within = G.number_of_edges(), _within(G, partition)
    coverage = within / edges
    if G.is_multigraph():
        return coverage, -1.0
    pairs = len(G) * (len(G) - 1) // (1 if G.is_directed() else 2)
    return coverage, (2 * within + _pairs_between(G, partition) - edges) / pairs


def _edges_of(G: Any, nbunch1: Any, nbunch2: Any = None, data: Any = False, keys: Any = False, default: Any = None) -> bool:  # noqa: N803
    return _two_sets(G, nbunch1, nbunch2) and data is False and not G.is_multigraph()


@only_if(_edges_of)
def edge_boundary(G: Graph, nbunch1: Any, nbunch2: Any = None, data: Any = False, keys: Any = False, default: Any = None) -> Iterator[Any]:  # noqa: N803
    """The edges between two sets of nodes, or between one and the others."""
    order = np.array([G.index[node] for node in {n for n in nbunch1 if n in G}], np.int64)
    inside = members(G, nbunch1)
    arcs = arcs_of(G.begin, order)
    tails, heads = G.tails[arcs], G.heads[arcs]
    if nbunch2 is None:
        wanted = ~inside[heads]
    else:
        other = members(G, nbunch2)
        wanted = other[heads] | (inside[heads] & other[tails])
    if not G.is_directed():  # an edge within the first set once
        place = np.full(len(G), len(G))
        place[order] = np.arange(len(order))
        wanted &= place[heads] >= place[tails]
    return named_pairs(G, tails[wanted], heads[wanted])
