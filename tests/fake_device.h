/* A device simulated in host memory, for deferred loop execution (dist/lookahead). It implements the backend
 * functions that lookahead calls as plain loops, and a search engine that does the minimum its interface
 * promises. Everything else, products above all, falls back to the CPU. */
#ifndef GRID_FAKE_DEVICE_H
#define GRID_FAKE_DEVICE_H
#include <stdlib.h>
#include <string.h>

#include "dist/grid/process_grid.h"
#include "spmat/backend.h"
#include "spmat/device/context_device.h"
#include "spmat/vector/bitmap_words.h"

/* ---- memory -------------------------------------------------------------------------------------------- */

enum { FAKE_GPUS = 64 };
static GrB_Info fake_open(int which, grid_gpu_choice choice, int *number) {
  if (which >= FAKE_GPUS && choice != GRID_GPU_SHARED)
    return grid_fail(NULL, GrB_INVALID_VALUE, "no simulated GPU %d", which);
  *number = which % FAKE_GPUS;
  return GrB_SUCCESS;
}
static void fake_close(void) {}
static GrB_Info fake_describe(grid_device_facts *f) {
  *f = (grid_device_facts){.number = grid_device_number(),
                           .count = FAKE_GPUS,
                           .free = UINT64_C(1) << 40,
                           .total = UINT64_C(1) << 40};
  return GrB_SUCCESS;
}
/* Set in the device's addresses, which host code cannot follow then. */
static const uint64_t fake_tag = UINT64_C(1) << 62;
static void *fake_at(const void *p) {
  return (void *)((uintptr_t)p & ~fake_tag);
}
static void *fake_alloc(uint64_t bytes) {
  void *p = malloc(bytes);
  if (!p) return NULL;
  memset(p, 0xa5, bytes);
  return (void *)((uintptr_t)p | fake_tag);
}
static void fake_release(void *p, uint64_t bytes) {
  (void)bytes;
  free(fake_at(p));
}
static void fake_release_foreign(void *p) {
  free(fake_at(p));
}
static GrB_Info fake_copy(void *to, const void *from, uint64_t bytes, int kind) {
  (void)kind;
  memcpy(fake_at(to), fake_at(from), bytes);
  return GrB_SUCCESS;
}
static GrB_Info fake_zero(void *p, uint64_t bytes) {
  memset(fake_at(p), 0, bytes);
  return GrB_SUCCESS;
}
static GrB_Info fake_wait(void) {
  return GrB_SUCCESS;
}
static GrB_Info fake_use_side_stream(bool begin) {
  (void)begin;
  return GrB_SUCCESS;
}
static void fake_watch(GrB_Info (*check)(void)) {
  (void)check;
}
static const grid_device_memory fake_memory = {fake_open,    fake_close,           fake_describe, fake_alloc,
                                               fake_release, fake_release_foreign, fake_copy,     fake_zero,
                                               fake_wait,    fake_use_side_stream, fake_wait,     fake_watch};

/* ---- chunks -------------------------------------------------------------------------------------------- */

