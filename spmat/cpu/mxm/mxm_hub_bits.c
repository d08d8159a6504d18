/* See mxm_hub_bits.h. */
#include "spmat/cpu/mxm/mxm_hub_bits.h"

#include <omp.h>
#include <string.h>

#include "semiring/support/simd_levels.h"
#include "spmat/cpu/mxm/mxm_job.h"
#include "spmat/sort/radix.h"
#include "spmat/vector/bitmap_words.h"

enum {
  MAX_HUBS = 1 << 15, /* their numbers take two bytes, and a row of bits 4 KB of the first-level cache */
  NO_HUB = UINT16_MAX,
  SAMPLES = 1 << 18,       /* of entries, for the numbering; */
  MAX_SAMPLES = 1 << 16,   /* for the choice, which even graphs pay for nothing; */
  LEAST_SAMPLES = 1 << 12, /* a mask with fewer entries has no more samples; others so many and */
  MASK_SHARE = 64,         /* one for so many entries of the mask; of them, rows: */
  ROW_SAMPLES = 1 << 12,   /* of all processes, */
  LEAST_ROWS = 1 << 6,     /* and of each */
  OFTEN = 3,               /* samples of an inner index that even graphs rarely have */
  WORDS_AN_ENTRY =
      4, /* words of two rows intersected in the time of looking up an entry; 2 and 6: 10 % slower */
  MIN_BIT_ENTRIES = 8, /* fewer hubs of a row are left to the rest */
  SEARCH = 64,         /* a row of B this many times longer than A's row is searched */
  GRAIN = 64,          /* rows that a thread takes at a time */
  AHEAD = 4            /* entries of the mask between the prefetch of a row of B and its use */
};
static const double MIN_SAVED = 0.3; /* share of the looked up entries that bits have to save */

typedef struct {
  const grid_hub_product *p;
  uint64_t h, words; /* hubs; words of a row that has all of them */
  uint16_t *number;  /* of each inner index: of the hub, or NO_HUB */
  grid_hub_rows b;
} hub_bits;

/* ---- hubs ---- */

/* The degrees of inner indices in a sample of B's entries, of which *samples are taken. */
static uint32_t *sample_degrees(const grid_hub_product *p, uint64_t most, uint64_t *samples) {
  const uint64_t nvals = grid_vector_start(p->b, p->n), step = nvals / most + 1;
  uint32_t *count = grid_calloc(p->inner, sizeof *count);
  *samples = 0;
  for (uint64_t e = 0; count && e < nvals; e += step) count[p->b->idx[e]]++, ++*samples;
  return count;
}

/* Numbers the hubs by descending degree: those that the sample met at least twice, MAX_HUBS at most. *share:
 * their share of the sample. */
static bool number_hubs(hub_bits *d, uint64_t most, double *share) {
  const uint64_t inner = d->p->inner;
  uint64_t samples, least = 2, found[64] = {0}, above = 0, hits = 0, n = 0;
  uint32_t *count = sample_degrees(d->p, most, &samples);
  uint64_t *key = grid_malloc(2 * MAX_HUBS, sizeof *key);
  d->number = grid_malloc(inner, sizeof *d->number);
  const bool ok = count && key && d->number;
  for (uint64_t k = 0; ok && k < inner; k++) found[count[k] < 63 ? count[k] : 63]++;
  for (uint64_t c = 63; ok && c >= 2; c--) { /* the least degree of which there is room for all */
    above += found[c];
    if (above > MAX_HUBS) break;
    least = c;
  }
  if (ok) memset(d->number, 0xff, inner * sizeof *d->number);
  for (uint64_t k = 0; ok && k < inner && n < MAX_HUBS; k++) {
    if (count[k] < least) continue;
    key[n++] = (uint64_t)(UINT32_MAX - count[k]) << 32 | k;
    hits += count[k];
  }
  if (ok) grid_radix_sort(key, NULL, n, 0, 0, 0, key + MAX_HUBS, NULL);
  for (uint64_t k = 0; ok && k < n; k++) d->number[key[k] & UINT32_MAX] = (uint16_t)k;
  d->h = n, d->words = grid_words(n);
  *share = samples ? (double)hits / (double)samples : 0;
  grid_free(count);
  grid_free(key);
  return ok;
}

