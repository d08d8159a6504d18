/* Scatters tuples into bins; see scatter_bins.h. */
#include "spmat/sort/scatter_bins.h"

#include <omp.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { CACHE_LINE = 64 };

uint64_t grid_bin_stretches(const grid_source *s) {
  const uint64_t most = UINT64_C(1) << 30, threads = (uint64_t)omp_get_max_threads();
  return s->n / most + 1 > threads ? s->n / most + 1 : threads;
}

static uint64_t stretch_start(const grid_source *s, uint64_t t, uint64_t stretches) {
  return s->n / stretches * t + (t < s->n % stretches ? t : s->n % stretches);
}

/* ---- counting ---- */

static void count_stretch(const grid_source *s, uint64_t from, uint64_t to, const grid_bin_rule *rule,
                          uint32_t *count) {
  uint64_t key[2 * GRID_BLOCK];
  uint32_t bin[2 * GRID_BLOCK];
  for (uint64_t k = from; k < to; k += GRID_BLOCK) {
    const uint64_t end = to - k < GRID_BLOCK ? to : k + GRID_BLOCK;
    const uint64_t m = s->read(s, k, end, key, rule->by_key ? NULL : bin, NULL);
    if (rule->by_key)
      for (uint64_t i = 0; i < m; i++) count[(key[i] - rule->base) >> rule->shift]++;
    else
      /* cppcheck-suppress legacyUninitvar ; read fills it */
      for (uint64_t i = 0; i < m; i++) count[bin[i]]++;
  }
}

void grid_bin_count(const grid_source *s, uint64_t stretches, const grid_bin_rule *rule, uint64_t bins,
                    uint32_t *count) {
#pragma omp parallel for schedule(static, 1) if (s->n > GRID_BLOCK)
  for (uint64_t t = 0; t < stretches; t++)
    count_stretch(s, stretch_start(s, t, stretches), stretch_start(s, t + 1, stretches), rule,
                  count + t * bins);
}

/* ---- scattering ---------------------------------------------------------------------------------------- */

/* Buffers of one stretch. Line b of keys holds those of bin b whose positions in `to` share a cache line. */
typedef struct {
  uint64_t *next, *begin; /* of each bin */
  char *key_line, *load_line;
  const grid_bin_output *to;
} scatterer;

static inline void store_line(char *to, const char *from) {
#ifdef __SSE2__
  for (int k = 0; k < CACHE_LINE; k += 16)
    _mm_stream_si128((__m128i *)(void *)(to + k), _mm_load_si128((const __m128i *)(const void *)(from + k)));
#else
  memcpy(to, from, CACHE_LINE);
#endif
}

/* Copies a bin's buffered elements below position `end` to their positions; the buffer's first element has
 * position `first`. Only those from `begin` on belong to this stretch. */
static inline void empty_line(char *to, const char *line, uint64_t begin, uint64_t first, uint64_t end,
                              size_t size) {
  if (begin <= first && (end - first) * size == CACHE_LINE) {
    store_line(to + first * size, line);
  } else {
    const uint64_t from = begin > first ? begin : first;
    memcpy(to + from * size, line + (from - first) * size, (end - from) * size);
  }
}

/* Buffers an element in its bin's line, and stores the line when it is full. */
static inline __attribute__((always_inline)) void store_element(char *to, char *line, const void *element,
                                                                uint64_t at, uint64_t begin,
                                                                const size_t size) {
  const uint64_t line_slots = CACHE_LINE / size;
  memcpy(line + at % line_slots * size, element, size);
  if (at % line_slots == line_slots - 1) empty_line(to, line, begin, at - (line_slots - 1), at + 1, size);
}

static inline __attribute__((always_inline)) void scatter_block(const scatterer *d, uint64_t m,
                                                                const uint64_t *key, const uint32_t *bin,
                                                                const char *load, const size_t key_size,
                                                                const size_t size) {
  char *to_key = d->to->key, *to_load = d->to->load;
  for (uint64_t i = 0; i < m; i++) {
    const uint64_t b = bin[i], at = d->next[b];
    const uint32_t low = (uint32_t)key[i];
    d->next[b] = at + 1;
    store_element(to_key, d->key_line + b * CACHE_LINE, key_size == 4 ? (const void *)&low : key + i, at,
                  d->begin[b], key_size);
    if (size) store_element(to_load, d->load_line + b * CACHE_LINE, load + i * size, at, d->begin[b], size);
  }
}

