/* See nonempty_lists.h. Each process collects its tuples' rows and columns and drops repeated ones when its
 * array is full. The indices are divided into ranges, one a process, about equally many in each: the owner of
 * a range gets those in it from all processes, and replies their numbers. */
#include "dist/io/formats/nonempty_lists.h"

#include <string.h>

#include "dist/grid/process_grid.h"
#include "dist/io/formats/names_to_writers.h"
#include "dist/outofcore/sort/sort_runs.h"
#include "semiring/support/mem.h"
#include "spmat/vector/bitmap_words.h"

enum { FIRST_CAPACITY = 1 << 12 };

/* Indices of each process from which the bounds of the ranges are chosen. */
enum { SAMPLES = 256 };

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

/* ---- ranges ---- */

/* *bound: range p begins at the p-th one. Processes with few indices give some several times. */
static GrB_Info choose_bounds(uint64_t **bound, const collection *c) {
  const uint64_t P = (uint64_t)grid_ctx.P, given = c->n ? SAMPLES : 0;
  uint64_t local[SAMPLES], total = given, *sample = NULL;
  for (uint64_t k = 0; k < given; k++) local[k] = c->id[k * c->n / SAMPLES];
  *bound = grid_calloc(P, sizeof **bound);
  GrB_Info info = *bound ? GrB_SUCCESS : grid_fail_memory(NULL, "bounds of ranges", P, sizeof **bound);
  TRY(grid_agree_sum(NULL, info, &total, 1));
  TRY(grid_gather_elements(local, given, sizeof *local, (void **)&sample));
  grid_sort_keys(sample, total);
  for (uint64_t p = 1; p < P && total; p++) (*bound)[p] = sample[p * total / P];
done:
  grid_free(sample);
  return info;
}

/* Sizes and offsets, by process, in bytes: of the indices that this process sends, and of those received. */
typedef struct {
  size_t *sent, *sent_at, *received, *received_at;
} messages;

static GrB_Info make_messages(messages *m, const collection *c, const uint64_t *bound) {
  const size_t P = (size_t)grid_ctx.P;
  *m = (messages){grid_calloc(4 * P, sizeof *m->sent)};
  if (!m->sent) return grid_fail_memory(NULL, "sizes of messages", 4 * P, sizeof *m->sent);
  m->sent_at = m->sent + P, m->received = m->sent_at + P, m->received_at = m->received + P;
  for (size_t p = 0; p < P; p++) {
    const uint64_t from = p ? grid_lower_bound(c->id, 0, c->n, bound[p]) : 0,
                   end = p + 1 < P ? grid_lower_bound(c->id, 0, c->n, bound[p + 1]) : c->n;
    m->sent[p] = (end - from) * sizeof *c->id, m->sent_at[p] = from * sizeof *c->id;
  }
  return GrB_SUCCESS;
}

/* share = the distinct ones of n received indices. */
static GrB_Info make_share(grid_nonempty_list *x, const uint64_t *received, uint64_t n) {
  collection c = {.id = grid_malloc(n, sizeof *c.id), .n = n};
  x->share = c.id;
  if (!c.id) return grid_fail_memory(NULL, "a list of rows or columns", n, sizeof *c.id);
  grid_copy_bytes(c.id, received, n * sizeof *c.id);
  make_distinct(&c);
  x->held = c.n;
  return GrB_SUCCESS;
}

/* Sets first and total. */
static GrB_Info place_share(grid_nonempty_list *x) {
  const int P = grid_ctx.P;
  uint64_t *held = grid_malloc((uint64_t)P, sizeof *held);
  GrB_Info info = held ? GrB_SUCCESS : grid_fail_memory(NULL, "lengths of lists", (uint64_t)P, sizeof *held);
  TRY(grid_agree(NULL, info));
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, &x->held, sizeof *held, held));
  for (int p = 0; p < P; p++) {
    if (p == grid_ctx.k) x->first = x->total;
    x->total += held[p];
  }
  if (x->total > UINT32_MAX)
    info = grid_fail(NULL, GrB_NOT_IMPLEMENTED,
                     "a page file has at most 2^32 - 1 rows and columns with entries, not %llu",
                     (unsigned long long)x->total);
done:
  grid_free(held);
  return info;
}

