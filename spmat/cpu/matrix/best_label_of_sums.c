/* Best labels from the sums of several processes (lmat_best_label.h). */
#include "spmat/cpu/matrix/label_table.h"
#include "spmat/vector/bitmap_words.h"
#include "semiring/threads/context_section.h"

typedef struct {
  const grid_label_segment *segment;
  int segments;
} row_sums;

static uint64_t count_sums(const row_sums *s, uint64_t k) {
  uint64_t n = 0;
  for (int g = 0; g < s->segments; g++) n += s->segment[g].start[k + 1] - s->segment[g].start[k];
  return n;
}

static GrB_Info choose_row(int64_t *best, label_table *t, const row_sums *s, uint64_t k, uint64_t row,
                           const grid_label_choice *c) {
  const uint64_t n = count_sums(s, k);
  const GrB_Info info = grid_label_table_reserve(t, n);
  if (info != GrB_SUCCESS) return info;
  grid_label_table_begin(t, n);
  for (int g = 0; g < s->segments; g++) {
    const uint64_t from = s->segment[g].start[k], length = s->segment[g].start[k + 1] - from;
    const grid_label_sum *x = s->segment[g].sum + from;
    if (length)
      grid_label_table_add(t, &x->label, sizeof *x / sizeof x->label, &x->sum, sizeof *x / sizeof x->sum,
                           length, &c->price);
  }
  best[k] = grid_label_table_choose(t, c, k, row);
  return info;
}

GrB_Info grid_best_label_of_sums(int64_t *best, const grid_label_segment *segment, int segments,
                                 const uint64_t *row, uint64_t n, const grid_label_choice *c) {
  const row_sums s = {segment, segments};
  GrB_Info all = GrB_SUCCESS;
  const uintptr_t context = grid_context_distance;
#pragma omp parallel num_threads(grid_work_threads(n))
  {
    GRID_WORKER_SCOPE(context);
    label_table t = {0};
    GrB_Info info = GrB_SUCCESS;
#pragma omp for schedule(dynamic, 64)
    for (uint64_t k = 0; k < n; k++)
      if (info == GrB_SUCCESS) info = choose_row(best, &t, &s, k, row[k], c);
    grid_label_table_free(&t);
    if (info != GrB_SUCCESS) {
#pragma omp atomic write
      all = info;
    }
  }
  return all;
}
