/* See lmat_distances.h. A vertex has a bit for each search, in up to WORDS_MAX words. At each level every
 * vertex that a search has not found yet reads its neighbors' bits of the last level, until it has all that
 * it lacks. So an entry is read once for many searches. Where the last level has few entries, its vertices
 * mark their neighbors first, and these alone read.
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

/* What a thread, or all of them, have found in a level. */
typedef struct {
  uint64_t words[WORDS_MAX]; /* the searches that have found a vertex */
  uint64_t entries;          /* of the vertices' rows */
} level_result;

typedef struct {
  const grid_distance_operands *x;
  const grid_compressed *from, *to; /* a vertex's neighbors before it, and behind it */
  uint64_t n;
  unsigned words;
  uint64_t first, count;      /* sources of this pass */
  uint64_t wanted[WORDS_MAX]; /* a bit for each */
  uint64_t *visited;          /* n * words, as the next three: found so far, */
  uint64_t *frontier, *next;  /* in the last level, and in this one, with those of two levels before */
  double *nearness;           /* of each word by itself; NULL: it is not wanted */
  unsigned char *flags;       /* of all of the next three */
  unsigned char *before; /* n, 0 or 1, as the next two: was the vertex found in the level before the last, */
  unsigned char *active; /* in the last one, */
  unsigned char *marked; /* and may it be, or has it been, in this one */
  bool marks;            /* this level marks neighbors */
  level_result *results; /* one a thread */
} search;

/* ---- one vertex ---- */

/* found = the searches that reach v from the frontier; false: none. */
GRID_ALWAYS_INLINE bool pull_vertex(uint64_t *found, const search *s, uint64_t v, const unsigned words) {
  uint64_t lacking[WORDS_MAX], open = 0, any = 0;
  for (unsigned w = 0; w < words; w++) {
    found[w] = 0;
    lacking[w] = s->wanted[w] & ~s->visited[v * words + w];
    open |= lacking[w];
  }
  if (!open) return false;
  const uint64_t end = grid_vector_start(s->from, v + 1);
  for (uint64_t e = grid_vector_start(s->from, v); e < end && open; e++) {
    const uint64_t *bits = s->frontier + s->from->idx[e] * (uint64_t)words;
    open = 0;
    for (unsigned w = 0; w < words; w++) found[w] |= bits[w], open |= lacking[w] & ~found[w];
  }
  for (unsigned w = 0; w < words; w++) found[w] &= lacking[w], any |= found[w];
  return any != 0;
}

/* These searches reach v at this distance. */
GRID_ALWAYS_INLINE void record_vertex(const search *s, level_result *r, const uint64_t *found, uint64_t v,
                                      int64_t distance, const unsigned words) {
  const grid_distance_operands *x = s->x;
  int64_t searches = 0;
  for (unsigned w = 0; w < words; w++) {
    const int64_t count = (int64_t)grid_popcount(found[w]);
    s->next[v * words + w] = found[w];
    s->visited[v * words + w] |= found[w];
    r->words[w] |= found[w];
    if (s->nearness && count) s->nearness[v * words + w] += (double)count / (double)distance;
    searches += count;
  }
  r->entries += grid_vector_start(s->to, v + 1) - grid_vector_start(s->to, v);
  if (x->reached) x->reached[v] += searches;
  if (x->sum) x->sum[v] += searches * distance;
  if (x->farthest && x->farthest[v] < distance) x->farthest[v] = distance;
}

/* ---- the vertices of a range, 8 flags at a time ---- */

static inline uint64_t load_flags(const unsigned char *flags, uint64_t v) {
  uint64_t x;
  memcpy(&x, flags + v, sizeof x);
  return x;
}
/* The vertex of the lowest flag. */
static inline uint64_t flagged_vertex(uint64_t v, uint64_t flags) {
  return v + grid_low_bit(flags) / 8;
}

/* Clears what is left of the level before the last, and marks the neighbors of the last one. */
static void begin_range(const search *s, uint64_t first, uint64_t end) {
  for (uint64_t v = first; v < end; v += 8) {
    for (uint64_t flags = load_flags(s->before, v); flags; flags &= flags - 1) {
      const uint64_t u = flagged_vertex(v, flags);
      memset(s->next + u * s->words, 0, s->words * sizeof *s->next);
      s->before[u] = 0;
    }
    if (!s->marks) continue;
    for (uint64_t flags = load_flags(s->active, v); flags; flags &= flags - 1) {
      const uint64_t u = flagged_vertex(v, flags), row_end = grid_vector_start(s->to, u + 1);
      for (uint64_t e = grid_vector_start(s->to, u); e < row_end; e++)
        __atomic_store_n(s->marked + s->to->idx[e], 1, __ATOMIC_RELAXED);
    }
  }
}

GRID_ALWAYS_INLINE void search_vertices(const search *s, level_result *r, uint64_t first, uint64_t end,
                                        int64_t distance, const unsigned words) {
  uint64_t found[WORDS_MAX];
  for (uint64_t v = first; v < end; v += 8)
    for (uint64_t flags = s->marks ? load_flags(s->marked, v) : UINT64_MAX / 255; flags; flags &= flags - 1) {
      const uint64_t u = flagged_vertex(v, flags);
      if (u >= end) break;
      s->marked[u] = pull_vertex(found, s, u, words);
      if (s->marked[u]) record_vertex(s, r, found, u, distance, words);
    }
}

/* The number of words is a constant of each loop. */
static void search_range(const search *s, level_result *r, uint64_t first, uint64_t end, int64_t distance) {
  switch (s->words) {
    case 1:
      return search_vertices(s, r, first, end, distance, 1);
    case 2:
      return search_vertices(s, r, first, end, distance, 2);
    case 4:
      return search_vertices(s, r, first, end, distance, 4);
    default:
      return search_vertices(s, r, first, end, distance, WORDS_MAX);
  }
}

