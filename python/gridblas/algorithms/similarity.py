"""Similarity of vertices by their neighbors."""

from __future__ import annotations

from typing import Any

from .. import library
from .call import algorithm

SIMILARITY_COMMON = library.lib.Grid_SIMILARITY_COMMON
SIMILARITY_JACCARD = library.lib.Grid_SIMILARITY_JACCARD
SIMILARITY_SORENSEN = library.lib.Grid_SIMILARITY_SORENSEN
SIMILARITY_OVERLAP = library.lib.Grid_SIMILARITY_OVERLAP
SIMILARITY_COSINE = library.lib.Grid_SIMILARITY_COSINE
SIMILARITY_ADAMIC_ADAR = library.lib.Grid_SIMILARITY_ADAMIC_ADAR
SIMILARITY_RESOURCE_ALLOCATION = library.lib.Grid_SIMILARITY_RESOURCE_ALLOCATION


@algorithm
def similarity(
    A: Any,  # noqa: N803
    pairs: Any = None,
    measure: int = SIMILARITY_JACCARD,
    k: int = 0,
    *,
    only: str | None = None,
) -> Any:
    """Similarity of vertices by their neighbors, for link prediction: of given pairs, or of all that have a common neighbor.

    A        n x n, any type; values do not matter. The neighbors of v are the entries of row v
    pairs    Matrix n x n with an entry for each pair to compare, whatever its value; None: all pairs of two vertices, in both orders
    measure  SIMILARITY_COMMON: the number of common neighbors. Divided by the number of all neighbors of the two: SIMILARITY_JACCARD;
             by the mean of both degrees: SIMILARITY_SORENSEN; by the smaller one: SIMILARITY_OVERLAP; by the root of their product:
             SIMILARITY_COSINE. Summed over the common neighbors w: 1 / log(degree(w)): SIMILARITY_ADAMIC_ADAR; 1 / degree(w):
             SIMILARITY_RESOURCE_ALLOCATION
    k        of each vertex only the k most similar ones, of equally similar ones those with the smallest numbers; 0: all

    Returns an FP64 Matrix, n x n; pairs without a common neighbor have no entry.

    >>> path = gb.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1])
    >>> gb.algorithms.similarity(path).to_dicts()
    {0: {2: 1.0}, 2: {0: 1.0}}
    >>> star = gb.Matrix.from_coo([0, 0, 0, 1, 2, 3], [1, 2, 3, 0, 0, 0])
    >>> gb.algorithms.similarity(star, k=1).to_dicts()
    {1: {2: 1.0}, 2: {1: 1.0}, 3: {1: 1.0}}
    """
