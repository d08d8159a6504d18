"""Breadth-first traversals, and orders and reductions of directed graphs without cycles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import compress
from operator import add
from typing import Any

import networkx as nx
import numpy as np
from networkx.algorithms.traversal.breadth_first_search import FORWARD_EDGE, LEVEL_EDGE, REVERSE_EDGE, TREE_EDGE
from networkx.utils import not_implemented_for

from .dictionaries import make_edges, without_collection
from .graph import PLAIN, Graph
from .interface import algorithm, only_if
from .order import Search, arcs_of, breadth_first, exact_lengths, firsts, generations, labeled, longest_paths, named, named_lists, named_pairs, redundant_arcs
from .paths import number_of_node
from .searches import transposed
from .subgraphs import digraph, induced


def _unsorted(G: Any, source: Any, reverse: bool = False, depth_limit: Any = None, sort_neighbors: Any = None) -> bool:  # noqa: N803
    return sort_neighbors is None


def _unsorted_forward(G: Any, source: Any, depth_limit: Any = None, sort_neighbors: Any = None) -> bool:  # noqa: N803
    return sort_neighbors is None


def _search(graph: Graph, source: Any, reverse: bool = False, depth_limit: Any = None) -> Search:
    start = number_of_node(graph, source, "digraph" if graph.is_directed() else "graph")
    return breadth_first(graph, [start], len(graph) if depth_limit is None else depth_limit, backwards=reverse)


@only_if(_unsorted)
def bfs_edges(G: Graph, source: Any, reverse: bool = False, depth_limit: Any = None, sort_neighbors: Any = None) -> Iterator[Any]:  # noqa: N803
    """The edges of the search tree."""
    search = _search(G, source, reverse, depth_limit)
    yield from named_pairs(G, search.found[search.before[1:]], search.found[1:])


@only_if(lambda G, source, neighbors=None, depth_limit=None: neighbors is None)
def generic_bfs_edges(G: Graph, source: Any, neighbors: Any = None, depth_limit: Any = None) -> Iterator[Any]:  # noqa: N803
    """The same."""
    return bfs_edges(G, source, depth_limit=depth_limit)


@only_if(_unsorted)
def bfs_tree(G: Graph, source: Any, reverse: bool = False, depth_limit: Any = None, sort_neighbors: Any = None) -> Any:  # noqa: N803
    """The search tree."""
    search = _search(G, source, reverse, depth_limit)
    return digraph(named(G, search.found), search.before[1:], np.arange(1, len(search.found)))


@only_if(_unsorted_forward)
def bfs_predecessors(G: Graph, source: Any, depth_limit: Any = None, sort_neighbors: Any = None) -> Iterator[Any]:  # noqa: N803
    """Each node with the one that it is found from."""
    search = _search(G, source, depth_limit=depth_limit)
    yield from named_pairs(G, search.found[1:], search.found[search.before[1:]])


@only_if(_unsorted_forward)
def bfs_successors(G: Graph, source: Any, depth_limit: Any = None, sort_neighbors: Any = None) -> Iterator[Any]:  # noqa: N803
    """Each node with those that are found from it."""
    found, before, _ = _search(G, source, depth_limit=depth_limit)
    first = np.flatnonzero(np.diff(before[1:], prepend=-1)) + 1  # children of a node follow one another
    parents = named(G, found[before[first]]) or [source]
    yield from named_lists(parents, np.append(first, len(found)) if len(first) else np.array([1, 1]), G.names, found).items()


def _nodes(G: Any, sources: Any) -> bool:  # noqa: N803
    """One node, or a collection of nodes."""
    try:
        return sources in G or (isinstance(sources, (set, frozenset, list, tuple, dict)) and all(node in G for node in sources))
    except TypeError:
        return all(node in G for node in sources)


@only_if(_nodes)
def bfs_layers(G: Graph, sources: Any) -> Iterator[list[Any]]:  # noqa: N803
    """Nodes by their distance from the nearest of these."""
    start = [sources] if sources in G else list(set(sources))
    search = breadth_first(G, [G.index[node] for node in start])
    for layer in np.split(search.found, np.flatnonzero(np.diff(search.level)) + 1):
        if len(layer):
            yield named(G, layer)


@algorithm
def descendants_at_distance(G: Graph, source: Any, distance: Any) -> set[Any]:  # noqa: N803
    """Nodes at one distance."""
    search = breadth_first(G, [number_of_node(G, source)], distance)
    return {G.names[k] for k in search.found[search.level == distance].tolist()}


@only_if(lambda G, sources: not G.is_multigraph() and _nodes(G, sources))
def bfs_labeled_edges(G: Graph, sources: Any) -> Iterator[Any]:  # noqa: N803
    """All edges of the search with their kinds."""
    start = [G.index[node] for node in dict.fromkeys([sources] if sources in G else sources)]
    names = [TREE_EDGE, LEVEL_EDGE, FORWARD_EDGE, REVERSE_EDGE]  # NetworkX's strings themselves: nx.girth compares them by `is`
    tails, heads, kinds = labeled(G, start)
    return make_edges(G.names, tails, heads, names, kinds)


@only_if(lambda G, n, radius=1, center=True, undirected=False, distance=None: distance is None and not (undirected and G.is_directed()))
def ego_graph(G: Graph, n: Any, radius: Any = 1, center: bool = True, undirected: bool = False, distance: Any = None) -> Any:  # noqa: N803
    """The subgraph of the nodes near one."""
    if n not in G:
        raise nx.NodeNotFound(f"Source {n} is not in G")
    reached = breadth_first(G, [G.index[n]], float("inf") if radius is None else radius)
    made = induced(G, reached.found)
    if not center:
        made.remove_node(n)
    return made


# ---- directed graphs without cycles ----


def _growth(graph: Graph, layer: np.ndarray) -> int:
    """How many neighbours these nodes have won since the graph was converted; more than none if a node itself is gone."""
    original = graph.original(alive=True)
    if original is None or graph.is_multigraph():
        return 0
    try:
        count = sum(map(len, map(original._adj.__getitem__, named(graph, layer))))
    except KeyError:
        return 1
    return count - int((graph.begin[layer + 1] - graph.begin[layer]).sum())


@algorithm
def topological_generations(G: Graph) -> Iterator[list[Any]]:  # noqa: N803
    """Nodes in layers, each after all nodes with edges to it."""
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    layers, all_of_them = generations(G)
    for layer in layers:
        growth = _growth(G, layer)
        if growth > 0:
            raise RuntimeError("Graph changed during iteration")
        yield named(G, layer)
        if growth < 0:
            all_of_them = False
            break
    if not all_of_them:
        raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")


@algorithm
def topological_sort(G: Graph) -> Iterator[Any]:  # noqa: N803
    """The layers one after another."""
    for generation in topological_generations(G):
        yield from generation


def _longest_path(graph: Graph, weight: Any, default: Any) -> "tuple[list[int], list[Any]]":
    """The nodes (numbers) of the longest path, of several the first that NetworkX finds, and the lengths of its edges."""
    layers, acyclic = generations(graph)
    if not acyclic:
        raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")
    n, values = len(graph), graph.values(weight, default)
    order = np.concatenate([np.empty(0, np.int64), *layers])
    begin, tails = graph.backwards()
    arcs = np.empty(len(tails), np.int64)
    arcs[np.lexsort((tails, np.repeat(np.arange(n), np.diff(begin))))] = transposed(graph.begin, graph.heads)[2]
    distance, before = longest_paths(begin, tails, exact_lengths(values)[arcs], order)
    node = int(order[np.argmax(distance[order])])
    path, lengths = [node], []
    while before[node] != node:
        previous = int(before[node])
        lengths.append(values[arcs[begin[node] + np.flatnonzero(tails[begin[node] : begin[node + 1]] == previous)[0]]].item())
        path.append(node := previous)
    return path[::-1], lengths[::-1]


@only_if(lambda G, weight="weight", default_weight=1, topo_order=None: topo_order is None and not G.is_multigraph())
@not_implemented_for("undirected")
def dag_longest_path(G: Graph, weight: Any = "weight", default_weight: Any = 1, topo_order: Any = None) -> list[Any]:  # noqa: N803
    """The nodes of the longest path."""
    return [G.names[k] for k in _longest_path(G, weight, default_weight)[0]] if G.names else []


@only_if(lambda G, weight="weight", default_weight=1: not G.is_multigraph())
@not_implemented_for("undirected")
def dag_longest_path_length(G: Graph, weight: Any = "weight", default_weight: Any = 1) -> Any:  # noqa: N803
    """Its length."""
    return reduce(add, _longest_path(G, weight, default_weight)[1], 0) if G.names else 0  # sum() of Python 3.12 rounds less


def _closure_of(graph: Graph, k: int, node: Any, reflexive: Any) -> Any:
    """The nodes that a node, of number k, gets an edge to."""
    found = breadth_first(graph, [k]).found
    if reflexive is False:
        heads = graph.heads[arcs_of(graph.begin, found)]
        return [graph.names[h] for h in heads[firsts(heads, np.empty(len(graph), np.int64))].tolist()]
    reached = {graph.names[h] for h in found[1:].tolist()}
    return reached | {node} if reflexive else reached  # a copy of a set may have another order


def _add_arcs(made: Any, node: Any, others: Any) -> None:
    """Adds edges that are not there, without attributes."""
    row, back = made._succ[node], made._pred
    new = [other for other in others if other not in row]
    if type(made) not in PLAIN:  # of dictionaries of its own
        made.add_edges_from((node, other) for other in new)
        return
    for other in new:
        row[other] = back[other][node] = {}


@only_if(lambda G, reflexive=False: G.is_directed() and not G.is_multigraph() and reflexive in (None, True, False))
def transitive_closure(G: Graph, reflexive: Any = False) -> Any:  # noqa: N803
    """The graph with an edge to every node that is reached by edges; with loops at all nodes, those on cycles (False) or none (None)."""
    made = G.original().copy()
    with without_collection():
        for k, node in enumerate(G.names):
            _add_arcs(made, node, _closure_of(G, k, node, reflexive))
    return made


@algorithm
@not_implemented_for("undirected")
def transitive_reduction(G: Graph) -> Any:  # noqa: N803
    """The fewest edges with the same paths."""
    layers, acyclic = generations(G)
    if not acyclic:
        raise nx.NetworkXError("Directed Acyclic Graph required for transitive_reduction")
    gone = redundant_arcs(G, np.concatenate([np.empty(0, np.int64), *layers]))
    made = digraph(G.names, np.empty(0, np.int64), np.empty(0, np.int64))
    heads, begin = named(G, G.heads), G.begin.tolist()
    with without_collection():
        for node, b, e in zip(G.names, begin, begin[1:]):
            others = set(heads[b:e])  # sets, whose order NetworkX has
            others -= set(compress(heads[b:e], gone[b:e].tolist()))
            _add_arcs(made, node, others)
    return made