static void fake_set_bit(uint64_t *bits, uint64_t i) {
  ((uint64_t *)fake_at(bits))[i / 64] |= UINT64_C(1) << i % 64;
}
static GrB_Info fake_fill(void *to, const void *x, size_t size, uint64_t count) {
  for (uint64_t k = 0; k < count; k++) memcpy((char *)fake_at(to) + k * size, x, size);
  return GrB_SUCCESS;
}
static GrB_Info fake_scatter(uint64_t *bits, void *val, const uint64_t *idx, const void *packed,
                             uint64_t nvals, size_t size) {
  idx = fake_at(idx), packed = fake_at(packed);
  for (uint64_t k = 0; k < nvals; k++) {
    fake_set_bit(bits, idx[k]);
    if (val) memcpy((char *)fake_at(val) + idx[k] * size, (const char *)packed + k * size, size);
  }
  return GrB_SUCCESS;
}
static GrB_Info fake_scatter_short_list(uint64_t *bits, void *val, uint64_t n, const uint64_t *idx,
                                        const void *packed, uint32_t nvals, size_t size) {
  memset(fake_at(bits), 0, grid_words(n) * sizeof *bits);
  return fake_scatter(bits, val, idx, packed, nvals, size);
}
static GrB_Info fake_copy_values(void *to, const uint64_t *bits, const void *val, size_t size, uint64_t n) {
  to = fake_at(to), bits = fake_at(bits), val = fake_at(val);
  for (uint64_t i = 0; i < n; i++)
    if (grid_bit(bits, i)) memcpy((char *)to + i * size, (const char *)val + i * size, size);
  return GrB_SUCCESS;
}
static GrB_Info fake_list(uint64_t *idx, void *packed, const uint64_t *bits, const void *val, size_t size,
                          uint64_t n, uint64_t first, uint64_t *counter) {
  idx = fake_at(idx), counter = fake_at(counter);
  for (uint64_t i = 0; i < n; i++) {
    if (bits && !grid_bit(fake_at(bits), i)) continue;
    if (packed)
      memcpy((char *)fake_at(packed) + *counter * size, (const char *)fake_at(val) + i * size, size);
    idx[(*counter)++] = first + i;
  }
  return GrB_SUCCESS;
}
static GrB_Info fake_pack_values(void *packed, uint32_t *start, uint32_t *counter, const uint64_t *bits,
                                 const void *val, size_t size, uint64_t n) {
  packed = fake_at(packed), start = fake_at(start), counter = fake_at(counter);
  for (uint64_t i = 0; i < n; i++) {
    if (i % GRID_PACKED_STRETCH == 0) start[i / GRID_PACKED_STRETCH] = *counter;
    if (!bits || grid_bit(fake_at(bits), i))
      memcpy((char *)packed + (*counter)++ * size, (const char *)fake_at(val) + i * size, size);
  }
  return GrB_SUCCESS;
}
static GrB_Info fake_unpack_values(void *val, const uint64_t *bits, const uint32_t *start, const void *packed,
                                   size_t size, uint64_t n) {
  uint64_t at = 0;
  val = fake_at(val), bits = fake_at(bits), start = fake_at(start), packed = fake_at(packed);
  for (uint64_t i = 0; i < n; i++) {
    if (i % GRID_PACKED_STRETCH == 0) at = start[i / GRID_PACKED_STRETCH];
    if (grid_bit(bits, i)) memcpy((char *)val + i * size, (const char *)packed + at++ * size, size);
  }
  return GrB_SUCCESS;
}
static GrB_Info fake_entry(uint64_t *bits, void *val, uint64_t k, uint64_t i, const void *x, size_t size,
                           bool present) {
  if (bits && present) fake_set_bit(bits, i);
  if (bits && !present) ((uint64_t *)fake_at(bits))[i / 64] &= ~(UINT64_C(1) << i % 64);
  if (val) memcpy((char *)fake_at(val) + k * size, x, size);
  return GrB_SUCCESS;
}
static GrB_Info fake_combine(uint64_t *to, const uint64_t *a, const uint64_t *b, grid_bitmap_op how,
                             uint64_t n, uint64_t *count) {
  uint64_t sum = 0;
  to = fake_at(to), a = fake_at(a), b = fake_at(b);
  for (uint64_t w = 0; w < grid_words(n); w++) {
    const uint64_t x = a ? a[w] : ~UINT64_C(0), y = b ? b[w] : ~UINT64_C(0);
    const uint64_t z = (how == GRID_AND ? x & y : how == GRID_OR ? x | y : x & ~y) & grid_tail(n, w);
    if (to) to[w] = z;
    sum += (uint64_t)__builtin_popcountll(z);
  }
  if (count) *count = sum;
  return GrB_SUCCESS;
}
static GrB_Info fake_wait_count(uint64_t ticket, uint64_t *count, bool *known) {
  (void)ticket, (void)count;
  *known = false;
  return GrB_SUCCESS;
}
static GrB_Info fake_truth(uint64_t *to, const uint64_t *bits, const void *val, GrB_Type type, uint64_t n) {
  to = fake_at(to), bits = fake_at(bits), val = fake_at(val);
  memset(to, 0, grid_words(n) * sizeof *to);
  for (uint64_t i = 0; i < n; i++)
    if ((!bits || grid_bit(bits, i)) && grid_is_true(type, (const char *)val + i * type->size))
      fake_set_bit(to, i);
  return GrB_SUCCESS;
}
static GrB_Info fake_write(grid_write *p) {
  (void)p;
  return GRID_UNSUPPORTED;
}
static const grid_device_chunks fake_chunks = {.fill = fake_fill,
                                               .scatter_short_list = fake_scatter_short_list,
                                               .scatter = fake_scatter,
                                               .copy_values = fake_copy_values,
                                               .list = fake_list,
                                               .pack = fake_pack_values,
                                               .unpack = fake_unpack_values,
                                               .entry = fake_entry,
                                               .combine = fake_combine,
                                               .wait_count = fake_wait_count,
                                               .select_true = fake_truth,
                                               .write_plan = fake_write,
                                               .write_run = fake_write};

