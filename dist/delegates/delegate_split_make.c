/* Makes a delegate split: every entry with a delegate is sent to its process. (Pan et al., section III-B: nd
 * and dn go to the owner of the normal vertex, dd by column.) */
#include <string.h>

#include "dist/delegates/delegate_split.h"
#include "dist/matrix/matrix_require.h"
#include "dist/matrix/storage/matrix_host_resident.h"
#include "spmat/device/device.h"
#include "spmat/matrix/split_by_delegates.h"

/* ---- when ---- */

/* With one grid column every process has its rows whole. A split would only take the entries between
 * delegates out of the block, which pays as bits. The device's kernels do not read them: there the block
 * stays whole, and searches stay deferred loops. On the host searches of a symmetric pattern use
 * delegate_index.c instead. With more columns GPUs would lose deferred loops by a split, too, where one
 * kernel searches through windows. */
static bool stays_whole(GrB_Matrix A) {
  if (grid_ctx.C != 1) return grid_device_is_on() && grid_matrix_is_searched_in_windows(A);
  return grid_device_is_on() || (grid_ctx.P > 1 && A->properties.symmetric);
}

/* Only a threshold set by the program makes a split. On one process thousands of searches would repay making
 * it, and on grids with columns it sends more than row hubs do (docs/how/delegates.md). */
static bool has_threshold(GrB_Matrix A) {
  return A->hints.delegates >= 0;
}

/* Is A split if a vertex is above the threshold? */
static bool is_split_wanted(GrB_Matrix A) {
  return has_threshold(A) && A->nrows == A->ncols && grid_chunks_fit32(A->nrows) &&
         grid_has_degrees(A, true) && grid_has_degrees(A, false) && A->nvals > 0 && !stays_whole(A);
}

static GrB_Info to_host(GrB_Matrix A) {
  if (grid_device_is_on()) grid_report_fallback("splitting off delegates");
  GrB_Info info = grid_matrix_to_host(A);
  if (info == GrB_SUCCESS) info = grid_degrees_to_host(A);
  return grid_agree(&A->head, info);
}

/* ---- sending entries to their processes ---- */

enum { KINDS = GRID_NN }; /* kinds of entries that leave the block */

/* Entries of one kind, as keys of their row and column in its matrix, ordered by destination. */
typedef struct {
  uint64_t n, *key;
  char *val;
  uint64_t *count, *first; /* of each destination, in keys; one allocation */
} outgoing_kind;

/* Delegate number of each row or column of the block, by compact index; UINT32_MAX: a normal vertex. */
static GrB_Info number_axis(GrB_Matrix A, const grid_split *s, bool rows, uint32_t **number) {
  const grid_axis *axis = rows ? &A->block.row : &A->block.col;
  uint32_t *to = *number = grid_malloc(axis->n, sizeof *to);
  if (!to) return grid_fail_memory(NULL, "delegate numbers", axis->n, sizeof *to);
  memset(to, 0xff, axis->n * sizeof *to);
  for (uint64_t k = 0; k < s->d; k++) {
    const int chunk = grid_chunk_of(A->nrows, s->id[k]);
    if (rows ? chunk % grid_ctx.R != grid_ctx.i : chunk / grid_ctx.R != grid_ctx.j) continue;
    const uint64_t at = grid_axis_find(axis, grid_local(A->nrows, rows, s->id[k]));
    if (at != UINT64_MAX) to[at] = (uint32_t)k;
  }
  return GrB_SUCCESS;
}

typedef struct {
  GrB_Matrix A;
  const grid_split *s;
  uint32_t *row, *col; /* delegate numbers */
  bool mirrored;       /* entries of dn are dropped: it is nd's transpose */
  bool whole;          /* nd and dn stay in the block */
  outgoing_kind out[KINDS];
  uint64_t nn;
  void *nn_key; /* as grid_lmat_build takes them: */
  bool pairs;
  char *nn_val;
} sorter;

