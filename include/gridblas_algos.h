/* Algorithms that use public GraphBLAS calls only. Their source in algos/ serves as an example.
 *
 * n is the number of rows of the square matrix A, whose vertices are 0 to n - 1. A new object has the size n
 * or n x n unless its description says otherwise, and the program frees it (GrB_free). Output arguments come
 * first; the same pointer for two of them is GrB_INVALID_VALUE. Every process of the grid makes a collective
 * call, with the same arguments. GrB_PANIC, and GrB_UNINITIALIZED_OBJECT for an argument that is no live
 * object, can be returned by all. */
#ifndef GRIDBLAS_ALGOS_H
#define GRIDBLAS_ALGOS_H
#include "GraphBLAS.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Sets where the iterations of long algorithms are saved. Every `every` iterations a checkpoint is written to
 * `folder` (Grid_checkpoint, gridblas.h). A later call continues from the newest one there, on any number of
 * processes. An iteration is
 *   Grid_pagerank, Grid_cdlp, Grid_vertex_program, Grid_bellman_ford, Grid_katz, Grid_eigenvector, Grid_hits,
 *   Grid_peer_pressure, Grid_markov_clustering, Grid_factors, Grid_als, Grid_lanczos, Grid_singular_values,
 *   Grid_spectral_embedding, Grid_power_iteration, Grid_conjugate_gradient
 *                                  one of theirs
 *   Grid_bfs_many                  a level of all searches
 *   Grid_shortest_paths_many       a source, on a GPU too
 *   Grid_all_pairs                 a round, in which paths become an edge longer
 *   Grid_shortest_paths            a bucket of distances; on a GPU with delta 0 one bucket has all
 *   Grid_betweenness, Grid_betweenness_sampled
 *                                  a source; on one GPU a batch of 32 to 256 where so many are left
 *   Grid_edge_betweenness          a batch of 8 to 64 sources, on one GPU as in Grid_betweenness
 *   Grid_closeness                 64 sources
 *   Grid_eccentricity              a search, from a vertex of each component or from 64 vertices
 *   Grid_louvain, Grid_leiden      a level of the method, of which there are few
 *   Grid_kcore                     a core number
 *   Grid_components                a round of FastSV, of which there are few
 *   Grid_triangles, Grid_lcc       a sixteenth of the rows; a product each, where it is one product in all
 *                                  without checkpoints
 *   Grid_ktruss                    a round that removes edges
 *   Grid_similarity, Grid_square_clustering, Grid_motif_counts, Grid_clique_count
 *                                  a panel of rows, whose pairs are about 2^22 on each process
 *   Grid_transitive_closure        256 sources, which are searched together
 * The parents of shortest paths are found afterwards, without checkpoints, as are the cliques of motif
 * counts, and cliques of 3 vertices. Checkpoints of ktruss, similarity, transitive closure, Markov
 * clustering, edge betweenness, factors, als, and searches and paths from many or all vertices have matrices'
 * tuples. Writing one takes memory for two copies of them, of 8 bytes for rows and columns below 2^32 and at
 * most 8 for a value. Of eigenvalues and singular values it has a vector for each product. A computation is
 * identified by its name, the size and number of entries of its matrix, and its numbers and vertices. These
 * are damping, flags, whether restarts are personal, sources, delta, whether pairs are given and how many.
 * The text `computation_id` (NULL: as "") identifies its other inputs: the graph, the start, rates.
 * Checkpoints of another computation are refused (GrB_INVALID_VALUE), as are those that Grid_restore refuses,
 * and those of more iterations than the limit of the call; two computations that agree in all of this are
 * taken for one. A finished computation does not remove its checkpoints: a later call continues from them.
 * folder NULL: no checkpoints, the default. Errors: GrB_INVALID_VALUE (every is 0; the name is empty or too
 * long). The same on every process. */
GrB_Info Grid_checkpoint_set_interval(const char *folder, uint64_t every, const char *computation_id);
/* Iterations that the last of these algorithms of this thread restored from a checkpoint. Local. */
uint64_t Grid_checkpoint_resumed(void);

/* Sets whether Grid_pagerank and Grid_vertex_program repartition between their iterations
 * (Grid_Matrix_rebalance, gridblas.h; off by default), which shortens the wait for the slowest process.
 * Answers are those of any partition. The last partition stays in force. The same on every process. */
void Grid_rebalance_enable(bool on);
/* Number of redistributions by the last of them that this thread ran, and their total time in seconds; an
 * argument may be NULL. Local. */
void Grid_rebalance_stats(uint64_t *moves, double *seconds);

/* Breadth-first search from `source` along the rows of the square matrix A (edge i -> j is an entry
 * A(i,j), whatever its value).
 *   level   if not NULL: *level becomes a new INT32 vector, level(v) = number of edges on a shortest path
 *           from source (0 for source)
 *   parent  if not NULL: *parent becomes a new INT64 vector, parent(v) = a vertex one level up with an edge
 *           to v (source for source)
 *   limit   search no deeper than this level; < 0: no limit
 * Vertices that are not reached have no entry. Errors: GrB_NULL_POINTER (A, or both outputs, NULL),
 * GrB_DIMENSION_MISMATCH (A not square), GrB_INVALID_INDEX (source), GrB_OUT_OF_MEMORY; *level and *parent
 * do not change then. Collective.
 * One masked vxm per level, which chooses push or pull. Sources: Beamer (2012), Buluc et al. (2017). */
GrB_Info Grid_bfs(GrB_Vector *level, GrB_Vector *parent, GrB_Matrix A, GrB_Index source, int64_t limit);

/* A path of fewest edges from one vertex to another along the rows of the square matrix A (edge i -> j is an
 * entry A(i,j), whatever its value).
 *   path    if not NULL: *path becomes a new INT64 vector of n: path(k) is the k-th vertex, from source at 0
 *           to target at `length`; it has no entries where there is no path
 *   length  if not NULL: the number of edges, -1 where there is no path
 *   source  where it begins
 *   target  where it ends; the source itself is a path of no edge
 * Searches from both ends, of which the one with the smaller frontier goes on, stop where they meet. The path
 * is the same on grids of any shape. At most the cost of two searches, in graphs with short distances far
 * less. If A is known to be symmetric, one GPU searches in one kernel. One process with at most 16 threads
 * searches on a single thread then. Memory: five vectors of n; on one GPU 8 bytes for each vertex. It is
 * Grid_Matrix_path. Errors: GrB_NULL_POINTER (A, both outputs), GrB_DIMENSION_MISMATCH (A not square),
 * GrB_INVALID_INDEX (source, target), GrB_OUT_OF_MEMORY; the outputs are untouched then. Collective. Source:
 * Pohl (1971). */
GrB_Info Grid_bfs_path(GrB_Vector *path, int64_t *length, GrB_Matrix A, GrB_Index source, GrB_Index target);

/* A lower bound of the diameter of an undirected graph, the largest distance between two vertices, by double
 * sweep. It consists of searches, each from the farthest vertex of the one before (the smallest of several),
 * until one reaches no farther.
 *   diameter  if not NULL: the largest distance found, in edges
 *   level     if not NULL: *level becomes a new INT32 vector: the distance of each vertex from one end of the
 *             path found, where it is 0; the other end is a vertex where it is `diameter`
 *   source    where the first search begins; only its component is looked at, other vertices have no entry
 * Edges of the square matrix A count both ways, whatever their values. The bound is the diameter itself in a
 * tree, at least half of it in any graph, and the same on grids of any shape. The cost is that of a search
 * for each step, three in most graphs. Memory: two vectors of n; where A is not known to be symmetric
 * (Grid_Storage), A joined with its transpose. Errors: GrB_NULL_POINTER (A, both outputs),
 * GrB_DIMENSION_MISMATCH (A not square), GrB_INVALID_INDEX (source), GrB_OUT_OF_MEMORY; the outputs are
 * untouched then. Collective. Source: Magnien, Latapy, Habib (2009). */
GrB_Info Grid_diameter(int64_t *diameter, GrB_Vector *level, GrB_Matrix A, GrB_Index source);

/* Eccentricities of an undirected graph: for each vertex the distance, in edges, of the farthest that it
 * reaches; each component by itself.
 *   eccentricity  if not NULL: *eccentricity becomes a new INT64 vector with an entry for every vertex
 *   radius        if not NULL: the smallest eccentricity
 *   diameter      if not NULL: the largest one
 * Edges of the square matrix A count both ways, whatever their values. Exact: a search bounds the
 * eccentricities of all vertices that it reaches from above and from below, and a vertex whose bounds agree
 * needs none of its own. Once a search settles fewer than 64 vertices, searches from 64 vertices at a time
 * (Grid_Matrix_distances) settle the rest. They start from vertices far from the center of their component,
 * or from the open vertices themselves. Without eccentricity, vertices that cannot have the smallest or the
 * largest one are left open, which takes fewer searches. Memory: about twenty vectors of n; where A is not
 * known to be symmetric (Grid_Storage), A joined with its transpose. Errors: GrB_NULL_POINTER (A, all
 * outputs), GrB_DIMENSION_MISMATCH (A not square), GrB_DOMAIN_MISMATCH (a user-defined type),
 * GrB_OUT_OF_MEMORY; the outputs are untouched then. Collective. Sources: Takes, Kosters (2013); Then et al.
 * (2014). */
GrB_Info Grid_eccentricity(GrB_Vector *eccentricity, int64_t *radius, int64_t *diameter, GrB_Matrix A);

/* A topological order of a directed graph without cycles, and its longest paths.
 *   order    if not NULL: *order becomes a new INT64 vector: order(k) is the vertex at place k, by levels,
 *            then by numbers; where there is a cycle it has fewer than n entries, the first ones
 *   level    if not NULL: *level becomes a new INT64 vector: the number of edges on a longest path to each
 *            vertex; vertices on a cycle, and those behind one, have no entry
 *   acyclic  if not NULL: the graph has no cycle
 * Edges are entries of the square matrix A, whatever their values; a loop is a cycle. Every edge leads to a
 * higher level. One vector product per level over the vertices in it, so that all together inspect each entry
 * of A once, and for order a sort. Levels are sequential: a path of n vertices has n. One process with at
 * most 16 threads makes a serial pass instead. Memory: six vectors of n. Errors: GrB_NULL_POINTER (A, all
 * outputs), GrB_DIMENSION_MISMATCH (A not square), GrB_OUT_OF_MEMORY; the outputs are untouched then.
 * Collective. Source: Kahn (1962). */
GrB_Info Grid_topological_order(GrB_Vector *order, GrB_Vector *level, bool *acyclic, GrB_Matrix A);

