/* See label_table.h. */
#include "spmat/cpu/matrix/label_table.h"

void grid_label_table_free(label_table *t) {
  grid_free(t->place);
  grid_free(t->used);
  *t = (label_table){0};
}

GrB_Info grid_label_table_reserve(label_table *t, uint64_t length) {
  uint64_t capacity = 64;
  while (capacity < 4 * length) capacity *= 2;
  if (capacity <= t->capacity) return GrB_SUCCESS;
  grid_label_table_free(t);
  t->place = grid_malloc(capacity, sizeof *t->place);
  t->used = grid_malloc(capacity / 4 + 1, sizeof *t->used); /* a place more is written, not used */
  if (!t->place || !t->used) return grid_fail_memory(NULL, "sums by label", capacity, sizeof *t->place);
  for (uint64_t k = 0; k < capacity; k++) t->place[k] = (grid_label_sum){.label = -1};
  t->capacity = capacity;
  return GrB_SUCCESS;
}

int64_t grid_label_table_choose(label_table *t, const grid_label_choice *c, uint64_t k, uint64_t v) {
  const int64_t current = c->has_bonus ? grid_vertex_label(&c->label, v) : -1;
  const double scale = c->scale ? c->scale[k] : 1;
  double best_score = 0, current_sum = 0;
  int64_t best = -1;
  for (uint64_t u = 0; u < t->n; u++) {
    grid_label_sum *x = t->place + t->used[u];
    const int64_t label = x->label;
    const double score = scale * x->sum - grid_vertex_number(&c->price, (uint64_t)label);
    if (best < 0 || score > best_score || (score == best_score && label < best))
      best = label, best_score = score;
    if (label == current) current_sum = x->sum;
    *x = (grid_label_sum){.label = -1};
  }
  if (current < 0) return best;
  const double score_to_beat = scale * current_sum - (grid_vertex_number(&c->price, (uint64_t)current) -
                                                      grid_vertex_number(&c->bonus, v));
  return best != current && best_score > score_to_beat ? best : -1;
}

uint64_t grid_label_table_take(label_table *t, grid_label_sum *to) {
  for (uint64_t u = 0; u < t->n; u++) {
    grid_label_sum *x = t->place + t->used[u];
    to[u] = *x;
    *x = (grid_label_sum){.label = -1};
  }
  return t->n;
}
