"""Mini-batches for a graph neural network, and random walks for an embedding, as PyTorch Geometric and gensim take them.

Nothing is trained here. Usage: [mpirun -n N] python3 mini_batch.py [EDGES]
"""

import sys
from pathlib import Path

import numpy as np

import gridblas as gb

KARATE = Path(__file__).parent / "data" / "karate.txt"


def mini_batch(A, sources, fanouts, seed):
    """A sample around the sources as a graph of its own: its vertices in the order of their hops, the edges from neighbors to the vertices
    for which they were drawn, as positions in that list, and the edges' values."""
    sample, hop = gb.algorithms.neighbor_sample(A, sources, fanouts, seed)
    vertices, hops = hop.to_coo()
    vertices = vertices[np.argsort(hops, kind="stable")].astype(np.int64)
    place = np.empty(A.nrows, np.int64)
    place[vertices] = np.arange(len(vertices))
    targets, neighbors, values = sample.to_coo()
    return vertices, np.stack([place[neighbors], place[targets]]), values


def mini_batches(A, size, fanouts, seed):
    """All vertices as sources, in random order, `size` at a time: an epoch."""
    order = np.random.default_rng(seed).permutation(A.nrows)
    for first in range(0, A.nrows, size):
        yield mini_batch(A, order[first : first + size], fanouts, seed * A.nrows + first)


def sentences(A, walks_per_vertex, length, seed, **rules):
    """Random walks from each vertex as lists of words, which word2vec takes."""
    for number in range(walks_per_vertex):
        walks = gb.algorithms.random_walks(A, length=length, seed=seed * walks_per_vertex + number, **rules)
        yield from ([str(v) for v in walk if v >= 0] for walk in walks.to_dense(-1))


if __name__ == "__main__":
    A = gb.io.read(sys.argv[1] if len(sys.argv) > 1 else str(KARATE))
    batches = list(mini_batches(A, 8, [4, 2], seed=1))
    words = list(sentences(A, 10, 20, seed=1, p=0.5, q=2.0))
    if gb.rank() == 0:
        print(f"{len(batches)} mini-batches, {sum(len(b[0]) for b in batches)} vertices and {sum(b[1].shape[1] for b in batches)} edges in all")
        print(f"{len(words)} walks, {sum(map(len, words))} words")
