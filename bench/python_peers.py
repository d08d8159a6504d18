#!/usr/bin/env python3
"""gridblas beside other Python packages: python_peers.py [OPTION...]

Times NetworKit, igraph, scikit-network, scipy and NetworkX, where they are installed, and gridblas on one undirected graph, in one process: building the
graph from numpy arrays, breadth-first search, components, PageRank, betweenness of 16 sources, triangles, clustering coefficients and core numbers. Then
NetworKit and igraph alone on the tasks of python_tasks.py. Prints milliseconds, the time of each package over that of gridblas (above 1 gridblas is
faster), and behind a slash that ratio with the building of the graph from arrays in both times. Answers that have to agree are compared; the exit
status is 1 if any differ.

A time is that of the call that computes, the least of --repeat; the result stays in the package's own form. A task that takes longer than --limit
seconds is not repeated, and NetworkX is stopped there. What a package lacks is left out: NetworKit chooses the sources of betweenness by itself (its
answer is not compared), scikit-network and scipy have no betweenness of chosen sources. scikit-network counts triangles by Python calls a vertex, for
minutes, which nothing can stop: it is not asked.

Find gridblas by PYTHONPATH=BUILD/python or after `pip install ./python`; the others by `pip install networkit igraph scikit-network scipy networkx`.
"""

import argparse
import datetime
import functools
import importlib
import os
import platform
import signal
import sys
import time
from pathlib import Path

SOURCES = 16  # of betweenness
SMALL_SCALE = 13  # of the graph of tasks that search from every vertex
DAMPING, TOLERANCE = 0.85, 1e-6  # of PageRank
TASKS = ["build from numpy", "BFS", "components", "PageRank", "betweenness", "triangles", "clustering", "k-core"]


class Gridblas:
    """Each package: module, version, and a method for each task, named by `method`. `answer_...` gives a result as a numpy array."""

    name, module = "gridblas", "gridblas"

    def build(self, graph):
        u, v = graph.edges
        self.A = self.package.Matrix.from_coo(np.concatenate([u, v]), np.concatenate([v, u]), True, nrows=graph.n, ncols=graph.n).wait()

    def bfs(self, graph):
        return self.package.algorithms.bfs(self.A, graph.source, only="level").wait()

    def components(self, graph):
        return self.package.algorithms.components(self.A).wait()

    def pagerank(self, graph):
        return self.package.algorithms.pagerank(self.A, damping=DAMPING, tolerance=TOLERANCE, only="rank").wait()

    def betweenness(self, graph):
        return self.package.algorithms.betweenness(self.A, graph.sources).wait()

    def triangles(self, graph):
        return self.package.algorithms.triangles(self.A, only="count")

    def clustering(self, graph):
        return self.package.algorithms.lcc(self.A).wait()

    def kcore(self, graph):
        return self.package.algorithms.kcore(self.A).wait()

    def array(self, task, result):
        return result.to_dense(fill_value=-1) if hasattr(result, "to_dense") else result


class NetworKit:
    name, module = "NetworKit", "networkit"

    def build(self, graph):
        self.G = self.package.GraphFromCoo(graph.edges, n=graph.n, weighted=False, directed=False)

    def bfs(self, graph):
        return self.package.distance.BFS(self.G, graph.source, storePaths=False).run()

    def components(self, graph):
        return self.package.components.ParallelConnectedComponents(self.G).run()

    def pagerank(self, graph):
        ranks = self.package.centrality.PageRank(self.G, damp=DAMPING, tol=TOLERANCE)
        ranks.norm = self.package.centrality.Norm.L1_NORM
        return ranks.run()

    def betweenness(self, graph):
        self.package.centrality.EstimateBetweenness(self.G, SOURCES, normalized=False, parallel=True).run()

    def triangles(self, graph):
        return self.clustering(graph)

    def clustering(self, graph):
        return self.package.centrality.LocalClusteringCoefficient(self.G, turbo=True).run()

    def kcore(self, graph):
        return self.package.centrality.CoreDecomposition(self.G).run()

    def array(self, task, result):
        if task == "bfs":
            levels = np.array(result.getDistances())
            return np.where(levels > 1e300, -1, levels)
        if task == "components":
            labels = np.empty(self.G.numberOfNodes(), dtype=np.int64)
            for members in result.getComponents():
                labels[members] = min(members)
            return labels
        values = np.array(result.scores())
        if task == "triangles":
            degrees = np.array([self.G.degree(v) for v in range(len(values))])
            return round(float((values * degrees * (degrees - 1)).sum()) / 6)
        return values


