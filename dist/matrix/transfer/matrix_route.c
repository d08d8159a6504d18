/* Routing of tuples to the processes whose blocks hold them, and building of the block from what was
 * received; see matrix_route.h. */
#include "dist/matrix/transfer/matrix_route.h"

#include <string.h>

#include "dist/grid/short_call.h"
#include "dist/matrix/transfer/tuple_source.h"
#include "semiring/support/progress.h"
#include "semiring/support/tuning.h"
#include "spmat/device/device.h"
#include "spmat/device/phase_times.h"
#include "spmat/matrix/axis.h"
#include "spmat/matrix/device_build.h"
#include "spmat/vector/bitmap_words.h"

/* Send buffers: packed local coordinates (or pairs if a block dimension needs more than 32 bits), and values.
 */
typedef struct {
  void *keys, *val;
  uint64_t n;
  size_t key_size, val_size; /* val_size 0: no values are sent */
} send_buffers;

/* Format of sent tuples: pairs, or keys row << col_bits | column of `bits` bits, scattered into 2^range_bits
 * ranges of each process. */
typedef struct {
  bool pairs, device; /* device: the block is built there if possible */
  int col_bits, bits, range_bits;
} layout;

static size_t value_size(const grid_build *b) {
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): values have a type */
  return b->val ? b->type->size : 0;
}

/* Prefix sums: from counts of each interval's tuples in each bin to their offsets; and the size of each bin.
 */
static void bin_offsets(uint64_t stretches, uint64_t bins, const uint32_t *in, uint64_t *next,
                        uint64_t *count) {
  uint64_t sum = 0;
  for (uint64_t b = 0; b < bins; b++) {
    const uint64_t before = sum;
    for (uint64_t t = 0; t < stretches; t++) {
      next[t * bins + b] = sum;
      sum += in[t * bins + b];
    }
    count[b] = sum - before;
  }
}

/* Scatters tuples into bins, in stable order. count[b]: size of bin b. */
static GrB_Info bin_entries(const grid_build_source *x, uint64_t bins, send_buffers *s, uint64_t *count) {
  const grid_source source = grid_build_source_read(x);
  const grid_bin_rule rule = {0};
  const uint64_t stretches = grid_bin_stretches(&source);
  uint32_t *in = grid_calloc(stretches * bins, sizeof *in);
  uint64_t *next = grid_malloc(stretches * bins, sizeof *next);
  GrB_Info info = GrB_SUCCESS;
  if (!in || !next) TRY(grid_fail_memory(NULL, "tuple counts", stretches * bins, sizeof *next));
  grid_bin_count(&source, stretches, &rule, bins, in);
  if (atomic_load(x->has_bad_index)) TRY(GrB_INVALID_INDEX);
  bin_offsets(stretches, bins, in, next, count);
  s->n = 0;
  for (uint64_t d = 0; d < bins; d++) s->n += count[d];
  s->keys = grid_malloc(s->n, sizeof(uint64_t));
  s->val = x->load_size ? grid_malloc(s->n, x->load_size) : NULL;
  if (!s->keys || (x->load_size && !s->val))
    TRY(grid_fail_memory(NULL, "tuples to send", s->n, sizeof(uint64_t) + x->load_size));
  const grid_bin_output output = {s->keys, sizeof(uint64_t), s->val, x->load_size};
  info = grid_bin_scatter(&source, stretches, &rule, bins, next, &output);
done:
  grid_free(in);
  grid_free(next);
  return info;
}

