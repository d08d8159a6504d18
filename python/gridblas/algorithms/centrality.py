"""How important vertices are: PageRank, Katz and eigenvector centrality, hubs and authorities, closeness, betweenness of vertices and edges."""

from __future__ import annotations

from typing import Any

from .. import library
from .call import algorithm

PAGERANK_PLAIN = library.lib.Grid_PAGERANK_PLAIN
PAGERANK_FP32 = library.lib.Grid_PAGERANK_FP32


@algorithm
def pagerank(
    A: Any,  # noqa: N803
    personal: Any = None,
    damping: float = 0.85,
    tolerance: float = 1e-6,
    limit: int = 100,
    flags: int = 0,
    *,
    only: str | None = None,
) -> Any:
    """PageRank along the edges of a graph, by power iteration; values of A do not matter.

    A          n x n, any type
    personal   Vector of size n with entries of 0 or more: a walk restarts at v in proportion to personal[v]; None: anywhere alike
    damping    probability, 0 to 1, that a walk follows an edge and does not restart
    tolerance  the iteration ends when the ranks change by less (L1 norm); 0: after `limit` iterations
    flags      0, or PAGERANK_PLAIN (the rank of vertices without edges out is lost, as in the GAP benchmark), PAGERANK_FP32 (compute in
               FP32), or both, joined by |

    Returns (rank, iterations, change): rank is a Vector, FP64 or FP32, with an entry for every vertex, of sum 1; iterations the number
    done; change the last iteration's.

    >>> A = gb.Matrix.from_coo([0, 1, 2], [1, 2, 0])
    >>> [round(x, 4) for x in gb.algorithms.pagerank(A).rank.to_dense().tolist()]
    [0.3333, 0.3333, 0.3333]
    """


@algorithm
def katz(
    A: Any,  # noqa: N803
    start: Any = None,
    beta: Any = None,
    alpha: float = 0.1,
    tolerance: float = 1e-6,
    limit: int = 1000,
    *,
    only: str | None = None,
) -> Any:
    """Katz centrality, the walks that end at a vertex, those of k edges counted alpha^k times: in each iteration x[v] becomes alpha times
    the sum over u -> v of A[u, v] x[u], plus beta[v].

    A          n x n, any type: weights; entries of a BOOL matrix count 1
    start      Vector of size n: the first values, 0 where it has no entry; None: 0. One of FP32 has it computed in that type
    beta       Vector of size n, 0 where it has no entry; None: 1
    alpha      below the inverse of the largest eigenvalue of A the iteration converges
    tolerance  the iteration ends when the values change by less (L1 norm); 0: after `limit` iterations
    limit      the most iterations

    Returns (centrality, iterations, change): centrality is a Vector, FP64 or FP32, with an entry for every vertex, not normalized;
    iterations the number done; change the last iteration's.

    >>> path = gb.Matrix.from_coo([0, 1], [1, 2], nrows=3, ncols=3)
    >>> [round(x, 4) for x in gb.algorithms.katz(path, alpha=0.5).centrality.to_dense().tolist()]
    [1.0, 1.5, 1.75]
    >>> gb.algorithms.katz(path, gb.Vector("FP32", 3), alpha=0.5).centrality.dtype
    FP32
    """


@algorithm
def eigenvector(
    A: Any,  # noqa: N803
    start: Any = None,
    tolerance: float = 1e-6,
    limit: int = 100,
    *,
    only: str | None = None,
) -> Any:
    """Eigenvector centrality: a vertex is as central as those with edges to it are in sum; by power iteration.

    A          n x n, any type: weights; entries of a BOOL matrix count 1
    start      Vector of size n: the first values, divided by their sum, 0 where it has no entry; None: alike. One of FP32 has it
               computed in that type
    tolerance  the iteration ends when the values change by less (L1 norm); 0: after `limit` iterations
    limit      the most iterations

    Returns (centrality, iterations, change): centrality is a Vector, FP64 or FP32, with an entry for every vertex, of Euclidean norm 1.

    >>> path = gb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1])
    >>> [round(x, 4) for x in gb.algorithms.eigenvector(path, tolerance=1e-9).centrality.to_dense().tolist()]
    [0.5, 0.7071, 0.5]
    """


