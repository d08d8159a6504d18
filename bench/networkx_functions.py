"""CPU time of every function of the NetworkX backend beside NetworkX's own, on graphs of 100,000 edges: a table of comma-separated values.

Functions that search from every node, or from many, run on a fifth of the edges, which keeps NetworkX below minutes; those that store all pairs on a hundredth.
Usage: PYTHONPATH=build/.../python OMP_NUM_THREADS=1 python bench/networkx_functions.py [--edges N] [NAME...]. Needs NetworkX 3.4 or later.
The graph is converted in each call of the backend; cached_ms is that of a call with the converted graph in NetworkX's cache. Of results that
come one by one, as those of all nodes, the first 20 are taken.
NetworkX is stopped after 21 times the backend's time, but not before 3 s: its ratio is at least that then.
The table is docs/measurements/networkx-functions.csv.
"""

import argparse
import datetime
import inspect
import itertools
import os
import platform
import random
import signal
import sys
import time
import warnings

import networkx as nx
from gridblas.nx import interface
from networkx.utils import backends

ENOUGH = 20  # times as fast
FIRST = 20  # results of an iterator that are taken
LIMIT = 60  # seconds of the backend


# ---- graphs ----


def attributed(graph):
    """Weights, of which paths have different sums, and capacities, which are whole numbers."""
    r = random.Random(1)
    for _, _, data in graph.edges(data=True):
        data["weight"] = r.random()
        data["capacity"] = r.randint(1, 10)
        data["cost"] = int(1000 * data["weight"])  # NetworkX's pivots may not end where sums are rounded
    for k, data in enumerate(graph.nodes.values()):
        data["community"] = r.randint(1, 10)
        data["supply"] = (k % 2 * 2 - 1) * (k < 1000 <= len(graph))  # of all nodes none
    return graph


