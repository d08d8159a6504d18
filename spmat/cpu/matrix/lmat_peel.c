/* See lmat_peel.h. Each thread has a part of the vertices. At each level it looks for those of the level's
 * degree among its vertices that are left, and puts them on its stack. Then it removes the vertices of
 * its stack and puts those on it that this brings to the level. So threads wait for each other twice a level,
 * however many rounds a level has.
 *
 * Sources: Dasari, Ranjan, Zubair, ParK (2014); without waiting between rounds: Kabir, Madduri, Parallel
 * k-core decomposition on multicore platforms (2017). */
#include "spmat/cpu/matrix/lmat_peel.h"

#include <omp.h>

#include "spmat/device/device.h"
#include "spmat/vec_ops.h"
#include "spmat/vector/bitmap_words.h"

enum { NO_VERTEX = UINT32_MAX };

/* What a thread, or all of them, have found before a level is removed. */
typedef struct {
  uint64_t found; /* vertices of the level */
  uint64_t above; /* vertices above it, */
  int64_t sum;    /* of their degrees, */
  int32_t least;  /* and the least of these */
} level_scan;

typedef struct {
  const grid_compressed *rows;
  uint64_t n;
  int32_t *degree;  /* below the level: the vertex has left */
  uint32_t *rest;   /* of each thread: its vertices that are left */
  uint32_t *below;  /* the next vertex of the stack that a vertex is on */
  level_scan *scan; /* one a thread */
  int32_t first, last;
  Grid_Peel_Level *levels;
  uint64_t capacity, nlevels;
} peel_job;

static int32_t read_degree(const peel_job *p, uint32_t v) {
  return __atomic_load_n(&p->degree[v], __ATOMIC_RELAXED);
}

static void push_vertex(const peel_job *p, uint32_t *stack, uint32_t v) {
  p->below[v] = *stack;
  *stack = v;
}

/* One edge less to u, which is left: does that bring it to the level? Another thread may have done so in the
 * meantime; then nothing changes. */
static bool drop_edge(const peel_job *p, uint32_t u, int32_t level) {
  const int32_t before = __atomic_fetch_sub(&p->degree[u], 1, __ATOMIC_RELAXED);
  if (before <= level) __atomic_fetch_add(&p->degree[u], 1, __ATOMIC_RELAXED);
  return before - 1 == level;
}

static void remove_vertices(const peel_job *p, uint32_t *stack, int32_t level) {
  while (*stack != NO_VERTEX) {
    const uint32_t v = *stack;
    const uint64_t end = grid_vector_start(p->rows, v + UINT64_C(1));
    *stack = p->below[v];
    for (uint64_t e = grid_vector_start(p->rows, v); e < end; e++) {
      const uint32_t u = p->rows->idx[e];
      if (read_degree(p, u) > level && drop_edge(p, u, level)) push_vertex(p, stack, u);
    }
  }
}

/* The stack gets the vertices of the level among the *left first ones of rest, which become those above it.
 */
static level_scan find_level(const peel_job *p, uint32_t *rest, uint64_t *left, uint32_t *stack,
                             int32_t level) {
  level_scan s = {.least = INT32_MAX};
  for (uint64_t k = 0; k < *left; k++) {
    const uint32_t v = rest[k];
    const int32_t d = read_degree(p, v);
    if (d == level) push_vertex(p, stack, v), s.found++;
    if (d <= level) continue;
    rest[s.above++] = v;
    s.sum += d;
    s.least = d < s.least ? d : s.least;
  }
  *left = s.above;
  return s;
}

static level_scan join_scans(const peel_job *p, int threads) {
  level_scan all = p->scan[0];
  for (int t = 1; t < threads; t++) {
    const level_scan *s = p->scan + t;
    all.found += s->found, all.above += s->above, all.sum += s->sum;
    all.least = s->least < all.least ? s->least : all.least;
  }
  return all;
}

static void record_level(peel_job *p, const level_scan *all, int32_t level) {
  if (all->found == 0) return;
  if (p->nlevels < p->capacity)
    p->levels[p->nlevels] =
        (Grid_Peel_Level){level, all->found + all->above, all->sum + (int64_t)all->found * level};
  p->nlevels++;
}

/* *rest = the vertices of this thread: one of `threads` words in turn, since vertices of high degree are
 * often close in number. Returns how many there are. */