typedef void block_scatter(const scatterer *d, uint64_t m, const uint64_t *key, const uint32_t *bin,
                           const char *load);
#define SIZED(KEY, LOAD)                                                                        \
  static void scatter_block_##KEY##_##LOAD(const scatterer *d, uint64_t m, const uint64_t *key, \
                                           const uint32_t *bin, const char *load) {             \
    scatter_block(d, m, key, bin, load, KEY, LOAD);                                             \
  }
SIZED(4, 0)
SIZED(4, 4)
SIZED(4, 8)
SIZED(8, 0)
SIZED(8, 4)
SIZED(8, 8)

static void scatter_stretch(const grid_source *s, uint64_t from, uint64_t to, const grid_bin_rule *rule,
                            const scatterer *d) {
  static block_scatter *const of[2][3] = {{scatter_block_4_0, scatter_block_4_4, scatter_block_4_8},
                                          {scatter_block_8_0, scatter_block_8_4, scatter_block_8_8}};
  block_scatter *scatter_op = of[d->to->key_size / 8][d->to->load_size / 4];
  const bool by_source = !rule->of && !rule->by_key;
  uint64_t key[2 * GRID_BLOCK];
  uint32_t bin[2 * GRID_BLOCK];
  char load[2 * GRID_BLOCK * 8];
  for (uint64_t k = from; k < to; k += GRID_BLOCK) {
    const uint64_t end = to - k < GRID_BLOCK ? to : k + GRID_BLOCK;
    const uint64_t m = s->read(s, k, end, key, by_source ? bin : NULL, d->to->load_size ? load : NULL);
    for (uint64_t i = 0; i < m && rule->of; i++) bin[i] = rule->of[(key[i] - rule->base) >> rule->shift];
    for (uint64_t i = 0; i < m && rule->by_key; i++)
      bin[i] = (uint32_t)((key[i] - rule->base) >> rule->shift);
    scatter_op(d, m, key, bin, load);
  }
}

/* Stores a line that never got full. */
static void empty_rest(char *to, const char *line, uint64_t begin, uint64_t end, size_t size) {
  const uint64_t line_slots = CACHE_LINE / size;
  if (end % line_slots) empty_line(to, line, begin, end / line_slots * line_slots, end, size);
}

static void empty_lines(const scatterer *d, uint64_t bins) {
  const grid_bin_output *to = d->to;
  for (uint64_t b = 0; b < bins; b++) {
    const uint64_t end = d->next[b], begin = d->begin[b];
    if (end == begin) continue;
    empty_rest(to->key, d->key_line + b * CACHE_LINE, begin, end, to->key_size);
    if (to->load_size) empty_rest(to->load, d->load_line + b * CACHE_LINE, begin, end, to->load_size);
  }
}

GrB_Info grid_bin_scatter(const grid_source *s, uint64_t stretches, const grid_bin_rule *rule, uint64_t bins,
                          uint64_t *next, const grid_bin_output *to) {
  const size_t size = to->load_size;
  /* a thread's own lines, and where its stretch begins to fill each bin */
  const uint64_t threads = (uint64_t)omp_get_max_threads(),
                 lines_per_thread =
                     bins * (size ? 2 : 1) + (bins * sizeof *next + CACHE_LINE - 1) / CACHE_LINE;
  char *lines = grid_malloc(threads * lines_per_thread, CACHE_LINE);
  if (!lines) return grid_fail_memory(NULL, "lines of tuples", threads * lines_per_thread, CACHE_LINE);
#pragma omp parallel for schedule(static, 1) num_threads((int)threads) if (s->n > GRID_BLOCK)
  for (uint64_t t = 0; t < stretches; t++) {
    char *thread_lines = lines + (uint64_t)omp_get_thread_num() * lines_per_thread * CACHE_LINE;
    const scatterer d = {.next = next + t * bins,
                         .begin = (uint64_t *)(void *)(thread_lines + bins * (size ? 2 : 1) * CACHE_LINE),
                         .key_line = thread_lines,
                         .load_line = thread_lines + bins * CACHE_LINE,
                         .to = to};
    memcpy(d.begin, d.next, bins * sizeof *next);
    scatter_stretch(s, stretch_start(s, t, stretches), stretch_start(s, t + 1, stretches), rule, &d);
    empty_lines(&d, bins);
#ifdef __SSE2__
    _mm_sfence();
#endif
  }
  grid_free(lines);
  return GrB_SUCCESS;
}