/* ---- unsupported operations ---------------------------------------------------------------------------- */

static GrB_Info decline_ewise(grid_chunk *t, const grid_chunk *u, const grid_chunk *v, GrB_BinaryOp op,
                              bool add) {
  (void)t, (void)u, (void)v, (void)op, (void)add;
  return GRID_UNSUPPORTED;
}
static GrB_Info decline_apply(grid_chunk *t, const grid_chunk *u, GrB_UnaryOp op) {
  (void)t, (void)u, (void)op;
  return GRID_UNSUPPORTED;
}
static GrB_Info lacks_first(grid_chunk *t, const void *x, const grid_chunk *u, GrB_BinaryOp op) {
  (void)t, (void)x, (void)u, (void)op;
  return GRID_UNSUPPORTED;
}
static GrB_Info decline_second(grid_chunk *t, const grid_chunk *u, const void *y, GrB_BinaryOp op) {
  (void)t, (void)y, (void)u, (void)op;
  return GRID_UNSUPPORTED;
}
static GrB_Info decline_index(grid_chunk *t, const grid_chunk *u, GrB_IndexUnaryOp op, const void *y,
                              uint64_t first) {
  (void)t, (void)y, (void)u, (void)op, (void)first;
  return GRID_UNSUPPORTED;
}
static GrB_Info decline_reduce(void *z, bool *present, const grid_chunk *u, GrB_BinaryOp op,
                               const void *terminal, bool any) {
  (void)z, (void)present, (void)u, (void)op, (void)terminal, (void)any;
  return GRID_UNSUPPORTED;
}
static const grid_vec_ops fake_vectors = {.ewise = decline_ewise,
                                          .apply = decline_apply,
                                          .apply_first = lacks_first,
                                          .apply_second = decline_second,
                                          .apply_index = decline_index,
                                          .select = decline_index,
                                          .reduce = decline_reduce};

static GrB_Info decline_pack(const grid_program_tuples *from, grid_device_tuples *t) {
  (void)from, (void)t;
  return GRID_UNSUPPORTED;
}
static GrB_Info decline_build(grid_local_matrix *p, const grid_device_tuples *t, grid_pair *bad) {
  (void)p, (void)t, (void)bad;
  return GRID_UNSUPPORTED;
}
static const struct grid_builder fake_builder = {.pack = decline_pack, .build = decline_build};

static bool accepts_no_semiring(GrB_Semiring s) {
  (void)s;
  return false;
}
static const grid_device_products fake_products = {.is_supported = accepts_no_semiring};

/* ---- the search ---------------------------------------------------------------------------------------- */

/* On one process or several, which exchange all their results after each level. With g.P = 1 the graph is of
 * this process alone. */
struct grid_search {
  grid_search_graph g;
  uint8_t *level;       /* of the local vertices */
  uint8_t *all, *front; /* of all vertices: finished levels, and 1 for a vertex in the initial frontier */
  uint64_t count[GRID_SEARCH_LEVELS + 2], local[GRID_SEARCH_LEVELS + 2];
};