static uint64_t begin_rest(const peel_job *p, uint32_t **rest, unsigned me, unsigned threads) {
  const uint64_t words = grid_words(p->n);
  uint64_t left = 0;
  *rest = p->rest + me * 64 * (words / threads + 1);
  for (uint64_t w = me; w < words; w += threads)
    for (uint64_t v = 64 * w; v < p->n && v < 64 * w + 64; v++) (*rest)[left++] = (uint32_t)v;
  return left;
}

/* All threads of a region. */
static void remove_levels(peel_job *p) {
  const int threads = omp_get_num_threads(), me = omp_get_thread_num();
  uint32_t *rest, stack = NO_VERTEX;
  uint64_t left = begin_rest(p, &rest, (unsigned)me, (unsigned)threads);
  for (int32_t level = p->first; level <= p->last;) {
    p->scan[me] = find_level(p, rest, &left, &stack, level);
#pragma omp barrier
    const level_scan all = join_scans(p, threads);
    if (me == 0) record_level(p, &all, level);
    remove_vertices(p, &stack, level);
#pragma omp barrier
    if (level == p->last || all.above == 0) break;
    level = all.found ? level + 1 : all.least; /* where none has left the degrees are what they were */
  }
}

/* Entries that count as much as a word of 64 elements in the choice of threads. */
enum { ENTRIES_PER_WORD = 4 };

static GrB_Info allocate(peel_job *p, int threads) {
  p->degree = grid_malloc(p->n, sizeof *p->degree);
  p->rest = grid_malloc(64 * (grid_words(p->n) + (unsigned)threads), sizeof *p->rest);
  p->below = grid_malloc(p->n, sizeof *p->below);
  p->scan = grid_malloc((size_t)threads, sizeof *p->scan);
  return p->degree && p->rest && p->below && p->scan
             ? GrB_SUCCESS
             : grid_fail_memory(NULL, "degrees of vertices", p->n, 3 * sizeof *p->degree);
}

/* degree(at[k]) = value[k], others as if they had left; false: one is too large. */
static bool load_degrees(peel_job *p, const uint64_t *at, const int64_t *value, uint64_t entries) {
  const int threads = grid_word_threads(p->n / 64);
  int64_t largest = 0;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (uint64_t v = 0; v < p->n; v++) p->degree[v] = -1;
#pragma omp parallel for schedule(static) reduction(max : largest) num_threads(threads)
  for (uint64_t k = 0; k < entries; k++) {
    p->degree[at[k]] = value[k] < 0 ? -1 : (int32_t)value[k];
    largest = value[k] > largest ? value[k] : largest;
  }
  return largest < INT32_MAX;
}

static int32_t level_number(int64_t k) {
  return k < INT32_MAX ? (int32_t)k : INT32_MAX;
}

GrB_Info grid_cpu_lmat_peel(grid_chunk *t, uint64_t *levels, const grid_peel_operands *x) {
  const grid_local_matrix *a = x->a;
  const int threads = grid_work_threads(a->nvals / ENTRIES_PER_WORD);
  peel_job p = {.rows = &a->by_row,
                .n = x->degree->n,
                .first = level_number(x->first),
                .last = level_number(x->last),
                .levels = x->levels,
                .capacity = x->capacity};
  const uint64_t entries = x->degree->nvals;
  if (a->row.ids || a->col.ids || p.n >= NO_VERTEX) return GRID_UNSUPPORTED;
  uint64_t where, *at = grid_malloc(entries, sizeof *at);
  int64_t *value = grid_malloc(entries, sizeof *value);
  GrB_Info info = at && value ? GrB_SUCCESS : grid_fail_memory(NULL, "degrees", entries, 2 * sizeof *value);
  TRY(info);
  TRY(allocate(&p, threads));
  TRY(grid_vec_tuples(at, value, GrB_INT64, x->degree, 0));
  if (!load_degrees(&p, at, value, entries)) TRY(GRID_UNSUPPORTED);
#pragma omp parallel num_threads(threads)
  remove_levels(&p);
  *levels = p.nlevels;
#pragma omp parallel for schedule(static) num_threads(grid_word_threads(entries / 64))
  for (uint64_t k = 0; k < entries; k++)
    if (value[k] >= x->first) value[k] = p.degree[at[k]];
  info = grid_vec_build(t, at, value, GrB_INT64, 1, entries, (grid_dup){.last = true}, &where);
done:
  grid_free(at), grid_free(value);
  grid_free(p.degree), grid_free(p.rest), grid_free(p.below), grid_free(p.scan);
  return info;
}