/* The transitive closure: *closure becomes a new BOOL matrix with an entry (v, w), true, wherever a path of
 * one edge or more leads from v to w. An entry A(i,j) of the square matrix A is an edge i -> j, whatever its
 * value. A vertex on a cycle has a path to itself. For small graphs: the closure of a graph with a large
 * strong component has as many entries as the square of its size. By searches from all vertices
 * (Grid_bfs_many), which inspect an edge once for 64 of them. Memory: two numbers an entry of the result.
 * Errors: GrB_NULL_POINTER, GrB_DIMENSION_MISMATCH (A not square), GrB_OUT_OF_MEMORY; *closure is untouched
 * then. Collective. Source: Then et al. (2014). */
GrB_Info Grid_transitive_closure(GrB_Matrix *closure, GrB_Matrix A);

/* Connected components: *component becomes a new INT64 vector with component(v) = the smallest vertex of v's
 * component, for every vertex. Two vertices are connected by an entry of the square matrix A in either
 * direction, whatever its value (weak components). Where A is not known to be symmetric (Grid_Storage), each
 * round makes two products in place of one. First a search of at most 12 levels around a vertex of highest
 * degree. If A is symmetric and the search reached a whole component, at most six rounds of label propagation
 * over the rest follow, each one product. Then come about log n rounds of FastSV over what is left, each one
 * product over the active rows, a gather and a scatter. Memory: seven vectors of n. Errors as Grid_bfs.
 * Collective. Source: Zhang, Azad, Buluc (2020); the search in front: Slota, Rajamanickam, Madduri (2014). */
GrB_Info Grid_components(GrB_Vector *component, GrB_Matrix A);

/* Strongly connected components: *component becomes a new INT64 vector with component(v), for every vertex v:
 * the smallest vertex that v reaches and that reaches v. An entry A(i,j) of the square matrix A is an edge i
 * -> j, whatever its value. If A is known to be symmetric (Grid_Storage) the result is that of
 * Grid_components. Vertices on no cycle are trimmed, inspecting each edge once per direction. Two searches
 * find the component of a vertex with many edges. Then come rounds of colouring: labels spread along the
 * edges, and back within each colour, in as many products as paths are long. A round finds one component or
 * more, and the next reverses the directions. Most graphs take few rounds, at worst as many as components
 * with several vertices. Memory: nine vectors of n. Errors as Grid_bfs. Collective. Sources: Fleischer,
 * Hendrickson, Pinar (2000); Orzan (2004); trimming: McLendon, Hendrickson, Plimpton, Rauchwerger (2005). */
GrB_Info Grid_strong_components(GrB_Vector *component, GrB_Matrix A);

/* Biconnected components of an undirected graph: two edges are in one component if a cycle has both. Two
 * components share one vertex at most, an articulation point: without it the graph has more connected
 * components. A bridge is an edge that is a component by itself; without it the graph has more, too.
 *   component     if not NULL: *component becomes a new INT64 matrix with an entry (v, w), v < w, for each
 *                 edge: the number of its component, from 0
 *   articulation  if not NULL: *articulation becomes a new BOOL vector with an entry, true, for each
 *                 articulation point
 *   bridge        if not NULL: *bridge becomes a new BOOL matrix with an entry (v, w), true, v < w, for each
 *                 bridge
 * Entries of the square matrix A are edges in both directions, whatever their values; loops are ignored.
 * Components are numbered by the smallest of their vertices, not counting the one that is closest to the
 * smallest vertex of the connected component. They are the same on grids of any shape. It costs two
 * Grid_components, a search from one vertex of each component, sums over the search's levels, two products
 * over all entries and a sort of the vertices. There are also gathers for each doubling of the longest chain
 * of siblings and parents. Memory: about twenty vectors of n; the pattern of A twice in both directions, and
 * one number per edge for `component`. Errors: GrB_NULL_POINTER (A, all outputs), GrB_DIMENSION_MISMATCH (A
 * not square), GrB_OUT_OF_MEMORY; the outputs are untouched then. Collective. Sources: Tarjan, Vishkin
 * (1985); Dong, Wang, Gu, Sun (2023). */
GrB_Info Grid_biconnected(GrB_Matrix *component, GrB_Vector *articulation, GrB_Matrix *bridge, GrB_Matrix A);

/* Communities by label propagation, CDLP of LDBC Graphalytics: *label becomes a new INT64 vector with an
 * entry for every vertex. Initially label(v) = v; each of `iterations` iterations assigns to every vertex the
 * most frequent label among its neighbours, the smallest of several; a vertex without neighbours keeps its
 * own. Neighbours are those by an entry of the square matrix A in either direction, whatever its value. A
 * vertex with entries in both directions counts twice, and so does v itself if A(v, v) is an entry. It stops
 * after an iteration without changes. The same result on grids of any shape. An iteration is a product with a
 * matrix of n entries, and a product of its result with a full vector. The result has at most as many entries
 * as A; twice as many if A is not known to be symmetric, and A is then also transposed once. Once few labels
 * change, only the rows of their neighbours are computed. Memory: that result, six vectors of n. Errors as
 * Grid_bfs, and GrB_DOMAIN_MISMATCH (a user-defined type). Collective. Sources: Raghavan, Albert, Kumara
 * (2007); Iosup et al., LDBC Graphalytics (2016). */
GrB_Info Grid_cdlp(GrB_Vector *label, GrB_Matrix A, uint64_t iterations);

/* Clusters by peer pressure: each vertex begins as a cluster of its own. In each iteration every vertex votes
 * for the vertices that its edges lead to, and for itself, to be in its cluster. Each joins the cluster with
 * most votes, the smallest of several.
 *   cluster     if not NULL: *cluster becomes a new INT64 vector with an entry for every vertex
 *   iterations  if not NULL: the number of iterations, with the last, which changes nothing
 *   limit       no more iterations than this: in some graphs clusters oscillate for ever
 * Edges are entries of the square matrix A, whatever their values. The vote of a vertex is divided equally:
 * of k vertices each gets 2^22 / k, rounded to an integer. The clusters are the same on grids of any shape.
 * An iteration is Grid_Matrix_best_label. Memory: A with loops and its transpose in FP64, three vectors of n.
 * Errors: GrB_NULL_POINTER (A, both outputs), GrB_DIMENSION_MISMATCH (A not square), GrB_OUT_OF_MEMORY; the
 * outputs are untouched then. Collective. Source: Gilbert, Reinhardt, Shah (2007). */
GrB_Info Grid_peer_pressure(GrB_Vector *cluster, uint64_t *iterations, GrB_Matrix A, uint64_t limit);

/* Modularity of a partition of the vertices into communities: the sum over the communities of internal / S -
 * resolution * out * in / S^2. S is the sum of all entries of the square matrix A; the modularity is 0 where
 * S is 0. Of a community, `out` is the sum of the entries in its vertices' rows, `in` that of the entries in
 * their columns, and `internal` that of the entries in both.
 *   modularity   if not NULL: the sum
 *   conductance  if not NULL: *conductance becomes a new FP64 vector with an entry for each community c that
 *                has vertices, (out - internal) / min(out, S - out), 0 where nothing leaves c
 *   community    of any integer type, with an entry for every vertex: a number below n
 *   resolution   1 is usual; a larger one favours smaller communities
 * The entries are weights; a BOOL entry that is true counts 1. An undirected graph is a symmetric matrix, in
 * which a loop that counts for both its ends is twice its weight. Two passes over A and a product with one
 * entry for each vertex at most; without conductance one process with at most 3 threads makes one serial
 * pass. Sums differ by rounding between grids. Errors: GrB_NULL_POINTER (A, community, both outputs),
 * GrB_DIMENSION_MISMATCH (A not square; community), GrB_INVALID_VALUE (a vertex without a community; a
 * resolution, a weight or the sum of all weights that is not finite), GrB_INDEX_OUT_OF_BOUNDS (a community),
 * GrB_DOMAIN_MISMATCH, GrB_OUT_OF_MEMORY; the outputs are untouched then. Collective. Sources: Newman, Girvan
 * (2004); Leicht, Newman (2008) for directed graphs. */
GrB_Info Grid_modularity(double *modularity, GrB_Vector *conductance, GrB_Matrix A, GrB_Vector community,
                         double resolution);

/* Communities of large modularity (Grid_modularity), by Louvain's method. Vertices move to the neighboring
 * community that raises the modularity most. Each community then becomes a vertex of a smaller graph, and so
 * on while the modularity grows. Then the vertices of A move once more, from these communities, and all that
 * follows again.
 *   community   if not NULL: *community becomes a new INT64 vector: for every vertex the smallest vertex of
 *               its community
 *   modularity  if not NULL: that of the communities
 *   resolution  0 or more; 1 is usual, a larger one makes smaller communities
 *   seed        of the order in which vertices move; other seeds give other communities
 * Entries of the square matrix A are weights, 0 or more; a BOOL entry that is true counts 1. Edges count both
 * ways: where A is not known to be symmetric (Grid_Storage), the graph is A joined with its transpose,
 * weights added. Vertices move in 8 to 32 groups a sweep, those of one at the same time. Weights whose ratio
 * to the sum of all is below 2^-52 are lost. The communities are the same on grids of any shape. A sweep
 * costs a product with a matrix of one entry for each vertex. Memory: A in FP64, and three numbers an entry
 * while the modularity is measured. Errors: GrB_NULL_POINTER (A, both outputs), GrB_DIMENSION_MISMATCH (A not
 * square), GrB_INVALID_VALUE (resolution; a weight is below 0, not a number or infinite), GrB_OUT_OF_MEMORY;
 * the outputs are untouched then. Collective. Source: Blondel, Guillaume, Lambiotte, Lefebvre (2008). */
GrB_Info Grid_louvain(GrB_Vector *community, double *modularity, GrB_Matrix A, double resolution,
                      uint64_t seed);

/* Communities of large modularity whose vertices are connected within them, by Leiden's method. It works as
 * Grid_louvain, but the second time each community is divided into connected parts, which become vertices of
 * the smaller graph and can move to other communities. At the end the vertices of A move a last time, and
 * communities are divided into their components.
 *   community   if not NULL: *community becomes a new INT64 vector: for every vertex the smallest vertex of
 *               its community
 *   modularity  if not NULL: that of the communities
 *   resolution  0 or more; 1 is usual, a larger one makes smaller communities
 *   seed        of the order in which vertices move; other seeds give other communities
 * The graph, cost, memory and errors are those of Grid_louvain. The communities are the same on grids of any
 * shape. Collective. Source: Traag, Waltman, van Eck (2019). */
GrB_Info Grid_leiden(GrB_Vector *community, double *modularity, GrB_Matrix A, double resolution,
                     uint64_t seed);