static GrB_Info fake_make(grid_search **s, const grid_search_graph *g) {
  *s = calloc(1, sizeof **s);
  (*s)->g = *g;
  (*s)->g.in_ptr = fake_at(g->in_ptr), (*s)->g.in_offsets64 = fake_at(g->in_offsets64);
  (*s)->g.in_idx = fake_at(g->in_idx);
  (*s)->level = calloc(g->q + 64, 1);
  (*s)->all = calloc((uint64_t)g->P * g->q + 64, 1);
  (*s)->front = calloc((uint64_t)g->P * g->q + 64, 1);
  return GrB_SUCCESS;
}
static void fake_free(grid_search *s) {
  free(s->level), free(s->all), free(s->front);
  free(s);
}
static void fake_store(void *at, int bytes, uint64_t i, uint64_t x) {
  const uint32_t narrow = (uint32_t)x;
  at = fake_at(at);
  if (bytes == 4) memcpy((char *)at + 4 * i, &narrow, 4);
  if (bytes == 8) memcpy((char *)at + 8 * i, &x, 8);
}

static bool fake_before(const grid_search *s, uint32_t u, uint32_t level) {
  return level > 1 ? s->all[u] == level - 1 : s->front[u];
}
static GrB_Info fake_allgather(const grid_search *s, const uint8_t *local, uint8_t *all) {
  if (s->g.P > 1) return grid_gather_into(local, s->g.n_local, 1, all);
  memcpy(all, local, s->g.n_local);
  return GrB_SUCCESS;
}
/* Before the first level, local vertices of the frontier count as unvisited. */
static GrB_Info fake_frontier(grid_search *s, const grid_search_job *job) {
  memset(s->level, 0, s->g.q);
  for (uint64_t v = 0; job->frontier && v < s->g.n_local; v++)
    s->level[v] = grid_bit(fake_at(job->frontier), v);
  for (uint32_t k = 0; !job->frontier && k < job->nshort_list; k++) s->level[job->short_list[k]] = 1;
  GrB_Info info = fake_allgather(s, s->level, s->front);
  memset(s->level, 0, s->g.q);
  memset(s->all, 0, (uint64_t)s->g.P * s->g.q);
  return info;
}

static bool fake_visited(const grid_search_job *job, uint32_t v) {
  if (job->visited) return grid_bit(fake_at(job->visited), v);
  for (uint32_t k = 0; k < job->nvisited_list; k++)
    if (job->visited_list[k] == v) return true;
  return false;
}
/* job->after, at the end of a run. */
static void fake_fill_visited(const grid_search *s, const grid_search_job *job) {
  const grid_search_visited *after = &job->after;
  if (!after->bits) return;
  memset(fake_at(after->bits), 0, grid_words(s->g.n_local) * sizeof *after->bits);
  for (uint32_t v = 0; v < s->g.n_local; v++)
    if (s->level[v] || fake_visited(job, v)) fake_set_bit(after->bits, v);
  for (uint32_t k = 0; k < job->nvisited_list; k++)
    memcpy((char *)fake_at(after->values) + job->visited_list[k] * after->size, &after->value[k],
           after->size);
}

/* Number of entries in the rows before v. */
static uint64_t fake_entries(const grid_search_graph *g, uint32_t v) {
  return g->in_offsets64 ? g->in_offsets64[v] : g->in_ptr[v];
}

/* Finds the vertices reached from the previous level; any parent of a vertex will do. */
static GrB_Info fake_level(grid_search *s, const grid_search_job *job, uint32_t level) {
  const grid_search_graph *g = &s->g;
  for (uint32_t v = 0; v < g->n_local; v++) {
    if (s->level[v] || fake_visited(job, v)) continue;
    fake_store(job->parent, job->parent_bytes, v, 0x5a5a5a5a); /* marks a vertex v that was not found */
    uint32_t choices = 0, parent = 0;
    for (uint64_t e = fake_entries(g, v); e < fake_entries(g, v + 1); e++)
      if (fake_before(s, g->in_idx[e], level) && (uint32_t)rand() % ++choices == 0) parent = g->in_idx[e];
    if (choices == 0) continue;
    s->local[level]++;
    s->level[v] = (uint8_t)level;
    fake_store(job->parent, job->parent_bytes, v, parent);
  }
  s->count[level] = s->local[level];
  GrB_Info info = fake_allgather(s, s->level, s->all);
  return info == GrB_SUCCESS && g->P > 1
             ? grid_ctx.transport->allreduce(GRID_SET_ALL, &s->count[level], 1, GRID_SUM)
             : info;
}

/* Found vertices get their level after the whole level is done, so that a level does not reach its own
 * vertices. */
