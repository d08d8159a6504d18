/* See lmat_color.h. Threads take the vertices in order. One that needs the color of an earlier vertex waits
 * for the thread that has it. None waits forever: the first vertex without a color needs no other.
 *
 * Sources: Jones, Plassmann, A parallel graph coloring heuristic (1993). */
#include "spmat/cpu/matrix/lmat_color.h"

#include <omp.h>
#include <sched.h>
#include <string.h>

#include "spmat/color_order.h"
#include "spmat/device/device.h"
#include "spmat/sort/sort.h"
#include "spmat/vector/bitmap_words.h"

enum {
  UNDECIDED = UINT32_MAX,
  NO_COLOR = UINT32_MAX - 1,
  BATCH = 16 /* vertices that a thread takes at a time */
};

typedef struct {
  const grid_compressed *rows;
  uint64_t n, key;
  uint32_t most;     /* colors */
  bool parallel;     /* several threads */
  uint32_t *order;   /* the vertices */
  uint32_t *color;   /* of each vertex, or UNDECIDED or NO_COLOR */
  uint32_t *next_to; /* of each thread: for each color 1 + the last vertex next to which it was */
  uint64_t capacity; /* colors there */
  uint64_t taken;    /* vertices of the order */
} color_job;

/* ---- the order ---- */

static uint64_t read_priorities(const grid_source *s, uint64_t from, uint64_t to, uint64_t *key,
                                uint32_t *bin, char *load) {
  const color_job *job = s->context;
  (void)bin;
  for (uint64_t v = from; v < to; v++) {
    key[v - from] = ~grid_color_priority(v, job->key);
    if (load) grid_load_set(load, v - from, sizeof(uint32_t), v);
  }
  return to - from;
}

static GrB_Info sort_vertices(const color_job *job) {
  const grid_source all = {.n = job->n, .times = 1, .read = read_priorities, .context = job};
  grid_sorted sorted;
  const GrB_Info info = grid_sort_tuples(&sorted, &all, sizeof(uint32_t), 64, 0, NULL);
  if (info != GrB_SUCCESS) return info;
  uint32_t *to = job->order;
  for (uint64_t k = 0; k < sorted.runs; to += sorted.run[k++].n)
    memcpy(to, sorted.run[k].load, sorted.run[k].n * sizeof *to);
  grid_sorted_free(&sorted);
  return info;
}

/* ---- colors ---- */

static uint32_t read_color(const color_job *job, uint32_t v) {
  return __atomic_load_n(&job->color[v], __ATOMIC_RELAXED);
}

/* The color of u, an undecided neighbor of v; if u is earlier, once it is decided. */
static uint32_t await_color(const color_job *job, uint32_t u, uint32_t v) {
  uint32_t c = UNDECIDED;
  if (!job->parallel || grid_color_priority(u, job->key) <= grid_color_priority(v, job->key)) return c;
  for (int spins = 0; (c = read_color(job, u)) == UNDECIDED; spins++)
    if (spins > 1 << 10) sched_yield();
  return c;
}

/* The smallest color that no earlier neighbor has. */
static uint32_t choose_color(const color_job *job, uint32_t *next_to, uint32_t v) {
  const uint32_t *idx = job->rows->idx, most = job->most;
  const uint64_t end = grid_vector_start(job->rows, v + UINT64_C(1)), capacity = job->capacity;
  uint32_t c = 0;
  for (uint64_t e = grid_vector_start(job->rows, v); e < end; e++) {
    uint32_t neighbor_color = read_color(job, idx[e]);
    if (neighbor_color == UNDECIDED) neighbor_color = await_color(job, idx[e], v);
    if (neighbor_color < capacity) next_to[neighbor_color] = v + 1;
  }
  while (c < most && next_to[c] == v + 1) c++;
  return c < most ? c : NO_COLOR;
}

/* The rows of vertices that follow in the order lie anywhere: their memory is requested together. */
static void prefetch_rows(const grid_compressed *rows, const uint32_t *order, uint64_t n) {
  for (uint64_t k = 0; k < n; k++)
    __builtin_prefetch(rows->offsets64 ? (void *)(rows->offsets64 + order[k])
                                       : (void *)(rows->ptr + order[k]));
  for (uint64_t k = 0; k < n; k++) __builtin_prefetch(rows->idx + grid_vector_start(rows, order[k]));
}

