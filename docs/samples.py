"""Writes a sample of neighbors, or a random walk, of the karate club as a drawing that `gridblas report` reads (docs/pictures.sh), with
values of edges where the commands draw vertices. Usage: samples.py neighbor-sample|random-walk OUTPUT.json"""

import json
import sys
from pathlib import Path

import gridblas as gb

KARATE = Path(__file__).parents[1] / "examples" / "data" / "karate.txt"


def neighbor_sample(A):
    """Edges from two members, three friends of each, and two friends of each of these: by hops."""
    sample, hop = gb.algorithms.neighbor_sample(A, [0, 33], [3, 2], seed=1)
    rows, columns, _ = sample.to_coo()
    hops = hop.to_dense(-1)
    edges = [(int(v), int(w), int(hops[v]) + 1) for v, w in zip(rows, columns)]
    return "hop", sorted(edges, key=lambda edge: -edge[2])  # those of the first hop are drawn last, above the others


def random_walk(A):
    """The edges of a walk of ten steps, by steps."""
    walk = gb.algorithms.random_walks(A, gb.Vector.from_dense([16]), length=10, p=4.0, q=0.5, seed=2).to_dense(-1)[0]
    return "step", [(int(v), int(w), step) for step, (v, w) in enumerate(zip(walk, walk[1:]), 1)]


A, names = gb.io.read(str(KARATE), names=True)
kind, entries = {"neighbor-sample": neighbor_sample, "random-walk": random_walk}[sys.argv[1]](A)
rows, columns, _ = A.to_coo()
drawing = {
    "colour": kind,
    "directed": False,
    "names": [int(name) for name in names],
    "edges": [[int(v), int(w)] for v, w in zip(rows, columns) if v < w],
    "entry_edges": [[v, w] for v, w, _ in entries],
    "entries": [float(value) for _, _, value in entries],
}
Path(sys.argv[2]).write_text(json.dumps({"graph": str(KARATE), "vertices": A.nrows, "edges": A.nvals // 2, "drawing": drawing}))