/* Clusters by Markov clustering (MCL): a random walk whose likely steps become ever more likely, until it
 * stays in clusters.
 *   cluster     if not NULL: *cluster becomes a new INT64 vector: for every vertex the smallest vertex of its
 *               cluster
 *   iterations  if not NULL: the number of iterations
 *   inflation   above 1 and at most 100; 2 is usual, a larger one makes smaller clusters
 *   limit       no more iterations than this; the clusters are then those that the walk still connects
 * Entries of the square matrix A are weights, 0 or more; a BOOL entry that is true counts 1. Edges count both
 * ways: where A is not known to be symmetric (Grid_Storage), the graph is A joined with its transpose,
 * weights added. Each vertex gets a loop as heavy as its heaviest edge (1 without edges), and rows are
 * divided by their sums. An iteration squares the matrix, drops entries below 0.001 of the largest of their
 * row, raises the others to the power of inflation, and divides rows by their sums. It ends once no entry
 * changes by more than 2^-16. Probabilities are multiples of 2^-26, and powers of 2^-32 of the largest of a
 * row, so that all sums are exact. So the clusters are the same on grids of any shape. Memory: that of the
 * squares, whose rows are long before the first iterations prune them in graphs with hubs. Errors:
 * GrB_NULL_POINTER (A, both outputs), GrB_DIMENSION_MISMATCH (A not square), GrB_INVALID_VALUE (inflation; a
 * weight is below 0, not a number or infinite), GrB_OUT_OF_MEMORY; the outputs are untouched then.
 * Collective. Source: van Dongen (2000). */
GrB_Info Grid_markov_clustering(GrB_Vector *cluster, uint64_t *iterations, GrB_Matrix A, double inflation,
                                uint64_t limit);

/* A maximal independent set: *set becomes a new BOOL vector with an entry, true, for every member. No two
 * members are neighbours, and every other vertex has a member as neighbour. Neighbours are those by an
 * entry of the square matrix A in either direction, whatever its value; loops are ignored.
 *   seed  selects the set: that of a serial pass over the vertices in falling order of h(v ^ h(seed)), where
 *         h is the splitmix64 function; the same on grids of any shape
 * By Grid_Matrix_color, with one color. With products there are about log n rounds, each of two over the rows
 * of undecided vertices (four if A is not known to be symmetric). Memory: that of Grid_Matrix_color, and a
 * vector. Errors as Grid_bfs. Collective.
 * Sources: Luby (1986); Blelloch, Fineman, Shun (2012). */
GrB_Info Grid_mis(GrB_Vector *set, GrB_Matrix A, uint64_t seed);

/* A coloring of the vertices: no two with an edge have the same color.
 *   color   if not NULL: *color becomes a new INT64 vector: for every vertex a color, from 0
 *   colors  if not NULL: their number
 *   seed    of the order of the vertices; other seeds give other colorings
 * Edges of the square matrix A count both ways, whatever their values; loops do not count. Each vertex has
 * the smallest color that no neighbor before it in a hashed order has, so there are at most as many colors as
 * the largest degree and one. The coloring is the same on grids of any shape. By Grid_Matrix_color, with its
 * memory. Errors: GrB_NULL_POINTER (A, both outputs), GrB_DIMENSION_MISMATCH (A not square),
 * GrB_OUT_OF_MEMORY; the outputs are untouched then. Collective. Sources: Luby (1986); Jones, Plassmann
 * (1993); Blelloch, Fineman, Shun (2012). */
GrB_Info Grid_coloring(GrB_Vector *color, uint64_t *colors, GrB_Matrix A, uint64_t seed);

/* A vertex cover: vertices such that every edge has an end among them.
 *   cover  if not NULL: *cover becomes a new BOOL vector with an entry, true, for every vertex of the cover
 *   bound  if not NULL: a lower bound, the edges of a maximal matching (Grid_matching): no cover has fewer
 *          vertices
 *   seed   of the order of edges in the matching; other seeds give other covers
 * Edges of the square matrix A count both ways, whatever their values; loops do not count. The cover has at
 * most twice as many vertices as the smallest one, and none of them can be left out. They are the ends of the
 * matching's edges, less a maximal independent set (Grid_mis) of vertices whose neighbors are all among them.
 * It is the same on grids of any shape. Memory: that of the matching, two patterns of the graph. Errors:
 * GrB_NULL_POINTER (A, both outputs), GrB_DIMENSION_MISMATCH (A not square), GrB_OUT_OF_MEMORY; the outputs
 * are untouched then. Collective. Source: Gavril, in Garey, Johnson (1979). */
GrB_Info Grid_vertex_cover(GrB_Vector *cover, uint64_t *bound, GrB_Matrix A, uint64_t seed);

/* A maximal matching of heavy edges, no two of which have a common vertex. *mate becomes a new INT64 vector
 * with an entry for each vertex at an edge of the matching, its other end.
 *   seed  of the order of edges of one weight; other seeds give other matchings
 * Entries of the square matrix A, of any predefined type, are the weights of edges in both directions, 0 or
 * more. An edge weighs the heavier of A(v, w) and A(w, v), compared as FP64. Entries of a BOOL matrix weigh 1
 * each. Loops are ignored. Each edge is the heaviest at both its ends among those left when it is taken, as
 * in a serial pass from heavy to light edges. So no edge can be added, and the weight is at least half of the
 * largest possible. So is the number of edges if all weigh the same. The matching is the same on grids of any
 * shape. Rounds of one product over the rows of vertices that may still be matched, and a gather; about log n
 * of them. One process with at most 8 threads goes over the vertices serially instead. Memory: three numbers
 * an entry in both directions, ten for each vertex. Errors: GrB_NULL_POINTER, GrB_DIMENSION_MISMATCH (A not
 * square), GrB_INVALID_VALUE (a weight is below 0 or not a number), GrB_DOMAIN_MISMATCH (a user-defined
 * type), GrB_OUT_OF_MEMORY; *mate is untouched then. Collective. Sources: Preis (1999); Manne, Bisseling
 * (2007); Manne, Halappanavar (2014). */
GrB_Info Grid_matching(GrB_Vector *mate, GrB_Matrix A, uint64_t seed);

/* A maximum matching of the rows and columns of a matrix, the two sides of a bipartite graph. It has as many
 * entries as possible of which no two are in one row or column. Their number is the structural rank of A.
 *   row_mate     if not NULL: *row_mate becomes a new INT64 vector: the column of each row's entry
 *   column_mate  if not NULL: *column_mate becomes a new INT64 vector: the row of each column's entry
 * Rows and columns without an entry of the matching have none there. A need not be square; its values do not
 * matter. A phase is a search from all unmatched columns at once, which inspects each entry once at most, and
 * exchanges along the paths found. It ends when none is found: after few phases in most matrices, at worst
 * after as many as the matching has entries. The matching is the same on grids of any shape. Memory: fourteen
 * vectors. Errors: GrB_NULL_POINTER (A, both outputs), GrB_OUT_OF_MEMORY; the outputs are untouched then.
 * Collective. Source: Azad, Buluc (2016). */
GrB_Info Grid_bipartite_matching(GrB_Vector *row_mate, GrB_Vector *column_mate, GrB_Matrix A);

/* A minimum spanning forest of an undirected graph. *forest becomes a new matrix with an entry (v, w), v < w,
 * the edge's weight, for each edge of the forest. Its type is FP32, FP64 or UINT64 if A has that type, else
 * INT64. Entries of the square matrix A, of any predefined type and either sign, are edges in both
 * directions, with the lighter of A(v, w) and A(w, v); loops are ignored. Edges of equal weight are ordered
 * by their smaller end, then by the other end. So the forest is unique and the same on grids of any shape. -0
 * counts as 0. There are at most log2 n rounds. Each is one product over the rows of vertices that may have
 * an edge out of their tree; then a gather for each doubling of the longest chain of trees, and a scatter.
 * With 12 entries a vertex or more, first the same over about 4 light entries a vertex, after which few
 * rounds over all are left. One process with at most 16 threads sorts the edges instead, the light ones and
 * then those between their trees. Memory: one number per entry of A in both directions, a third more if light
 * edges come first, and about thirty per vertex. Where edges are sorted, two to four numbers for each of
 * these. Errors: GrB_NULL_POINTER, GrB_DIMENSION_MISMATCH (A not square), GrB_INVALID_VALUE (a weight is not
 * a number), GrB_DOMAIN_MISMATCH (a user-defined type), GrB_OUT_OF_MEMORY; *forest does not change then.
 * Collective. Sources: Boruvka (1926); Kruskal (1956); Osipov, Sanders, Singler (2009). */
GrB_Info Grid_msf(GrB_Matrix *forest, GrB_Matrix A);

/* Shortest paths from `source` by delta-stepping; A(i,j) is the length of the edge i -> j, of any
 * predefined type, 0 or more.
 *   distance  if not NULL: *distance becomes a new vector with an entry for every reachable vertex (0 for
 *             source), FP32 or FP64 if the weights are, else INT64
 *   parent    if not NULL: *parent becomes a new INT64 vector: the last but one vertex on a shortest path
 *             (source for source); together a tree, also with weights of 0
 *   delta     the width of the first buckets, later ones may be wider; 0: the mean weight over the mean
 *             degree, on a GPU no limit: one bucket
 * With parents, INT64 distances are limited to 2^53. An infinite weight is a distance, too. The work is that
 * of one product over all entries plus repeated relaxations; a few steps per bucket, each one product of the
 * vertices that changed. parent costs another search. Memory: six vectors of n. Errors: GrB_NULL_POINTER (A,
 * both outputs), GrB_DIMENSION_MISMATCH (A not square), GrB_INVALID_INDEX (source), GrB_INVALID_VALUE (a
 * weight below 0 or not a number, integer weights that add up to more than 9.22e18, distances beyond 2^53
 * with parents, delta below 0), GrB_DOMAIN_MISMATCH (user-defined type), GrB_OUT_OF_MEMORY; the outputs do
 * not change then. Collective.
 * Source: Meyer, Sanders (2003); Sridhar et al. (2019). */
GrB_Info Grid_shortest_paths(GrB_Vector *distance, GrB_Vector *parent, GrB_Matrix A, GrB_Index source,
                             double delta);

/* Shortest paths from `source` with weights of either sign. Outputs are those of Grid_shortest_paths, and
 * *negative_cycle says whether a cycle of negative weight can be reached. If so there are no distances, and
 * *distance and *parent do not change. Each may be NULL. At most n rounds, each a product of the vertices
 * that changed. Cycles are searched after 16, 32, 64, ... rounds, at the cost of a product of all vertices
 * and log n gathers; a cycle that changes distances by less than rounding takes all n. In a graph known to be
 * symmetric one edge of negative weight is a cycle. Errors as Grid_shortest_paths, but of weights below 0
 * GrB_INVALID_VALUE are minus infinity, and integers that add up to less than -4.61e18. negative_cycle NULL:
 * GrB_NULL_POINTER. Collective. Sources: Ford
 * (1956), Bellman (1958); Cherkassky, Goldberg (1999). */
GrB_Info Grid_bellman_ford(GrB_Vector *distance, GrB_Vector *parent, bool *negative_cycle, GrB_Matrix A,
                           GrB_Index source);

