"""Groups of vertices: components, communities, independent sets, triangles, cores and trusses."""

from __future__ import annotations

from typing import Any

from .call import algorithm


@algorithm
def components(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """Connected components; an entry connects two vertices in either direction, whatever its value (weak components).

    A  n x n, any type

    Returns an INT64 Vector: for every vertex the smallest vertex of its component.

    >>> A = gb.Matrix.from_coo([0, 3], [1, 2], nrows=4, ncols=4)
    >>> gb.algorithms.components(A).to_dense().tolist()
    [0, 0, 2, 2]
    """


@algorithm
def strong_components(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """Strongly connected components: vertices that reach each other along the edges, whatever their values.

    A  n x n, any type

    Returns an INT64 Vector: for every vertex the smallest vertex of its component.

    >>> A = gb.Matrix.from_coo([0, 1, 1], [1, 0, 2], nrows=3, ncols=3)
    >>> gb.algorithms.strong_components(A).to_dense().tolist()
    [0, 0, 2]
    """


@algorithm
def biconnected(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """Biconnected components, articulation points and bridges of an undirected graph.

    A  n x n, any type; entries are edges in both directions, values and loops do not matter

    Returns (component, articulation, bridge): an INT64 Matrix with the component of each edge (v, w), v < w, from 0; a BOOL Vector with an
    entry for each vertex in several components; a BOOL Matrix with an entry (v, w), v < w, for each component of one edge.

    >>> A = gb.Matrix.from_coo([0, 1, 2, 2], [1, 2, 0, 3], nrows=4, ncols=4)
    >>> component, articulation, bridge = gb.algorithms.biconnected(A)
    >>> component.to_dicts()
    {0: {1: 0, 2: 0}, 1: {2: 0}, 2: {3: 1}}
    >>> list(articulation), list(bridge)
    ([2], [(2, 3)])
    """


@algorithm
def cdlp(A: Any, iterations: int = 10, *, only: str | None = None) -> Any:  # noqa: N803
    """Communities by label propagation, as LDBC Graphalytics defines it (CDLP): in each iteration every vertex takes the most frequent
    label among its neighbors, the smallest of several.

    A           n x n, any type; values do not matter. Neighbors are those of either direction; one of both directions counts twice
    iterations  how many, at most

    Returns an INT64 Vector: the label of every vertex; labels are vertices.

    >>> A = gb.Matrix.from_coo([0, 0, 1], [1, 2, 2], nrows=4, ncols=4)
    >>> gb.algorithms.cdlp(A).to_dense().tolist()
    [0, 0, 0, 3]
    """


@algorithm
def louvain(A: Any, resolution: float = 1, seed: int = 0, *, only: str | None = None) -> Any:  # noqa: N803
    """Communities of large modularity, by Louvain's method.

    A           n x n, any type. Entries are weights, 0 or more; they count in both directions
    resolution  a larger one makes smaller communities
    seed        of the order in which vertices move; other seeds give other communities

    Returns (community, modularity): an INT64 Vector, for every vertex the smallest vertex of its community, and a number.

    >>> two = gb.Matrix.from_coo([0, 1, 2, 2, 3, 4, 5], [1, 2, 0, 3, 4, 5, 3])
    >>> gb.algorithms.louvain(two).community.to_dense().tolist()
    [0, 0, 0, 3, 3, 3]
    """


@algorithm
def leiden(A: Any, resolution: float = 1, seed: int = 0, *, only: str | None = None) -> Any:  # noqa: N803
    """Communities of large modularity whose vertices are connected within them, by Leiden's method.

    A           n x n, any type. Entries are weights, 0 or more; they count in both directions
    resolution  a larger one makes smaller communities
    seed        of the order in which vertices move; other seeds give other communities

    Returns (community, modularity): an INT64 Vector, for every vertex the smallest vertex of its community, and a number.

    >>> two = gb.Matrix.from_coo([0, 1, 2, 2, 3, 4, 5], [1, 2, 0, 3, 4, 5, 3])
    >>> gb.algorithms.leiden(two).community.to_dense().tolist()
    [0, 0, 0, 3, 3, 3]
    """


@algorithm
def markov_clustering(A: Any, inflation: float = 2, limit: int = 100, *, only: str | None = None) -> Any:  # noqa: N803
    """Clusters by Markov clustering (MCL): those that a random walk stays in, whose likely steps become ever more likely.

    A          n x n, any type. Entries are weights, 0 or more; they count in both directions
    inflation  above 1; a larger one makes smaller clusters
    limit      no more iterations than this

    Returns (cluster, iterations): an INT64 Vector, for every vertex the smallest vertex of its cluster, and the number of iterations.

    >>> two = gb.Matrix.from_coo([0, 1, 2, 2, 3, 4, 5], [1, 2, 0, 3, 4, 5, 3])
    >>> gb.algorithms.markov_clustering(two).cluster.to_dense().tolist()
    [0, 0, 0, 3, 3, 3]
    """


@algorithm
def peer_pressure(A: Any, limit: int = 100, *, only: str | None = None) -> Any:  # noqa: N803
    """Clusters by peer pressure: in each iteration a vertex joins the cluster that its neighbors and itself vote for most.

    A      n x n, any type; a vertex votes for those that its edges lead to, values do not matter
    limit  no more iterations than this

    Returns (cluster, iterations): an INT64 Vector, the cluster of every vertex, and the number of iterations.

    >>> two = gb.Matrix.from_coo([0, 1, 2, 2, 3, 4, 5], [1, 2, 0, 3, 4, 5, 3])
    >>> gb.algorithms.peer_pressure((two + two.T).new()).cluster.to_dense().tolist()
    [0, 0, 0, 4, 4, 4]
    """


@algorithm
def modularity(A: Any, community: Any, resolution: float = 1, *, only: str | None = None) -> Any:  # noqa: N803
    """Modularity of a partition of the vertices, and the conductance of its communities.

    A           n x n, any type; entries are weights. A symmetric matrix is an undirected graph
    community   Vector of integers: for every vertex a number from 0 to n - 1
    resolution  a larger one favours smaller communities

    Returns (modularity, conductance): a number, and an FP64 Vector, for each community the share of its edges that leave it.

    >>> path = gb.Matrix.from_coo([0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2])
    >>> found = gb.algorithms.modularity(path, gb.Vector.from_dense([0, 0, 2, 2]))
    >>> round(found.modularity, 4), found.conductance.to_dict()
    (0.1667, {0: 0.3333333333333333, 2: 0.3333333333333333})
    """


@algorithm
def mis(A: Any, seed: int = 0, *, only: str | None = None) -> Any:  # noqa: N803
    """A maximal independent set: no two members are neighbors, and every other vertex has a member as neighbor.

    A     n x n, any type; an entry makes neighbors in either direction, whatever its value
    seed  other seeds give other sets

    Returns a BOOL Vector with an entry, True, for every member.

    >>> star = gb.Matrix.from_coo([0, 0, 0], [1, 2, 3], nrows=4, ncols=4)
    >>> gb.algorithms.mis(star).nvals in (1, 3)
    True
    """


@algorithm
def coloring(A: Any, seed: int = 0, *, only: str | None = None) -> Any:  # noqa: N803
    """A coloring of the vertices: no two neighbors have the same color, and none can take a smaller one.

    A     n x n, any type; an entry makes neighbors in either direction, whatever its value
    seed  other seeds give other colorings

    Returns (color, colors): an INT64 Vector, the color of every vertex, from 0, and the number of colors.

    >>> star = gb.Matrix.from_coo([0, 0, 0], [1, 2, 3], nrows=4, ncols=4)
    >>> gb.algorithms.coloring(star, only="colors")
    2
    """


@algorithm
def matching(A: Any, seed: int = 0, *, only: str | None = None) -> Any:  # noqa: N803
    """A maximal matching of heavy edges, with half of the largest possible weight or more.

    A     n x n, weights of 0 or more in either direction, the heavier counts; entries of a BOOL matrix weigh 1
    seed  other seeds order edges of one weight otherwise

    Returns an INT64 Vector: for each vertex with an edge in the matching its other end.

    >>> path = gb.Matrix.from_coo([0, 1, 2], [1, 2, 3], [2, 3, 2], nrows=4, ncols=4)
    >>> gb.algorithms.matching(path).to_dict()
    {1: 2, 2: 1}
    """


@algorithm
def vertex_cover(A: Any, seed: int = 0, *, only: str | None = None) -> Any:  # noqa: N803
    """A vertex cover: vertices such that every edge has an end among them, at most twice as many as in the smallest one.

    A     n x n, any type; entries are edges in both directions, values and loops do not matter
    seed  other seeds give other covers

    Returns (cover, bound): a BOOL Vector with an entry, True, for every vertex of the cover, and a lower bound of their number.

    >>> star = gb.Matrix.from_coo([0, 0, 0], [1, 2, 3], nrows=4, ncols=4)
    >>> gb.algorithms.vertex_cover(star).cover.nvals
    1
    """


@algorithm
def bipartite_matching(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """A maximum matching of rows and columns: as many entries as possible of which no two are in one row or column.

    A  any shape and type, values do not matter

    Returns (row_mate, column_mate): INT64 Vectors with the column of each matched row, and the row of each matched column.

    >>> A = gb.Matrix.from_coo([0, 0, 1], [0, 1, 0], nrows=3, ncols=2)
    >>> gb.algorithms.bipartite_matching(A, only="row_mate").to_dict()
    {0: 1, 1: 0}
    """


@algorithm
def reciprocity(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """The share of a directed graph's edges whose reverse is an edge, too; values and loops do not matter.

    A  n x n, any type

    Returns (reciprocity, per_vertex): that of the graph, and an FP64 Vector with the share among the edges from each vertex and to it.

    >>> A = gb.Matrix.from_coo([0, 1, 1], [1, 0, 2], nrows=3, ncols=3)
    >>> gb.algorithms.reciprocity(A).per_vertex.to_dense().tolist()
    [1.0, 0.6666666666666666, 0.0]
    """


@algorithm
def rich_club(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """For each degree k, of the pairs of vertices with more than k neighbors, the share that is connected.

    A  n x n, any type; edges count in both directions, values and loops do not matter

    Returns an FP64 Vector with an entry for each k that two or more vertices exceed: not normalized.

    >>> A = gb.Matrix.from_coo([0, 0, 1, 2, 3], [1, 2, 2, 3, 4], nrows=5, ncols=5)
    >>> gb.algorithms.rich_club(A).to_dict()
    {0: 0.5, 1: 0.6666666666666666}
    """


@algorithm
def assortativity(A: Any, x: Any = None, y: Any = None, *, only: str | None = None) -> Any:  # noqa: N803
    """Whether edges connect vertices of like values, from -1 to 1: the correlation of x at the rows and y at the columns of the entries.

    A     n x n, any type; values do not matter, and an undirected graph has both directions
    x, y  Vectors with an entry for every vertex that has edges; None: the numbers of entries of the rows, and of the columns

    Returns a float, nan where x or y is the same at all entries.

    >>> star = gb.Matrix.from_coo([0, 0, 0, 1, 2, 3], [1, 2, 3, 0, 0, 0])
    >>> gb.algorithms.assortativity(star)
    -1.0
    """


@algorithm
def label_assortativity(A: Any, label: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """Whether edges connect vertices of equal labels: 1 where all do, 0 as many as at random.

    A      n x n, any type; values do not matter, and an undirected graph has both directions
    label  an integer Vector with an entry for every vertex, a number below n

    Returns a float, nan where all edges have the same label.

    >>> A = gb.Matrix.from_coo([0, 1, 2, 3], [1, 0, 3, 2])
    >>> gb.algorithms.label_assortativity(A, gb.Vector.from_dense([0, 0, 1, 1]))
    1.0
    """


@algorithm
def triangles(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """The triangles of an undirected graph; edges count in both directions, values and loops do not matter.

    A  n x n, any type

    Returns (count, per_vertex): count is the number of triangles, per_vertex an INT64 Vector, how many have v as a corner.

    >>> A = gb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 3], nrows=4, ncols=4)
    >>> found = gb.algorithms.triangles(A)
    >>> found.count, found.per_vertex.to_dense().tolist()
    (1, [1, 1, 1, 0])
    """


@algorithm
def clique_count(A: Any, k: int = 3, *, only: str | None = None) -> Any:  # noqa: N803
    """The cliques of k vertices of an undirected graph: sets of k vertices that are all connected to each other.

    A  n x n, any type; edges count in both directions, values and loops do not matter
    k  3 or more

    Returns (count, per_vertex): count is the number of cliques, per_vertex an INT64 Vector, how many contain each vertex.

    >>> A = gb.Matrix.from_coo([0, 0, 0, 1, 1, 2, 3], [1, 2, 3, 2, 3, 3, 4], nrows=5, ncols=5)
    >>> found = gb.algorithms.clique_count(A, 4)
    >>> found.count, found.per_vertex.to_dense().tolist()
    (1, [1, 1, 1, 1, 0])
    """


@algorithm
def motif_counts(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """The numbers of connected subgraphs of 3 and 4 vertices of an undirected graph: sets of vertices with exactly these edges.

    A  n x n, any type; edges count in both directions, values and loops do not matter

    Returns an INT64 Vector of 8: paths of 3 vertices, triangles, stars of 4, paths of 4, paws (a triangle with one more vertex), cycles of
    4, diamonds (two triangles with a common edge), cliques of 4.

    >>> A = gb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 3], nrows=4, ncols=4)
    >>> gb.algorithms.motif_counts(A).to_dense().tolist()
    [2, 1, 0, 0, 1, 0, 0, 0]
    """


@algorithm
def lcc(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """Local clustering coefficients, as LDBC Graphalytics defines them: the number of edges among the d neighbors of a vertex (those of
    either direction), divided by d (d - 1).

    A  n x n, any type; values and loops do not matter

    Returns an FP64 Vector with an entry for every vertex, 0 where d is less than 2.

    >>> triangle = gb.Matrix.from_coo([0, 1, 0, 2, 1, 2], [1, 0, 2, 0, 2, 1])
    >>> gb.algorithms.lcc(triangle).to_dense().tolist()
    [1.0, 1.0, 1.0]
    """


@algorithm
def square_clustering(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """Of the squares (cycles of four vertices) that the neighbors of a vertex could form, the share that exist.

    A  n x n, any type; edges count in both directions, values and loops do not matter

    Returns an FP64 Vector with an entry for every vertex, 0 where no square is possible. The definition is that of NetworkX.

    >>> square = gb.Matrix.from_coo([0, 1, 2, 3, 3], [1, 2, 3, 0, 4], nrows=5, ncols=5)
    >>> gb.algorithms.square_clustering(square).to_dense().tolist()
    [0.5, 1.0, 0.5, 0.3333333333333333, 0.0]
    """


@algorithm
def kcore(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """Core numbers of an undirected graph: the largest k such that a vertex is in a subgraph whose vertices all have k neighbors in it.

    A  n x n, any type; edges count in both directions, values and loops do not matter

    Returns an INT64 Vector with an entry for every vertex.

    >>> A = gb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 3], nrows=4, ncols=4)
    >>> gb.algorithms.kcore(A).to_dense().tolist()
    [2, 2, 2, 1]
    """


@algorithm
def densest_subgraph(A: Any, *, only: str | None = None) -> Any:  # noqa: N803
    """Vertices of an undirected graph with many edges among them: the densest k-core.

    A  n x n, any type; edges count in both directions, values and loops do not matter

    Returns (member, density): a BOOL Vector with an entry for every vertex of the subgraph, and its density, the number of
    edges by that of vertices. No subgraph has more than twice this density.

    >>> A = gb.Matrix.from_coo([0, 0, 0, 1, 1, 2, 3, 4], [1, 2, 3, 2, 3, 3, 4, 5], nrows=6, ncols=6)
    >>> member, density = gb.algorithms.densest_subgraph(A)
    >>> list(member), density
    ([0, 1, 2, 3], 1.5)
    """


@algorithm
def ktruss(A: Any, k: int = 3, *, only: str | None = None) -> Any:  # noqa: N803
    """The k-truss of an undirected graph: the largest subgraph whose edges all are in k - 2 of its triangles or more.

    A  n x n, any type; edges count in both directions, values and loops do not matter
    k  3 or more

    Returns an INT64 Matrix, n x n, with the subgraph's edges in both directions; an entry is the number of the edge's triangles.

    >>> A = gb.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 3], nrows=4, ncols=4)
    >>> gb.algorithms.ktruss(A).to_dicts()
    {0: {1: 1, 2: 1}, 1: {0: 1, 2: 1}, 2: {0: 1, 1: 1}}
    """
