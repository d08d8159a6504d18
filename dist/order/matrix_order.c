/* Grid_Matrix_order: the vertices of a graph get new numbers, so that those of a process are neighbors.
 * Process 0 orders them, from all degrees and, for some methods, the whole pattern; the matrix is permuted
 * where it is. */
#include <stdlib.h>
#include <string.h>

#include "dist/matrix/transfer/local_tuples.h"
#include "dist/object/burble.h"
#include "dist/order/order_graph.h"
#include "dist/vector/vector.h"

static const char call[] = "Grid_Matrix_order";

typedef struct {
  bool needs_pattern;
  grid_order_method *run; /* NULL: this library was built without it */
} method_row;
#ifndef GRIDBLAS_METIS
#define grid_order_metis NULL
#endif
static const method_row methods[] = {[Grid_ORDER_METIS] = {true, grid_order_metis},
                                     [Grid_ORDER_RCM] = {true, grid_order_rcm},
                                     [Grid_ORDER_DEGREE] = {false, grid_order_degree},
                                     [Grid_ORDER_RANDOM] = {false, grid_order_random}};
enum { METHODS = sizeof methods / sizeof *methods };

/* ---- the graph on process 0 ---- */

/* *all (grid_free it) = the elements of all processes on process 0, in their order, and none on others.
 * Collective, agreed on with `info`. */
static GrB_Info gather_on_first(const void *local, uint64_t count, size_t size, void **all, uint64_t *n,
                                GrB_Info info) {
  uint64_t *counts = grid_calloc((size_t)grid_ctx.P, sizeof *counts);
  if (info == GrB_SUCCESS && !counts)
    info = grid_fail_memory(NULL, "counts", (uint64_t)grid_ctx.P, sizeof *counts);
  TRY(grid_agree(NULL, info));
  counts[0] = count;
  info = grid_exchange_elements(local, counts, size, all, n);
done:
  grid_free(counts);
  return info;
}

/* Adds the degrees of this process's rows or columns. Collective, agreed on. */
static GrB_Info add_degrees(uint32_t *degree, GrB_Matrix A, bool by_column) {
  const uint64_t n = A->nrows, first = grid_chunk_first(n, grid_ctx.k),
                 length = grid_chunk_length(n, grid_ctx.k);
  GrB_Vector w = NULL;
  GrB_Index count = length, *index = grid_malloc(length, sizeof *index);
  uint64_t *value = grid_malloc(length, sizeof *value);
  GrB_Info info = index && value ? GrB_SUCCESS : grid_fail_memory(NULL, "degrees", length, 16);
  TRY(grid_agree(NULL, info));
  TRY(GrB_Vector_new(&w, GrB_UINT64, n));
  TRY(Grid_Matrix_degree(w, A, by_column));
  TRY(grid_agree(NULL, Grid_Vector_extractLocal(index, value, &count, w)));
  for (uint64_t k = 0; k < count; k++) degree[index[k] - first] += (uint32_t)value[k];
done:
  GrB_Vector_free(&w);
  grid_free(index);
  grid_free(value);
  return info;
}

/* Collective, agreed on. */
static GrB_Info gather_degrees(grid_order_graph *g, GrB_Matrix A) {
  const uint64_t length = grid_chunk_length(A->nrows, grid_ctx.k);
  uint32_t *degree = grid_calloc(length, sizeof *degree);
  uint64_t n;
  GrB_Info info = degree ? GrB_SUCCESS : grid_fail_memory(NULL, "degrees", length, sizeof *degree);
  TRY(grid_agree(NULL, info));
  TRY(add_degrees(degree, A, false));
  TRY(add_degrees(degree, A, true));
  info = gather_on_first(degree, length, sizeof *degree, (void **)&g->degree, &n, info);
done:
  grid_free(degree);
  return info;
}

/* Each edge in both directions, from keys (lower vertex << 32 | higher vertex), in the order of the keys. */
static GrB_Info list_neighbors(grid_order_graph *g, const uint64_t *key, uint64_t edges) {
  g->start = grid_calloc(g->n + 2, sizeof *g->start);
  g->neighbor = grid_malloc(2 * edges, sizeof *g->neighbor);
  if (!g->start || !g->neighbor)
    return grid_fail_memory(NULL, "the whole graph on process 0", 2 * edges + g->n, sizeof *g->neighbor);
  uint64_t *at = g->start + 1; /* at[v]: where the next neighbor of v goes; in the end, where v's end */
  for (uint64_t k = 0; k < edges; k++) at[(key[k] >> 32) + 1]++, at[(key[k] & UINT32_MAX) + 1]++;
  for (uint64_t v = 0; v < g->n; v++) at[v + 1] += at[v];
  for (uint64_t k = 0; k < edges; k++) {
    const uint32_t v = (uint32_t)(key[k] >> 32), u = (uint32_t)key[k];
    g->neighbor[at[v]++] = u;
    g->neighbor[at[u]++] = v;
  }
  return GrB_SUCCESS;
}

