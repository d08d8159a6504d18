/* The shape of the grid where the program chooses it: by the degrees of vertices drawn from the tuples,
 * before there is a matrix. */
#include <stdlib.h>

#include "bench/program/tuples.h"

/* Of so many vertices, or a few less, edges are counted. */
enum { DRAWN = 1 << 16 };

static int count_degrees(uint64_t *degree, uint64_t each, const graph *g) {
  tuples t;
  const bool both = !g->directed;
  const int status = tuples_open(&t, g);
  while (status == STATUS_OK && tuples_next(&t))
    for (uint64_t k = 0; k < t.count; k++) {
      const uint64_t row = t.rows[k], col = t.cols[k];
      if (row == col) continue;
      if (row % each == 0) degree[row / each]++;
      if (both && col % each == 0) degree[col / each]++;
    }
  tuples_close(&t);
  return status;
}

void library_settings(const options *o) {
  if (o->threads > 0) Grid_threads(o->threads);
  if (o->memory > 0) Grid_memory_limit(o->memory);
}

/* The library starts again: there is no object yet. */
static int start_again(const options *o, int R, int C) {
  int r, c;
  Grid_shape(&r, &c);
  if (r == R && c == C) return STATUS_OK;
  if (GrB_finalize() != GrB_SUCCESS || Grid_init(GrB_NONBLOCKING, NULL, R, C) != GrB_SUCCESS)
    return fail_library("choosing the grid");
  library_settings(o);
  return STATUS_OK;
}

int shape_choose(const graph *g, const options *o) {
  const char *set = getenv("GRIDBLAS_GRID");
  int R = 0, C = 0;
  if (Grid_size() == 1 || g->pages != NULL || o->R > 0 || o->work == WORK_ANY || o->device != Grid_CPU ||
      (set != NULL && *set != '\0'))
    return STATUS_OK;
  const uint64_t each = g->n / DRAWN + 1 + (g->n / DRAWN) % 2, count = (g->n + each - 1) / each; /* odd */
  uint64_t *degree = calloc(count, sizeof *degree);
  int status = fail_anywhere(STATUS_INPUT, degree == NULL ? "no memory to count degrees" : NULL);
  if (status == STATUS_OK) status = count_degrees(degree, each, g);
  if (status == STATUS_OK && Grid_sum(degree, count) != GrB_SUCCESS)
    status = fail_library("counting degrees");
  const Grid_Degrees is = {g->n, degree, count, !g->directed};
  if (status == STATUS_OK &&
      Grid_choose_shape(&R, &C, &is, o->work == WORK_PRODUCTS ? sizeof(double) : 0) != GrB_SUCCESS)
    status = fail_library("choosing the grid");
  free(degree);
  return status == STATUS_OK ? start_again(o, R, C) : status;
}
