/* See lmat_distances.h. A vertex has a bit for each search, in up to WORDS_MAX words. At each level every
 * vertex that a search has not found yet reads its neighbors' bits of the last level, until it has all that
 * it lacks. So an entry is read once for many searches. Where the last level has few entries, its vertices
 * mark their neighbors first, and these alone read.
 *
 * Where a vertex has entries in the blocks of several processes, each adds to the vertex's words what it
 * finds, and the vertex's process then records them.
 *
 * Sources: Then et al., The more the merrier: efficient multi-source graph traversal (2014); Beamer et al.,
 * Direction-optimizing breadth-first search (2012). */
#include "spmat/cpu/matrix/lmat_distances.h"

#include "spmat/device/device.h"
#include "spmat/vector/bitmap_words.h"
#include "spmat/vector/value_sizes.h"

enum {
  WORDS_MAX = GRID_DISTANCE_WORDS,
  VERTICES = 256,       /* that a thread takes at a time, a multiple of 8 */
  ENTRIES_PER_WORD = 4, /* entries that count as much as a word of 64 elements in the choice of threads */
  MARK_SHARE = 4        /* a level marks neighbors if it has at most this part of the entries */
};

static uint64_t end_of_part(const grid_vertex_range *range, uint64_t k) {
  return range->n - k < VERTICES ? range->n : k + VERTICES;
}

/* ---- one vertex: number k of a range ---- */

/* found = the searches that reach it from the frontier; false: none. No search lacks a vertex that is
 * finished. */
GRID_ALWAYS_INLINE bool pull_vertex(uint64_t *found, const grid_distance_job *s,
                                    const grid_vertex_range *range, uint64_t k, const unsigned words,
                                    const bool whole) {
  const uint64_t position = (range->position + k) * words, v = range->vector + k;
  uint64_t lacking[WORDS_MAX], open = 0, any = 0;
  for (unsigned w = 0; w < words; w++) {
    found[w] = 0;
    lacking[w] = s->wanted[w] & ~s->visited[position + w];
    if (!whole) lacking[w] &= ~__atomic_load_n(&s->next[position + w], __ATOMIC_RELAXED);
    open |= lacking[w];
  }
  if (!open) {
    s->unfinished[v] = 0;
    return false;
  }
  const uint64_t *const frontier = s->frontier + s->first_position * words;
  const uint32_t *const idx = s->from->idx;
  const uint64_t end = grid_vector_start(s->from, v + 1);
  for (uint64_t e = grid_vector_start(s->from, v); e < end && open; e++) {
    const uint64_t *bits = frontier + idx[e] * (uint64_t)words;
    open = 0;
    for (unsigned w = 0; w < words; w++) found[w] |= bits[w], open |= lacking[w] & ~found[w];
  }
  for (unsigned w = 0; w < words; w++) found[w] &= lacking[w], any |= found[w];
  return any != 0;
}

/* For the process of the vertex. */
GRID_ALWAYS_INLINE void add_found(const grid_distance_job *s, const uint64_t *found, uint64_t position,
                                  const unsigned words) {
  for (unsigned w = 0; w < words; w++)
    if (found[w]) __atomic_fetch_or(&s->next[position * words + w], found[w], __ATOMIC_RELAXED);
}

/* These searches reach vertex k of the chunk at this distance. */
GRID_ALWAYS_INLINE void record_vertex(const grid_distance_job *s, grid_level_result *r, const uint64_t *found,
                                      uint64_t k, int64_t distance, const unsigned words) {
  const grid_distance_operands *x = s->x;
  const uint64_t position = (s->chunk.position + k) * words, row = s->chunk.vector + k;
  int64_t searches = 0;
  for (unsigned w = 0; w < words; w++) {
    const int64_t count = (int64_t)grid_popcount(found[w]);
    s->next[position + w] = found[w];
    s->visited[position + w] |= found[w];
    r->words[w] |= found[w];
    if (s->nearness && count) s->nearness[k * words + w] += (double)count / (double)distance;
    searches += count;
  }
  r->entries += grid_vector_start(s->to, row + 1) - grid_vector_start(s->to, row);
  if (x->reached) x->reached[k] += searches;
  if (x->sum) x->sum[k] += searches * distance;
  if (x->farthest && x->farthest[k] < distance) x->farthest[k] = distance;
}

/* ---- the vertices of a part of a range, 8 flags at a time ---- */