/* Kind of an entry, its key and destination; -1: nn, without a key; -2: dropped. */
static int classify(const sorter *t, const grid_entries *e, uint64_t *key, int *dest) {
  const uint64_t row = e->row, col = e->col;
  const uint32_t r = t->row[e->r], c = t->col[t->A->block.by_row.idx[e->at]];
  uint64_t local;
  if (t->whole ? r == UINT32_MAX || c == UINT32_MAX : r == UINT32_MAX && c == UINT32_MAX) return -1;
  if (r == UINT32_MAX) {
    *dest = grid_owner(t->A->nrows, grid_global_row(t->A->nrows, row), &local);
    *key = local << 32 | c;
    return GRID_ND;
  }
  if (c == UINT32_MAX) {
    *dest = grid_owner(t->A->ncols, grid_global_col(t->A->ncols, col), &local);
    *key = (uint64_t)r << 32 | local;
    return t->mirrored ? -2 : GRID_DN;
  }
  *key = (uint64_t)r << 32 | c;
  *dest = (int)(c % (uint32_t)grid_ctx.P);
  return GRID_DD;
}

static void store_value(const sorter *t, char *to, uint64_t slot, uint64_t at) {
  size_t size = t->A->type->size;
  if (to) memcpy(to + slot * size, (char *)t->A->block.by_row.val + at * size, size);
}

static void store_normal(sorter *t, const grid_entries *e) {
  if (t->pairs)
    ((grid_pair *)t->nn_key)[t->nn] = (grid_pair){e->row, e->col};
  else
    ((uint64_t *)t->nn_key)[t->nn] = e->row << 32 | e->col;
  store_value(t, t->nn_val, t->nn++, e->at);
}

static GrB_Info sort_entries(sorter *t) {
  size_t P = (size_t)grid_ctx.P, size = t->A->block.iso ? 0 : t->A->type->size;
  int dest = 0;
  uint64_t key;
  for (int k = 0; k < KINDS; k++) {
    t->out[k].count = grid_calloc(2 * P, sizeof(uint64_t));
    if (!t->out[k].count) return grid_fail_memory(NULL, "message sizes", 2 * P, sizeof(uint64_t));
    t->out[k].first = t->out[k].count + P;
  }
  for (grid_entries e = grid_entries_begin(&t->A->block); grid_entries_next(&e);) {
    int kind = classify(t, &e, &key, &dest);
    if (kind >= 0)
      t->out[kind].count[dest]++; /* NOLINT(clang-analyzer-core.NullDereference): allocated above */
    else if (kind == -1)
      t->nn++;
  }
  t->nn_key = grid_malloc(t->nn, t->pairs ? sizeof(grid_pair) : sizeof(uint64_t));
  t->nn_val = size ? grid_malloc(t->nn, size) : NULL;
  bool ok = t->nn_key && (!size || t->nn_val);
  for (int k = 0; k < KINDS; k++) {
    outgoing_kind *o = &t->out[k];
    for (size_t d = 0; d < P; d++) {
      o->first[d] = o->n;
      o->n += o->count[d];
      o->count[d] = 0;
    }
    o->key = grid_malloc(o->n, 8);
    o->val = size ? grid_malloc(o->n, size) : NULL;
    ok = ok && o->key && (!size || o->val);
  }
  if (!ok) return grid_fail_memory(NULL, "entries to split off", t->A->block.nvals, 8 + size);
  t->nn = 0;
  for (grid_entries e = grid_entries_begin(&t->A->block); grid_entries_next(&e);) {
    int kind = classify(t, &e, &key, &dest);
    if (kind >= 0) {
      outgoing_kind *o = &t->out[kind];
      uint64_t slot = o->first[dest] + o->count[dest]++;
      o->key[slot] = key;
      store_value(t, o->val, slot, e.at);
    } else if (kind == -1) {
      store_normal(t, &e);
    }
  }
  return GrB_SUCCESS;
}

/* Sends o's keys or values, elements of `size` bytes, and replaces *data by the *n received. */
static GrB_Info send_kind(const outgoing_kind *o, void **data, size_t size, uint64_t *n) {
  void *in;
  GrB_Info info = grid_exchange_elements(*data, o->count, size, &in, n);
  if (info != GrB_SUCCESS) return info;
  grid_free(*data);
  *data = in;
  return GrB_SUCCESS;
}

/* ---- matrices ---- */