/* The words with which row j has the most of its hubs as bits for the least; row: its bits, cleared before
 * and after. Returns the saved entries. */
static uint64_t choose_words(const hub_bits *d, uint64_t j, uint64_t *row, uint64_t *words) {
  const grid_compressed *b = d->p->b;
  const uint64_t from = grid_vector_start(b, j), end = grid_vector_start(b, j + 1);
  uint64_t entries = 0, best = 0, last = 0;
  *words = 0;
  if (end - from < MIN_BIT_ENTRIES) return 0;
  for (uint64_t e = from; e < end; e++) {
    const uint16_t k = d->number[b->idx[e]];
    if (k == NO_HUB) continue;
    row[k >> 6] |= UINT64_C(1) << (k & 63);
    if (k >> 6 >= last) last = (uint64_t)(k >> 6) + 1;
  }
  for (uint64_t w = 0; w < last; w++) {
    entries += grid_popcount(row[w]);
    row[w] = 0;
    const uint64_t cost = (w + 1 + WORDS_AN_ENTRY - 1) / WORDS_AN_ENTRY;
    if (entries > cost && entries - cost > best) best = entries - cost, *words = w + 1;
  }
  if (best < MIN_BIT_ENTRIES) best = *words = 0;
  return best;
}

void grid_hub_rows_free(grid_hub_rows *r) {
  if (!r->borrowed) {
    grid_free(r->head);
    grid_free(r->word);
  }
  *r = (grid_hub_rows){0};
}

static void free_bits(hub_bits *d) {
  grid_free(d->number);
  grid_hub_rows_free(&d->b);
}

/* Is a share of a sample of B's entries at inner indices that the sample meets more than a few times? Without
 * an array of all inner indices, which would cost even graphs more. */
static bool has_hubs(const grid_hub_product *p, uint64_t most) {
  const uint64_t nvals = grid_vector_start(p->b, p->n), step = nvals / most + 1;
  uint64_t *key = grid_malloc(2 * most, sizeof *key), n = 0, frequent = 0;
  if (!key) return false;
  for (uint64_t e = 0; e < nvals; e += step) key[n++] = p->b->idx[e];
  grid_radix_sort(key, NULL, n, 0, 0, 0, key + most, NULL);
  for (uint64_t from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && key[to] == key[from];) to++;
    if (to - from > OFTEN) frequent += to - from;
  }
  grid_free(key);
  return (double)frequent > MIN_SAVED * (double)n;
}

/* Entries of the rows of B that every step-th entry of the mask names; *samples: their number. */
static uint64_t sample_lengths(const grid_hub_product *p, uint64_t step, uint64_t *samples) {
  const uint64_t nmask = grid_vector_start(p->mask, p->rows);
  uint64_t all = 0;
  *samples = 0;
  for (uint64_t m = 0; m < nmask; m += step, (*samples)++) {
    const uint64_t j = p->mask->idx[m];
    all += grid_vector_start(p->b, j + 1) - grid_vector_start(p->b, j);
  }
  return all;
}

bool grid_hub_bits_pay(const grid_hub_product *p, uint64_t processes) {
  const uint64_t rows = ROW_SAMPLES / processes > LEAST_ROWS ? ROW_SAMPLES / processes : LEAST_ROWS;
  /* a mask with few entries, such as a process's share of one, repays no more samples than that */
  const uint64_t nmask = grid_vector_start(p->mask, p->rows), step = nmask / rows + 1,
                 share_of_mask = nmask / MASK_SHARE + LEAST_SAMPLES,
                 most = nmask < LEAST_SAMPLES         ? nmask + 1
                        : share_of_mask < MAX_SAMPLES ? share_of_mask
                                                      : MAX_SAMPLES;
  hub_bits d = {.p = p};
  uint64_t saved = 0, samples, words, row[MAX_HUBS / 64] = {0};
  const uint64_t all = sample_lengths(p, step, &samples);
  double share;
  /* rows so short that making the bits would cost more than it saves are left as they are */
  if (all <= 16 * samples || !has_hubs(p, most)) return false;
  bool pays = number_hubs(&d, most, &share) && share > MIN_SAVED;
  /* 1 + what row j saves, once that is known: the sample meets the longest rows again and again */
  uint32_t *saved_by = pays ? grid_calloc(p->n, sizeof *saved_by) : NULL;
  pays = saved_by != NULL;
  for (uint64_t m = 0; pays && m < nmask; m += step) {
    const uint64_t j = p->mask->idx[m];
    if (!saved_by[j]) saved_by[j] = 1 + (uint32_t)choose_words(&d, j, row, &words);
    saved += saved_by[j] - 1;
  }
  grid_free(saved_by);
  free_bits(&d);
  return pays && (double)saved > MIN_SAVED * (double)all;
}

