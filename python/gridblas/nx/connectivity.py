"""Connectivity of nodes and edges, and the smallest cuts, by flows in networks whose arcs have the capacity 1."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from itertools import chain, combinations, permutations
from typing import Any

import networkx as nx
import numpy as np

from .components import is_connected, is_weakly_connected
from .cores import all_degrees
from .graph import Graph, bounds
from .interface import of_all_pairs, only_if
from .order import named
from .searches import address, functions, transposed


class _Members(ctypes.Structure):
    """The network of connectivity.c."""

    _fields_ = [(name, ctypes.c_int64) for name in ("n", "arcs", "searches")] + [
        (name, ctypes.c_void_p) for name in ("begin", "heads", "tails", "into", "incoming", "room", "flow")
    ]


class _Network:
    """The arcs of a graph, each once; or, with its nodes divided, those from node 2 u + 1 to 2 v, and from 2 v to 2 v + 1.

    Paths of the divided network that share no arc are those of the graph that share no node.
    """

    def __init__(self, graph: Graph, divided: bool) -> None:
        once = np.ones(len(graph.heads), bool)
        once[1:] = (np.diff(graph.heads) != 0) | (np.diff(graph.tails) != 0)  # parallel ones follow one another
        tails, heads = graph.tails[once], graph.heads[once]
        n, begin = len(graph), bounds(np.bincount(tails, minlength=len(graph)))
        if divided:
            heads = np.insert(2 * heads, begin[:-1], 2 * np.arange(n) + 1)
            begin = np.stack((begin, begin + 1), axis=1).ravel()[:-1] + np.repeat(np.arange(n + 1), 2)[:-1]
            n *= 2
        self.divided = divided
        self.begin, self.heads = np.ascontiguousarray(begin, np.int64), np.ascontiguousarray(heads, np.int64)
        self.tails = np.repeat(np.arange(n), np.diff(begin))
        into, _, incoming = transposed(self.begin, self.heads)
        self.arrays = self.begin, self.heads, self.tails, into, incoming, np.zeros(7 * n, np.int64), np.zeros(len(heads), bool)
        self.members = _Members(n, len(heads), 0, *(address(array).value for array in self.arrays))

    def ends(self, pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
        """The sources and sinks for pairs of nodes (numbers) of the graph."""
        s, t = np.array(pairs, np.int64).reshape(-1, 2).T
        return np.ascontiguousarray(2 * s + 1 if self.divided else s), np.ascontiguousarray(2 * t if self.divided else t)

    def paths(self, pairs: list[tuple[int, int]]) -> list[int]:
        """For each pair of nodes the most paths that share no edge, or no node."""
        found, ends = np.empty(len(pairs), np.int64), self.ends(pairs)
        functions.count_paths(ctypes.byref(self.members), ctypes.c_int64(len(pairs)), *map(address, ends), address(found))
        return found.tolist()

    def least(self, pairs: list[tuple[int, int]], most: int, of_nodes: bool = False) -> tuple[int, int, np.ndarray]:
        """The size of the smallest cut between two nodes of a pair, if it is not larger than `most`; the last such pair, or -1; and the arcs of its cut."""
        beyond, which = np.zeros(len(self.begin) - 1, bool), np.full(1, -1)
        ends = self.ends(pairs)
        options = ctypes.c_bool(of_nodes), ctypes.c_int64(most)
        count = ctypes.c_int64(len(pairs))
        size = functions.smallest_cut(ctypes.byref(self.members), count, *map(address, ends), *options, address(beyond), address(which))
        return size, int(which[0]), np.flatnonzero(~beyond[self.tails] & beyond[self.heads])


def _network(graph: Graph, divided: bool) -> _Network:
    return graph._once(("network", divided), lambda: _Network(graph, divided))


# ---- of two nodes ----


def _two_nodes(graph: Graph, s: Any, t: Any) -> bool:
    """Whether two nodes are given, which are in the graph."""
    if (s is None) != (t is None):
        raise nx.NetworkXError("Both source and target must be specified.")
    if s is None:
        return False
    _check(graph, s, t)
    return True


def _check(graph: Graph, s: Any, t: Any) -> None:
    for node in (s, t):
        if node not in graph:
            raise nx.NetworkXError(f"node {node} not in graph")


def _apart(graph: Graph, s: Any, t: Any) -> tuple[int, int]:
    """The numbers of two nodes."""
    _check(graph, s, t)
    if graph.index[s] == graph.index[t]:
        raise nx.NetworkXError("source and sink are the same node")
    return graph.index[s], graph.index[t]


def _until(paths: int, cutoff: int | None) -> int:
    return paths if cutoff is None else min(paths, max(cutoff, 0))


def _plain(G: Any, s: Any, t: Any, flow_func: Any = None, auxiliary: Any = None, residual: Any = None, cutoff: Any = None) -> bool:  # noqa: N803
    return flow_func is None and auxiliary is None and residual is None and (cutoff is None or type(cutoff) is int)


def _default(G: Any, s: Any = None, t: Any = None, flow_func: Any = None, cutoff: Any = None) -> bool:  # noqa: N803
    return flow_func is None and (cutoff is None or type(cutoff) is int)


@only_if(_plain)
def local_edge_connectivity(
    G: Graph,  # noqa: N803
    s: Any,
    t: Any,
    flow_func: Any = None,
    auxiliary: Any = None,
    residual: Any = None,
    cutoff: Any = None,
) -> int:
    """The most paths from a node to another that share no edge."""
    return _until(_network(G, False).paths([_apart(G, s, t)])[0], cutoff)


@only_if(_plain)
def local_node_connectivity(
    G: Graph,  # noqa: N803
    s: Any,
    t: Any,
    flow_func: Any = None,
    auxiliary: Any = None,
    residual: Any = None,
    cutoff: Any = None,
) -> int:
    """The most paths from a node to another that share no other node."""
    return _until(_network(G, True).paths([(G.index[s], G.index[t])])[0], cutoff)


def _edges(graph: Graph, arcs: np.ndarray) -> set[tuple[Any, Any]]:
    network = _network(graph, False)
    return set(zip(named(graph, network.tails[arcs]), named(graph, network.heads[arcs])))


def _nodes(graph: Graph, arcs: np.ndarray, pair: tuple[int, int]) -> set[Any]:
    """The nodes at the ends of a cut's arcs."""
    network = _network(graph, True)
    ends = np.unique(np.concatenate((network.tails[arcs], network.heads[arcs])) // 2)
    return set(named(graph, ends)) - {graph.names[k] for k in pair}


@only_if(_plain)
def minimum_st_edge_cut(G: Graph, s: Any, t: Any, flow_func: Any = None, auxiliary: Any = None, residual: Any = None) -> set[Any]:  # noqa: N803
    """The edges of the smallest cut between two nodes, that of fewest nodes on the side of t."""
    return _edges(G, _network(G, False).least([_apart(G, s, t)], len(G.heads))[2])


@only_if(_plain)
def minimum_st_node_cut(G: Graph, s: Any, t: Any, flow_func: Any = None, auxiliary: Any = None, residual: Any = None) -> set[Any]:  # noqa: N803
    """The nodes of a cut between two nodes; none where these have an edge."""
    if s in G and t in G and (G.adjacent(s, t) or G.adjacent(t, s)):
        return set()
    pair = G.index[s], G.index[t]
    return _nodes(G, _network(G, True).least([pair], len(G), of_nodes=False)[2], pair)


# ---- of the graph ----


def _is_connected(graph: Graph) -> bool:
    return is_weakly_connected(graph) if graph.is_directed() else is_connected(graph)


def _needs_connection(graph: Graph) -> None:
    if not _is_connected(graph):
        raise nx.NetworkXError("Input graph is not connected")


def _rows(graph: Graph) -> Any:
    """A function to the names of a node's neighbours, each once."""
    network = _network(graph, False)
    return lambda k: named(graph, network.heads[network.begin[k] : network.begin[k + 1]])


def _covering(graph: Graph) -> tuple[Any, set[Any]]:
    """A node of NetworkX's first dominating set that has others, and these: the sets are made in its order, on which their choices depend."""
    neighbors = _rows(graph)
    for node in graph:
        chosen, remaining = {node}, set(graph) - set(neighbors(graph.index[node])) - {node}
        while remaining:
            v = remaining.pop()
            remaining -= set(neighbors(graph.index[v])) - chosen
            chosen.add(v)
        first = chosen.pop()
        if chosen:
            return first, chosen
    return None, set()


def _pairs_of_edges(graph: Graph) -> list[tuple[int, int]]:
    """The pairs between which a smallest cut is looked for."""
    n = len(graph)
    if graph.is_directed():
        if n == 1:
            raise nx.NetworkXError("source and sink are the same node")
        return [(k, (k + 1) % n) for k in range(n)]
    first, others = _covering(graph)
    return [(graph.index[first], graph.index[node]) for node in others]


@only_if(_default)
def edge_connectivity(G: Graph, s: Any = None, t: Any = None, flow_func: Any = None, cutoff: Any = None) -> int:  # noqa: N803
    """The fewest edges without which the graph, or the way from s to t, is interrupted."""
    if _two_nodes(G, s, t):
        return local_edge_connectivity(G, s, t, cutoff=cutoff)
    if not _is_connected(G):
        return 0
    least = int(all_degrees(G).min())
    return _network(G, False).least(_pairs_of_edges(G), least if cutoff is None else min(cutoff, least))[0]


@only_if(_default)
def minimum_edge_cut(G: Graph, s: Any = None, t: Any = None, flow_func: Any = None) -> set[Any]:  # noqa: N803
    """... and these edges."""
    if _two_nodes(G, s, t):
        return minimum_st_edge_cut(G, s, t)
    _needs_connection(G)
    node = int(all_degrees(G).argmin())
    edges = {(G.names[node], other) for other in _rows(G)(node)}
    _, which, arcs = _network(G, False).least(_pairs_of_edges(G), len(edges))
    return edges if which < 0 else _edges(G, arcs)


def _pairs_of_nodes(graph: Graph, v: int) -> Iterator[tuple[Any, Any]]:
    """A node and those that are no neighbours of it, then its neighbours two by two."""
    near = _rows(graph)(v)
    if graph.is_directed():
        begin, before = graph.backwards()
        near = [*dict.fromkeys(named(graph, np.ascontiguousarray(before[begin[v] : begin[v + 1]]))), *near]
    others = set(graph) - set(near) - {graph.names[v]}
    pairs = (permutations if graph.is_directed() else combinations)(near, 2)
    return chain(((graph.names[v], node) for node in others), (pair for pair in pairs if not graph.adjacent(*pair)))


def _numbers(graph: Graph, pairs: Any) -> list[tuple[int, int]]:
    return [(graph.index[u], graph.index[v]) for u, v in pairs]


@only_if(_default)
def node_connectivity(G: Graph, s: Any = None, t: Any = None, flow_func: Any = None) -> int:  # noqa: N803
    """The fewest nodes without which the graph, or the way from s to t, is interrupted."""
    if _two_nodes(G, s, t):
        return local_node_connectivity(G, s, t)
    if not _is_connected(G):
        return 0
    degrees = all_degrees(G)
    v = int(degrees.argmin())
    return _network(G, True).least(_numbers(G, _pairs_of_nodes(G, v)), int(degrees[v]))[0]


@only_if(_default)
def minimum_node_cut(G: Graph, s: Any = None, t: Any = None, flow_func: Any = None) -> set[Any]:  # noqa: N803
    """... and these nodes; as NetworkX finds them, none where a node's neighbours have an edge in one direction."""
    if _two_nodes(G, s, t):
        return minimum_st_node_cut(G, s, t)
    _needs_connection(G)
    v = int(all_degrees(G).argmin())
    pairs, nodes = list(_pairs_of_nodes(G, v)), set(_rows(G)(v))
    if any(G.adjacent(t, s) for s, t in pairs):
        return set()
    numbers = _numbers(G, pairs)
    _, which, arcs = _network(G, True).least(numbers, len(nodes), of_nodes=True)
    return nodes if which < 0 else _nodes(G, arcs, numbers[which])


def _of_pairs(graph: Graph, nodes: list[int]) -> Iterator[tuple[int, list[int]]]:
    """A node's place among some nodes, and the connectivity with each of the later ones; in a directed graph with all others."""
    network = _network(graph, True)
    for k, u in enumerate(nodes):
        others = nodes[:k] + nodes[k + 1 :] if graph.is_directed() else nodes[k + 1 :]
        yield k, network.paths([(u, v) for v in others])


@only_if(lambda G, flow_func=None: flow_func is None)
def average_node_connectivity(G: Graph, flow_func: Any = None) -> float:  # noqa: N803
    """The mean connectivity of two nodes."""
    n = len(G)
    pairs = n * (n - 1) // (1 if G.is_directed() else 2)
    return sum(sum(paths) for _, paths in _of_pairs(G, list(range(n)))) / pairs if pairs else 0


@only_if(lambda G, nbunch=None, flow_func=None: flow_func is None)
def all_pairs_node_connectivity(G: Graph, nbunch: Any = None, flow_func: Any = None) -> dict[Any, dict[Any, int]]:  # noqa: N803
    """The connectivity of every two nodes."""
    names = G.names if nbunch is None else list(set(nbunch))
    if len(names) < 2:
        return {name: {} for name in names}
    found = np.zeros((len(names), len(names)), np.int64)
    for k, paths in _of_pairs(G, [G.index[name] for name in names]):
        if G.is_directed():
            found[k, :k], found[k, k + 1 :] = paths[:k], paths[k:]
        else:
            found[k, k + 1 :] = found[k + 1 :, k] = paths
    rows = {name: dict(zip(names, row)) for name, row in zip(names, found.tolist())}
    for name in names:
        del rows[name][name]
    return rows


of_all_pairs |= {
    "all_pairs_node_connectivity",
    "average_node_connectivity",
    "edge_connectivity",
    "minimum_edge_cut",
    "minimum_node_cut",
    "node_connectivity",
}
