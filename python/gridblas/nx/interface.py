"""The functions that NetworkX calls: conversions, checks whether an algorithm supports its arguments, and the algorithms."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from . import graph as _graph

# Name of an algorithm: whether it supports these arguments.
_conditions: dict[str, Callable[..., bool]] = {}
# Name of an algorithm: its implementation.
algorithms: dict[str, Callable[..., Any]] = {}


def algorithm(function: Callable[..., Any]) -> Callable[..., Any]:
    """Offers a function to NetworkX under its name."""
    algorithms[function.__name__] = function
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


class Backend:
    """The interface that the entry point `networkx.backends` names."""

    @staticmethod
    def convert_from_nx(
        graph: Any,
        *,
        edge_attrs: dict[Any, Any] | None = None,
        preserve_edge_attrs: bool = False,
        name: str | None = None,
        **options: Any,
    ) -> _graph.Graph:
        """The converted graph, with the edge attributes that the algorithm reads."""
        if isinstance(graph, _graph.Graph):
            return graph
        if not hasattr(graph, "edges"):
            raise NotImplementedError(f"{name}: gridblas converts graphs alone")
        return _graph.from_networkx(graph, edge_attrs)

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
            return name not in _conditions or bool(_conditions[name](**given))
        except TypeError:
            return False  # wrong arguments: NetworkX raises the exception

    @staticmethod
    def should_run(name: str, args: Any, kwargs: Any) -> bool:
        """The backend is always used when it is requested."""
        return True

    def __getattr__(self, name: str) -> Callable[..., Any]:
        try:
            return algorithms[name]
        except KeyError:
            raise AttributeError(name) from None


backend = Backend()

# They offer their algorithms.
from . import centrality, components, cores, distances, links, matrices, mixing, partitions, paths  # noqa: E402, F401
from . import recognition, sides, spanning, subsets, traversal, weighted  # noqa: E402, F401
