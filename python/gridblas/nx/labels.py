"""Communities by labels that spread, and by merging."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from math import floor
from typing import Any

import numpy as np
from networkx.utils import not_implemented_for

from .graph import Graph, bounds
from .greedy import colors
from .interface import algorithm, only_if
from .louvain import merged_arcs
from .order import named
from .partitions import of_one_process
from .searches import address, functions, transposed


def _groups(graph: Graph, label: np.ndarray) -> dict[int, set[Any]]:
    """The nodes of each label; labels in the order of their first nodes."""
    first = np.full(len(graph), len(graph))
    np.minimum.at(first, label, np.arange(len(graph)))
    order = np.argsort(first[label], kind="stable")
    nodes, of = named(graph, order), label[order]
    begin = [*np.flatnonzero(np.diff(of, prepend=-1)).tolist(), len(of)]
    return {k: set(nodes[b:e]) for k, b, e in zip(of[begin[:-1]].tolist(), begin, begin[1:])}


def _room(graph: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights of labels, the labels next to a node, and that of each node."""
    n = len(graph)
    return np.zeros(n), np.empty(n, np.int64), np.arange(n)


@algorithm
@not_implemented_for("directed")
def label_propagation_communities(G: Graph) -> Any:  # noqa: N803
    """Labels spread from neighbours to nodes of one colour after another."""
    order = np.argsort(colors(G)[1], kind="stable")
    room = _room(G)
    functions.spread_labels(ctypes.c_int64(len(G)), *map(address, (G.begin, G.heads, order, *room)))
    return _groups(G, room[-1]).values()


@only_if(lambda G, weight=None, seed=None: weight is None or isinstance(weight, str))
def asyn_lpa_communities(G: Graph, weight: Any = None, seed: Any = None) -> Iterator[set[Any]]:  # noqa: N803
    """Labels spread from neighbours to nodes in a random order."""
    weights = None if weight is None else G.summable(weight).astype(float)
    if weights is not None and not ((weights > 0) & (weights < np.inf)).all():
        raise NotImplementedError("gridblas spreads labels along edges whose weights are above 0")
    return _spread(G, weights, seed)  # a generator: NetworkX would not see the exception


def _spread(graph: Graph, weights: np.ndarray | None, seed: Any) -> Iterator[set[Any]]:
    """The communities once labels spread no more; nothing is drawn before the first is asked for."""
    n, room = len(graph), _room(graph)
    choose = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(lambda count: seed.choice(range(count)))
    arcs = address(graph.begin), address(graph.heads), None if weights is None else address(weights)
    changed = True
    while changed:
        order = list(range(n))
        seed.shuffle(order)
        place = np.array(order, np.int64)
        changed = functions.spread_labels_once(ctypes.c_int64(n), *arcs, address(place), choose, *map(address, room))
    yield from _groups(graph, of_one_process(room[-1])).values()


# ---- merging ----


def _comparable(G: Any, weight: Any = None, resolution: Any = 1, cutoff: Any = 1, best_n: Any = None) -> bool:  # noqa: N803
    """NetworkX compares the names of nodes where gains are equal."""
    kinds = set(map(type, G))
    return kinds in (set(), {int}, {str}) and (weight is None or (isinstance(weight, str) and not G.is_directed()))


def _degrees(graph: Graph, weight: Any, outward: bool) -> list[Any]:
    """Those of NetworkX, which adds up weights in the order of neighbours."""
    if weight is None:
        return graph.degrees(outward).tolist()
    values, loop = graph.summable(weight), graph.heads == graph.tails
    arcs, begin = values.tolist(), graph.begin.tolist()
    loops = np.bincount(graph.tails[loop], values[loop], len(graph)).astype(values.dtype).tolist()
    return [sum(arcs[b:e]) + more for b, e, more in zip(begin, begin[1:], loops)]


def _merges(graph: Graph, weight: Any, resolution: Any, cutoff: Any, best_n: Any) -> tuple[np.ndarray, bool]:
    """The node that each community is named by at the end, and whether no two of them have an edge."""
    directed, n = graph.is_directed(), len(graph)
    out = _degrees(graph, weight, True)
    q0 = 1 / (len(graph.listed) if weight is None else sum(out) / 2)
    fractions = np.array([degree * q0 * (1 if directed else 0.5) for degree in out])
    into = np.array([degree * q0 for degree in _degrees(graph, weight, False)]) if directed else fractions
    rank = np.empty(n, np.int64)  # nodes are compared by their names
    rank[sorted(range(n), key=graph.names.__getitem__)] = np.arange(n)
    fractions[rank], into[rank] = fractions.copy(), into.copy()
    ends, values = rank[graph.pairs], graph.edge_values(weight).astype(float)
    apart = ends[:, 0] != ends[:, 1]
    begin, heads, weights = merged_arcs(*ends[apart].T, values[apart], n)
    begin, heads, arcs = transposed(begin, heads)
    tails = np.repeat(np.arange(n), np.diff(begin))
    with np.errstate(all="ignore"):
        gains = q0 * weights[arcs] - resolution * (fractions[tails] * into[heads] + into[tails] * fractions[heads])
    if not np.isfinite(gains).all():
        raise NotImplementedError("gridblas merges communities whose gains of modularity are finite")
    made = np.full(n, -1)
    numbers = ctypes.c_bool(directed), ctypes.c_double(resolution), address(fractions), address(into)
    limits = map(ctypes.c_int64, map(floor, (cutoff, best_n)))
    count = functions.merge_communities(ctypes.c_int64(n), *map(address, (begin, heads, gains)), *numbers, *limits, address(made))
    if count == 0:
        raise MemoryError
    label = np.where(made < 0, np.arange(n), made)
    while not np.array_equal(label, label[label]):
        label = label[label]
    node = np.argsort(rank)
    return node[label[rank]], count < 0


@only_if(_comparable)
def greedy_modularity_communities(
    G: Graph,  # noqa: N803
    weight: Any = None,
    resolution: Any = 1,
    cutoff: Any = 1,
    best_n: Any = None,
) -> list[Any]:
    """Communities that merge in pairs, while modularity grows."""
    n = len(G)
    if not len(G.listed):
        return [{node} for node in G]
    if cutoff < 1 or cutoff > n:
        raise ValueError(f"cutoff must be between 1 and {n}. Got {cutoff}.")
    if best_n is not None:
        if best_n < 1 or best_n > n:
            raise ValueError(f"best_n must be between 1 and {n}. Got {best_n}.")
        if best_n < cutoff:
            raise ValueError(f"Must have best_n >= cutoff. Got {best_n} < {cutoff}")
        if best_n == 1:
            return [set(G)]
    most = n if best_n is None else best_n
    label, apart = _merges(G, weight, resolution, cutoff, most)
    order = np.argsort(label, kind="stable")
    nodes, begin = named(G, order), bounds(np.bincount(label, minlength=n)).tolist()
    sets = sorted((frozenset(nodes[b:e]) for b, e in zip(begin, begin[1:]) if b < e), key=len, reverse=True)
    while apart and len(sets) > most:
        sets[:2] = [sets[0] | sets[1]]
    return sets