static inline uint64_t load_flags(const unsigned char *flags, uint64_t k) {
  uint64_t x;
  memcpy(&x, flags + k, sizeof x);
  return x;
}
/* Which of the vertices k to k + 7 may be found in this level? all: those of a level that does not mark. */
static inline uint64_t load_candidates(const grid_distance_job *s, const unsigned char *marked, uint64_t k,
                                       uint64_t all) {
  return s->marks ? load_flags(marked, k) : all;
}
/* The vertex of the lowest flag. */
static inline uint64_t flagged_vertex(uint64_t k, uint64_t flags) {
  return k + grid_low_bit(flags) / 8;
}

/* Clears what is left of the level before the last. */
static void clear_part(const grid_distance_job *s, uint64_t first, uint64_t end) {
  unsigned char *before = s->before + s->chunk.vertex;
  for (uint64_t k = first; k < end; k += 8)
    for (uint64_t flags = load_flags(before, k); flags; flags &= flags - 1) {
      const uint64_t u = flagged_vertex(k, flags);
      memset(s->next + (s->chunk.position + u) * s->words, 0, s->words * sizeof *s->next);
      before[u] = 0;
    }
}

/* Marks the neighbors of the last level. */
static void mark_part(const grid_distance_job *s, const grid_vertex_range *range, uint64_t first,
                      uint64_t end) {
  const unsigned char *active = s->active + range->vertex;
  unsigned char *marked = s->marked + s->first_vertex;
  for (uint64_t k = first; k < end; k += 8)
    for (uint64_t flags = load_flags(active, k); flags; flags &= flags - 1) {
      const uint64_t v = range->vector + flagged_vertex(k, flags), row_end = grid_vector_start(s->to, v + 1);
      for (uint64_t e = grid_vector_start(s->to, v); e < row_end; e++)
        __atomic_store_n(marked + s->to->idx[e], 1, __ATOMIC_RELAXED);
    }
}

GRID_ALWAYS_INLINE void search_vertices(const grid_distance_job *s, grid_level_result *r,
                                        const grid_vertex_range *range, uint64_t first, uint64_t end,
                                        int64_t distance, const unsigned words, const bool whole) {
  uint64_t found[WORDS_MAX];
  unsigned char *marked = s->marked + range->vertex, *unfinished = s->unfinished + range->vector;
  for (uint64_t k = first; k < end; k += 8)
    for (uint64_t flags = load_candidates(s, marked, k, load_flags(unfinished, k)); flags;
         flags &= flags - 1) {
      const uint64_t u = flagged_vertex(k, flags);
      if (u >= end) break;
      const bool any = pull_vertex(found, s, range, u, words, whole);
      if (whole) marked[u] = any;
      if (any && whole) record_vertex(s, r, found, u, distance, words);
      if (any && !whole) add_found(s, found, range->position + u, words);
    }
}

/* The number of words is a constant of each loop. */
GRID_ALWAYS_INLINE void search_words(const grid_distance_job *s, grid_level_result *r,
                                     const grid_vertex_range *range, uint64_t first, uint64_t end,
                                     int64_t distance, const bool whole) {
  switch (s->words) {
    case 1:
      return search_vertices(s, r, range, first, end, distance, 1, whole);
    case 2:
      return search_vertices(s, r, range, first, end, distance, 2, whole);
    case 4:
      return search_vertices(s, r, range, first, end, distance, 4, whole);
    default:
      return search_vertices(s, r, range, first, end, distance, WORDS_MAX, whole);
  }
}

/* Inlined, the loops would have too few registers. */
__attribute__((noinline)) static void search_part(const grid_distance_job *s, grid_level_result *r,
                                                  const grid_vertex_range *range, uint64_t first,
                                                  uint64_t end, int64_t distance) {
  if (s->whole)
    search_words(s, r, range, first, end, distance, true);
  else
    search_words(s, r, range, first, end, distance, false);
}

/* What all processes have found of the chunk's vertices. */
static void record_part(const grid_distance_job *s, grid_level_result *r, uint64_t first, uint64_t end,
                        int64_t distance) {
  unsigned char *marked = s->marked + s->chunk.vertex;
  for (uint64_t k = first; k < end; k += 8)
    for (uint64_t flags = load_candidates(s, marked, k, UINT64_MAX / 255); flags; flags &= flags - 1) {
      const uint64_t u = flagged_vertex(k, flags), *found = s->next + (s->chunk.position + u) * s->words;
      uint64_t any = 0;
      if (u >= end) break;
      for (unsigned w = 0; w < s->words; w++) any |= found[w];
      marked[u] = any != 0;
      if (any) record_vertex(s, r, found, u, distance, s->words);
    }
}