/* A thread. */
static void color_vertices(color_job *job, uint32_t *next_to) {
  for (;;) {
    const uint64_t first = __atomic_fetch_add(&job->taken, BATCH, __ATOMIC_RELAXED);
    if (first >= job->n) return;
    const uint64_t count = job->n - first < BATCH ? job->n - first : BATCH;
    const uint32_t *v = job->order + first;
    prefetch_rows(job->rows, v, count);
    for (uint64_t k = 0; k < count; k++)
      __atomic_store_n(&job->color[v[k]], choose_color(job, next_to, v[k]), __ATOMIC_RELAXED);
  }
}

/* t = the colors of those that have one. Returns the number of colors. */
static uint64_t write_colors(grid_chunk *t, const color_job *job) {
  uint64_t colors = 0, entries = 0;
  int64_t *val = t->val;
#pragma omp parallel for schedule(static) reduction(max : colors) reduction(+ : entries) \
    num_threads(grid_word_threads(grid_words(job->n)))
  for (uint64_t w = 0; w < grid_words(job->n); w++) {
    uint64_t bits = 0;
    for (uint64_t v = 64 * w; v < job->n && v < 64 * w + 64; v++) {
      const uint32_t c = job->color[v];
      val[v] = c;
      if (c == NO_COLOR) continue;
      bits |= UINT64_C(1) << (v & 63);
      colors = c >= colors ? c + UINT64_C(1) : colors;
    }
    t->bits[w] = bits;
    entries += (uint64_t)__builtin_popcountll(bits);
  }
  t->nvals = entries, t->format = entries == job->n ? GRID_FULL : GRID_BITMAP;
  return colors;
}

/* ---- */

/* Colors that a thread has space for, in whole cache lines. A vertex with d neighbors gets one of the first
 * d + 1. */
static uint64_t colors_of_thread(const color_job *job, int threads) {
  uint64_t degree = 0;
#pragma omp parallel for schedule(static) reduction(max : degree) num_threads(threads)
  for (uint64_t v = 0; v < job->n; v++) {
    const uint64_t d = grid_vector_start(job->rows, v + 1) - grid_vector_start(job->rows, v);
    degree = d > degree ? d : degree;
  }
  const uint64_t colors = degree < job->most ? degree + 1 : job->most;
  return (colors + 31) / 32 * 32;
}

static GrB_Info allocate(color_job *job, int threads) {
  job->capacity = colors_of_thread(job, threads);
  job->next_to = grid_calloc(job->capacity * (unsigned)threads, sizeof *job->next_to);
  job->order = grid_malloc(job->n, sizeof *job->order);
  job->color = grid_malloc(job->n, sizeof *job->color);
  return job->next_to && job->order && job->color
             ? GrB_SUCCESS
             : grid_fail_memory(NULL, "colors of vertices", job->n, 2 * sizeof *job->color);
}

/* Entries that count as much as a word of 64 elements in the choice of threads. */
enum { ENTRIES_PER_WORD = 4 };

GrB_Info grid_cpu_lmat_color(grid_chunk *t, uint64_t *colors, const grid_color_operands *x) {
  const int threads = grid_word_threads(x->a->nvals / ENTRIES_PER_WORD);
  color_job job = {.rows = &x->a->by_row,
                   .n = t->n,
                   .key = x->key,
                   .most = x->most < NO_COLOR ? (uint32_t)x->most : NO_COLOR,
                   .parallel = threads > 1};
  GrB_Info info;
  if (x->a->row.ids || x->a->col.ids || job.n >= NO_COLOR) return GRID_UNSUPPORTED;
  TRY(allocate(&job, threads));
  TRY(sort_vertices(&job));
  TRY(grid_chunk_reserve_dense(t, false));
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (uint64_t v = 0; v < job.n; v++) job.color[v] = UNDECIDED;
    color_vertices(&job, job.next_to + job.capacity * (unsigned)omp_get_thread_num());
  }
  *colors = write_colors(t, &job);
done:
  grid_free(job.order), grid_free(job.color), grid_free(job.next_to);
  return info;
}
