/* See measured_graph.h. */
#include "bench/measure/measured_graph.h"

#include <stdlib.h>

/* Numbers the vertices of e by descending degree, without loops. False: out of memory. */
static bool number_by_degree(Grid_Edges *e) {
  const uint64_t n = e->nrows;
  uint32_t *degree = calloc(n, sizeof *degree), most = 0;
  if (!degree) return false;
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < e->n; k++) {
    if (e->rows[k] == e->cols[k]) continue;
    __atomic_fetch_add(&degree[e->rows[k]], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&degree[e->cols[k]], 1, __ATOMIC_RELAXED);
  }
  for (uint64_t v = 0; v < n; v++)
    if (degree[v] > most) most = degree[v];
  uint64_t *start = calloc((uint64_t)most + 2, sizeof *start);
  if (start) {
    for (uint64_t v = 0; v < n; v++) start[most - degree[v] + 1]++;
    for (uint64_t d = 0; d < most; d++) start[d + 1] += start[d];
    for (uint64_t v = 0; v < n; v++) degree[v] = (uint32_t)start[most - degree[v]]++;
#pragma omp parallel for schedule(static)
    for (uint64_t k = 0; k < e->n; k++) e->rows[k] = degree[e->rows[k]], e->cols[k] = degree[e->cols[k]];
  }
  free(degree);
  const bool done = start != NULL;
  free(start);
  return done;
}

static GrB_Info build(GrB_Matrix A, int scale, bool by_degree) {
  enum { EDGE_FACTOR = 16, SEED = 1 };
  const int flags = Grid_MIRROR | Grid_NO_LOOPS;
  Grid_Edges e;
  if (!by_degree) return Grid_Matrix_rmat(A, scale, EDGE_FACTOR, SEED, flags);
  GrB_Info info = Grid_rmat(&e, scale, EDGE_FACTOR, SEED);
  if (info != GrB_SUCCESS) return info;
  info = number_by_degree(&e) ? Grid_Matrix_build(A, e.rows, e.cols, NULL, NULL, e.n, NULL, flags)
                              : GrB_OUT_OF_MEMORY;
  Grid_Edges_free(&e);
  return info;
}

bool graph_of(GrB_Matrix *A, const char *what, bool by_degree) {
  char *end;
  const int scale = (int)strtol(what, &end, 10);
  GrB_Info info;
  if (*end) {
    info = Grid_Matrix_open(A, what);
  } else {
    info = GrB_Matrix_new(A, GrB_BOOL, UINT64_C(1) << scale, UINT64_C(1) << scale);
    if (info == GrB_SUCCESS) info = build(*A, scale, by_degree);
  }
  return info == GrB_SUCCESS && GrB_wait(*A, GrB_MATERIALIZE) == GrB_SUCCESS;
}