/* Replaces tuple numbers by coordinates and values. */
static GrB_Info resolve_tuple_numbers(const grid_build_source *x, const layout *l, send_buffers *s) {
  const bool pairs = l->pairs;
  uint64_t *number = s->keys;
  const size_t size = s->val_size;
  grid_pair *pair = pairs ? grid_malloc(s->n, sizeof *pair) : NULL;
  s->val = size ? grid_malloc(s->n, size) : NULL;
  if ((pairs && !pair) || (size && !s->val)) {
    grid_free(pair);
    return grid_fail_memory(NULL, "tuples to send", s->n, s->key_size + size);
  }
#pragma omp parallel for schedule(static) if (s->n > 1 << 15)
  for (uint64_t k = 0; k < s->n; k++) {
    const grid_pair at = grid_build_source_pair(x, number[k]);
    if (size) memcpy((char *)s->val + k * size, (const char *)x->b->val + (number[k] >> 1) * size, size);
    if (pairs)
      pair[k] = at;
    else
      number[k] = at.r << l->col_bits | at.c;
  }
  if (!pairs) return GrB_SUCCESS;
  grid_free(s->keys);
  s->keys = pair;
  return GrB_SUCCESS;
}

/* Values of 4 and 8 bytes are scattered beside their keys; for others the tuple's number is scattered, and
 * coordinates and values are fetched afterwards. */
static GrB_Info pack(GrB_Matrix A, const grid_build *b, const layout *l, send_buffers *s, uint64_t *count) {
  const bool numbers = l->pairs || (s->val_size && s->val_size != 4 && s->val_size != 8);
  grid_build_source x;
  atomic_bool has_bad_index = false;
  GrB_Info info =
      grid_build_source_make(&x, A, b, l->col_bits, numbers, numbers ? 0 : s->val_size, &has_bad_index);
  grid_build_source_ranges(&x, l->bits, l->range_bits);
  if (info == GrB_SUCCESS)
    info = bin_entries(&x, b->is_replicated ? 1 : (uint64_t)grid_ctx.P << l->range_bits, s, count);
  if (info == GrB_SUCCESS && numbers) info = resolve_tuple_numbers(&x, l, s);
  grid_build_source_free(&x);
  return info;
}

/* Reports the first tuple of this process that lies outside the matrix, if there is one. */
static GrB_Info report_out_of_range(GrB_Matrix A, const grid_build *b, GrB_Info info, const char *call) {
  uint64_t bad = UINT64_MAX;
  if (info != GrB_INVALID_INDEX) return info;
#pragma omp parallel for schedule(static) reduction(min : bad) if (b->n > 1 << 15)
  for (uint64_t k = 0; k < b->n; k++)
    if ((b->row[k] >= A->nrows || b->col[k] >= A->ncols) && k < bad) bad = k;
  return grid_fail(&A->head, GrB_INDEX_OUT_OF_BOUNDS,
                   "%s: tuple %llu is (%lld, %lld), outside the %llu x %llu matrix", call,
                   (unsigned long long)(b->before + bad), (long long)b->row[bad], (long long)b->col[bad],
                   (unsigned long long)A->nrows, (unsigned long long)A->ncols);
}

static GrB_Info name_duplicate(GrB_Matrix A, GrB_Info info, grid_pair bad, const char *call) {
  if (info != GrB_INVALID_VALUE) return info;
  return grid_fail(&A->head, info,
                   "%s: two tuples for entry (%llu, %llu), and no operator dup to combine them", call,
                   (unsigned long long)grid_global_row(A->nrows, bad.r),
                   (unsigned long long)grid_global_col(A->ncols, bad.c));
}

/* Builds directly from the caller's arrays, if every process has the tuples of its block and the host builds
 * it. */
static GrB_Info build_in_place(GrB_Matrix A, const grid_build *b, grid_local_matrix *block, grid_pair *bad) {
  grid_build_source x;
  atomic_bool has_bad_index = false;
  GrB_Info info =
      grid_build_source_make(&x, A, b, grid_key_bits(block), false, value_size(b), &has_bad_index);
  const grid_lmat_source t = {.source = grid_build_source_read(&x),
                              .pattern = b->val == NULL,
                              .values = b->val,
                              .one = b->one,
                              .has_bad_index = &has_bad_index,
                              .how = {b->dup, b->newest_wins}};
  if (info == GrB_SUCCESS) info = grid_lmat_build_from(block, &t, bad);
  grid_build_source_free(&x);
  return info;
}