/* ---- a level ---- */

static void wait_for_threads_and_processes(const grid_distance_job *s) {
#pragma omp barrier
  if (!s->wait) return;
#pragma omp master
  s->wait();
#pragma omp barrier
}

static grid_level_result join_results(const grid_level_result *result, size_t n, const unsigned words) {
  grid_level_result sum = {{0}, 0};
  for (size_t k = 0; k < n; k++) {
    for (unsigned w = 0; w < words; w++) sum.words[w] |= result[k].words[w];
    sum.entries += result[k].entries;
  }
  return sum;
}

/* One thread of each process: what the level has found is the last one. Another process may still read the
 * results of the level before, which are others. */
static void advance(grid_distance_job *s, uint64_t first, int64_t distance) {
  grid_level_result r = join_results(s->results, grid_threads(), s->words);
  if (s->wait) {
    grid_level_result *results = s->shared_results + s->levels++ % 2 * s->processes;
    results[s->process] = r;
    s->wait();
    r = join_results(results, (size_t)s->processes, s->words);
  }
  uint64_t *const words = s->frontier;
  s->frontier = s->next, s->next = words;
  unsigned char *const flags = s->before;
  s->before = s->active, s->active = s->marked, s->marked = flags;
  s->marks = r.entries <= s->entries / MARK_SHARE;
  s->found = false;
  for (unsigned w = 0; w < s->words; w++) s->found |= r.words[w] != 0;
  for (uint64_t k = 0; s->x->eccentricity && k < s->count; k++)
    if (r.words[k / 64] >> k % 64 & 1) s->x->eccentricity[first + k] = distance;
}

/* All threads of a region. */
static void search_level(grid_distance_job *s, uint64_t first, int64_t distance) {
  grid_level_result r = {{0}, 0};
#pragma omp for schedule(static) nowait
  for (uint64_t k = 0; k < s->chunk.n; k += VERTICES) clear_part(s, k, end_of_part(&s->chunk, k));
  for (const grid_vertex_range *v = s->to_vertices; s->marks && v < s->to_vertices + s->to_ranges; v++)
#pragma omp for schedule(dynamic, 1) nowait
    for (uint64_t k = 0; k < v->n; k += VERTICES) mark_part(s, v, k, end_of_part(v, k));
  wait_for_threads_and_processes(s);
  for (const grid_vertex_range *v = s->from_vertices; v < s->from_vertices + s->from_ranges; v++)
#pragma omp for schedule(dynamic, 1) nowait
    for (uint64_t k = 0; k < v->n; k += VERTICES) search_part(s, &r, v, k, end_of_part(v, k), distance);
  if (!s->whole) {
    wait_for_threads_and_processes(s);
#pragma omp for schedule(dynamic, 1) nowait
    for (uint64_t k = 0; k < s->chunk.n; k += VERTICES)
      record_part(s, &r, k, end_of_part(&s->chunk, k), distance);
  }
  s->results[grid_thread()] = r;
#pragma omp barrier
#pragma omp master
  advance(s, first, distance);
#pragma omp barrier
}

/* ---- a pass ---- */

/* Flags are read 8 at a time. */
static size_t flags_of(uint64_t n) {
  return (size_t)(n + 7) / 8 * 8;
}

static void erase_part(const grid_distance_job *s, uint64_t first, uint64_t end) {
  const size_t position = (s->chunk.position + first) * s->words,
               bytes = (end - first) * s->words * sizeof *s->visited, flags = flags_of(end - first),
               vertex = s->chunk.vertex + first;
  memset(s->visited + position, 0, bytes);
  memset(s->frontier + position, 0, bytes);
  memset(s->next + position, 0, bytes);
  if (s->nearness) memset(s->nearness + first * s->words, 0, bytes);
  memset(s->before + vertex, 0, flags);
  memset(s->active + vertex, 0, flags);
  memset(s->marked + vertex, 0, flags);
}

/* Vertices without entries here are never found. */
static void begin_part(const grid_distance_job *s, const grid_vertex_range *range, uint64_t first,
                       uint64_t end) {
  for (uint64_t v = range->vector + first; v < range->vector + end; v++)
    s->unfinished[v] = grid_vector_start(s->from, v) < grid_vector_start(s->from, v + 1);
}

