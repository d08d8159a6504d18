"""Graphs made of another: its complement, reverse and other names; and lists of neighbours."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from .graph import Graph, bounds
from .interface import only_if
from .order import named_lists
from .tables import KINDS, from_edges, known


def _plain(graph: Any) -> bool:
    """The result of a graph of a class of its own would be of that class."""
    return isinstance(graph, Graph) or type(graph) in (nx.Graph, nx.DiGraph)


@only_if(lambda G: _plain(G) and not G.is_multigraph())
def complement(G: Graph) -> Graph:  # noqa: N803
    """An edge between any two nodes that have none."""
    absent = ~np.eye(len(G), dtype=bool)
    absent[G.tails, G.heads] = False
    return Graph(list(G.names), bounds(absent.sum(axis=1)), np.nonzero(absent)[1], G.is_directed(), False)


def _of_arrays(graph: Any) -> bool:
    """A graph of NetworkX may have attributes, which the result has, too."""
    return isinstance(graph, Graph) and not graph.is_multigraph()


def _renamed(graph: Graph, names: list[Any], pairs: np.ndarray) -> Graph:
    """The graph of these edges in this order, with the attributes of the other's edges and nodes."""
    columns = {name: values[graph.listed] for name, values in graph.columns.items()}
    made = from_edges(names, pairs[:, 0], pairs[:, 1], columns, graph.is_directed())
    made.graph.update(graph.graph)
    made.node_columns = {name: list(values) for name, values in graph.node_columns.items()}
    return made


@only_if(lambda G, copy=True: _of_arrays(G) and copy is True)
def reverse(G: Graph, copy: bool = True) -> Graph:  # noqa: N803
    """Each edge in the other direction."""
    if not G.is_directed():
        raise nx.NetworkXError("Cannot reverse an undirected graph.")
    return _renamed(G, list(G.names), G.pairs[:, ::-1])


def _one_to_one(G: Any, mapping: Any, copy: bool = True) -> bool:  # noqa: N803
    """Names that stay apart."""
    if not _of_arrays(G) or not isinstance(mapping, dict) or copy is not True:
        return False
    names = [mapping.get(node, node) for node in G]
    return len(set(names)) == len(names) and None not in names


@only_if(_one_to_one)
def relabel_nodes(G: Graph, mapping: dict[Any, Any], copy: bool = True) -> Graph:  # noqa: N803
    """Other names of nodes."""
    return _renamed(G, [mapping.get(node, node) for node in G.names], G.pairs)


@only_if(lambda G, first_label=0, ordering="default", label_attribute=None: _of_arrays(G) and ordering == "default")
def convert_node_labels_to_integers(
    G: Graph,  # noqa: N803
    first_label: int = 0,
    ordering: str = "default",
    label_attribute: Any = None,
) -> Graph:
    """Numbers as names."""
    made = _renamed(G, list(range(first_label, first_label + len(G))), G.pairs)
    if label_attribute is not None:
        made.node_columns[label_attribute] = list(G.names)
    return made


@only_if(lambda G, nodelist=None: nodelist is None)
def to_dict_of_lists(G: Graph, nodelist: Any = None) -> dict[Any, list[Any]]:  # noqa: N803
    """The neighbours of each node."""
    lists = named_lists(G.names, G.begin, G.names, G.heads)
    return {node: list(dict.fromkeys(others)) for node, others in lists.items()} if G.is_multigraph() else lists


def _lists(d: Any, create_using: Any = None) -> bool:
    listed = isinstance(d, dict) and all(isinstance(others, (list, tuple)) and None not in others for others in d.values())
    return listed and None not in d and known(create_using)


@only_if(_lists)
def from_dict_of_lists(d: dict[Any, list[Any]], create_using: Any = None) -> Graph:
    """The graph with these neighbours of each node."""
    number = {node: k for k, node in enumerate(d)}
    heads = [number.setdefault(node, len(number)) for others in d.values() for node in others]
    tails = np.repeat(np.arange(len(d)), [len(others) for others in d.values()])
    return from_edges(list(number), tails, np.array(heads, np.int64), {}, KINDS[create_using])
