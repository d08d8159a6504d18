/* See lmat_best_label.h. The entries of a row are summed by label in a hash table (label_table.h). */
#include "spmat/cpu/matrix/lmat_best_label.h"

#include "spmat/cpu/matrix/label_table.h"
#include "spmat/vector/bitmap_words.h"
#include "spmat/vector/bound_operator.h"
#include "semiring/threads/context_section.h"

/* Workspace of a thread. */
typedef struct {
  label_table table;
  double *numbers; /* a row's values in FP64 */
  uint64_t numbers_capacity;
  int64_t *labels; /* of the columns of a batch's entries */
  uint64_t labels_capacity;
} label_workspace;

/* Row k of the list, of local id v: entries from .. to */
typedef struct {
  uint64_t k, v, from, to;
} label_row;

/* Rows at a time: the reads of their entries, of the labels and of their prices wait for memory together. */
enum { BATCH = 16 };

/* The job: best labels, or, where best is NULL, sums. */
typedef struct {
  const grid_label_rows *r;
  const grid_label_choice *c;
  grid_copier cast; /* of the matrix's values to FP64 */
  int64_t *best;
  grid_label_sums *sums;
} label_search;

static void free_workspace(label_workspace *w) {
  grid_label_table_free(&w->table);
  grid_free(w->numbers);
  grid_free(w->labels);
}

/* *array gets room for `length` elements of 8 bytes; its contents are lost. */
static GrB_Info reserve(void **array, uint64_t *capacity, uint64_t length, const char *what) {
  if (length <= *capacity) return GrB_SUCCESS;
  grid_free(*array);
  *array = grid_malloc(2 * length, 8);
  *capacity = *array ? 2 * length : 0;
  return *array ? GrB_SUCCESS : grid_fail_memory(NULL, what, 2 * length, 8);
}

/* For a batch of so many entries, whose longest row has `longest`. */
static GrB_Info reserve_workspace(label_workspace *w, uint64_t longest, uint64_t entries) {
  GrB_Info info;
  void *labels = w->labels, *numbers = w->numbers;
  TRY(grid_label_table_reserve(&w->table, longest));
  info = reserve(&labels, &w->labels_capacity, entries, "labels of entries");
  w->labels = labels;
  TRY(info);
  info = reserve(&numbers, &w->numbers_capacity, longest, "values of a row");
  w->numbers = numbers;
done:
  return info;
}

/* The values of entries from .. to in FP64, *step apart; they may be cast into the workspace. */
static const double *row_numbers(const label_search *s, label_workspace *w, uint64_t from, uint64_t to,
                                 size_t *step) {
  const grid_label_rows *r = s->r;
  const void *x = r->iso ? r->val : (const char *)r->val + from * r->type->size;
  *step = !r->iso;
  if (!s->cast.cast) return x;
  grid_copy_run(&s->cast, w->numbers, x, 1, r->iso ? to > from : to - from);
  return w->numbers;
}

/* label[e] = the label of column idx[e]. A loop of its own, so that many reads are under way at a time. */
static void gather_labels(int64_t *label, const grid_vertex_values *of_column, const uint32_t *idx,
                          uint64_t n) {
  const int64_t *value = of_column->value;
  /* NOLINTBEGIN(clang-analyzer-core.NullDereference): label has room for n */
  if (value && !of_column->bits)
    for (uint64_t e = 0; e < n; e++) label[e] = value[idx[e]];
  else
    for (uint64_t e = 0; e < n; e++) label[e] = grid_vertex_label(of_column, idx[e]);
  /* NOLINTEND(clang-analyzer-core.NullDereference) */
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

/* The sums of a row, whose entries have these labels; then its label, or the sums themselves. */
static void finish_row(const label_search *s, label_workspace *w, const label_row *row,
                       const int64_t *labels) {
  size_t step;
  const double *x = row_numbers(s, w, row->from, row->to, &step);
  const uint64_t length = row->to - row->from;
  grid_label_table_begin(&w->table, length);
  grid_label_table_add(&w->table, labels, 1, x, step, length, NULL);
  if (s->best)
    s->best[row->k] = grid_label_table_choose(&w->table, s->c, row->k, row->v);
  else
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): where best is NULL */
    s->sums->count[row->k] = grid_label_table_take(&w->table, s->sums->sum + s->sums->start[row->k]);
}

