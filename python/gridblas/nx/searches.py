"""The functions of the C files in python/ that know no objects of Python (the target python_searches in python/CMakeLists.txt)."""

from __future__ import annotations

import ctypes
import os

import numpy as np

functions = ctypes.CDLL(os.path.join(os.path.dirname(__file__), "_searches.so"))
for _name in (
    "breadth_first degeneracy_order depth_first dijkstra find_cycles find_path_around find_strong_components improve_matching item_bytes kruskal labeled_search list_cliques "
    "list_cycles list_shortest_paths list_simple_paths list_two_steps measure_cliques merge_communities merge_entries move_nodes path_item_bytes smallest_cut vote_rank"
).split():
    getattr(functions, _name).restype = ctypes.c_int64
functions.near_neighbors.restype = ctypes.c_double
functions.pivot.restype = functions.remove_central_edges.restype = functions.spread_labels_once.restype = ctypes.c_bool


def address(array: np.ndarray) -> ctypes.c_void_p:
    """The array needs another reference until the call has returned."""
    return ctypes.c_void_p(array.ctypes.data)


def transposed(begin: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(begin, tails, arcs) of the arcs to each node, in ascending order."""
    into, tails, arcs = np.empty(len(begin), np.int64), np.empty(len(heads), np.int64), np.empty(len(heads), np.int64)
    functions.transpose_arcs(ctypes.c_int64(len(begin) - 1), *map(address, (begin, heads, into, tails, arcs)))
    return into, tails, arcs