/* ---- a level ---- */

static level_result join_results(const search *s) {
  level_result sum = {{0}, 0};
  for (uint64_t t = 0; t < grid_threads(); t++) {
    for (unsigned w = 0; w < s->words; w++) sum.words[w] |= s->results[t].words[w];
    sum.entries += s->results[t].entries;
  }
  return sum;
}

/* One thread: the level's sources have this eccentricity so far, and what it has found is the last level. */
static void advance(search *s, const level_result *r, int64_t distance) {
  for (uint64_t k = 0; s->x->eccentricity && k < s->count; k++)
    if (r->words[k / 64] >> k % 64 & 1) s->x->eccentricity[s->first + k] = distance;
  uint64_t *const words = s->frontier;
  s->frontier = s->next, s->next = words;
  unsigned char *const flags = s->before;
  s->before = s->active, s->active = s->marked, s->marked = flags;
  s->marks = r->entries <= s->x->a->nvals / MARK_SHARE;
}

static uint64_t end_of_range(const search *s, uint64_t first) {
  return s->n - first < VERTICES ? s->n : first + VERTICES;
}

/* All threads of a region; false: no search has found a vertex. */
static bool search_level(search *s, int64_t distance) {
  level_result r = {{0}, 0};
#pragma omp for schedule(dynamic, 1)
  for (uint64_t v = 0; v < s->n; v += VERTICES) begin_range(s, v, end_of_range(s, v));
#pragma omp for schedule(dynamic, 1) nowait
  for (uint64_t v = 0; v < s->n; v += VERTICES) search_range(s, &r, v, end_of_range(s, v), distance);
  s->results[grid_thread()] = r;
#pragma omp barrier
  r = join_results(s);
#pragma omp single
  advance(s, &r, distance);
  uint64_t any = 0;
  for (unsigned w = 0; w < s->words; w++) any |= r.words[w];
  return any != 0;
}

/* ---- a pass ---- */

/* Flags are read 8 at a time. */
static size_t flags_of(uint64_t n) {
  return (size_t)(n + 7) / 8 * 8;
}

/* In the state after a level at distance 0. */
static void begin_pass(search *s, uint64_t first, uint64_t count) {
  const size_t size = s->n * s->words * sizeof *s->visited;
  uint64_t entries = 0;
  s->first = first, s->count = count;
  memset(s->visited, 0, size);
  memset(s->frontier, 0, size);
  memset(s->next, 0, size);
  if (s->nearness) memset(s->nearness, 0, size);
  memset(s->flags, 0, 3 * flags_of(s->n));
  memset(s->wanted, 0, sizeof s->wanted);
  for (uint64_t k = 0; k < count; k++) {
    const uint64_t v = grid_distance_source(s->x, first + k), bit = UINT64_C(1) << k % 64;
    s->wanted[k / 64] |= bit;
    s->visited[v * s->words + k / 64] |= bit, s->frontier[v * s->words + k / 64] |= bit;
    s->active[v] = 1;
    entries += grid_vector_start(s->to, v + 1) - grid_vector_start(s->to, v);
    if (s->x->eccentricity) s->x->eccentricity[first + k] = 0;
  }
  s->marks = entries <= s->x->a->nvals / MARK_SHARE;
}

static void search_pass(search *s, int threads) {
#pragma omp parallel num_threads(threads)
  for (int64_t distance = 1; search_level(s, distance); distance++) continue;
  if (!s->nearness) return;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (uint64_t v = 0; v < s->n; v++)
    for (unsigned w = 0; w < s->words; w++) s->x->nearness[v] += s->nearness[v * s->words + w];
}

static GrB_Info allocate(search *s, int threads) {
  const uint64_t words = s->n * s->words;
  s->visited = grid_malloc(words, sizeof *s->visited);
  s->frontier = grid_malloc(words, sizeof *s->frontier);
  s->next = grid_malloc(words, sizeof *s->next);
  s->flags = grid_malloc(3 * flags_of(s->n), sizeof *s->flags);
  s->results = grid_malloc((size_t)threads, sizeof *s->results);
  if (s->x->nearness) s->nearness = grid_malloc(words, sizeof *s->nearness);
  if (!s->visited || !s->frontier || !s->next || !s->flags || !s->results || !s->nearness != !s->x->nearness)
    return grid_fail_memory(NULL, "searches from many vertices", words, 4 * sizeof *s->visited);
  s->before = s->flags, s->active = s->before + flags_of(s->n), s->marked = s->active + flags_of(s->n);
  return GrB_SUCCESS;
}

GrB_Info grid_cpu_lmat_distances(const grid_distance_operands *x) {
  const grid_local_matrix *a = x->a;
  const int threads = grid_word_threads(a->nvals / ENTRIES_PER_WORD);
  search s = {.x = x,
              .from = x->symmetric ? &a->by_row : &a->by_col,
              .to = &a->by_row,
              .n = x->n,
              .words = grid_distance_words(x->nsources)};
  if (a->row.ids || a->col.ids || !grid_compressed_is_built(s.from)) return GRID_UNSUPPORTED;
  const uint64_t pass = s.words * (uint64_t)GRID_SEARCHES_PER_WORD;
  const GrB_Info info = allocate(&s, threads);
  for (uint64_t first = 0; info == GrB_SUCCESS && first < x->nsources; first += pass) {
    begin_pass(&s, first, x->nsources - first < pass ? x->nsources - first : pass);
    search_pass(&s, threads);
  }
  grid_free(s.visited), grid_free(s.frontier), grid_free(s.next);
  grid_free(s.flags), grid_free(s.results), grid_free(s.nearness);
  return info;
}
