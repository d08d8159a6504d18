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
from .partitions import modularity_of_sums, of_one_process
from .searches import address, functions, transposed


class _Level(NamedTuple):
    """The graph of a level: edges as NetworkX lists them, and its dictionaries of neighbours in both directions as arcs."""

    n: int
    directed: bool
    tails: np.ndarray
    heads: np.ndarray
    weights: np.ndarray
    begin: np.ndarray  # of the arcs, which have no loops
    ends: np.ndarray
    values: np.ndarray
    into: np.ndarray  # degrees; in an undirected graph both are the same
    out: np.ndarray

    def numbers(self, values: np.ndarray) -> list[Any]:
        """Sums of weights as Python's numbers: those of whole ones are whole."""
        return values.astype(self.weights.dtype).tolist()

    def total(self) -> Any:
        """The sum of all weights, as NetworkX adds them up."""
        return sum(self.numbers(self.out + self.into if self.directed else self.out)) / 2


class _Rows(NamedTuple):
    """Arcs by their tails; those of a node come in NetworkX's order."""

    begin: np.ndarray
    ends: np.ndarray
    values: np.ndarray

    def tails(self) -> np.ndarray:
        """The node of each arc."""
        return np.repeat(np.arange(len(self.begin) - 1), np.diff(self.begin))

    def sums(self, whole: bool) -> np.ndarray:
        """The sum of each node's values."""
        if whole:  # in any order
            return np.bincount(self.tails(), self.values, len(self.begin) - 1)
        begin, values = self.begin.tolist(), self.values.tolist()  # as Python adds them up
        return np.array([sum(values[b:e]) for b, e in zip(begin, begin[1:])], float)


def _level(tails: np.ndarray, heads: np.ndarray, weights: np.ndarray, n: int, directed: bool) -> _Level:
    """The graph of n nodes that has these edges added in this order; the weights of parallel ones are added up."""
    whole, values = weights.dtype.kind == "i", weights.astype(float)
    if directed:
        rows, back = _merged(tails, heads, values, n), _merged(heads, tails, values, n)
        out, into = rows.sums(whole), back.sums(whole)
        both = [np.concatenate(columns) for columns in zip((rows.tails(), rows.ends, rows.values), (back.tails(), back.ends, back.values))]
        listed, from_ = slice(None), rows.tails()
    else:
        rows = merged_arcs(tails, heads, values, n)
        from_ = rows.tails()
        loop = rows.ends == from_
        out = into = rows.sums(whole) + np.bincount(from_[loop], rows.values[loop], n)
        both, listed = [from_, rows.ends, rows.values], np.flatnonzero(rows.ends >= from_)
    edges = from_[listed], rows.ends[listed], rows.values[listed].astype(weights.dtype)
    apart = both[0] != both[1]
    return _Level(n, directed, *edges, *_merged(*(column[apart] for column in both), n), into, out)


def merged_arcs(tails: np.ndarray, heads: np.ndarray, values: np.ndarray, n: int) -> _Rows:
    """The arcs of undirected edges, a loop's once."""
    both = [np.stack((tails, heads), axis=1).ravel(), np.stack((heads, tails), axis=1).ravel(), np.repeat(values, 2)]
    once = np.ones(len(both[0]), bool)
    once[1::2] = tails != heads
    return _merged(*(column[once] for column in both), n)


def _merged(tails: np.ndarray, heads: np.ndarray, values: np.ndarray, n: int) -> _Rows:
    """The arcs by their tails, each once, where it comes first."""
    one_row = np.array([0, *[len(tails)] * max(n, 1)])
    order = transposed(one_row, np.ascontiguousarray(tails))[2]  # a stable sort
    begin, heads, values, last = bounds(np.bincount(tails, minlength=n)), heads[order], values[order], np.full(n, -1)
    functions.merge_entries(ctypes.c_int64(n), *map(address, (begin, heads, values, last)))
    return _Rows(begin, heads[: begin[-1]], values[: begin[-1]])


def _modularity(level: _Level, part: np.ndarray, resolution: Any) -> Any:
    """That of the parts of a level's nodes, by NetworkX's formula."""
    within = part[level.tails] == part[level.heads]
    parts = int(part.max()) + 1
    inside = level.numbers(np.bincount(part[level.tails[within]], level.weights[within], parts))
    out, into = (level.numbers(np.bincount(part, degrees, parts)) for degrees in (level.out, level.into))
    return modularity_of_sums(sum(level.numbers(level.out)), inside, out, into, level.directed, resolution)


def _moved(level: _Level, total: float, resolution: Any, seed: Any) -> np.ndarray | None:
    """The part of each node, numbered from 0, after all have moved; None if none has."""
    n = level.n
    order = list(range(n))
    seed.shuffle(order)
    numbers = np.array([total, total**2 if level.directed else 2 * total**2, resolution], float)
    community = np.arange(n)
    arcs = map(address, (level.begin, level.ends, level.values))
    arrays = level.into, level.out, of_one_process(np.array(order)), numbers, community
    room = level.into.copy(), level.out.copy(), np.empty(n), np.empty(n, np.int64), np.zeros(n, bool), np.empty(n, np.int64), np.empty(n), np.empty(n)
    if functions.move_nodes(ctypes.c_int64(n), *arcs, ctypes.c_bool(level.directed), *map(address, arrays + room)) == 0:
        return None
    used = np.zeros(n, bool)
    used[community] = True
    return (np.cumsum(used) - 1)[community]


def _exact(
    G: Any, weight: Any = "weight", resolution: Any = 1, threshold: Any = 0.0000001, max_level: Any = None, seed: Any = None
) -> bool:  # noqa: N803
    """Python's whole numbers are exact, floating ones are not: a power of two is both."""
    exact = isinstance(resolution, float) or (type(resolution) is int and resolution & (resolution - 1) == 0)
    return exact and (weight is None or isinstance(weight, str))


def _values(graph: Graph, weight: Any) -> np.ndarray:
    values = graph.edge_values(weight)
    bits = 26 if graph.is_directed() else 52  # NetworkX adds up two products of sums where edges have a direction
    if values.dtype.kind == "i" and np.abs(values.astype(float)).sum() >= 2.0**bits:
        raise NotImplementedError(f"gridblas finds communities where the sum of whole weights is below 2**{bits}")
    return values


@only_if(_exact)
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
    level = _level(*graph.pairs.T, values, len(graph), graph.is_directed())
    quality = _modularity(level, label, resolution)
    total = level.total()
    part = _moved(level, total, resolution, seed)
    part = label if part is None else part
    while part is not None:
        label = part[label]
        yield _sets(graph, label)
        before, quality = quality, _modularity(level, part, resolution)
        if quality - before <= threshold:
            return
        level = _level(part[level.tails], part[level.heads], level.weights, int(part.max()) + 1, level.directed)
        part = _moved(level, total, resolution, seed)


def _sets(graph: Graph, label: np.ndarray) -> list[set[Any]]:
    """The nodes of each label."""
    nodes, ends = named(graph, np.argsort(label, kind="stable")), bounds(np.bincount(label)).tolist()
    return [set(nodes[b:e]) for b, e in zip(ends, ends[1:])]


@only_if(_exact)
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
