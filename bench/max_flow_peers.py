#!/usr/bin/env python3
"""Maximum flows beside igraph and NetworkX: values and seconds of the processor, on one thread.

Usage: bench/max_flow_peers.py PROGRAM GRAPH [SECONDS]
  PROGRAM  gridblas; its seconds include reading the file
  GRAPH    grid:N, N x N vertices, from a vertex beside the whole first column to one beside the last; or rmat:SCALE, from the vertex with most
           edges to the one with most but one. Edges have capacities from 1 to 255 in both directions
  SECONDS  NetworkX is stopped after so many (300); 0: without it
gridblas and igraph run RUNS times in turn, of which the medians count. Prints CSV. Needs numpy and igraph, and networkx in the python3 that NETWORKX names (pip install numpy igraph networkx).
"""
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = "1"
import igraph
import numpy

RUNS = 5

WITH_NETWORKX = """
import sys, time
import networkx as nx
graph = nx.Graph()
for line in open(sys.argv[1]):
    v, w, capacity = line.split()
    graph.add_edge(int(v), int(w), capacity=int(capacity))
begin = time.process_time()
value = nx.maximum_flow_value(graph, int(sys.argv[2]), int(sys.argv[3]))
print(value, time.process_time() - begin)
"""


def grid(n):
    at = numpy.arange(n * n).reshape(n, n)
    source, sink = n * n, n * n + 1
    pairs = [(at[:, :-1], at[:, 1:]), (at[:-1], at[1:]), (numpy.full(n, source), at[:, 0]), (at[:, -1], numpy.full(n, sink))]
    return numpy.concatenate([numpy.stack([a.ravel(), b.ravel()], axis=1) for a, b in pairs]), source, sink


def rmat(program, scale):
    text = subprocess.run([program, "convert", f"rmat:{scale}", "-", "--to", "edges"], capture_output=True, text=True, check=True).stdout
    edges = numpy.array(text.split(), dtype=numpy.int64).reshape(-1, 2)
    edges.sort(axis=1)
    keys = numpy.unique(edges[edges[:, 0] != edges[:, 1]] @ (2**32, 1))
    edges = numpy.stack([keys >> 32, keys & (2**32 - 1)], axis=1)
    sink, source = numpy.argsort(numpy.bincount(edges.ravel()), kind="stable")[-2:]
    return edges, source, sink


def of_gridblas(program, path, source, sink):
    command = [program, "max-flow", path, "--sources", f"{source},{sink}", "--weights", "file"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return float(re.search(r"flow: +(\S+)", text)[1]), seconds


def of_igraph(edges, capacity, source, sink):
    graph = igraph.Graph(edges=numpy.concatenate([edges, edges[:, ::-1]]), directed=True)
    begin = time.process_time()
    value = graph.maxflow_value(source, sink, numpy.tile(capacity, 2).tolist())
    return value, time.process_time() - begin


def of_networkx(path, source, sink, seconds):
    command = [os.environ.get("NETWORKX", sys.executable), "-c", WITH_NETWORKX, path, str(source), str(sink)]
    try:
        text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds).stdout
    except subprocess.TimeoutExpired:
        return float("nan"), float("inf")
    return tuple(float(x) for x in text.split())


def main(program, name, seconds=300):
    kind, size = name.split(":")
    edges, source, sink = grid(int(size)) if kind == "grid" else rmat(program, size)
    capacity = numpy.random.default_rng(1).integers(1, 256, size=len(edges))
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        numpy.savetxt(file, numpy.column_stack([edges, capacity]), fmt="%d")
        file.flush()
        runs = {
            "gridblas": lambda: of_gridblas(program, file.name, source, sink),
            "igraph": lambda: of_igraph(edges, capacity, int(source), int(sink)),
        }
        answers = {library: [] for library in runs}
        for _ in range(RUNS):
            for library, run in runs.items():
                answers[library].append(run())
        if float(seconds) > 0:
            answers["NetworkX"] = [of_networkx(file.name, source, sink, float(seconds))]
        print("graph,edges,library,value,seconds")
        for library, pairs in answers.items():
            print(f"{name},{len(edges)},{library},{pairs[0][0]:.0f},{statistics.median(took for _, took in pairs):.2f}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
