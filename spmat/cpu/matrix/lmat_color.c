/* See lmat_color.h. Each thread takes a range of the vertices in order. Where it needs the color of an
 * earlier vertex, it waits for the thread that has that, of this process or of another. None waits forever:
 * the first vertex without a color needs no other.
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

/* Of a vertex that is decided: its color, or NO_COLOR. Of another: the upper bits of its priority, from
 * UNDECIDED on, so that one read and one comparison find the neighbors to wait for. */
#define UNDECIDED (UINT32_C(1) << 31)

enum {
  NO_COLOR = INT32_MAX,
  LIST = 64,           /* neighbors that a thread waits for at a time */
  AHEAD = 8,           /* vertices between the steps of a prefetch; neighbors that it reads */
  ENTRIES_PER_WORD = 4 /* that count as much as a word of 64 elements in the choice of threads */
};

static uint64_t priority(const grid_color_job *job, uint64_t v) {
  return grid_color_priority(job->first + v, job->key);
}

/* ---- before the colors ---- */

static uint64_t count_entries(const grid_color_job *job, uint64_t from, uint64_t to) {
  return grid_vector_start(&job->rows, to) - grid_vector_start(&job->rows, from);
}

/* Colors that a thread has space for, in whole cache lines, and one for what is no color. A vertex with d
 * neighbors gets one of the first d + 1. */
static uint64_t colors_of_thread(const grid_color_job *job) {
  uint64_t most = 0;
#pragma omp parallel for schedule(static) reduction(max : most) num_threads(job->threads)
  for (uint64_t v = 0; v < job->n; v++) {
    const uint64_t degree = count_entries(job, v, v + 1);
    most = degree > most ? degree : most;
  }
  const uint64_t colors = most < job->most ? most + 1 : job->most;
  return (colors + 32) / 32 * 32;
}

static uint64_t read_priorities(const grid_source *s, uint64_t from, uint64_t to, uint64_t *key,
                                uint32_t *bin, char *load) {
  (void)bin;
  for (uint64_t v = from; v < to; v++) {
    key[v - from] = ~priority(s->context, v);
    if (load) grid_load_set(load, v - from, sizeof(uint32_t), v);
  }
  return to - from;
}

