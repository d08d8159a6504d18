"""CPU time of NetworkX's functions and of the backend's, on random graphs of 100 to 100,000 edges: a Markdown table.

Usage: PYTHONPATH=build/.../python OMP_NUM_THREADS=1 python bench/networkx_backend.py [EDGES...]. Needs NetworkX 3.4 or later. Each pair is NetworkX / backend, in
milliseconds, the least of several calls; the graph is converted in each call, and in the last column it is in the cache.
"""

import sys
import time
import warnings

import networkx as nx

FUNCTIONS = {
    "single_source_shortest_path": lambda G, to: nx.single_source_shortest_path(G, 0, backend=to),
    "single_source_dijkstra": lambda G, to: nx.single_source_dijkstra(G, 0, backend=to),
    "connected_components": lambda G, to: list(nx.connected_components(G, backend=to)),
    "pagerank": lambda G, to: nx.pagerank(G, backend=to),
    "core_number": lambda G, to: nx.core_number(G, backend=to),
    "clustering": lambda G, to: nx.clustering(G, backend=to),
    "square_clustering": lambda G, to: nx.square_clustering(G, backend=to),
    "minimum_spanning_edges": lambda G, to: list(nx.minimum_spanning_edges(G, backend=to)),
    "degree_assortativity_coefficient": lambda G, to: nx.degree_assortativity_coefficient(G, backend=to),
    "betweenness_centrality": lambda G, to: nx.betweenness_centrality(G, backend=to),
    "average_shortest_path_length": lambda G, to: nx.average_shortest_path_length(G, backend=to),
}
FROM_EVERY_NODE = ("betweenness_centrality", "average_shortest_path_length")


def least(call, repeats):
    best = float("inf")
    for _ in range(repeats):
        begin = time.process_time()
        call()
        best = min(best, time.process_time() - begin)
    return 1000 * best


def converted(function, graph):
    graph.__networkx_cache__.clear()
    function(graph, "gridblas")


def main(sizes):
    warnings.simplefilter("ignore")
    graphs = []
    for edges in sizes:
        graph = nx.gnm_random_graph(edges // 5, edges, seed=1)
        part = max(nx.connected_components(graph), key=len)
        graphs.append(nx.convert_node_labels_to_integers(graph.subgraph(part)))
    print("| function | " + " | ".join(f"{edges:,} edges" for edges in sizes) + " | cached |")
    print("| --- " * (len(sizes) + 2) + "|")
    for name, function in FUNCTIONS.items():
        cells, cached = [], ""
        for edges, graph in zip(sizes, graphs):
            if name in FROM_EVERY_NODE and edges > 1000 or name == "square_clustering" and edges > 10000:
                cells.append("")
                continue
            repeats = 20 if edges <= 1000 else 3
            gridblas_ms = least(lambda: converted(function, graph), repeats)
            cached = f"{least(lambda: function(graph, 'gridblas'), repeats):.3g}"
            networkx_ms = least(lambda: function(graph, "networkx"), min(repeats, 5) if edges <= 10000 else 1)
            cells.append(f"{networkx_ms:.3g} / {gridblas_ms:.3g}")
        print(f"| `{name}` | " + " | ".join(cells) + f" | {cached} |", flush=True)


main([int(x) for x in sys.argv[1:]] or [100, 1000, 10000, 100000])
