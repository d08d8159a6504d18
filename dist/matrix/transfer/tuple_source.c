/* Reading the tuples that a matrix is built of; see tuple_source.h. */
#include "dist/matrix/transfer/tuple_source.h"

#include <string.h>

/* ---- dimensions ---- */

__extension__ typedef unsigned __int128 uint128;

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
  s->times = ((uint128)1 << s->shift) / q + 1;
}

static GrB_Info spread_make(grid_spread *s, uint64_t n, bool rows) {
  const uint64_t P = (uint64_t)grid_ctx.P, R = (uint64_t)grid_ctx.R;
  *s = (grid_spread){.n = n, .partition = grid_partition_of(n)};
  find_divisor(s, grid_even_size(n));
  s->process = grid_malloc(P, sizeof *s->process);
  s->local = grid_malloc(P, sizeof *s->local);
  if (!s->process || !s->local) return grid_fail_memory(NULL, "chunks of a dimension", P, sizeof *s->local);
  for (uint64_t c = 0; c < P; c++) {
    s->process[c] = (uint32_t)(rows ? c % R : c / R * R);
    const uint64_t first = s->partition ? s->partition->first[c] : c * grid_even_size(n);
    s->local[c] = grid_chunk_offset(n, rows, (int)c) - first; /* wraps, and back when it is added */
  }
  return GrB_SUCCESS;
}

static inline uint64_t divide_by_chunk(const grid_spread *s, uint64_t v) {
  return s->times ? (uint64_t)(v * s->times >> s->shift) : v >> s->shift;
}
static inline uint64_t chunk_of(const grid_spread *s, uint64_t v) {
  return s->partition ? (uint64_t)grid_partition_chunk(s->partition, v) : divide_by_chunk(s, v);
}

/* ---- reading ---- */

/* Tuples on one process, each an entry of its own. */
static uint64_t read_unsorted(const grid_build_source *x, uint64_t from, uint64_t to, uint64_t *key,
                              char *load) {
  const uint64_t *row = x->b->row + from, *col = x->b->col + from;
  for (uint64_t k = 0; k < to - from; k++) key[k] = row[k] << x->col_bits | col[k];
  if (load) grid_load_values(load, x->load_size, x->b->val, x->b->type->size, from, to);
  return to - from;
}

/* How an index's chunk is found: there is one alone, their length is a power of two, it is not, or they are
 * uneven. */
typedef enum { SINGLE_CHUNK, SHIFTED, DIVIDED, UNEVEN, METHODS } chunk_lookup;

/* One entry that a tuple gives: at row r and column c, in the chunks rc and cc. Answers its process. */
static inline __attribute__((always_inline)) uint32_t store_entry(const grid_build_source *x, uint64_t r,
                                                                  uint64_t c, uint64_t rc, uint64_t cc,
                                                                  uint64_t number, uint64_t *key,
                                                                  uint32_t *bin, const chunk_lookup method) {
  const uint64_t position = method == SINGLE_CHUNK
                                ? r << x->col_bits | c
                                : (r + x->row.local[rc]) << x->col_bits | (c + x->col.local[cc]);
  const uint32_t process = method == SINGLE_CHUNK ? 0 : x->row.process[rc] + x->col.process[cc],
                 ranges = (UINT32_C(1) << x->range_bits) - 1;
  *key = x->numbers ? number : position;
  *bin = process << x->range_bits | ((uint32_t)(position >> x->range_shift) & ranges);
  return process;
}

static inline __attribute__((always_inline)) uint64_t find_chunk(const grid_spread *s, uint64_t v,
                                                                 const chunk_lookup method) {
  if (method == SINGLE_CHUNK) return 0;
  if (method == SHIFTED) return v >> s->shift;
  return method == DIVIDED ? divide_by_chunk(s, v) : chunk_of(s, v);
}

/* The others. number[m]: which tuple gave the m-th. A mirrored loop is the loop itself. */
static inline __attribute__((always_inline)) uint64_t read_entries(const grid_build_source *x, uint64_t from,
                                                                   uint64_t to, uint64_t *key, uint32_t *bin,
                                                                   uint16_t *number,
                                                                   const chunk_lookup method,
                                                                   const bool mirror) {
  const uint64_t *row = x->b->row, *col = x->b->col;
  const bool loops = !x->b->no_loops, all = !x->b->is_replicated;
  const uint32_t me = (uint32_t)grid_ctx.k;
  uint64_t m = 0;
  for (uint64_t k = from; k < to; k++) {
    const uint64_t r = row[k], c = col[k], rc = find_chunk(&x->row, r, method),
                   cc = find_chunk(&x->col, c, method);
    number[m] = (uint16_t)(k - from);
    uint32_t process = store_entry(x, r, c, rc, cc, k << 1, key + m, bin + m, method);
    m += (loops | (r != c)) & (all | (process == me));
    if (!mirror) continue;
    number[m] = (uint16_t)(k - from);
    process = store_entry(x, c, r, cc, rc, k << 1 | 1, key + m, bin + m, method);
    m += (r != c) & (all | (process == me));
  }
  return m;
}

