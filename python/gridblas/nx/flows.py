"""Maximum flows and minimum cuts."""

from __future__ import annotations

from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from .. import algorithms
from ..matrix import Matrix
from .graph import Graph
from .interface import only_if


class _Network(NamedTuple):
    """The capacities above 0 as a matrix."""

    matrix: Matrix
    infinite: float  # stands for an infinite capacity: more than all finite ones together
    whole: bool  # whether NetworkX adds up whole numbers
    exact: bool  # whether sums of capacities are not rounded


def _whole(graph: Graph, capacity: str, column: np.ndarray) -> bool:
    """Beside infinity whole numbers are floating in the column; edges without a capacity above 0 have no part."""
    if column.dtype.kind == "i":
        return True
    original = graph.original(alive=True)
    if original is None or np.isfinite(column).all():
        return False
    return not any(isinstance(x, (float, np.floating)) and 0 < x < np.inf for _, _, x in original.edges(data=capacity))


def make_network(graph: Graph, capacity: str) -> _Network:
    column = graph.values(capacity, np.inf)
    used = (column > 0) & (graph.tails != graph.heads)
    finite = column[graph.listed][used[graph.listed]]
    finite = finite[np.isfinite(finite)]
    steps = finite * 2.0**20
    exact = bool((steps == np.floor(steps)).all()) and steps.sum() < 2.0**51
    whole = _whole(graph, capacity, column)
    if not finite.sum(dtype=float) < (2.0**51 if whole else 1e300):
        raise NotImplementedError("gridblas finds flows where the sum of capacities is below 1e300, of whole ones below 2**51")
    infinite = 3 * finite.sum().item() or 1
    values = np.minimum(column[used], infinite).astype(np.float64)
    matrix = Matrix.from_coo(graph.tails[used], graph.heads[used], values, nrows=graph.rows, ncols=graph.rows, dup_op="first")
    return _Network(matrix, infinite, whole, exact)


def _solve(graph: Graph, source: Any, sink: Any, capacity: str, only: str | None = None) -> tuple[Any, Any, Any, _Network]:
    """The value of the maximum flow, as NetworkX has it; the flow; and the source's side of the cut."""
    for node in (source, sink):
        if node not in graph:
            raise nx.NetworkXError(f"node {str(node)} not in graph")
    if source == sink:
        raise nx.NetworkXError("source and sink are the same node")
    if graph.is_multigraph():
        raise nx.NetworkXError("MultiGraph and MultiDiGraph not supported (yet).")
    network = graph._once(("capacity", capacity), lambda: make_network(graph, capacity))
    ends = graph.index[source], graph.index[sink]
    found = algorithms.max_flow(network.matrix, *ends, only=only)
    value, flow, side = (found, None, None) if only else found
    if value >= network.infinite:
        raise nx.NetworkXUnbounded("Infinite capacity path, flow unbounded above.")
    return round(value) if network.whole or value == 0 else value, flow, side, network


def _default(flowG: Any, _s: Any, _t: Any, capacity: Any = "capacity", flow_func: Any = None, **kwargs: Any) -> bool:  # noqa: N803
    """Another flow_func is a choice of the method."""
    return flow_func is None and not kwargs and isinstance(capacity, str)


@only_if(_default)
def maximum_flow_value(flowG: Graph, _s: Any, _t: Any, capacity: str = "capacity", flow_func: Any = None, **kwargs: Any) -> Any:  # noqa: N803
    """The largest flow from a node to another."""
    return _solve(flowG, _s, _t, capacity, "value")[0]


@only_if(_default)
def minimum_cut_value(flowG: Graph, _s: Any, _t: Any, capacity: str = "capacity", flow_func: Any = None, **kwargs: Any) -> Any:  # noqa: N803
    """The smallest capacity of edges without which there is no path: the same number."""
    return _solve(flowG, _s, _t, capacity, "value")[0]


@only_if(_default)
def maximum_flow(flowG: Graph, _s: Any, _t: Any, capacity: str = "capacity", flow_func: Any = None, **kwargs: Any) -> Any:  # noqa: N803
    """... and a flow of that value: for each node its neighbours and the flow to each."""
    value, flow, _, network = _solve(flowG, _s, _t, capacity)
    names = flowG.names
    flows: dict[Any, dict[Any, Any]] = {node: {} for node in names}
    for i, j in zip(flowG.tails.tolist(), flowG.heads.tolist()):
        flows[names[i]][names[j]] = 0
    for i, j, x in zip(*(column.tolist() for column in flow.to_coo())):
        flows[names[i]][names[j]] = round(x) if network.whole else x
    return value, flows


@only_if(_default)
def minimum_cut(flowG: Graph, _s: Any, _t: Any, capacity: str = "capacity", flow_func: Any = None, **kwargs: Any) -> Any:  # noqa: N803
    """The value and both sides of the smallest cut, that of fewest nodes on the sink's side."""
    value, _, side, network = _solve(flowG, _s, _t, capacity)
    if not network.exact:
        raise NotImplementedError("gridblas finds cuts of capacities whose sums are not rounded")
    source_side = {flowG.names[k] for k in side}
    return value, (source_side, set(flowG) - source_side)