/* Keys for the device have the format of grid_lmat_make. On the host a block of several processes is built of
 * ranges, whose number all choose alike by the total of tuples. */
static GrB_Info choose_layout(GrB_Matrix A, const grid_build *b, const grid_local_matrix *block, layout *l) {
  uint64_t n = b->total ? b->total : b->n;
  const uint64_t P = (uint64_t)grid_ctx.P;
  GrB_Info info = GrB_SUCCESS;
  l->col_bits = 32;
  l->bits = 64;
  if (l->pairs || l->device) return GrB_SUCCESS;
  l->col_bits = grid_key_bits(block);
  l->bits = l->col_bits + grid_index_bits(block->row.dim);
  if (!b->total) info = grid_agree_sum(&A->head, info, &n, 1);
  if (info == GrB_SUCCESS) l->range_bits = grid_binned_bits(n * (b->mirror ? 2 : 1) / P, P, l->bits);
  return info;
}

/* start[p * (ranges + 1) + v]: offset of range v from process p; sent[p * ranges + v]: its tuples. */
static uint64_t *find_starts(const uint64_t *sent, uint64_t ranges) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  uint64_t *start = grid_malloc(P * (ranges + 1), sizeof *start), n = 0;
  for (uint64_t p = 0; start && p < P; p++) {
    for (uint64_t v = 0; v < ranges; v++) {
      start[p * (ranges + 1) + v] = n;
      n += sent[p * ranges + v];
    }
    start[p * (ranges + 1) + ranges] = n;
  }
  return start;
}

GrB_Info grid_exchange_range_counts(const uint64_t *count, uint64_t ranges, uint64_t **start) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  void *sent = NULL;
  grid_short_call_begin(P, sizeof(uint64_t));
  uint64_t *sizes = grid_malloc(P, sizeof *sizes), n;
  GrB_Info info = sizes ? GrB_SUCCESS : grid_fail_memory(NULL, "tuple counts", P, sizeof *sizes);
  TRY(grid_short_call_agree(NULL, info));
  for (uint64_t p = 0; p < P; p++) sizes[p] = ranges;
  TRY(grid_exchange_elements(count, sizes, sizeof *count, &sent, &n));
  grid_short_call_begin(P * (ranges + 1), sizeof **start);
  *start = find_starts(sent, ranges);
  TRY(grid_short_call_agree(
      NULL, *start ? GrB_SUCCESS : grid_fail_memory(NULL, "tuple counts", n, sizeof **start)));
done:
  grid_free(sizes);
  grid_free(sent);
  return info;
}

/* Receives the tuples of this block from all processes. *start: see find_starts. count becomes the number
 * from each process. */
static GrB_Info exchange_tuples(send_buffers *s, const layout *l, uint64_t *count, uint64_t **start) {
  const uint64_t P = (uint64_t)grid_ctx.P, ranges = UINT64_C(1) << l->range_bits;
  GrB_Info info;
  TRY(grid_exchange_range_counts(count, ranges, start));
  for (uint64_t p = 0; p < P; p++) {
    uint64_t n = 0;
    for (uint64_t v = 0; v < ranges; v++) n += count[p * ranges + v];
    count[p] = n;
  }
  grid_array_exchange x[] = {{s->keys, count, s->key_size, &s->keys}, {s->val, count, s->val_size, &s->val}};
  TRY(grid_exchange_arrays(x, s->val_size ? 2 : 1));
  grid_free(s->keys);
  grid_free(s->val);
  s->n = x[0].n, s->keys = x[0].recv, s->val = x[1].recv;
done:
  return info;
}

