"""Writes a drawing that `gridblas report` reads (docs/pictures.sh), for algorithms whose commands draw none, or another one.
Usage: samples.py neighbor-sample|random-walk|assortativity|eigenvalues|spectral-embedding|modularity|singular-values|motif-counts OUTPUT.json"""

import json
import sys
from itertools import combinations
from pathlib import Path

import gridblas as gb

KARATE = Path(__file__).parents[1] / "examples" / "data" / "karate.txt"
A, names = gb.io.read(str(KARATE), names=True)
rows, columns, _ = A.to_coo()
GRAPH = {"names": [int(name) for name in names], "edges": [[int(v), int(w)] for v, w in zip(rows, columns) if v < w]}


def edges_by(what, entries):
    """Of (v, w, value)."""
    return {"colour": what, **GRAPH, "entry_edges": [[v, w] for v, w, _ in entries], "entries": [float(value) for _, _, value in entries]}


def vertices_by(what, vector):
    return {"colour": what, **GRAPH, "values": [float(x) for x in vector.to_dense(0)]}


def neighbor_sample():
    """Edges from two members, three friends of each, and two friends of each of these: by hops."""
    sample, hop = gb.algorithms.neighbor_sample(A, [0, 33], [3, 2], seed=1)
    rows, columns, _ = sample.to_coo()
    hops = hop.to_dense(-1)
    edges = [(int(v), int(w), int(hops[v]) + 1) for v, w in zip(rows, columns)]
    return edges_by("hop", sorted(edges, key=lambda edge: -edge[2]))  # those of the first hop are drawn last, above the others


def random_walk():
    """The edges of a walk of ten steps, by steps."""
    walk = gb.algorithms.random_walks(A, gb.Vector.from_dense([16]), length=10, p=4.0, q=0.5, seed=2).to_dense(-1)[0]
    return edges_by("step", [(int(v), int(w), step) for step, (v, w) in enumerate(zip(walk, walk[1:]), 1)])


def degrees():
    return A.apply("oneb", right=1.0).new().reduce_rowwise("plus").new()


def assortativity():
    return vertices_by("degree", degrees())


def eigenvalues():
    return vertices_by("part of the largest eigenvector", gb.algorithms.lanczos(A, 1).vectors[:, 0].new())


def spectral_embedding():
    return vertices_by("first coordinate", gb.algorithms.spectral_embedding(A, 1).coordinates[:, 0].new())


def modularity():
    """Communities by the share of their edges that leave them."""
    community = gb.algorithms.louvain(A, only="community")
    conductance = gb.algorithms.modularity(A, community, only="conductance").to_dense(0)
    shares = gb.Vector.from_dense([float(conductance[c]) for c in community.to_dense(0)])
    return vertices_by("conductance", shares)


def singular_values():
    """The largest left vector of the matrix of members and their friends."""
    return vertices_by("part of the largest left vector", gb.algorithms.singular_values(A, 1).left[:, 0].new())


def motif_counts():
    """The graphs of the numbers, one beside the other, each with its number in the karate club."""
    cycle = [(0, 1), (1, 2), (2, 3), (0, 3)]
    motifs = {
        "path": [(0, 1), (1, 2)],
        "triangle": [(0, 1), (1, 2), (0, 2)],
        "star": [(0, 1), (0, 2), (0, 3)],
        "path of 4": [(0, 1), (1, 2), (2, 3)],
        "paw": [(0, 1), (1, 2), (0, 2), (2, 3)],
        "cycle": cycle,
        "diamond": [*cycle, (0, 2)],
        "clique": list(combinations(range(4), 2)),
    }
    drawing = {"colour": "count", "names": [], "edges": [], "values": []}
    for (name, edges), count in zip(motifs.items(), gb.algorithms.motif_counts(A).to_dense()):
        first, vertices = len(drawing["names"]), 1 + max(max(edge) for edge in edges)
        drawing["names"] += [""] * (vertices - 1) + [f"{name}: {count}"]
        drawing["values"] += [float(count)] * vertices
        drawing["edges"] += [[first + v, first + w] for v, w in edges]
    return drawing


drawings = {
    "neighbor-sample": neighbor_sample,
    "random-walk": random_walk,
    "assortativity": assortativity,
    "eigenvalues": eigenvalues,
    "spectral-embedding": spectral_embedding,
    "modularity": modularity,
    "singular-values": singular_values,
    "motif-counts": motif_counts,
}
drawing = {"directed": False, **drawings[sys.argv[1]]()}
Path(sys.argv[2]).write_text(json.dumps({"graph": str(KARATE), "vertices": A.nrows, "edges": A.nvals // 2, "drawing": drawing}))
