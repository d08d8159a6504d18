"""A NetworkX graph as matrices: its pattern, and a matrix for each edge attribute that an algorithm reads."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, compress, repeat
from operator import itemgetter
from typing import Any

import networkx
import numpy as np

from ..matrix import Matrix
from ..vector import Vector
from .dictionaries import Numbering, read_arcs
from .searches import transposed

PLAIN = (networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph)


class Graph:
    """Nodes are numbered in NetworkX's order. Matrices are built at their first use, and cached.

    The arcs of node k are heads[begin[k]:begin[k + 1]], in the order of its neighbours; an undirected graph has each edge in both directions.
    """

    __networkx_backend__ = "gridblas"

    def __init__(self, names: list[Any], begin: np.ndarray, heads: np.ndarray, directed: bool, multigraph: bool, numbering: Any = None) -> None:
        self.names = names
        self.numbering = numbering or Numbering(names)
        self.graph: dict[Any, Any] = {}
        self.begin, self.heads = (np.ascontiguousarray(array, np.int64) for array in (begin, heads))  # as searches.c reads them
        self.tails = np.repeat(np.arange(len(names)), np.diff(begin))
        self.columns: dict[Any, np.ndarray] = {}  # attributes of the arcs
        self.defaults: dict[Any, Any] = {}  # where an edge of NetworkX's graph has none
        self.node_columns: dict[Any, list[Any]] = {}  # attributes of the nodes
        self._directed = directed
        self._multigraph = multigraph
        self._made: dict[Any, Any] = {}
        self._original: Callable[[], Any] = lambda: None  # NetworkX's graph
        self.reads_attributes = False  # of that graph; else it has those of columns alone

    @property
    def index(self) -> dict[Any, int]:
        """The number of each node."""
        return self.numbering.index

    # ---- NetworkX's interface of a graph ----

    def is_directed(self) -> bool:
        """Whether edges have a direction."""
        return self._directed

    def is_multigraph(self) -> bool:
        """Whether there may be several edges between two nodes."""
        return self._multigraph

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.names)

    def __contains__(self, node: Any) -> bool:
        try:
            return node in self.index
        except TypeError:
            return False

    def __str__(self) -> str:
        return f"{self._kind} with {len(self)} nodes and {self.number_of_edges()} edges"

    @property
    def _kind(self) -> str:
        """The name of NetworkX's class."""
        return ("Multi" if self._multigraph else "") + ("DiGraph" if self._directed else "Graph")

    def number_of_edges(self) -> int:
        """How many edges there are."""
        return len(self.listed)

    def __getitem__(self, node: Any) -> Any:
        return self.original()[node]

    def __getattr__(self, name: str) -> Any:
        """All else as NetworkX's graph has it, which is made when it is first wanted."""
        if name.startswith("_") and name not in ("_adj", "_node", "_succ", "_pred"):
            raise AttributeError(name)
        return getattr(self.original(), name)

    def original(self, alive: bool = False) -> Any:
        """NetworkX's graph with the same nodes, edges and attributes, which cannot be changed; alive: None if there is none."""
        graph = self._original()
        if graph is None and not alive:
            graph = networkx.freeze(to_networkx(self))
            self._original = lambda: graph
        return graph

    def __reduce__(self) -> tuple[Any, ...]:
        """What pickle and copy take, since they meet it in the cache of NetworkX's graph. Matrices are built anew."""
        attributes = {name: getattr(self, name) for name in ("graph", "columns", "defaults", "node_columns", "reads_attributes")}
        attributes["_made"] = {what: made for what, made in self._made.items() if what == "backwards"}
        return Graph, (self.names, self.begin, self.heads, self._directed, self._multigraph), (attributes, self.original(alive=True))

    def __setstate__(self, state: tuple[dict[str, Any], Any]) -> None:
        attributes, original = state
        self.__dict__.update(attributes)
        self._original = lambda: original

    # ---- arrays of arcs and edges ----

    def _once(self, what: Any, make: Callable[[], Any]) -> Any:
        """What was made before, or is made now."""
        if what not in self._made:
            self._made[what] = make()
        return self._made[what]

    def _values(self, attribute: Any, default: Any) -> np.ndarray:
        graph = self.original(alive=True) if self.reads_attributes and attribute is not None else None
        if attribute in self.columns and (graph is None or self.defaults.get(attribute, default) == default):
            return self.columns[attribute]
        if graph is None:
            return np.full(len(self.heads), default)
        return self._once(("attribute", attribute, default), lambda: self.column(graph, attribute, default))

    def values(self, attribute: Any, default: Any = 1) -> np.ndarray:
        """An attribute of each arc; the default where an edge has none, and for the attribute None."""
        values = self._values(attribute, default)
        return values.astype(np.int64) if values.dtype == bool else values

    def is_bool(self, attribute: Any) -> bool:
        """Whether an attribute is True or False for all edges: SciPy's matrices are of that type, then."""
        return self._values(attribute, 1).dtype == bool

    def column(self, graph: Any, attribute: Any, default: Any) -> np.ndarray:
        """An attribute of all arcs from NetworkX's graph; in an undirected graph each edge's is read once, which takes most of the time."""
        found = None if self._multigraph else read_arcs(graph._adj, self.numbering, self._directed, attribute, default)
        if found is not None and np.array_equal(found[1], self.heads):
            return found[2]
        joined = not self._directed and joins_arcs(graph)
        read = ((self.heads >= self.tails) | self._directed | joined).tolist()
        values = _numbers(lambda: compress(_dictionaries(graph), read), attribute, default)
        if self._directed or not len(values):
            return values
        column = np.empty(len(self.heads), values.dtype)
        column[self.listed] = values[self.listed] if joined else values
        forward, back = np.flatnonzero(self.heads > self.tails), np.flatnonzero(self.heads < self.tails)
        small = np.min_scalar_type(len(self.names))  # numbers of 16 bits are sorted in linear time
        forward = forward[np.argsort(self.heads[forward].astype(small), kind="stable")]  # by (head, tail)
        back = back[np.argsort(self.heads[back].astype(small), kind="stable")]
        back = back[np.argsort(self.tails[back].astype(small), kind="stable")]  # by (tail, head)
        column[back] = column[forward]
        if joined and not np.array_equal(column, values, equal_nan=True):
            raise NotImplementedError("gridblas takes no undirected view of a directed graph whose opposite edges have different attributes")
        return column

    @property
    def listed(self) -> np.ndarray:
        """The arcs that NetworkX lists as edges: in an undirected graph those to later nodes."""
        return self._once("listed", lambda: np.flatnonzero((self.heads >= self.tails) | self._directed))

    def ends(self, arcs: np.ndarray) -> tuple[list[int], list[int]]:
        """The nodes (numbers) that these arcs lead from, and to."""
        return self.tails[arcs].tolist(), self.heads[arcs].tolist()

    @property
    def pairs(self) -> np.ndarray:
        """Pairs of numbers, in NetworkX's order of edges."""
        return self._once("pairs", lambda: np.stack((self.tails[self.listed], self.heads[self.listed]), axis=1))

    def summable(self, attribute: Any) -> np.ndarray:
        """An attribute of each arc, whose whole numbers add up to less than 2**63, a loop's twice: Python's have no bound."""
        values = self.values(attribute)
        if attribute is None or values.dtype.kind != "i":
            return values
        if np.abs(values.astype(float)) @ (1.0 + (self.heads == self.tails)) >= 9.22e18:  # 2**63 less what rounding loses
            raise NotImplementedError("gridblas adds weights whose sum is below 2**63")
        return values

    def edge_values(self, attribute: Any) -> np.ndarray:
        """An attribute of each edge."""
        return self.values(attribute)[self.listed]

    def backwards(self) -> "tuple[np.ndarray, np.ndarray]":
        """(begin, heads) of the arcs to each node, in NetworkX's order of predecessors."""
        return self._once("backwards", self._predecessors) if self._directed else (self.begin, self.heads)

    def set_backwards(self, begin: np.ndarray, tails: np.ndarray) -> None:
        """Where the order of predecessors is not that of all arcs, and there is no graph of NetworkX to read it from."""
        self._made["backwards"] = begin, tails

    def _predecessors(self) -> tuple[np.ndarray, np.ndarray]:
        graph = self.original(alive=True)
        if graph is not None:
            return _arcs(graph._pred, self.numbering, self._multigraph)[:2]
        return transposed(self.begin, self.heads)[:2]

    # ---- matrices ----

    @property
    def rows(self) -> int:
        """Rows of the matrices, which have one at least."""
        return max(len(self.names), 1)

    def _matrix(self, values: Any, several: str) -> Matrix:
        if self._multigraph or not self.names:
            return Matrix.from_coo(self.tails, self.heads, values, nrows=self.rows, ncols=self.rows, dup_op=several)
        begin, columns, arcs = transposed(self.begin, self.heads)  # an undirected graph's rows: a count takes less time than sorting tuples
        if self._directed:
            begin, columns, order = transposed(begin, columns)
            arcs = arcs[order]
        return Matrix.from_csr(begin, columns, values if values is True else values[arcs], ncols=self.rows)

    def pattern(self) -> Matrix:
        """An entry for every two nodes with an edge."""
        return self._once("pattern", lambda: self._matrix(True, "first"))

    def weights(self, attribute: Any, several: str) -> Matrix:
        """An edge's attribute as the entry; of several edges between two nodes the values are combined by an operator. None: 1."""

        def make() -> Matrix:
            values = self.summable(attribute)
            if np.isnan(values).any():
                raise NotImplementedError("gridblas takes no weights that are not a number")
            return self._matrix(values, several)

        return self._once((attribute, several), make)

    def signed_weights(self, attribute: Any) -> Matrix:
        """... the least one of several, of either sign but not minus infinity."""
        if np.isneginf(self.values(attribute)).any():
            raise NotImplementedError("gridblas takes no weights of minus infinity")
        return self.weights(attribute, "min")

    def number_pairs(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """A number for each pair of nodes (numbers), ascending as the pairs."""
        return i.astype(np.int64) * len(self) + j.astype(np.int64)

    def adjacent(self, u: Any, v: Any) -> bool:
        """Whether there is an edge from a node to another."""
        k = self.index[u]
        return bool((self.heads[self.begin[k] : self.begin[k + 1]] == self.index[v]).any())

    def number(self, node: Any) -> int:
        """A node's row."""
        if node not in self:
            raise networkx.NodeNotFound(f"Node {node} not found in graph")
        return self.index[node]

    def numbers(self, nodes: Any) -> list[int]:
        """The rows of those of some nodes that are in the graph."""
        try:
            return [k for k in map(self.index.get, nodes) if k is not None]
        except TypeError:  # some are no nodes of any graph
            return [self.index[node] for node in nodes if node in self]

    def chosen(self, nodes: Any) -> list[Any]:
        """All nodes, one, or those of several that are in the graph."""
        if nodes is None:
            return self.names
        if nodes in self:
            return [nodes]
        try:
            return [node for node in nodes if node in self]
        except TypeError:
            raise networkx.NetworkXError(f"Node {nodes} is not in the graph.") from None

    def by_node(self, vector: Vector, missing: Any = 0) -> dict[Any, Any]:
        """A vector as a dictionary of all nodes."""
        values = vector.to_dense(missing)
        return dict(zip(self.names, values.tolist()))

    def loops(self) -> np.ndarray:
        """The nodes with an edge to themselves."""
        return self.heads[self.heads == self.tails]

    def degrees(self, outward: bool = True) -> np.ndarray:
        """Edges of each node; in an undirected graph a loop counts twice."""
        if self._directed and not outward:
            return np.bincount(self.heads, minlength=len(self.names))
        degrees = np.diff(self.begin)
        return degrees if self._directed else degrees + np.bincount(self.loops(), minlength=len(self.names))


def has_custom_adjacency(graph: Any) -> bool:
    """Whether a class derived from NetworkX's says by itself what a node's neighbours are; the conversion reads the dictionaries."""
    if not isinstance(graph, networkx.Graph) or type(graph) in PLAIN:
        return False
    derived = [cls for cls in type(graph).__mro__ if not cls.__module__.startswith("networkx.classes.")]
    return any(name in vars(cls) for cls in derived for name in ("__getitem__", "adj", "adjacency", "neighbors") if cls is not object)


def joins_arcs(graph: Any) -> bool:
    """Whether an undirected graph is a view of a directed one: its edges have two dictionaries of attributes where that has edges in both directions."""
    while hasattr(graph, "_graph"):
        graph = graph._graph
        if graph.is_directed():
            return True
    return False


def bounds(counts: np.ndarray) -> np.ndarray:
    """Where each part begins, and the end."""
    return np.concatenate(([0], np.cumsum(counts)))


def _dictionaries(graph: Any) -> Iterator[Any]:
    """The attributes of each arc."""
    neighbors = chain.from_iterable(others.values() for others in graph._adj.values())
    return chain.from_iterable(keys.values() for keys in neighbors) if graph.is_multigraph() else neighbors


def _attribute(dictionaries: Callable[[], Iterable[Any]], name: Any, default: Any) -> list[Any]:
    """An attribute of some nodes or edges."""
    try:
        return list(map(itemgetter(name), dictionaries()))
    except KeyError:
        return [data.get(name, default) for data in dictionaries()]


def _numbers(dictionaries: Callable[[], Iterator[Any]], attribute: Any, default: Any) -> np.ndarray:
    """An attribute of these edges as numbers."""
    values = _attribute(dictionaries, attribute, default)
    if not values:
        return np.empty(0, np.int64)
    try:
        column = np.array(values)
        kind = column.dtype.kind
        if column.ndim == 1 and kind in "biuf" and not any(map(_is_narrow, set(map(type, values)))):
            if kind == "b" or not (kind == "u" and column.max() >= 2**63):
                return column.astype({"b": np.bool_, "f": np.float64}.get(kind, np.int64), copy=False)
    except ValueError:  # lists of different lengths
        pass
    raise NotImplementedError(f"gridblas takes Python's numbers, and NumPy's of 64 bits, as {attribute!r} of edges")


def _is_narrow(kind: type) -> bool:
    """Whether a type is one of NumPy's whose sums are rounded or wrap: NetworkX adds up values of it."""
    return issubclass(kind, (np.number, np.bool_)) and np.dtype(kind).itemsize != 8


def _arcs(
    adjacency: Any, numbering: Numbering, multigraph: bool, directed: bool = True, attribute: Any = None, default: Any = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """(begin, heads) of NetworkX's dictionary of neighbours, or a view of one, whose length need not be true; and an attribute, or None."""
    if not isinstance(adjacency, dict):
        adjacency = {node: dict(others.items()) for node, others in adjacency.items()}
    found = None if multigraph else read_arcs(adjacency, numbering, directed, attribute, default)
    if found is not None:
        return found
    neighbors = chain.from_iterable(adjacency.values())
    if not numbering.in_order:  # a look-up of each neighbour takes as long as the rest
        neighbors = map(numbering.index.__getitem__, neighbors)
    heads = np.fromiter(neighbors, np.int64)
    counts = np.fromiter(map(len, adjacency.values()), np.int64)
    if multigraph:
        several = np.fromiter((len(keys) for others in adjacency.values() for keys in others.values()), np.int64)
        owner = np.repeat(np.repeat(np.arange(len(counts)), counts), several)
        heads, counts = np.repeat(heads, several), np.bincount(owner, minlength=len(counts))
    return bounds(counts), heads, None


def from_networkx(
    graph: Any, edge_attrs: dict[Any, Any] | None, node_attrs: dict[Any, Any] | None = None, likely: str | None = None
) -> Graph:
    """The graph with these attributes {name: default} of its edges and nodes; others of edges are read when they are wanted, if the graph is there.

    likely: an attribute of edges that will be wanted; it is read now if it has numbers.
    """
    names = list(graph)
    multigraph = graph.is_multigraph()
    numbering = Numbering(names)
    wanted = dict(edge_attrs or {})
    first = next(iter(wanted.items()), (likely, 1))  # read together with the neighbours
    one_value = graph.is_directed() or not joins_arcs(graph)
    begin, heads, values = _arcs(graph._adj, numbering, multigraph, graph.is_directed(), *(first if one_value else ()))
    made = Graph(names, begin, heads, graph.is_directed(), multigraph, numbering)
    if values is not None:
        made.columns[first[0]] = values
    made.defaults = dict((first, *wanted.items()))
    made.columns |= {name: made.column(graph, name, default) for name, default in wanted.items() if name not in made.columns}
    made.node_columns = {name: _attribute(graph._node.values, name, default) for name, default in (node_attrs or {}).items()}
    made._original, made.reads_attributes = weakref.ref(graph), True
    return made


def to_networkx(graph: Graph) -> Any:
    """The same as NetworkX's graph, with the attributes that were taken."""
    made = getattr(networkx, graph._kind)()
    made.graph.update(graph.graph)
    made.add_nodes_from(graph.names)
    for attribute, values in graph.node_columns.items():
        networkx.set_node_attributes(made, dict(zip(graph.names, values)), attribute)
    rows = zip(*(values.tolist() for values in graph.columns.values())) if graph.columns else repeat(())
    arcs = [
        (graph.names[i], graph.names[j], dict(zip(graph.columns, row)))
        for i, j, row in zip(graph.tails.tolist(), graph.heads.tolist(), rows)
    ]
    if graph.is_multigraph():
        made.add_edges_from(arcs[k] for k in graph.listed.tolist())
        return made
    neighbors = made._adj  # in the order of the graph's
    for u, v, attributes in arcs:
        neighbors[u][v] = attributes if graph.is_directed() else neighbors[v].get(u, attributes)
    if graph.is_directed():
        begin, tails = graph.backwards()
        for j, i in zip(np.repeat(np.arange(len(graph)), np.diff(begin)).tolist(), tails.tolist()):
            made._pred[graph.names[j]][graph.names[i]] = neighbors[graph.names[i]][graph.names[j]]
    return made