/* A matrix that is indexed by offsets in a chunk or delegate numbers, and never hypersparse. */
static GrB_Info build_lmat(GrB_Matrix A, grid_local_matrix *lmat, uint64_t **key, uint64_t n, const char *val,
                           uint64_t rows, uint64_t cols) {
  grid_pair bad;
  grid_lmat_init(lmat, A->type, rows, cols);
  lmat->row.n = rows;
  lmat->col.n = cols;
  GrB_Info info = grid_lmat_build(lmat, *key, false, n, val, A->block.iso_val,
                                  (grid_duplicates){.newest_wins = true}, &bad);
  *key = NULL;
  return info;
}

/* The block without the entries that left it. */
static GrB_Info build_normal(GrB_Matrix A, sorter *t, grid_local_matrix *nn) {
  grid_pair bad;
  void *key = t->nn_key;
  t->nn_key = NULL;
  grid_lmat_init(nn, A->type, A->block.row.dim, A->block.col.dim);
  return grid_lmat_build(nn, key, t->pairs, t->nn, t->nn_val, A->block.iso_val,
                         (grid_duplicates){.newest_wins = true}, &bad);
}

/* *degree (freed by the caller) = those of this process's vertices. */
static GrB_Info collect_degrees(GrB_Matrix A, uint32_t **degree) {
  const uint64_t q = grid_local_padded_size(A->nrows);
  *degree = grid_malloc(q, sizeof **degree);
  if (!*degree) return grid_fail_memory(NULL, "degrees", q, sizeof **degree);
  for (uint64_t v = 0; v < q; v++) (*degree)[v] = grid_split_degree(A, v);
  return GrB_SUCCESS;
}

/* Adds the other orientation to a matrix, with hub neighbors by the degrees of all vertices that its rows and
 * columns may have: delegates, or those of this process. */
static GrB_Info orient_lmat(grid_local_matrix *lmat, const uint32_t *row_degree, const uint32_t *col_degree,
                            bool symmetric) {
  if (lmat->nvals == 0) return GrB_SUCCESS;
  uint32_t *row = grid_malloc(lmat->row.n, sizeof *row), *col = grid_malloc(lmat->col.n, sizeof *col);
  GrB_Info info = row && col ? GrB_SUCCESS : grid_fail_memory(NULL, "degrees", lmat->row.n, sizeof *row);
  for (uint64_t k = 0; k < lmat->row.n && info == GrB_SUCCESS; k++)
    row[k] = row_degree[grid_axis_id(&lmat->row, k)];
  for (uint64_t k = 0; k < lmat->col.n && info == GrB_SUCCESS; k++)
    col[k] = col_degree[grid_axis_id(&lmat->col, k)];
  if (info == GrB_SUCCESS) info = grid_lmat_orient(lmat, row, col, symmetric, false);
  grid_free(row);
  grid_free(col);
  return info;
}

/* Are P copies of dd as bits smaller than one of 32-bit indices, both with a transpose if they need it? Not
 * for products on the device, whose kernels read compressed matrices. */
static bool is_bitmap_smaller(GrB_Matrix A, uint64_t d, uint64_t entries) {
  if (!A->block.iso || d == 0 || grid_device_is_on()) return false;
  uint64_t P = (uint64_t)grid_ctx.P, bits = P * d * grid_words(d) * 8, indices = entries * 4;
  return bits * (A->properties.symmetric ? 1 : 2) < indices * (A->properties.symmetric && P == 1 ? 1 : 2);
}

/* Bit rows of d rows and columns, all 0. Local. */
static GrB_Info alloc_bits(grid_bit_rows *b, uint64_t d) {
  *b = (grid_bit_rows){d, d, grid_words(d), grid_calloc(d * grid_words(d), 8)};
  return b->bits ? GrB_SUCCESS : grid_fail_memory(NULL, "delegate bits", d * b->words, 8);
}

static void set_bit(const grid_bit_rows *b, uint64_t r, uint64_t c) {
  grid_bit_row(b, r)[c / 64] |= UINT64_C(1) << (c & 63);
}

