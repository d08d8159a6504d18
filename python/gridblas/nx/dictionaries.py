"""Arrays of NetworkX's dictionaries of neighbours and attributes and of pairs of nodes, and lists of paths, by the functions of python/dictionaries.c."""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np


def _open() -> Any:
    """The functions; None where they are not installed, or the interpreter is another than CPython: the caller reads in Python then."""
    try:
        functions = ctypes.PyDLL(os.path.join(os.path.dirname(__file__), "_dictionaries.so"))
    except OSError:
        return None
    integer, pointer, thing = ctypes.c_int64, ctypes.c_void_p, ctypes.py_object
    functions.count_arcs.restype = integer
    functions.count_arcs.argtypes = [thing, integer, pointer]
    functions.read_arcs.argtypes = [thing, pointer, integer, integer, ctypes.c_bool, pointer, thing, thing, pointer]
    functions.read_pairs.argtypes = [thing, pointer, integer, integer, pointer]
    functions.mirror_values.argtypes = [integer, pointer, pointer, pointer]
    functions.make_paths.restype = thing
    functions.make_paths.argtypes = [thing, integer, pointer, ctypes.c_bool]
    return functions


_functions = _open()


def _numbers_of(names: list[Any], index: dict[Any, int]) -> int | None:
    """The address of the nodes' numbers, None where each node is its number."""
    return None if names == list(range(len(names))) else id(index)


def read_arcs(
    adjacency: Any, names: list[Any], index: dict[Any, int], directed: bool, attribute: Any = None, default: Any = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None] | None:
    """Where each node's arcs begin, their heads, and an attribute of them. None: these are no plain dictionaries, of numbers of 64 bits."""
    n = len(names)
    if _functions is None or type(adjacency) is not dict:
        return None
    begin = np.zeros(n + 1, np.int64)
    arcs = _functions.count_arcs(adjacency, n, begin[1:].ctypes.data)
    if arcs < 0:
        return None
    np.cumsum(begin, out=begin)
    heads, values = np.empty(arcs, np.int64), np.zeros(0 if attribute is None else arcs, np.int64)
    place = None if attribute is None else values.ctypes.data
    kind = _functions.read_arcs(adjacency, _numbers_of(names, index), n, arcs, directed, heads.ctypes.data, attribute, default, place)
    if kind < 0:
        return None
    if attribute is None:
        return begin, heads, None
    if not directed and _functions.mirror_values(n, begin.ctypes.data, heads.ctypes.data, values.ctypes.data) < 0:
        raise MemoryError
    return begin, heads, values if kind == 0 else values.view(np.float64)


def read_pairs(pairs: list[Any], names: list[Any], index: dict[Any, int]) -> np.ndarray | None:
    """A row of two numbers for each pair of nodes. None: some are no tuples of two nodes."""
    rows = np.empty((len(pairs), 2), np.int64)
    if _functions is None or _functions.read_pairs(pairs, _numbers_of(names, index), len(names), len(pairs), rows.ctypes.data) < 0:
        return None
    return rows


def make_paths(names: list[Any], before: np.ndarray, backwards: bool) -> list[list[Any]]:
    """The path to each of these nodes: that to the one at before[k] < k, and the node at its end (backwards: at its front); -1: the node alone."""
    if _functions is not None:
        return _functions.make_paths(names, len(names), before.ctypes.data, backwards)
    made: list[list[Any]] = []
    for name, at in zip(names, before.tolist()):
        path = made[at] if at >= 0 else ()
        made.append([name, *path] if backwards else [*path, name])
    return made
