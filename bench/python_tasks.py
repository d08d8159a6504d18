"""Tasks of python_peers.py on graphs of several kinds: TASKS is the table.

A row has the task, the kind of its graph (Arrays), and for each package that has it a call and what makes its result comparable. A call gets the package,
the package's graph, and the arrays. `same` compares two answers. None: several answers are right.
"""

from typing import Any, NamedTuple

import numpy as np

ALPHA = 1e-4  # of Katz centrality: below the inverse of the largest eigenvalue


class Arrays:
    """The graph of each kind, as arrays: edges, weights, and what tasks are asked."""

    def __init__(self, graph, small, seed):
        draw = np.random.default_rng(seed)
        low, high = graph.edges
        weights = draw.integers(1, 256, len(low)).astype(np.float64)
        turned, again = draw.random(len(low)) < 0.5, draw.random(len(low)) < 0.2
        one_way = np.where(turned, high, low), np.where(turned, low, high)
        directed = tuple(np.concatenate([x, y[again]]) for x, y in (one_way, one_way[::-1]))
        both = np.concatenate([low, high]), np.concatenate([high, low])
        self.n, self.weights = graph.n, weights
        self.kinds = {  # whether directed, vertices, edges, weights
            "undirected": (False, graph.n, (low, high), None),
            "weighted": (False, graph.n, (low, high), weights),
            "directed": (True, graph.n, directed, None),
            "acyclic": (True, graph.n, (low, high), None),
            "capacities": (True, graph.n, both, np.concatenate([weights, weights])),
            "bipartite": (True, 2 * graph.n, (low, high + graph.n), None),
            "small": (False, small.n, small.edges, None),
        }
        self.sources = draw.choice(graph.n, 64, replace=False).tolist()
        self.hubs = np.argsort(np.bincount(both[0], minlength=graph.n), kind="stable")[-2:].tolist()
        at = np.sort(draw.choice(len(low), min(100_000, len(low)), replace=False))
        self.pairs = low[at], high[at]
        self.groups = np.arange(graph.n) % 50


def largest_component(p, graph):
    """The edges of its largest component: what is asked of it wants a connected graph."""
    labels = p.algorithms.components(build_gridblas(p, False, graph.n, graph.edges, None)).to_dense()
    kept = labels[graph.edges[0]] == np.bincount(labels).argmax()
    return tuple(half[kept] for half in graph.edges)


def build_gridblas(p, directed, n, edges, weights):
    u, v = edges
    w = True if weights is None else weights
    if not directed:
        u, v = np.concatenate([u, v]), np.concatenate([v, u])
        w = w if weights is None else np.concatenate([w, w])
    return p.Matrix.from_coo(u, v, w, nrows=n, ncols=n).wait()


def build_networkit(p, directed, n, edges, weights):
    return p.GraphFromCoo(edges if weights is None else (weights, edges), n=n, weighted=weights is not None, directed=directed)


def build_igraph(p, directed, n, edges, weights):
    graph = p.Graph(n=n, edges=np.column_stack(edges), directed=directed)
    if weights is not None:
        graph.es["weight"] = weights
    return graph


BUILDS = {"gridblas": build_gridblas, "NetworKit": build_networkit, "igraph": build_igraph}


class Task(NamedTuple):
    name: str
    kind: str
    gridblas: Any
    NetworKit: Any = None
    igraph: Any = None
    same: Any = None


def finish(result):
    """Lazy results are computed, so that they count."""
    for part in result if isinstance(result, tuple) else [result]:
        if hasattr(part, "wait"):
            part.wait()
    return result


def dense(x):
    return x.to_dense(fill_value=np.nan)


def scores(x):
    return np.array(x.scores())


def array(x):
    return np.array(x, dtype=float)


def direction(x, y):
    return np.allclose(x / np.linalg.norm(x), y / np.linalg.norm(y), rtol=1e-3, atol=1e-6)


def close(x, y):
    """Distances: what is not reached is NaN, infinite or the largest number."""
    x, y = (np.where(np.abs(np.nan_to_num(z, nan=np.inf)) > 1e300, -1, z) for z in (np.asarray(x, float), np.asarray(y, float)))
    return np.allclose(x, y, rtol=1e-6, atol=1e-9)


def partition(x, y):
    return len(np.unique(np.column_stack([x, y]), axis=0)) == len(np.unique(x)) == len(np.unique(y))


def as_good(x, y):
    """Modularity, weight: what gridblas finds is at most 1 % worse."""
    return x >= 0.99 * y


def pair_matrix(p, arrays):
    return p.Matrix.from_coo(*arrays.pairs, True, nrows=arrays.n, ncols=arrays.n)


