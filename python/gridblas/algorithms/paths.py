"""Distances and trees: breadth-first search, shortest paths, the spanning forest."""

from __future__ import annotations

from typing import Any

from .call import algorithm


@algorithm
def bfs(A: Any, source: int, limit: int = -1, *, only: str | None = None) -> Any:  # noqa: N803
    """Breadth-first search from a vertex along the edges; values of A do not matter.

    A       n x n, any type
    source  a vertex, 0 to n - 1
    limit   the search ends after this level; below 0: no limit

    Returns (level, parent): level is an INT32 Vector, the number of edges on a shortest path from source; parent an INT64 Vector, a vertex
    one level up (source for source). Vertices that are not reached have no entry.

    >>> path = gb.Matrix.from_coo([0, 1, 2], [1, 2, 3], nrows=5, ncols=5)
    >>> gb.algorithms.bfs(path, 0).level.to_dict()
    {0: 0, 1: 1, 2: 2, 3: 3}
    >>> gb.algorithms.bfs(path, 0, only="parent").to_dict()
    {0: 0, 1: 0, 2: 1, 3: 2}
    """


@algorithm
def bfs_many(A: Any, sources: Any, limit: int = -1, *, only: str | None = None) -> Any:  # noqa: N803
    """Breadth-first searches from several vertices at once, which inspects an edge once for 64 of them.

    A        n x n, any type; values do not matter
    sources  list of vertices
    limit    the searches end after this level; below 0: no limit

    Returns a Matrix, n x len(sources): entry (v, k) is the number of edges from sources[k] to v, of the smallest of INT8, INT16 and INT32
    that holds all levels.

    >>> path = gb.Matrix.from_coo([0, 1], [1, 2], nrows=3, ncols=3)
    >>> gb.algorithms.bfs_many(path, [0, 1]).to_dicts()
    {0: {0: 0}, 1: {0: 1, 1: 0}, 2: {0: 2, 1: 1}}
    """