/* Replicates dd as bits on every process. */
static GrB_Info pack_dd(GrB_Matrix A, grid_split *s, const uint64_t *key, uint64_t n) {
  GrB_Info info = alloc_bits(&s->dd_rows, s->d);
  s->dd_cols = s->dd_rows;
  if (info == GrB_SUCCESS && !A->properties.symmetric) info = alloc_bits(&s->dd_cols, s->d);
  s->dd_value = grid_malloc(1, A->type->size);
  if (info == GrB_SUCCESS && !s->dd_value) info = grid_fail_memory(NULL, "delegate bits", 1, A->type->size);
  TRY(grid_agree(&A->head, info));
  /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): the processes agreed that it is there */
  memcpy(s->dd_value, A->block.iso_val, A->type->size);
  for (uint64_t e = 0; e < n; e++) {
    set_bit(&s->dd_rows, key[e] >> 32, key[e] & UINT32_MAX);
    if (!A->properties.symmetric) set_bit(&s->dd_cols, key[e] & UINT32_MAX, key[e] >> 32);
  }
  const uint64_t words = s->d * s->dd_rows.words;
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, s->dd_rows.bits, words, GRID_BOR));
  if (!A->properties.symmetric)
    info = grid_ctx.transport->allreduce(GRID_SET_ALL, s->dd_cols.bits, words, GRID_BOR);
done:
  return info;
}

/* The keys of dd's entries in this process's columns, and their number; key NULL: they are only counted. */
static uint64_t list_bits(const grid_split *s, uint64_t *key) {
  uint64_t n = 0;
  for (uint64_t c = (uint64_t)grid_ctx.k; c < s->dd_cols.rows; c += (uint64_t)grid_ctx.P)
    for (uint64_t w = 0; w < s->dd_cols.words; w++)
      for (uint64_t bits = grid_bit_row(&s->dd_cols, c)[w]; bits; bits &= bits - 1, n++)
        if (key) key[n] = (64 * w + (uint64_t)__builtin_ctzll(bits)) << 32 | c;
  return n;
}

GrB_Info grid_split_unpack(GrB_Matrix A) {
  grid_split *s = A->delegates.split;
  if (!s->dd_rows.bits) return GrB_SUCCESS;
  uint64_t n = list_bits(s, NULL), *key = grid_malloc(n, sizeof *key);
  grid_local_matrix dd;
  grid_lmat_init(&dd, A->type, 0, 0);
  GrB_Info info = key ? GrB_SUCCESS : grid_fail_memory(NULL, "entries of delegates", n, sizeof *key);
  if (info == GrB_SUCCESS) {
    list_bits(s, key);
    info = build_lmat(A, &dd, &key, n, NULL, s->d, s->d);
  }
  if (info == GrB_SUCCESS && n)
    info = grid_lmat_orient(&dd, s->degree, s->degree, A->properties.symmetric && grid_ctx.P == 1, false);
  if ((info = grid_agree(&A->head, info)) == GrB_SUCCESS) {
    grid_lmat_free(&s->dd);
    s->dd = dd;
    grid_lmat_init(&dd, A->type, 0, 0);
    grid_split_bits_free(s);
  }
  grid_lmat_free(&dd);
  return info;
}

static GrB_Info build_lmats(GrB_Matrix A, grid_split *s, sorter *t, grid_local_matrix *nn) {
  uint64_t q = grid_local_padded_size(A->nrows), n[KINDS], all;
  size_t size = A->block.iso ? 0 : A->type->size;
  uint32_t *degree = NULL;
  GrB_Info info;
  for (int k = 0; k < KINDS; k++) {
    if (size) TRY(send_kind(&t->out[k], (void **)&t->out[k].val, size, &n[k]));
    TRY(send_kind(&t->out[k], (void **)&t->out[k].key, 8, &n[k]));
  }
  all = n[GRID_DD];
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, &all, 1, GRID_SUM));
  if (is_bitmap_smaller(A, s->d, all)) {
    TRY(pack_dd(A, s, t->out[GRID_DD].key, n[GRID_DD]));
    n[GRID_DD] = 0;
  }
  info = build_lmat(A, &s->nd, &t->out[GRID_ND].key, n[GRID_ND], t->out[GRID_ND].val, q, s->d);
  if (info == GrB_SUCCESS)
    info = build_lmat(A, &s->dn, &t->out[GRID_DN].key, n[GRID_DN], t->out[GRID_DN].val, s->d, q);
  if (info == GrB_SUCCESS)
    info = build_lmat(A, &s->dd, &t->out[GRID_DD].key, n[GRID_DD], t->out[GRID_DD].val, s->d, s->d);
  if (info == GrB_SUCCESS) info = build_normal(A, t, nn);
  if (info == GrB_SUCCESS) info = collect_degrees(A, &degree);
  if (info == GrB_SUCCESS) info = orient_lmat(&s->nd, degree, s->degree, false);
  if (info == GrB_SUCCESS) info = orient_lmat(&s->dn, s->degree, degree, false);
  if (info == GrB_SUCCESS)
    info = orient_lmat(&s->dd, s->degree, s->degree, A->properties.symmetric && grid_ctx.P == 1);
  info = grid_agree(&A->head, info);
