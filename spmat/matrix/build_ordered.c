/* Builds from ordered tuples; see build_ordered.h. Tuple k becomes entry k, so that each thread writes its
 * share while it checks the order. If the order is violated, all tuples are sorted after all. */
#include "spmat/matrix/build_ordered.h"

#include <string.h>

#include "spmat/vector/bitmap_words.h"

typedef struct {
  const grid_lmat_source *t;
  grid_offsets start;
  uint32_t *idx;
  char *val;
  size_t size, load_size; /* of a value; 0: a pattern */
  int col_bits;
  atomic_bool *disorder;
} job;

/* Precedes the first tuple: below every key. */
#define NO_KEY UINT64_MAX

static bool is_ascending(const uint64_t *key, uint64_t n, uint64_t before) {
  uint64_t wrong = before != NO_KEY && key[0] <= before;
  for (uint64_t k = 1; k < n; k++) wrong |= key[k] <= key[k - 1];
  return !wrong;
}

/* Stores row starts up to `row`, that of tuple number `at`. */
static inline void begin_rows(const job *j, uint64_t *next, uint64_t row, uint64_t at) {
  for (; *next <= row; ++*next) grid_offset_set(j->start, *next, at);
}

static inline __attribute__((always_inline)) void write_block(const job *j, uint64_t from, uint64_t n,
                                                              const uint64_t *key, const char *load,
                                                              uint64_t *next, const size_t size) {
  const uint64_t mask = (UINT64_C(1) << j->col_bits) - 1;
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t row = key[k] >> j->col_bits;
    if (row >= *next) begin_rows(j, next, row, from + k);
    j->idx[from + k] = (uint32_t)(key[k] & mask);
  }
  if (size && size == j->load_size)
    memcpy(j->val + from * size, load, n * size);
  else
    for (uint64_t k = 0; k < n && size; k++)
      memcpy(j->val + (from + k) * size, load + k * j->load_size, size);
}

/* Tuples [from, to). */
static void write_range(const job *j, uint64_t from, uint64_t to) {
  const grid_source *s = &j->t->source;
  uint64_t key[GRID_BLOCK], before = NO_KEY, next = 0;
  char load[GRID_BLOCK * GRID_LOAD_MAX];
  if (from) {
    if (s->read(s, from - 1, from, key, NULL, NULL) != 1) {
      atomic_store_explicit(j->disorder, true, memory_order_relaxed);
      return;
    }
    before = key[0];
    next = (before >> j->col_bits) + 1;
  }
  for (; from < to; from += GRID_BLOCK) {
    const uint64_t n = to - from < GRID_BLOCK ? to - from : GRID_BLOCK;
    if (atomic_load_explicit(j->disorder, memory_order_relaxed)) return;
    if (s->read(s, from, from + n, key, NULL, j->size ? load : NULL) != n || !is_ascending(key, n, before)) {
      atomic_store_explicit(j->disorder, true, memory_order_relaxed);
      return;
    }
    write_block(j, from, n, key, load, &next, j->size);
    before = key[n - 1];
  }
}

/* Inspects the beginning of each thread's share: unordered tuples are mostly detected before anything is
 * allocated. */
static bool is_likely_sorted(const grid_source *s) {
  uint64_t key[GRID_BLOCK];
  for (uint64_t share = 0; share < 8; share++) {
    const uint64_t from = s->n / 8 * share, n = s->n - from < GRID_BLOCK ? s->n - from : GRID_BLOCK;
    if (s->read(s, from, from + n, key, NULL, NULL) != n || !is_ascending(key, n, NO_KEY)) return false;
  }
  return true;
}

static void write_all(const job *j, uint64_t rows) {
  const uint64_t n = j->t->source.n;
#pragma omp parallel num_threads(grid_word_threads(n / 64))
  {
    const uint64_t id = grid_thread(), all = grid_threads();
    write_range(j, n * id / all, n * (id + 1) / all);
  }
  uint64_t last = 0;
  if (atomic_load(j->disorder)) return;
  j->t->source.read(&j->t->source, n - 1, n, &last, NULL, NULL);
  uint64_t next = (last >> j->col_bits) + 1;
  begin_rows(j, &next, rows, n);
}

GrB_Info grid_build_ordered(grid_local_matrix *p, const grid_lmat_source *t, bool *done) {
  const uint64_t n = t->source.n, rows = p->row.dim;
  atomic_bool disorder = false;
  *done = false;
  if (n == 0 || t->source.times != 1 || p->row.ids || !grid_axis_is_dense_for(rows, n) ||
      p->type->size > GRID_LOAD_MAX)
    return GrB_SUCCESS;
  if (!is_likely_sorted(&t->source)) return GrB_SUCCESS;
  job j = {.t = t,
           .size = t->pattern ? 0 : p->type->size,
           .load_size = t->pattern ? 0 : grid_load_size(p->type->size, n),
           .col_bits = grid_key_bits(p),
           .disorder = &disorder};
  const bool made = grid_offsets_make(&j.start, rows + 1, n);
  j.idx = grid_malloc(n, sizeof *j.idx);
  j.val = j.size ? grid_malloc(n, j.size) : NULL;
  const bool allocated = made && j.idx && (j.val || !j.size);
  if (allocated) write_all(&j, rows);
  if (allocated && !atomic_load(&disorder)) {
    p->by_row = (grid_compressed){
        .ptr = j.start.offsets32, .offsets64 = j.start.offsets64, .idx = j.idx, .val = j.val};
    p->row.n = rows;
    p->nvals = n;
    *done = true;
    return GrB_SUCCESS;
  }
  grid_offsets_free(&j.start);
  grid_free(j.idx);
  grid_free(j.val);
  return allocated ? GrB_SUCCESS : grid_fail_memory(NULL, "matrix rows", n, sizeof *j.idx + j.size);
}