/* Shortest paths from many vertices at once. *distance becomes a new n x nsources matrix. Entry (v, k) is the
 * least length of a path from sources[k] to v; there is none where no path leads. The type is FP32 or FP64 if
 * the weights' is, else INT64; (sources[k], k) is 0. A(i,j) is the length of the edge i -> j, of any
 * predefined type, 0 or more. Each source costs a Grid_shortest_paths. Memory: 24 bytes per source and
 * reached vertex, and six vectors of n. On one GPU 8 or more sources, of at most 2^29 distances, are searched
 * at once by the rounds of Bellman and Ford. That takes several times the memory of the result, and is not
 * done where checkpoints are written. Errors: GrB_NULL_POINTER, GrB_DIMENSION_MISMATCH (A not square),
 * GrB_INVALID_VALUE (no sources; weights as Grid_shortest_paths), GrB_INVALID_INDEX (a source),
 * GrB_DOMAIN_MISMATCH (user-defined type), GrB_OUT_OF_MEMORY; *distance is untouched then. Collective.
 * Sources: Meyer, Sanders (2003); Bellman (1958), Ford (1956). */
GrB_Info Grid_shortest_paths_many(GrB_Matrix *distance, GrB_Matrix A, const GrB_Index *sources,
                                  GrB_Index nsources);

/* The distances between all pairs of vertices. *distance becomes a new n x n matrix with an entry (v, w)
 * wherever a path leads from v to w: its least length. The type is FP32 or FP64 if the weights' is, else
 * INT64; (v, v) is 0. A(i,j) is the length of the edge i -> j, of any predefined type, 0 or more. For small
 * graphs: a connected graph's answer has as many entries as the square of its size. A round for each edge of
 * the longest shortest path, each a product of the pairs that changed. Memory: four numbers a pair, five on
 * one CPU if more than a quarter of the pairs are edges. Errors: GrB_NULL_POINTER, GrB_DIMENSION_MISMATCH (A
 * not square), GrB_INVALID_VALUE (as Grid_shortest_paths), GrB_DOMAIN_MISMATCH (user-defined type),
 * GrB_OUT_OF_MEMORY; *distance is untouched then. Collective. Sources: Bellman (1958); Kepner, Gilbert
 * (2011). */
GrB_Info Grid_all_pairs(GrB_Matrix *distance, GrB_Matrix A);

/* A maximum flow from a source to a sink, and a minimum cut between them.
 *   value        if not NULL: the flow that leaves the source and arrives at the sink, which is the sum of
 *                the capacities of the edges from the source's side of the cut to the other
 *   flow         if not NULL: *flow becomes a new FP64 matrix with an entry above 0 for each edge that is
 *                used; of two edges in opposite directions at most one is
 *   source_side  if not NULL: *source_side becomes a new BOOL vector with an entry, true, for each vertex
 *                that cannot send more to the sink: the source's side of a minimum cut
 *   source       where the flow begins
 *   sink         where it ends; another vertex
 * A(i,j) of the square matrix A, of any predefined type, is the capacity of the edge i -> j, finite and 0 or
 * more. Entries of a BOOL matrix count by their value, 1 or 0. An undirected graph has both directions. Sums
 * of whole numbers are exact up to 2^53; then value and source_side are the same on any grid. Which of
 * several maximum flows is returned is unspecified. It is the same on grids of any shape where process 0 has
 * the memory for less than 2^30 vertices and entries. There such a graph goes, and vertices with an excess
 * push it along paths of a few edges that lead closer to the sink. Other graphs take phases of a search from
 * the sink and of rounds, in which every vertex with an excess pushes along one edge. A phase costs ten
 * passes over the entries, a round a product over those between the search's levels. Memory: 16 bytes for
 * each entry, and 80 for each on process 0; with rounds six numbers for each entry in both directions, ten
 * for each vertex. Errors: GrB_NULL_POINTER (A, all outputs), GrB_DIMENSION_MISMATCH (A not square),
 * GrB_INVALID_INDEX (source, sink), GrB_INVALID_VALUE (a capacity, or their sum; the source is the sink),
 * GrB_DOMAIN_MISMATCH (a user-defined type), GrB_OUT_OF_MEMORY; the outputs are untouched then. Collective.
 * Sources: Goldberg, Tarjan (1988); Cherkassky, Goldberg (1997); Goldberg (2008). */
GrB_Info Grid_max_flow(double *value, GrB_Matrix *flow, GrB_Vector *source_side, GrB_Matrix A,
                       GrB_Index source, GrB_Index sink);

/* Breadth-first searches from nsources vertices at once, along the rows of the square matrix A. *level
 * becomes a new n x nsources matrix: level(v, k) = the number of edges on a shortest path from sources[k] to
 * v, no entry if there is none. Its type is the smallest of INT8, INT16 and INT32 that holds the deepest
 * level. limit: search no deeper than this level; < 0: no limit. A level is one masked product, which
 * inspects an edge once for 64 sources. Memory: one entry per source and reached vertex. Errors:
 * GrB_NULL_POINTER, GrB_DIMENSION_MISMATCH (A not square), GrB_INVALID_VALUE (no sources), GrB_INVALID_INDEX
 * (a source), GrB_OUT_OF_MEMORY; *level does not change then. Collective. Sources: Buluc, Gilbert (2011);
 * Then et al. (2014). */
GrB_Info Grid_bfs_many(GrB_Matrix *level, GrB_Matrix A, const GrB_Index *sources, GrB_Index nsources,
                       int64_t limit);

/* Betweenness centrality (Brandes) summed over the given sources, along the rows of the square matrix A.
 * *centrality becomes a new FP64 vector with an entry for every vertex: centrality(v) = sum over sources s of
 * the dependency of s on v. With all vertices as sources it is the betweenness (in an undirected graph each
 * pair counts twice); with a sample, times n / nsources, an estimate. Each source costs two products per
 * level of its search, one in each direction: at most 2 m of A's entries, and some passes over the vertices
 * found. Memory: four vectors of n, and one number per vertex found. On one GPU 32 to 256 sources are
 * searched at once, of at most about 2^24 / n, with matrices of as many entries. Path counts are exact up to
 * 2^53, sums differ by rounding between grids. Errors as Grid_bfs, and GrB_NULL_POINTER (sources is NULL and
 * nsources is not 0). Collective. Source: Brandes (2001). */
GrB_Info Grid_betweenness(GrB_Vector *centrality, GrB_Matrix A, const GrB_Index *sources, GrB_Index nsources);

/* Betweenness centrality within an error bound, from a sample of sources that grows until the bound holds.
 *   centrality  *centrality becomes a new FP64 vector, an estimate of what Grid_betweenness computes from all
 *               vertices; every vertex has an entry
 *   samples     if not NULL: the number of sources; n: the result is exact
 *   bound       if not NULL: the error bound that holds, at most epsilon; 0 where it is exact
 *   epsilon     the largest error, of n (n - 1), which no centrality exceeds: above 0, at most 1
 *   failure     the probability that any vertex has a larger error: between 0 and 1
 *   seed        of the sample
 * With probability 1 - failure all vertices v have |centrality(v) - exact(v)| <= bound n (n - 1). The sources
 * are drawn without replacement, by a hash of the seed that counts as random. A source's dependencies,
 * divided by n - 1, are from 0 to 1. Their mean has the bounds of Hoeffding and Serfling, and of empirical
 * Bernstein and Serfling, by the largest variance of a vertex. Each sample is half as large again as the
 * last, until one of the bounds is at most epsilon. With L = log(12 n rounds / failure) it ends with about L
 * / (2 epsilon^2 + L / n) sources at most, rounds being at most log(n) / log(1.5) + 2. Each source costs what
 * it does in Grid_betweenness, and a pass more a level. Memory: seven vectors of n, one number per vertex
 * found, n / 8 bytes on each process. The sample is the same on grids of any shape; sums differ by rounding.
 * Errors: GrB_NULL_POINTER (centrality, A), GrB_DIMENSION_MISMATCH (A not square), GrB_INVALID_VALUE
 * (epsilon, failure), GrB_OUT_OF_MEMORY; the outputs are untouched then. Collective. Sources: Brandes, Pich
 * (2007); Serfling (1974); Bardenet, Maillard (2015). */
GrB_Info Grid_betweenness_sampled(GrB_Vector *centrality, uint64_t *samples, double *bound, GrB_Matrix A,
                                  double epsilon, double failure, uint64_t seed);

/* Edge betweenness centrality (Brandes) summed over the given sources, along the rows of the square matrix A.
 * *centrality becomes a new FP64 matrix with the pattern of A. The entry of an edge is the sum, over the
 * sources and all targets, of the share of shortest paths that have the edge.
 *   sources  NULL: all vertices
 * With all vertices as sources it is the edge betweenness, in an undirected graph (A symmetric) of pairs that
 * count once. Divide it by n (n - 1), in an undirected graph by n (n - 1) / 2, to normalize it. With a
 * sample, times n / nsources, it is an estimate; in an undirected graph half the sum of both directions then.
 * Each source costs the products of Grid_betweenness, and each batch of sources a product at the entries of
 * A, two numbers a source and entry. Memory: A twice in FP64, and for the batch, of 8 to 64 sources, 100
 * bytes a source and vertex. That is at most about 200 MB on each process, or 800 bytes a vertex. On one GPU
 * a batch has the sources of Grid_betweenness. A single one takes about 100 bytes a vertex, and an FP64
 * number and 8 bytes an entry of A more. Path counts are exact up to 2^53, sums differ by rounding between
 * grids. Errors: GrB_NULL_POINTER (centrality, A), GrB_DIMENSION_MISMATCH (A not square), GrB_INVALID_INDEX
 * (a source), GrB_OUT_OF_MEMORY; *centrality is untouched then. Collective. Sources: Brandes (2001, 2008). */
GrB_Info Grid_edge_betweenness(GrB_Matrix *centrality, GrB_Matrix A, const GrB_Index *sources,
                               GrB_Index nsources);

/* Closeness and harmonic centrality: how near the given sources are to a vertex v, along the rows of the
 * square matrix A. Of the sources other than v let r be the number of those that reach v, D the sum of their
 * distances to v, and s the number of all.
 *   closeness  if not NULL: *closeness becomes a new FP64 vector, (r / D) (r / s), 0 where r is 0
 *   harmonic   if not NULL: *harmonic becomes a new FP64 vector, the sum of 1 / distance
 *   sources    NULL: all vertices, which makes both exact
 * Every vertex has an entry. In a sample closeness is an estimate, and so is harmonic, times n / nsources.
 * By Grid_Matrix_distances: the result is the same on any grid and device. Memory: that call's, and six
 * vectors of n. Errors:
 * GrB_NULL_POINTER (A, both outputs), GrB_DIMENSION_MISMATCH (A not square), GrB_INVALID_INDEX (a source),
 * GrB_OUT_OF_MEMORY; the outputs are untouched then. Collective. Sources: Freeman (1978); Wasserman, Faust
 * (1994); Eppstein, Wang (2004) for samples. */
GrB_Info Grid_closeness(GrB_Vector *closeness, GrB_Vector *harmonic, GrB_Matrix A, const GrB_Index *sources,
                        GrB_Index nsources);

