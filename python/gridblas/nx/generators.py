"""Graphs of a known form, without NetworkX's dictionaries."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import nodes_or_number
from networkx.utils.backends import _registered_algorithms

from .graph import Graph, from_networkx
from .interface import only_if
from .tables import KINDS, from_edges, known

Pairs = np.ndarray  # (number of edges, 2): places in a list of nodes


# ---- edges, in the order in which NetworkX adds them ----


def _path(n: int, first: int = 0) -> Pairs:
    at = np.arange(first, first + n)
    return np.stack((at[:-1], at[1:]), axis=1)


def _cycle(n: int, first: int = 0) -> Pairs:
    at = np.arange(n)
    return np.stack((at, (at + 1) % max(n, 1)), axis=1) + first


def _clique(n: int, first: int = 0, directed: bool = False) -> Pairs:
    if directed:
        return np.argwhere(~np.eye(n, dtype=bool)) + first
    return np.stack(np.triu_indices(n, 1), axis=1) + first


def _between(nodes: np.ndarray, others: np.ndarray) -> Pairs:
    return np.stack((np.repeat(nodes, len(others)), np.tile(others, len(nodes))), axis=1)


def _graph(nodes: Any, *pairs: Any, create_using: Any = None) -> Graph:
    """The graph of these nodes and edges; a node that is listed several times is one."""
    names = list(dict.fromkeys(nodes))
    edges = np.concatenate([np.empty((0, 2), np.int64), *(np.asarray(part, np.int64).reshape(-1, 2) for part in pairs)])
    if len(names) < len(nodes):
        number = {node: k for k, node in enumerate(names)}
        edges = np.array([number[node] for node in nodes], np.int64)[edges]
    return from_edges(names, edges[:, 0], edges[:, 1], {}, KINDS[create_using])


# ---- conditions ----


def _nodes(n: Any) -> bool:
    """A number, or nodes that can be listed again."""
    return isinstance(n, Integral) or (isinstance(n, (str, list, tuple, range)) and None not in n)


def _one(n: Any, create_using: Any = None) -> bool:
    return _nodes(n) and known(create_using)


def _two(m: Any, n: Any, create_using: Any = None) -> bool:
    return _nodes(m) and _nodes(n) and known(create_using)


def _undirected(create_using: Any, message: str = "Directed Graph not supported") -> None:
    if KINDS[create_using]:
        raise nx.NetworkXError(message)


def _both(m: Any, n: Any) -> tuple[list[Any], list[Any]]:
    """The nodes of both parts, as the decorator has made them: numbers go on from those of the first part."""
    (m, first), (n, second) = m, n
    if isinstance(m, Integral) and isinstance(n, Integral):
        second = list(range(len(first), len(first) + n))
    return list(first), list(second)


def _body_and_tail(m: Any, n: Any, create_using: Any) -> tuple[list[Any], list[Any]]:
    first, second = _both(m, n)
    if len(first) < 2:
        raise nx.NetworkXError("Invalid description: m should indicate at least 2 nodes")
    _undirected(create_using)
    return first, second


# ---- the graphs ----


@only_if(lambda n=0, create_using=None, default=nx.Graph: _one(n, default if create_using is None else create_using))
@nodes_or_number(0)
def empty_graph(n: Any = 0, create_using: Any = None, default: Any = nx.Graph) -> Graph:
    """Nodes alone."""
    return _graph(n[1], create_using=default if create_using is None else create_using)


@only_if(lambda create_using=None: known(create_using))
def null_graph(create_using: Any = None) -> Graph:
    """No nodes."""
    return _graph([], create_using=create_using)


@only_if(lambda create_using=None: known(create_using))
def trivial_graph(create_using: Any = None) -> Graph:
    """One node."""
    return _graph([0], create_using=create_using)


@only_if(_one)
@nodes_or_number(0)
def path_graph(n: Any, create_using: Any = None) -> Graph:
    """An edge from each node to the next."""
    return _graph(n[1], _path(len(n[1])), create_using=create_using)


@only_if(_one)
@nodes_or_number(0)
def cycle_graph(n: Any, create_using: Any = None) -> Graph:
    """... and from the last to the first."""
    return _graph(n[1], _cycle(len(n[1])), create_using=create_using)


@only_if(_one)
@nodes_or_number(0)
def complete_graph(n: Any, create_using: Any = None) -> Graph:
    """Edges between all nodes."""
    return _graph(n[1], _clique(len(n[1]), directed=KINDS[create_using]), create_using=create_using)


@only_if(_one)
@nodes_or_number(0)
def star_graph(n: Any, create_using: Any = None) -> Graph:
    """Edges from the first node to all others, n of them."""
    n, nodes = n
    nodes = [*nodes, int(n)] if isinstance(n, Integral) else nodes
    return _graph(nodes, _between(np.arange(min(len(nodes), 1)), np.arange(1, len(nodes))), create_using=create_using)


@only_if(_one)
@nodes_or_number(0)
def wheel_graph(n: Any, create_using: Any = None) -> Graph:
    """... and a cycle of the others."""
    _undirected(create_using)
    count = len(n[1])
    spokes = _between(np.arange(min(count, 1)), np.arange(1, count))
    return _graph(n[1], spokes, _cycle(count - 1, 1) if count > 2 else [], create_using=create_using)


@only_if(lambda n, create_using=None: isinstance(n, Integral) and known(create_using))
def ladder_graph(n: int, create_using: Any = None) -> Graph:
    """Two paths, and an edge from each node to that of the other."""
    if n < 0:
        raise nx.NetworkXError(f"Negative number of nodes not valid: {2 * n}")
    _undirected(create_using)
    return _graph(range(2 * n), *_ladder(n), create_using=create_using)


def _ladder(n: int) -> list[Pairs]:
    return [_path(n), _path(n, n), np.stack((np.arange(n), np.arange(n, 2 * n)), axis=1)]


@only_if(lambda n, create_using=None: isinstance(n, Integral) and n > 0 and known(create_using))
def circular_ladder_graph(n: int, create_using: Any = None) -> Graph:
    """... of two cycles."""
    _undirected(create_using)
    return _graph(range(2 * n), *_ladder(n), [(0, n - 1), (n, 2 * n - 1)], create_using=create_using)


@only_if(lambda m1, m2, create_using=None: isinstance(m1, Integral) and isinstance(m2, Integral) and known(create_using))
def barbell_graph(m1: int, m2: int, create_using: Any = None) -> Graph:
    """Two complete graphs of m1 nodes, joined by a path of m2."""
    if m1 < 2:
        raise nx.NetworkXError("Invalid graph description, m1 should be >=2")
    if m2 < 0:
        raise nx.NetworkXError("Invalid graph description, m2 should be >=0")
    _undirected(create_using)
    second = m1 + m2
    joints = [(m1 - 1, m1), (second - 1, second)] if m2 else [(m1 - 1, m1)]
    edges = np.concatenate((_clique(m1), _path(m2, m1), _clique(m1, second), joints))
    named = np.concatenate((np.arange(max(m1, second - 1)), edges.ravel()))  # nodes come in the order in which they are named
    nodes, first, place = np.unique(named, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(nodes), np.int64)
    rank[order] = np.arange(len(nodes))
    return _graph(nodes[order].tolist(), rank[place[-edges.size :]], create_using=create_using)


@only_if(_two)
@nodes_or_number([0, 1])
def lollipop_graph(m: Any, n: Any, create_using: Any = None) -> Graph:
    """A complete graph of m nodes, joined to a path of n."""
    first, second = _body_and_tail(m, n, create_using)
    count = len(first)
    if len({*first, *second}) != count + len(second):
        raise nx.NetworkXError("Nodes must be distinct in containers m and n")
    joint = [(count - 1, count)] if second else []
    return _graph([*first, *second], _clique(count), _path(len(second), count), joint, create_using=create_using)


@only_if(_two)
@nodes_or_number([0, 1])
def tadpole_graph(m: Any, n: Any, create_using: Any = None) -> Graph:
    """A cycle of m nodes, joined to a path of n."""
    first, second = _body_and_tail(m, n, create_using)
    return _graph([*first, *second], _cycle(len(first)), _path(len(second) + 1, len(first) - 1), create_using=create_using)


def _parts(sizes: Any, attribute: str) -> Graph:
    """Edges between all nodes of two parts; the part of each node is an attribute."""
    ends = np.cumsum([0, *sizes]).tolist()
    parts = [np.arange(begin, end) for begin, end in zip(ends, ends[1:])]
    edges = [_between(a, b) for k, a in enumerate(parts) for b in parts[k + 1 :]]
    made = _graph(range(ends[-1]), *edges)
    made.node_columns[attribute] = np.repeat(np.arange(len(parts)), [len(part) for part in parts]).tolist()
    return made


@only_if(lambda subset_sizes=(): all(isinstance(size, Integral) for size in subset_sizes))
def complete_multipartite_graph(*subset_sizes: int) -> Graph:
    """Parts of these sizes."""
    if any(size < 0 for size in subset_sizes):
        raise nx.NetworkXError(f"Negative number of nodes not valid: {subset_sizes}")
    return _parts(subset_sizes, "subset")


@only_if(lambda n, r: isinstance(n, Integral) and isinstance(r, Integral))
def turan_graph(n: int, r: int) -> Graph:
    """r parts of n nodes, of which none has two more than another."""
    if not 1 <= r <= n:
        raise nx.NetworkXError("Must satisfy 1 <= r <= n")
    return _parts([n // r] * (r - n % r) + [n // r + 1] * (n % r), "subset")


@only_if(lambda n1, n2, create_using=None: _two(n1, n2, create_using))
@nodes_or_number([0, 1])
def complete_bipartite_graph(n1: Any, n2: Any, create_using: Any = None) -> Graph:
    """Edges between all nodes of two parts."""
    _undirected(create_using)
    top, bottom = _both(n1, n2)
    count, total = len(top), len(top) + len(bottom)
    if len({*top, *bottom}) != total:
        raise nx.NetworkXError("Inputs n1 and n2 must contain distinct nodes")
    made = _graph([*top, *bottom], _between(np.arange(count), np.arange(count, total)), create_using=create_using)
    made.node_columns["bipartite"] = [0] * count + [1] * len(bottom)
    made.graph["name"] = f"complete_bipartite_graph({count}, {len(bottom)})"
    return made


@only_if(lambda l, k: isinstance(l, Integral) and isinstance(k, Integral) and l >= 0 and k >= 0)  # noqa: E741
def caveman_graph(l: int, k: int) -> Graph:  # noqa: E741
    """l complete graphs of k nodes."""
    one = _clique(k)
    return _graph(range(l * k), np.concatenate([one + k * part for part in range(l)] or [one[:0]]))


# ---- small graphs with names, whose edges are listed in NetworkX ----


def _offer_named(name: str, attributes: tuple[str, ...]) -> None:
    original: Callable[..., Any] = _registered_algorithms[name].orig_func

    def named(create_using: Any = None) -> Graph:
        graph = nx.freeze(original(create_using=create_using) if create_using is not None else original())
        made = from_networkx(graph, dict.fromkeys(attributes, 1))
        made._original = lambda: graph
        made.graph.update(graph.graph)
        made.node_columns = {key: [d[key] for d in graph.nodes.values()] for key in next(iter(graph.nodes.values()))}
        return made

    named.__name__ = named.__qualname__ = name
    named.__doc__ = (original.__doc__ or name).strip().split("\n")[0]
    only_if(lambda create_using=None: known(create_using))(named)


for _name in (
    "bull chvatal cubical desargues diamond dodecahedral florentine_families frucht heawood house house_x icosahedral krackhardt_kite "
    "moebius_kantor octahedral pappus petersen sedgewick_maze tetrahedral truncated_cube truncated_tetrahedron tutte "
    "davis_southern_women"
).split():
    _offer_named(f"{_name}_graph", ())
for _name in ("karate_club", "les_miserables"):
    _offer_named(f"{_name}_graph", ("weight",))