/* Builds the block on the host from keys in ranges, which it consumes, as values that loads hold. */
static GrB_Info build_binned(const grid_build *b, const layout *l, send_buffers *s, const uint64_t *start,
                             grid_local_matrix *block, grid_pair *bad) {
  void *values = s->val;
  if (s->val_size <= GRID_LOAD_MAX) s->val = NULL;
  const grid_binned binned = {.key = s->keys,
                              .values = values,
                              .value_size = s->val_size,
                              .segments = (uint64_t)grid_ctx.P,
                              .ranges = UINT64_C(1) << l->range_bits,
                              .shift = l->bits - l->range_bits,
                              .start = start};
  const grid_lmat_source t = {.source = {.n = s->n},
                              .binned = &binned,
                              .pattern = b->val == NULL,
                              .values = s->val,
                              .one = b->one,
                              .how = {b->dup, b->newest_wins}};
  s->keys = NULL;
  return grid_lmat_build_from(block, &t, bad);
}

/* Builds from an array of the block's tuples, received from all processes. */
static GrB_Info build_from_shipment(GrB_Matrix A, const grid_build *b, bool pairs, bool may_device,
                                    grid_local_matrix *block, grid_pair *bad, const char *call) {
  layout l = {.pairs = pairs, .device = may_device};
  send_buffers s = {.key_size = pairs ? sizeof(grid_pair) : sizeof(uint64_t), .val_size = value_size(b)};
  const grid_duplicates how = {b->dup, b->newest_wins};
  uint64_t *count = NULL, *start = NULL;
  GrB_Info info;
  const bool binned = !b->is_replicated && grid_ctx.P > 1 && !pairs && !may_device;
  if (binned && s.val_size <= GRID_LOAD_MAX) s.val_size = grid_load_size(s.val_size, b->n);
  TRY(choose_layout(A, b, block, &l));
  const uint64_t bins = (uint64_t)grid_ctx.P << l.range_bits;
  count = grid_calloc(bins, sizeof *count);
  info = count ? pack(A, b, &l, &s, count) : grid_fail_memory(&A->head, "tuple counts", bins, sizeof *count);
  grid_lap_record("deal tuples");
  TRY(grid_agree(&A->head, report_out_of_range(A, b, info, call)));
  if (!b->is_replicated && grid_ctx.P > 1) TRY(exchange_tuples(&s, &l, count, &start));
  grid_lap_record("exchange tuples");
  grid_progress_step(GRID_TUPLES_SENT);
  if (binned) {
    info = build_binned(b, &l, &s, start, block, bad);
  } else {
    info =
        (may_device ? grid_lmat_make : grid_lmat_build)(block, s.keys, pairs, s.n, s.val, b->one, how, bad);
    s.keys = NULL;
  }
done:
  grid_free(s.keys);
  grid_free(s.val);
  grid_free(count);
  grid_free(start);
  return info;
}

/* ---- tuples that all processes have ---- */

/* Tuples from .. end - 1 of b. */
static grid_build present_of(const grid_build *b, uint64_t from, uint64_t end) {
  grid_build z = *b;
  z.row += from, z.col += from;
  z.n = end - from;
  z.before += from;
  if (b->val) z.val = (const char *)b->val + from * b->type->size;
  return z;
}

/* Are tuples inside the matrix and strictly ascending? Stops at the first that is not. */
static bool are_ascending(GrB_Matrix like, const grid_build *b, uint64_t from, uint64_t end) {
  enum { STEP = 1 << 10 };
  const uint64_t *row = b->row, *col = b->col;
  uint64_t bad = 0;
  for (uint64_t at = from; at < end && !bad; at += STEP)
    for (uint64_t k = at; k < at + STEP && k < end; k++) {
      bad |= (uint64_t)(row[k] >= like->nrows) | (uint64_t)(col[k] >= like->ncols);
      if (k)
        bad |= (uint64_t)(row[k - 1] > row[k]) | (uint64_t)((row[k - 1] == row[k]) & (col[k - 1] >= col[k]));
    }
  return !bad;
}