/* ---- rows of B ---- */

/* Rows from .. to, which get numbers from 0 on. Heads first have the words of each row. */
static GrB_Info count_rows(const hub_bits *d, uint64_t from_row, uint64_t to_row, grid_hub_rows *x) {
  const grid_hub_product *p = d->p;
  const uint64_t n = to_row - from_row;
  x->head = grid_malloc(n + 1, sizeof *x->head);
  if (!x->head) return grid_fail_memory(NULL, "rows of hubs", n, sizeof *x->head);
#pragma omp parallel
  {
    uint64_t row[MAX_HUBS / 64] = {0};
#pragma omp for schedule(dynamic, GRAIN)
    for (uint64_t j = from_row; j < to_row; j++) {
      uint64_t words, rest = 0;
      choose_words(d, j, row, &words);
      const uint64_t from = grid_vector_start(p->b, j), end = grid_vector_start(p->b, j + 1);
      if (words == 0) rest = end - from;
      for (uint64_t e = from; e < end && words; e++) rest += d->number[p->b->idx[e]] >= 64 * words;
      x->head[j - from_row] = (words + (rest + 1) / 2) << GRID_HUB_BIT_WORDS | words;
    }
  }
  uint64_t at = 0;
  for (uint64_t j = 0; j < n; j++) {
    const uint64_t words = grid_hub_row_start(x, j);
    x->head[j] = at << GRID_HUB_BIT_WORDS | grid_hub_row_bits(x, j);
    at += words;
  }
  x->head[n] = at << GRID_HUB_BIT_WORDS;
  return GrB_SUCCESS;
}

/* Row j of B at `word`, which is cleared: its first hubs as bits, and the other entries. */
static void write_row(const hub_bits *d, uint64_t j, uint64_t bit_words, uint64_t *word) {
  const grid_compressed *b = d->p->b;
  const uint64_t hubs = 64 * bit_words, end = grid_vector_start(b, j + 1);
  uint32_t *rest = (uint32_t *)(word + bit_words);
  uint64_t n = 0;
  for (uint64_t e = grid_vector_start(b, j); e < end; e++) {
    const uint32_t k = b->idx[e], q = hubs ? d->number[k] : NO_HUB;
    if (q < hubs)
      word[q >> 6] |= UINT64_C(1) << (q & 63);
    else
      rest[n++] = k;
  }
  if (n % 2) rest[n] = (uint32_t)d->p->inner;
}

static GrB_Info make_rows(const hub_bits *d, uint64_t from_row, uint64_t to_row, grid_hub_rows *x) {
  const uint64_t n = to_row - from_row;
  GrB_Info info = count_rows(d, from_row, to_row, x);
  if (info == GrB_SUCCESS && !x->head) info = GrB_OUT_OF_MEMORY; /* never, which no analyzer finds */
  if (info != GrB_SUCCESS) return info;
  const uint64_t words = grid_hub_row_start(x, n);
  x->word = grid_calloc(words, sizeof *x->word);
  if (!x->word) return grid_fail_memory(NULL, "rows of hubs", words, sizeof *x->word);
#pragma omp parallel for schedule(dynamic, GRAIN)
  for (uint64_t j = 0; j < n; j++)
    write_row(d, from_row + j, grid_hub_row_bits(x, j), x->word + grid_hub_row_start(x, j));
  return GrB_SUCCESS;
}

