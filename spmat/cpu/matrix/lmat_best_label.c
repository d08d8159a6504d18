/* See lmat_best_label.h. The entries of a row are summed by label in a hash table, one of each thread, that
 * is cleared by the list of the places used. */
#include "spmat/cpu/matrix/lmat_best_label.h"

#include "spmat/vector/bitmap_words.h"

typedef struct {
  int64_t label; /* below 0: the place is free */
  double sum;
} labelled_sum;

typedef struct {
  labelled_sum *table;
  uint32_t *used; /* places, in the order of their first use */
  uint64_t capacity;
} label_table;

/* The job, with labels by the matrix's own numbers of columns. */
typedef struct {
  const grid_label_rows *r;
  const int64_t *of_column;
  int64_t *best;
} label_search;

static void free_table(label_table *t) {
  grid_free(t->table);
  grid_free(t->used);
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
  if (!t->table || !t->used) return grid_fail_memory(NULL, "sums by label", capacity, sizeof *t->table);
  for (uint64_t k = 0; k < capacity; k++) t->table[k].label = -1;
  t->capacity = capacity;
  return GrB_SUCCESS;
}

/* The place of a label among 2^(64 - shift). */
static inline uint64_t place_of(int64_t label, int shift) {
  return (uint64_t)label * UINT64_C(0x9e3779b97f4a7c15) >> shift;
}

/* Sums entries from .. to by label; returns how many labels there are. */
static uint64_t sum_by_label(const label_search *s, label_table *t, uint64_t from, uint64_t to) {
  const grid_local_matrix *a = s->r->a;
  const uint32_t *idx = a->by_row.idx;
  uint64_t n = 0;
  int shift = 58;
  while (UINT64_C(1) << (64 - shift) < 2 * (to - from)) shift--;
  const uint64_t last = (UINT64_C(1) << (64 - shift)) - 1;
  for (uint64_t e = from; e < to; e++) {
    const int64_t label = s->of_column[idx[e]];
    if (label < 0) continue;
    uint64_t p = place_of(label, shift);
    while (t->table[p].label != label && t->table[p].label >= 0) p = (p + 1) & last;
    if (t->table[p].label < 0) {
      t->table[p] = (labelled_sum){.label = label};
      t->used[n++] = (uint32_t)p;
    }
    t->table[p].sum += s->r->val[s->r->iso ? 0 : e];
  }
  return n;
}

/* The best label of row k, of vertex v, from the table, which is free afterwards. */
static int64_t choose_label(const label_search *s, label_table *t, uint64_t used, uint64_t k, uint64_t v) {
  const grid_label_rows *r = s->r;
  const int64_t own = r->bonus ? r->label[v] : -1;
  const double scale = r->scale ? r->scale[k] : 1;
  double best_score = 0, own_sum = 0;
  int64_t best = -1;
  for (uint64_t u = 0; u < used; u++) {
    labelled_sum *x = t->table + t->used[u];
    const int64_t label = x->label;
    const double score = scale * x->sum - (r->price ? r->price[label] : 0);
    if (best < 0 || score > best_score || (score == best_score && label < best))
      best = label, best_score = score;
    if (label == own) own_sum = x->sum;
    x->label = -1;
  }
  if (own < 0) return best;
  const double stay = scale * own_sum - ((r->price ? r->price[own] : 0) - r->bonus[v]);
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
#pragma omp parallel num_threads(threads_for(s->r))
  {
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

GrB_Info grid_lmat_best_label(int64_t *best, const grid_label_rows *r) {
  const grid_axis *col = &r->a->col;
  label_search s = {.r = r, .of_column = r->label, .best = best};
  int64_t *compact = NULL;
  if (col->ids) {
    s.of_column = compact = grid_malloc(col->n, sizeof *compact);
    if (!compact) return grid_fail_memory(NULL, "labels of columns", col->n, sizeof *compact);
    for (uint64_t k = 0; k < col->n; k++) compact[k] = r->label[grid_axis_id(col, k)];
  }
  const GrB_Info info = search_rows(&s);
  grid_free(compact);
  return info;
}