/* Flags of Grid_pagerank. */
enum {
  Grid_PAGERANK_PLAIN = 1, /* the rank of vertices without outgoing edges is lost (the GAP benchmark's
                            * variant) */
  Grid_PAGERANK_FP32 = 2   /* compute and return the ranks in FP32 */
};

/* PageRank along the rows of the square matrix A (edge i -> j is an entry A(i,j), whatever its value), by
 * power iteration: next(v) = damping * sum over edges u -> v of rank(u) / degree(u) + (1 - damping +
 * damping * the rank of vertices without outgoing edges) * restart(v).
 *   rank        *rank becomes a new vector, FP64 or FP32, with an entry for every vertex; the sum is 1
 *   iterations  if not NULL: the number of iterations
 *   change      if not NULL: the L1 norm of the last iteration's change, 0 without one
 *   personal    n values of any predefined type, 0 or more and one of them above 0; a missing entry is 0.
 *               restart is this divided by its sum, and the initial ranks are the restarts. NULL: 1 / n
 *   damping     in 0..1; usually 0.85
 *   tolerance   0 or more: stop after the iteration whose change is below it; 0: after `limit`
 *   limit       most iterations
 *   flags       Grid_PAGERANK_...
 * Floating-point sums: ranks differ by rounding between grid shapes. An iteration costs one product with a
 * full vector, all entries of A, and six passes over vectors of n; memory: five of these.
 * Errors: GrB_NULL_POINTER (A, rank), GrB_DIMENSION_MISMATCH (A not square, personal not of its size),
 * GrB_INVALID_VALUE (damping, tolerance, an unknown flag, a value of personal), GrB_OUT_OF_MEMORY; the
 * outputs do not change then. Collective.
 * Source: Page, Brin, Motwani, Winograd, The PageRank citation ranking (1999); with damping, limit and no
 * tolerance it is PR of LDBC Graphalytics. */
GrB_Info Grid_pagerank(GrB_Vector *rank, uint64_t *iterations, double *change, GrB_Matrix A,
                       GrB_Vector personal, double damping, double tolerance, uint64_t limit, int flags);

/* Degree centrality: the number of edges of each vertex, whatever their values; loops are ignored. Divided
 * by n - 1 it is the share of the other vertices that are neighbors.
 *   out_degree  if not NULL: *out_degree becomes a new INT64 vector with an entry for every vertex: the
 *               number of edges from it
 *   in_degree   if not NULL: *in_degree becomes a new INT64 vector, likewise: of edges to it
 * In an undirected graph, whose matrix is symmetric, both are the same. Cost: a pass over the entries;
 * memory: three vectors. Errors: GrB_NULL_POINTER (A, both outputs), GrB_DIMENSION_MISMATCH (A not square),
 * GrB_DOMAIN_MISMATCH (a user-defined type), GrB_OUT_OF_MEMORY; the outputs are untouched then. Collective.
 * Source: Freeman (1978). */
GrB_Info Grid_degree(GrB_Vector *out_degree, GrB_Vector *in_degree, GrB_Matrix A);

/* Katz centrality, which counts the walks that end at a vertex, those of k edges alpha^k times: by iterations
 * next(v) = alpha * sum over edges u -> v of A(u,v) * x(u) + beta(v).
 *   centrality  *centrality becomes a new vector with an entry for every vertex, not normalised; FP32 if
 *               start has that type, else FP64, and so are all vectors of the computation
 *   iterations  if not NULL: the number of iterations
 *   change      if not NULL: the L1 norm of the last iteration's change, 0 without one
 *   A           square, of any predefined type: weights; the entries of a BOOL matrix count 1 each
 *   start       the initial values, 0 where it has no entry; NULL: 0
 *   beta        what each vertex gets in every iteration, 0 where it has no entry; NULL: 1
 *   alpha       the factor of an edge; below the inverse of the largest eigenvalue of A it converges
 *   tolerance   0 or more: stop after the iteration whose change is below it; 0: after `limit`. In FP32
 *               rounding may keep the change from falling below 1e-7 of the sum of the values
 *   limit       most iterations
 * An iteration costs one product with a full vector, all entries of A, and five passes over vectors of n;
 * memory: four of these. Floating-point sums differ by rounding between grids. Errors: GrB_NULL_POINTER (A,
 * centrality), GrB_DIMENSION_MISMATCH (A not square, a vector not of its size), GrB_INVALID_VALUE (alpha,
 * tolerance), GrB_DOMAIN_MISMATCH (a user-defined type), GrB_OUT_OF_MEMORY; the outputs are untouched then.
 * Collective. Source: Katz (1953). */
GrB_Info Grid_katz(GrB_Vector *centrality, uint64_t *iterations, double *change, GrB_Matrix A,
                   GrB_Vector start, GrB_Vector beta, double alpha, double tolerance, uint64_t limit);

/* Eigenvector centrality: a vertex is as central as those with edges to it are in sum. By power iteration:
 * next = (x + x A) / its Euclidean norm, whose limit is the left eigenvector of A's largest eigenvalue.
 *   centrality  *centrality becomes a new vector with an entry for every vertex, of norm 1 after an
 *               iteration; its type as in Grid_katz
 *   start       the initial values, divided by their sum, 0 where it has no entry; NULL: 1 / n
 * iterations, change, A, tolerance, limit, cost and memory are those of Grid_katz. Errors: those of
 * Grid_katz, and GrB_INVALID_VALUE (start adds up to 0; numbers that are not finite); the outputs are
 * untouched then. Collective. Source: Bonacich (1987). */
GrB_Info Grid_eigenvector(GrB_Vector *centrality, uint64_t *iterations, double *change, GrB_Matrix A,
                          GrB_Vector start, double tolerance, uint64_t limit);

/* Hubs and authorities (HITS): a hub has edges to authorities, an authority edges from hubs. By power
 * iteration: authority = hub A and hub = A authority, each divided by the sum of its absolute values.
 *   hub, authority  if not NULL: *hub, *authority become new vectors with an entry for every vertex, of sum 1
 *                   where the graph has edges; their type as in Grid_katz; authority = hub A of the last hub
 *   change          if not NULL: the L1 norm of the last change of hub, 0 without an iteration
 *   start           the initial hubs, divided by their sum, 0 where it has no entry; NULL: 1 / n
 * iterations, A, tolerance and limit are those of Grid_katz. An iteration costs two products with full
 * vectors, one in each direction, and ten passes over vectors of n; memory: five of these. Errors: those of
 * Grid_eigenvector; GrB_NULL_POINTER also where both outputs are NULL; the outputs are untouched then.
 * Collective. Source: Kleinberg (1999). */
GrB_Info Grid_hits(GrB_Vector *hub, GrB_Vector *authority, uint64_t *iterations, double *change, GrB_Matrix A,
                   GrB_Vector start, double tolerance, uint64_t limit);

/* Triangles of an undirected graph: entries of the square matrix A are edges in both directions, whatever
 * their values; loops are ignored.
 *   count       if not NULL: the number of triangles, each once
 *   per_vertex  if not NULL: *per_vertex becomes a new INT64 vector, the number of triangles that contain v,
 *               for every vertex
 * One product over pairs of rows of a matrix L that has each edge in one direction, masked by L. It takes at
 * most the sum over v of out(v) * degree(v) comparisons. L directs edges from lower to higher degrees, which
 * bounds the sum by m to the power of 3/2, if the predicted sum shows that this pays. Else it directs them to
 * smaller numbers. per_vertex: another such product. If A is not known to be symmetric (Grid_Storage), A and
 * its transpose are joined first. Memory: L, and one number per edge. Errors: GrB_NULL_POINTER (A, both
 * outputs), GrB_DIMENSION_MISMATCH (A not square), GrB_OUT_OF_MEMORY; the outputs do not change then.
 * Collective. Sources: Azad, Buluc, Gilbert (2015); Schank, Wagner (2005). */
GrB_Info Grid_triangles(uint64_t *count, GrB_Vector *per_vertex, GrB_Matrix A);

/* Cliques of k vertices in an undirected graph: sets of k vertices that are all connected to each other.
 *   count       if not NULL: the number of cliques, each once
 *   per_vertex  if not NULL: *per_vertex becomes a new INT64 vector: for every vertex the number of cliques
 *               that contain it
 *   k           3 (triangles) or more
 * Entries of the square matrix A are edges in both directions, counted once, whatever their values; loops are
 * ignored. Each edge has one direction, that of Grid_triangles, so a clique is found once. Smaller cliques
 * are extended by a vertex at a time, a product each, and the last two vertices are counted by a masked
 * product. Work and communication grow with the cliques of k - 1 vertices and of fewer, whose number may be
 * exponential in k. Memory: A in one direction, and for each size up to k - 1 a panel of cliques, which has
 * about 2^22 entries on each process. Errors: GrB_NULL_POINTER (A, both outputs), GrB_DIMENSION_MISMATCH (A
 * not square), GrB_INVALID_VALUE (k; there are 2^62 cliques or more), GrB_OUT_OF_MEMORY; the outputs do not
 * change then. Collective. Sources: Chiba, Nishizeki (1985); Danisch, Balalau, Sozio (2018). */
GrB_Info Grid_clique_count(uint64_t *count, GrB_Vector *per_vertex, GrB_Matrix A, int64_t k);

/* Connected graphs of 3 and 4 vertices, the indices of Grid_motif_counts. */
enum {
  Grid_MOTIF_PATH_3 = 0,
  Grid_MOTIF_TRIANGLE = 1,
  Grid_MOTIF_STAR_4 = 2, /* a vertex with three others, which are not connected */
  Grid_MOTIF_PATH_4 = 3,
  Grid_MOTIF_PAW = 4, /* a triangle, and a vertex connected to one of its vertices */
  Grid_MOTIF_CYCLE_4 = 5,
  Grid_MOTIF_DIAMOND = 6, /* two triangles with a common edge */
  Grid_MOTIF_CLIQUE_4 = 7
};

/* Small connected subgraphs of an undirected graph. *count becomes a new INT64 vector of size 8.
 * count(Grid_MOTIF_...) is the number of sets of 3 or 4 vertices whose edges form that graph (induced
 * subgraphs). Entries of the square matrix A are edges in both directions, counted once, whatever their
 * values; loops are ignored. The numbers follow from the degrees, the triangles at vertices and edges, the
 * squares and the cliques of four. Cost and memory are those of Grid_square_clustering and of
 * Grid_clique_count with k = 4. Errors: GrB_NULL_POINTER, GrB_DIMENSION_MISMATCH (A not square),
 * GrB_INVALID_VALUE (a number of subgraphs, induced or not, may be 2^59 or more), GrB_OUT_OF_MEMORY; *count
 * does not change then. Collective. Sources: Ahmed, Neville, Rossi, Duffield (2015); Pinar, Seshadhri, Vishal
 * (2017). */