/* A level at distance 0: the sources in the chunk find themselves. One thread. */
static void find_sources(grid_distance_job *s, grid_level_result *r, uint64_t first) {
  for (uint64_t k = 0; k < s->count; k++) {
    const uint64_t bit = UINT64_C(1) << k % 64, v = grid_distance_source(s->x, first + k) - s->chunk.vertex,
                   row = s->chunk.vector + v;
    s->wanted[k / 64] |= bit;
    if (v >= s->chunk.n) continue;
    const uint64_t word = (s->chunk.position + v) * s->words + k / 64;
    s->visited[word] |= bit, s->next[word] |= bit;
    s->marked[s->chunk.vertex + v] = 1;
    r->words[k / 64] |= bit;
    r->entries += grid_vector_start(s->to, row + 1) - grid_vector_start(s->to, row);
  }
}

/* All threads of a region. */
static void begin_pass(grid_distance_job *s, uint64_t first) {
  s->results[grid_thread()] = (grid_level_result){{0}, 0};
#pragma omp for schedule(static)
  for (uint64_t k = 0; k < s->chunk.n; k += VERTICES) erase_part(s, k, end_of_part(&s->chunk, k));
  for (const grid_vertex_range *v = s->from_vertices; v < s->from_vertices + s->from_ranges; v++) {
#pragma omp for schedule(static)
    for (uint64_t k = 0; k < v->n; k += VERTICES) begin_part(s, v, k, end_of_part(v, k));
  }
#pragma omp master
  {
    find_sources(s, s->results, first);
    advance(s, first, 0);
  }
#pragma omp barrier
}

void grid_distance_job_run(grid_distance_job *s, uint64_t first, uint64_t count) {
  s->count = count;
  memset(s->wanted, 0, sizeof s->wanted);
#pragma omp parallel num_threads(s->threads)
  {
    begin_pass(s, first);
    for (int64_t distance = 1; s->found; distance++) search_level(s, first, distance);
  }
  if (!s->nearness) return;
#pragma omp parallel for schedule(static) num_threads(s->threads)
  for (uint64_t k = 0; k < s->chunk.n; k++)
    for (unsigned w = 0; w < s->words; w++) s->x->nearness[k] += s->nearness[k * s->words + w];
}

/* ---- the memory ---- */

static size_t bytes_of_words(const grid_distance_job *s) {
  return s->positions * s->words * sizeof *s->visited;
}

static size_t bytes_of_results(const grid_distance_job *s) {
  return s->wait ? 2 * (size_t)s->processes * sizeof *s->shared_results : 0;
}

size_t grid_distance_job_bytes(const grid_distance_job *s) {
  return 3 * bytes_of_words(s) + bytes_of_results(s) + 3 * flags_of(s->x->n);
}

static uint64_t count_vectors(const grid_distance_job *s) {
  uint64_t end = 0;
  for (const grid_vertex_range *v = s->from_vertices; v < s->from_vertices + s->from_ranges; v++)
    if (v->vector + v->n > end) end = v->vector + v->n;
  return end;
}

GrB_Info grid_distance_job_make(grid_distance_job *s, void *memory) {
  const size_t words = s->positions * s->words, flags = flags_of(s->x->n);
  s->visited = memory, s->frontier = s->visited + words, s->next = s->frontier + words;
  s->shared_results = (grid_level_result *)(void *)(s->next + words);
  s->before = (unsigned char *)s->shared_results + bytes_of_results(s);
  s->active = s->before + flags, s->marked = s->active + flags;
  s->threads = grid_work_threads(s->x->a->nvals / ENTRIES_PER_WORD);
  s->results = grid_malloc((size_t)s->threads, sizeof *s->results);
  if (s->x->nearness) s->nearness = grid_malloc(s->chunk.n * s->words, sizeof *s->nearness);
  s->unfinished = grid_calloc(flags_of(count_vectors(s)) + 8, 1);
  if (!s->results || !s->unfinished || !s->nearness != !s->x->nearness)
    return grid_fail_memory(NULL, "searches from many vertices", s->chunk.n * s->words, sizeof *s->nearness);
  return GrB_SUCCESS;
}

void grid_distance_job_free(grid_distance_job *s) {
  grid_free(s->results), grid_free(s->nearness), grid_free(s->unfinished);
}