typedef uint64_t reader(const grid_build_source *x, uint64_t from, uint64_t to, uint64_t *key, uint32_t *bin,
                        uint16_t *number);
#define READER(METHOD, NAME, MIRROR)                                                                     \
  static uint64_t NAME##_##METHOD(const grid_build_source *x, uint64_t from, uint64_t to, uint64_t *key, \
                                  uint32_t *bin, uint16_t *number) {                                     \
    return read_entries(x, from, to, key, bin, number, METHOD, MIRROR);                                  \
  }
READER(SINGLE_CHUNK, read_plain, false)
READER(SINGLE_CHUNK, read_mirrored, true)
READER(SHIFTED, read_plain, false)
READER(SHIFTED, read_mirrored, true)
READER(DIVIDED, read_plain, false)
READER(DIVIDED, read_mirrored, true)
READER(UNEVEN, read_plain, false)
READER(UNEVEN, read_mirrored, true)

static reader *find_reader(const grid_build_source *x) {
  static reader *const of[METHODS][2] = {{read_plain_SINGLE_CHUNK, read_mirrored_SINGLE_CHUNK},
                                         {read_plain_SHIFTED, read_mirrored_SHIFTED},
                                         {read_plain_DIVIDED, read_mirrored_DIVIDED},
                                         {read_plain_UNEVEN, read_mirrored_UNEVEN}};
  const chunk_lookup method = grid_ctx.P == 1                        ? SINGLE_CHUNK
                              : x->row.partition || x->col.partition ? UNEVEN
                              : x->row.times || x->col.times         ? DIVIDED
                                                                     : SHIFTED;
  return of[method][x->b->mirror];
}

/* Are all of them inside the matrix? */
static bool are_in_range(const grid_build_source *x, uint64_t from, uint64_t to) {
  const uint64_t *row = x->b->row, *col = x->b->col, nrows = x->row.n, ncols = x->col.n;
  uint64_t bad = 0;
  for (uint64_t k = from; k < to; k++) bad |= (uint64_t)(row[k] >= nrows) | (uint64_t)(col[k] >= ncols);
  return !bad;
}

static uint64_t read_tuples(const grid_source *s, uint64_t from, uint64_t to, uint64_t *key, uint32_t *bin,
                            char *load) {
  const grid_build_source *x = s->context;
  GRID_WORKER_SCOPE(x->context);
  const grid_build *b = x->b;
  uint16_t number[2 * GRID_BLOCK];
  uint32_t unwanted[2 * GRID_BLOCK];
  char values[GRID_BLOCK * GRID_LOAD_MAX];
  if (!are_in_range(x, from, to)) {
    atomic_store_explicit(x->has_bad_index, true, memory_order_relaxed);
    return 0;
  }
  if (grid_ctx.P == 1 && !b->mirror && !b->no_loops && !bin && !x->numbers)
    return read_unsorted(x, from, to, key, load);
  const uint64_t m = x->read(x, from, to, key, bin ? bin : unwanted, number);
  if (bin && b->is_replicated) memset(bin, 0, m * sizeof *bin);
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
                                bool numbers, size_t size, atomic_bool *has_bad_index) {
  *x = (grid_build_source){.b = b,
                           .col_bits = col_bits,
                           .numbers = numbers,
                           .load_size = grid_load_size(size, b->n),
                           .context = grid_context_distance,
                           .has_bad_index = has_bad_index};
  GrB_Info info = spread_make(&x->row, A->nrows, true);
  if (info == GrB_SUCCESS) info = spread_make(&x->col, A->ncols, false);
  x->read = find_reader(x);
  return info;
}

void grid_build_source_ranges(grid_build_source *x, int bits, int range_bits) {
  x->range_bits = range_bits;
  x->range_shift =
      bits - range_bits < 63 ? bits - range_bits : 63; /* that far only where there is one range */
}

void grid_build_source_free(grid_build_source *x) {
  spread_free(&x->row);
  spread_free(&x->col);
}
