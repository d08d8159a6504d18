/* See permute_destinations.h. */
#include "dist/outofcore/operations/permute_destinations.h"

GrB_Info grid_destinations_make(grid_destinations *p, const grid_permutation *m, uint64_t n, GrB_Matrix A,
                                bool rows, uint64_t end) {
  *p = (grid_destinations){
      .all = !m, .rows = rows ? A->nrows : 0, .base = grid_global_col(A->ncols, 0), .end = end};
  if (!m) return GrB_SUCCESS;
  p->start = grid_calloc(n + 2, sizeof *p->start);
  p->to = grid_malloc(m->n, sizeof *p->to);
  if (!p->start || !p->to) return grid_fail_memory(NULL, "destinations of rows or columns", n, sizeof *p->to);
  uint64_t *next = p->start + 1; /* next[v]: position of v's next destination; in the end, its end */
  for (uint64_t k = 0; k < m->n; k++) next[grid_index_at(&m->from, k) + 1]++;
  for (uint64_t v = 0; v < n; v++) next[v + 1] += next[v];
  for (uint64_t k = 0; k < m->n; k++) p->to[next[grid_index_at(&m->from, k)]++] = grid_index_at(&m->to, k);
  return GrB_SUCCESS;
}

void grid_destinations_free(grid_destinations *p) {
  grid_free(p->start);
  grid_free(p->to);
}
