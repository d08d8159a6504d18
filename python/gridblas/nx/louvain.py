"""Louvain's method in NetworkX's order: the communities that NetworkX finds with the same seed."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from .graph import Graph, bounds
from .interface import only_if
from .order import named
from .partitions import of_one_process
from .searches import address, functions, transposed


class _Level(NamedTuple):
    """The graph of a level: edges as NetworkX lists them, and its dictionaries of neighbours as arcs."""

    n: int
    tails: np.ndarray
    heads: np.ndarray
    weights: np.ndarray
    begin: np.ndarray  # of the arcs, which have no loops
    ends: np.ndarray
    values: np.ndarray
    degree: np.ndarray

    def numbers(self, values: np.ndarray) -> list[Any]:
        """Sums of weights as Python's numbers: those of whole ones are whole."""
        return values.astype(self.weights.dtype).tolist()


def _level(tails: np.ndarray, heads: np.ndarray, weights: np.ndarray, n: int) -> _Level:
    """The graph of n nodes that has these edges added in this order; the weights of parallel ones are added up."""
    arcs = np.stack((tails, heads), axis=1).ravel(), np.stack((heads, tails), axis=1).ravel(), np.repeat(weights, 2).astype(float)
    used = np.ones(len(arcs[0]), bool)
    used[1::2] = tails != heads  # a loop is one arc
    begin, ends, values = _merged(*(column[used] for column in arcs), n)
    from_ = np.repeat(np.arange(n), np.diff(begin))
    listed, loop = np.flatnonzero(ends >= from_), ends == from_
    loops = np.bincount(from_[loop], values[loop], n)
    if weights.dtype.kind == "i":  # in any order
        degree = np.bincount(from_, values, n) + loops
    else:  # as Python adds them up
        several, all_ = begin.tolist(), values.tolist()
        degree = np.array([sum(all_[b:e]) for b, e in zip(several, several[1:])], float) + loops
    apart = ~loop
    without = bounds(np.bincount(from_[apart], minlength=n))
    edges = from_[listed], ends[listed], values[listed].astype(weights.dtype)
    return _Level(n, *edges, without, ends[apart], values[apart], degree)


def _merged(tails: np.ndarray, heads: np.ndarray, values: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(begin, heads, values) of the arcs by their tails, each once, where it comes first."""
    one_row = np.array([0, *[len(tails)] * max(n, 1)])
    order = transposed(one_row, np.ascontiguousarray(tails))[2]  # a stable sort
    begin, heads, values, last = bounds(np.bincount(tails, minlength=n)), heads[order], values[order], np.full(n, -1)
    functions.merge_entries(ctypes.c_int64(n), *map(address, (begin, heads, values, last)))
    return begin, heads[: begin[-1]], values[: begin[-1]]


def _modularity(level: _Level, part: np.ndarray, resolution: Any) -> Any:
    """That of the parts of a level's nodes, by NetworkX's formula."""
    within = part[level.tails] == part[level.heads]
    parts = int(part.max()) + 1
    inside = level.numbers(np.bincount(part[level.tails[within]], level.weights[within], parts))
    degrees = level.numbers(np.bincount(part, level.degree, parts))
    total = sum(level.numbers(level.degree))
    norm = 1 / total**2
    return sum(x / (total / 2) - resolution * d * d * norm for x, d in zip(inside, degrees))


def _moved(level: _Level, total: float, resolution: Any, seed: Any) -> np.ndarray | None:
    """The part of each node, numbered from 0, after all have moved; None if none has."""
    n = level.n
    order = list(range(n))
    seed.shuffle(order)
    numbers = np.array([total, 2 * total**2, resolution], float)
    community = np.arange(n)
    arrays = level.begin, level.ends, level.values, level.degree, of_one_process(np.array(order)), numbers, community
    room = level.degree.copy(), np.empty(n), np.empty(n, np.int64), np.zeros(n, bool)
    if functions.move_nodes(ctypes.c_int64(n), *map(address, arrays + room)) == 0:
        return None
    used = np.zeros(n, bool)
    used[community] = True
    return (np.cumsum(used) - 1)[community]


def _undirected(
    G: Any, weight: Any = "weight", resolution: Any = 1, threshold: Any = 0.0000001, max_level: Any = None, seed: Any = None
) -> bool:  # noqa: N803
    """Python's whole numbers are exact, floating ones are not: a power of two is both."""
    exact = isinstance(resolution, float) or (type(resolution) is int and resolution & (resolution - 1) == 0)
    return exact and not G.is_directed() and (weight is None or isinstance(weight, str))


def _values(graph: Graph, weight: Any) -> np.ndarray:
    values = graph.edge_values(weight)
    if values.dtype.kind == "i" and np.abs(values.astype(float)).sum() >= 2.0**52:
        raise NotImplementedError("gridblas finds communities where the sum of whole weights is below 2**52")
    return values


@only_if(_undirected)
def louvain_partitions(
    G: Graph,  # noqa: N803
    weight: Any = "weight",
    resolution: Any = 1,
    threshold: Any = 0.0000001,
    seed: Any = None,
) -> Iterator[list[set[Any]]]:
    """The communities after each level."""
    values = _values(G, weight)
    return _partitions(G, values, resolution, threshold, seed)


def _partitions(graph: Graph, values: np.ndarray, resolution: Any, threshold: Any, seed: Any) -> Iterator[list[set[Any]]]:
    label = np.arange(len(graph))
    if len(values) == 0:
        yield [{node} for node in graph]
        return
    level = _level(*graph.pairs.T, values, len(graph))
    quality = _modularity(level, label, resolution)
    total = sum(level.numbers(level.degree)) / 2
    part = _moved(level, total, resolution, seed)
    part = label if part is None else part
    while part is not None:
        label = part[label]
        yield _sets(graph, label)
        before, quality = quality, _modularity(level, part, resolution)
        if quality - before <= threshold:
            return
        level = _level(part[level.tails], part[level.heads], level.weights, int(part.max()) + 1)
        part = _moved(level, total, resolution, seed)


def _sets(graph: Graph, label: np.ndarray) -> list[set[Any]]:
    """The nodes of each label."""
    nodes, ends = named(graph, np.argsort(label, kind="stable")), bounds(np.bincount(label)).tolist()
    return [set(nodes[b:e]) for b, e in zip(ends, ends[1:])]


@only_if(_undirected)
def louvain_communities(
    G: Graph,  # noqa: N803
    weight: Any = "weight",
    resolution: Any = 1,
    threshold: Any = 0.0000001,
    max_level: Any = None,
    seed: Any = None,
) -> list[set[Any]]:
    """The communities after the last level."""
    partitions = _partitions(G, _values(G, weight), resolution, threshold, seed)
    if max_level is not None:
        if max_level <= 0:
            raise ValueError("max_level argument must be a positive integer or None")
        partitions = islice(partitions, max_level)
    return deque(partitions, maxlen=1).pop()