/* ---- rows of C ---- */

/* Entries of A's row, e .. end - 1, in B's row j, by search. */
static uint64_t search(const grid_hub_product *p, uint64_t e, uint64_t end, uint64_t j) {
  uint64_t f = grid_vector_start(p->b, j), last = grid_vector_start(p->b, j + 1), sum = 0;
  for (; e < end && f < last; e++) {
    f = mxm_search(p->b->idx, f, last, p->a->idx[e]);
    const bool found = f < last && p->b->idx[f] == p->a->idx[e];
    sum += found, f += found;
  }
  return sum;
}

/* Bits that n words of a and b have in common. */
typedef uint64_t (*common_fn)(const uint64_t *a, const uint64_t *b, uint64_t n);

GRID_LEVELS static uint64_t common_plain(const uint64_t *a, const uint64_t *b, uint64_t n) {
  uint64_t sum = 0;
  for (uint64_t w = 0; w < n; w++) sum += grid_popcount(a[w] & b[w]);
  return sum;
}

/* AVX-512 has an instruction that counts the bits of eight words; no level of simd_levels.h includes it. */
#if defined(__x86_64__) && defined(__GNUC__)
#define COUNTS_EIGHT_WORDS __attribute__((target("avx512f,avx512vl,avx512bw,avx512vpopcntdq")))
COUNTS_EIGHT_WORDS static uint64_t common_avx512(const uint64_t *a, const uint64_t *b, uint64_t n) {
  uint64_t sum = 0;
  for (uint64_t w = 0; w < n; w++) sum += grid_popcount(a[w] & b[w]);
  return sum;
}
static common_fn find_common(void) {
  return __builtin_cpu_supports("avx512vpopcntdq") ? common_avx512 : common_plain;
}
#else
static common_fn find_common(void) {
  return common_plain;
}
#endif

/* Counts for the mask's row r, at count. row: bits of inner indices; hubs: of hubs; both cleared before. */
GRID_LEVELS static void count_row(const hub_bits *d, common_fn common, uint64_t r, uint64_t *row,
                                  uint64_t *hubs, uint32_t *count) {
  const grid_hub_product *p = d->p;
  const uint64_t first = grid_vector_start(p->a, r), last = grid_vector_start(p->a, r + 1),
                 m = grid_vector_start(p->mask, r), mend = grid_vector_start(p->mask, r + 1);
  if (first == last || m == mend) return;
  for (uint64_t e = first; e < last; e++) {
    const uint32_t k = p->a->idx[e], q = d->number[k];
    row[k >> 6] |= UINT64_C(1) << (k & 63);
    if (q != NO_HUB) hubs[q >> 6] |= UINT64_C(1) << (q & 63);
  }
  for (uint64_t at = m; at < mend; at++) {
    const uint64_t j = p->mask->idx[at], start = grid_hub_row_start(&d->b, j),
                   words = grid_hub_row_bits(&d->b, j),
                   others = 2 * (grid_hub_row_start(&d->b, j + 1) - start - words);
    if (at + AHEAD < mend)
      __builtin_prefetch(d->b.word + grid_hub_row_start(&d->b, p->mask->idx[at + AHEAD]));
    if (others + words > SEARCH * (last - first)) {
      count[at] = (uint32_t)search(p, first, last, j);
      continue;
    }
    const uint64_t sum = words ? common(d->b.word + start, hubs, words) : 0;
    const uint32_t *other = (const uint32_t *)(d->b.word + start + words);
    uint32_t matches = 0;
    for (uint64_t f = 0; f < others; f++) matches += (uint32_t)range_bit(row, other[f]);
    count[at] = (uint32_t)sum + matches;
  }
  for (uint64_t e = first; e < last; e++) {
    const uint32_t k = p->a->idx[e], q = d->number[k];
    row[k >> 6] = 0;
    if (q != NO_HUB) hubs[q >> 6] = 0;
  }
}

