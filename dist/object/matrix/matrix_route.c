/* Tuples on their way to the processes whose blocks hold them: each is sent there, and the block is built of
 * what has come; see matrix_route.h. */
#include "dist/object/matrix/matrix_route.h"

#include <string.h>

#include "dist/object/matrix/build_source.h"
#include "semiring/progress.h"
#include "spmat/cpu/matrix/part_tuples.h"
#include "spmat/device/device.h"
#include "spmat/device/times.h"
#include "spmat/matrix/axis.h"
#include "spmat/matrix/build.h"
#include "spmat/vector/words.h"

/* Tuples of one process on their way: packed local coordinates (or pairs when a block dimension needs more
 * than 32 bits), and values. */
typedef struct {
  void *keys;
  char *val;
  uint64_t n;
  size_t key_size, val_size; /* val_size 0: no values travel */
} shipment;

/* How tuples travel: as pairs, or as keys row << col_bits | column of `bits` bits in all, dealt to
 * 2^range_bits ranges in each process. */
typedef struct {
  bool pairs, device; /* device: the block is made there if that can be */
  int col_bits, bits, range_bits;
} layout;

static size_t value_size(const grid_build *b) {
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): values have a type */
  return b->val ? b->type->size : 0;
}

/* Where each stretch's tuples of each bin go, and how many there are of each bin: count becomes places. */
static void place_bins(uint64_t stretches, uint64_t bins, const uint32_t *in, uint64_t *next,
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

/* Tuples in order of bin, each bin's in tuple order. count[b]: how many bin b has. */
static GrB_Info deal(const grid_build_source *x, uint64_t bins, shipment *s, uint64_t *count) {
  const grid_source source = grid_build_source_read(x);
  const grid_bin_rule rule = {0};
  const uint64_t stretches = grid_deal_stretches(&source);
  uint32_t *in = grid_calloc(stretches * bins, sizeof *in);
  uint64_t *next = grid_malloc(stretches * bins, sizeof *next);
  GrB_Info info = GrB_SUCCESS;
  if (!in || !next) TRY(grid_fail_memory(NULL, "tuple counts", stretches * bins, sizeof *next));
  grid_deal_count(&source, stretches, &rule, bins, in);
  if (atomic_load(x->spoiled)) TRY(GrB_INVALID_INDEX);
  place_bins(stretches, bins, in, next, count);
  s->n = 0;
  for (uint64_t d = 0; d < bins; d++) s->n += count[d];
  s->keys = grid_malloc(s->n, sizeof(uint64_t));
  s->val = x->load_size ? grid_malloc(s->n, x->load_size) : NULL;
  if (!s->keys || (x->load_size && !s->val))
    TRY(grid_fail_memory(NULL, "tuples to send", s->n, sizeof(uint64_t) + x->load_size));
  const grid_dealt_to there = {s->keys, sizeof(uint64_t), s->val, x->load_size};
  info = grid_deal_out(&source, stretches, &rule, bins, next, &there);
done:
  grid_free(in);
  grid_free(next);
  return info;
}

/* Tuple numbers become what they stand for. */
static GrB_Info look_up(const grid_build_source *x, const layout *l, shipment *s) {
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
    if (size) memcpy(s->val + k * size, (const char *)x->b->val + (number[k] >> 1) * size, size);
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

/* Values of 4 and 8 bytes, and loads, travel beside their keys while tuples are dealt out; in other cases the
 * number of the tuple is dealt, and coordinates and values are fetched afterwards. */
static GrB_Info pack(GrB_Matrix A, const grid_build *b, const layout *l, shipment *s, uint64_t *count) {
  const bool numbers = l->pairs || (s->val_size && s->val_size != 4 && s->val_size != 8);
  grid_build_source x;
  atomic_bool spoiled = false;
  GrB_Info info = grid_build_source_make(&x, A, b, l->col_bits, numbers, numbers ? 0 : s->val_size, &spoiled);
  grid_build_source_ranges(&x, l->bits, l->range_bits);
  if (info == GrB_SUCCESS)
    info = deal(&x, b->everywhere ? 1 : (uint64_t)grid_here.P << l->range_bits, s, count);
  if (info == GrB_SUCCESS && numbers) info = look_up(&x, l, s);
  grid_build_source_free(&x);
  return info;
}

/* Sends count[d] elements to process d; replaces *data by the *n that arrive. */
static GrB_Info send(void **data, const uint64_t *count, size_t size, uint64_t *n) {
  void *in;
  GrB_Info info = grid_exchange_elements(*data, count, size, &in, n);
  if (info != GrB_SUCCESS) return info;
  grid_free(*data);
  *data = in;
  return GrB_SUCCESS;
}

/* Names the first tuple of this process that lies outside the matrix, where one was met. */
static GrB_Info name_outside(GrB_Matrix A, const grid_build *b, GrB_Info info, const char *call) {
  uint64_t bad = UINT64_MAX;
  if (info != GrB_INVALID_INDEX) return info;
#pragma omp parallel for schedule(static) reduction(min : bad) if (b->n > 1 << 15)
  for (uint64_t k = 0; k < b->n; k++)
    if ((b->row[k] >= A->nrows || b->col[k] >= A->ncols) && k < bad) bad = k;
  return grid_fail(
      &A->head, GrB_INDEX_OUT_OF_BOUNDS, "%s: tuple %llu is (%llu, %llu), outside the %llu x %llu matrix",
      call, (unsigned long long)(b->before + bad), (unsigned long long)b->row[bad],
      (unsigned long long)b->col[bad], (unsigned long long)A->nrows, (unsigned long long)A->ncols);
}

static GrB_Info name_duplicate(GrB_Matrix A, GrB_Info info, grid_pair bad, const char *call) {
  if (info != GrB_INVALID_VALUE) return info;
  return grid_fail(&A->head, info,
                   "%s: two tuples for entry (%llu, %llu), and no operator dup to combine them", call,
                   (unsigned long long)grid_global_row(A->nrows, bad.r),
                   (unsigned long long)grid_global_col(A->ncols, bad.c));
}

/* Straight from the program's arrays, where every process has the tuples of its block and the host builds it.
 */
static GrB_Info build_in_place(GrB_Matrix A, const grid_build *b, grid_part *block, grid_pair *bad) {
  grid_build_source x;
  atomic_bool spoiled = false;
  GrB_Info info = grid_build_source_make(&x, A, b, grid_key_bits(block), false, value_size(b), &spoiled);
  const grid_part_source t = {.source = grid_build_source_read(&x),
                              .pattern = b->val == NULL,
                              .values = b->val,
                              .one = b->one,
                              .spoiled = &spoiled,
                              .how = {b->dup, b->keep_last}};
  if (info == GrB_SUCCESS) info = grid_part_build_from(block, &t, bad);
  grid_build_source_free(&x);
  return info;
}

/* Keys for the device are as grid_part_make wants them. On the host a block of several processes is built of
 * ranges: all deal alike, by the tuples that there are in all. */
static GrB_Info choose_layout(GrB_Matrix A, const grid_build *b, const grid_part *block, layout *l) {
  uint64_t n = b->n * (b->mirror ? 2 : 1);
  const uint64_t P = (uint64_t)grid_here.P;
  l->col_bits = 32;
  l->bits = 64;
  if (l->pairs || l->device) return GrB_SUCCESS;
  l->col_bits = grid_key_bits(block);
  l->bits = l->col_bits + grid_index_bits(block->row.dim);
  GrB_Info info = grid_agree_sum(&A->head, GrB_SUCCESS, &n, 1);
  if (info == GrB_SUCCESS) l->range_bits = grid_dealt_bits(n / P, P, l->bits);
  return info;
}

/* start[p * (ranges + 1) + v]: where range v of what process p sent begins; sent[p * ranges + v] tuples. */
static uint64_t *find_starts(const uint64_t *sent, uint64_t ranges) {
  const uint64_t P = (uint64_t)grid_here.P;
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

/* Tells each process how many tuples of each of its ranges come from here. */
static GrB_Info exchange_counts(const uint64_t *count, uint64_t ranges, uint64_t **start) {
  const uint64_t P = (uint64_t)grid_here.P;
  void *sent = NULL;
  uint64_t *each = grid_malloc(P, sizeof *each), n;
  GrB_Info info = each ? GrB_SUCCESS : grid_fail_memory(NULL, "tuple counts", P, sizeof *each);
  TRY(grid_agree(NULL, info));
  for (uint64_t p = 0; p < P; p++) each[p] = ranges;
  TRY(grid_exchange_elements(count, each, sizeof *count, &sent, &n));
  *start = find_starts(sent, ranges);
  TRY(grid_agree(NULL, *start ? GrB_SUCCESS : grid_fail_memory(NULL, "tuple counts", n, sizeof **start)));
done:
  grid_free(each);
  grid_free(sent);
  return info;
}

/* The tuples of this block come from all processes. *start: as find_starts gives it. count becomes that of
 * each process. */
static GrB_Info exchange_tuples(shipment *s, const layout *l, uint64_t *count, uint64_t **start) {
  const uint64_t P = (uint64_t)grid_here.P, ranges = UINT64_C(1) << l->range_bits;
  GrB_Info info;
  TRY(exchange_counts(count, ranges, start));
  for (uint64_t p = 0; p < P; p++) {
    uint64_t n = 0;
    for (uint64_t v = 0; v < ranges; v++) n += count[p * ranges + v];
    count[p] = n;
  }
  if (s->val_size) TRY(send((void **)&s->val, count, s->val_size, &s->n));
  TRY(send(&s->keys, count, s->key_size, &s->n));
done:
  return info;
}

/* The block on the host, of keys that came in ranges. Takes the keys. */
static GrB_Info build_dealt(const grid_build *b, const layout *l, shipment *s, const uint64_t *start,
                            grid_part *block, grid_pair *bad) {
  const grid_dealt dealt = {.key = s->keys,
                            .values = s->val,
                            .value_size = s->val_size,
                            .pieces = (uint64_t)grid_here.P,
                            .ranges = UINT64_C(1) << l->range_bits,
                            .shift = l->bits - l->range_bits,
                            .start = start};
  const grid_part_source t = {.source = {.n = s->n},
                              .dealt = &dealt,
                              .pattern = b->val == NULL,
                              .values = s->val,
                              .one = b->one,
                              .how = {b->dup, b->keep_last}};
  return grid_part_build_from(block, &t, bad);
}

/* By way of an array of the block's tuples, which have come from all processes. */
static GrB_Info build_from_shipment(GrB_Matrix A, const grid_build *b, bool pairs, bool may_device,
                                    grid_part *block, grid_pair *bad, const char *call) {
  layout l = {.pairs = pairs, .device = may_device};
  shipment s = {.key_size = pairs ? sizeof(grid_pair) : sizeof(uint64_t), .val_size = value_size(b)};
  const grid_duplicates how = {b->dup, b->keep_last};
  uint64_t *count = NULL, *start = NULL;
  GrB_Info info;
  const bool dealt = !b->everywhere && grid_here.P > 1 && !pairs && !may_device;
  if (dealt && s.val_size <= GRID_LOAD_MOST) s.val_size = grid_load_size(s.val_size, b->n);
  TRY(choose_layout(A, b, block, &l));
  const uint64_t bins = (uint64_t)grid_here.P << l.range_bits;
  count = grid_calloc(bins, sizeof *count);
  info = count ? pack(A, b, &l, &s, count) : grid_fail_memory(&A->head, "tuple counts", bins, sizeof *count);
  grid_lap("deal tuples");
  TRY(grid_agree(&A->head, name_outside(A, b, info, call)));
  if (!b->everywhere && grid_here.P > 1) TRY(exchange_tuples(&s, &l, count, &start));
  grid_lap("exchange tuples");
  grid_progress_step(GRID_TUPLES_SENT);
  info = dealt ? build_dealt(b, &l, &s, start, block, bad)
               : (may_device ? grid_part_make : grid_part_build)(block, s.keys, pairs, s.n, s.val, b->one,
                                                                 how, bad);
  s.keys = NULL;
done:
  grid_free(s.keys);
  grid_free(s.val);
  grid_free(count);
  grid_free(start);
  return info;
}

/* ---- tuples that all processes have ---- */

/* Tuples from .. end - 1. */
static grid_build some_of(const grid_build *b, uint64_t from, uint64_t end) {
  grid_build z = *b;
  z.row += from, z.col += from;
  z.n = end - from;
  z.before += from;
  if (b->val) z.val = (const char *)b->val + from * b->type->size;
  return z;
}

/* Are they inside the matrix, and does each come after the one before it? Looked at up to the first that does
 * not. */
static bool do_ascend(GrB_Matrix like, const grid_build *b, uint64_t from, uint64_t end) {
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

/* Each looks at a share, and tells. The same on all. */
static GrB_Info agree_on_order(GrB_Matrix like, const grid_build *b, bool *ordered) {
  const uint64_t P = (uint64_t)grid_here.P, k = (uint64_t)grid_here.k, share = b->n / P + 1;
  const uint64_t from = k * share < b->n ? k * share : b->n, end = b->n - from < share ? b->n : from + share;
  uint64_t disorder = !do_ascend(like, b, from, end);
  GrB_Info info = grid_agree_sum(&like->head, GrB_SUCCESS, &disorder, 1);
  *ordered = disorder == 0;
  return info;
}

/* What each takes of them: of ordered ones those of its block, which is a stretch of rows; else an equal
 * share, which travels. */
static GrB_Info take_share(GrB_Matrix like, const grid_build *b, bool *ordered, grid_build *z) {
  const uint64_t P = (uint64_t)grid_here.P, k = (uint64_t)grid_here.k, share = b->n / P + 1;
  GrB_Info info = GrB_SUCCESS;
  *ordered = false;
  if (grid_here.C == 1 && !b->mirror && !b->no_loops) info = agree_on_order(like, b, ordered);
  if (info != GrB_SUCCESS) return info;
  if (*ordered) {
    const uint64_t from = grid_lower_bound(b->row, 0, b->n, grid_chunk_first(like->nrows, grid_here.k)),
                   below = grid_chunk_first(like->nrows, grid_here.k + 1);
    *z = some_of(b, from, grid_lower_bound(b->row, from, b->n, below));
    return info;
  }
  const uint64_t from = k * share < b->n ? k * share : b->n;
  *z = some_of(b, from, b->n - from < share ? b->n : from + share);
  z->everywhere = false;
  return info;
}

/* On the device, straight from the program's arrays. */
static GrB_Info build_there(GrB_Matrix A, const grid_build *b, grid_part *block, grid_pair *bad) {
  const grid_program_tuples t = {.row = b->row,
                                 .col = b->col,
                                 .n = b->n,
                                 .nrows = A->nrows,
                                 .ncols = A->ncols,
                                 .mirror = b->mirror,
                                 .no_loops = b->no_loops};
  return grid_part_make_program(block, &t, b->val, b->one, (grid_duplicates){b->dup, b->keep_last}, bad);
}

GrB_Info grid_build_block(GrB_Matrix like, const grid_build *b, bool may_device, grid_part *t,
                          const char *call) {
  grid_build own;
  bool ordered;
  grid_part_init(t, b->type, grid_block_rows(like->nrows), grid_block_cols(like->ncols));
  const bool pairs = grid_axis_wide(&t->row) || grid_axis_wide(&t->col),
             device = may_device && grid_device_on();
  if (b->everywhere && grid_here.P > 1 && !pairs && !device && b->n >= grid_shared_from) {
    GrB_Info shared = take_share(like, b, &ordered, &own);
    if (shared != GrB_SUCCESS) return shared;
    b = &own;
  }
  const bool in_place = (b->everywhere || grid_here.P == 1) && !pairs && !device;
  grid_pair bad = {0, 0};
  GrB_Info info = device && grid_here.P == 1 && !pairs ? build_there(like, b, t, &bad) : GRID_NOT_HERE;
  if (info != GRID_NOT_HERE) return name_duplicate(like, name_outside(like, b, info, call), bad, call);
  info = in_place ? name_outside(like, b, build_in_place(like, b, t, &bad), call)
                  : build_from_shipment(like, b, pairs, device, t, &bad, call);
  grid_lap("build block");
  return name_duplicate(like, info, bad, call);
}

GrB_Info grid_route_part(GrB_Matrix like, const grid_build *b, grid_part *t, const char *call) {
  GrB_Info info = grid_agree(&like->head, grid_build_block(like, b, false, t, call));
  if (info != GrB_SUCCESS) grid_part_free(t);
  return info;
}

/* ---- entries of a part, or tuples with one value here and many there ---- */

/* As many of the one value as there are tuples. */
static GrB_Info give_values(grid_tuples *t, GrB_Type type, const void *one) {
  t->val = grid_malloc(t->n, type->size);
  if (!t->val) return grid_fail_memory(NULL, "matrix values", t->n, type->size);
  grid_cast_array(t->val, type, one, type, 0, t->n);
  return GrB_SUCCESS;
}

GrB_Info grid_route_tuples(GrB_Matrix like, grid_tuples *t, GrB_Type type, const void *one, GrB_Info info,
                           grid_part *to, const char *call) {
  char *value = grid_calloc(1, type->size);
  bool iso;
  grid_part_init(to, type, grid_block_rows(like->nrows), grid_block_cols(like->ncols));
  if (info == GrB_SUCCESS && !value) info = grid_fail_memory(NULL, "a value", 1, type->size);
  TRY(grid_agree(&like->head, info));
  if (!t->val && one) memcpy(value, one, type->size);
  TRY(grid_agree_on_one(t->n > 0, t->val == NULL, type->size, value, &iso));
  if (!iso) TRY(grid_agree(&like->head, t->val ? GrB_SUCCESS : give_values(t, type, value)));
  TRY(grid_route_part(like,
                      &(grid_build){.row = t->row,
                                    .col = t->col,
                                    .val = iso ? NULL : t->val,
                                    .one = value,
                                    .type = type,
                                    .n = t->n,
                                    .keep_last = true},
                      to, call));
done:
  grid_free(value);
  grid_tuples_free(t);
  return info;
}

static GrB_Info route_as_tuples(GrB_Matrix like, const grid_part *p, const grid_places *rows,
                                const grid_places *cols, bool flip, GrB_Info info, grid_part *to,
                                const char *call) {
  const uint64_t n = p->nvals;
  grid_tuples t = {.n = n, .row = grid_malloc(n, sizeof *t.row), .col = grid_malloc(n, sizeof *t.col)};
  if (!p->iso) t.val = grid_malloc(n, p->type->size);
  if (info == GrB_SUCCESS && (!t.row || !t.col || (!p->iso && !t.val)))
    info = grid_fail_memory(&like->head, "matrix tuples", n, 16 + p->type->size);
  if (info == GrB_SUCCESS)
    grid_part_tuples(flip ? t.col : t.row, flip ? t.row : t.col, t.val, p->type, p, rows, cols);
  return grid_route_tuples(like, &t, p->type, p->iso_val, info, to, call);
}

GrB_Info grid_route_entries(GrB_Matrix like, const grid_part *p, const grid_places *rows,
                            const grid_places *cols, bool flip, GrB_Info info, grid_part *to,
                            const char *call) {
  if (grid_device_on()) {
    info = grid_route_device(like, p, rows, cols, flip, info, to);
    if (info != GRID_NOT_HERE) return info;
    grid_fallback("entries of matrices to other processes");
    info = grid_part_to_host(p);
  }
  grid_part turned = {0};
  grid_places turned_rows = *cols, turned_cols = *rows;
  bool routed;
  if (info == GrB_SUCCESS && flip && p->nvals) {
    info = grid_part_transposed(p, false, &turned);
    turned_rows.axis = &turned.row, turned_cols.axis = &turned.col;
  }
  info = turned.type ? grid_route_rows(like, &turned, &turned_rows, &turned_cols, info, to, &routed)
                     : grid_route_rows(like, p, rows, cols, info, to, &routed);
  grid_part_free(&turned);
  if (info != GrB_SUCCESS || routed) return info;
  return route_as_tuples(like, p, rows, cols, flip, info, to, call);
}

grid_places grid_block_row_places(GrB_Matrix A) {
  grid_places x = {.axis = &A->block.row};
  const grid_cuts *c = grid_cuts_of(A->nrows);
  if (grid_here.C == 1) {
    x.base = grid_chunk_first(A->nrows, grid_here.k);
  } else {
    x.q = grid_even_size(A->nrows), x.stride = (uint64_t)grid_here.R, x.offset = (uint64_t)grid_here.i;
    if (c) x.pieces = (uint64_t)grid_here.C, x.from = c->row + grid_here.i, x.to = c->first + grid_here.i;
  }
  return x;
}

grid_places grid_block_col_places(GrB_Matrix A) {
  return (grid_places){.axis = &A->block.col, .base = grid_global_col(A->ncols, 0)};
}
