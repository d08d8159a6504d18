"""The functions that NetworkX calls: conversions, checks whether an algorithm supports its arguments, and the algorithms."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from typing import Any

import networkx

from . import graph as _graph

# Graphs with fewer edges are left to NetworkX (docs/networkx.md has the times): where nodes are searched from one by one, and elsewhere.
MIN_EDGES_ALL_PAIRS, MIN_EDGES = 200, 1000
MIN_EDGES_ENUMERATED = 20  # where results may be many times as many as edges

# They read a part of the graph, end early, or read each edge once: NetworkX needs less time even where the converted graph is in the cache.
LOCAL = set(
    "bidirectional_shortest_path descendants_at_distance edge_boundary efficiency ego_graph group_degree_centrality group_out_degree_centrality "
    "has_path is_edge_cover is_empty is_eulerian is_isolate is_k_regular is_matching is_perfect_matching is_regular is_simple_path node_boundary "
    "score_sequence to_dict_of_lists volume".split()
)

# NetworkX reads each node or edge once, in less time than the conversion takes: they run here where the graph is in the cache.
LINEAR = set(
    "bipartite_degree_centrality boundary_expansion degree_centrality density has_cycle has_eulerian_path in_degree_centrality "
    "is_connected_dominating_set is_dominating_set is_partition is_semieulerian isolates node_expansion number_of_isolates number_of_selfloops "
    "out_degree_centrality".split()
)

# They return a graph of the backend, which cannot be changed: made only where it is asked for.
returns_frozen: set[str] = set()
# Name of an algorithm: whether it supports these arguments.
_conditions: dict[str, Callable[..., bool]] = {}
# Name of an algorithm: its implementation.
algorithms: dict[str, Callable[..., Any]] = {}


of_all_pairs: set[str] = {
    "betweenness_centrality",
    "edge_betweenness_centrality",
    "closeness_centrality",
    "harmonic_centrality",
    "global_reaching_centrality",
}


enumerations: set[str] = set()


def algorithm(function: Callable[..., Any]) -> Callable[..., Any]:
    """Offers a function to NetworkX under its name."""
    algorithms[function.__name__] = function
    if function.__name__.startswith("all_pairs") or function.__module__.endswith(".distances"):
        of_all_pairs.add(function.__name__)
    if function.__module__.endswith((".tables", ".generators", ".operators")) and not function.__name__.startswith("to_"):
        returns_frozen.add(function.__name__)
    return function


def only_if(condition: Callable[..., bool]) -> Callable[..., Any]:
    """... if a condition on its arguments (by their names) holds; else NetworkX, or another backend, computes it."""

    def offer(function: Callable[..., Any]) -> Callable[..., Any]:
        _conditions[function.__name__] = condition
        return algorithm(function)

    return offer


@cache
def _signature(name: str) -> inspect.Signature:
    return inspect.signature(algorithms[name])


@cache
def _weight(name: str) -> str | None:
    """The attribute of edges that this algorithm reads if it is given no other."""
    parameter = _signature(name).parameters.get("weight")
    return None if parameter is None else parameter.default


def _is_converted(graph: Any) -> bool:
    return isinstance(graph, _graph.Graph) or "gridblas" in (getattr(graph, "__networkx_cache__", None) or {}).get("backends", {})


def _has_edges(graph: Any, least: int) -> bool:
    """Whether there are so many, parallel ones counted once. graph.number_of_edges() of NetworkX goes through all nodes."""
    if not isinstance(graph, networkx.Graph):
        return graph.number_of_edges() >= least
    arcs = accumulate(map(len, graph._adj.values()))
    return any(count >= least * (1 if graph.is_directed() else 2) for count in arcs)


class Backend:
    """The interface that the entry point `networkx.backends` names."""

    @staticmethod
    def convert_from_nx(
        graph: Any,
        *,
        edge_attrs: dict[Any, Any] | None = None,
        node_attrs: dict[Any, Any] | None = None,
        preserve_edge_attrs: bool = False,
        name: str | None = None,
        **options: Any,
    ) -> _graph.Graph:
        """The converted graph, with the attributes that the algorithm reads."""
        if isinstance(graph, _graph.Graph):
            return graph
        if not hasattr(graph, "edges"):
            raise NotImplementedError(f"{name}: gridblas converts graphs alone")
        if hasattr(graph, "_graph"):  # a view: a change of its graph does not clear the view's cache
            graph.__networkx_cache__ = None
        return _graph.from_networkx(graph, edge_attrs, node_attrs, _weight(name) if preserve_edge_attrs and name in algorithms else None)

    @staticmethod
    def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
        """Results are plain Python already; a graph becomes NetworkX's."""
        return _graph.to_networkx(result) if isinstance(result, _graph.Graph) else result

    @staticmethod
    def can_run(name: str, args: Any, kwargs: Any) -> bool:
        """Whether this algorithm supports these arguments."""
        if name not in algorithms:
            return False
        try:
            given = _signature(name).bind(*args, **kwargs).arguments
            if any(map(_graph.has_custom_adjacency, given.values())):
                return False
            return name not in _conditions or bool(_conditions[name](**given))
        except TypeError:
            return False  # wrong arguments: NetworkX raises the exception

    @staticmethod
    def should_run(name: str, args: Any, kwargs: Any) -> bool | str:
        """Not on small graphs, where NetworkX needs less time than the conversion. Only asked where the backend is one of several."""
        if name in returns_frozen:
            return "a graph of the backend cannot be changed"
        given = _signature(name).bind(*args, **kwargs).arguments
        between = name.startswith("shortest_path") and None not in (given.get("source"), given.get("target"))
        if name in LOCAL or (between and given.get("weight") is None):
            return "NetworkX reads a part of the graph alone"
        graph = next((x for x in given.values() if hasattr(x, "number_of_edges")), None)
        if graph is None:
            return True
        if name in LINEAR and not _is_converted(graph):
            return "NetworkX needs less time than the conversion of the graph"
        least = MIN_EDGES_ENUMERATED if name in enumerations else MIN_EDGES_ALL_PAIRS if name in of_all_pairs else MIN_EDGES
        return True if _has_edges(graph, least) else f"the graph has fewer than {least} edges"

    def __getattr__(self, name: str) -> Callable[..., Any]:
        try:
            return algorithms[name]
        except KeyError:
            raise AttributeError(name) from None


backend = Backend()

# They offer their algorithms.
from . import ancestors, betweenness, biconnected, centrality, cliques, communities, components, connectivity, cores, costs, cycles, depth_first, distances, divisive  # noqa: E402, F401
from . import flows, generators, greedy, labels, links, louvain, matchings, matrices, mixing, neighborhoods, operators, partitions, paths  # noqa: E402, F401
from . import projections, queues, recognition, shortest_simple_paths, sides, simple_cycles, simple_paths, spanning, subsets, tables, traversal, weighted  # noqa: E402, F401