/* number = the numbers of this process's indices. The answers to n received ones are sent back. */
static GrB_Info exchange_numbers(grid_nonempty_list *x, const messages *m, const uint64_t *received,
                                 uint64_t n) {
  const size_t half = sizeof *received / sizeof *x->number;
  uint32_t *answer = grid_malloc(n, sizeof *answer);
  x->number = grid_malloc(x->n, sizeof *x->number);
  GrB_Info info =
      answer && x->number ? GrB_SUCCESS : grid_fail_memory(NULL, "numbers of rows or columns", n + x->n, 4);
  TRY(grid_agree(NULL, info));
#pragma omp parallel for schedule(static) num_threads(grid_ctx.threads) if (n > 1 << 10)
  for (uint64_t k = 0; k < n; k++)
    answer[k] = (uint32_t)(x->first + grid_lower_bound(x->share, 0, x->held, received[k]));
  for (size_t p = 0; p < 4 * (size_t)grid_ctx.P; p++) m->sent[p] /= half;
  TRY(grid_ctx.transport->exchange(GRID_SET_ALL, answer, m->received, m->received_at, x->number, m->sent,
                                   m->sent_at));
done:
  grid_free(answer);
  return info;
}

/* The list of which c has this process's indices. Takes them. */
static GrB_Info make_list(grid_nonempty_list *x, collection *c) {
  const int P = grid_ctx.P;
  uint64_t *bound = NULL, *received = NULL, n = 0;
  messages m = {NULL};
  GrB_Info info;
  make_distinct(c);
  *x = (grid_nonempty_list){.id = c->id, .n = c->n};
  const collection local = *c;
  *c = (collection){NULL};
  TRY(choose_bounds(&bound, &local));
  TRY(grid_agree(NULL, make_messages(&m, &local, bound)));
  TRY(grid_exchange_alloc(GRID_SET_ALL, local.id, m.sent, m.sent_at, (void **)&received, m.received,
                          m.received_at));
  n = (m.received_at[P - 1] + m.received[P - 1]) / sizeof *received;
  TRY(grid_agree(NULL, make_share(x, received, n)));
  TRY(place_share(x));
  TRY(exchange_numbers(x, &m, received, n));
done:
  grid_free(bound);
  grid_free(received);
  grid_free(m.sent);
  return info;
}

GrB_Info grid_nonempty_lists_make(grid_nonempty_lists *x, grid_tuple_buffer *u, bool mirror) {
  collecting c = {.mirror = mirror};
  *x = (grid_nonempty_lists){.mirror = mirror};
  GrB_Info info = grid_agree(NULL, grid_tuple_buffer_visit(u, collect, &c));
  if (info == GrB_SUCCESS) info = make_list(&x->list[0], &c.row);
  if (info == GrB_SUCCESS && !mirror) info = make_list(&x->list[1], &c.col);
  grid_free(c.row.id);
  grid_free(c.col.id);
  return info;
}

void grid_nonempty_lists_free(grid_nonempty_lists *x) {
  for (int k = 0; k < 2; k++) {
    grid_free(x->list[k].id);
    grid_free(x->list[k].number);
    grid_free(x->list[k].share);
  }
  *x = (grid_nonempty_lists){.mirror = false};
}

static uint64_t number_of(const grid_nonempty_list *x, uint64_t id) {
  return x->number[grid_lower_bound(x->id, 0, x->n, id)];
}

void grid_nonempty_lists_number(const grid_nonempty_lists *x, uint64_t *row, uint64_t *col) {
  *row = number_of(grid_nonempty_rows(x), *row);
  *col = number_of(grid_nonempty_columns(x), *col);
}

/* ---- names ---- */

GrB_Info grid_nonempty_lists_names(uint64_t **name, const grid_nonempty_lists *x, const grid_pages_head *h) {
  uint64_t *row = NULL, *col = NULL, rows = 0, cols = 0;
  GrB_Info info;
  const grid_nonempty_list *r = grid_nonempty_rows(x), *c = grid_nonempty_columns(x);
  TRY(grid_names_to_writers(&row, &rows, r->share, r->first, r->held, h));
  TRY(grid_names_to_writers(&col, &cols, c->share, h->rows + c->first, c->held, h));
  *name = grid_malloc(rows + cols, sizeof **name);
  if (!*name) info = grid_fail_memory(NULL, "numbers of rows and columns", rows + cols, sizeof **name);
  TRY(grid_agree(NULL, info));
  grid_copy_bytes(*name, row, rows * sizeof **name);
  grid_copy_bytes(*name + rows, col, cols * sizeof **name);
done:
  grid_free(row);
  grid_free(col);
  return info;
}
