/* Sums by label in a hash table, one of each thread: it is cleared by the list of the places used. */
#ifndef GRID_LABEL_TABLE_H
#define GRID_LABEL_TABLE_H
#include "spmat/cpu/matrix/lmat_best_label.h"

typedef struct {
  grid_label_sum *place; /* label below 0: the place is free, and its sum is 0 */
  uint64_t *used;        /* places, in the order of their first use */
  uint64_t capacity, n;  /* n are used */
  int shift;             /* 2^(64 - shift) places serve the present row */
} label_table;

void grid_label_table_free(label_table *t);
/* For rows of `length` entries: it is at most a quarter full. */
GrB_Info grid_label_table_reserve(label_table *t, uint64_t length);

static inline bool grid_vertex_has_value(const grid_vertex_values *x, uint64_t k) {
  return x->value && (!x->bits || grid_bit(x->bits, k));
}

/* Below 0: there is none. */
static inline int64_t grid_vertex_label(const grid_vertex_values *x, uint64_t k) {
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): then there are values */
  return grid_vertex_has_value(x, k) ? ((const int64_t *)x->value)[k] : -1;
}

static inline double grid_vertex_number(const grid_vertex_values *x, uint64_t k) {
  return grid_vertex_has_value(x, k) ? ((const double *)x->value)[k] : 0;
}

static inline void grid_vertex_prefetch(const grid_vertex_values *x, uint64_t k) {
  if (x->value) __builtin_prefetch((const char *)x->value + 8 * k);
}

/* What the choice of row v will read. */
static inline void grid_label_choice_prefetch(const grid_label_choice *c, uint64_t v) {
  if (!c->has_bonus) return;
  grid_vertex_prefetch(&c->label, v);
  grid_vertex_prefetch(&c->bonus, v);
}

/* Before the entries of a row, at most `length`, for which there is room. */
static inline void grid_label_table_begin(label_table *t, uint64_t length) {
  t->n = 0, t->shift = 58;
  while (UINT64_C(1) << (64 - t->shift) < 4 * length) t->shift--;
}

/* Adds n entries whose labels and values are so many elements apart; one with a label below 0 is left out.
 * Whether a label is new decides no branch: that could not be predicted. price: is read later, or NULL. */
static inline void grid_label_table_add(label_table *t, const int64_t *label, size_t label_step,
                                        const double *x, size_t step, uint64_t n,
                                        const grid_vertex_values *price) {
  grid_label_sum *place = t->place;
  uint64_t *const used = t->used, mask = (UINT64_C(1) << (64 - t->shift)) - 1;
  uint64_t count = t->n;
  const int shift = t->shift;
  for (uint64_t e = 0; e < n; e++) {
    const int64_t l = label[e * label_step];
    if (l < 0) continue;
    uint64_t p = (uint64_t)l * UINT64_C(0x9e3779b97f4a7c15) >> shift;
    while (place[p].label != l && place[p].label >= 0) p = (p + 1) & mask;
    if (price) grid_vertex_prefetch(price, (uint64_t)l);
    used[count] = p;
    count += place[p].label < 0;
    place[p].label = l;
    place[p].sum += x[e * step];
  }
  t->n = count;
}

/* The best label of row k of a list, of local id v; the table is free afterwards. */
int64_t grid_label_table_choose(label_table *t, const grid_label_choice *c, uint64_t k, uint64_t v);
/* Moves the sums to `to` and returns how many there are; the table is free afterwards. */
uint64_t grid_label_table_take(label_table *t, grid_label_sum *to);
#endif
