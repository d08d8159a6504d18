"""The NetworkX backend: its list of functions is true, and it answers as NetworkX on graphs of all kinds."""

import copy
import gc
import inspect
import itertools
import math
import pickle
import random
import re
import signal
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

nx = pytest.importorskip("networkx", minversion="3.6")
backends = pytest.importorskip("networkx.utils.backends")

import _nx_gridblas  # noqa: E402
import gridblas as gb  # noqa: E402
from gridblas.nx import cliques, costs, dictionaries, divisive, interface, matchings, order, simple_cycles  # noqa: E402
from gridblas.nx import graph as graph_module  # noqa: E402

PAGE = Path(__file__).resolve().parents[2] / "docs" / "networkx.md"
BOTH = "gridblas", "networkx"
NAMES = ["a", "b", (1, 2), 7, 3.5, "z", frozenset([1]), 12, 0, -3, "q", "w"]

# Those of nx-cugraph at commit ac64d6d, without its 42 generators of graphs, which this backend has, and its four classes of graphs.
NX_CUGRAPH = """adjacency_matrix all_pairs_bellman_ford_path all_pairs_bellman_ford_path_length all_pairs_dijkstra all_pairs_dijkstra_path
all_pairs_dijkstra_path_length all_pairs_shortest_path all_pairs_shortest_path_length ancestors average_clustering bellman_ford_path
bellman_ford_path_length betweenness_centrality bfs_edges bfs_layers bfs_predecessors bfs_successors bfs_tree biadjacency_matrix
bidirectional_shortest_path bipartite_betweenness_centrality clustering complement connected_components convert_node_labels_to_integers
core_number degree_centrality descendants descendants_at_distance dijkstra_path dijkstra_path_length edge_betweenness_centrality ego_graph
eigenvector_centrality forceatlas2_layout from_biadjacency_matrix from_dict_of_lists from_pandas_edgelist from_scipy_sparse_array
generic_bfs_edges has_path hits in_degree_centrality is_arborescence is_branching is_connected is_forest is_isolate is_negatively_weighted
is_tree is_weakly_connected isolates jaccard_coefficient k_truss katz_centrality leiden_communities louvain_communities
lowest_common_ancestor node_connected_component number_connected_components number_of_isolates number_of_selfloops
number_weakly_connected_components out_degree_centrality overall_reciprocity pagerank reciprocity relabel_nodes reverse shortest_path
shortest_path_length single_source_bellman_ford single_source_bellman_ford_path single_source_bellman_ford_path_length
single_source_dijkstra single_source_dijkstra_path single_source_dijkstra_path_length single_source_shortest_path
single_source_shortest_path_length single_target_shortest_path single_target_shortest_path_length to_dict_of_lists to_numpy_array
to_scipy_sparse_array tournament_matrix transitivity triangles weakly_connected_components""".split()