def similarity(measure):
    return lambda p, A, a: p.algorithms.similarity(A, pair_matrix(p, a), measure=getattr(p.algorithms, "SIMILARITY_" + measure))


def link_prediction(name):
    def call(p, G, a):
        index = getattr(p.linkprediction, name)(G)
        return index.runOn(list(zip(*(x.tolist() for x in a.pairs), strict=True)))

    return call


def total(x):
    return x.reduce_scalar("plus").new().value if hasattr(x, "reduce_scalar") else sum(value for _, value in x)


def networkit_modularity(p, G, partition):
    return partition, p.community.Modularity().getQuality(partition, G)


def networkit_labels(p, a):
    found = p.structures.Partition(a.n)
    found.setUpperBound(50)
    for v, group in enumerate(a.groups.tolist()):
        found[v] = group
    return found


def number(x):
    return float(x)


TASKS = [
    Task(
        "closeness of 64 sources",
        "undirected",
        (lambda p, A, a: p.algorithms.closeness(A, a.sources, only="closeness"), None),
        igraph=(lambda p, G, a: G.closeness(vertices=a.sources), None),
    ),
    Task(
        "harmonic centrality (small graph)",
        "small",
        (lambda p, A, a: p.algorithms.closeness(A, only="harmonic"), dense),
        (lambda p, G, a: p.centrality.HarmonicCloseness(G, normalized=False).run(), scores),
        (lambda p, G, a: G.harmonic_centrality(), array),
        direction,
    ),
    Task(
        "diameter (small graph)",
        "small",
        (lambda p, A, a: p.algorithms.eccentricity(A, only="diameter"), number),
        (lambda p, G, a: p.distance.Diameter(G, p.distance.DiameterAlgo.EXACT).run(), lambda x: x.getDiameter()[0]),
        (lambda p, G, a: G.diameter(), number),
        close,
    ),
    Task(
        "eigenvector centrality",
        "undirected",
        (lambda p, A, a: p.algorithms.eigenvector(A, tolerance=1e-8, only="centrality"), dense),
        (lambda p, G, a: p.centrality.EigenvectorCentrality(G, tol=1e-8).run(), scores),
        (lambda p, G, a: G.eigenvector_centrality(), array),
        direction,
    ),
    Task(
        "Katz centrality",
        "undirected",
        (lambda p, A, a: p.algorithms.katz(A, alpha=ALPHA, tolerance=1e-8, only="centrality"), None),
        (lambda p, G, a: p.centrality.KatzCentrality(G, alpha=ALPHA, beta=1.0, tol=1e-8).run(), None),  # it sums the walks otherwise
    ),
    Task(
        "HITS",
        "directed",
        (lambda p, A, a: p.algorithms.hits(A), lambda x: dense(x.hub)),
        igraph=(lambda p, G, a: (G.hub_score(), G.authority_score()), lambda x: array(x[0])),
        same=direction,
    ),
    Task(
        "Louvain",
        "undirected",
        (lambda p, A, a: p.algorithms.louvain(A), lambda x: x.modularity),
        (lambda p, G, a: networkit_modularity(p, G, p.community.PLM(G).run().getPartition()), lambda x: x[1]),
        (lambda p, G, a: G.community_multilevel(), lambda x: x.modularity),
        as_good,
    ),
    Task(
        "Leiden",
        "undirected",
        (lambda p, A, a: p.algorithms.leiden(A), lambda x: x.modularity),
        (lambda p, G, a: networkit_modularity(p, G, p.community.ParallelLeiden(G).run().getPartition()), lambda x: x[1]),
        (lambda p, G, a: G.community_leiden(objective_function="modularity", n_iterations=2), lambda x: x.modularity),
        as_good,
    ),
    Task(
        "label propagation",
        "undirected",
        (lambda p, A, a: p.algorithms.cdlp(A), None),
        (lambda p, G, a: p.community.PLP(G, maxIterations=10).run(), None),
        (lambda p, G, a: G.community_label_propagation(), None),
    ),
    Task(
        "modularity of 50 groups",
        "undirected",
        (lambda p, A, a: p.algorithms.modularity(A, p.Vector.from_dense(a.groups), only="modularity"), number),
        (lambda p, G, a: p.community.Modularity().getQuality(networkit_labels(p, a), G), number),
        (lambda p, G, a: G.modularity(a.groups.tolist()), number),
        close,
    ),
    Task(
        "strong components",
        "directed",
        (lambda p, A, a: p.algorithms.strong_components(A), dense),
        (lambda p, G, a: p.components.StronglyConnectedComponents(G).run(), lambda x: x.getPartition().getVector()),
        (lambda p, G, a: G.connected_components(mode="strong").membership, array),
        partition,
    ),
    Task(
        "biconnected components",
        "undirected",
        (lambda p, A, a: p.algorithms.biconnected(A, only="component"), lambda x: x.reduce_scalar("max").new().value + 1),
        (lambda p, G, a: p.components.BiconnectedComponents(G).run(), lambda x: x.numberOfComponents()),
        (lambda p, G, a: G.biconnected_components(), len),
        close,
    ),
    Task(
        "bridges",
        "undirected",
        (lambda p, A, a: p.algorithms.biconnected(A, only="bridge"), lambda x: x.nvals),
        igraph=(lambda p, G, a: G.bridges(), len),
        same=close,
    ),
    Task(
        "topological order",
        "acyclic",
        (lambda p, A, a: p.algorithms.topological_order(A, only="order"), None),
        (lambda p, G, a: p.graphtools.topologicalSort(G), None),
        (lambda p, G, a: G.topological_sorting(), None),
    ),
    Task(
        "shortest paths with weights",
        "weighted",
        (lambda p, A, a: p.algorithms.shortest_paths(A, a.sources[0], only="distance"), dense),
        (lambda p, G, a: p.distance.Dijkstra(G, a.sources[0], storePaths=False).run(), lambda x: array(x.getDistances())),
        (lambda p, G, a: G.distances(source=a.sources[0], weights="weight")[0], array),
        close,
    ),
    Task(
        "distances from 64 sources",
        "undirected",
        (lambda p, A, a: p.algorithms.bfs_many(A, a.sources), lambda x: dense(x)[:, 0]),
        (lambda p, G, a: p.distance.SPSP(G, a.sources).run(), lambda x: array(x.getDistances()[0])),
        (lambda p, G, a: G.distances(source=a.sources), lambda x: array(x[0])),
        close,
    ),
    Task(
        "path to a target",
        "undirected",
        (lambda p, A, a: p.algorithms.bfs_path(A, *a.sources[:2]), lambda x: x.length),
        (lambda p, G, a: p.distance.BidirectionalBFS(G, *a.sources[:2]).run(), lambda x: len(x.getPath()) + 1),
        (lambda p, G, a: G.get_shortest_path(*a.sources[:2]), lambda x: len(x) - 1),
        close,
    ),
    Task(
        "minimum spanning forest",
        "weighted",
        (lambda p, A, a: p.algorithms.msf(A), lambda x: x.reduce_scalar("plus").new().value),
        (lambda p, G, a: p.graph.KruskalMSF(G).run(), lambda x: x.getTotalWeight()),
        (lambda p, G, a: G.spanning_tree(weights="weight"), lambda x: sum(x.es["weight"])),
        close,
    ),
    Task(
        "maximum flow",
        "capacities",
        (lambda p, A, a: p.algorithms.max_flow(A, *a.hubs, only="value"), number),
        igraph=(lambda p, G, a: G.maxflow_value(*a.hubs, capacity="weight"), number),
        same=close,
    ),
    Task(
        "bipartite matching",
        "bipartite",
        (lambda p, A, a: p.algorithms.bipartite_matching(A, only="row_mate"), lambda x: x.nvals),
        igraph=(lambda p, G, a: G.maximum_bipartite_matching(types=[0] * a.n + [1] * a.n), len),
        same=close,
    ),
    Task(
        "matching of heavy edges",
        "weighted",
        (lambda p, A, a: p.algorithms.matching(A), None),
        (lambda p, G, a: p.matching.SuitorMatcher(G, sortSuitor=False).run(), None),
    ),
    Task(
        "maximal independent set",
        "undirected",
        (lambda p, A, a: p.algorithms.mis(A), None),
        (lambda p, G, a: p.independentset.Luby().run(G), None),
    ),
    Task(
        "coloring",
        "undirected",
        (lambda p, A, a: p.algorithms.coloring(A), None),
        igraph=(lambda p, G, a: G.vertex_coloring_greedy(), None),
    ),
    Task(
        "Jaccard of 100000 pairs",
        "undirected",
        (similarity("JACCARD"), total),
        (link_prediction("JaccardIndex"), total),
        (lambda p, G, a: G.similarity_jaccard(pairs=list(zip(*(x.tolist() for x in a.pairs), strict=True)), loops=False), sum),
        close,
    ),
    Task(
        "Adamic-Adar of 100000 pairs",
        "undirected",
        (similarity("ADAMIC_ADAR"), total),
        (link_prediction("AdamicAdarIndex"), total),
        same=close,
    ),
    Task(
        "reciprocity",
        "directed",
        (lambda p, A, a: p.algorithms.reciprocity(A, only="reciprocity"), number),
        igraph=(lambda p, G, a: G.reciprocity(), number),
        same=close,
    ),
]
