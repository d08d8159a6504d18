/* R-MAT graphs by the Graph500 rules. Tuple t comes from random numbers that are a function of (seed, t)
 * alone, so any process can make any tuple, and the graph doesn't depend on how many do. */
#include <stdio.h>
#include <string.h>
#include "dist/grid.h"
#include "dist/rmat.h"

/* 2^64 / golden ratio: successive multiples are spread evenly */
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

/* A bijection of 64 bits in which every output bit depends on every input bit (two rounds of shift and odd
 * multiplication). */
static inline uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* ---- vertex ids ---- */

/* A bijection of [0, 2^scale): rounds of an odd multiplication, which carries low bits up, and a shift, which
 * brings high bits down. */
typedef struct {
  uint64_t mask, times[3], plus[3];
  int shift;
} scramble;

static scramble make_scramble(int scale, uint64_t seed) {
  scramble s = {.mask = (UINT64_C(1) << scale) - 1, .shift = (scale + 1) / 2};
  for (uint64_t r = 0; r < 3; r++) {
    s.times[r] = mix(seed ^ mix((2 * r + 1) * GOLDEN)) | 1;
    s.plus[r] = mix(seed ^ mix((2 * r + 2) * GOLDEN));
  }
  return s;
}

void grid_rmat_scramble(uint64_t *v, uint64_t n, int scale, uint64_t seed) {
  const scramble s = make_scramble(scale, seed);
#pragma omp parallel for num_threads(grid_here.threads) schedule(static)
  for (uint64_t k = 0; k < n; k++) {
    uint64_t x = v[k];
    for (int r = 0; r < 3; r++) {
      x = (x * s.times[r] + s.plus[r]) & s.mask;
      x ^= x >> s.shift;
    }
    v[k] = x;
  }
}

/* ---- quadrants ---- */

/* Two levels at once take 32 random bits. Of the 16 outcomes, number q is drawn below limit[q] and from
 * limit[q - 1] on. Nearly always the first 12 bits tell it, by a table small enough for the cache. */
#define TABLE_BITS 12
#define UNDECIDED  0xff
typedef struct {
  uint64_t limit[16];             /* two levels */
  uint64_t first_limit[4];        /* one level, for the last of an odd number */
  uint8_t table[1 << TABLE_BITS]; /* two bits of the column << 2 | two bits of the row, or UNDECIDED */
} quadrants;

static uint8_t outcome(const quadrants *t, uint32_t random) {
  unsigned q = 0;
  while (random >= t->limit[q]) q++;
  unsigned outer = q / 4, inner = q % 4; /* a quadrant is row bit << 1 | column bit */
  unsigned row = (outer & 2) | inner >> 1, col = (outer & 1) << 1 | (inner & 1);
  return (uint8_t)(col << 2 | row);
}

static void make_quadrants(quadrants *t) {
  static const double initiator[4] = {0.57, 0.19, 0.19, 0.05}, all = 4294967296.0;
  double sum = 0, outer = 0;
  for (int q = 0; q < 16; q++) {
    sum += initiator[q / 4] * initiator[q % 4];
    t->limit[q] = (uint64_t)(sum * all + 0.5);
  }
  for (int q = 0; q < 4; q++) t->first_limit[q] = (uint64_t)((outer += initiator[q]) * all + 0.5);
  t->limit[15] = t->first_limit[3] = UINT64_C(1) << 32;
  for (uint32_t b = 0; b < 1u << TABLE_BITS; b++) {
    uint32_t low = b << (32 - TABLE_BITS), high = low + ((1u << (32 - TABLE_BITS)) - 1);
    uint8_t o = outcome(t, low);
    t->table[b] = o == outcome(t, high) ? o : UNDECIDED;
  }
}