/* The lists, sorted and without duplicates. */
static void sort_neighbors(grid_order_graph *g) {
  uint64_t n = 0, from = 0;
#pragma omp parallel for schedule(dynamic, 1024) num_threads(grid_ctx.threads)
  for (uint64_t v = 0; v < g->n; v++)
    qsort(g->neighbor + g->start[v], g->start[v + 1] - g->start[v], sizeof *g->neighbor, grid_order_compare);
  for (uint64_t v = 0; v < g->n; v++) {
    const uint64_t end = g->start[v + 1], begin = n;
    for (uint64_t k = from; k < end; k++)
      if (n == begin || g->neighbor[n - 1] != g->neighbor[k]) g->neighbor[n++] = g->neighbor[k];
    from = end;
    g->start[v + 1] = n;
  }
}

/* Collective, agreed on. */
static GrB_Info gather_pattern(grid_order_graph *g, GrB_Matrix A) {
  grid_tuples t = {0};
  uint64_t *all = NULL, edges = 0, n = 0;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_matrix_require(A, GRID_OUTOFCORE | GRID_ROWS));
  info = grid_matrix_host_tuples(A, &t, false);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < t.n; k++) {
    const uint64_t r = t.row[k], c = t.col[k];
    if (r < c)
      t.row[n++] = r << 32 | c;
    else if (r > c && !A->properties.symmetric)
      t.row[n++] = c << 32 | r;
  }
  TRY(gather_on_first(t.row, n, sizeof *t.row, (void **)&all, &edges, info));
  if (grid_ctx.k == 0) info = list_neighbors(g, all, edges);
  if (grid_ctx.k == 0 && info == GrB_SUCCESS) sort_neighbors(g);
  info = grid_agree(NULL, info);
done:
  grid_tuples_free(&t);
  grid_free(all);
  return info;
}

static void graph_free(grid_order_graph *g) {
  grid_free(g->degree);
  grid_free(g->start);
  grid_free(g->neighbor);
}

/* ---- the order, and what is made of it ---- */

/* Boundaries as Grid_partition_set takes them. */
static void round_to_words(uint64_t *first, const grid_order_graph *g) {
  for (uint64_t p = 1; p < g->parts; p++) {
    const uint64_t word = (first[p] + 32) / 64 * 64;
    first[p] = word < g->n ? word : g->n;
  }
}

/* Process 0 orders the vertices. *owned (grid_free it): those whose new numbers this process owns, in order.
 * first: the same on all processes. Collective, agreed on. */
static GrB_Info compute_order(const grid_order_graph *g, const method_row *method, uint64_t **owned,
                              uint64_t *first) {
  uint64_t *counts = grid_calloc((size_t)grid_ctx.P, sizeof *counts), n;
  uint32_t *order = NULL, *received = NULL;
  GrB_Info info = GrB_SUCCESS;
  if (grid_ctx.k == 0) order = grid_malloc(g->n, sizeof *order);
  *owned = grid_malloc(grid_chunk_length(g->n, grid_ctx.k), sizeof **owned);
  if (!counts || !*owned || (grid_ctx.k == 0 && !order))
    info = grid_fail_memory(NULL, "the order of vertices", g->n, sizeof *order);
  if (info == GrB_SUCCESS && grid_ctx.k == 0) info = method->run(order, first, g);
  TRY(grid_agree(NULL, info));
  for (int p = 0; p < grid_ctx.P && grid_ctx.k == 0; p++) counts[p] = grid_chunk_length(g->n, p);
  if (grid_ctx.k == 0 && first[g->parts] != g->n)
    grid_order_split(first, order, g); /* not a method of parts */
  round_to_words(first, g);
  TRY(grid_ctx.transport->bcast(GRID_SET_ALL, first, (g->parts + 1) * sizeof *first, 0));
  TRY(grid_exchange_elements(order, counts, sizeof *order, (void **)&received, &n));
  for (uint64_t k = 0; k < n; k++) (*owned)[k] = received[k];
done:
  grid_free(counts);
  grid_free(order);
  grid_free(received);
  return info;
}