done:
  grid_free(degree);
  return info;
}

static void sorter_free(sorter *t) {
  grid_free(t->row);
  grid_free(t->col);
  grid_free(t->nn_key);
  grid_free(t->nn_val);
  for (int k = 0; k < KINDS; k++) {
    grid_free(t->out[k].count);
    grid_free(t->out[k].key);
    grid_free(t->out[k].val);
  }
}

bool grid_is_split_current(GrB_Matrix A) {
  int64_t now = A->delegates.split ? A->delegates.split->threshold : -1;
  if (!has_threshold(A) || stays_whole(A)) return now < 0;
  return now == A->hints.delegates;
}

static GrB_Info make_local(GrB_Matrix A, grid_split *s, grid_local_matrix *nn) {
  s->whole = grid_ctx.C == 1;
  sorter t = {.A = A,
              .s = s,
              .mirrored = s->mirrored,
              .whole = s->whole,
              .pairs = grid_axis_has_ids64(&A->block.row) || grid_axis_has_ids64(&A->block.col)};
  GrB_Info info = number_axis(A, s, true, &t.row);
  if (info == GrB_SUCCESS) info = number_axis(A, s, false, &t.col);
  if (info == GrB_SUCCESS) info = sort_entries(&t);
  TRY(grid_agree(&A->head, info));
  TRY(build_lmats(A, s, &t, nn));
done:
  sorter_free(&t);
  return info;
}

/* Makes the split on the device if `device` is on, else on the host. Collective, agreed on. */
static GrB_Info make(GrB_Matrix A, const grid_split_device *device) {
  grid_split *s = grid_calloc(1, sizeof *s);
  grid_local_matrix nn;
  GrB_Info info = GrB_SUCCESS;
  grid_lmat_init(&nn, A->type, A->block.row.dim, A->block.col.dim);
  if (!device->on) TRY(to_host(A));
  TRY(grid_agree(&A->head, s ? GrB_SUCCESS : grid_fail_memory(NULL, "a delegate split", 1, sizeof *s)));
  s->threshold = A->hints.delegates;
  s->mirrored = A->properties.symmetric;
  TRY(grid_split_number_delegates(A, device, s));
  if (s->d == 0) goto done; /* no vertex is above the threshold: the block is unchanged */
  TRY(device->on ? grid_split_device_make(A, device, s, &nn) : make_local(A, s, &nn));
  grid_block_pages_free(A);
  grid_lmat_free(&A->block);
  A->block = nn;
  A->properties.forms = 0; /* nn has only rows */
  grid_lmat_init(&nn, A->type, 0, 0);
  A->delegates.split = s;
  A->properties.offsets64 =
      grid_lmat_has_offsets64(&s->nd) || grid_lmat_has_offsets64(&s->dn) || grid_lmat_has_offsets64(&s->dd);
  s = NULL;
done:
  grid_split_free(s);
  grid_lmat_free(&nn);
  return info;
}

/* If device memory is short, the split is made on the host: the block is unchanged until all has succeeded.
 */
GrB_Info grid_split_make(GrB_Matrix A) {
  if (!is_split_wanted(A)) return GrB_SUCCESS;
  grid_split_device device;
  GrB_Info info = grid_split_device_begin(A, &device);
  if (info == GrB_SUCCESS) info = make(A, &device);
  if (info == GrB_OUT_OF_MEMORY && device.on) {
    grid_split_device_end(&device);
    info = make(A, &device);
  }
  grid_split_device_end(&device);
  return info;
}
