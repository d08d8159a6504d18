/* The tuples of R-MAT graphs, one at a time, for C and CUDA code. Grid_rmat and Grid_Matrix_rmat (gridblas.h)
 * build whole graphs from the same tuples. This header is for programs that generate a tuple when they need
 * it, such as a validator on the device.
 *
 *   Grid_Rmat g;
 *   Grid_Rmat_init(&g, scale, seed);
 *   for (uint64_t t = 0; t < edgefactor << scale; t++) Grid_Rmat_tuple(&g, t, &row, &col);
 *
 * Tuple t is a function of (scale, seed, t) alone. In a kernel pass g by value (it has 4.4 KB) and copy it to
 * shared memory first. Threads read its table at different indices, which is fast in shared memory but not in
 * the memory of kernel parameters. */
#ifndef GRIDBLAS_RMAT_H
#define GRIDBLAS_RMAT_H
#include <stdint.h>

#ifdef __CUDACC__
#define GRID_RMAT_BOTH static inline __host__ __device__
#else
#define GRID_RMAT_BOTH static inline
#endif

/* Two levels at once take 32 random bits. Outcome q of 16 is drawn if the bits are in limit[q - 1] ..
 * limit[q] - 1. The first 12 bits nearly always decide, by a table small enough for a cache. */
#define GRID_RMAT_BITS      12
#define GRID_RMAT_UNDECIDED 0xff
typedef struct {
  int scale, shift;
  uint64_t key;                       /* start of the random stream */
  uint64_t mask, times[3], plus[3];   /* parameters of the renaming of vertices */
  uint64_t limit[16];                 /* two levels */
  uint64_t first_limit[4];            /* one level, for the last of an odd number */
  uint8_t table[1 << GRID_RMAT_BITS]; /* two bits of the column << 2 | two of the row, or UNDECIDED */
} Grid_Rmat;

/* 2^64 / golden ratio: successive multiples are spread evenly */
#define GRID_RMAT_GOLDEN UINT64_C(0x9e3779b97f4a7c15)

/* A bijection of 64 bits in which every output bit depends on every input bit (two rounds of shift and odd
 * multiplication). */
GRID_RMAT_BOTH uint64_t Grid_Rmat_mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* Number `at` of the random stream at `start`: a folded 128-bit product. */
GRID_RMAT_BOTH uint64_t Grid_Rmat_draw(uint64_t start, uint64_t at) {
  const uint64_t x = start + at * GRID_RMAT_GOLDEN, y = x ^ UINT64_C(0xe7037ed1a0b428db);
#ifdef __CUDA_ARCH__
  return x * y ^ __umul64hi(x, y);
#else
  __extension__ typedef unsigned __int128 uint128;
  const uint128 product = (uint128)x * y;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
#endif
}

/* The outcome of 32 random bits at two levels. */
GRID_RMAT_BOTH uint8_t Grid_Rmat_outcome(const Grid_Rmat *g, uint32_t random) {
  unsigned q = 0;
  while (random >= g->limit[q]) q++;
  const unsigned outer = q / 4, inner = q % 4; /* a quadrant is row bit << 1 | column bit */
  const unsigned row = (outer & 2) | inner >> 1, col = (outer & 1) << 1 | (inner & 1);
  return (uint8_t)(col << 2 | row);
}

