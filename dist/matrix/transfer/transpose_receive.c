/* See transpose_exchange.h: the rows of the transpose. The segments of a range are in order of the senders,
 * whose columns ascend, and so do the columns of a segment. The entries of each row are counted and then
 * stored, one range after the other. */
#include <omp.h>
#include <string.h>

#include "dist/matrix/transfer/transpose_exchange.h"
#include "semiring/threads/context_section.h"
#include "spmat/vector/value_sizes.h"

typedef struct {
  const grid_transpose_segments *x;
  grid_local_matrix *t;
  uint64_t chunk, range;
  uint64_t row, rows; /* of the range: the first, and their number */
  uint64_t first;     /* entry */
  uint64_t *at;       /* of each row: the number of entries, then where the next one is stored */
} range;

GRID_ALWAYS_INLINE uint64_t key_at(const grid_transpose_segments *x, uint64_t e, size_t key_size) {
  return key_size == 4 ? ((const uint32_t *)x->key)[e] : ((const uint64_t *)x->key)[e];
}

/* Where the range begins in the i-th segment of its chunk; the next element: where it ends. */
static const uint64_t *find_segment(const range *z, int i) {
  const uint64_t process = z->chunk * (uint64_t)grid_ctx.R + (uint64_t)i;
  return z->x->start + process * (z->x->keys.ranges + 1) + z->range;
}

GRID_ALWAYS_INLINE void count_entries(const range *z, size_t key_size) {
  const int bits = z->x->keys.col_bits;
  for (int i = 0; i < grid_ctx.R; i++) {
    const uint64_t *segment = find_segment(z, i);
    for (uint64_t e = segment[0]; e < segment[1]; e++) z->at[key_at(z->x, e, key_size) >> bits]++;
  }
}

static void find_rows(const range *z) {
  const grid_offsets o = grid_vector_starts(&z->t->by_row);
  uint64_t at = z->first;
  for (uint64_t r = 0; r < z->rows; r++) {
    const uint64_t n = z->at[r];
    grid_offset_set(o, z->row + r, at);
    z->at[r] = at;
    at += n;
  }
}

GRID_ALWAYS_INLINE void store_entries(const range *z, size_t key_size, size_t size) {
  const grid_transpose_segments *x = z->x;
  const int bits = x->keys.col_bits;
  const uint64_t low = (UINT64_C(1) << bits) - 1;
  uint32_t *idx = z->t->by_row.idx;
  char *val = z->t->by_row.val;
  for (int i = 0; i < grid_ctx.R; i++) {
    const uint64_t *segment = find_segment(z, i), col = grid_block_offset(x->nrows, false, i);
    for (uint64_t e = segment[0]; e < segment[1]; e++) {
      const uint64_t key = key_at(x, e, key_size), k = z->at[key >> bits]++;
      idx[k] = (uint32_t)(col + (key & low));
      if (size) memcpy(val + k * size, x->val + e * size, size);
    }
  }
}

static void order_range(const range *z) {
  const size_t key_size = z->x->keys.key_size, size = z->x->keys.val_size;
  memset(z->at, 0, z->rows * sizeof *z->at);
  key_size == 4 ? count_entries(z, 4) : count_entries(z, 8);
  find_rows(z);
#define CALL(S) key_size == 4 ? store_entries(z, 4, S) : store_entries(z, 8, S)
  if (size == 0)
    CALL(0);
  else
    GRID_BY_SIZE(size, CALL)
#undef CALL
}

/* Number k of all ranges; false: it has no rows. */
static bool find_range(range *z, uint64_t k, const uint64_t *first) {
  const grid_transpose_keys *f = &z->x->keys;
  z->chunk = k / f->ranges, z->range = k % f->ranges;
  const uint64_t from = z->range << f->range_bits, length = UINT64_C(1) << f->range_bits;
  const int s = (int)z->chunk;
  const uint64_t rows = grid_chunk_padded_size(z->x->ncols, grid_block_chunk(true, s));
  if (from >= rows) return false;
  z->row = grid_block_offset(z->x->ncols, true, s) + from;
  z->rows = rows - from < length ? rows - from : length;
  z->first = first[k];
  return true;
}

/* first[k]: the first entry of range k; the end of the last. */
static void find_first(const grid_transpose_segments *x, uint64_t *first, uint64_t n) {
  uint64_t at = 0;
  for (uint64_t k = 0; k < n; k++) {
    const range z = {.x = x, .chunk = k / x->keys.ranges, .range = k % x->keys.ranges};
    first[k] = at;
    for (int i = 0; i < grid_ctx.R; i++) at += find_segment(&z, i)[1] - find_segment(&z, i)[0];
  }
}

static GrB_Info make_arrays(const grid_transpose_segments *x, grid_local_matrix *t) {
  grid_offsets o;
  t->row.n = t->row.dim, t->col.n = t->col.dim, t->nvals = x->n;
  const bool made = grid_offsets_make(&o, t->row.n + 1, x->n);
  t->by_row.ptr = o.offsets32, t->by_row.offsets64 = o.offsets64;
  t->by_row.idx = grid_malloc(x->n, sizeof *t->by_row.idx);
  t->by_row.val = x->keys.val_size ? grid_malloc(x->n, x->keys.val_size) : NULL;
  return made && t->by_row.idx && (!x->keys.val_size || t->by_row.val)
             ? GrB_SUCCESS
             : grid_fail_memory(NULL, "a transposed matrix", x->n, sizeof(uint32_t) + x->keys.val_size);
}

GrB_Info grid_transpose_receive(const grid_transpose_segments *x, grid_local_matrix *t) {
  const uint64_t ranges = (uint64_t)grid_ctx.C * x->keys.ranges, rows = UINT64_C(1) << x->keys.range_bits;
  const int threads = x->n > 1 << 15 ? grid_ctx.threads : 1;
  uint64_t *at = grid_malloc((uint64_t)threads * rows, sizeof *at);
  uint64_t *first = grid_malloc(ranges, sizeof *first);
  GrB_Info info =
      at && first ? make_arrays(x, t) : grid_fail_memory(NULL, "counts of rows", rows, sizeof *at);
  TRY(info);
  find_first(x, first, ranges);
  const uintptr_t context = grid_context_distance;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
  for (uint64_t k = 0; k < ranges; k++) {
    GRID_WORKER_SCOPE(context);
    range z = {.x = x, .t = t, .at = at + (uint64_t)omp_get_thread_num() * rows};
    if (find_range(&z, k, first)) order_range(&z);
  }
  const uint64_t end = grid_block_offset(x->ncols, true, grid_ctx.C);
  for (uint64_t r = end; r <= t->row.n; r++) grid_offset_set(grid_vector_starts(&t->by_row), r, x->n);
done:
  grid_free(at);
  grid_free(first);
  return info;
}
