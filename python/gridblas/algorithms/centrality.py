"""How important vertices are: PageRank and betweenness."""

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
