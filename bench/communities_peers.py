#!/usr/bin/env python3
"""Communities beside NetworKit and igraph: modularity and seconds; of the processor on one thread, elapsed on several.

Usage: bench/communities_peers.py PROGRAM EDGES [THREADS]
  PROGRAM  gridblas; reading the graph does not count
  EDGES    a list of edges, two numbers below 2^32 a line; parallel edges count once. Or planted:N: N vertices in groups of 100, in the mean
           with 12 edges inside its group and 8 to others each
  THREADS  of gridblas and NetworKit, default 1. With more, igraph, which has one, is left out, and each method takes its fastest of three runs
Prints CSV. Needs numpy, networkit and igraph (pip install numpy networkit igraph), and taskset.
"""
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

threads = int(sys.argv[3]) if len(sys.argv) == 4 else 1
os.environ["OMP_NUM_THREADS"] = str(threads)
processors = os.sched_getaffinity(0)  # with OMP_PROC_BIND the imports bind this thread, and its children, to one
import igraph  # noqa: E402
import networkit  # noqa: E402
import numpy  # noqa: E402


def planted(n):
    draw = numpy.random.default_rng(1).integers
    group = draw(n // 100, size=(6 * n, 1)) * 100
    return numpy.concatenate([group + draw(100, size=(6 * n, 2)), draw(n, size=(4 * n, 2))])


def read_edges(path):
    """Each edge once, without loops."""
    edges = planted(int(path[8:])) if path.startswith("planted:") else numpy.fromfile(path, dtype=numpy.int64, sep=" ").reshape(-1, 2)
    edges.sort(axis=1)
    edges = edges[edges[:, 0] != edges[:, 1]]
    keys = numpy.unique(edges[:, 0] << 32 | edges[:, 1])
    return numpy.stack([keys >> 32, keys & (2**32 - 1)], axis=1)


def run_gridblas(program, method, path, repeats):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["taskset", "-c", ",".join(map(str, processors)), program, method, path, "--repeat", str(repeats)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return text, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def of_gridblas(program, method, path):
    text, seconds = run_gridblas(program, method, path, 3)
    if threads == 1:
        seconds = (seconds - run_gridblas(program, method, path, 1)[1]) / 2
    else:
        seconds = float(re.search(r"run_ms_fastest: +(\S+)", text)[1]) / 1000
    return float(re.search(r"modularity: +(\S+)", text)[1]), seconds


def run_networkit(graph, make):
    clock = time.process_time if threads == 1 else time.perf_counter
    algorithm = make(graph)
    begin = clock()
    algorithm.run()
    return clock() - begin, algorithm


def of_networkit(graph, make):
    seconds, algorithm = min((run_networkit(graph, make) for _ in range(1 if threads == 1 else 3)), key=lambda run: run[0])
    return networkit.community.Modularity().getQuality(algorithm.getPartition(), graph), seconds


def of_igraph(find):
    begin = time.process_time()
    found = find()
    return found.modularity, time.process_time() - begin


def main(program, path):
    edges = read_edges(path)
    n = int(edges.max()) + 1
    networkit.setNumberOfThreads(threads)
    graph = networkit.GraphFromCoo((edges[:, 0], edges[:, 1]), n=n)
    peer = igraph.Graph(n=n, edges=edges)
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        peer.write_edgelist(file.name)
        compare(program, file.name, graph, peer)


def compare(program, path, graph, peer):
    community = networkit.community
    rows = {
        "gridblas louvain": lambda: of_gridblas(program, "louvain", path),
        "NetworKit PLM": lambda: of_networkit(graph, lambda g: community.PLM(g, False)),
        "igraph multilevel": lambda: of_igraph(peer.community_multilevel),
        "gridblas leiden": lambda: of_gridblas(program, "leiden", path),
        "NetworKit ParallelLeiden": lambda: of_networkit(graph, community.ParallelLeiden),
        "igraph leiden": lambda: of_igraph(lambda: peer.community_leiden("modularity")),
    }
    print("method,modularity,seconds")
    for name, run in rows.items():
        if threads > 1 and name.startswith("igraph"):
            continue
        modularity, seconds = run()
        print(f"{name},{modularity:.4f},{seconds:.2f}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:3])