static GrB_Info sort_vertices(const grid_color_job *job) {
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

GrB_Info grid_color_job_make(grid_color_job *job) {
  job->threads = grid_work_threads(count_entries(job, 0, job->n) / ENTRIES_PER_WORD);
  if (job->most > NO_COLOR) job->most = NO_COLOR;
  job->capacity = colors_of_thread(job);
  job->next_to = grid_calloc(job->capacity * (unsigned)job->threads, sizeof *job->next_to);
  job->order = grid_malloc(job->n, sizeof *job->order);
  job->of_thread = grid_malloc(job->n, sizeof *job->of_thread);
  if (!job->next_to || !job->order || !job->of_thread)
    return grid_fail_memory(NULL, "an order of vertices", job->n, 2 * sizeof *job->order);
#pragma omp parallel for schedule(static) num_threads(job->threads)
  for (uint64_t v = 0; v < job->n; v++)
    job->color[job->first + v] = UNDECIDED | (uint32_t)(priority(job, v) >> 33);
  return sort_vertices(job);
}

void grid_color_job_free(grid_color_job *job) {
  grid_free(job->next_to), grid_free(job->order), grid_free(job->of_thread);
}

/* ---- a vertex ---- */

static inline uint32_t read_color(const grid_color_job *job, uint32_t u) {
  return __atomic_load_n(&job->color[u], __ATOMIC_RELAXED);
}

/* v has a neighbor of this color, which may be none. */
static inline void mark_color(const grid_color_job *job, uint32_t *next_to, uint32_t c, uint32_t v) {
  const uint32_t none = (uint32_t)job->capacity - 1;
  next_to[c < none ? c : none] = v + 1;
}

/* Of an undecided neighbor whose upper bits are not below v's: it may be v, or be later by the other bits. */
static bool is_earlier(const grid_color_job *job, uint32_t u, uint32_t v) {
  return grid_color_priority(u, job->key) > priority(job, v);
}

static uint32_t await_color(const grid_color_job *job, uint32_t u) {
  uint32_t c;
  for (int spins = 0; (c = read_color(job, u)) >= UNDECIDED; spins++)
    if (spins > 1 << 10) sched_yield();
  return c;
}

static void await_list(const grid_color_job *job, uint32_t *next_to, const uint32_t *list, unsigned listed,
                       uint32_t v) {
  for (unsigned k = 0; k < listed; k++) mark_color(job, next_to, await_color(job, list[k]), v);
}

/* The smallest color that no earlier neighbor has. Neighbors to wait for are listed, so that other threads
 * have time to color them while the rest of the row is read. */
static uint32_t choose_color(const grid_color_job *job, uint32_t *next_to, uint32_t v) {
  const uint32_t *idx = job->rows.idx, undecided = read_color(job, (uint32_t)job->first + v);
  const uint64_t end = grid_vector_start(&job->rows, v + UINT64_C(1));
  uint32_t list[LIST], c = 0;
  unsigned listed = 0;
  for (uint64_t e = grid_vector_start(&job->rows, v); e < end; e++) {
    const uint32_t u = idx[e], neighbor_color = read_color(job, u);
    mark_color(job, next_to, neighbor_color, v);
    if (neighbor_color < undecided || !is_earlier(job, u, v)) continue;
    list[listed++] = u;
    if (listed == LIST) await_list(job, next_to, list, listed, v), listed = 0;
  }
  await_list(job, next_to, list, listed, v);
  while (c < job->most && next_to[c] == v + 1) c++;
  return c < job->most ? c : NO_COLOR;
}

/* ---- the vertices of a thread ---- */

/* The first vertex of thread t of `threads`: each has about as many entries and vertices together. Ranges,
 * since neighbors are often close in number: their colors are then in the thread's cache. */
static uint32_t first_of_thread(const grid_color_job *job, unsigned t, unsigned threads) {
  const uint64_t before = (count_entries(job, 0, job->n) + job->n) * t / threads;
  uint64_t low = 0, high = job->n;
  while (low < high) {
    const uint64_t v = low + (high - low) / 2;
    if (count_entries(job, 0, v) + v < before)
      low = v + 1;
    else
      high = v;
  }
  return (uint32_t)low;
}

/* *order = the n vertices from `first` on. */
static void select_vertices(uint32_t *order, const grid_color_job *job, uint32_t first, uint32_t n) {
  uint32_t found = 0;
  for (const uint32_t *v = job->order; found < n; v++) {
    order[found] = *v;
    found += *v - first < n;
  }
}

/* The rows of the vertices that follow in the order, and the colors of neighbors, lie anywhere. Their memory
 * is requested in three steps, each of which reads what the one before has requested. */
static inline __attribute__((always_inline)) void prefetch(const grid_color_job *job, const uint32_t *order,
                                                           uint64_t n) {
  const grid_compressed *rows = &job->rows;
  if (3 * AHEAD < n) {
    const uint32_t v = order[3 * AHEAD];
    __builtin_prefetch(rows->offsets64 ? (void *)(rows->offsets64 + v) : (void *)(rows->ptr + v));
  }
  if (2 * AHEAD < n) __builtin_prefetch(rows->idx + grid_vector_start(rows, order[2 * AHEAD]));
  if (AHEAD >= n) return;
  const uint64_t begin = grid_vector_start(rows, order[AHEAD]),
                 end = grid_vector_start(rows, order[AHEAD] + UINT64_C(1));
  for (uint64_t e = begin; e < end && e < begin + AHEAD; e++) __builtin_prefetch(job->color + rows->idx[e]);
}

static void color_vertices(const grid_color_job *job, unsigned t, unsigned threads) {
  const uint32_t first = first_of_thread(job, t, threads), n = first_of_thread(job, t + 1, threads) - first;
  uint32_t *const next_to = job->next_to + job->capacity * t, *const order = job->of_thread + first;
  select_vertices(order, job, first, n);
  for (uint32_t k = 0; k < n; k++) {
    prefetch(job, order + k, n - k);
    __atomic_store_n(&job->color[job->first + order[k]], choose_color(job, next_to, order[k]),
                     __ATOMIC_RELAXED);
  }
}

/* ---- all of them ---- */

/* t = the colors of those that have one. Returns the number of colors. */
static uint64_t write_colors(grid_chunk *t, const grid_color_job *job) {
  uint64_t colors = 0, entries = 0;
  int64_t *val = t->val;
#pragma omp parallel for schedule(static) reduction(max : colors) reduction(+ : entries) \
    num_threads(grid_word_threads(grid_words(job->n)))
  for (uint64_t w = 0; w < grid_words(job->n); w++) {
    uint64_t bits = 0;
    for (uint64_t v = 64 * w; v < job->n && v < 64 * w + 64; v++) {
      const uint32_t c = job->color[job->first + v];
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

uint64_t grid_color_job_run(grid_chunk *t, const grid_color_job *job) {
#pragma omp parallel num_threads(job->threads)
  color_vertices(job, (unsigned)omp_get_thread_num(), (unsigned)omp_get_num_threads());
  return write_colors(t, job);
}
