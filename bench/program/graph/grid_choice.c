/* See grid_choice.h. */
#include "bench/program/graph/grid_choice.h"

#include <stdlib.h>

/* The number of sampled vertices at which edges are counted, or slightly fewer. */
enum { DRAWN = 1 << 16 };

bool degree_sample_open(degree_sample *s, uint64_t n, bool symmetric) {
  const uint64_t step = n / DRAWN + 1 + (n / DRAWN) % 2; /* odd */
  *s = (degree_sample){.count = (n + step - 1) / step, .step = step, .n = n, .symmetric = symmetric};
  s->degree = calloc(s->count + 1, sizeof *s->degree);
  return s->degree != NULL;
}

void degree_sample_add(degree_sample *s, uint64_t row, uint64_t col) {
  if (row == col) return;
  if (row % s->step == 0) s->degree[row / s->step]++;
  if (s->symmetric && col % s->step == 0) s->degree[col / s->step]++;
}

void degree_sample_close(degree_sample *s) {
  free(s->degree);
  s->degree = NULL;
}

bool grid_shape_is_automatic(void) {
  const char *set = getenv("GRIDBLAS_GRID");
  return Grid_size() > 1 && (set == NULL || *set == '\0');
}

GrB_Info grid_restart_on_best_shape(bool *retry, const degree_sample *s, int work) {
  const Grid_Degrees is = {s->n, s->degree, s->count, s->symmetric};
  int R = 0, C = 0, r, c;
  *retry = false;
  GrB_Info info = Grid_sum(s->degree, s->count);
  if (info == GrB_SUCCESS) info = Grid_choose_shape(&R, &C, &is, work == WORK_PRODUCTS ? sizeof(double) : 0);
  Grid_shape(&r, &c);
  if (info != GrB_SUCCESS || (r == R && c == C)) return info;
  *retry = true;
  info = GrB_finalize();
  return info == GrB_SUCCESS ? Grid_init(GrB_NONBLOCKING, NULL, R, C) : info;
}
