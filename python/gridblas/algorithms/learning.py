"""Inputs for learning on graphs: samples of neighbors, random walks."""

from __future__ import annotations

from typing import Any

from .call import algorithm


@algorithm
def neighbor_sample(A: Any, sources: Any, fanouts: Any, seed: int = 0, *, only: str | None = None) -> Any:  # noqa: N803
    """A random sample of the neighbors of vertices, of their neighbors, and so on: a mini-batch for a graph neural network.

    A        n x n, any type; neighbors of v are the entries of row v. For messages along the edges, from the neighbors to v, pass A.T
    sources  the vertices at which it begins
    fanouts  for each hop the most neighbors that are drawn of a vertex, -1: all
    seed     other seeds give other samples

    A vertex's neighbors are drawn once, in the hop after the one that reached it first, without replacement.

    Returns (sample, hop): a Matrix of A's type and size with the entries that were drawn, and an INT64 Vector with an entry for each vertex
    of the mini-batch: 0 for the sources, h for those that hop h reached first.

    >>> A = gb.Matrix.from_coo([0, 0, 0, 1, 2, 3], [1, 2, 3, 4, 4, 4], [10, 11, 12, 13, 14, 15], nrows=6, ncols=6)
    >>> sample, hop = gb.algorithms.neighbor_sample(A, [0], [2, -1])
    >>> sample[0, :].new().nvals, sample.nvals, hop[4].new().value
    (2, 4, 2)
    """


@algorithm
def random_walks(
    A: Any,  # noqa: N803
    start: Any = None,
    length: int = 80,
    weighted: bool = False,
    p: float = 1.0,
    q: float = 1.0,
    seed: int = 0,
    *,
    only: str | None = None,
) -> Any:
    """Random walks along the edges, for DeepWalk, node2vec and other embeddings.

    A         n x n, any type; neighbors of v are the entries of row v
    start     Vector of integers, the vertex at which each walk begins; None: one walk from each vertex
    length    the most steps of a walk
    weighted  a neighbor is chosen by its entry's value, 0 or more; else each is as likely as the others
    p, q      of node2vec: after a step from t to v a neighbor x of v counts 1 / p times where it is t, once where t has an edge to x, and
              1 / q times else. With 1 and 1 a step depends on the present vertex alone
    seed      other seeds give other walks

    Returns an INT64 Matrix, a row for each walk with the vertices that it visits, the start in column 0. A walk ends early at a vertex
    without neighbors: the row has no further entries.

    >>> A = gb.Matrix.from_coo([0, 1, 2], [1, 2, 0], nrows=4, ncols=4)
    >>> walks = gb.algorithms.random_walks(A, gb.Vector.from_dense([1, 3]), length=3)
    >>> walks.to_dense(-1).tolist()
    [[1, 2, 0, 1], [3, -1, -1, -1]]
    """
