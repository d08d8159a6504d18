/* Grid_Edges after reading: free it, find a vertex by its name in the file. */
#include <string.h>

#include "dist/grid/layout.h"
#include "spmat/vector/bitmap_words.h"

void Grid_Edges_free(Grid_Edges *e) {
  if (!e) return;
  grid_free(e->rows);
  grid_free(e->cols);
  grid_free(e->values);
  grid_free(e->ids);
  memset(e, 0, sizeof *e);
}

/* Position of `name` in ids, or n. The ids ascend, except those of a degree-ordered page file. */
static uint64_t search(const uint64_t *ids, uint64_t n, uint64_t name) {
  const uint64_t likely = grid_lower_bound(ids, 0, n, name);
  uint64_t at = n;
  if (likely < n && ids[likely] == name) return likely;
#pragma omp parallel for schedule(static) num_threads(grid_ctx.threads) reduction(min : at)
  for (uint64_t k = 0; k < n; k++)
    if (k < at && ids[k] == name) at = k;
  return at;
}

GrB_Info Grid_Edges_find(uint64_t *index, const Grid_Edges *e, uint64_t name) {
  GRID_CALL_SCOPE;
  static const char call[] = "Grid_Edges_find";
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (!index || !e)
    info = grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, index ? "e" : "index");
  const grid_argument same[] = {{"name", name}, {"e->ids", e && e->ids}};
  info = grid_agree_equal(NULL, info, same, 2, call);
  if (info != GrB_SUCCESS) return info;
  uint64_t found = UINT64_MAX;
  if (e->ids) {
    const uint64_t at = search(e->ids, e->ids_count, name);
    if (at < e->ids_count) found = e->ids_first + at;
    info = grid_ctx.transport->allreduce(GRID_SET_ALL, &found, 1, GRID_MIN);
    if (info != GrB_SUCCESS) return info;
  } else if (name >= e->base && name - e->base < e->nrows) {
    found = name - e->base;
  }
  if (found == UINT64_MAX)
    return grid_fail(NULL, GrB_NO_VALUE, "%s: there is no vertex %llu", call, (unsigned long long)name);
  *index = found;
  return GrB_SUCCESS;
}
