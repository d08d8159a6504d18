"""Arrays of NetworkX's dictionaries and of pairs of nodes, and dictionaries and lists of paths of arrays, by python/dictionaries.c and answers.c."""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any

import numpy as np
from networkx.algorithms.shortest_paths.generic import _build_paths_from_predecessors


def _open() -> Any:
    """The functions; None where they are not installed, or the interpreter is another than CPython: the caller reads in Python then."""
    if object.__basicsize__ != 2 * ctypes.sizeof(ctypes.c_void_p):  # an interpreter without the stable ABI
        return None
    try:
        functions = ctypes.PyDLL(os.path.join(os.path.dirname(__file__), "_dictionaries.so"))
    except OSError:
        return None
    integer, pointer, thing = ctypes.c_int64, ctypes.c_void_p, ctypes.py_object
    functions.count_arcs.restype = integer
    functions.count_arcs.argtypes = [thing, integer, pointer]
    functions.number_nodes.argtypes = [thing, integer, integer, pointer]
    functions.read_arcs.argtypes = [thing, pointer, integer, integer, ctypes.c_bool, pointer, thing, thing, pointer]
    functions.read_pairs.argtypes = [thing, pointer, integer, integer, pointer]
    functions.mirror_values.argtypes = [integer, pointer, pointer, pointer]
    functions.make_list.restype = functions.make_lists.restype = functions.make_triples.restype = thing
    functions.make_list.argtypes = [thing, integer, pointer]
    functions.make_lists.argtypes = [thing, integer, pointer, pointer]
    functions.make_edges.restype = thing
    functions.make_edges.argtypes = [thing, pointer, pointer, thing, pointer, integer, integer]
    functions.make_triples.argtypes = [thing, pointer, ctypes.c_bool, integer, integer]
    functions.make_paths.restype = thing
    functions.make_paths.argtypes = [thing, integer, pointer, ctypes.c_bool]
    functions.count_paths.argtypes = [pointer, integer, pointer]
    functions.make_all_paths.restype = thing
    functions.make_all_paths.argtypes = [pointer, integer, integer, pointer, pointer, pointer]
    functions.copy_attributes.argtypes = [thing, integer, pointer, thing]
    functions.make_adjacency.restype = thing
    functions.make_adjacency.argtypes = [thing, thing, integer, pointer, pointer, pointer]
    return functions


_functions = _open()


class _Numbering(ctypes.Structure):
    """The same as in C."""

    _fields_ = [("index", ctypes.c_void_p), ("table", ctypes.c_void_p), ("size", ctypes.c_int64)]


class Numbering:
    """The numbers of nodes: their positions in a list."""

    def __init__(self, names: list[Any]) -> None:
        self.names = names
        self.table = np.full(4 * len(names), -1)
        kind = -1 if _functions is None else _functions.number_nodes(names, len(names), len(self.table), self.table.ctypes.data)
        self._index: dict[Any, int] | None = None
        self.in_order = kind == 0 or names == list(range(len(names)))
        if kind == 1:
            self._numbering = _Numbering(None, self.table.ctypes.data, len(self.table))
        else:
            self._numbering = _Numbering(None if self.in_order else id(self.index), None, 0)

    @property
    def index(self) -> dict[Any, int]:
        """A dictionary of them, made at its first use."""
        if self._index is None:
            self._index = dict(zip(self.names, range(len(self.names))))
        return self._index

    def pointer(self) -> Any:
        """What the functions take."""
        return ctypes.addressof(self._numbering)


def read_arcs(
    adjacency: Any, numbering: Numbering, directed: bool, attribute: Any = None, default: Any = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None] | None:
    """Where each node's arcs begin, their heads, and an attribute of them. None: these are no plain dictionaries, of numbers of 64 bits."""
    n = len(numbering.names)
    if _functions is None or type(adjacency) is not dict:
        return None
    begin = np.zeros(n + 1, np.int64)
    arcs = _functions.count_arcs(adjacency, n, begin[1:].ctypes.data)
    if arcs < 0:
        return None
    np.cumsum(begin, out=begin)
    heads, values = np.empty(arcs, np.int64), np.zeros(0 if attribute is None else arcs, np.int64)
    place = None if attribute is None else values.ctypes.data
    kind = _functions.read_arcs(adjacency, numbering.pointer(), n, arcs, directed, heads.ctypes.data, attribute, default, place)
    if kind < 0:
        return None
    if attribute is None:
        return begin, heads, None
    if not directed and _functions.mirror_values(n, begin.ctypes.data, heads.ctypes.data, values.ctypes.data) < 0:
        raise MemoryError
    return begin, heads, values if kind == 0 else values.view(np.float64)


def read_pairs(pairs: list[Any], numbering: Numbering) -> np.ndarray | None:
    """A row of two numbers for each pair of nodes. None: some are no tuples of two nodes."""
    rows = np.empty((len(pairs), 2), np.int64)
    if _functions is None or _functions.read_pairs(pairs, numbering.pointer(), len(numbering.names), len(pairs), rows.ctypes.data) < 0:
        return None
    return rows


def make_list(items: list[Any], at: np.ndarray) -> list[Any]:
    """The items at these positions."""
    if _functions is None:
        return list(map(items.__getitem__, at.tolist()))
    at = np.ascontiguousarray(at, np.int64)
    return _functions.make_list(items, len(at), at.ctypes.data)


def make_lists(items: list[Any], begin: np.ndarray, at: np.ndarray) -> list[list[Any]]:
    """The items at the positions at[begin[k]:begin[k + 1]], for each k."""
    if _functions is None:
        items, ends = make_list(items, at), begin.tolist()
        return [items[b:e] for b, e in zip(ends, ends[1:])]
    begin, at = (np.ascontiguousarray(x, np.int64) for x in (begin, at))
    return _functions.make_lists(items, len(begin) - 1, begin.ctypes.data, at.ctypes.data)


