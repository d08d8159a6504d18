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
  labelled_sum *table; /* the sums of free places are 0 */
  uint64_t *used;      /* places, in the order of their first use */
  double *numbers;     /* a row's values in FP64 */
  uint64_t capacity;
  int64_t *labels; /* of the columns of a batch's entries */
  uint64_t labels_capacity;
} label_table;

/* Row k of the list, of vertex v: entries from .. to */
typedef struct {
  uint64_t k, v, from, to;
} label_row;

/* Rows at a time: the reads of their entries, and of the labels, wait for memory together. */
enum { BATCH = 16 };

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

static inline void prefetch_value(const grid_vertex_values *x, uint64_t k) {
  if (x->value) __builtin_prefetch((const char *)x->value + 8 * k);
}

static void free_table(label_table *t) {
  grid_free(t->table);
  grid_free(t->used);
  grid_free(t->numbers);
  grid_free(t->labels);
  *t = (label_table){0};
}

static GrB_Info reserve_labels(label_table *t, uint64_t length) {
  if (length <= t->labels_capacity) return GrB_SUCCESS;
  grid_free(t->labels);
  t->labels = grid_malloc(2 * length, sizeof *t->labels);
  t->labels_capacity = t->labels ? 2 * length : 0;
  return t->labels ? GrB_SUCCESS : grid_fail_memory(NULL, "labels of entries", 2 * length, sizeof *t->labels);
}

/* A table for a row of `length` entries: at most a quarter full. */
static GrB_Info reserve_table(label_table *t, uint64_t length) {
  uint64_t capacity = 64;
  while (capacity < 4 * length) capacity *= 2;
  if (capacity <= t->capacity) return GrB_SUCCESS;
  grid_free(t->table);
  grid_free(t->used);
  grid_free(t->numbers);
  t->capacity = 0;
  t->table = grid_malloc(capacity, sizeof *t->table);
  t->used = grid_malloc(capacity / 4 + 1, sizeof *t->used); /* a place more is written, not used */
  t->numbers = grid_malloc(capacity / 4, sizeof *t->numbers);
  if (!t->table || !t->used || !t->numbers)
    return grid_fail_memory(NULL, "sums by label", capacity, sizeof *t->table);
  for (uint64_t k = 0; k < capacity; k++) t->table[k] = (labelled_sum){.label = -1};
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

/* label[e] = the label of column idx[e]. A loop of its own, so that many reads are under way at a time. */
static void gather_labels(int64_t *label, const grid_vertex_values *of_column, const uint32_t *idx,
                          uint64_t n) {
  const int64_t *value = of_column->value;
  if (value && !of_column->bits)
    for (uint64_t e = 0; e < n; e++) label[e] = value[idx[e]];
  else
    for (uint64_t e = 0; e < n; e++) label[e] = label_at(of_column, idx[e]);
}

/* Sums entries from .. to by label; returns how many labels there are. Whether a label is new decides no
 * branch: that could not be predicted. */
static uint64_t sum_by_label(const label_search *s, label_table *t, const int64_t *labels, uint64_t from,
                             uint64_t to) {
  labelled_sum *table = t->table;
  uint64_t n = 0;
  size_t step;
  const double *x = row_numbers(s, t, from, to, &step);
  int shift = 58;
  while (UINT64_C(1) << (64 - shift) < 4 * (to - from)) shift--;
  const uint64_t last = (UINT64_C(1) << (64 - shift)) - 1;
  for (uint64_t e = 0; e < to - from; e++) {
    const int64_t label = labels[e];
    if (label < 0) continue;
    uint64_t p = place_of(label, shift);
    while (table[p].label != label && table[p].label >= 0) p = (p + 1) & last;
    prefetch_value(&s->r->price, (uint64_t)label);
    t->used[n] = p;
    n += table[p].label < 0;
    table[p].label = label;
    table[p].sum += x[e * step];
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
    *x = (labelled_sum){.label = -1};
  }
  if (own < 0) return best;
  const double stay = scale * own_sum - (number_at(&r->price, (uint64_t)own) - number_at(&r->bonus, v));
  return best >= 0 && best_score > stay ? best : own;
}

static label_row find_row(const grid_label_rows *r, uint64_t k) {
  const grid_local_matrix *a = r->a;
  label_row x = {.k = k, .v = r->row[k]};
  const uint64_t row = grid_axis_find(&a->row, x.v);
  if (row == UINT64_MAX) return x;
  x.from = grid_vector_start(&a->by_row, row);
  x.to = grid_vector_start(&a->by_row, row + 1);
  return x;
}

static GrB_Info search_batch(const label_search *s, label_table *t, uint64_t first, uint64_t n) {
  label_row row[BATCH];
  const uint32_t *idx = s->r->a->by_row.idx;
  uint64_t longest = 0, entries = 0;
  for (uint64_t b = 0; b < n; b++) {
    const label_row x = row[b] = find_row(s->r, first + b);
    const uint64_t length = x.to - x.from;
    if (length) __builtin_prefetch(idx + x.from);
    prefetch_value(&s->r->label, x.v);
    prefetch_value(&s->r->bonus, x.v);
    longest = length > longest ? length : longest;
    entries += length;
  }
  GrB_Info info = reserve_table(t, longest);
  if (info == GrB_SUCCESS) info = reserve_labels(t, entries);
  if (info != GrB_SUCCESS) return info;
  int64_t *label = t->labels;
  for (uint64_t b = 0; b < n; label += row[b].to - row[b].from, b++)
    gather_labels(label, &s->of_column, idx + row[b].from, row[b].to - row[b].from);
  label = t->labels;
  for (uint64_t b = 0; b < n; label += row[b].to - row[b].from, b++) {
    const uint64_t used = sum_by_label(s, t, label, row[b].from, row[b].to);
    s->best[row[b].k] = choose_label(s, t, used, row[b].k, row[b].v);
  }
  return info;
}

/* For the choice of threads so many entries count as a word of 64 elements. */
enum { ENTRIES_PER_WORD = 4 };

static int threads_for(const grid_label_rows *r) {
  uint64_t entries = 0;
  if (grid_word_threads(r->a->nvals / ENTRIES_PER_WORD) == 1) return 1;
  for (uint64_t k = 0; k < r->n; k++) {
    const label_row x = find_row(r, k);
    entries += x.to - x.from;
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
#pragma omp for schedule(dynamic, 1)
    for (uint64_t k = 0; k < n; k += BATCH)
      if (info == GrB_SUCCESS) info = search_batch(s, &t, k, n - k < BATCH ? n - k : BATCH);
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
