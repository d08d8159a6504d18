/* Reading the tuples that a matrix is built of; see build_source.h. */
#include "dist/object/build_source.h"

#include <string.h>

/* ---- dimensions ---- */

__extension__ typedef unsigned __int128 wide;

static void spread_free(grid_spread *s) {
  grid_free(s->process);
  grid_free(s->local);
}

/* v / q for v < 2^60: by v * (2^L / q, rounded up) >> L, L = 60 + bits of q, which is exact there. */
static void find_divisor(grid_spread *s, uint64_t q) {
  s->shift = 0;
  while (UINT64_C(1) << s->shift < q) s->shift++;
  if (q == 0 || (q & (q - 1)) == 0) return;
  s->shift += 60;
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): no chunk is of size 0 */
  s->times = ((wide)1 << s->shift) / q + 1;
}

static GrB_Info spread_make(grid_spread *s, uint64_t n, bool rows) {
  const uint64_t q = grid_chunk_size(n), P = (uint64_t)grid_here.P, R = (uint64_t)grid_here.R;
  *s = (grid_spread){.n = n};
  find_divisor(s, q);
  s->process = grid_malloc(P, sizeof *s->process);
  s->local = grid_malloc(P, sizeof *s->local);
  if (!s->process || !s->local) return grid_fail_memory(NULL, "chunks of a dimension", P, sizeof *s->local);
  for (uint64_t c = 0; c < P; c++) {
    s->process[c] = (uint32_t)(rows ? c % R : c / R * R);
    s->local[c] = (rows ? c / R : c % R) * q - c * q; /* wraps, and back when it is added */
  }
  return GrB_SUCCESS;
}

static inline uint64_t chunk_of(const grid_spread *s, uint64_t v) {
  return s->times ? (uint64_t)(v * s->times >> s->shift) : v >> s->shift;
}

/* ---- reading ---- */

/* Tuples on one process, each an entry of its own. */
static uint64_t read_plain(const grid_build_source *x, uint64_t from, uint64_t to, uint64_t *key,
                           char *load) {
  const uint64_t *row = x->b->row + from, *col = x->b->col + from;
  for (uint64_t k = 0; k < to - from; k++) key[k] = row[k] << x->col_bits | col[k];
  if (load) grid_load_values(load, x->load_size, x->b->val, x->b->type->size, from, to);
  return to - from;
}

/* The others. number[m]: which tuple gave the m-th. */
static inline __attribute__((always_inline)) uint64_t read_entries(const grid_build_source *x, uint64_t from,
                                                                   uint64_t to, uint64_t *key, uint32_t *bin,
                                                                   uint16_t *number, const bool alone) {
  const grid_build *b = x->b;
  const uint64_t images = b->mirror ? 2 : 1;
  uint64_t m = 0;
  for (uint64_t k = from; k < to; k++)
    for (uint64_t image = 0; image < images; image++) {
      const uint64_t r = image ? b->col[k] : b->row[k], c = image ? b->row[k] : b->col[k];
      const uint64_t rc = alone ? 0 : chunk_of(&x->row, r), cc = alone ? 0 : chunk_of(&x->col, c);
      const uint32_t process = alone ? 0 : x->row.process[rc] + x->col.process[cc];
      const uint64_t lr = alone ? r : r + x->row.local[rc], lc = alone ? c : c + x->col.local[cc];
      key[m] = x->numbers ? k << 1 | image : lr << x->col_bits | lc;
      number[m] = (uint16_t)(k - from);
      if (bin) bin[m] = b->everywhere ? 0 : process;
      /* a mirrored loop is the loop itself */
      m += !(r == c && (b->no_loops || image)) && !(b->everywhere && process != (uint32_t)grid_here.k);
    }
  return m;
}

static uint64_t read_alone(const grid_build_source *x, uint64_t from, uint64_t to, uint64_t *key,
                           uint32_t *bin, uint16_t *number) {
  return read_entries(x, from, to, key, bin, number, true);
}
static uint64_t read_spread(const grid_build_source *x, uint64_t from, uint64_t to, uint64_t *key,
                            uint32_t *bin, uint16_t *number) {
  return read_entries(x, from, to, key, bin, number, false);
}

/* Are all of them inside the matrix? */
static bool are_good(const grid_build_source *x, uint64_t from, uint64_t to) {
  const uint64_t *row = x->b->row, *col = x->b->col, nrows = x->row.n, ncols = x->col.n;
  uint64_t bad = 0;
  for (uint64_t k = from; k < to; k++) bad |= (uint64_t)(row[k] >= nrows) | (uint64_t)(col[k] >= ncols);
  return !bad;
}

static uint64_t read_tuples(const grid_source *s, uint64_t from, uint64_t to, uint64_t *key, uint32_t *bin,
                            char *load) {
  const grid_build_source *x = s->context;
  const grid_build *b = x->b;
  uint16_t number[2 * GRID_BLOCK + 1];
  char values[GRID_BLOCK * GRID_LOAD_MOST];
  if (!are_good(x, from, to)) {
    atomic_store_explicit(x->spoiled, true, memory_order_relaxed);
    return 0;
  }
  const bool alone = grid_here.P == 1;
  if (alone && !b->mirror && !b->no_loops && !bin && !x->numbers) return read_plain(x, from, to, key, load);
  const uint64_t m = (alone ? read_alone : read_spread)(x, from, to, key, bin, number);
  if (!load) return m;
  grid_load_values(values, x->load_size, b->val, b->type->size, from, to);
  for (uint64_t e = 0; e < m; e++)
    memcpy(load + e * x->load_size, values + number[e] * x->load_size, x->load_size);
  return m;
}

grid_source grid_build_source_read(const grid_build_source *x) {
  return (grid_source){.n = x->b->n, .times = x->b->mirror ? 2 : 1, .read = read_tuples, .context = x};
}

grid_pair grid_build_source_pair(const grid_build_source *x, uint64_t number) {
  const uint64_t k = number >> 1;
  const bool image = number & 1;
  const uint64_t r = image ? x->b->col[k] : x->b->row[k], c = image ? x->b->row[k] : x->b->col[k];
  return (grid_pair){r + x->row.local[chunk_of(&x->row, r)], c + x->col.local[chunk_of(&x->col, c)]};
}

/* ---- life ---- */

GrB_Info grid_build_source_make(grid_build_source *x, GrB_Matrix A, const grid_build *b, int col_bits,
                                bool numbers, size_t size, atomic_bool *spoiled) {
  *x = (grid_build_source){.b = b,
                           .col_bits = col_bits,
                           .numbers = numbers,
                           .load_size = grid_load_size(size, b->n),
                           .spoiled = spoiled};
  GrB_Info info = spread_make(&x->row, A->nrows, true);
  return info == GrB_SUCCESS ? spread_make(&x->col, A->ncols, false) : info;
}

void grid_build_source_free(grid_build_source *x) {
  spread_free(&x->row);
  spread_free(&x->col);
}