@algorithm
def shortest_paths_many(A: Any, sources: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """Shortest paths from several vertices; A[i, j] is the length of the edge i -> j, 0 or more.

    A        n x n, any type
    sources  list of vertices

    Returns a Matrix, n x len(sources), FP32 or FP64 where the lengths are, else INT64: entry (v, k) is the distance from sources[k] to v.
    Vertices that a source does not reach have no entry.

    >>> path = gb.Matrix.from_coo([0, 1], [1, 2], [4, 3], nrows=3, ncols=3)
    >>> gb.algorithms.shortest_paths_many(path, [0, 1]).to_dicts()
    {0: {0: 0}, 1: {0: 4, 1: 0}, 2: {0: 7, 1: 3}}
    """


@algorithm
def shortest_paths(A: Any, source: int, delta: float = 0.0, *, only: str | None = None) -> Any:  # noqa: N803
    """Shortest paths from a vertex by delta-stepping; A[i, j] is the length of the edge i -> j, 0 or more.

    A       n x n, any type
    source  a vertex, 0 to n - 1
    delta   the width of the first buckets; 0: the mean weight over the mean degree; on a GPU no limit

    Returns (distance, parent): distance is a Vector, FP32 or FP64 where the lengths are, else INT64; parent an INT64 Vector, the vertex
    before the last on a shortest path (source for source). Vertices that are not reached have no entry.

    >>> A = gb.Matrix.from_coo([0, 0, 1], [1, 2, 2], [1.0, 5.0, 2.0], nrows=3, ncols=3)
    >>> gb.algorithms.shortest_paths(A, 0).distance.to_dict()
    {0: 0.0, 1: 1.0, 2: 3.0}
    """


@algorithm
def bellman_ford(A: Any, source: int, *, only: str | None = None) -> Any:  # noqa: N803
    """Shortest paths from a vertex, with lengths of either sign.

    A       n x n, any type
    source  a vertex, 0 to n - 1

    Returns (distance, parent, negative_cycle): as `shortest_paths`, and whether a cycle of negative length can be reached; then distance
    and parent are None.

    >>> A = gb.Matrix.from_coo([0, 1], [1, 2], [4.0, -1.0], nrows=3, ncols=3)
    >>> found = gb.algorithms.bellman_ford(A, 0)
    >>> found.distance.to_dict(), found.negative_cycle
    ({0: 0.0, 1: 4.0, 2: 3.0}, False)
    """


@algorithm
def diameter(A: Any, source: int, *, only: str | None = None) -> Any:  # noqa: N803
    """A lower bound of the diameter of an undirected graph, the largest distance between two connected vertices, by double sweep:
    searches, each from the farthest vertex of the one before, until one reaches no farther.

    A       n x n, any type; edges count in both directions, values do not matter
    source  a vertex, 0 to n - 1, where the first search begins; only its component counts

    Returns (diameter, level): diameter is the bound, in edges, exact in a tree and at least half of the diameter in any graph; level an
    INT32 Vector, the distance from one end of the path found. The other end is a vertex of that level; vertices of other components have
    no entry.

    >>> path = gb.Matrix.from_coo([0, 1, 2], [1, 2, 3], nrows=5, ncols=5)
    >>> found = gb.algorithms.diameter(path, 1)
    >>> found.diameter, found.level.nvals
    (3, 4)
    """


@algorithm
def msf(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """A minimum spanning forest of an undirected graph; A[i, j] is the weight of the edge, the lighter of both directions counts.

    A  n x n, any type; entries on the diagonal do not count

    Returns a Matrix, n x n, with an entry (v, w), v < w, for each edge of the forest: its weight, FP32, FP64 or UINT64 where A's are,
    else INT64.

    >>> A = gb.Matrix.from_coo([0, 0, 1], [1, 2, 2], [1, 5, 2], nrows=3, ncols=3)
    >>> gb.algorithms.msf(A).to_dicts()
    {0: {1: 1}, 1: {2: 2}}
    """


@algorithm
def topological_order(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """A topological order of a directed graph without cycles, and its longest paths.

    A  n x n, any type; an entry is an edge, whatever its value, and a loop is a cycle

    Returns (order, level, acyclic): an INT64 Vector with the vertex at each place; an INT64 Vector with the number of edges on a longest
    path to each vertex; whether there is no cycle. Vertices on a cycle, and those behind one, have no level and no place.

    >>> A = gb.Matrix.from_coo([2, 1, 2], [1, 0, 0], nrows=3, ncols=3)
    >>> order, level, acyclic = gb.algorithms.topological_order(A)
    >>> order.to_dense().tolist(), level.to_dense().tolist(), acyclic
    ([2, 1, 0], [2, 1, 0], True)
    """


@algorithm
def transitive_closure(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """The pairs of vertices with a path of one edge or more from the first to the second, of a small graph.

    A  n x n, any type; an entry is an edge, whatever its value

    Returns a BOOL Matrix with an entry for each pair, up to the square of the number of vertices.

    >>> A = gb.Matrix.from_coo([0, 1], [1, 2], nrows=3, ncols=3)
    >>> list(gb.algorithms.transitive_closure(A))
    [(0, 1), (0, 2), (1, 2)]
    """


@algorithm
def eccentricity(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """Exact eccentricities of an undirected graph: for each vertex the distance of the farthest that it reaches.

    A  n x n, any type; entries are edges in both directions, values do not matter

    Returns (eccentricity, radius, diameter): an INT64 Vector with an entry for every vertex, the smallest and the largest of them.

    >>> path = gb.Matrix.from_coo([0, 1, 2], [1, 2, 3], nrows=4, ncols=4)
    >>> found = gb.algorithms.eccentricity(path)
    >>> found.eccentricity.to_dense().tolist(), found.radius, found.diameter
    ([3, 2, 2, 3], 2, 3)
    """


@algorithm
def max_flow(A: Any, source: int, sink: int, *, only: str | None = None) -> Any:  # noqa: N803
    """A maximum flow from a source to a sink, and a minimum cut.

    A       n x n, the capacity of each edge, 0 or more and finite; entries of a BOOL matrix count 1 or 0
    source  where the flow begins
    sink    where it ends, another vertex

    Returns (value, flow, source_side): the flow that arrives; an FP64 Matrix with an entry for each edge that is used; a BOOL Vector with an
    entry for each vertex on the source's side of a minimum cut.

    >>> A = gb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 3, 3], [4.0, 2.0, 1.0, 5.0], nrows=4, ncols=4)
    >>> value, flow, source_side = gb.algorithms.max_flow(A, 0, 3)
    >>> value, flow.to_dicts(), list(source_side)
    (3.0, {0: {1: 1.0, 2: 2.0}, 1: {3: 1.0}, 2: {3: 2.0}}, [0, 1])
    """


@algorithm
def bfs_path(A: Any, source: int, target: int, *, only: str | None = None) -> Any:  # noqa: N803
    """A path of fewest edges from a source to a target, by searches from both ends.

    A       n x n, any type; an entry is an edge, whatever its value
    source  where it begins
    target  where it ends

    Returns (path, length): an INT64 Vector with the vertex at each place, from the source at 0, and the number of edges; no entries and -1
    where there is no path.

    >>> A = gb.Matrix.from_coo([0, 1, 2, 0], [1, 2, 3, 2], nrows=4, ncols=4)
    >>> path, length = gb.algorithms.bfs_path(A, 0, 3)
    >>> path.to_coo()[1].tolist(), length
    ([0, 2, 3], 2)
    """
