"""Cycles of undirected graphs."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from networkx.utils import not_implemented_for

from .dictionaries import make_lists, without_collection
from .graph import Graph
from .interface import only_if
from .searches import address, functions


@only_if(lambda G, root=None: root is None or root in G)
@not_implemented_for("directed")
@not_implemented_for("multigraph")
def cycle_basis(G: Graph, root: Any = None) -> list[list[Any]]:  # noqa: N803
    """Cycles of which all others are sums."""
    n = len(G)
    room, links = np.empty(5 * n, np.int64), np.empty(2 * len(G.heads) + 1, np.int64)
    given = ctypes.c_int64(n), address(G.begin), address(G.heads), ctypes.c_int64(-1 if root is None else G.index[root]), address(room), address(links)
    nodes = np.empty(functions.find_cycles(*given, None, None), np.int64)
    begin = np.zeros(links[0] + 1, np.int64)
    functions.find_cycles(*given, address(begin[1:]), address(nodes))
    with without_collection():
        return make_lists(G.names, begin, nodes)