static GrB_Info fake_start(grid_search *s, const grid_search_job *job) {
  memset(s->count, 0, sizeof s->count);
  memset(s->local, 0, sizeof s->local);
  GrB_Info info = fake_frontier(s, job);
  for (uint32_t k = 1; k <= job->max_levels && (k == 1 || s->count[k - 1]) && info == GrB_SUCCESS; k++)
    info = fake_level(s, job, k);
  fake_fill_visited(s, job);
  return info;
}
static GrB_Info fake_count(grid_search *s, uint32_t k, uint64_t *count, grid_search_level *what) {
  *count = s->count[k];
  if (what) *what = (grid_search_level){0};
  return GrB_SUCCESS;
}
static GrB_Info fake_count_local(grid_search *s, uint32_t k, uint64_t *count) {
  *count = s->local[k];
  return GrB_SUCCESS;
}
static GrB_Info fake_end(grid_search *s) {
  (void)s;
  return GrB_SUCCESS;
}
static GrB_Info fake_pause(grid_search *s, uint32_t k) {
  (void)s, (void)k;
  return GrB_SUCCESS;
}
static const uint8_t *fake_levels(const grid_search *s) {
  return s->level;
}
static GrB_Info fake_least(grid_search *s, const grid_search_job *job, uint32_t last) {
  const grid_search_graph *g = &s->g;
  for (uint32_t v = 0; v < g->n_local; v++) {
    if (s->level[v] < 1 || s->level[v] > last) continue;
    uint64_t e = fake_entries(g, v);
    while (!fake_before(s, g->in_idx[e], s->level[v])) e++;
    fake_store(job->parent, job->parent_bytes, v, g->in_idx[e]);
  }
  return GrB_SUCCESS;
}
static GrB_Info fake_check_identity(const void *x, const uint64_t *bits, size_t size, uint64_t n,
                                    uint64_t first, bool *identity) {
  *identity = true, x = fake_at(x), bits = fake_at(bits);
  for (uint64_t i = 0; i < n; i++) {
    uint64_t y = 0;
    memcpy(&y, (const char *)x + i * size, size);
    *identity = *identity && (y == first + i || (bits && !grid_bit(bits, i)));
  }
  return GrB_SUCCESS;
}
static const grid_search_engine fake_search = {.make = fake_make,
                                               .free = fake_free,
                                               .start = fake_start,
                                               .count = fake_count,
                                               .count_local = fake_count_local,
                                               .wait = fake_end,
                                               .pause = fake_pause,
                                               .levels = fake_levels,
                                               .min_parents = fake_least,
                                               .check_identity = fake_check_identity,
                                               .fills_visited = true};

static void fake_value(const grid_materialize *m, uint64_t i, bool present) {
  char *to = (char *)fake_at(m->val) + i * m->size;
  if (!m->val || m->val == m->source) return;
  if (!present)
    memset(to, 0x33, m->size); /* a position without an entry has no value */
  else if (m->numbers)
    fake_store(m->val, (int)m->size, i, m->first + i);
  else
    memcpy(to,
           m->table ? (const char *)m->table + m->level[i] * m->size
                    : (const char *)fake_at(m->source) + i * m->size,
           m->size);
}
static GrB_Info fake_materialize(grid_materialize *jobs, int n) {
  for (grid_materialize *m = jobs; m < jobs + n; m++) {
    if (m->fresh) memset(fake_at(m->bits), 0, grid_words(m->n) * sizeof *m->bits);
    for (uint64_t i = 0; i < m->n; i++) {
      const bool hit = m->level[i] && m->level[i] >= m->from && m->level[i] <= m->to;
      if (hit) fake_set_bit(m->bits, i);
      if (hit || !grid_bit(fake_at(m->bits), i)) fake_value(m, i, hit);
    }
    if (m->count) fake_combine(NULL, m->bits, NULL, GRID_AND, m->n, &m->nvals);
  }
  return GrB_SUCCESS;
}

static const grid_backend fake_device = {.name = "fake",
                                         .memory = &fake_memory,
                                         .builder = &fake_builder,
                                         .chunks = &fake_chunks,
                                         .vectors = &fake_vectors,
                                         .products = &fake_products,
                                         .search = &fake_search,
                                         .materialize = fake_materialize};
#endif
