/* See lmat_best_label.h. The entries of a row are summed by label in a hash table, one of each thread, that
 * is cleared by the list of the places used. */
#include "spmat/cpu/matrix/lmat_best_label.h"

#include "spmat/vector/bitmap_words.h"
#include "spmat/vector/bound_operator.h"
#include "semiring/support/context_section.h"

typedef struct {
  int64_t label; /* below 0: the place is free */
  double sum;
} labelled_sum;

typedef struct {
  labelled_sum *table;
  uint64_t *used;  /* places, in the order of their first use */
  double *numbers; /* a row's values in FP64 */
  uint64_t capacity;
} label_table;

/* The job, with labels by the matrix's own numbers of columns. */
typedef struct {
  const grid_label_rows *r;
  grid_vertex_values of_column;
  grid_copier cast; /* of the matrix's values to FP64 */
  int64_t *best;
} label_search;

static inline bool has_value(const grid_vertex_values *x, uint64_t k) {
  return x->value && (!x->bits || grid_bit(x->bits, k));
}

/* Below 0: there is none. */
static inline int64_t label_at(const grid_vertex_values *x, uint64_t k) {
  return has_value(x, k) ? ((const int64_t *)x->value)[k] : -1;
}

static inline double number_at(const grid_vertex_values *x, uint64_t k) {
  return has_value(x, k) ? ((const double *)x->value)[k] : 0;
}

static void free_table(label_table *t) {
  grid_free(t->table);
  grid_free(t->used);
  grid_free(t->numbers);
  *t = (label_table){0};
}

/* A table for a row of `length` entries: at most half full. */
static GrB_Info reserve_table(label_table *t, uint64_t length) {
  uint64_t capacity = 64;
  while (capacity < 2 * length) capacity *= 2;
  if (capacity <= t->capacity) return GrB_SUCCESS;
  free_table(t);
  t->table = grid_malloc(capacity, sizeof *t->table);
  t->used = grid_malloc(capacity / 2, sizeof *t->used);
  t->numbers = grid_malloc(capacity / 2, sizeof *t->numbers);
  if (!t->table || !t->used || !t->numbers)
    return grid_fail_memory(NULL, "sums by label", capacity, sizeof *t->table);
  for (uint64_t k = 0; k < capacity; k++) t->table[k].label = -1;
  t->capacity = capacity;
  return GrB_SUCCESS;
}

/* The place of a label among 2^(64 - shift). */
static inline uint64_t place_of(int64_t label, int shift) {
  return (uint64_t)label * UINT64_C(0x9e3779b97f4a7c15) >> shift;
}

/* The values of entries from .. to in FP64, *step apart; it may be cast into the table's workspace. */
static const double *row_numbers(const label_search *s, label_table *t, uint64_t from, uint64_t to,
                                 size_t *step) {
  const grid_label_rows *r = s->r;
  const void *x = r->iso ? r->val : (const char *)r->val + from * r->type->size;
  *step = !r->iso;
  if (!s->cast.cast) return x;
  grid_copy_run(&s->cast, t->numbers, x, 1, r->iso ? to > from : to - from);
  return t->numbers;
}

/* Sums entries from .. to by label; returns how many labels there are. */
static uint64_t sum_by_label(const label_search *s, label_table *t, uint64_t from, uint64_t to) {
  const uint32_t *idx = s->r->a->by_row.idx + from;
  uint64_t n = 0;
  size_t step;
  const double *x = row_numbers(s, t, from, to, &step);
  int shift = 58;
  while (UINT64_C(1) << (64 - shift) < 2 * (to - from)) shift--;
  const uint64_t last = (UINT64_C(1) << (64 - shift)) - 1;
  for (uint64_t e = 0; e < to - from; e++) {
    const int64_t label = label_at(&s->of_column, idx[e]);
    if (label < 0) continue;
    uint64_t p = place_of(label, shift);
    while (t->table[p].label != label && t->table[p].label >= 0) p = (p + 1) & last;
    if (t->table[p].label < 0) {
      t->table[p] = (labelled_sum){.label = label};
      t->used[n++] = p;
    }
    t->table[p].sum += x[e * step];
  }
  return n;
}