/* Each process checks a share of replicated tuples. The same outcome on all. */
static GrB_Info agree_on_order(GrB_Matrix like, const grid_build *b, bool *ordered) {
  const uint64_t P = (uint64_t)grid_ctx.P, k = (uint64_t)grid_ctx.k, share = b->n / P + 1;
  const uint64_t from = k * share < b->n ? k * share : b->n, end = b->n - from < share ? b->n : from + share;
  uint64_t disorder = !are_ascending(like, b, from, end);
  GrB_Info info = grid_agree_sum(&like->head, GrB_SUCCESS, &disorder, 1);
  *ordered = disorder == 0;
  return info;
}

/* The process's share of replicated tuples: if they are ordered those of its block, an interval of rows; else
 * an equal share, which is sent on. */
static GrB_Info receive_share(GrB_Matrix like, const grid_build *b, bool *ordered, grid_build *z) {
  const uint64_t P = (uint64_t)grid_ctx.P, k = (uint64_t)grid_ctx.k, share = b->n / P + 1;
  GrB_Info info = GrB_SUCCESS;
  *ordered = false;
  if (grid_ctx.C == 1 && !b->mirror && !b->no_loops) info = agree_on_order(like, b, ordered);
  if (info != GrB_SUCCESS) return info;
  if (*ordered) {
    const uint64_t from = grid_lower_bound(b->row, 0, b->n, grid_chunk_first(like->nrows, grid_ctx.k)),
                   below = grid_chunk_first(like->nrows, grid_ctx.k + 1);
    *z = present_of(b, from, grid_lower_bound(b->row, from, b->n, below));
    return info;
  }
  const uint64_t from = k * share < b->n ? k * share : b->n;
  *z = present_of(b, from, b->n - from < share ? b->n : from + share);
  z->is_replicated = false;
  z->total = b->n;
  return info;
}

/* Builds on the device, directly from the caller's arrays. */
static GrB_Info build_on_device(GrB_Matrix A, const grid_build *b, grid_local_matrix *block, grid_pair *bad) {
  const grid_program_tuples t = {.row = b->row,
                                 .col = b->col,
                                 .n = b->n,
                                 .nrows = A->nrows,
                                 .ncols = A->ncols,
                                 .mirror = b->mirror,
                                 .no_loops = b->no_loops};
  return grid_lmat_make_from_tuples(block, &t, b->val, b->one, (grid_duplicates){b->dup, b->newest_wins},
                                    bad);
}

GrB_Info grid_build_block(GrB_Matrix like, const grid_build *b, bool may_device, grid_local_matrix *t,
                          const char *call) {
  grid_build received;
  bool ordered;
  grid_lmat_init(t, b->type, grid_block_rows(like->nrows), grid_block_cols(like->ncols));
  const bool pairs = grid_axis_has_ids64(&t->row) || grid_axis_has_ids64(&t->col),
             device = may_device && grid_device_is_on();
  if (b->is_replicated && grid_ctx.P > 1 && !pairs && !device && b->n >= grid_tune.shared_check_min) {
    GrB_Info shared = receive_share(like, b, &ordered, &received);
    if (shared != GrB_SUCCESS) return shared;
    b = &received;
  }
  const bool in_place = (b->is_replicated || grid_ctx.P == 1) && !pairs && !device;
  grid_pair bad = {0, 0};
  GrB_Info info = device && grid_ctx.P == 1 && !pairs ? build_on_device(like, b, t, &bad) : GRID_UNSUPPORTED;
  if (info != GRID_UNSUPPORTED)
    return name_duplicate(like, report_out_of_range(like, b, info, call), bad, call);
  info = in_place ? report_out_of_range(like, b, build_in_place(like, b, t, &bad), call)
                  : build_from_shipment(like, b, pairs, device, t, &bad, call);
  grid_lap_record("build block");
  return name_duplicate(like, info, bad, call);
}

GrB_Info grid_route_lmat(GrB_Matrix like, const grid_build *b, grid_local_matrix *t, const char *call) {
  GrB_Info info = grid_agree(&like->head, grid_build_block(like, b, false, t, call));
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}