GrB_Info Grid_motif_counts(GrB_Vector *count, GrB_Matrix A);

/* Local clustering coefficients as LDBC Graphalytics defines them: *coefficient becomes a new FP64 vector
 * with an entry for every vertex v. It is the number of entries (u,w) of the square matrix A among the d
 * neighbours of v, divided by d (d - 1); 0 if d < 2. Neighbours are the other vertices with an edge from v or
 * to v; values and loops of A are ignored. In an undirected graph it is the fraction of pairs of neighbours
 * that are connected. Costs as Grid_triangles with per_vertex; a matrix not known to be symmetric
 * (Grid_Storage) is joined with its transpose and takes three such products, with numbers. Sums are
 * integers: the same bits on every grid. Errors: GrB_NULL_POINTER, GrB_DIMENSION_MISMATCH (A not square),
 * GrB_OUT_OF_MEMORY; *coefficient does not change then. Collective. Sources: Watts, Strogatz (1998); Iosup
 * et al., LDBC Graphalytics (2016). */
GrB_Info Grid_lcc(GrB_Vector *coefficient, GrB_Matrix A);

/* Square clustering of an undirected graph. *coefficient becomes a new FP64 vector with an entry for every
 * vertex v. It is the number of squares (cycles of four vertices) at v, divided by the number that could be
 * there. A pair u, w of neighbours of v with q common neighbours other than v adds q squares. It could add
 * d(u) + d(w) - q - 2 - 2 a, where a is 1 if u and w are connected, else 0. The coefficient is 0 where
 * nothing is added. Entries of the square matrix A are edges in both directions, counted once, whatever their
 * values; loops are ignored. A A' by panels of rows: the sum over v of d(v)^2 operations, which is much in
 * graphs with hubs. Memory: a pattern of A and two numbers for each pair of a panel, of which there are about
 * 2^22 on each process, and six vectors of n. Counts are integers: the same bits on every grid while they are
 * below 2^53. Errors: GrB_NULL_POINTER, GrB_DIMENSION_MISMATCH (A not square), GrB_INVALID_VALUE (there may
 * be 2^59 squares or more), GrB_OUT_OF_MEMORY; *coefficient does not change then. Collective. Sources: Lind,
 * Gonzalez, Herrmann (2005); Zhang et al. (2008). */
GrB_Info Grid_square_clustering(GrB_Vector *coefficient, GrB_Matrix A);

/* Rich club of an undirected graph: *coefficient becomes a new FP64 vector of n. For every degree k that two
 * or more vertices exceed, its entry k is the share of the pairs of these vertices that are connected. An
 * entry of 1 says that they form a clique. Entries of the square matrix A are edges in both directions,
 * counted once, whatever their values; loops are ignored. Two products with diagonal matrices order the edges
 * by degree. Memory: A in INT64, and two numbers for each degree up to the largest, on every process. Errors:
 * GrB_NULL_POINTER, GrB_DIMENSION_MISMATCH (A not square), GrB_OUT_OF_MEMORY; *coefficient does not change
 * then. Collective. Sources: Zhou, Mondragon (2004); Colizza, Flammini, Serrano, Vespignani (2006). */
GrB_Info Grid_rich_club(GrB_Vector *coefficient, GrB_Matrix A);

/* Assortativity: how far edges connect vertices of like values, from -1 to 1. The Pearson correlation, over
 * the entries (i,j) of the square matrix A, of x(i) and y(j).
 *   correlation  becomes that number; NaN where x or y is the same at all entries, or where there are none
 *   x, y         of any type that casts to FP64, with an entry for every vertex that has edges; x NULL: the
 *                number of entries in row i, y NULL: that in column j, which is the assortativity by degree
 * Each entry of A counts once, whatever its value; an undirected graph is a matrix with both directions. A
 * loop is an entry, too. For an attribute of vertices x and y are the same vector. One product of A with a
 * full vector, and ten passes over vectors of n; memory: six of these. Sums differ by rounding between grids.
 * Errors: GrB_NULL_POINTER (A, correlation), GrB_DIMENSION_MISMATCH (A not square; x, y not of its size),
 * GrB_INVALID_VALUE (x or y lacks the entry of a vertex with edges), GrB_DOMAIN_MISMATCH, GrB_OUT_OF_MEMORY;
 * *correlation does not change then. Collective. Source: Newman, Mixing patterns in networks (2003). */
GrB_Info Grid_assortativity(double *correlation, GrB_Matrix A, GrB_Vector x, GrB_Vector y);

/* Assortativity by labels: (e - e0) / (1 - e0), which is 1 where all edges are within labels, 0 at random. e
 * is the share of the entries (i,j) of the square matrix A between vertices of equal labels. e0 is the share
 * that is expected where both ends are drawn by their numbers of entries.
 *   coefficient  becomes that number; NaN where all edges have the same label, or where there are none
 *   label        of any integer type, with an entry for every vertex: a number below n
 * Each entry of A counts once, whatever its value, loops too; an undirected graph is a matrix with both
 * directions. Sums as those of Grid_modularity without conductance. Counts are integers: the same bits on
 * every grid while they are below 2^53. Errors: GrB_NULL_POINTER, GrB_DIMENSION_MISMATCH (A not square;
 * label), GrB_INVALID_VALUE (a vertex without a label), GrB_INDEX_OUT_OF_BOUNDS (a label),
 * GrB_DOMAIN_MISMATCH, GrB_OUT_OF_MEMORY; *coefficient does not change then. Collective. Source: Newman
 * (2003). */
GrB_Info Grid_label_assortativity(double *coefficient, GrB_Matrix A, GrB_Vector label);

/* Reciprocity of a directed graph: the share of edges whose reverse is an edge, too.
 *   reciprocity  if not NULL: that of the graph, 0 where it has no edges
 *   per_vertex   if not NULL: *per_vertex becomes a new FP64 vector with an entry for every vertex: the share
 *                among the edges from it and to it, 0 where there are none
 * Edges are entries of the square matrix A, whatever their values; loops are ignored. A product entry by
 * entry with the transpose. Memory: a number for each entry of A, and for each with a reverse. Errors:
 * GrB_NULL_POINTER (A, both outputs), GrB_DIMENSION_MISMATCH (A not square), GrB_OUT_OF_MEMORY; the outputs
 * are untouched then. Collective. Source: Wasserman, Faust (1994). */
GrB_Info Grid_reciprocity(double *reciprocity, GrB_Vector *per_vertex, GrB_Matrix A);

/* Core numbers of an undirected graph. *core becomes a new INT64 vector with an entry for every vertex v: the
 * largest k such that v is in a subgraph whose vertices all have k or more neighbours in it. Entries of the
 * square matrix A are edges in both directions, counted once, whatever their values; loops are ignored. By
 * Grid_Matrix_peel, which inspects each entry of A once; on several processes in rounds, of which a path of n
 * vertices has n / 2. Memory: that of Grid_Matrix_peel, or five vectors of n; if A is not known to be
 * symmetric (Grid_Storage), also A joined with its transpose. Errors: GrB_NULL_POINTER,
 * GrB_DIMENSION_MISMATCH (A not square), GrB_OUT_OF_MEMORY; *core does not change then. Collective. Sources:
 * Seidman (1983); Matula, Beck (1983). */
GrB_Info Grid_kcore(GrB_Vector *core, GrB_Matrix A);

/* A dense subgraph of an undirected graph: vertices with many edges among them. The density is the number of
 * these edges by that of the vertices; no subgraph has more than twice this density.
 *   member   if not NULL: *member becomes a new BOOL vector with an entry, true, for each of its vertices
 *   density  if not NULL: its density, 0 where the graph has no edges
 * Entries of the square matrix A are edges in both directions, counted once, whatever their values; loops
 * are ignored. The densest k-core: cost and memory are those of Grid_kcore. The same on grids of any shape.
 * Errors: GrB_NULL_POINTER (A, both outputs), GrB_DIMENSION_MISMATCH (A not square), GrB_OUT_OF_MEMORY; the
 * outputs are untouched then. Collective. Sources: Kortsarz, Peleg (1994); Charikar (2000). */
GrB_Info Grid_densest_subgraph(GrB_Vector *member, double *density, GrB_Matrix A);

/* The k-truss of an undirected graph: the largest subgraph whose edges are each in k - 2 or more of its
 * triangles. *truss becomes a new INT64 matrix of the size of A with its edges, in both directions.
 * truss(i,j) is the number of their triangles. Entries of the square matrix A are edges in both directions,
 * counted once, whatever their values; loops are ignored. k is 3 or more. Rounds of one product over the
 * remaining edges in both directions, until a round removes no edge. They are few in graphs with hubs, at
 * worst as many as a band of triangles is long. A round after one that removed few edges multiplies only at
 * their ends, on one GPU only by them. Memory: the remaining edges, in both directions during a product, and
 * one number for each; if A is not known to be symmetric (Grid_Storage), also A joined with its transpose.
 * Errors: GrB_NULL_POINTER, GrB_DIMENSION_MISMATCH (A not square), GrB_INVALID_VALUE (k), GrB_OUT_OF_MEMORY;
 * *truss does not change then. Collective. Source: Cohen (2008). */
GrB_Info Grid_ktruss(GrB_Matrix *truss, GrB_Matrix A, int64_t k);

/* Measures of Grid_similarity, with N(v) the neighbours of v, d(v) their number. */
enum {
  Grid_SIMILARITY_COMMON = 0,             /* |N(u) and N(v)|, the common neighbours */
  Grid_SIMILARITY_JACCARD = 1,            /* ... divided by |N(u) or N(v)| */
  Grid_SIMILARITY_SORENSEN = 2,           /* ... by the mean of d(u) and d(v) */
  Grid_SIMILARITY_OVERLAP = 3,            /* ... by the smaller of d(u) and d(v) */
  Grid_SIMILARITY_COSINE = 4,             /* ... by the root of d(u) d(v) */
  Grid_SIMILARITY_ADAMIC_ADAR = 5,        /* the sum over common neighbours w of 1 / log d(w) */
  Grid_SIMILARITY_RESOURCE_ALLOCATION = 6 /* ... of 1 / d(w) */
};

/* Similarity of vertices by their neighbours, for link prediction: *similarity becomes a new FP64 matrix of
 * the size of A. The neighbours of v are the entries of row v of the square matrix A, whatever their values,
 * v itself where A has a loop. For an undirected graph A must have both directions. In a directed graph d(w)
 * counts the entries of column w.
 *   pairs    if not NULL: the pairs (u,v) to compare are its entries, whatever their values; NULL: all pairs
 *            of two vertices that have a common neighbour, in both orders
 *   measure  Grid_SIMILARITY_...
 *   k        of each vertex u only the k vertices that are most similar, of equally similar ones those with
 *            the smallest numbers; 0: all
 * Pairs without a common neighbour have no entry. One product A A', masked by the pairs: without pairs the
 * sum over w of d(w)^2 operations and as many entries at most, which is much in graphs with hubs. Memory:
 * three numbers an entry of the result. With k above 0 it is three numbers an entry of a panel of rows, which
 * has about 2^22 entries on each process, and 24 bytes an entry of the result. Adamic and Adar and resource
 * allocation take a copy of A in FP64, too. Their sums differ by rounding between grids, which may decide
 * which of two vertices is among the k. Errors: GrB_NULL_POINTER (A, similarity), GrB_DIMENSION_MISMATCH (A
 * not square, pairs not of its size), GrB_INVALID_VALUE (measure; k below 0), GrB_OUT_OF_MEMORY; *similarity
 * is untouched then. Collective. Sources: Liben-Nowell, Kleinberg (2007); Adamic, Adar (2003); Zhou, Lu,
 * Zhang (2009). */
