/* See packed_arrays.h: a matrix from checked arrays. Sorted rows of a block become it directly, and so do
 * positions that are stored as a bitmap. Other entries go through tuples, which are sorted and sent to the
 * processes of their blocks. */
#include <string.h>

#include "dist/extensions/pack/packed_arrays.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "spmat/convert/lmat_rows.h"
#include "spmat/device/device.h"

typedef struct {
  GrB_Matrix A;
  const grid_packed *a;
  grid_packed_range range;
  const char *call;
} packer;

/* ---- rows that lie as the block has them ---- */

/* Whole rows of the block are here: the same on all processes. */
static bool owns_rows(const packer *k) {
  return grid_ctx.P == 1 || (grid_ctx.C == 1 && !k->a->by_column);
}

/* *p (new) = the rows of the arrays, or with by_column the columns as rows. *sorted false: some process has
 * rows that do not ascend; then there is none. */
static GrB_Info read_rows(grid_local_matrix *p, const packer *k, bool *sorted) {
  static const uint64_t none[1];
  const grid_packed *a = k->a;
  const grid_axis *row = &k->A->block.row, *col = &k->A->block.col;
  grid_lmat_init(p, k->A->type, a->by_column ? col->dim : row->dim, a->by_column ? row->dim : col->dim);
  GrB_Info info = a->iso && a->x ? grid_lmat_set_iso(p, a->x) : GrB_SUCCESS;
  const grid_program_indices start = {.x64 = k->range.count ? a->p : none}, idx = {.x64 = a->i};
  const uint64_t across = a->by_column ? k->A->nrows : k->A->ncols;
  const grid_csr_part part = {
      .range = &(grid_row_range){.n = k->range.count}, .ranges = 1, .end = across, .dim = across};
  if (info == GrB_SUCCESS) info = grid_lmat_from_csr(p, start, &part, idx, a->x, sorted);
  uint64_t refused = info == GrB_SUCCESS && !*sorted;
  info = grid_agree_sum(&k->A->head, info, &refused, 1);
  *sorted = refused == 0;
  return info;
}

static GrB_Info pack_rows(const packer *k, bool *done) {
  GrB_Matrix A = k->A;
  grid_local_matrix p = {0}, t = {0};
  GrB_Info info = GrB_SUCCESS;
  *done = false;
  if (k->a->form != GxB_SPARSE || !owns_rows(k) || grid_device_is_on() || !grid_index_fits32(A->nrows) ||
      !grid_index_fits32(A->ncols))
    return info;
  TRY(read_rows(&p, k, done));
  if (!*done) goto done;
  if (k->a->by_column) {
    info = grid_cpu_lmat_transpose(&p, false, &t);
    grid_lmat_free(&p);
    p = t;
    t = (grid_local_matrix){0};
  }
  info = grid_matrix_adopt(A, &(grid_build){0}, &p, info);
done:
  if (p.type) grid_lmat_free(&p);
  return info;
}

/* ---- positions ---- */

/* Position (r, c) of the block in the arrays. */
static uint64_t source_of(const packer *k, uint64_t r, uint64_t c) {
  return k->a->by_column ? c * k->A->nrows + r : r * k->A->ncols + c;
}

static void read_bits(grid_chunk *t, const packer *k) {
  const int8_t *b = k->a->b;
  const uint64_t cols = k->A->ncols;
  uint64_t nvals = 0;
#pragma omp parallel for schedule(static) reduction(+ : nvals) if (t->n > 1 << 15)
  for (uint64_t w = 0; w < grid_words(t->n); w++) {
    uint64_t bits = 0, r = 64 * w / cols, c = 64 * w % cols;
    for (uint64_t n = 64 * w; n < t->n && n < 64 * w + 64; n++) {
      bits |= (uint64_t)(b[source_of(k, r, c)] != 0) << (n & 63);
      if (++c == cols) c = 0, r++;
    }
    t->bits[w] = bits;
    nvals += (uint64_t)__builtin_popcountll(bits);
  }
  t->nvals = nvals;
}

static void read_values(grid_chunk *t, const packer *k) {
  const size_t size = t->type->size;
  const uint64_t cols = k->A->ncols, rows = t->n / cols;
  const char *x = k->a->x;
  char *val = t->val;
  if (t->iso) {
    memcpy(val, x, size);
  } else if (!k->a->by_column) {
    grid_copy_bytes(val, x, t->n * size);
  } else {
#pragma omp parallel for schedule(static) if (t->n > 1 << 15)
    for (uint64_t r = 0; r < rows; r++)
      for (uint64_t c = 0; c < cols; c++)
        memcpy(val + (r * cols + c) * size, x + source_of(k, r, c) * size, size);
  }
}

static GrB_Info pack_positions(const packer *k, bool *done) {
  const grid_packed *a = k->a;
  GrB_Matrix A = k->A;
  GrB_Info info = GrB_SUCCESS;
  *done = (a->form == GxB_BITMAP || a->form == GxB_FULL) && owns_rows(k) && grid_can_be_dense(A);
  if (!*done) return info;
  grid_chunk c = grid_dense_result(A, A->type);
  if (c.n) {
    const bool full = a->form == GxB_FULL;
    info = full ? grid_chunk_reserve_val(&c, a->iso ? 1 : c.n) : grid_chunk_reserve_dense(&c, a->iso);
    if (info == GrB_SUCCESS) {
      c.iso = a->iso;
      c.format = full ? GRID_FULL : GRID_BITMAP;
      c.nvals = c.n;
      if (!full) read_bits(&c, k);
      if (c.nvals == c.n) c.format = GRID_FULL;
      read_values(&c, k);
      if (c.nvals == 0) grid_chunk_empty(&c);
    }
  }
  info = grid_dense_adopt(A, &c, info);
  grid_chunk_free(&c);
  return info;
}