/* Two levels down: appends two bits to row and column. */
static inline void descend2(const quadrants *t, uint32_t random, uint64_t *row, uint64_t *col) {
  uint8_t o = t->table[random >> (32 - TABLE_BITS)];
  if (__builtin_expect(o == UNDECIDED, 0)) o = outcome(t, random);
  *row = *row << 2 | (o & 3);
  *col = *col << 2 | o >> 2;
}

static inline void descend1(const quadrants *t, uint32_t random, uint64_t *row, uint64_t *col) {
  unsigned q = 0;
  while (random >= t->first_limit[q]) q++;
  *row = *row << 1 | q >> 1;
  *col = *col << 1 | (q & 1);
}

/* Number `at` of the stream that starts at `start`: a 128-bit product folded. */
static inline uint64_t draw(uint64_t start, uint64_t at) {
  uint64_t x = start + at * GOLDEN;
  unsigned __int128 product = (unsigned __int128)x * (x ^ UINT64_C(0xe7037ed1a0b428db));
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

void grid_rmat_tuples(uint64_t *rows, uint64_t *cols, uint64_t first, uint64_t n, int scale, uint64_t seed) {
  const uint64_t key = mix(seed + GOLDEN);
  quadrants t;
  make_quadrants(&t);
#pragma omp parallel for num_threads(grid_here.threads) schedule(static)
  for (uint64_t k = 0; k < n; k++) {
    uint64_t start = mix(key ^ mix(first + k)), row = 0, col = 0, at = 1;
    int left = scale;
    for (; left >= 4; left -= 4, at++) {
      uint64_t random = draw(start, at);
      descend2(&t, (uint32_t)random, &row, &col);
      descend2(&t, (uint32_t)(random >> 32), &row, &col);
    }
    uint64_t random = draw(start, at);
    if (left >= 2) descend2(&t, (uint32_t)random, &row, &col);
    if (left % 2) descend1(&t, (uint32_t)(random >> 32), &row, &col);
    rows[k] = row;
    cols[k] = col;
  }
}

/* ---- the call ---- */

GrB_Info Grid_rmat(Grid_Edges *e, int scale, uint64_t edgefactor, uint64_t seed) {
  GrB_Info info = grid_check_ready("Grid_rmat");
  if (info != GrB_SUCCESS) return info;
  if (!e) return grid_fail(NULL, GrB_NULL_POINTER, "Grid_rmat: argument e is NULL");
  memset(e, 0, sizeof *e);
  if (scale < 1 || scale > 58)
    return grid_fail(NULL, GrB_INVALID_VALUE, "R-MAT: scale %d is not in 1..58", scale);
  if (edgefactor == 0 || edgefactor > (UINT64_C(1) << 60) >> scale)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "R-MAT: edge factor %llu is not in 1..%llu (at most 2^60 edges)",
                     (unsigned long long)edgefactor, (unsigned long long)((UINT64_C(1) << 60) >> scale));
  uint64_t total = edgefactor << scale, P = (uint64_t)grid_here.P, k = (uint64_t)grid_here.k,
           more = total % P;
  e->n = total / P + (k < more);
  e->rows = grid_malloc(e->n, sizeof *e->rows);
  e->cols = grid_malloc(e->n, sizeof *e->cols);
  if (!e->rows || !e->cols) info = grid_fail_memory(NULL, "the tuples of an R-MAT graph", e->n, 16);
  info = grid_agree(NULL, info);
  if (info != GrB_SUCCESS) {
    Grid_Edges_free(e);
    return info;
  }
  grid_rmat_tuples(e->rows, e->cols, total / P * k + (k < more ? k : more), e->n, scale, seed);
  grid_rmat_scramble(e->rows, e->n, scale, seed);
  grid_rmat_scramble(e->cols, e->n, scale, seed);
  e->nrows = e->ncols = UINT64_C(1) << scale;
  e->total = total;
  e->pattern = true;
  snprintf(e->kind, sizeof e->kind, "R-MAT");
  return GrB_SUCCESS;
}