GrB_Info Grid_similarity(GrB_Matrix *similarity, GrB_Matrix A, GrB_Matrix pairs, int measure, int64_t k);

/* Factors of the m x n matrix R of ratings, of any predefined type, for collaborative filtering. *P becomes a
 * new m x k FP64 matrix, *Q an n x k one, both full. (P Q')(u,v) approximates R(u,v) at R's entries and
 * predicts the others. By gradient descent with E = R - P Q' at R's entries. An iteration is P += rate (E Q -
 * lambda P), Q += rate (E' P - lambda Q), both with the previous factors.
 *   error       if not NULL: iterations + 1 numbers, error[t] = the root of the mean of E's squares after t
 *               iterations; on failure only those up to the failing iteration are set
 *   rate        the length of a step; 0: half the inverse of the largest sum of |R| in a row or a column
 *   lambda      0 or more: the regularisation
 *   seed        of the initial factors: P(u,f) = a x(u,f,2 seed), Q(v,f) = a x(v,f,2 seed + 1),
 *               a = 2 sqrt(mean of |R| / k), x(i,f,key) = the upper 53 bits of h(h(i ^ key) + f) as a
 *               fraction, where h is the splitmix64 function
 * An iteration is three products: a dot product of length k for each rating, and E with either factor; E
 * is transposed. Memory: two numbers per rating, 2 k per row and column. Sums differ by rounding between
 * grids. Errors: GrB_NULL_POINTER (P, Q, R), GrB_INVALID_VALUE (k 0, rate or lambda below 0, a rating that
 * is not finite, a mean of |R| above 1e140, or below 1e-140 and not 0, an error that diverges: use a smaller
 * rate, a checkpoint of more iterations), GrB_DOMAIN_MISMATCH (a user-defined type), GrB_OUT_OF_MEMORY; *P
 * and *Q do not change then. Collective. Sources: Koren, Bell, Volinsky (2009); Jia et al. (2017). */
GrB_Info Grid_factors(GrB_Matrix *P, GrB_Matrix *Q, double *error, GrB_Matrix R, GrB_Index k, double rate,
                      double lambda, uint64_t iterations, uint64_t seed);

/* A random sample of the neighbors of vertices, of their neighbors, and so on. It is a mini-batch for a graph
 * neural network, as the neighbor samplers of PyTorch Geometric, DGL and cuGraph make it. A vertex's
 * neighbors are sampled once, in the hop after the one that reached it first, without replacement, each as
 * likely as the others.
 *   sample    if not NULL: *sample becomes a new matrix of A's type and size with the entries of A that were
 *             drawn: row v has min(degree, fan-out) of those of row v. Rows of other vertices are empty
 *   hop       if not NULL: *hop becomes a new INT64 vector with an entry for each vertex of the mini-batch:
 *             0 for the sources, h for those that hop h reached first
 *   sources   the vertices at which it begins; of equal ones one counts
 *   nsources  how many
 *   fanouts   for each hop the most neighbors that are drawn of a vertex; -1: all
 *   nfanouts  the number of hops
 *   seed      other seeds give other samples
 * Neighbors of v are the entries of row v of the square matrix A, whatever their values. For messages along
 * the edges pass the transpose. Values of A, such as numbers of edges, come with the entries. The result is
 * the same on grids of any shape and on any device. Each hop is one call of Grid_Matrix_sample, on CPUs and
 * GPUs, and the sample is one more. On grids of several columns and of a page file a hop extracts the rows of
 * its vertices first, with all their entries, and the last call is not made. Of a matrix split by delegates
 * each call extracts rows. Memory: five vectors of n, the sample, there also that of a hop; on a GPU a bit
 * for each entry of A. Errors: GrB_NULL_POINTER (A, both outputs; sources or fanouts while their number is
 * not 0), GrB_DIMENSION_MISMATCH (A not square), GrB_INVALID_INDEX (a source), GrB_INVALID_VALUE (a fan-out
 * below -1), GrB_OUT_OF_MEMORY; the outputs are untouched then. Collective. Sources: Hamilton, Ying, Leskovec
 * (2017); Bentley, Floyd (1987). */
GrB_Info Grid_neighbor_sample(GrB_Matrix *sample, GrB_Vector *hop, GrB_Matrix A, const GrB_Index *sources,
                              GrB_Index nsources, const int64_t *fanouts, GrB_Index nfanouts, uint64_t seed);

/* Random walks along the edges, for DeepWalk, node2vec and other embeddings.
 *   walks     *walks becomes a new INT64 matrix with a row for each walk and length + 1 columns: the
 *             vertices that it visits, the start in column 0. A walk ends early, without further entries, at
 *             a vertex that has no neighbors, or only such of weight 0
 *   start     the vertex at which each walk begins, an entry of an integer type for each walk; a row without
 *             an entry here stays empty. NULL: one walk from each vertex
 *   length    the most steps of a walk, below 2^31
 *   weighted  a neighbor is chosen by its entry's value, 0 or more; else each is as likely as the others
 *   p         1 with q = 1: a step depends on the present vertex alone. Else it is one of node2vec, p and q
 *             from 1e-6 to 1e6: after a step from t to v a neighbor x of v counts 1 / p times where it is t
 *   q         ... once where t has an edge to x, and 1 / q times where it has none
 *   seed      other seeds give other walks
 * Neighbors of v are the entries of row v of the square matrix A. Walks are the same on grids of any shape
 * and on any device. A step takes a random number, and with weights a binary search in the row. With p or q
 * the expected number of proposals is at most the larger of 1 and 1 / q, divided by the smallest of 1, 1 / q
 * and 1 / p. Some proposals need a binary search in the row of t. A walk that goes to a vertex of another
 * process is sent there, with 40 bytes and its place. On grids of several columns the rows of A are gathered
 * first, in memory for another copy of its entries; the entries of a page file are read first. On one GPU a
 * thread takes a walk, and the walks stay there; on several, the CPUs take them. Memory: 24 bytes a vertex
 * visited, and 40 a walk. On a GPU it is 16 for each step that a walk may have. With weights add 8 bytes an
 * entry, and a copy of A in FP64 where it has another type. The walks are those of Grid_Matrix_walk. Errors:
 * GrB_NULL_POINTER (walks, A), GrB_DIMENSION_MISMATCH (A not square), GrB_INDEX_OUT_OF_BOUNDS (a start),
 * GrB_INVALID_VALUE (length, p, q; a weight that is below 0 or not finite, or a sum of weights that is not),
 * GrB_DOMAIN_MISMATCH (weights or start of a user-defined type), GrB_OUT_OF_MEMORY; *walks is untouched then.
 * Collective. Sources: Perozzi, Al-Rfou, Skiena (2014); Grover, Leskovec (2016); Yang et al. (2019). */
GrB_Info Grid_random_walks(GrB_Matrix *walks, GrB_Matrix A, GrB_Vector start, uint64_t length, bool weighted,
                           double p, double q, uint64_t seed);

/* Factors as those of Grid_factors by alternating least squares: an iteration replaces P, then Q, by what is
 * best for the other. With Q fixed a row p of P minimizes |ratings - F p|^2 + lambda r |p|^2, where F are the
 * rows of Q that its r ratings belong to (weighted regularization). A row without ratings becomes 0.
 *   error       if not NULL: iterations + 1 numbers, error[t] = the root of the mean of the squared errors at
 *               R's entries after t iterations; on failure only those up to the failing iteration are set
 *   k           the number of columns of P and Q, at most 64
 *   lambda      0 or more: the regularization; with 0 unknowns that a row's ratings leave open are 0
 *   seed        of the initial factors, those of Grid_factors
 * An iteration takes k^2 / 2 multiplications for each rating on either side and k^3 / 3 for each row and
 * column, on all threads of each process. Each process receives the rows of Q that its rows' ratings name,
 * and of P, once an iteration. Memory: 32 bytes per rating, and 40 k per row, per column, and per row of the
 * other factor that a process needs. Sums differ by rounding between grids. Errors: GrB_NULL_POINTER (P, Q,
 * R), GrB_INVALID_VALUE (k 0 or above 64, lambda below 0 or infinite, a rating that is not finite or too
 * large, a mean of |R| above 1e140, or below 1e-140 and not 0), GrB_DOMAIN_MISMATCH (a user-defined type),
 * GrB_OUT_OF_MEMORY; *P and *Q do not change then. Collective. Sources: Zhou, Wilkinson, Schreiber, Pan
 * (2008); Koren, Bell, Volinsky (2009). */
GrB_Info Grid_als(GrB_Matrix *P, GrB_Matrix *Q, double *error, GrB_Matrix R, GrB_Index k, double lambda,
                  uint64_t iterations, uint64_t seed);

/* A vertex program: gather along the edges, sum, apply. Every vertex v has a state; each iteration
 * replaces all of them by apply(state(v), the sum over the edges u -> v, entries A(u, v), of
 * multiply(state(u), A(u, v))). A vertex without a state, or without an edge from a vertex with one, does
 * not change.
 *   state       *state becomes a new vector of the type of start: the last states
 *   iterations  if not NULL: the number of iterations
 *   change      if not NULL: the largest `differ` of the last one, 0 if nothing changed
 *   A           square; its values are the multiplication's second operand
 *   start       the initial states, of any type
 *   gather      a semiring: its multiplication gathers, its monoid sums
 *   sum         the type of its monoid
 *   apply       from a state and a sum to a state
 *   differ      from a new and an old state to FP64: their distance, 0 if they are equal
 *   tolerance   0 or more: stop after the iteration with no change beyond it
 *   limit       most iterations
 * A vertex is computed again only if it or a vertex with an edge to it has changed, so that apply must
 * depend on its operands alone. An iteration is a product over all entries if many vertices have changed,
 * else two over the edges of those that did. Memory: five vectors of n. Floating-point sums differ by
 * rounding between grids. Errors: GrB_NULL_POINTER (state, A, start), GrB_DIMENSION_MISMATCH (A not square,
 * start not of its size), GrB_INVALID_VALUE (tolerance), GrB_DOMAIN_MISMATCH and others of GrB_vxm and
 * GrB_eWiseMult for operators of other types; the outputs do not change then. Collective. Sources: Gonzalez
 * et al. (2012); Ma et al. (2017). */