@algorithm
def hits(
    A: Any,  # noqa: N803
    start: Any = None,
    tolerance: float = 1e-8,
    limit: int = 100,
    *,
    only: str | None = None,
) -> Any:
    """Hubs and authorities: a hub has edges to authorities, an authority edges from hubs; by power iteration.

    A          n x n, any type: weights; entries of a BOOL matrix count 1
    start      Vector of size n: the first hubs, divided by their sum, 0 where it has no entry; None: alike. One of FP32 has it computed
               in that type
    tolerance  the iteration ends when the hubs change by less (L1 norm); 0: after `limit` iterations
    limit      the most iterations

    Returns (hub, authority, iterations, change): hub and authority are Vectors, FP64 or FP32, with an entry for every vertex, each of
    sum 1.

    >>> star = gb.Matrix.from_coo([0, 0], [1, 2], nrows=3, ncols=3)
    >>> found = gb.algorithms.hits(star)
    >>> found.hub.to_dense().tolist(), found.authority.to_dense().tolist()
    ([1.0, 0.0, 0.0], [0.0, 0.5, 0.5])
    """


@algorithm
def closeness(A: Any, sources: Any = None, *, only: str | None = None) -> Any:  # noqa: N803
    """Closeness and harmonic centrality: how near the sources are to each vertex.

    A        n x n, any type; values do not matter
    sources  list of vertices; None: all. A sample gives estimates: of the closeness, and of harmonic, when multiplied by
             n / len(sources)

    Returns (closeness, harmonic), FP64 Vectors with an entry for every vertex: the inverse of the mean distance of the sources that
    reach it, times their share of all others; and the sum of the inverse distances.

    >>> path = gb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1])
    >>> gb.algorithms.closeness(path).harmonic.to_dense().tolist()
    [1.5, 2.0, 1.5]
    """


@algorithm
def betweenness(A: Any, sources: Any = None, *, only: str | None = None) -> Any:  # noqa: N803
    """Betweenness centrality (Brandes): for each vertex the sum over the sources of its share of all shortest paths from there.

    A        n x n, any type; values do not matter
    sources  list of vertices; None: all, which is betweenness itself (an undirected graph's pairs count twice). A sample gives an
             estimate, when multiplied by n / len(sources)

    Returns an FP64 Vector with an entry for every vertex.

    >>> path = gb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1])
    >>> gb.algorithms.betweenness(path).to_dense().tolist()
    [0.0, 2.0, 0.0]
    """


@algorithm
def betweenness_sampled(A: Any, epsilon: float = 0.05, failure: float = 0.1, seed: int = 0, *, only: str | None = None) -> Any:  # noqa: N803
    """Betweenness centrality within an error bound, from a sample of sources that grows until the bound holds.

    A        n x n, any type; values do not matter
    epsilon  the largest error, as a part of n (n - 1)
    failure  the probability that a vertex has a larger error
    seed     of the sample

    Returns (centrality, samples, bound): an FP64 Vector, what betweenness(A) computes with errors of at most bound * n * (n - 1); the number
    of sources, with n of which it is exact; the bound, epsilon at most.

    >>> path = gb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1])
    >>> found = gb.algorithms.betweenness_sampled(path)
    >>> found.centrality.to_dense().tolist(), found.samples, found.bound
    ([0.0, 2.0, 0.0], 3, 0.0)
    """


@algorithm
def edge_betweenness(A: Any, sources: Any = None, *, only: str | None = None) -> Any:  # noqa: N803
    """Edge betweenness centrality (Brandes): for each edge the sum over the sources of its share of all shortest paths from there.

    A        n x n, any type; values do not matter
    sources  list of vertices; None: all, which is edge betweenness itself (an undirected graph's pairs count once). A sample gives an
             estimate, when multiplied by n / len(sources); in an undirected graph half the sum of both directions then

    Returns an FP64 Matrix with an entry for every edge.

    >>> path = gb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1])
    >>> gb.algorithms.edge_betweenness(path).to_dicts()
    {0: {1: 2.0}, 1: {0: 2.0, 2: 2.0}, 2: {1: 2.0}}
    """
