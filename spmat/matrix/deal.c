/* Dealing tuples out to bins; see deal.h. */
#include "spmat/matrix/deal.h"

#include <omp.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { LINE = 64, KEYS = LINE / sizeof(uint64_t) };

uint64_t grid_deal_stretches(const grid_source *s) {
  const uint64_t most = UINT64_C(1) << 30, threads = (uint64_t)omp_get_max_threads();
  return s->n / most + 1 > threads ? s->n / most + 1 : threads;
}

static uint64_t stretch_start(const grid_source *s, uint64_t t, uint64_t stretches) {
  return s->n / stretches * t + (t < s->n % stretches ? t : s->n % stretches);
}

/* ---- counting ---- */

static void count_stretch(const grid_source *s, uint64_t from, uint64_t to, bool by_key,
                          const grid_bin_rule *rule, uint32_t *count) {
  uint64_t key[2 * GRID_BLOCK];
  uint32_t bin[2 * GRID_BLOCK];
  for (uint64_t k = from; k < to; k += GRID_BLOCK) {
    const uint64_t end = to - k < GRID_BLOCK ? to : k + GRID_BLOCK;
    const uint64_t m = s->read(s, k, end, key, by_key ? NULL : bin, NULL);
    if (by_key)
      for (uint64_t i = 0; i < m; i++) count[(key[i] - rule->base) >> rule->shift]++;
    else
      /* cppcheck-suppress legacyUninitvar ; read fills it */
      for (uint64_t i = 0; i < m; i++) count[bin[i]]++;
  }
}

void grid_deal_count(const grid_source *s, uint64_t stretches, bool by_key, const grid_bin_rule *rule,
                     uint64_t bins, uint32_t *count) {
#pragma omp parallel for schedule(static, 1) if (s->n > GRID_BLOCK)
  for (uint64_t t = 0; t < stretches; t++)
    count_stretch(s, stretch_start(s, t, stretches), stretch_start(s, t + 1, stretches), by_key, rule,
                  count + t * bins);
}

/* ---- dealing ---- */

/* What one stretch is dealt with. Line b of keys holds those of bin b whose places in `to` share a line. */
typedef struct {
  uint64_t *next, *begin; /* of each bin */
  char *key_line, *load_line;
  char *key, *load;
} dealer;

static inline void store_line(char *to, const char *from) {
#ifdef __SSE2__
  for (int k = 0; k < LINE; k += 16)
    _mm_stream_si128((__m128i *)(void *)(to + k), _mm_load_si128((const __m128i *)(const void *)(from + k)));
#else
  memcpy(to, from, LINE);
#endif
}

/* The elements of a bin up to place `end` that still wait in its line, whose first belongs to place `first`,
 * go to their places: only those from `begin` on are this stretch's. */
static inline void empty_line(char *to, const char *line, uint64_t begin, uint64_t first, uint64_t end,
                              size_t size) {
  if (begin <= first && (end - first) * size == LINE) {
    store_line(to + first * size, line);
  } else {
    const uint64_t from = begin > first ? begin : first;
    memcpy(to + from * size, line + (from - first) * size, (end - from) * size);
  }
}

static inline __attribute__((always_inline)) void deal_block(const dealer *d, uint64_t m, const uint64_t *key,
                                                             const uint32_t *bin, const char *load,
                                                             const size_t size) {
  const uint64_t loads = size ? LINE / size : KEYS;
  for (uint64_t i = 0; i < m; i++) {
    const uint64_t b = bin[i], at = d->next[b];
    char *key_line = d->key_line + b * LINE, *load_line = d->load_line + b * LINE;
    d->next[b] = at + 1;
    memcpy(key_line + at % KEYS * sizeof *key, key + i, sizeof *key);
    if (size) memcpy(load_line + at % loads * size, load + i * size, size);
    if (at % KEYS != KEYS - 1) continue;
    empty_line(d->key, key_line, d->begin[b], at - (KEYS - 1), at + 1, sizeof *key);
    if (size && at % loads == loads - 1)
      empty_line(d->load, load_line, d->begin[b], at - (loads - 1), at + 1, size);
  }
}

static void deal_block_0(const dealer *d, uint64_t m, const uint64_t *key, const uint32_t *bin,
                         const char *load) {
  deal_block(d, m, key, bin, load, 0);
}
static void deal_block_4(const dealer *d, uint64_t m, const uint64_t *key, const uint32_t *bin,
                         const char *load) {
  deal_block(d, m, key, bin, load, 4);
}
static void deal_block_8(const dealer *d, uint64_t m, const uint64_t *key, const uint32_t *bin,
                         const char *load) {
  deal_block(d, m, key, bin, load, 8);
}

static void deal_stretch(const grid_source *s, uint64_t from, uint64_t to, const grid_bin_rule *rule,
                         const dealer *d, size_t size) {
  uint64_t key[2 * GRID_BLOCK];
  uint32_t bin[2 * GRID_BLOCK];
  char load[2 * GRID_BLOCK * 8];
  for (uint64_t k = from; k < to; k += GRID_BLOCK) {
    const uint64_t end = to - k < GRID_BLOCK ? to : k + GRID_BLOCK;
    const uint64_t m = s->read(s, k, end, key, rule->of ? NULL : bin, size ? load : NULL);
    for (uint64_t i = 0; i < m && rule->of; i++) bin[i] = rule->of[(key[i] - rule->base) >> rule->shift];
    (size == 8 ? deal_block_8 : size == 4 ? deal_block_4 : deal_block_0)(d, m, key, bin, load);
  }
}

/* Lines that never got full. */
static void empty_lines(const dealer *d, uint64_t bins, size_t size) {
  const uint64_t loads = size ? LINE / size : KEYS;
  for (uint64_t b = 0; b < bins; b++) {
    const uint64_t end = d->next[b];
    if (end == d->begin[b]) continue;
    if (end % KEYS)
      empty_line(d->key, d->key_line + b * LINE, d->begin[b], end / KEYS * KEYS, end, sizeof(uint64_t));
    if (size && end % loads)
      empty_line(d->load, d->load_line + b * LINE, d->begin[b], end / loads * loads, end, size);
  }
}

GrB_Info grid_deal_out(const grid_source *s, uint64_t stretches, const grid_bin_rule *rule, uint64_t bins,
                       uint64_t *next, size_t size, uint64_t *key, char *load) {
  /* a thread's own lines, and where its stretch began to fill each bin */
  const uint64_t threads = (uint64_t)omp_get_max_threads(),
                 own = bins * (size ? 2 : 1) + (bins * sizeof *next + LINE - 1) / LINE;
  char *lines = grid_malloc(threads * own, LINE);
  if (!lines) return grid_fail_memory(NULL, "lines of tuples", threads * own, LINE);
#pragma omp parallel for schedule(static, 1) num_threads((int)threads) if (s->n > GRID_BLOCK)
  for (uint64_t t = 0; t < stretches; t++) {
    char *mine = lines + (uint64_t)omp_get_thread_num() * own * LINE;
    const dealer d = {.next = next + t * bins,
                      .begin = (uint64_t *)(void *)(mine + bins * (size ? 2 : 1) * LINE),
                      .key_line = mine,
                      .load_line = mine + bins * LINE,
                      .key = (char *)key,
                      .load = load};
    memcpy(d.begin, d.next, bins * sizeof *next);
    deal_stretch(s, stretch_start(s, t, stretches), stretch_start(s, t + 1, stretches), rule, &d, size);
    empty_lines(&d, bins, size);
#ifdef __SSE2__
    _mm_sfence();
#endif
  }
  grid_free(lines);
  return GrB_SUCCESS;
}