GrB_Info Grid_vertex_program(GrB_Vector *state, uint64_t *iterations, double *change, GrB_Matrix A,
                             GrB_Vector start, GrB_Semiring gather, GrB_Type sum, GrB_BinaryOp apply,
                             GrB_BinaryOp differ, double tolerance, uint64_t limit);

/* The largest eigenvalues of a symmetric matrix, and their vectors, by Lanczos' method.
 *   values      if not NULL: *values becomes a new FP64 vector of size nvalues: the eigenvalues, descending
 *   vectors     if not NULL: *vectors becomes a new n x nvalues FP64 matrix; column c is the vector of value
 *               c, of norm 1, and orthogonal to the others
 *   iterations  if not NULL: the number of products with A
 *   residual    if not NULL: the largest |A v - value v| of these pairs, by the largest |eigenvalue|, as the
 *               method computes it
 *   A           square, of any predefined type; whether it is symmetric is not checked
 *   nvalues     how many, from 1 to n
 *   tolerance   0 or more: stop when the residual is below this
 *   limit       most products, and vectors in memory, nvalues at least; the residual may then exceed the
 *               tolerance
 *   seed        of the first vector
 * Eigenvalues of A's other end are those of -A. An iteration j is one product with a full vector and 6 j
 * passes over vectors, since each vector is made orthogonal to all before. At growing intervals a j x j
 * problem is solved, on each process. Memory: `limit` vectors of n at most, and 16 limit^2 bytes a process. A
 * multiple eigenvalue may be found less often than it occurs where fewer than n products are made. Values
 * differ by rounding between grids. Errors: GrB_NULL_POINTER (A, all outputs), GrB_DIMENSION_MISMATCH (A not
 * square), GrB_INVALID_VALUE (nvalues, tolerance, numbers that are not finite), GrB_DOMAIN_MISMATCH (a
 * user-defined type), GrB_OUT_OF_MEMORY; the outputs are untouched then. Collective. Sources: Lanczos (1950);
 * Golub, Van Loan (2013). */
GrB_Info Grid_lanczos(GrB_Vector *values, GrB_Matrix *vectors, uint64_t *iterations, double *residual,
                      GrB_Matrix A, int64_t nvalues, double tolerance, uint64_t limit, uint64_t seed);

/* The eigenvalue of largest absolute value of any square matrix, and its vector, by power iteration:
 * x = A x / |A x|.
 *   value       if not NULL: the Rayleigh quotient x' A x of the last x
 *   vector      if not NULL: *vector becomes a new FP64 vector with an entry for every row: the last x, whose
 *               norm is 1
 *   iterations  if not NULL: the number of products with A, 1 at least
 *   residual    if not NULL: |A x - value x| / |A x|; 0 where A x is 0
 *   A           square, of any predefined type, symmetric or not
 *   start       the initial x, 0 where it has no entry; NULL: random numbers from 0 to 1, from seed
 *   tolerance   0 or more: stop when the residual is below this
 *   limit       most products; the residual may then exceed the tolerance
 * Where several eigenvalues are equally large it does not converge: of opposite ones, as in bipartite graphs,
 * or of complex ones. The errors of x fall by the ratio of the two largest in each iteration. Grid_lanczos
 * needs fewer products where A is symmetric. An iteration is one product with a full vector and seven passes
 * over vectors; memory: four vectors. Errors: GrB_NULL_POINTER (A, all outputs), GrB_DIMENSION_MISMATCH (A
 * not square, the size of start), GrB_INVALID_VALUE (tolerance, a start that is 0, numbers that are not
 * finite), GrB_DOMAIN_MISMATCH (a user-defined type), GrB_OUT_OF_MEMORY; the outputs are untouched then.
 * Collective. Source: Golub, Van Loan (2013). */
GrB_Info Grid_power_iteration(double *value, GrB_Vector *vector, uint64_t *iterations, double *residual,
                              GrB_Matrix A, GrB_Vector start, double tolerance, uint64_t limit,
                              uint64_t seed);

/* The largest singular values of a matrix, and their vectors (truncated SVD), by Lanczos' method for A' A.
 *   values       if not NULL: *values becomes a new FP64 vector of size nvalues: the singular values,
 *                descending
 *   left, right  if not NULL: *left becomes a new nrows x nvalues FP64 matrix, *right an ncols x nvalues one;
 *                column c has the vectors of value c, of norm 1 (left: without entries where it is 0)
 *   residual     if not NULL: the largest |A' A v - value^2 v|, by the largest value^2
 *   A            of any shape and predefined type
 *   nvalues      how many, from 1 to ncols
 * iterations, tolerance, limit, seed, cost, memory and errors are those of Grid_lanczos for a matrix of ncols
 * rows, but an iteration has two products. Values below 1e-8 of the largest are lost in rounding. Further
 * error: GrB_INVALID_VALUE (the largest |entry| of A is above 1e140, or below 1e-140 and not 0). The outputs
 * are untouched after an error. Collective. Source: Golub, Van Loan (2013). */
GrB_Info Grid_singular_values(GrB_Vector *values, GrB_Matrix *left, GrB_Matrix *right, uint64_t *iterations,
                              double *residual, GrB_Matrix A, int64_t nvalues, double tolerance,
                              uint64_t limit, uint64_t seed);

/* Spectral embedding of an undirected graph: a place for each vertex such that neighbors are near (Laplacian
 * eigenmaps). With D the degrees, in sums of weights, each coordinate x has (D - A) x = value D x and
 * x' D x = 1, for the smallest values. The constant x, whose value is 0, is left out.
 *   values       if not NULL: *values becomes a new FP64 vector of size nvalues: the values, ascending, from
 *                0 to 2. One is 0 for each component with edges but one, if all are found: as in
 *                Grid_lanczos, a multiple value may be found less often than it occurs
 *   coordinates  if not NULL: *coordinates becomes a new n x nvalues FP64 matrix; row v has those of vertex v
 *   iterations   if not NULL: the number of products with A
 *   residual     if not NULL: the largest |N v - (1 - value) v| by the largest |1 - value|, where
 *                v = D^(1/2) x and N = D^(-1/2) A D^(-1/2)
 *   A            square, of any predefined type, with weights of 0 or more; whether it is symmetric is not
 *                checked
 *   nvalues      how many, from 1 to n - 1
 * tolerance, limit, seed, cost and memory are those of Grid_lanczos, and two vectors. A vertex without edges
 * counts as one of degree 1. The sign of a coordinate is arbitrary. Errors: those of Grid_lanczos, and
 * GrB_INVALID_VALUE (a weight below 0); the outputs are untouched then. Collective. Sources: Shi, Malik
 * (2000); Belkin, Niyogi (2003). */
GrB_Info Grid_spectral_embedding(GrB_Vector *values, GrB_Matrix *coordinates, uint64_t *iterations,
                                 double *residual, GrB_Matrix A, int64_t nvalues, double tolerance,
                                 uint64_t limit, uint64_t seed);

/* Conjugate gradients: the solution of A x = b for a symmetric, positive definite A, with the diagonal of A
 * as preconditioner (Jacobi).
 *   x           *x becomes a new FP64 vector with an entry for every row
 *   iterations  if not NULL: the number of iterations
 *   residual    if not NULL: the norm of b - A x by that of b, as the iteration computes it; 0 where both are
 *               0, infinity where that of b alone is
 *   A           square, of any predefined type; whether it is symmetric is not checked
 *   b, start    the right side, and the initial x; 0 where they have no entry. start may be NULL: 0
 *   tolerance   0 or more: stop when the residual is at most this
 *   limit       most iterations; x is then the last iterate, with a residual that may exceed the tolerance
 * An iteration is one product with a full vector, and eleven passes over vectors. Memory: seven vectors of n.
 * Sums differ by rounding between grids. Errors: GrB_NULL_POINTER (x, A, b), GrB_DIMENSION_MISMATCH (A not
 * square, b or start not of its size), GrB_INVALID_VALUE (tolerance; a diagonal entry that is missing or not
 * above 0; a matrix found not to be positive definite; numbers that are not finite), GrB_DOMAIN_MISMATCH (a
 * user-defined type), GrB_OUT_OF_MEMORY; the outputs are untouched then. Collective. Sources: Hestenes,
 * Stiefel (1952); Saad (2003). */
GrB_Info Grid_conjugate_gradient(GrB_Vector *x, uint64_t *iterations, double *residual, GrB_Matrix A,
                                 GrB_Vector b, GrB_Vector start, double tolerance, uint64_t limit);

/* Three vertex programs with user-defined operators: Grid_heat, Grid_neural, Grid_circuit. A is square, of
 * any predefined type; iterations, change, tolerance, limit, cost and errors are those of
 * Grid_vertex_program. Errors beside them: GrB_INVALID_VALUE (a weight that is not finite or, except in
 * Grid_neural, below 0; weights of a vertex whose sum is not finite; a rate or gain below 0 or not finite; a
 * result that is not finite) and GrB_DOMAIN_MISMATCH (a user-defined type). A result is not finite where an
 * initial value is not, or where the weights, times the rate, are too large. Memory: a copy of A in FP64.
 * Grid_heat and Grid_circuit use user-defined semirings of two sums. Collective.
 *
 * Heat: *temperature becomes a new FP64 vector with an entry for every vertex. Each iteration is x(v) += rate
 * * sum over u -> v of A(u,v) (x(u) - x(v)), from start, 0 where it has no entry. rate 0: half the inverse of
 * the largest sum of incoming weights, which bounds temperatures by the initial ones. For a symmetric A their
 * sum is constant, and each component converges to its mean. */
GrB_Info Grid_heat(GrB_Vector *temperature, uint64_t *iterations, double *change, GrB_Matrix A,
                   GrB_Vector start, double rate, double tolerance, uint64_t limit);

/* A network of neurons: *state becomes a new FP64 vector with an entry for every vertex. Each iteration is
 * x(v) = tanh(gain * sum over u -> v of A(u,v) x(u)), from start, 0 where it has no entry. Vertices without
 * incoming edges keep their initial state: they are inputs. gain 0: the inverse of the largest sum of
 * incoming |A|, with which states not driven by an input tend to 0. */
GrB_Info Grid_neural(GrB_Vector *state, uint64_t *iterations, double *change, GrB_Matrix A, GrB_Vector start,
                     double gain, double tolerance, uint64_t limit);

/* A circuit of resistors: A(u,v) is the conductance between u and v, of a symmetric A. *volts becomes a new
 * FP64 vector with an entry for every vertex. Vertices with an entry in `fixed` keep its value. All others
 * start at 0, and each iteration replaces them by the mean of their neighbours, weighted by the conductances.
 * This converges to a zero net current at each node (a component without a fixed node stays at 0). */
GrB_Info Grid_circuit(GrB_Vector *volts, uint64_t *iterations, double *change, GrB_Matrix A, GrB_Vector fixed,
                      double tolerance, uint64_t limit);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