/* *ids = the local vertices as a vector; *B = A with new numbers, unless B is NULL. Collective, agreed on. */
static GrB_Info permute(GrB_Vector *ids, GrB_Matrix *B, GrB_Matrix A, const uint64_t *owned) {
  const uint64_t n = A->nrows, first = grid_chunk_first(n, grid_ctx.k),
                 length = grid_chunk_length(n, grid_ctx.k);
  uint64_t *index = grid_malloc(length, sizeof *index);
  GrB_Info info = grid_agree(NULL, index ? GrB_SUCCESS : grid_fail_memory(NULL, "indices", length, 8));
  for (uint64_t k = 0; info == GrB_SUCCESS && k < length; k++) index[k] = first + k;
  if (info == GrB_SUCCESS) info = GrB_Vector_new(ids, GrB_UINT64, n);
  if (info == GrB_SUCCESS) info = Grid_Vector_build(*ids, index, owned, GrB_UINT64, length, NULL);
  grid_free(index);
  if (info == GrB_SUCCESS && B) info = GrB_Matrix_new(B, A->type, n, n);
  if (info == GrB_SUCCESS && B)
    info = Grid_Matrix_extract(*B, NULL, NULL, A, owned, length, owned, length, NULL);
  return info;
}

/* ---- the call ---- */

static GrB_Info check(GrB_Vector *ids, GrB_Matrix A, int method, GrB_Index parts) {
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info != GrB_SUCCESS) return info;
  if (!ids) return grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument ids is NULL", call);
  if (A->nrows != A->ncols)
    return grid_fail(&A->head, GrB_DIMENSION_MISMATCH, "%s: A is %llu x %llu, not square", call,
                     (unsigned long long)A->nrows, (unsigned long long)A->ncols);
  if (method < 0 || method >= METHODS)
    return grid_fail(&A->head, GrB_INVALID_VALUE, "%s: there is no method %d", call, method);
  if (!methods[method].run)
    return grid_fail(&A->head, GrB_NOT_IMPLEMENTED,
                     "%s: this library was built without METIS (Debian: libmetis-dev)", call);
  if (A->nrows > GRID_ORDER_MAX_VERTICES || parts > GRID_ORDER_MAX_PARTS)
    return grid_fail(&A->head, GrB_INVALID_VALUE,
                     "%s: %llu vertices in %llu parts; there may be 2^31 - 1 vertices and 2^24 parts", call,
                     (unsigned long long)A->nrows, (unsigned long long)parts);
  return GrB_SUCCESS;
}

static GrB_Info order_vertices(GrB_Matrix *B, GrB_Vector *ids, GrB_Index *first, GrB_Matrix A, int method,
                               GrB_Index parts, uint64_t seed) {
  GrB_Matrix permuted = NULL;
  GrB_Vector names = NULL;
  uint64_t *owned = NULL, *bounds = NULL;
  grid_order_graph g = {.seed = seed};
  GrB_Info info = check(ids, A, method, parts);
  if (info != GrB_SUCCESS) return info;
  g.n = A->nrows, g.parts = parts ? parts : (uint64_t)grid_ctx.P;
  bounds = grid_calloc(g.parts + 1, sizeof *bounds);
  info = bounds ? GrB_SUCCESS : grid_fail_memory(NULL, "parts", g.parts + 1, sizeof *bounds);
  TRY(grid_agree(&A->head, info));
  TRY(gather_degrees(&g, A));
  if (methods[method].needs_pattern) TRY(gather_pattern(&g, A));
  TRY(compute_order(&g, &methods[method], &owned, bounds));
  TRY(permute(&names, B ? &permuted : NULL, A, owned));
  if (first) memcpy(first, bounds, (g.parts + 1) * sizeof *bounds);
  if (B) *B = permuted;
  *ids = names;
  permuted = NULL, names = NULL;
done:
  GrB_Matrix_free(&permuted);
  GrB_Vector_free(&names);
  grid_free(owned);
  grid_free(bounds);
  graph_free(&g);
  return info;
}

GrB_Info Grid_Matrix_order(GrB_Matrix *B, GrB_Vector *ids, GrB_Index *first, GrB_Matrix A, int method,
                           GrB_Index parts, uint64_t seed) {
  return GRID_TRACE_NEW_CALL(call, 0, order_vertices(B, ids, first, A, method, parts, seed), ids, A);
}
