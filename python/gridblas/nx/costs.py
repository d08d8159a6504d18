"""Flows of least cost."""

from __future__ import annotations

import ctypes
import math
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .flows import make_network, maximum_flow_value
from .graph import Graph
from .interface import only_if
from .order import sums_differ
from .searches import address, functions

STEPS = 1 << 24  # edges that are looked at until an interrupt is seen


class _Network(ctypes.Structure):
    """The same as in C."""

    _fields_ = [(name, ctypes.c_int64) for name in ("n", "edges", "block")] + [
        (name, ctypes.c_void_p)
        for name in (
            "tails heads capacity cost flow potential parent parent_edge size next previous last cycle cycle_edges ancestors state"
        ).split()
    ]


class _Values(NamedTuple):
    """What the nodes demand, and the capacities and costs of edges."""

    demands: list[Any]
    capacity: np.ndarray
    cost: np.ndarray
    whole: bool  # whether NetworkX computes with whole numbers


def _is_whole(graph: Graph, attribute: str, column: np.ndarray) -> bool:
    """Beside infinity whole numbers are floating in the column."""
    if column.dtype.kind == "i":
        return True
    original = graph.original(alive=True)
    if original is None or not (column[np.isfinite(column)] % 1 == 0).all():
        return False
    return not any(isinstance(x, (float, np.floating)) and math.isfinite(x) for _, _, x in original.edges(data=attribute))


def _values(graph: Graph, demands: list[Any], capacity: str, weight: str) -> _Values:
    if not all(type(x) in (int, float) for x in demands):
        raise NotImplementedError("gridblas takes Python's numbers as demands")
    columns = {capacity: graph.values(capacity, np.inf), weight: graph.values(weight, 0)}
    for name, default in ((capacity, np.inf), (weight, 0)):
        if np.isnan(columns[name]).any() or sums_differ(graph, name, columns[name], default):
            raise NotImplementedError("gridblas takes whole numbers, or floating ones, as values of edges")
    whole = all(_is_whole(graph, *item) for item in columns.items()) and not any(isinstance(x, float) for x in demands)
    return _Values(demands, columns[capacity], columns[weight], whole)


def _edge(graph: Graph, arc: int) -> tuple[Any, Any]:
    return graph.names[graph.tails[arc]], graph.names[graph.heads[arc]]


def _check(graph: Graph, values: _Values, used: np.ndarray) -> None:
    """Raises NetworkX's errors in its order; used: the edges with a capacity, without loops."""
    loops = graph.tails == graph.heads
    for node, x in zip(graph.names, values.demands):
        if math.isinf(x):
            raise nx.NetworkXError(f"node {node!r} has infinite demand")
    for arcs in (used, loops):
        for arc in np.flatnonzero(arcs & np.isinf(values.cost)).tolist():
            raise nx.NetworkXError(f"edge {_edge(graph, arc)!r} has infinite weight")
    if sum(values.demands) != 0:
        raise nx.NetworkXUnfeasible("total node demand is not zero")
    for arcs in (used, loops):
        for arc in np.flatnonzero(arcs & (values.capacity < 0)).tolist():
            raise nx.NetworkXUnfeasible(f"edge {_edge(graph, arc)!r} has negative capacity")


def _infinite(capacity: np.ndarray, cost: np.ndarray, demands: list[Any]) -> Any:
    """Stands for an infinite capacity, and the cost of a flow that does not meet the demands."""
    sums = sum(capacity[np.isfinite(capacity)].tolist()), sum(np.abs(cost).tolist()), sum(map(abs, demands))
    return 3 * max(sums) or 1