/* ---- tuples ---- */

typedef struct {
  uint64_t n, *vec, *idx; /* vector and index of each entry */
  char *val;              /* NULL: all have one value */
} entries;

static void entries_free(entries *e) {
  grid_free(e->vec);
  grid_free(e->idx);
  grid_free(e->val);
}

static void list_sparse(entries *e, const packer *k) {
  const grid_packed *a = k->a;
  const bool is_list = a->form == GxB_HYPERSPARSE;
  const uint64_t count = is_list ? a->nvec : k->range.count;
#pragma omp parallel for schedule(dynamic, 1024) if (e->n > 1 << 15)
  for (uint64_t v = 0; v < count; v++)
    for (uint64_t n = a->p[v]; n < a->p[v + 1]; n++) e->vec[n] = is_list ? a->h[v] : k->range.first + v;
}

static void list_positions(entries *e, const packer *k) {
  const grid_packed *a = k->a;
  const uint64_t length = k->range.length;
  const size_t size = k->A->type->size;
  uint64_t n = 0;
  for (uint64_t v = 0; v < k->range.count; v++)
    for (uint64_t l = 0; l < length; l++) {
      const uint64_t at = v * length + l;
      if (a->b && !a->b[at]) continue;
      e->vec[n] = k->range.first + v, e->idx[n] = l;
      if (e->val) memcpy(e->val + n * size, (const char *)a->x + (a->iso ? 0 : at) * size, size);
      n++;
    }
}

static uint64_t count_entries(const packer *k) {
  const grid_packed *a = k->a;
  const uint64_t count = a->form == GxB_HYPERSPARSE ? a->nvec : k->range.count;
  uint64_t n, nvals = 0;
  if (a->form == GxB_HYPERSPARSE || a->form == GxB_SPARSE) return count ? a->p[count] : 0;
  grid_packed_positions(&k->range, 1, &n);
  if (!a->b) return n;
  for (uint64_t at = 0; at < n; at++) nvals += a->b[at] != 0;
  return nvals;
}

/* pattern: all processes have one value, and the same; then an index that occurs twice is one entry. */
static GrB_Info list_entries(entries *e, const packer *k, bool pattern) {
  const grid_packed *a = k->a;
  const bool sparse = a->form == GxB_HYPERSPARSE || a->form == GxB_SPARSE;
  const size_t size = k->A->type->size;
  e->n = count_entries(k);
  const bool has_values = !pattern && (a->iso || !sparse);
  e->vec = grid_malloc(e->n, sizeof *e->vec);
  if (!sparse) e->idx = grid_malloc(e->n, sizeof *e->idx);
  if (has_values) e->val = grid_malloc(e->n, size);
  if (!e->vec || (!sparse && !e->idx) || (has_values && !e->val))
    return grid_fail_memory(&k->A->head, "entries to pack", e->n, 2 * sizeof *e->vec + size);
  if (!sparse)
    list_positions(e, k);
  else
    list_sparse(e, k);
  if (sparse && has_values && e->n) grid_copy_array(e->val, a->x, 0, size, e->n);
  return GrB_SUCCESS;
}

static GrB_Info pack_tuples(const packer *k) {
  GrB_Matrix A = k->A;
  const grid_packed *a = k->a;
  entries e = {0};
  bool pattern = false;
  const uint64_t n = count_entries(k);
  char *one = grid_calloc(1, A->type->size);
  GrB_Info info = one ? GrB_SUCCESS : grid_fail_memory(&A->head, "a value", 1, A->type->size);
  if (one && n && a->iso) memcpy(one, a->x, A->type->size);
  TRY(a->strict
          ? grid_agree(&A->head, info)
          : grid_agree_on_iso_value(&A->head, info, n > 0, n > 0 && a->iso, A->type->size, one, &pattern));
  TRY(grid_agree(&A->head, list_entries(&e, k, pattern)));
  const uint64_t *idx = e.idx ? e.idx : n ? a->i : e.vec;
  const void *val = pattern ? NULL : e.val ? e.val : n ? a->x : "";
  info = grid_matrix_fill(A,
                          &(grid_build){.row = a->by_column ? idx : e.vec,
                                        .col = a->by_column ? e.vec : idx,
                                        .val = val,
                                        .one = one,
                                        .type = A->type,
                                        .n = n},
                          k->call);
  /* the one way to be invalid that is left is an index that a vector has twice */
  if (info == GrB_INVALID_VALUE) info = GrB_INDEX_OUT_OF_BOUNDS;
done:
  entries_free(&e);
  grid_free(one);
  return info;
}

GrB_Info grid_packed_build(GrB_Matrix A, const grid_packed *a, const char *call) {
  const packer k = {A, a, grid_packed_range_of(A->nrows, A->ncols, a->by_column), call};
  bool done;
  GrB_Info info = pack_rows(&k, &done);
  if (info == GrB_SUCCESS && !done) info = pack_positions(&k, &done);
  if (info == GrB_SUCCESS && !done) info = pack_tuples(&k);
  return info;
}
