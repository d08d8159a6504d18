"""A NetworkX graph as matrices: its pattern, and a matrix for each edge attribute that an algorithm reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import networkx
import numpy as np

from ..matrix import Matrix
from ..vector import Vector


class Graph:
    """Nodes are numbered in NetworkX's order. Matrices are built at their first use, and cached."""

    __networkx_backend__ = "gridblas"

    def __init__(self, nodes: list[Any], edges: np.ndarray, values: dict[Any, np.ndarray], directed: bool, multigraph: bool) -> None:
        self.nodes = nodes
        self.index = {node: k for k, node in enumerate(nodes)}
        self.graph: dict[Any, Any] = {}
        self._edges = edges  # pairs of numbers, as NetworkX lists them
        self._values = values
        self._directed = directed
        self._multigraph = multigraph
        self._made: dict[Any, Matrix] = {}

    # ---- NetworkX's interface of a graph ----

    def is_directed(self) -> bool:
        """Whether edges have a direction."""
        return self._directed

    def is_multigraph(self) -> bool:
        """Whether there may be several edges between two nodes."""
        return self._multigraph

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.nodes)

    def __contains__(self, node: Any) -> bool:
        try:
            return node in self.index
        except TypeError:
            return False

    # ---- matrices ----

    @property
    def size(self) -> int:
        """Rows of the matrices, which have one at least."""
        return max(len(self.nodes), 1)

    def _both_directions(self, values: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        i, j = self._edges[:, 0], self._edges[:, 1]
        if not self._directed:
            apart = i != j
            i, j = np.concatenate((i, j[apart])), np.concatenate((j, i[apart]))
            values = None if values is None else np.concatenate((values, values[apart]))
        return i, j, values

    def pattern(self) -> Matrix:
        """An entry for every two nodes with an edge."""
        if None not in self._made:
            i, j, _ = self._both_directions(None)
            self._made[None] = Matrix.from_coo(i, j, True, nrows=self.size, ncols=self.size, dup_op="first")
        return self._made[None]

    def weights(self, attribute: Any, several: str) -> Matrix:
        """An edge's attribute as the entry; of several edges between two nodes the values are combined by an operator. None: 1."""
        key = (attribute, several)
        if key not in self._made:
            values = np.ones(len(self._edges), np.int64) if attribute is None else self._values[attribute]
            i, j, x = self._both_directions(values)
            self._made[key] = Matrix.from_coo(i, j, x, nrows=self.size, ncols=self.size, dup_op=several)
        return self._made[key]

    def number(self, node: Any) -> int:
        """A node's row."""
        if node not in self:
            raise networkx.NodeNotFound(f"Node {node} not found in graph")
        return self.index[node]

    def chosen(self, nodes: Any) -> list[Any]:
        """All nodes, one, or those of several that are in the graph."""
        if nodes is None:
            return self.nodes
        if nodes in self:
            return [nodes]
        try:
            return [node for node in nodes if node in self]
        except TypeError:
            raise networkx.NetworkXError(f"Node {nodes} is not in the graph.") from None

    def by_node(self, vector: Vector, missing: Any = 0) -> dict[Any, Any]:
        """A vector as a dictionary of all nodes."""
        values = vector.to_dense(missing)
        return dict(zip(self.nodes, values.tolist()))

    def loops(self) -> np.ndarray:
        """The nodes with an edge to themselves."""
        return self._edges[self._edges[:, 0] == self._edges[:, 1], 0]

    def degree(self, outward: bool = True) -> np.ndarray:
        """Edges of each node; in an undirected graph a loop counts twice."""
        ends = self._edges.ravel() if not self._directed else self._edges[:, 0 if outward else 1]
        return np.bincount(ends, minlength=len(self.nodes))


def _column(graph: Any, attribute: Any, default: Any) -> np.ndarray:
    """An attribute of all edges as numbers."""
    values = [data.get(attribute, default) for *_, data in graph.edges(data=True)]
    if not values:
        return np.empty(0, np.int64)
    if not all(isinstance(x, (int, float, np.integer, np.floating)) for x in values):
        raise NotImplementedError(f"gridblas takes numbers as {attribute!r} of edges")
    whole = all(isinstance(x, (int, np.integer)) for x in values)
    try:
        return np.array(values, np.int64 if whole else np.float64)
    except OverflowError:
        raise NotImplementedError(f"{attribute!r} of an edge does not fit 64 bits") from None


def from_networkx(graph: Any, edge_attrs: dict[Any, Any] | None) -> Graph:
    """The graph with these attributes {name: default} of its edges."""
    nodes = list(graph)
    index = {node: k for k, node in enumerate(nodes)}
    pairs: Iterable[tuple[int, int]] = ((index[u], index[v]) for u, v, *_ in graph.edges())
    edges = np.array(list(pairs), np.int64).reshape(-1, 2)
    values = {name: _column(graph, name, default) for name, default in (edge_attrs or {}).items()}
    return Graph(nodes, edges, values, graph.is_directed(), graph.is_multigraph())


def to_networkx(graph: Graph) -> Any:
    """The same as NetworkX's graph, with the attributes that were taken."""
    name = ("Multi" if graph.is_multigraph() else "") + ("DiGraph" if graph.is_directed() else "Graph")
    made = getattr(networkx, name)()
    made.add_nodes_from(graph.nodes)
    for k, (i, j) in enumerate(graph._edges.tolist()):
        made.add_edge(graph.nodes[i], graph.nodes[j], **{str(a): values[k].item() for a, values in graph._values.items()})
    return made