def _flows(graph: Graph, values: _Values, used: np.ndarray) -> np.ndarray:
    """The flow of each of these edges."""
    n, tails, heads = len(graph), graph.tails[used], graph.heads[used]
    infinite, demands, nodes = _infinite(values.capacity[used], values.cost[used], values.demands), np.array(values.demands, float), np.arange(n)
    if not infinite < (2.0**51 if values.whole else 1e300):
        raise NotImplementedError("gridblas finds flows where the sum of capacities is below 1e300, of whole ones below 2**51")
    toward, m, root = demands > 0, len(tails), np.full(n, n)
    flow = np.append(np.zeros(m), np.abs(demands))
    tree = [np.append(root, -1), np.append(m + nodes, -1), np.append(np.ones(n, np.int64), n + 1)]
    thread = [np.append(nodes + 1, 0), np.append(n, nodes), np.append(nodes, n - 1)]
    arrays = [
        *(np.concatenate((tails, np.where(toward, n, nodes))), np.concatenate((heads, np.where(toward, nodes, n)))),
        *(np.append(column[used], np.full(n, float(infinite))) for column in (values.capacity, values.cost)),
        *(flow, np.where(toward, -float(infinite), float(infinite)), *tree, *thread),
        *np.empty((3, n + 2), np.int64),
        np.zeros(2, np.int64),
    ]
    network = _Network(n, m, max(math.ceil(math.sqrt(m)), 1), *map(address, arrays))
    while not functions.pivot(ctypes.byref(network), ctypes.c_int64(STEPS)):
        pass  # an interrupt is seen here
    if (flow[m:] != 0).any():
        raise nx.NetworkXUnfeasible("no flow satisfies all node demands")
    loops = graph.tails == graph.heads
    if (2 * flow[:m] >= infinite).any() or (loops & np.isposinf(values.capacity) & (values.cost < 0)).any():
        raise nx.NetworkXUnbounded("negative cycle with infinite capacity found")
    return flow[:m]


def _solve(graph: Graph, demands: list[Any], capacity: str, weight: str) -> tuple[Any, dict[Any, dict[Any, Any]]]:
    """The cost, and for each node its neighbours and the flow to each."""
    if len(graph) == 0:
        raise nx.NetworkXError("graph has no nodes")
    values = _values(graph, demands, capacity, weight)
    loops = graph.tails == graph.heads
    used = ~loops & (values.capacity != 0)
    _check(graph, values, used)
    kind = np.int64 if values.whole else np.float64
    flow = np.zeros(len(used), kind)
    flow[used] = _flows(graph, values, used)
    full = loops & (values.cost < 0)
    flow[full] = values.capacity[full]
    order = np.append(np.flatnonzero(used), np.flatnonzero(~used))
    flows: dict[Any, dict[Any, Any]] = {node: {} for node in graph.names}
    for i, j, x in zip(*(column[order].tolist() for column in (graph.tails, graph.heads, flow))):
        flows[graph.names[i]][graph.names[j]] = x
    paid = order[flow[order] != 0]
    return sum(w * x for w, x in zip(values.cost[paid].astype(kind).tolist(), flow[paid].tolist())), flows


def _demands(graph: Graph, attribute: str) -> list[Any]:
    return [0 if x is None else x for x in graph.node_columns.get(attribute, [0] * len(graph))]


def _named(G: Any, demand: Any = "demand", capacity: Any = "capacity", weight: Any = "weight") -> bool:  # noqa: N803
    return not G.is_multigraph() and all(isinstance(name, str) for name in (demand, capacity, weight)) and capacity != weight


@only_if(_named)
@not_implemented_for("undirected")
def network_simplex(G: Graph, demand: str = "demand", capacity: str = "capacity", weight: str = "weight") -> tuple[Any, dict[Any, Any]]:  # noqa: N803
    """The least cost of a flow that meets all demands, and the flow."""
    return _solve(G, _demands(G, demand), capacity, weight)


@only_if(_named)
@not_implemented_for("undirected")
def min_cost_flow(G: Graph, demand: str = "demand", capacity: str = "capacity", weight: str = "weight") -> dict[Any, Any]:  # noqa: N803
    """The flow alone."""
    return _solve(G, _demands(G, demand), capacity, weight)[1]


@only_if(_named)
@not_implemented_for("undirected")
def min_cost_flow_cost(G: Graph, demand: str = "demand", capacity: str = "capacity", weight: str = "weight") -> Any:  # noqa: N803
    """The cost alone."""
    return _solve(G, _demands(G, demand), capacity, weight)[0]


def _directed(G: Any, s: Any, t: Any, capacity: Any = "capacity", weight: Any = "weight") -> bool:  # noqa: N803
    return G.is_directed() and _named(G, "demand", capacity, weight)


@only_if(_directed)
def max_flow_min_cost(G: Graph, s: Any, t: Any, capacity: str = "capacity", weight: str = "weight") -> dict[Any, Any]:  # noqa: N803
    """A maximum flow between two nodes of least cost; other nodes may have demands."""
    if not G._once(("capacity", capacity), lambda: make_network(G, capacity)).exact:
        raise NotImplementedError("gridblas finds cuts of capacities whose sums are not rounded")
    most, original = maximum_flow_value(G, s, t, capacity), G.original(alive=True)
    demands = [0] * len(G) if original is None else [data.get("demand", 0) for data in original._node.values()]
    demands[G.index[s]], demands[G.index[t]] = -most, most
    return _solve(G, demands, capacity, weight)[1]