BLOCK = 10000  # tuples or paths that are made at once


def _in_blocks(count: int, make: Callable[[int, int], list[Any]]) -> Iterator[Any]:
    """The items of make(0, BLOCK), make(BLOCK, 2 BLOCK), ...: a caller that takes one after another needs no memory for all."""

    def block(first: int) -> list[Any]:
        with without_collection():
            return make(first, min(first + BLOCK, count))

    return chain.from_iterable(map(block, range(0, count, BLOCK)))


def make_edges(
    names: list[Any], tails: np.ndarray, heads: np.ndarray, kinds: list[str] | None = None, at: np.ndarray | None = None
) -> Iterator[tuple[Any, ...]]:
    """The names of the ends of edges, and the kinds at these positions."""
    if _functions is None:
        return zip(make_list(names, tails), make_list(names, heads), *(() if at is None else (make_list(kinds or [], at),)))
    arrays = [np.ascontiguousarray(x, np.int64) for x in (tails, heads, *(() if at is None else (at,)))]

    def make(first: int, last: int) -> list[Any]:
        ends, (kind,) = [x.ctypes.data for x in arrays[:2]], [x.ctypes.data for x in arrays[2:]] or [None]
        return _functions.make_edges(names, *ends, kinds, kind, first, last)

    return _in_blocks(len(arrays[0]), make)


def make_triples(pairs: list[tuple[Any, Any]], values: np.ndarray) -> Iterator[tuple[Any, Any, Any]]:
    """Each pair with its value."""
    if _functions is None:
        return ((u, v, x) for (u, v), x in zip(pairs, values.tolist()))
    real = values.dtype.kind == "f"
    values = np.ascontiguousarray(values, np.float64 if real else np.int64)
    return _in_blocks(len(pairs), lambda first, last: _functions.make_triples(pairs, values.ctypes.data, real, first, last))


def make_paths(names: list[Any], before: np.ndarray, backwards: bool) -> list[list[Any]]:
    """The path to each of these nodes: that to the one at before[k] < k, and the node at its end (backwards: at its front); -1: the node alone."""
    if _functions is not None:
        return _functions.make_paths(names, len(names), before.ctypes.data, backwards)
    made: list[list[Any]] = []
    for name, at in zip(names, before.tolist()):
        path = made[at] if at >= 0 else ()
        made.append([name, *path] if backwards else [*path, name])
    return made


@contextmanager
def without_collection() -> Iterator[None]:
    """While many lists or dictionaries are made for a result: the collector would go through those of NetworkX's graph again and again.

    The result then belongs to the oldest generation, so that the next collections of young objects do not go through it.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if gc.get_freeze_count() == 0:  # none of the program's
                gc.freeze()
                gc.unfreeze()
            gc.enable()


class _Predecessors(ctypes.Structure):
    """The same as in C."""

    _fields_ = [("names", ctypes.c_void_p), ("begin", ctypes.c_void_p), ("before", ctypes.c_void_p)]


def make_all_paths(names: list[Any], begin: np.ndarray, before: np.ndarray) -> Iterator[list[list[Any]]]:
    """All shortest paths to each node from the first one: those before names[k] are at the positions before[begin[k]:begin[k + 1]]."""
    n = len(names)
    if _functions is None:
        dictionary = {name: [names[k] for k in before[b:e].tolist()] for name, b, e in zip(names, begin.tolist(), begin[1:].tolist())}
        yield from (list(_build_paths_from_predecessors({names[0]}, name, dictionary)) for name in names)
        return
    predecessors = _Predecessors(id(names), begin.ctypes.data, before.ctypes.data)
    paths, (stack, following), on_stack = np.empty(n), np.empty((2, n), np.int64), np.zeros(n, bool)
    _functions.count_paths(ctypes.addressof(predecessors), n, paths.ctypes.data)
    last, sums = 0, np.cumsum(paths)
    while last < n:
        first, last = last, max(last + 1, int(np.searchsorted(sums, sums[last] + BLOCK)))
        room = (array.ctypes.data for array in (stack, following, on_stack))
        with without_collection():
            made = _functions.make_all_paths(ctypes.addressof(predecessors), first, last, *room)
        yield from made


def copy_attributes(adjacency: Any, arcs: int, chosen: np.ndarray) -> list[Any] | None:
    """Copies of the attributes of some of NetworkX's arcs, by their positions. None: these are no plain dictionaries of so many arcs."""
    if _functions is None or type(adjacency) is not dict:
        return None
    at = np.full(arcs, -1)
    at[chosen] = np.arange(len(chosen))
    copies: list[Any] = [None] * len(chosen)
    with without_collection():
        return None if _functions.copy_attributes(adjacency, arcs, at.ctypes.data, copies) else copies


def make_adjacency(names: list[Any], data: list[Any], begin: np.ndarray, heads: np.ndarray, at: np.ndarray) -> dict[Any, dict[Any, Any]]:
    """NetworkX's dictionary of arcs: names[k] has those to names[heads[begin[k]:begin[k + 1]]], with the attributes data[at[...]]."""
    if _functions is None:
        rows = zip(make_list(names, heads), make_list(data, at))
        return {name: dict(islice(rows, count)) for name, count in zip(names, np.diff(begin).tolist())}
    begin, heads, at = (np.ascontiguousarray(x, np.int64) for x in (begin, heads, at))
    with without_collection():
        return _functions.make_adjacency(names, data, len(names), *(x.ctypes.data for x in (begin, heads, at)))
