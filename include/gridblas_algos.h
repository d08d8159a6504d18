/* gridblas_algos.h: algorithms written in public GraphBLAS calls alone (their source in algos/ is the example
 * to read). */
#ifndef GRIDBLAS_ALGOS_H
#define GRIDBLAS_ALGOS_H
#include "GraphBLAS.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Breadth-first search from `source` along the rows of the square matrix A (edge i -> j is an entry A(i,j),
 * whatever its value).
 *   level   if not NULL: *level becomes a new INT32 vector, level(v) = number of edges on a shortest path
 *           from source (0 for source)
 *   parent  if not NULL: *parent becomes a new INT64 vector, parent(v) = a vertex one level up with an edge
 *           to v (source for source)
 *   limit   search no deeper than this level; < 0: no limit
 * Vertices that are not reached have no entry. Errors: GrB_NULL_POINTER (A NULL, or neither output asked
 * for), GrB_DIMENSION_MISMATCH (A not square), GrB_INVALID_INDEX (source), GrB_OUT_OF_MEMORY; *level and
 * *parent are untouched then. Collective.
 * Source: parallel-bfs-encyclopedia; one masked vxm a level, push or pull chosen inside it. */
GrB_Info Grid_bfs(GrB_Vector *level, GrB_Vector *parent, GrB_Matrix A, GrB_Index source, int64_t limit);

/* Connected components of the undirected graph of a symmetric matrix A: *component becomes a new INT64 vector
 * with component(v) = the smallest vertex number in v's component. Errors as Grid_bfs. Collective. Minimum
 * labels spread with MIN_SECOND products. */
GrB_Info Grid_components(GrB_Vector *component, GrB_Matrix A);

/* Betweenness centrality (Brandes) summed over the given sources: *centrality becomes a new FP64 vector,
 * centrality(v) = sum over sources s of the dependency of s on v; every vertex has an entry. Errors as
 * Grid_bfs. Collective. */
GrB_Info Grid_betweenness(GrB_Vector *centrality, GrB_Matrix A, const GrB_Index *sources, GrB_Index nsources);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