class Igraph:
    name, module = "igraph", "igraph"

    def build(self, graph):
        self.G = self.package.Graph(n=graph.n, edges=np.column_stack(graph.edges))

    def bfs(self, graph):
        return self.G.distances(source=graph.source)[0]

    def components(self, graph):
        return self.G.connected_components().membership

    def pagerank(self, graph):
        return self.G.pagerank(damping=DAMPING)

    def betweenness(self, graph):
        return self.G.betweenness(sources=graph.sources)

    def triangles(self, graph):
        return self.G.transitivity_undirected()  # three times their number over that of paths of two edges

    def clustering(self, graph):
        return self.G.transitivity_local_undirected(mode="zero")

    def kcore(self, graph):
        return self.G.coreness()

    def array(self, task, result):
        if task == "triangles":
            degrees = np.array(self.G.degree())
            return round(result * float((degrees * (degrees - 1) // 2).sum()) / 3)
        values = np.array(result, dtype=float)
        return np.where(np.isinf(values), -1, values)


class ScikitNetwork:
    name, module = "scikit-network", "sknetwork"

    def build(self, graph):
        self.A = csr(graph, bool)

    def bfs(self, graph):
        return self.package.path.get_distances(self.A, source=graph.source)

    def components(self, graph):
        return self.package.topology.get_connected_components(self.A)

    def pagerank(self, graph):
        return self.package.ranking.PageRank(damping_factor=DAMPING, solver="piteration", n_iter=100, tol=TOLERANCE).fit_predict(self.A)

    def kcore(self, graph):
        return self.package.topology.get_core_decomposition(self.A)

    def array(self, task, result):
        return result


class Scipy:
    name, module = "scipy", "scipy.sparse.csgraph"

    def build(self, graph):
        self.A = csr(graph, np.float64)

    def bfs(self, graph):
        return self.package.dijkstra(self.A, indices=graph.source, unweighted=True)

    def components(self, graph):
        return self.package.connected_components(self.A, directed=False)[1]

    def array(self, task, result):
        return np.where(np.isinf(result), -1, result)


class NetworkX:
    name, module = "NetworkX", "networkx"

    def build(self, graph):
        self.G = self.package.empty_graph(graph.n)
        self.G.add_edges_from(np.column_stack(graph.edges).tolist())

    def bfs(self, graph):
        return self.package.single_source_shortest_path_length(self.G, graph.source)

    def components(self, graph):
        return list(self.package.connected_components(self.G))

    def pagerank(self, graph):
        return self.package.pagerank(self.G, alpha=DAMPING, tol=TOLERANCE / graph.n)

    def betweenness(self, graph):
        return self.package.betweenness_centrality_subset(self.G, graph.sources, list(self.G))

    def triangles(self, graph):
        return self.package.triangles(self.G)

    def clustering(self, graph):
        return self.package.clustering(self.G)

    def kcore(self, graph):
        return self.package.core_number(self.G)

    def array(self, task, result):
        if task == "triangles":
            return sum(result.values()) // 3
        values = np.full(len(self.G), -1.0)
        if task == "components":
            for members in result:
                values[list(members)] = min(members)
        else:
            values[list(result)] = list(result.values())
        return values


PACKAGES = [Gridblas, NetworKit, Igraph, ScikitNetwork, Scipy, NetworkX]
METHODS = dict(zip(TASKS, ["build", "bfs", "components", "pagerank", "betweenness", "triangles", "clustering", "kcore"], strict=True))
ALSO = {"sknetwork": ["sknetwork.path", "sknetwork.topology", "sknetwork.ranking"]}  # modules to import, too


class Graph:
    """Undirected, without loops, double edges and vertices without edges: `edges` has each once, as two arrays."""

    def __init__(self, u, v, seed):
        keep = u != v
        low, high = np.minimum(u, v)[keep], np.maximum(u, v)[keep]
        pairs = np.unique(low * (int(max(u.max(), v.max())) + 1) + high)
        low, high = np.divmod(pairs, int(max(u.max(), v.max())) + 1)
        names, numbers = np.unique(np.concatenate([low, high]), return_inverse=True)
        self.n = len(names)
        self.edges = tuple(np.ascontiguousarray(half, dtype=np.int64) for half in np.split(numbers.astype(np.int64), 2))
        drawn = np.random.default_rng(seed).choice(self.n, SOURCES, replace=False).tolist()
        self.source, self.sources = drawn[0], drawn


def rmat(scale, edge_factor, seed):
    """The end vertices of edge_factor * 2^scale edges of the Graph500 generator's probabilities, vertices renumbered at random."""
    draw = np.random.default_rng(seed)
    count = edge_factor << scale
    u, v = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    for _ in range(scale):
        r = draw.random(count)
        down = r >= 0.57 + 0.19
        right = (r >= 0.57) & (r < 0.57 + 0.19) | (r >= 0.57 + 0.19 + 0.19)
        u, v = 2 * u + down, 2 * v + right
    order = draw.permutation(1 << scale)
    return order[u], order[v]


def csr(graph, dtype):
    from scipy import sparse

    u, v = graph.edges
    ones = np.ones(2 * len(u), dtype=dtype)
    return sparse.csr_matrix((ones, (np.concatenate([u, v]), np.concatenate([v, u]))), shape=(graph.n, graph.n))


def same_partition(a, b):
    """Whether two labelings put the same vertices together."""
    pairs = np.unique(np.column_stack([a, b]), axis=0)
    return len(pairs) == len(np.unique(a)) == len(np.unique(b))


def agree(task, reference, other):
    if task == "components":
        return same_partition(reference, other)
    if task == "triangles":
        return int(reference) == int(other)
    reference, other = np.asarray(reference, dtype=float), np.asarray(other, dtype=float)
    if task == "pagerank":
        return abs(reference / reference.sum() - other / other.sum()).sum() < 1e-4
    if task == "betweenness":  # some packages count a pair once, others twice
        return np.allclose(reference / reference.sum(), other / other.sum(), rtol=1e-6, atol=1e-12)
    return np.allclose(reference, other, rtol=1e-9, atol=1e-9)


class TooLong(Exception):
    pass


def stop(_signal, _frame):
    raise TooLong


def timed(call, options, limit=1e6):
    """Least seconds, and the last result. NetworkX alone can be stopped in the middle: the others return to Python only at the end."""
    best, result = None, None
    clock = time.process_time if options.cpu else time.perf_counter
    for _ in range(options.repeat):
        signal.setitimer(signal.ITIMER_REAL, limit)
        try:
            start = clock()
            result = call()
            seconds = clock() - start
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        best = seconds if best is None else min(best, seconds)
        if seconds > options.limit / options.repeat:
            break
    return best, result


class Times:
    """Seconds of each package and task, those of building the task's graph, and the answers that differ."""

    def __init__(self):
        self.calls, self.builds, self.wrong = {}, {}, []

    def add(self, package, task, seconds, build):
        self.calls[package.name, task], self.builds[package.name, task] = seconds, build

    def ratios(self, package, task):
        """Of the calls, and with the building of the graph."""
        gridblas, peer = ("gridblas", task), (package.name, task)
        return self.calls[peer] / self.calls[gridblas], (self.calls[peer] + self.builds[peer]) / (self.calls[gridblas] + self.builds[gridblas])

    def cell(self, package, task, same):
        text = f"{1e3 * self.calls[package.name, task]:.1f} ms"
        if package.name != "gridblas":
            text += " ({:.2g}/{:.2g} x)".format(*self.ratios(package, task))
        if not same:
            self.wrong.append(f"{package.name}: {task}")
            text += " DIFFERS"
        return text


def print_row(task, cells):
    print(f"{task:34}" + "".join(f"{cell:>28}" for cell in cells), flush=True)


def version(module):
    from importlib import metadata

    names = {"sknetwork": "scikit-network", "scipy.sparse.csgraph": "scipy"}
    try:
        return metadata.version(names.get(module, module))
    except metadata.PackageNotFoundError:
        return getattr(sys.modules[module], "__version__", "")


def processor():
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def run_base(packages, graph, options, tasks, times):
    """The tasks that each package has a method for, on the graph that it has built."""
    for task in TASKS:
        method = METHODS[task]
        if task not in tasks and task != TASKS[0]:
            continue
        cells, reference = [], None
        for package in packages:
            call = getattr(package, method, None)
            if call is None or not hasattr(package, "ready") and method != "build":
                cells.append("–")
                continue
            try:
                seconds, result = timed(functools.partial(call, graph), options, options.limit if package.module == "networkx" else 1e6)
            except TooLong:
                cells.append(f"over {options.limit:g} s")
                continue
            times.add(package, task, seconds, times.calls.get((package.name, TASKS[0]), 0))
            same = True
            if method == "build":
                package.ready = True
            elif result is not None:
                answer = package.array(method, result)
                if package.name == "gridblas":
                    reference = answer
                else:
                    same = agree(method, reference, answer)
            cells.append(times.cell(package, task, same))
        print_row(task, cells)


def run_others(packages, arrays, options, tasks, times):
    """The tasks of python_tasks.py, whose graphs are built when the first task wants them."""
    graphs = {}
    for task in python_tasks.TASKS:
        if task.name not in tasks:
            continue
        cells, reference = [], None
        for package in packages:
            call, answer = getattr(task, package.name, None) or (None, None)
            if call is None:
                cells.append("–")
                continue
            at = package.name, task.kind
            if at not in graphs:
                build = functools.partial(python_tasks.BUILDS[package.name], package.package, *arrays.kinds[task.kind])
                graphs[at] = timed(build, options)
            build, graph = graphs[at]
            seconds, result = timed(lambda: python_tasks.finish(call(package.package, graph, arrays)), options)
            times.add(package, task.name, seconds, build)
            same = True
            if task.same is not None:
                value = answer(result)
                if package.name == "gridblas":
                    reference = value
                else:
                    same = task.same(reference, value)
            cells.append(times.cell(package, task.name, same))
        print_row(task.name, cells)


def write_csv(path, options, graph, packages, times):
    with path.open("w", encoding="utf-8") as out:
        words = " ".join(["bench/python_peers.py", *(w for w in sys.argv[1:] if not w.startswith("--csv") and w != str(options.csv))])
        versions = ", ".join(f"{p.name} {p.version}" for p in packages)
        print(f"# Machine: {processor()}, {os.cpu_count()} processors, {options.threads} threads", file=out)
        print(f"# Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}", file=out)
        print(f"# Versions: {versions}, Python {platform.python_version()}, numpy {np.__version__}", file=out)
        print(f"# Graph: {options.graph or f'R-MAT scale {options.scale}, edge factor {options.edge_factor}'}: {graph.n} vertices", file=out, end="")
        print(f" with edges, {len(graph.edges[0])} undirected edges", file=out)
        clock = "seconds of the processor" if options.cpu else "times"
        print(f"# Values: least of {options.repeat} {clock}; ratio: time of the package / time of gridblas;", file=out, end="")
        print(" with_build: the same, building the graph from numpy arrays included", file=out)
        print(f"# Command: {words} --csv docs/measurements/python-peers.csv", file=out)
        print("task,peer,peer_ms,gridblas_ms,ratio,with_build", file=out)
        for package in packages[1:]:
            for task in [*TASKS, *(t.name for t in python_tasks.TASKS)]:
                gridblas, peer = times.calls.get(("gridblas", task)), times.calls.get((package.name, task))
                if gridblas is not None and peer is not None:
                    ratio, with_build = times.ratios(package, task)
                    print(f"{task},{package.name} {package.version},{1e3 * peer:.3g},{1e3 * gridblas:.3g},{ratio:.3g},{with_build:.3g}", file=out)



def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=17, help="of the R-MAT graph: 2^SCALE vertices (17)")
    parser.add_argument("--edge-factor", type=int, default=16, help="edges a vertex before double ones are dropped (16)")
    parser.add_argument("--graph", type=Path, help="a text file of edges instead, two vertex numbers a line, # before comments")
    parser.add_argument("--threads", type=int, default=2, help="of each package (2)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of a task, of which the fastest counts (3)")
    parser.add_argument("--limit", type=float, default=60, help="seconds a task of NetworkX may take (60)")
    parser.add_argument("--tasks", help="only these, comma-separated: those of python_tasks.py and " + ", ".join(TASKS))
    parser.add_argument("--peers", help="only these, comma-separated: " + ", ".join(p.name for p in PACKAGES[1:]))
    parser.add_argument("--cpu", action="store_true", help="seconds of the processor: with --threads 1, on a machine with other work")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", type=Path, help="write the table of docs/measurements/python-peers.csv there")
    options = parser.parse_args()
    # Before the packages are imported, since they read it then.
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(options.threads)
    global np, python_tasks
    import numpy as np
    import python_tasks

    wanted = options.peers.split(",") if options.peers else None
    packages = []
    for kind in PACKAGES:
        if wanted is not None and kind is not Gridblas and kind.name not in wanted:
            continue
        try:
            package = kind()
            package.package = importlib.import_module(kind.module)
            for module in ALSO.get(kind.module, []):
                importlib.import_module(module)
            package.version = version(kind.module)
            packages.append(package)
        except ImportError as error:
            print(f"skipped: {kind.name} ({error})", file=sys.stderr)
    if not packages or packages[0].name != "gridblas":
        sys.exit("python_peers.py: no gridblas (PYTHONPATH=BUILD/python)")
    for package in packages:
        if package.module == "networkit":
            package.package.setNumberOfThreads(options.threads)

    if options.graph:
        u, v = np.loadtxt(options.graph, dtype=np.int64, comments=["#", "%"], usecols=(0, 1), unpack=True)
    else:
        u, v = rmat(options.scale, options.edge_factor, options.seed)
    graph = Graph(u, v, options.seed)
    print(f"{graph.n} vertices with edges, {len(graph.edges[0])} undirected edges, {options.threads} threads")

    signal.signal(signal.SIGALRM, stop)
    tasks = options.tasks.split(",") if options.tasks else [*TASKS, *(t.name for t in python_tasks.TASKS)]
    times = Times()
    print_row("", [f"{p.name} {p.version}" for p in packages])
    run_base(packages, graph, options, tasks, times)
    if any(t.name in tasks for t in python_tasks.TASKS):
        small = python_tasks.largest_component(packages[0].package, Graph(*rmat(SMALL_SCALE, options.edge_factor, options.seed), options.seed))
        run_others(packages, python_tasks.Arrays(graph, Graph(*small, options.seed), options.seed), options, tasks, times)
    if options.csv:
        write_csv(options.csv, options, graph, packages, times)
    if times.wrong:
        sys.exit("answers differ: " + ", ".join(times.wrong))


if __name__ == "__main__":
    main()