/* The best label of row k, of vertex v, from the table, which is free afterwards. */
static int64_t choose_label(const label_search *s, label_table *t, uint64_t used, uint64_t k, uint64_t v) {
  const grid_label_rows *r = s->r;
  const int64_t own = r->keeps ? label_at(&r->label, v) : -1;
  const double scale = r->scale ? r->scale[k] : 1;
  double best_score = 0, own_sum = 0;
  int64_t best = -1;
  for (uint64_t u = 0; u < used; u++) {
    labelled_sum *x = t->table + t->used[u];
    const int64_t label = x->label;
    const double score = scale * x->sum - number_at(&r->price, (uint64_t)label);
    if (best < 0 || score > best_score || (score == best_score && label < best))
      best = label, best_score = score;
    if (label == own) own_sum = x->sum;
    x->label = -1;
  }
  if (own < 0) return best;
  const double stay = scale * own_sum - (number_at(&r->price, (uint64_t)own) - number_at(&r->bonus, v));
  return best >= 0 && best_score > stay ? best : own;
}

/* Entries from .. to of row k, of vertex v. */
static void find_row(const grid_label_rows *r, uint64_t k, uint64_t *v, uint64_t *from, uint64_t *to) {
  const grid_local_matrix *a = r->a;
  *v = r->row[k];
  *from = *to = 0;
  const uint64_t row = grid_axis_find(&a->row, *v);
  if (row == UINT64_MAX) return;
  *from = grid_vector_start(&a->by_row, row);
  *to = grid_vector_start(&a->by_row, row + 1);
}

static GrB_Info search_row(const label_search *s, label_table *t, uint64_t k) {
  uint64_t v, from, to;
  find_row(s->r, k, &v, &from, &to);
  const GrB_Info info = reserve_table(t, to - from);
  if (info == GrB_SUCCESS) s->best[k] = choose_label(s, t, sum_by_label(s, t, from, to), k, v);
  return info;
}

/* For the choice of threads so many entries count as a word of 64 elements. */
enum { ENTRIES_PER_WORD = 4 };

static int threads_for(const grid_label_rows *r) {
  uint64_t entries = 0, v, from, to;
  if (grid_word_threads(r->a->nvals / ENTRIES_PER_WORD) == 1) return 1;
  for (uint64_t k = 0; k < r->n; k++) {
    find_row(r, k, &v, &from, &to);
    entries += to - from;
  }
  return grid_word_threads(entries / ENTRIES_PER_WORD);
}

static GrB_Info search_rows(const label_search *s) {
  GrB_Info all = GrB_SUCCESS;
  const uint64_t n = s->r->n;
  const uintptr_t context = grid_context_distance;
#pragma omp parallel num_threads(threads_for(s->r))
  {
    GRID_WORKER_SCOPE(context);
    label_table t = {0};
    GrB_Info info = GrB_SUCCESS;
#pragma omp for schedule(dynamic, 16)
    for (uint64_t k = 0; k < n; k++)
      if (info == GrB_SUCCESS) info = search_row(s, &t, k);
    free_table(&t);
    if (info != GrB_SUCCESS) {
#pragma omp atomic write
      all = info;
    }
  }
  return all;
}

/* *of_column: the labels by the matrix's own numbers of columns; *compact: to be freed. */
static GrB_Info label_columns(grid_vertex_values *of_column, int64_t **compact, const grid_label_rows *r) {
  const grid_axis *col = &r->a->col;
  *of_column = r->label, *compact = NULL;
  if (!col->ids) return GrB_SUCCESS;
  int64_t *label = *compact = grid_malloc(col->n, sizeof *label);
  if (!label) return grid_fail_memory(NULL, "labels of columns", col->n, sizeof *label);
  for (uint64_t k = 0; k < col->n; k++) label[k] = label_at(&r->label, grid_axis_id(col, k));
  *of_column = (grid_vertex_values){.value = label};
  return GrB_SUCCESS;
}

GrB_Info grid_lmat_best_label(int64_t *best, const grid_label_rows *r) {
  label_search s = {.r = r, .cast = grid_copier_bind(GrB_FP64, r->type), .best = best};
  int64_t *compact;
  GrB_Info info = label_columns(&s.of_column, &compact, r);
  if (info == GrB_SUCCESS) info = search_rows(&s);
  grid_free(compact);
  return info;
}