def connected(edges):
    graph = nx.gnm_random_graph(edges // 5, edges, seed=1)
    return attributed(nx.convert_node_labels_to_integers(graph.subgraph(max(nx.connected_components(graph), key=len))))


def directed(edges):
    graph = nx.gnm_random_graph(edges // 5, edges, seed=1, directed=True)
    return attributed(nx.convert_node_labels_to_integers(graph.subgraph(max(nx.strongly_connected_components(graph), key=len))))


def acyclic(edges):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(edges // 5))
    graph.add_edges_from((min(e), max(e)) for e in nx.gnm_random_graph(edges // 5, edges, seed=1).edges)
    return attributed(graph)


def branching(edges):
    return nx.bfs_tree(nx.random_labeled_tree(edges + 1, seed=1), 0)


def bipartite(edges):
    graph = nx.bipartite.gnmk_random_graph(edges // 10, edges // 10, edges, seed=1)
    return nx.convert_node_labels_to_integers(graph.subgraph(max(nx.connected_components(graph), key=len)))


def dense(edges):
    return attributed(nx.gnm_random_graph(1 + int((2.2 * edges) ** 0.5), edges, seed=1))


def hypercube(edges):
    dimension = next(d for d in range(1, 64) if (d + 1) * 2**d >= edges / 2)
    return nx.convert_node_labels_to_integers(nx.hypercube_graph(dimension + 1))


def tournament(edges):
    return nx.tournament.random_tournament(int((2 * edges) ** 0.5), seed=1)


GRAPHS = {
    connected: [],
    directed: (
        "ancestors descendants attracting_components flow_hierarchy group_in_degree_centrality group_out_degree_centrality "
        "in_degree_centrality is_aperiodic is_attracting_component is_directed_acyclic_graph is_semiconnected is_strongly_connected "
        "is_weakly_connected number_attracting_components number_strongly_connected_components number_weakly_connected_components "
        "directed_modularity_matrix out_degree_centrality overall_reciprocity reciprocity strongly_connected_components weakly_connected_components reverse "
        "condensation has_cycle triadic_census max_flow_min_cost min_cost_flow min_cost_flow_cost network_simplex"
    ).split(),
    acyclic: (
        "dag_longest_path dag_longest_path_length lowest_common_ancestor topological_generations topological_sort transitive_closure transitive_reduction"
    ).split(),
    branching: "is_arborescence is_branching is_forest is_tree".split(),
    bipartite: (
        "biadjacency_matrix bipartite_betweenness_centrality bipartite_closeness_centrality bipartite_degree_centrality color density eppstein_matching "
        "hopcroft_karp_matching is_bipartite is_bipartite_node_set sets to_vertex_cover projected_graph weighted_projected_graph "
        "collaboration_weighted_projected_graph overlap_weighted_projected_graph"
    ).split(),
    dense: "floyd_warshall floyd_warshall_numpy google_matrix modularity_matrix number_of_walks to_numpy_array to_pandas_adjacency".split(),
    hypercube: ["intersection_array"],
    tournament: "is_reachable is_tournament score_sequence tournament_is_strongly_connected tournament_matrix".split(),
}


FROM_EVERY_NODE = (
    "average_shortest_path_length barycenter betweenness_centrality bipartite_betweenness_centrality bipartite_closeness_centrality center "
    "closeness_centrality common_neighbor_centrality diameter directed_modularity_matrix eccentricity edge_betweenness_centrality global_efficiency "
    "global_reaching_centrality gutman_index harmonic_centrality harmonic_diameter hyper_wiener_index intersection_array max_weight_matching "
    "min_weight_matching periphery radius schultz_index transitive_closure transitive_reduction wiener_index"
).split()


# NetworkX stores something for each pair of nodes, finds a flow for many pairs, or merges communities in pairs.
ALL_PAIRS = (
    "all_pairs_node_connectivity average_node_connectivity edge_betweenness_partition edge_connectivity girvan_newman greedy_modularity_communities "
    "inter_community_non_edges johnson minimum_edge_cut minimum_node_cut node_connectivity"
).split()


def share(name):
    """The part of the edges that the function gets."""
    return 100 if name in ALL_PAIRS else 5 if name in FROM_EVERY_NODE else 1


# ---- arguments ----


def arguments(graph):
    """The values of needed parameters, by names."""
    r = random.Random(1)
    nodes = list(graph)
    last, half = nodes[-1], nodes[: len(nodes) // 2]
    pairs = list(zip(r.choices(nodes, k=len(graph.edges)), r.choices(nodes, k=len(graph.edges))))
    return {
        **dict.fromkeys(("source", "n", "u", "s", "_s", "node", "node1"), nodes[0]),
        **dict.fromkeys(("target", "v", "t", "_t", "node2"), last),
        **dict.fromkeys(("S", "nbunch", "nbunch1"), set(half)),
        **dict.fromkeys(("communities", "partition"), [set(half), set(nodes[len(half) :])]),
        **dict.fromkeys(("sources", "center_nodes"), set(nodes[:10])),
        "G2": nx.relabel_nodes(graph, dict(zip(nodes, reversed(nodes)))),
        "distance": 3,
        "k": 3,
        "walk_length": 2,
        "number_of_sets": 2,
        "attribute": "community",
        "cover": list(graph.edges()),
        "mapping": {node: -node for node in nodes},
        "ebunch": [(u, v) for u, v in pairs if u != v],
    }


OPTIONS = {
    **dict.fromkeys(("all_simple_edge_paths", "all_simple_paths"), {"cutoff": 5}),
    **dict.fromkeys(("min_cost_flow", "min_cost_flow_cost", "network_simplex"), {"demand": "supply", "weight": "cost"}),
    "max_flow_min_cost": {"weight": "cost"},
    "ego_graph": {"radius": 3},
    "katz_centrality": {"alpha": 0.01},
    **dict.fromkeys(("asyn_lpa_communities", "louvain_communities", "louvain_partitions"), {"seed": 1}),
    "rich_club_coefficient": {"normalized": False},
    "simple_cycles": {"length_bound": 4},
    "shortest_path": {"source": 0},
    "shortest_path_length": {"source": 0},
    "voterank": {"number_of_nodes": 20},
}


def prepared(name, graph):
    """The arguments of one call."""
    function = backends._registered_algorithms[name].orig_func
    parameters = list(inspect.signature(function).parameters.values())[1:]
    values = arguments(graph)
    if "ebunch" in (p.name for p in parameters):
        return {"ebunch": values["ebunch"][: 1000 if name == "common_neighbor_centrality" else None]}
    if name in ("is_matching", "is_maximal_matching", "is_perfect_matching"):
        return {"matching": nx.maximal_matching(graph)}
    if name in GRAPHS[bipartite] and parameters and parameters[0].name in ("nodes", "row_order"):
        return {parameters[0].name: sorted(nx.bipartite.sets(graph)[0])}
    if name == "is_simple_path":
        return {"nodes": nx.shortest_path(graph, values["source"], values["target"])}
    if name == "to_vertex_cover":
        return {"matching": nx.bipartite.hopcroft_karp_matching(graph)}
    if name in ("is_dominating_set", "is_connected_dominating_set"):
        return {"nbunch": nx.dominating_set(graph)}
    if name == "group_closeness_centrality" or name.startswith("group_"):
        return {"S": set(list(graph)[:10])}
    needed = [p for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    return {p.name: values[p.name] for p in needed} | OPTIONS.get(name, {})


# ---- times ----


class TooLong(BaseException):
    """The limit is reached."""


def cpu_time(call, limit):
    """Seconds of CPU time, and whether the call ended before the limit."""
    begin = time.process_time()

    def check(signum, frame):
        if time.process_time() - begin >= limit:
            raise TooLong

    signal.signal(signal.SIGALRM, check)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)  # a timer of CPU time would make that coarse
    try:
        call()
        return time.process_time() - begin, True
    except TooLong:
        return time.process_time() - begin, False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def least(call, limit, repeats):
    """The least of several times; one alone where it is long."""
    best, ended = cpu_time(call, limit)
    for _ in range(repeats - 1):
        if not ended or best > 1:
            break
        best = min(best, cpu_time(call, limit)[0])
    return 1000 * best, ended


def taken(result):
    """The first results of an iterator."""
    return list(itertools.islice(result, FIRST)) if FIRST and inspect.isgenerator(result) else result


def whole(result):
    """All results."""
    return list(result) if hasattr(result, "__next__") else result


def measure(name, graph, repeats, longest):
    """Milliseconds of the backend, of that with the graph in the cache, of NetworkX, and whether that ended."""
    dispatchable = backends._registered_algorithms[name].orig_func
    function = getattr(sys.modules[dispatchable.__module__], dispatchable.__name__)
    given = prepared(name, graph)
    collect = taken if name.startswith("all_pairs") or name in ("local_bridges", "girvan_newman", "shortest_simple_paths") else whole

    def call(backend, convert=True):
        for argument in (graph, *given.values()) if convert else ():
            getattr(argument, "__networkx_cache__", {}).clear()
        return collect(function(graph, backend=backend, **given))

    gridblas_ms, ended = least(lambda: call("gridblas"), LIMIT, repeats)
    if not ended:
        return gridblas_ms, gridblas_ms, None, False
    cached_ms = least(lambda: call("gridblas", convert=False), LIMIT, repeats)[0]
    limit = min(max(3, 1.05 * ENOUGH * gridblas_ms / 1000), longest)
    return gridblas_ms, cached_ms, *least(lambda: call("networkx"), limit, repeats)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=100000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--longest", type=float, default=600, help="seconds of NetworkX")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    kind = {name: make for make, names in GRAPHS.items() for name in names}
    made = {}
    print(f"# Date: {datetime.date.today()}")
    print(f"# Versions: NetworkX {nx.__version__}, Python {platform.python_version()}; OMP_NUM_THREADS={os.environ.get('OMP_NUM_THREADS', '')}")
    print("function,edges,networkx_ms,gridblas_ms,ratio,cached_ms", flush=True)
    for name in options.names or sorted(set(interface.algorithms) - interface.returns_frozen):
        make = kind.get(name, connected), options.edges // share(name)
        if make not in made:
            made[make] = make[0](make[1])
        try:
            gridblas_ms, cached_ms, networkx_ms, ended = measure(name, made[make], options.repeats, options.longest)
        except Exception as error:
            print(f"{name},,,,,{type(error).__name__}: {error}", flush=True)
            continue
        over = "" if ended else "over "
        times = f"{over}{networkx_ms:.3g},{gridblas_ms:.3g},{over}{networkx_ms / gridblas_ms:.3g}" if networkx_ms else f",over {gridblas_ms:.3g},"
        print(f"{name},{made[make].number_of_edges()},{times},{cached_ms:.3g}", flush=True)


main()