/* scale from 1 to 58. The Graph500 initiator .57 .19 .19 .05. */
static inline void Grid_Rmat_init(Grid_Rmat *g, int scale, uint64_t seed) {
  static const double initiator[4] = {0.57, 0.19, 0.19, 0.05}, all = 4294967296.0;
  double sum = 0, outer = 0;
  g->scale = scale;
  g->shift = (scale + 1) / 2;
  g->key = Grid_Rmat_mix(seed + GRID_RMAT_GOLDEN);
  g->mask = (UINT64_C(1) << scale) - 1;
  for (uint64_t r = 0; r < 3; r++) {
    g->times[r] = Grid_Rmat_mix(seed ^ Grid_Rmat_mix((2 * r + 1) * GRID_RMAT_GOLDEN)) | 1;
    g->plus[r] = Grid_Rmat_mix(seed ^ Grid_Rmat_mix((2 * r + 2) * GRID_RMAT_GOLDEN));
  }
  for (int q = 0; q < 16; q++) {
    sum += initiator[q / 4] * initiator[q % 4];
    g->limit[q] = (uint64_t)(sum * all + 0.5);
  }
  for (int q = 0; q < 4; q++) g->first_limit[q] = (uint64_t)((outer += initiator[q]) * all + 0.5);
  g->limit[15] = g->first_limit[3] = UINT64_C(1) << 32;
  for (uint32_t b = 0; b < 1u << GRID_RMAT_BITS; b++) {
    const uint32_t low = b << (32 - GRID_RMAT_BITS), high = low + ((1u << (32 - GRID_RMAT_BITS)) - 1);
    const uint8_t o = Grid_Rmat_outcome(g, low);
    g->table[b] = o == Grid_Rmat_outcome(g, high) ? o : GRID_RMAT_UNDECIDED;
  }
}

/* Two levels down: appends two bits to row and column. */
GRID_RMAT_BOTH void Grid_Rmat_down2(const Grid_Rmat *g, uint32_t random, uint64_t *row, uint64_t *col) {
  uint8_t o = g->table[random >> (32 - GRID_RMAT_BITS)];
  if (o == GRID_RMAT_UNDECIDED) o = Grid_Rmat_outcome(g, random);
  *row = *row << 2 | (o & 3);
  *col = *col << 2 | o >> 2;
}

GRID_RMAT_BOTH void Grid_Rmat_down1(const Grid_Rmat *g, uint32_t random, uint64_t *row, uint64_t *col) {
  unsigned q = 0;
  while (random >= g->first_limit[q]) q++;
  *row = *row << 1 | q >> 1;
  *col = *col << 1 | (q & 1);
}

/* Tuple t with the ids of the quadrants: low ids have high degrees. */
GRID_RMAT_BOTH void Grid_Rmat_quadrants(const Grid_Rmat *g, uint64_t t, uint64_t *row, uint64_t *col) {
  const uint64_t start = Grid_Rmat_mix(g->key ^ Grid_Rmat_mix(t));
  uint64_t r = 0, c = 0, at = 1;
  int left = g->scale;
  for (; left >= 4; left -= 4, at++) {
    const uint64_t random = Grid_Rmat_draw(start, at);
    Grid_Rmat_down2(g, (uint32_t)random, &r, &c);
    Grid_Rmat_down2(g, (uint32_t)(random >> 32), &r, &c);
  }
  if (left) {
    const uint64_t random = Grid_Rmat_draw(start, at);
    if (left >= 2) Grid_Rmat_down2(g, (uint32_t)random, &r, &c);
    if (left % 2) Grid_Rmat_down1(g, (uint32_t)(random >> 32), &r, &c);
  }
  *row = r;
  *col = c;
}

/* The vertex's name: a bijection of [0, 2^scale). Rounds of an odd multiplication, which carries low bits up,
 * and a shift, which brings high bits down. */
GRID_RMAT_BOTH uint64_t Grid_Rmat_rename(const Grid_Rmat *g, uint64_t v) {
  for (int r = 0; r < 3; r++) {
    v = (v * g->times[r] + g->plus[r]) & g->mask;
    v ^= v >> g->shift;
  }
  return v;
}

/* Tuple number t of the graph, t < edgefactor * 2^scale. */
GRID_RMAT_BOTH void Grid_Rmat_tuple(const Grid_Rmat *g, uint64_t t, uint64_t *row, uint64_t *col) {
  Grid_Rmat_quadrants(g, t, row, col);
  *row = Grid_Rmat_rename(g, *row);
  *col = Grid_Rmat_rename(g, *col);
}

#undef GRID_RMAT_BOTH
#endif
