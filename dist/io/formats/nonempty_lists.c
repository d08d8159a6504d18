/* See nonempty_lists.h. Each process collects its tuples' rows and columns and drops repeated ones when its
 * array is full; the lists of all processes are then gathered on each. */
#include "dist/io/formats/nonempty_lists.h"

#include <string.h>

#include "dist/grid/process_grid.h"
#include "dist/outofcore/sort/sort_runs.h"
#include "semiring/support/mem.h"

enum { FIRST_CAPACITY = 1 << 12 };

typedef struct {
  uint64_t *id, n, capacity;
} collection;

typedef struct {
  collection row, col;
  bool mirror;
} collecting;

static void make_distinct(collection *c) {
  uint64_t n = 0;
  if (c->n == 0) return;
  grid_sort_keys(c->id, c->n);
  for (uint64_t k = 0; k < c->n; k++)
    if (n == 0 || c->id[k] != c->id[n - 1]) c->id[n++] = c->id[k];
  c->n = n;
}

/* Space for another index. The array doubles only if at least half of it is distinct, so that sorting takes
 * O(log n) steps an index. */
static GrB_Info reserve(collection *c) {
  make_distinct(c);
  if (c->capacity && c->n < c->capacity / 2) return GrB_SUCCESS;
  const uint64_t capacity = c->capacity ? 2 * c->capacity : FIRST_CAPACITY;
  uint64_t *id = grid_realloc(c->id, capacity, sizeof *id);
  if (!id) return grid_fail_memory(NULL, "a list of rows or columns", capacity, sizeof *id);
  c->id = id, c->capacity = capacity;
  return GrB_SUCCESS;
}

static GrB_Info add(collection *c, uint64_t id) {
  const GrB_Info info = c->n == c->capacity ? reserve(c) : GrB_SUCCESS;
  if (info == GrB_SUCCESS) c->id[c->n++] = id;
  return info;
}

static GrB_Info collect(void *context, const uint64_t *key, const double *val, uint64_t n) {
  collecting *c = context;
  GrB_Info info = GrB_SUCCESS;
  (void)val;
  for (uint64_t k = 0; k < n && info == GrB_SUCCESS; k++) {
    info = add(&c->row, key[2 * k]);
    if (info == GrB_SUCCESS) info = add(c->mirror ? &c->row : &c->col, key[2 * k + 1]);
  }
  return info;
}

/* c = the distinct indices of all processes. Collective, agreed on. */
static GrB_Info gather(collection *c) {
  void *all = NULL;
  make_distinct(c);
  uint64_t n = c->n;
  GrB_Info info = grid_agree_sum(NULL, GrB_SUCCESS, &n, 1);
  if (info == GrB_SUCCESS) info = grid_gather_elements(c->id, c->n, sizeof *c->id, &all);
  if (info != GrB_SUCCESS) return info;
  grid_free(c->id);
  *c = (collection){all, n, n};
  make_distinct(c);
  if (c->n <= UINT32_MAX) return info;
  return grid_fail(NULL, GrB_NOT_IMPLEMENTED,
                   "a page file has at most 2^32 - 1 rows and columns with entries, not %llu",
                   (unsigned long long)c->n);
}

GrB_Info grid_nonempty_lists_make(grid_nonempty_lists *x, grid_tuple_buffer *u, bool mirror) {
  collecting c = {.mirror = mirror};
  *x = (grid_nonempty_lists){NULL};
  GrB_Info info = grid_agree(NULL, grid_tuple_buffer_visit(u, collect, &c));
  if (info == GrB_SUCCESS) info = gather(&c.row);
  if (info == GrB_SUCCESS && !mirror) info = gather(&c.col);
  if (info == GrB_SUCCESS) {
    const collection *cols = mirror ? &c.row : &c.col;
    x->id = grid_malloc(c.row.n + cols->n, sizeof *x->id);
    if (x->id) {
      x->rows = c.row.n, x->cols = cols->n;
      grid_copy_bytes(x->id, c.row.id, c.row.n * sizeof *x->id);
      grid_copy_bytes(x->id + x->rows, cols->id, cols->n * sizeof *x->id);
    }
    info = grid_agree(NULL, x->id ? info : grid_fail_memory(NULL, "lists of rows and columns", c.row.n, 16));
  }
  grid_free(c.row.id);
  grid_free(c.col.id);
  if (info != GrB_SUCCESS) grid_nonempty_lists_free(x);
  return info;
}

void grid_nonempty_lists_free(grid_nonempty_lists *x) {
  grid_free(x->id);
  *x = (grid_nonempty_lists){NULL};
}

void grid_nonempty_lists_number(const grid_nonempty_lists *x, uint64_t *row, uint64_t *col) {
  *row = grid_count_below(x->id, x->rows, *row);
  *col = grid_count_below(x->id + x->rows, x->cols, *col);
}