def test_the_lists_of_functions_agree():
    offered = set(interface.algorithms)
    assert set(_nx_gridblas.FUNCTIONS) == offered and len(_nx_gridblas.FUNCTIONS) == len(offered)
    limited = [name for names in _nx_gridblas.LIMITS.values() for name in names.split()]
    assert set(interface._conditions) <= set(limited) <= offered and len(set(limited)) == len(limited)
    assert "`normalized` is False" in nx.rich_club_coefficient.__doc__
    assert not offered - set(backends._registered_algorithms)
    section = PAGE.read_text()
    assert f"The backend has {len(offered)} functions" in section
    table = section.partition("| family | functions |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(\w+)`", table)) == offered
    missing = section.partition("Of nx-cugraph's functions")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(\w+)`", missing)) == set(NX_CUGRAPH) - offered


def test_small_graphs_stay_with_networkx():
    small, large = nx.path_graph(300), nx.path_graph(2000)
    should_run = interface.Backend.should_run
    assert should_run("pagerank", (large,), {}) is True and should_run("eccentricity", (), {"G": small}) is True
    for name, graph in (("pagerank", small), ("eccentricity", nx.path_graph(9))):
        assert "fewer than" in should_run(name, (graph,), {})
    assert should_run("from_numpy_array", (), {}) is not True
    assert interface.LOCAL < set(interface.algorithms)
    for name, options in (("has_path", {}), ("shortest_path", {}), ("shortest_path_length", {"weight": None})):
        assert "a part" in should_run(name, (large, 0, 9), options)
    assert should_run("shortest_path", (large, 0), {}) is True
    for kind, count in itertools.product((nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph), (1000, 1001)):
        assert (should_run("pagerank", (nx.path_graph(count, kind),), {}) is True) == (count > 1000)


def test_linear_functions_run_where_the_graph_is_converted():
    large = nx.path_graph(2000)
    assert interface.LINEAR < set(interface.algorithms)
    assert "conversion" in interface.Backend.should_run("degree_centrality", (large,), {})
    nx.is_connected(large, backend="gridblas")
    assert interface.Backend.should_run("degree_centrality", (large,), {}) is True


def graphs(seed):
    r = random.Random(seed)
    for cls in (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph):
        for n, m in ((1, 0), (2, 1), (6, 6), (12, 20), (12, 45)):
            graph = cls()
            nodes = NAMES[:n]
            r.shuffle(nodes)
            graph.add_nodes_from(nodes[: n // 2], t=3)
            for _ in range(m):
                u, v = r.choice(NAMES[:n]), r.choice(NAMES[:n])
                if u != v or m != 20:
                    graph.add_edge(
                        u, v, weight=r.choice([1, 2, 3]), length=r.choice([0.5, 0.25, 1.0, 2.0]), debt=r.choice([-1, 0, 2, 3, 5]), toll=r.choice([0, 0, 1, 2])
                    )
                    if (graph.number_of_edges() + m) % 4:  # a capacity that some edges have
                        graph.add_edge(u, v, **({"key": 0} if graph.is_multigraph() else {}), some=graph.number_of_edges() % 5)
            graph.add_nodes_from(nodes)
            if m != 6:
                for node in nodes:
                    graph.nodes[node].update(side=r.choice("ab"), size=nodes.index(node) % 4 / 2)
            yield graph
    yield nx.DiGraph(tuple(sorted(r.sample(range(12), 2))) for _ in range(25))
    yield nx.random_labeled_tree(9, seed=seed)
    yield nx.petersen_graph()
    yield nx.complete_bipartite_graph(3, 4)
    yield nx.cycle_graph(4, create_using=nx.DiGraph)
    yield nx.tournament.random_tournament(5, seed=seed)


def choices(graph, r):
    """Values of arguments by their names."""
    nodes = list(graph)

    def pick(k):
        return r.sample(nodes, min(k, len(nodes)))

    half = [set(nodes[: len(nodes) // 2]), set(nodes[len(nodes) // 2 :])]
    one = [r.choice(nodes), "absent"]
    matched = nx.maximal_matching(nx.Graph(graph))
    return {
        **dict.fromkeys(("source", "target", "n", "v", "u", "s", "t", "root", "node1", "node2"), one),
        "_s": [r.choice(nodes)],
        "G2": [nx.relabel_nodes(graph, dict(zip(nodes, reversed(range(len(nodes)))))), graph.subgraph(nodes[1:])],
        "_t": [*one, r.choice(nodes)],
        "attribute": ["side", "size", "absent"],
        "capacity": ["weight", "length", "debt", "some"],
        "with_span": [False, True],
        "delta": [0.5, 0],
        "community": ["t", "side"],
        **dict.fromkeys(("S", "T", "nbunch", "nbunch1", "nbunch2"), [pick(3), set(pick(4))]),
        **dict.fromkeys(("sources", "center_nodes"), [set(pick(3)), pick(2)]),
        **dict.fromkeys(("x", "y"), ["in", "out"]),
        **dict.fromkeys(("communities", "partition"), [half]),
        "nodes": [pick(3), set(pick(4)), r.choice(nodes), half[0]],
        "cutoff": [1, 0, 2.5],
        "seed": [5],
        "weight": ["weight", "length", "debt", "toll", None, "nothing"],
        "method": ["dijkstra", "bellman-ford", "bad"],
        "depth_limit": [1, 0],
        "distance": [1, 2, 0],
        "radius": [1, 2],
        "k": [0, 1, 2, 3, 4],
        "reflexive": [None, True],
        "ebunch": [[tuple(r.choices(nodes, k=2)) for _ in range(4)]],
        "matching": [{**dict(matched), **{v: u for u, v in matched}}, set(), {tuple(pick(2))}],
        "cover": [[tuple(pick(2))], list(graph.edges())],
        "edge": [None, *list(graph.edges())[:1]],
        "nodelist": [nodes[::-1], pick(3)],
        "dtype": [float, int],
        "format": ["csc", "bad"],
        "walk_length": [0, 3],
        "number_of_sets": [3, 1, 0],
        "top_nodes": [pick(2)],
        "row_order": [list(half[0]), pick(3)],
        "column_order": [list(half[1])],
        **dict.fromkeys(("ratio", "jaccard", "multigraph"), [False, True]),
        "default_weight": [2],
        "algorithm": ["prim", "kruskal", "bad"],
        **dict.fromkeys(("reverse", "return_seen", "ignore_nan", "oriented", "undirected"), [True]),
        **dict.fromkeys(("count_zeros", "wf_improved"), [False]),
        **dict.fromkeys(("resolution", "r", "alpha"), [0.5, 2]),
        **dict.fromkeys(("best_n", "number_of_nodes"), [1, 2]),
        "multigraph_weight": [min, max],
        "nonedge": [-1, math.inf],
        "order": ["F"],
        **dict.fromkeys(("center", "normalized", "data", "keys", "endpoints"), [False, True]),
    }


def test_views_are_converted():
    for cls in (nx.Graph, nx.MultiDiGraph):
        graph = cls([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])
        for view in (graph.subgraph([0, 1, 2]), graph.edge_subgraph(list(graph.edges)[:2])):
            assert nx.to_numpy_array(view, backend="gridblas").tolist() == nx.to_numpy_array(view, backend="networkx").tolist()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_graphs_are_copied_with_their_cache(copied):
    for cls in (nx.Graph, nx.MultiDiGraph):
        graph = cls()
        graph.add_edge("a", (1, 2), weight=3, length=0.5)
        graph.add_edge("a", 7, weight=2, length=4.0)
        nx.single_source_dijkstra_path_length(graph, "a", backend="gridblas")  # reads `weight` alone
        other = copied(graph)
        for weight in ("weight", "length"):
            gridblas_result = nx.single_source_dijkstra_path_length(other, "a", weight=weight, backend="gridblas")
            assert gridblas_result == nx.single_source_dijkstra_path_length(graph, "a", weight=weight, backend="networkx")
        other.add_edge(7, 8)
        assert 8 in nx.descendants(other, "a", backend="gridblas") and 8 not in graph
    for created in (nx.Graph, nx.DiGraph):
        path = nx.path_graph(4, create_using=created, backend="gridblas")
        assert plain(copied(path)) == plain(path)


@pytest.mark.parametrize("weight", ["weight", "time", "nothing"])
def test_a_converted_graph_in_the_cache_has_all_attributes(weight, rng):
    graph = nx.gnm_random_graph(12, 30, seed=3)
    nx.set_edge_attributes(graph, {edge: {"time": int(k), "capacity": int(9 - k)} for edge, k in zip(graph.edges, rng.integers(1, 9, 30))})
    nx.set_node_attributes(graph, {node: node % 3 for node in graph}, "community")
    nx.minimum_spanning_tree(graph, weight=weight, backend="gridblas")  # its conversion serves functions of other attributes, too
    for call in (
        lambda backend: nx.maximum_flow_value(graph, 0, 5, backend=backend),
        lambda backend: nx.single_source_dijkstra(graph, 0, weight=weight, backend=backend),
        lambda backend: nx.single_source_dijkstra(graph, 0, weight="capacity", backend=backend),
        lambda backend: list(nx.cn_soundarajan_hopcroft(graph, [(0, 5), (1, 7)], backend=backend)),
        lambda backend: round(nx.attribute_assortativity_coefficient(graph, "community", backend=backend), 9),
    ):
        assert plain(call("gridblas")) == plain(call("networkx"))
    for backend in ("gridblas", "networkx"):
        with pytest.raises(nx.NetworkXUnbounded):
            nx.maximum_flow_value(graph, 0, 5, capacity="nothing", backend=backend)


def test_graphs_of_arrays_get_no_attribute_by_a_call_that_looks_for_it():
    graph = nx.from_numpy_array(np.triu(np.ones((3, 3))), edge_attr=None, create_using=nx.DiGraph, backend="gridblas")
    assert nx.single_source_dijkstra_path_length(graph, 0, backend="gridblas")[2] == 1
    assert list(graph.reverse().edges(data=True)) == list(nx.reverse(graph, backend="gridblas").edges(data=True))
    assert all(data == {} for *_, data in nx.relabel_nodes(graph, dict(enumerate("abc")), backend="gridblas").edges(data=True))


@pytest.mark.parametrize("capacity", ["weight", "capacity"])
def test_edges_without_capacity_are_infinite_in_graphs_of_the_cache(capacity):
    graph = nx.Graph([(0, 1, {capacity: 3}), (1, 2), (0, 3), (3, 2, {capacity: 1})])
    nx.minimum_spanning_tree(graph, backend="gridblas")  # converts all attributes, and reads weights
    with pytest.warns(UserWarning, match="cached"):
        assert nx.maximum_flow_value(graph, 0, 2, capacity=capacity, backend="gridblas") == 4
    assert nx.shortest_path_length(graph, 0, 2, weight=capacity, backend="gridblas") == 2


@pytest.mark.parametrize("kind", [np.float32, np.int32, np.uint8, np.bool_, np.float16])
def test_numbers_whose_sums_are_rounded_are_declined(kind):
    graph = nx.Graph()
    graph.add_edge(0, 1, weight=kind(1))
    for other in (kind(1), 2):  # alone, and beside Python's
        graph.add_edge(1, 2, weight=other)
        with pytest.raises(NotImplementedError):
            nx.single_source_dijkstra_path_length(graph, 0, backend="gridblas")


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
@pytest.mark.parametrize("loop", [False, True])
def test_matrices_of_true_and_false(kind, loop):
    graph = kind([(0, 1, {"near": True}), (1, 2, {"near": False}), (2, 0, {"near": True})] + loop * [(1, 1, {"near": True})])
    gridblas_result, networkx_result = (nx.adjacency_matrix(graph, weight="near", backend=backend) for backend in ("gridblas", "networkx"))
    assert gridblas_result.dtype == networkx_result.dtype and gridblas_result.toarray().tolist() == networkx_result.toarray().tolist()
    assert nx.shortest_path_length(graph, 0, 2, weight="near", backend="gridblas") == nx.shortest_path_length(graph, 0, 2, weight="near")


def test_subgraphs_of_views_have_the_order_of_networkx():
    graph = nx.grid_2d_graph(6, 7)
    for seen in (graph.edge_subgraph(list(graph.edges)[:20]), graph.subgraph(list(graph)[5:30])):
        gridblas_result, networkx_result = (nx.ego_graph(seen, list(seen)[0], radius=3, backend=backend) for backend in ("gridblas", "networkx"))
        assert list(gridblas_result.edges) == list(networkx_result.edges) and list(gridblas_result) == list(networkx_result)


def test_views_follow_their_graphs():
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 3), (0, 2)])
    views = graph.subgraph([0, 1, 2]), graph.reverse(copy=False), graph.to_undirected(as_view=True)
    for edge in ((0, 2), (0, 1)):
        for view in views:
            assert nx.to_numpy_array(view, backend="gridblas").tolist() == nx.to_numpy_array(view, backend="networkx").tolist()
        graph.remove_edge(*edge)


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_undirected_views_of_edges_with_two_weights_are_declined(kind):
    graph = kind([(0, 1, {"weight": 3}), (1, 2, {"weight": 2}), (1, 0, {"weight": 3})])
    view = graph.to_undirected(as_view=True)
    for seen in (view, view.subgraph([0, 1])):
        assert nx.to_numpy_array(seen, backend="gridblas").tolist() == nx.to_numpy_array(seen, backend="networkx").tolist()
    (graph[1][0] if kind is nx.DiGraph else graph[1][0][0])["weight"] = 4
    for seen in (view, view.subgraph([0, 1])):
        assert nx.is_connected(seen, backend="gridblas")
        with pytest.raises(NotImplementedError, match="raised NotImplementedError"):
            nx.to_numpy_array(seen, backend="gridblas")


def test_attributes_of_opposite_edges_are_not_taken_from_one_direction():
    graph = nx.DiGraph([(0, 1, {"a": 1}), (1, 2, {"a": 1}), (2, 0, {"a": 1}), (1, 0, {"a": 2, "b": 3})])
    for function in (nx.k_truss, nx.k_core, nx.minimum_spanning_tree, nx.ego_graph):
        view, given = graph.to_undirected(as_view=True), {"k": 2, "n": 0}
        given = {name: value for name, value in given.items() if name in inspect.signature(function).parameters}
        try:
            assert plain(function(view, **given, backend="gridblas")) == plain(function(view, **given, backend="networkx"))
        except NotImplementedError:
            assert function is nx.k_truss


def calls(graph, function, r):
    """Arguments by name: needed ones alone, each optional one, and some together."""
    values = choices(graph, r)
    parameters = list(inspect.signature(function).parameters.values())[1:]
    needed = [p.name for p in parameters if (p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD) or p.name == "seed"]
    optional = [p.name for p in parameters if p.default is not p.empty and p.name in values and p.name not in needed]
    for first in itertools.islice(itertools.product(*(values.get(name, [1]) for name in needed)), 3):
        given = dict(zip(needed, first))
        yield given
        yield from ({**given, name: r.choice(values[name])} for name in optional)
        yield {**given, **{name: r.choice(values[name]) for name in optional if r.random() < 0.5}}


def plain(x):
    """A result that can be compared."""
    if getattr(x, "__networkx_backend__", "networkx") == "gridblas":
        return plain(x.original())
    if isinstance(x, nx.Graph):
        return type(x), x.graph, dict(x.nodes(data=True)), list(x), list(x.edges(data=True)), [list(others) for others in x._adj.values()]
    if hasattr(x, "to_numpy"):
        return list(x.index), list(x.columns), plain(x.to_numpy())
    if hasattr(x, "toarray"):
        return type(x), plain(x.toarray())
    if hasattr(x, "tolist"):
        return x.dtype, x.shape, x.tolist()
    if hasattr(x, "__next__") or isinstance(x, type({}.values())):
        return [plain(y) for y in x]
    if isinstance(x, dict):
        return {key: plain(value) for key, value in x.items()}
    if isinstance(x, (list, tuple)):
        return type(x)(plain(y) for y in x)
    return x


def of_matching(graph, found):
    """How many edges it has, and whether it is one."""
    return type(found), len(found), nx.is_maximal_matching(nx.Graph(graph), found)


def of_flow(graph, found):
    """The value, and where each node's flow goes; what arrives leaves."""
    value, flow = found
    excess = dict.fromkeys(flow, 0)
    for u, v, x in ((u, v, x) for u, others in flow.items() for v, x in others.items()):
        assert x >= 0
        excess[u] -= x
        excess[v] += x
    ends = sorted(x for x in excess.values() if abs(x) > 1e-9)
    return type(value), value, {u: set(others) for u, others in flow.items()}, ends


def of_cliques(graph, found):
    """How many there are, of how many nodes, and their sets."""
    found = list(found)
    return len(found), sum(map(len, found)), {frozenset(clique) for clique in found}


def of_cycles(graph, found):
    """Each cycle from the same node on, in the same direction."""
    place, cycles = {node: k for k, node in enumerate(graph)}, []
    for cycle in found:
        numbers = [place[node] for node in cycle]
        first = numbers.index(min(numbers))
        numbers = numbers[first:] + numbers[:first]
        if not graph.is_directed() and numbers[1:2] > numbers[-1:]:
            numbers[1:] = numbers[:0:-1]
        cycles.append(numbers)
    return sorted(cycles)


# What is compared where the order of results, or which of several is found, is unspecified.
COMPARED = {
    **dict.fromkeys(("eppstein_matching", "hopcroft_karp_matching"), of_matching),
    "maximum_flow": of_flow,
    "find_cliques": of_cliques,
    "simple_cycles": of_cycles,
    **dict.fromkeys(("all_simple_paths", "all_simple_edge_paths"), lambda graph, found: list(itertools.islice(found, 500))),  # of millions
    "shortest_simple_paths": lambda graph, found: list(itertools.islice(found, 40)),
}


def outcome(function, graph, backend, given):
    compared = COMPARED.get(function.__name__, lambda graph, found: found)
    try:
        return plain(compared(graph, function(graph.copy(), backend=backend, **given)))
    except NotImplementedError:
        return NotImplemented
    except ZeroDivisionError:
        return ZeroDivisionError  # its text depends on Python's version
    except Exception as error:
        return type(error), str(error)


def same(a, b):
    if isinstance(a, float) or isinstance(b, float):  # sums are added in another order
        numbers = isinstance(a, (int, float)) and isinstance(b, (int, float))
        return numbers and (a == b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) or (a != a and b != b))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def same_graph(function, *args, **options):
    made = function(*args, backend="gridblas", **options)
    expected = function(*args, backend="networkx", **options)
    assert made.__networkx_backend__ == "gridblas"
    assert plain(made.original()) == plain(expected)
    if expected.is_directed():
        assert [list(before) for before in made.pred.values()] == [list(before) for before in expected.pred.values()]
    assert nx.to_numpy_array(made).tolist() == nx.to_numpy_array(expected).tolist()
    assert nx.single_source_shortest_path(made, list(made)[0]) == nx.single_source_shortest_path(expected, list(made)[0])
    assert made.degree(list(made)[0]) == expected.degree(list(made)[0]) and made.number_of_edges() == expected.number_of_edges()
    with pytest.raises(nx.NetworkXError, match="[Ff]rozen"):
        made.add_edge(0, 1)


@pytest.mark.parametrize("create_using", [None, nx.DiGraph])
@pytest.mark.parametrize("nodes, dtype", [(range(9), None), ("abcdefghi", object), ("abcdefghi", "string")])
def test_tables_become_graphs(create_using, nodes, dtype):
    pandas = pytest.importorskip("pandas")
    r = random.Random(3)
    columns = {
        "source": r.choices(nodes, k=30),
        "target": r.choices(nodes, k=30),
        "hours": r.choices([1, 2, 3], k=30),
        "length": [r.random() for _ in range(30)],
    }
    table = pandas.DataFrame(
        {name: pandas.Series(values, dtype=dtype if name in ("source", "target") else None) for name, values in columns.items()}
    )
    for edge_attr in (None, "hours", ["hours", "length"], True):
        same_graph(nx.from_pandas_edgelist, table, edge_attr=edge_attr, create_using=create_using)


@pytest.mark.parametrize("create_using", [None, nx.DiGraph])
@pytest.mark.parametrize("dtype", [int, float, "float32", "uint8"])
def test_arrays_become_graphs(create_using, dtype, rng):
    scipy = pytest.importorskip("scipy")
    array = (rng.integers(0, 3, (7, 7)) * rng.integers(0, 2, (7, 7))).astype(dtype)
    same_graph(nx.from_numpy_array, array, create_using=create_using)
    same_graph(nx.from_numpy_array, array, create_using=create_using, edge_attr=None, nodelist=list("gabcdef"))
    for form in ("csr_array", "coo_array"):
        sparse = getattr(scipy.sparse, form)(array)
        same_graph(nx.from_scipy_sparse_array, sparse, create_using=create_using, edge_attribute="x")
        same_graph(nx.bipartite.from_biadjacency_matrix, sparse[:4] if form == "csr_array" else sparse, create_using=create_using, edge_attribute="x")


@pytest.mark.parametrize("name", sorted(name for name in interface.returns_frozen if name.endswith("_graph")))
def test_generators_make_the_graphs_of_networkx(name):
    dispatchable = backends._registered_algorithms[name].orig_func
    parameters = list(inspect.signature(dispatchable).parameters)
    function = getattr(sys.modules[dispatchable.__module__], name)
    counted = [p for p in parameters if p != "create_using" and p != "default"]
    values = [0, 1, 2, 3, 6, -1, "abca", [7, "z", (1, 2)]]
    pairs = [*itertools.product([0, 1, 2, 3, 5, -1], repeat=2), ("ab", 3), (3, "ab"), ("xyz", "uvw"), ("ab", "bc"), ([1, 2, 3], [9])]
    several = [(), (2, 0, 3), *pairs] if name == "complete_multipartite_graph" else pairs
    arguments = [[()], [(value,) for value in values], several][min(len(counted), 2)] if several is pairs else several
    classes = [None, nx.Graph, nx.DiGraph, nx.MultiGraph] if "create_using" in parameters else [None]
    answered = 0
    for given, create_using in itertools.product(arguments, classes):
        options = {} if create_using is None else {"create_using": create_using}
        gridblas_result, networkx_result = (made_graph(function, backend, given, options) for backend in ("gridblas", "networkx"))
        if gridblas_result is not NotImplemented:
            assert gridblas_result == networkx_result, (given, create_using)
            answered += 1
    assert answered


def made_graph(function, backend, given, options):
    """What a generator makes, with the order of predecessors; or its exception."""
    try:
        graph = function(*given, backend=backend, **options)
    except NotImplementedError:
        return NotImplemented
    except Exception as error:
        return type(error), str(error)
    assert graph.__networkx_backend__ == backend
    return plain(graph), [list(before) for before in graph._pred.values()] if graph.is_directed() else None


@pytest.mark.parametrize("create_using", [nx.Graph, nx.DiGraph])
def test_graphs_of_arrays_get_other_names_and_directions(create_using, rng):
    array = rng.integers(0, 3, (7, 7)) * rng.integers(0, 2, (7, 7))
    made, expected = (
        nx.from_numpy_array(array, create_using=create_using, nodelist=list("gabcdef"), backend=backend)
        for backend in ("gridblas", "networkx")
    )
    for function, options in (
        (nx.reverse, {}),
        (nx.complement, {}),
        (nx.relabel_nodes, {"mapping": {"a": 7, "g": "a"}}),
        (nx.convert_node_labels_to_integers, {"first_label": 3, "label_attribute": "letter"}),
    ):
        try:
            networkx_result = plain(function(expected, backend="networkx", **options))
        except nx.NetworkXError as error:
            with pytest.raises(nx.NetworkXError, match=re.escape(str(error))):
                function(made, backend="gridblas", **options)
            continue
        assert plain(function(made, backend="gridblas", **options)) == networkx_result
    lists = nx.to_dict_of_lists(expected)
    assert nx.to_dict_of_lists(made) == lists
    same_graph(nx.from_dict_of_lists, lists, create_using=create_using)
    with pytest.raises(NotImplementedError):
        nx.relabel_nodes(made, {"a": "b"}, backend="gridblas")


def test_graphs_of_arrays_are_searched():
    kinds = [{"create_using": kind} for kind in (nx.Graph, nx.DiGraph)]
    made, expected = ([nx.complement(nx.path_graph(6, backend=b, **kind), backend=b) for kind in kinds] for b in ("gridblas", "networkx"))
    for graph, other in zip(made, expected):
        assert nx.single_source_shortest_path(graph, 0, backend="gridblas") == nx.single_source_shortest_path(other, 0, backend="networkx")
        assert nx.pagerank(graph, backend="gridblas") == pytest.approx(nx.pagerank(other, backend="networkx"))


def test_classes_with_custom_neighbours_are_declined():
    class Empty(nx.Graph):
        def __getitem__(self, node):
            return {}

    class Named(nx.Graph):
        label = "x"

    with pytest.raises(NotImplementedError):
        nx.core_number(Empty([(0, 1)]), backend="gridblas")
    named = Named(nx.complete_graph(5).edges)
    assert nx.core_number(Named([(0, 1)]), backend="gridblas") == {0: 1, 1: 1}
    for function, k in ((nx.k_core, 3), (nx.k_truss, 3), (nx.ego_graph, 2)):
        assert plain(function(named, k, backend="gridblas")) == plain(function(named, k, backend="networkx"))


def test_cliques_of_larger_graphs_come_in_parts(monkeypatch):
    monkeypatch.setattr(cliques, "ROOM", 7)
    hubs = nx.gnp_random_graph(150, 0.1, seed=1)
    hubs.add_edges_from((hub, v) for hub in (0, 1, 2) for v in hubs)  # with loops
    for graph in (hubs, nx.gnp_random_graph(80, 0.5, seed=2), nx.complete_graph(130), nx.complete_multipartite_graph(*[3] * 6), nx.MultiGraph(hubs)):
        for function in (nx.find_cliques, nx.node_clique_number):
            assert outcome(function, graph, "gridblas", {}) == outcome(function, graph, "networkx", {})
    many = nx.complete_multipartite_graph(*[3] * 40)  # 3^40 cliques
    assert len(next(nx.find_cliques(many, backend="gridblas"))) == 40


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("room, steps", [(64, 3), (1 << 15, 1 << 22)])
def test_simple_paths_and_cycles_come_in_parts(kind, room, steps, monkeypatch):
    monkeypatch.setattr(order, "ROOM", room)
    monkeypatch.setattr(order, "STEPS", steps)
    r = random.Random(3)
    for n, m in ((0, 0), (8, 18), (11, 24), (30, 33)):
        graph = kind()
        graph.add_nodes_from(range(n))
        graph.add_edges_from((r.randrange(n), r.randrange(n)) for _ in range(m))
        for function in (nx.all_simple_paths, nx.all_simple_edge_paths):
            for given in ({"target": 5}, {"target": [3, 1, "absent"]}, {"target": "absent"}, {"target": 5, "cutoff": 2.5}, {"target": 5, "cutoff": math.inf}):
                given = {"source": r.randrange(n + 1), **given}
                assert outcome(function, graph, "gridblas", given) == outcome(function, graph, "networkx", given)
        for bound in (None, -1, 0, 1, 2, 3, 4, 5, 7, 40):
            given = {"length_bound": bound}
            assert outcome(nx.simple_cycles, graph, "gridblas", given) == outcome(nx.simple_cycles, graph, "networkx", given)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_simple_paths_come_by_length_as_from_networkx(kind):
    r = random.Random(5)
    for graph in (kind(nx.grid_2d_graph(5, 5)), kind(nx.gnm_random_graph(25, 80, seed=4, directed=True)), kind([(0, 1), (1, 2), (0, 2), (3, 4)])):
        for k, (u, v) in enumerate(graph.edges):
            graph[u][v].update(length=r.random(), steps=r.randint(0, 3), far=r.choice([1, 2, math.inf]), both=(0.1, 1)[k % 2])
        source, target = list(graph)[0], list(graph)[-1]
        for ends in ((source, target), (target, source), (source, source), (source, "absent"), ("absent", target)):
            for weight in (None, "length", "steps", "far", "nothing"):
                results = [outcome(nx.shortest_simple_paths, graph, backend, {**dict(zip(("source", "target"), ends)), "weight": weight}) for backend in BOTH]
                assert results[0] == results[1]
        with pytest.raises(NotImplementedError):  # Python adds a whole number to a sum of rounded ones in another way
            nx.shortest_simple_paths(graph, source, target, weight="both", backend="gridblas")


def test_a_search_of_cycles_does_not_pass_through_what_fell_apart(monkeypatch):
    calls = []

    def counted(names, longest, find, ended):
        return order.in_parts(names, longest, lambda *room: calls.append(1) or find(*room), ended)

    monkeypatch.setattr(order, "STEPS", 1000)
    monkeypatch.setattr(simple_cycles, "in_parts", counted)
    graph = nx.reverse(nx.cycle_graph(3000, create_using=nx.DiGraph), copy=True)
    assert len(list(nx.simple_cycles(graph, backend="gridblas"))) == 1
    assert len(calls) < 30  # a search from each node through the rest of the path would take more than 1000


def networks():
    """Graphs with demands, capacities and costs: of ties, floating, infinite, of negative costs, and without a flow."""
    r = random.Random(6)
    for n, m, prices, capacities in (
        (12, 40, range(5), range(6)),
        (20, 90, range(-3, 9), range(4)),
        (8, 20, [1, 2], [3, math.inf]),
        (10, 40, [0.25, 1.5], [1, 2]),
        (3, 6, [math.inf], [1]),
        (3, 6, [1], [-1]),
    ):
        for amount in (1, 9):
            graph = nx.gnm_random_graph(n, m, seed=n, directed=True)
            graph.add_edges_from([(2, 2), (1, 1)])
            for _, _, data in graph.edges(data=True):
                data.update(cost=r.choice(prices), room=r.choice(capacities))
            for u, v in zip(range(n), (-1, 0, 1)):
                graph.nodes[u]["need"] = amount * v
            yield nx.relabel_nodes(graph, {0: "a", 1: (1, 2)})


@pytest.mark.parametrize("steps", [1, 1 << 24])
def test_flows_of_least_cost_are_those_of_networkx(steps, monkeypatch):
    monkeypatch.setattr(costs, "STEPS", steps)
    names, ends = {"capacity": "room", "weight": "cost"}, {"s": "a", "t": 2}
    needs = {"demand": "need"}
    kinds = []
    for graph in (*networks(), nx.DiGraph(), nx.Graph([(0, 1)])):
        for function, given in ((nx.network_simplex, needs), (nx.min_cost_flow, needs), (nx.min_cost_flow_cost, {}), (nx.max_flow_min_cost, ends)):
            gridblas_result, networkx_result = (outcome(function, graph, backend, {**names, **given}) for backend in BOTH)
            assert gridblas_result == networkx_result or (function is nx.max_flow_min_cost and gridblas_result is NotImplemented)
            kinds.append(type(gridblas_result))
    assert {int, dict} < set(kinds) and kinds.count(dict) > 10


def test_a_search_of_cycles_passes_through_one_biconnected_component():
    graph = nx.Graph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (4, 5)])
    nodes = simple_cycles._renumbered(interface.backend.convert_from_nx(graph))[2]
    assert sorted(nodes.tolist()) == [0, 1, 2, 2, 3, 4, 4, 5]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_the_first_of_very_many_paths_and_cycles_come_at_once(kind):
    graph = nx.complete_graph(60, kind)
    nx.set_edge_attributes(graph, 0, "weight")
    for found in (
        nx.all_simple_paths(graph, 0, 9, backend="gridblas"),
        nx.all_simple_edge_paths(graph, 0, 9, backend="gridblas"),
        nx.all_shortest_paths(graph, 0, 9, weight="weight", backend="gridblas"),
        nx.simple_cycles(graph, backend="gridblas"),
    ):
        assert len(list(itertools.islice(found, 300))) == 300
    graph.add_edge(60, 61)  # which no path leads to
    assert not list(nx.all_simple_paths(graph, 0, 60, backend="gridblas"))


@pytest.mark.skipif(dictionaries._functions is None or not hasattr(signal, "setitimer"), reason="no library that makes lists, or no timer")
def test_very_many_shortest_paths_can_be_interrupted():
    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    graph = nx.complete_graph(40)  # 10^46 paths
    nx.set_edge_attributes(graph, 0, "weight")
    found = nx.single_source_all_shortest_paths(graph, 0, weight="weight", backend="gridblas")
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            list(found)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def weighted_graphs():
    """Graphs whose matchings have blossoms in blossoms: of few weights, of many, below 0, floating, and of a node to all."""
    r = random.Random(4)
    for n, m, weights in ((60, 150, range(1, 4)), (80, 300, range(1, 999)), (40, 90, range(-9, 9)), (50, 200, [r.random() for _ in range(99)])):
        graph = nx.gnm_random_graph(n, m, seed=n)
        graph.add_edge(3, 3)
        for u, v in graph.edges:
            graph[u][v]["weight"] = r.choice(weights)
        yield nx.relabel_nodes(graph, {0: "a", 1: (1, 2)})
    yield nx.wheel_graph(31)
    graph = nx.Graph()  # a blossom that had no arcs to others when it was made becomes part of one
    edges = "2-7:1 2-0:1 2-13:2 7-5:3 7-0:2 11-5:3 11-10:1 11-3:2 6-1:2 1-3:1 3-10:2 3-9:1 3-12:2 10-0:2 0-9:7 9-12:2"
    graph.add_weighted_edges_from((u, v, int(w) / 10) for u, v, w in (re.split("[-:]", edge) for edge in edges.split()))
    yield graph


@pytest.mark.parametrize("steps", [1, 1 << 26])
def test_matchings_by_weight_are_those_of_networkx(monkeypatch, steps):
    monkeypatch.setattr(matchings, "STEPS", steps)
    for graph in weighted_graphs():
        for function, given in ((nx.max_weight_matching, {}), (nx.max_weight_matching, {"maxcardinality": True}), (nx.min_weight_matching, {})):
            assert outcome(function, graph, "gridblas", given) == outcome(function, graph, "networkx", given)


@pytest.mark.parametrize("steps", [1, 1 << 20])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_edges_of_largest_betweenness_are_removed_as_by_networkx(kind, steps, monkeypatch):
    monkeypatch.setattr(divisive, "STEPS", steps)
    several = [kind(nx.grid_2d_graph(4, 5)), kind(nx.hypercube_graph(4)), kind(nx.gnm_random_graph(30, 60, seed=2)), kind([(0, 0)])]
    two = nx.compose(nx.petersen_graph(), nx.relabel_nodes(nx.petersen_graph(), lambda k: 19 - k))
    for graph in (*several, kind([*two.edges, (0, 12), (3, 3), ("a", "b")])):
        for function, given in ((nx.community.girvan_newman, {}), (nx.community.edge_betweenness_partition, {"number_of_sets": 4})):
            gridblas_result = outcome(function, graph, "gridblas", given)
            assert gridblas_result in (outcome(function, graph, "networkx", given), NotImplemented)
            assert gridblas_result is not NotImplemented or (kind is nx.DiGraph and "number_of_sets" in given)


def test_cycles_are_distance_regular_as_far_as_networkx_says():
    r = random.Random(2)
    graphs = [nx.cycle_graph(n) for n in (1, 3, 10, 60)] + [nx.hypercube_graph(4), nx.random_regular_graph(3, 40, seed=1)]
    for graph in graphs:
        nodes = list(graph)
        r.shuffle(nodes)
        shuffled = nx.Graph()
        shuffled.add_nodes_from(nodes)
        shuffled.add_edges_from(graph.edges)
        assert outcome(nx.intersection_array, shuffled, "gridblas", {}) == outcome(nx.intersection_array, shuffled, "networkx", {})


def test_kinds_of_edges_are_the_strings_of_networkx():
    graph = nx.petersen_graph()
    kinds = {id(kind) for _, _, kind in nx.bfs_labeled_edges(graph, 0, backend="networkx")}
    assert {id(kind) for _, _, kind in nx.bfs_labeled_edges(graph, 0, backend="gridblas")} == kinds


def test_edges_of_no_number_are_left_out_of_spanning_trees_or_an_error():
    graph = nx.complete_graph(5)
    for k, (u, v) in enumerate(graph.edges):
        graph[u][v]["weight"] = math.nan if k % 3 == 0 else 10 - k
    for options in ({}, {"ignore_nan": True}):
        for function in (nx.minimum_spanning_edges, nx.maximum_spanning_tree):
            assert outcome(function, graph, "gridblas", options) == outcome(function, graph, "networkx", options)


def test_weights_of_minus_infinity_are_declined():
    graph = nx.DiGraph([(0, 1), (1, 2)])
    graph.add_edge(0, 2, weight=-math.inf)
    for function in (nx.negative_edge_cycle, nx.all_pairs_bellman_ford_path_length, nx.all_pairs_bellman_ford_path):
        with pytest.raises(NotImplementedError):
            function(graph, backend="gridblas")


WITH_SUMS = {
    **dict.fromkeys(("all_pairs_dijkstra_path_length", "all_pairs_bellman_ford_path_length", "all_pairs_bellman_ford_path", "floyd_warshall"), {}),
    **dict.fromkeys(("single_source_dijkstra_path_length", "single_source_bellman_ford_path_length", "single_source_bellman_ford"), {"source": 0}),
    **dict.fromkeys(("bellman_ford_path_length", "bellman_ford_path", "dijkstra_path_length"), {"source": 0, "target": 1}),
    **dict.fromkeys(("cut_size", "volume", "conductance", "edge_expansion", "mixing_expansion"), {"S": [0, 1], "weight": "weight"}),
    **dict.fromkeys(("constraint", "flow_hierarchy"), {"weight": "weight"}),
    **dict.fromkeys(("maximum_flow_value", "minimum_cut_value"), {"_s": 0, "_t": 2, "capacity": "weight"}),
    **dict.fromkeys(("pagerank", "to_numpy_array"), {}),
}


@pytest.mark.parametrize("name", WITH_SUMS)
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
@pytest.mark.parametrize("values", [[2**62, 2**62, 2**62, 2**62 + 1], [math.inf, 1, math.inf, 4], [1e308, 1e308, 1e308, 1.5e308]])
def test_sums_of_large_weights_are_those_of_networkx_or_declined(name, kind, values):
    graph = kind()
    graph.add_weighted_edges_from((u, v, value) for (u, v), value in zip([(0, 1), (1, 2), (2, 3), (0, 3)], values))
    graph.add_edge(3, 4, weight=2)
    if graph.is_multigraph():
        graph.add_edge(0, 1, weight=values[1])
    function = getattr(nx, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gridblas_result, networkx_result = (outcome(function, graph, backend, WITH_SUMS[name]) for backend in ("gridblas", "networkx"))
    assert gridblas_result is NotImplemented or same(gridblas_result, networkx_result)
    assert gridblas_result is not NotImplemented or "bellman_ford" not in name or math.inf not in values


# Calls that once had other answers, or NumPy's exceptions: function, class, edges with a value, arguments. They may be declined.
LARGE, LOOP = 2**53 + 1, (0, 0)
ODD_CALLS = [
    (nx.maximum_flow_value, nx.DiGraph, {(0, 1): LARGE, (1, 2): None}, {"_s": 0, "_t": 2, "capacity": "weight"}),
    (nx.minimum_cut_value, nx.Graph, {(0, 1): None, (1, 2): 2**62 - 1}, {"_s": 0, "_t": 2, "capacity": "weight"}),
    (nx.volume, nx.Graph, {LOOP: 2**62}, {"S": [0], "weight": "weight"}),
    *((nx.community.modularity, nx.Graph, {(0, 1): x, (1, 2): 1e-200}, {"communities": [{0, 1}, {2}]}) for x in (math.inf, -math.inf, 1e-190, 1e200)),
    *((nx.pagerank, kind, {LOOP: math.inf, (0, 1): 1, (1, 2): 3}, {}) for kind in (nx.Graph, nx.DiGraph, nx.MultiGraph)),
    (nx.pagerank, nx.DiGraph, {(0, 1): math.inf, (1, 2): 3, (2, 0): 1}, {}),
    (nx.pagerank, nx.DiGraph, {(0, 1): 1, (1, 2): 3}, {"dangling": {0: 0}}),
    (nx.pagerank, nx.DiGraph, {(0, 1): 1, (1, 2): 3}, {"nstart": {0: 0}}),
    (nx.pagerank, nx.Graph, {(0, 1): 1}, {"alpha": 1.5}),
    (nx.pagerank, nx.Graph, {(0, 1): 1, (1, 2): 1}, {"personalization": {0: 1}}),
    *((function, nx.Graph, {(0, 1): math.inf, (1, 2): 3}, {"weight": "weight"}) for function in (nx.eigenvector_centrality, nx.katz_centrality)),
    *((function, nx.Graph, {(0, 1): 1, (2, 3): 1}, {"nstart": {0: 1, 1: 1}}) for function in (nx.eigenvector_centrality, nx.katz_centrality)),
    (nx.katz_centrality, nx.DiGraph, {(0, 1): 1e160, (0, 2): 1}, {"weight": "weight"}),
    (nx.pagerank, nx.Graph, {(0, 1): 1}, {"tol": -1}),
    (nx.flow_hierarchy, nx.DiGraph, {(0, 1): 1e308}, {"weight": "weight"}),
    *((nx.bridges, kind, {(6, 7): 1, (9, 1): 1, (5, 1): 1, (2, 3): 1}, {"root": 5}) for kind in (nx.Graph, nx.MultiGraph)),
    (nx.bellman_ford_path_length, nx.Graph, {(0, 1): 1}, {"source": 7, "target": 7}),
    *((nx.predecessor, nx.Graph, {(0, 1): 1}, {"source": 0, "cutoff": cutoff}) for cutoff in (math.inf, -math.inf)),
    (nx.floyd_warshall_numpy, nx.MultiGraph, {(0, 1): 3, (1, 0): math.nan}, {}),
    *((nx.to_numpy_array, nx.MultiGraph, {(0, 1): x}, {"nonedge": 5}) for x in (math.inf, math.nan, 1e300, 2.5)),
    (nx.to_scipy_sparse_array, nx.Graph, {LOOP: math.inf}, {}),
    *((nx.to_scipy_sparse_array, nx.Graph, {(0, 1): x}, {"dtype": "int8"}) for x in (2**40, 100, 2.5)),
    *((nx.to_scipy_sparse_array, nx.Graph, {LOOP: x}, {"dtype": kind}) for x, kind in ((3, "uint8"), (-128, "int8"), (1e160, "float32"))),
    *((nx.incidence_matrix, nx.Graph, {(0, 1): x}, {"weight": "weight", "dtype": "int8"}) for x in (2**40, 1e300, 2.5)),
    *((nx.max_weight_matching, nx.Graph, {(0, 1): x, (1, 2): 1}, {}) for x in (2**53 + 1, 2**62, math.inf, math.nan, 1e308)),
    *((nx.min_weight_matching, nx.Graph, {(0, 1): x, (1, 2): -x - 1}, {}) for x in (2**52, 2**62, math.inf, math.nan, 1e308)),
    *((nx.min_weight_matching, nx.Graph, {(0, 1): 1}, {"weight": weight}) for weight in (None, False, True)),
    (nx.bipartite.biadjacency_matrix, nx.Graph, {(0, 1): 2, (0, 2): 0.0}, {"row_order": [0], "column_order": [1]}),
]


@pytest.mark.parametrize("function, kind, edges, given", ODD_CALLS)
def test_odd_values_have_the_answers_of_networkx_or_none(function, kind, edges, given):
    graph = kind()
    for (u, v), value in edges.items():
        graph.add_edge(u, v, **({} if value is None else {"weight": value}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gridblas_result, networkx_result = (outcome(function, graph, backend, given) for backend in ("gridblas", "networkx"))
    if gridblas_result is not NotImplemented:
        assert same(gridblas_result, networkx_result)
        assert getattr(gridblas_result, "dtype", None) == getattr(networkx_result, "dtype", None)


def test_rounded_sums_of_large_weights_are_declined():
    weights = [2**62, 2**62 - 7168, *[1] * 126]
    weights[8::8] = [511] * 15  # a sum in doubles loses these beside the first
    assert sum(weights) >= 2**63 > np.abs(np.array(weights, float)).sum()
    graph = nx.DiGraph()
    graph.add_weighted_edges_from((v, v + 1, weight) for v, weight in enumerate(weights))
    with pytest.raises(NotImplementedError):
        nx.dijkstra_path_length(graph, 0, 128, backend="gridblas")


def test_weights_that_are_not_a_number_are_left_to_networkx():
    graph = nx.path_graph(4)
    graph.add_edge(1, 2, weight=math.nan)
    for call in (nx.single_source_dijkstra_path_length, nx.single_source_bellman_ford_path_length, nx.katz_centrality):
        given = {"weight": "weight"} if call is nx.katz_centrality else {"source": 0}
        assert outcome(call, graph, "gridblas", given) is NotImplemented
    assert outcome(nx.floyd_warshall, graph, "gridblas", {}) is NotImplemented


def test_an_expansion_is_of_nodes_of_the_graph():
    assert outcome(nx.node_expansion, nx.path_graph(4), "gridblas", {"S": {1, "absent"}}) is NotImplemented


def test_a_graph_of_the_backend_says_what_it_is():
    for created in (nx.Graph, nx.DiGraph):
        gridblas_result, networkx_result = (nx.path_graph(4, create_using=created, backend=backend) for backend in ("gridblas", "networkx"))
        assert str(gridblas_result) == str(networkx_result)


def test_infinite_weights_do_not_become_whole_numbers():
    graph = nx.Graph()
    graph.add_edge(0, 1, weight=math.inf)
    pytest.importorskip("scipy")
    for function in (nx.to_numpy_array, nx.to_scipy_sparse_array):
        with pytest.raises(OverflowError, match="infinity"):
            function(graph.copy(), dtype=int, backend="gridblas")


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiDiGraph])
def test_searches_take_weights_below_0_as_networkx(kind):
    r = random.Random(5)
    found, contradictory = set(), 0
    for trial in range(60):
        graph = kind()
        graph.add_nodes_from(range(8))
        values = [-1, 0, 2, 5, 7, math.inf] if trial % 2 else [-0.5, 1.5, 2.25, 4.0, 0.0]
        for _ in range(14):
            graph.add_edge(r.randrange(8), r.randrange(8), weight=r.choice(values))
        for function, given in (
            (nx.single_source_dijkstra, {"source": 0}),
            (nx.single_source_dijkstra, {"source": 0, "target": 5}),
            (nx.single_source_dijkstra_path_length, {"source": 0, "cutoff": 3}),
            (nx.multi_source_dijkstra, {"sources": [0, 3], "target": 5}),
            (nx.multi_source_dijkstra_path_length, {"sources": [0, 3]}),
            (nx.dijkstra_path_length, {"source": 0, "target": 6}),
            (nx.dijkstra_predecessor_and_distance, {"source": 0}),
            (nx.all_pairs_dijkstra, {}),
        ):
            gridblas_result, networkx_result = (outcome(function, graph, backend, given) for backend in ("gridblas", "networkx"))
            assert gridblas_result == networkx_result, (function.__name__, given, list(graph.edges(data=True)))
            contradictory += gridblas_result == (ValueError, "('Contradictory paths found:', 'negative weights?')")
            found.add(type(gridblas_result))
    assert contradictory and {dict, tuple} <= found


# Hubs depend on the start; tests of NetworkX compare these.
MADE = interface.returns_frozen - {"complement"}
SEVERAL = {"hits", "leiden_communities"}
ELSEWHERE = SEVERAL | set("asyn_lpa_communities eigenvector_centrality katz_centrality louvain_communities louvain_partitions pagerank simple_cycles".split())


@pytest.mark.parametrize("name", sorted(set(interface.algorithms) - ELSEWHERE - MADE))
def test_answers_as_networkx(name):
    dispatchable = backends._registered_algorithms[name].orig_func
    function = getattr(sys.modules[dispatchable.__module__], dispatchable.__name__)
    r = random.Random(1)
    answered = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for graph in graphs(1):
            for given in calls(graph, dispatchable, r):
                gridblas_result = outcome(function, graph, "gridblas", given)
                if gridblas_result is not NotImplemented:
                    networkx_result = outcome(function, graph, "networkx", given)
                    assert same(gridblas_result, networkx_result), (given, list(graph), list(graph.edges(data=True)))
                    answered += 1
    assert answered


ODD_WEIGHTS = [[1.0, 2.5, math.inf], [1, -math.inf], [1.0, 2.0, math.nan], [2**53, 2**53 + 1, 1], [2**62, 2**62 - 1, 1], [2**64, 1]]
ODD_WEIGHTS += [[1e308, 1e307], [-0.0, 1.0], [None, 1], ["a", 1], [-1, 2]]


def takes_weights(name):
    return {"weight", "capacity", "distance"} & set(inspect.signature(backends._registered_algorithms[name].orig_func).parameters)


@pytest.mark.parametrize("name", sorted(filter(takes_weights, set(interface.algorithms) - SEVERAL - MADE)))
def test_answers_to_odd_weights_are_those_of_networkx(name):
    dispatchable = backends._registered_algorithms[name].orig_func
    function = getattr(sys.modules[dispatchable.__module__], dispatchable.__name__)
    r = random.Random(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for values in ODD_WEIGHTS:
            graph = r.choice([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])()
            for _ in range(14):
                value = {attribute: r.choice(values) for attribute in ("weight", "length", "debt", "some") if r.random() < 0.9}
                graph.add_edge(r.randrange(7), r.randrange(7), **value)
            for given in r.sample(list(calls(graph, dispatchable, r)), 3):
                gridblas_result = outcome(function, graph, "gridblas", given)
                if gridblas_result is not NotImplemented:
                    assert same(gridblas_result, outcome(function, graph, "networkx", given)), (given, list(graph), list(graph.edges(data=True)))


ODD_VALUES = [1, 2.5, True, -3, np.float64(0.5), np.int64(7), 2**62, 0, float("inf"), 10**6]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
@pytest.mark.parametrize("names", [NAMES, range(12), range(33, 9, -2)])
@pytest.mark.parametrize("values", [ODD_VALUES[:1], ODD_VALUES[:2], ODD_VALUES[1:2], ODD_VALUES, ODD_VALUES[3:4] + ODD_VALUES[6:8]])
def test_dictionaries_are_read_alike_by_the_library_and_in_python(kind, names, values, monkeypatch):
    r = random.Random(len(values))
    graph = kind()
    graph.add_nodes_from(names)
    for k in range(40):
        graph.add_edge(*r.choices(list(graph), k=2), **({} if k % 7 == 0 else {"weight": r.choice(values)}))
    read = graph_module.from_networkx(graph, {"weight": 1})
    later = graph_module.from_networkx(graph, {}).column(graph, "weight", 1)
    if kind is not nx.MultiGraph:
        assert dictionaries.read_arcs(graph._adj, read.numbering, graph.is_directed()) is not None
    monkeypatch.setattr(dictionaries, "_functions", None)
    wanted = graph_module.from_networkx(graph, {"weight": 1})
    for a, b in zip((read.begin, read.heads, read.values("weight"), later), (wanted.begin, wanted.heads, *2 * [wanted.values("weight")])):
        assert a.dtype == b.dtype and a.tolist() == b.tolist()


def test_what_the_reader_of_dictionaries_leaves_to_python():
    two = dictionaries.Numbering([0, 1])
    for pairs in ([[0, 1]], [(0, 1, 2)], [(0, 2)], [(0, "a")], [(0, 1.0)], [(0, -1)], [5]):
        assert dictionaries.read_pairs(pairs, two) is None
    assert dictionaries.read_pairs([("b", "a"), ("b", "b")], dictionaries.Numbering(["a", "b"])).tolist() == [[1, 0], [1, 1]]
    assert dictionaries.read_pairs([(1, 0)], two).tolist() == [[1, 0]]
    assert dictionaries.read_pairs([(0, True)], two).tolist() == [[0, 1]]  # True == 1
    assert dictionaries.read_pairs([(3, 5), (5, 5)], dictionaries.Numbering([5, 3])).tolist() == [[1, 0], [0, 0]]
    for absent in (-1, 4, 7, 8, 2**70, "3", 3.0):  # 8 and above are behind the table of two nodes
        assert dictionaries.read_pairs([(3, absent)], dictionaries.Numbering([5, 3])) is None
    for adjacency in ({0: {1: {}}}, {0: {2: {}}, 1: {}}, {0: {-1: {}}, 1: {}}, {0: {1.0: {}}, 1: {}}, {0: [1], 1: {}}):
        assert dictionaries.read_arcs(adjacency, two, True) is None
    for value in (2**63, "1", None, 1 + 2j, [1]):
        assert dictionaries.read_arcs({0: {1: {"w": value}}, 1: {}}, two, True, "w", 1) is None
    assert dictionaries.read_arcs({0: {1: {}}, 1: {}}, two, True, [], 1) is None  # no name of an attribute
    assert dictionaries.read_arcs({0: {1: 5}, 1: {}}, two, True, "w", 1) is None
    begin, heads, values = dictionaries.read_arcs({0: {1: {"w": 2.0}}, 1: {0: {}}}, two, False, "w", 1)
    assert (begin.tolist(), heads.tolist(), values.tolist()) == ([0, 1, 2], [1, 0], [2.0, 2.0])
    assert [x.tolist() for x in dictionaries.read_arcs({}, dictionaries.Numbering([]), True)[:2]] == [[0], []]


@pytest.mark.parametrize("directed", [False, True])
def test_choices_and_neighbourhoods_of_larger_graphs(directed):
    graph = nx.gnm_random_graph(90, 600, seed=7, directed=directed)
    graph.add_edges_from([(3, 3), (8, 8)])
    part = [set(range(30)), set(range(30, 90))]
    functions = [
        nx.greedy_color,
        nx.voterank,
        nx.incidence_matrix,
        nx.johnson,
        lambda graph, backend: nx.community.quality.inter_community_non_edges(graph, part, backend=backend),
        *((nx.triadic_census, nx.condensation) if directed else (nx.local_efficiency,)),
    ]
    for function in functions:
        found, expected = (plain(function(graph, backend=backend)) for backend in ("gridblas", "networkx"))
        assert same(found, expected) and (not isinstance(found, dict) or list(found) == list(expected))


class Named(str):
    """A node whose comparisons are code of Python."""

    def __eq__(self, other):
        return str.__eq__(self, other)

    __hash__ = str.__hash__


@pytest.mark.parametrize("name", [lambda k: k, lambda k: 999 - k, lambda k: Named(f"n{k}"), lambda k: np.int64(k)])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_more_arcs_and_results_than_a_block_are_as_python_reads_and_makes_them(monkeypatch, name, kind):
    r = random.Random(5)
    graph = kind()
    graph.add_nodes_from(map(name, range(1000)))
    graph.add_edges_from((name(r.randrange(1000)), name(r.randrange(1000)), {"w": r.choice([1, 2, 0.5])}) for _ in range(3000))
    graph.add_edge(name(0), name(1))
    graph[name(0)][name(1)].clear()  # an edge without the attribute
    pairs = [tuple(map(name, r.choices(range(1000), k=2))) for _ in range(12000)]
    numbering = dictionaries.Numbering(list(graph))

    def made():
        converted = graph_module.from_networkx(graph, {"w": 7})
        arrays = (x.tolist() for x in (converted.begin, converted.heads, converted.values("w", 7)))
        return *arrays, list(dictionaries.make_triples(pairs, np.arange(12000)))

    assert dictionaries.read_arcs(graph._adj, numbering, graph.is_directed(), "w", 7) is not None
    found = made()
    monkeypatch.setattr(dictionaries, "_functions", None)
    assert made() == found and len(found[2]) > 2900 and 7 in found[2]


class Equal:
    """A node whose next comparison runs a function."""

    then = None

    def __init__(self, number):
        self.number = number

    def __hash__(self):
        return self.number % 7

    def __eq__(self, other):
        run, Equal.then = Equal.then, None
        if run is not None:
            run()
        return isinstance(other, Equal) and self.number == other.number


def test_a_row_that_a_comparison_deletes_is_read_to_its_end():
    names = [Equal(k) for k in range(300)]
    adjacency = {node: {} for node in names}
    adjacency[names[0]] = {Equal(k): {"w": float(k)} for k in range(200)}  # equal nodes that nothing else holds
    numbering = dictionaries.Numbering(names)
    assert numbering.index[names[5]] == 5
    Equal.then = lambda: adjacency.__setitem__(names[0], {})
    found = dictionaries.read_arcs(adjacency, numbering, True, "w", 1)
    assert Equal.then is None
    assert found is None or found[1].tolist() == found[2].tolist() == list(range(200))
    pairs = [(Equal(1), Equal(2)), (names[3], names[4])]
    Equal.then = lambda: pairs.__setitem__(0, pairs[1])
    rows = dictionaries.read_pairs(pairs, numbering)
    assert rows is None or rows.tolist() == [[1, 2], [3, 4]]


def test_an_incidence_matrix_stores_no_weights_that_become_zero():
    graph = nx.Graph([(0, 1, {"weight": 0.5}), (1, 2, {"weight": 2.5}), (2, 0, {"weight": 0})])
    for dtype in (None, int):
        found, wanted = (nx.incidence_matrix(graph, weight="weight", dtype=dtype, backend=backend) for backend in ("gridblas", "networkx"))
        assert found.nnz == wanted.nnz == (4 if dtype is None else 2)
        assert found.toarray().tolist() == wanted.toarray().tolist()


def test_answers_are_made_alike_by_the_library_and_in_python(monkeypatch):
    r = random.Random(4)
    graph = nx.DiGraph()
    graph.add_nodes_from(NAMES)
    graph.add_edges_from((*r.choices(NAMES, k=2), {"weight": r.choice([0, 1, 2])}) for _ in range(40))
    plain_graph = nx.Graph(graph)
    plain_graph.remove_edges_from(list(nx.selfloop_edges(plain_graph)))

    def answers():
        yield from (plain(nx.single_source_all_shortest_paths(graph, "a", weight=weight, backend="gridblas")) for weight in (None, "weight"))
        yield plain(nx.single_source_shortest_path(graph, "a", backend="gridblas"))
        yield plain(nx.single_target_shortest_path(graph, "a", backend="gridblas"))
        yield plain(nx.bfs_tree(graph, "a", backend="gridblas"))
        yield plain(nx.bfs_successors(graph, "a", backend="gridblas"))
        yield plain(nx.predecessor(graph, "a", backend="gridblas"))
        for predict in (nx.jaccard_coefficient, nx.preferential_attachment):  # numbers of FP64 and INT64
            yield plain(predict(plain_graph, [("a", "b"), ("q", "z")], backend="gridblas"))
        yield plain(nx.k_core(plain_graph, 2, backend="gridblas"))
        yield plain(nx.maximum_spanning_tree(plain_graph, backend="gridblas"))
        yield from (plain(nx.bfs_labeled_edges(g, "a", backend="gridblas")) for g in (graph, plain_graph))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = list(answers())
        monkeypatch.setattr(dictionaries, "_functions", None)
        assert list(answers()) == made


@pytest.mark.skipif(dictionaries._functions is None, reason="no library that makes lists")
def test_the_collector_tracks_lists_which_may_come_to_refer_to_themselves():
    graph = nx.path_graph([5, 6, 7])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        paths = nx.single_source_shortest_path(graph, 5, backend="gridblas")
        several = dict(nx.single_source_all_shortest_paths(graph, 5, backend="gridblas"))
        before = nx.predecessor(graph, 5, backend="gridblas")
    assert all(map(gc.is_tracked, (paths[7], several[7], several[7][0], before[7])))


def test_all_shortest_paths_of_a_grid_come_one_node_after_another():
    grid = nx.grid_2d_graph(40, 40)  # 10^22 paths to the last node
    found = nx.single_source_all_shortest_paths(grid, (0, 0), backend="gridblas")
    expected = nx.single_source_all_shortest_paths(grid, (0, 0), backend="networkx")
    for gridblas_result, networkx_result in itertools.islice(zip(found, expected), 60):
        assert gridblas_result == networkx_result


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiDiGraph])
def test_modularity_is_the_number_of_networkx_to_the_last_bit(kind):
    graph = kind(nx.gnm_random_graph(90, 400, seed=2))
    for _, _, data in graph.edges(data=True):
        data["weight"] = 1 + len(data)
    graph.add_edge(3, 3, weight=2**55 + 1)
    parts = [set(range(k, 90, 7)) for k in range(7)]
    for resolution in (1, 0.3):
        found, wanted = (nx.community.modularity(graph, parts, resolution=resolution, backend=backend) for backend in ("gridblas", "networkx"))
        assert found == wanted


def test_leiden_communities():
    """NetworkX has no method of its own: communities are a partition, connected within, and no worse than Louvain's."""
    G = nx.gnm_random_graph(120, 400, seed=3)
    G.add_edges_from((v, v) for v in range(0, 120, 7))
    nx.set_edge_attributes(G, {edge: 1 + (edge[0] * edge[1]) % 5 for edge in G.edges}, "w")
    G.add_nodes_from(NAMES)
    for weight in ("w", None):
        found = nx.community.leiden_communities(G, weight=weight, seed=4, backend="gridblas")
        assert nx.community.is_partition(G, found)
        assert all(nx.is_connected(G.subgraph(nodes)) for nodes in found)
        least = nx.community.modularity(G, nx.community.louvain_communities(G, weight=weight, seed=4), weight=weight) - 0.02
        assert nx.community.modularity(G, found, weight=weight) > least > 0.2
        assert found == nx.community.leiden_communities(G, weight=weight, seed=4, backend="gridblas")
    for generator in (np.random.RandomState(4), np.random.default_rng(4)):
        assert nx.community.is_partition(G, nx.community.leiden_communities(G, seed=generator, backend="gridblas"))
    few = nx.community.leiden_communities(G, resolution=0.3, seed=4, backend="gridblas")
    assert len(few) < len(found)
    alike = sorted(map(sorted, nx.community.leiden_communities(nx.gnm_random_graph(200, 800, seed=2), backend="gridblas")))
    labels = np.array([next(k for k, community in enumerate(alike) if node in community) for node in range(200)])
    assert gb.Vector.from_local(range(200), labels, size=200, dup_op="min").isequal(gb.Vector.from_dense(labels))  # of all processes
    assert nx.community.leiden_communities(nx.empty_graph(3), backend="gridblas") == [{0}, {1}, {2}]
    with pytest.raises(nx.NetworkXNotImplemented):
        nx.community.leiden_communities(nx.DiGraph([(1, 2)]), backend="gridblas")
    with pytest.raises(NotImplementedError):
        nx.community.leiden_communities(G, max_level=1, backend="gridblas")


VALUES = [1], [1, 2, 3], [0.1, 0.3, 0.7], [1, 0.5], [0, 1], [-1, 2, 3], [2**51, 1], [0], [-1, 1], [1e160], [math.inf, 1], [math.nan, 1]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("values", VALUES)
def test_louvain_communities_are_those_of_networkx_with_the_same_seed(kind, values):
    r = random.Random(len(values))
    answered = 0
    for trial in range(12):
        graph = kind()
        graph.add_nodes_from(NAMES + list(range(100, 100 + 5 * trial)))
        for _ in range(6 * trial):
            u, v = r.choices(list(graph), k=2)
            graph.add_edge(u, v, **({"weight": r.choice(values)} if r.random() < 0.9 else {}))
        for given in ({}, {"weight": None}, {"resolution": 0.3}, {"resolution": 2, "threshold": 0.01}, {"max_level": 1}, {"max_level": 0}, {"resolution": 3}):
            gridblas_result, networkx_result = (
                outcome(nx.community.louvain_communities, graph, backend, {"seed": trial, **given}) for backend in ("gridblas", "networkx")
            )
            if gridblas_result is not NotImplemented:
                assert gridblas_result == networkx_result, (given, list(graph.edges(data=True)))
                answered += 1
        several = (plain(nx.community.louvain_partitions(graph, weight=None, seed=trial, backend=backend)) for backend in ("gridblas", "networkx"))
        assert next(several) == next(several)
    assert answered > 10


def test_louvain_communities_of_larger_graphs_and_the_state_of_a_generator():
    for graph in (
        nx.gnm_random_graph(600, 2500, seed=1),
        nx.gnm_random_graph(500, 2500, seed=1, directed=True),
        nx.planted_partition_graph(12, 40, 0.3, 0.01, seed=2),
        nx.planted_partition_graph(12, 40, 0.3, 0.01, seed=2, directed=True),
        nx.karate_club_graph(),
    ):
        r = random.Random(4)
        for length in [{}, *({edge: r.random() for edge in graph.edges} for _ in range(2))]:
            nx.set_edge_attributes(graph, length, "length")
            generators = [kind(7) for kind in (random.Random, np.random.RandomState) for _ in range(2)]
            found = [
                nx.community.louvain_communities(graph, weight="length", seed=generator, backend=backend)
                for generator, backend in zip(generators, ("gridblas", "networkx") * 2)
            ]
            assert found[0] == found[1] and found[2] == found[3]
            assert generators[0].random() == generators[1].random()


def test_louvain_communities_end_where_rounded_gains_make_moves_repeat():
    """NetworkX does not end on this graph."""
    graph = nx.Graph()
    graph.add_weighted_edges_from((u, v, 0.1) for u, v in ((0, 1), (1, 2), (2, 4)))
    graph.add_weighted_edges_from((u, v, -0.1) for u, v in ((0, 4), (0, 3), (0, 2), (1, 3), (2, 3), (3, 4), (4, 4)))
    found = nx.community.louvain_communities(graph, resolution=0.7, seed=1, backend="gridblas")
    assert nx.community.is_partition(graph, found)


SPREAD = [
    ("label_propagation_communities", {}),
    *(("asyn_lpa_communities", {"seed": 3, "weight": weight}) for weight in (None, "weight")),
    *(("greedy_modularity_communities", {"weight": weight, "resolution": resolution}) for weight in (None, "weight") for resolution in (1, 2.3)),
    *(("greedy_modularity_communities", given) for given in ({"cutoff": 4}, {"best_n": 2}, {"cutoff": 2.5, "best_n": 5}, {"best_n": 1})),
    *(("greedy_modularity_communities", given) for given in ({"cutoff": 0}, {"best_n": 999}, {"cutoff": 5, "best_n": 2})),
]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("name, given", SPREAD)
def test_labels_and_merged_communities_are_those_of_networkx(name, given, kind):
    r, answered = random.Random(5), 0
    for size, values in itertools.product((0, 1, 9, 30, 70), ([1, 2, 3], [0.1, 0.3, 0.7], [-1, 0, 2])):
        names = [f"n{k}" for k in range(size)] if size % 2 else r.sample(range(200), size)
        graph = kind()
        graph.add_nodes_from(names)
        for _ in range(r.choice([1, 3]) * size):
            graph.add_edge(*r.choices(names, k=2), **({"weight": r.choice(values)} if r.random() < 0.9 else {}))
        function = getattr(nx.community, name)
        found = outcome(function, graph, "gridblas", given)
        if found is not NotImplemented:  # NetworkX may not end where weights are below 0
            assert found == outcome(function, graph, "networkx", given), (list(graph), list(graph.edges(data=True)))
            answered += 1
    assert answered or (graph.is_directed() and "weight" in given)


def test_weights_that_communities_are_not_found_with():
    graph, function = nx.gnm_random_graph(100, 1100, seed=1), nx.community.asyn_lpa_communities
    nx.set_edge_attributes(graph, 0, "weight")
    with nx.config(backend_priority=["gridblas"]):
        found = list(function(graph, "weight", seed=1))  # NetworkX's, which computes what the backend declines
    assert found == list(function(graph, "weight", seed=1, backend="networkx"))
    nx.set_edge_attributes(graph, math.inf, "weight")
    with pytest.raises(NotImplementedError, match="backend raised"):
        nx.community.greedy_modularity_communities(graph, weight="weight", backend="gridblas")


CONNECTIVITY = {
    **dict.fromkeys(("edge_connectivity", "node_connectivity", "minimum_edge_cut", "minimum_node_cut"), [{}, {"s": 0, "t": 5}]),
    **dict.fromkeys(("local_edge_connectivity", "local_node_connectivity", "minimum_st_edge_cut", "minimum_st_node_cut"), [{"s": 0, "t": 5}, {"s": 3, "t": 7}]),
    **dict.fromkeys(("average_node_connectivity", "all_pairs_node_connectivity"), [{}]),
}


@pytest.mark.parametrize("name", CONNECTIVITY)
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_connectivity_and_cuts_are_those_of_networkx(name, kind):
    function, r = getattr(nx.algorithms.connectivity, name), random.Random(3)
    sizes = [(8, 20), (12, 30), (14, 70), (20, 60), (9, 100)]
    graphs = [nx.gnm_random_graph(n, m, seed=m, directed=directed) for n, m in sizes for directed in (False, True)]
    graphs += [nx.cycle_graph(9), nx.hypercube_graph(3), nx.complete_graph(6), nx.barbell_graph(4, 2), nx.icosahedral_graph()]
    for made in graphs:
        graph = kind(nx.convert_node_labels_to_integers(made))
        graph.add_edges_from(r.choices(list(graph.edges), k=3))
        if made.number_of_edges() % 3 == 0:
            graph.add_edge(2, 2)
        for given in CONNECTIVITY[name]:
            if max(given.values(), default=0) < len(graph):
                gridblas_result, networkx_result = (outcome(function, graph, backend, given) for backend in ("gridblas", "networkx"))
                assert gridblas_result == networkx_result, (given, list(graph.edges))


def test_projections_keep_attributes_and_the_order_of_networkx():
    r = random.Random(2)
    for names in (range(40), [f"p{k}" for k in range(40)], NAMES):
        names = list(names)
        top, bottom = names[::2], names[1::2]
        for kind in (nx.Graph, nx.DiGraph):
            graph = kind(place="here")
            graph.add_nodes_from(names, size=3)
            for _ in range(3 * len(names)):
                ends = r.choice(top), r.choice(bottom)
                graph.add_edge(*(ends if kind is nx.Graph or r.random() < 0.5 else ends[::-1]), weight=2)
            for function in (
                nx.bipartite.projected_graph,
                nx.bipartite.weighted_projected_graph,
                nx.bipartite.collaboration_weighted_projected_graph,
                nx.bipartite.overlap_weighted_projected_graph,
            ):
                for nodes in (top, set(bottom), top[:3] + bottom[:2]):
                    gridblas_result, networkx_result = (outcome(function, graph, backend, {"nodes": nodes}) for backend in ("gridblas", "networkx"))
                    assert same(gridblas_result, networkx_result)


def test_a_biadjacency_matrix_has_the_type_of_the_weights_in_it():
    graph = nx.Graph([(0, 5, {"weight": 2}), (1, 6, {"weight": 0.5}), (2, 7, {"weight": 3.0})])
    for rows in ([0], [1], [2], [0, 2], [2, 0, 1]):
        found, wanted = (nx.bipartite.biadjacency_matrix(graph, rows, [5, 6, 7], backend=backend) for backend in ("gridblas", "networkx"))
        assert found.dtype == wanted.dtype and found.toarray().tolist() == wanted.toarray().tolist()