static GrB_Info search_batch(const label_search *s, label_workspace *w, uint64_t first, uint64_t n) {
  label_row row[BATCH];
  const uint32_t *idx = s->r->a->by_row.idx;
  uint64_t longest = 0, entries = 0;
  for (uint64_t b = 0; b < n; b++) {
    const label_row x = row[b] = find_row(s->r, first + b);
    const uint64_t length = x.to - x.from;
    if (length) __builtin_prefetch(idx + x.from);
    if (s->best) grid_label_choice_prefetch(s->c, x.v);
    longest = length > longest ? length : longest;
    entries += length;
  }
  const GrB_Info info = reserve_workspace(w, longest, entries);
  if (info != GrB_SUCCESS) return info;
  int64_t *label = w->labels;
  for (uint64_t b = 0; b < n; label += row[b].to - row[b].from, b++)
    gather_labels(label, &s->r->of_column, idx + row[b].from, row[b].to - row[b].from);
  label = w->labels;
  for (uint64_t e = 0; s->best && e < entries; e++)
    if (label[e] >= 0) grid_vertex_prefetch(&s->c->price, (uint64_t)label[e]);
  for (uint64_t b = 0; b < n; label += row[b].to - row[b].from, b++) finish_row(s, w, row + b, label);
  return info;
}

/* For the choice of threads so many entries count as a word of 64 elements. */
enum { ENTRIES_PER_WORD = 4 };

static int threads_for(const grid_label_rows *r) {
  uint64_t entries = 0;
  if (grid_work_threads(r->a->nvals / ENTRIES_PER_WORD) == 1) return 1;
  for (uint64_t k = 0; k < r->n && entries < ENTRIES_PER_WORD * GRID_PARALLEL_WORK; k++) {
    const label_row x = find_row(r, k);
    entries += x.to - x.from;
  }
  return grid_work_threads(entries / ENTRIES_PER_WORD);
}

static GrB_Info search_rows(const label_search *s) {
  GrB_Info all = GrB_SUCCESS;
  const uint64_t n = s->r->n;
  const uintptr_t context = grid_context_distance;
#pragma omp parallel num_threads(threads_for(s->r))
  {
    GRID_WORKER_SCOPE(context);
    label_workspace w = {0};
    GrB_Info info = GrB_SUCCESS;
#pragma omp for schedule(dynamic, 1)
    for (uint64_t k = 0; k < n; k += BATCH)
      if (info == GrB_SUCCESS) info = search_batch(s, &w, k, n - k < BATCH ? n - k : BATCH);
    free_workspace(&w);
    if (info != GrB_SUCCESS) {
#pragma omp atomic write
      all = info;
    }
  }
  return all;
}

GrB_Info grid_lmat_best_label(int64_t *best, const grid_label_rows *r, const grid_label_choice *c) {
  const label_search s = {.r = r, .c = c, .cast = grid_copier_bind(GrB_FP64, r->type), .best = best};
  return search_rows(&s);
}

GrB_Info grid_lmat_sum_labels(grid_label_sums *sums, const grid_label_rows *r) {
  const label_search s = {.r = r, .cast = grid_copier_bind(GrB_FP64, r->type), .sums = sums};
  uint64_t entries = 0;
  *sums = (grid_label_sums){grid_malloc(r->n + 1, sizeof *sums->start),
                            grid_malloc(r->n, sizeof *sums->count), NULL};
  if (!sums->start || !sums->count) return grid_fail_memory(NULL, "sums of rows", r->n, 16);
  for (uint64_t k = 0; k < r->n; k++) {
    const label_row x = find_row(r, k);
    sums->start[k] = entries;
    entries += x.to - x.from;
  }
  sums->sum = grid_malloc(entries, sizeof *sums->sum);
  return sums->sum ? search_rows(&s) : grid_fail_memory(NULL, "sums by label", entries, sizeof *sums->sum);
}
