/* A product that reads every entry, like one iteration of PageRank: counted for processes that need not
 * exist, and run on the current ones. */
#include <math.h>
#include <stdlib.h>

#include "bench/command/plan.h"

/* The number of nonempty segments among `segments` equal segments of a row's entries, summed over all rows.
 */
static GrB_Info count_segments(plan_level *l, GrB_Vector degree) {
  uint64_t *at, count, sum[Grid_LAYOUT_COLUMNS] = {0};
  void *value = NULL;
  GrB_Info info = local_entries(&at, &value, sizeof(int64_t), &count, degree, "no memory to count");
  for (int x = 0; info == GrB_SUCCESS && x < Grid_LAYOUT_COLUMNS; x++) {
    double occupied = 0;
    for (uint64_t k = 0; k < count; k++)
      occupied += (2 << x) * (1 - pow(1 - 1.0 / (2 << x), (double)((const int64_t *)value)[k]));
    sum[x] = (uint64_t)llround(occupied);
  }
  free(at);
  free(value);
  if (info == GrB_SUCCESS) info = Grid_sum(sum, Grid_LAYOUT_COLUMNS);
  for (int x = 0; x < Grid_LAYOUT_COLUMNS; x++) l->finds[x] = (double)sum[x];
  return info;
}

static void record(const Grid_Product *p, void *context) {
  plan_measured *m = context;
  const double local = 1e-3 * p->local_ms;
  m->bytes = (double)(p->expand_bytes + p->mask_bytes + p->fold_bytes + p->delegate_bytes);
  m->inspected = (double)p->inspected;
  m->calls = (double)p->calls;
  if (m->local == 0 || local < m->local) m->local = local;
}

/* y = x A over links as in PageRank: twice to fill the caches, then counted, then timed without counting. */
enum { WARM = 2, COUNTED = 8, TIMED = 8 };

static GrB_Info run(plan_measured *m, GrB_Vector y, GrB_Vector x, GrB_Semiring shares, const graph *g) {
  GrB_Info info = GrB_SUCCESS;
  *m = (plan_measured){0};
  for (int k = -WARM; k < COUNTED + TIMED && info == GrB_SUCCESS; k++) {
    Grid_trace(k >= 0 && k < COUNTED ? record : NULL, m);
    info = Grid_synchronize();
    const double start = clock_now();
    if (info == GrB_SUCCESS) info = GrB_vxm(y, NULL, NULL, shares, x, g->A, NULL);
    if (info == GrB_SUCCESS) info = GrB_Vector_wait(y, GrB_MATERIALIZE);
    const double took = clock_slowest(start);
    if (k == COUNTED || (k > COUNTED && took < m->seconds)) m->seconds = took;
  }
  Grid_trace(NULL, NULL);
  return info;
}

int plan_product_measure(plan_measured *m, const graph *g) {
  GrB_Vector x = NULL, y = NULL;
  GrB_Semiring shares = NULL;
  GrB_Info info = GrB_Semiring_new(&shares, GrB_PLUS_MONOID_FP64, GrB_FIRST_FP64);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&x, GrB_FP64, g->n);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&y, GrB_FP64, g->n);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_assign_FP64(x, NULL, NULL, 1.0 / (double)g->n, GrB_ALL, g->n, NULL);
  if (info == GrB_SUCCESS) /* distinct values, as in an iteration */
    info = GrB_Vector_assign(x, g->out_degree, GrB_PLUS_FP64, g->out_degree, GrB_ALL, g->n, GrB_DESC_S);
  if (info == GrB_SUCCESS) info = run(m, y, x, shares, g);
  GrB_Vector_free(&x);
  GrB_Vector_free(&y);
  GrB_Semiring_free(&shares);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("multiplying");
}

int plan_product(plan *t, const graph *g, int P) {
  plan_measured m;
  const GrB_Vector of_rows = g->directed ? g->in_degree : g->out_degree;
  const uint64_t q = g->n / (uint64_t)P + (g->n % (uint64_t)P != 0);
  GrB_Index rows = 0;
  *t = (plan){.s = {.P = P, .n = g->n, .q = (q + 63) / 64 * 64, .levels = 1}, .threshold = -1, .capacity = 1};
  t->s.level = calloc(1, sizeof *t->s.level);
  GrB_Info info = Grid_agree(t->s.level ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the plan");
  int status = info == GrB_SUCCESS ? plan_product_measure(&m, g) : fail_library("counting a product");
  if (status != STATUS_OK) return status;
  int R, C;
  Grid_shape(&R, &C);
  plan_level *l = t->s.level;
  *l = (plan_level){.every = sizeof(double),
                    .pull = true,
                    .frontier = g->n,
                    .inspected = g->nvals,
                    .local_seconds = m.local * Grid_size(),
                    .columns = C};
  info = GrB_Vector_nvals(&rows, of_rows);
  l->found = (double)rows;
  if (info == GrB_SUCCESS) info = count_segments(l, of_rows);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("counting a product");
}