/* count, one for each entry of the mask. */
static GrB_Info count_all(const hub_bits *d, uint32_t *count) {
  const grid_hub_product *p = d->p;
  const common_fn common = find_common();
  bool failed = false;
#pragma omp parallel reduction(|| : failed)
  {
    uint64_t *row = grid_calloc(grid_words(p->inner + 1), 8), *hubs = grid_calloc(MAX_HUBS / 64, 8);
    failed = !row || !hubs;
#pragma omp for schedule(dynamic, GRAIN)
    for (uint64_t r = 0; r < p->rows; r++)
      if (!failed) count_row(d, common, r, row, hubs, count);
    grid_free(row);
    grid_free(hubs);
  }
  return failed ? grid_fail_memory(NULL, "bits of a row", grid_words(p->inner), 8) : GrB_SUCCESS;
}

/* The mask's entries whose count is not 0. count is overwritten. */
static GrB_Info gather(const grid_hub_product *p, uint32_t *count, GrB_Type type, grid_compressed *c,
                       uint64_t *nvals) {
  uint64_t *start = grid_malloc(p->rows + 1, sizeof *start);
  grid_offsets o = {NULL, NULL};
  GrB_Info info = start ? GrB_SUCCESS : grid_fail_memory(NULL, "rows of a product", p->rows + 1, 8);
  TRY(info);
#pragma omp parallel for schedule(static)
  for (uint64_t r = 0; r < p->rows; r++) {
    uint64_t n = 0;
    for (uint64_t m = grid_vector_start(p->mask, r), end = grid_vector_start(p->mask, r + 1); m < end; m++)
      n += count[m] != 0;
    start[r + 1] = n;
  }
  start[0] = 0;
  for (uint64_t r = 0; r < p->rows; r++) start[r + 1] += start[r];
  *nvals = start[p->rows];
  c->idx = grid_malloc(*nvals, sizeof *c->idx);
  c->val = grid_malloc(*nvals, type->size);
  if (!c->idx || !c->val || !grid_offsets_make(&o, p->rows + 1, *nvals))
    TRY(grid_fail_memory(NULL, "entries of a product", *nvals, 4 + type->size));
  c->ptr = o.offsets32, c->offsets64 = o.offsets64;
#pragma omp parallel for schedule(static)
  for (uint64_t r = 0; r < p->rows; r++) {
    const uint64_t from = grid_vector_start(p->mask, r), end = grid_vector_start(p->mask, r + 1);
    uint64_t n = 0;
    grid_offset_set(o, r, start[r]);
    for (uint64_t m = from; m < end; m++) {
      if (!count[m]) continue;
      c->idx[start[r] + n] = p->mask->idx[m];
      count[from + n++] = count[m];
    }
    if (n) grid_cast_array((char *)c->val + start[r] * type->size, type, count + from, GrB_UINT32, 1, n);
  }
  grid_offset_set(o, p->rows, *nvals);
done:
  grid_free(start);
  if (info != GrB_SUCCESS) grid_compressed_free(c, grid_free);
  return info;
}

/* Numbers of the hubs and an array of counts. */
static GrB_Info begin(hub_bits *d, uint32_t **count) {
  const uint64_t nmask = grid_vector_start(d->p->mask, d->p->rows);
  double share;
  *count = grid_calloc(nmask, sizeof **count);
  return *count && number_hubs(d, SAMPLES, &share)
             ? GrB_SUCCESS
             : grid_fail_memory(NULL, "hubs of a product", nmask, sizeof **count);
}

GrB_Info grid_hub_multiply(const grid_hub_product *p, GrB_Type type, const grid_hub_share *share,
                           grid_compressed *c, uint64_t *nvals) {
  hub_bits d = {.p = p};
  uint32_t *count = NULL;
  GrB_Info info = begin(&d, &count);
  if (info == GrB_SUCCESS) info = make_rows(&d, share ? share->from : 0, share ? share->to : p->n, &d.b);
  if (share) info = share->gather(share->context, info, &d.b);
  TRY(info);
  TRY(count_all(&d, count));
  info = gather(p, count, type, c, nvals);
done:
  free_bits(&d);
  grid_free(count);
  return info;
}
