/* See packed_arrays.h: the entries of a matrix in new arrays for the program. */
#include <string.h>

#include "dist/interchange/matrix_export.h"
#include "dist/extensions/pack/packed_arrays.h"
#include "dist/fields/storage_form.h"
#include "dist/matrix/transfer/matrix_gather.h"
#include "spmat/cpu/matrix/lmat_tuples.h"

void grid_packed_free(grid_packed *a) {
  grid_user_free(a->p);
  grid_user_free(a->h);
  grid_user_free(a->i);
  grid_user_free(a->b);
  grid_user_free(a->x);
  a->p = a->h = a->i = NULL, a->b = NULL, a->x = NULL;
  a->p_size = a->h_size = a->i_size = a->b_size = a->x_size = 0;
}

/* The owned vectors as rows of a local matrix. */
typedef struct {
  const grid_local_matrix *p;
  grid_index_map vectors, indices; /* to global ones */
  grid_packed_range range;
} source;

/* A new array of n elements, zero if `clear`; NULL, without failure, for no elements. */
static void *new_array(uint64_t n, size_t size, bool clear, uint64_t *bytes, GrB_Info *info) {
  void *array = n == 0 ? NULL : clear ? grid_user_calloc(n, size) : grid_user_malloc(n, size);
  if (n && !array && *info == GrB_SUCCESS) *info = grid_fail_memory(NULL, "an unpacked array", n, size);
  *bytes = array ? n * size : 0;
  return array;
}

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* Number of vectors with entries; listed with their offsets if h is not NULL. */
static uint64_t list_vectors(uint64_t *h, uint64_t *p, const source *s) {
  const grid_axis *axis = &s->p->row;
  uint64_t n = 0;
  if (!grid_compressed_is_built(&s->p->by_row)) return 0;
  for (uint64_t k = 0; k < axis->n; k++) {
    const uint64_t from = grid_vector_start(&s->p->by_row, k);
    if (from == grid_vector_start(&s->p->by_row, k + 1)) continue;
    if (h) h[n] = grid_index_map_at(&s->vectors, k), p[n] = from;
    n++;
  }
  if (p) p[n] = s->p->nvals;
  return n;
}

static GrB_Info unpack_sparse(grid_packed *a, const source *s) {
  const grid_local_matrix *p = s->p;
  const size_t size = p->type->size;
  GrB_Info info = GrB_SUCCESS;
  a->nvals = p->nvals;
  a->nvec = a->form == GxB_HYPERSPARSE ? list_vectors(NULL, NULL, s) : s->range.count;
  a->p = new_array(a->nvec + 1, sizeof *a->p, true, &a->p_size, &info);
  if (a->form == GxB_HYPERSPARSE) a->h = new_array(a->nvec, sizeof *a->h, false, &a->h_size, &info);
  a->i = new_array(larger(p->nvals, a->i_least / sizeof *a->i), sizeof *a->i, false, &a->i_size, &info);
  a->x =
      new_array(larger(a->iso && p->nvals ? 1 : p->nvals, a->x_least / size), size, false, &a->x_size, &info);
  if (info != GrB_SUCCESS || p->nvals == 0) return info;
  if (a->form == GxB_HYPERSPARSE)
    list_vectors(a->h, a->p, s);
  else
    grid_export_offsets(a->p, a->nvec, &p->row, &p->by_row);
  grid_lmat_to_tuples(NULL, a->i, a->iso ? NULL : a->x, p->type, p, &s->vectors, &s->indices);
  if (a->iso) memcpy(a->x, grid_lmat_value(p, 0), size);
  return info;
}

/* The arrays of positions, zero: values where there is no entry are 0. */
static GrB_Info new_positions(grid_packed *a, grid_packed_range range, size_t size) {
  uint64_t n;
  GrB_Info info = GrB_SUCCESS;
  if (!grid_packed_positions(&range, size, &n))
    return grid_fail_memory(NULL, "positions of a matrix", UINT64_MAX, size);
  if (a->form == GxB_BITMAP) a->b = new_array(n, 1, true, &a->b_size, &info);
  a->x = new_array(a->iso && n ? 1 : n, size, true, &a->x_size, &info);
  return info;
}

/* Bitmap and full. */
static GrB_Info unpack_positions(grid_packed *a, const source *s) {
  const grid_local_matrix *p = s->p;
  const size_t size = p->type->size;
  const GrB_Info info = new_positions(a, s->range, size);
  a->nvals = p->nvals;
  if (info != GrB_SUCCESS || p->nvals == 0) return info;
  if (a->iso) memcpy(a->x, grid_lmat_value(p, 0), size);
  for (uint64_t k = 0; k < p->row.n; k++) {
    const uint64_t at = (grid_index_map_at(&s->vectors, k) - s->range.first) * s->range.length;
    for (uint64_t e = grid_vector_start(&p->by_row, k); e < grid_vector_start(&p->by_row, k + 1); e++) {
      const uint64_t to = at + grid_index_map_at(&s->indices, p->by_row.idx[e]);
      if (a->b) a->b[to] = 1;
      if (!a->iso) memcpy((char *)a->x + to * size, grid_lmat_value(p, e), size);
    }
  }
  return info;
}

/* The same from the bitmap form, which has the owned rows by position. A split matrix loses it where
 * grid_matrix_is_iso merges the parts. */
static bool has_positions(const grid_packed *a, GrB_Matrix A) {
  return (a->form == GxB_BITMAP || a->form == GxB_FULL) && A->bitmap.present && !A->delegates.split &&
         (grid_ctx.P == 1 || (grid_ctx.C == 1 && !a->by_column));
}

static GrB_Info unpack_bitmap(grid_packed *a, GrB_Matrix A) {
  const grid_chunk *c = &A->bitmap.chunk;
  const uint64_t nrows = A->nrows, ncols = A->ncols;
  const size_t size = c->type->size;
  const GrB_Info info = new_positions(a, grid_packed_range_of(nrows, ncols, a->by_column), size);
  a->nvals = c->nvals;
  if (info != GrB_SUCCESS || c->nvals == 0) return info;
  if (c->format == GRID_FULL && !c->iso && !a->iso && !a->b && !a->by_column) {
    grid_copy_bytes(a->x, c->val, c->n * size);
    return info;
  }
  for (grid_iter it = grid_iter_begin(c); grid_iter_next(&it);) {
    const uint64_t to = a->by_column ? it.i % ncols * nrows + it.i / ncols : it.i;
    if (a->b) a->b[to] = 1;
    memcpy((char *)a->x + (a->iso ? 0 : to * size), it.v, size);
  }
  return info;
}

/* w has the owned rows or columns of the matrix. Local. */
static GrB_Info unpack_share(grid_packed *a, const grid_replicated_matrix *w, grid_packed_range range) {
  grid_local_matrix transposed;
  grid_compressed made = {0};
  source s = {.p = w->p, .range = range};
  GrB_Info info = GrB_SUCCESS;
  if (a->by_column && w->p->nvals) {
    info = grid_export_by_column(&transposed, &made, w->p);
    s.p = &transposed;
  }
  if (info == GrB_SUCCESS) {
    s.vectors = (grid_index_map){.axis = &s.p->row, .base = a->by_column ? w->col : w->row};
    s.indices = (grid_index_map){.axis = &s.p->col, .base = a->by_column ? w->row : w->col};
    info = (a->form == GxB_HYPERSPARSE || a->form == GxB_SPARSE ? unpack_sparse : unpack_positions)(a, &s);
  }
  grid_compressed_free(&made, grid_free);
  return info;
}

static GrB_Info check_full(GrB_Matrix A, const char *call) {
  uint64_t n;
  if (!__builtin_mul_overflow(A->nrows, A->ncols, &n) && n == A->nvals) return GrB_SUCCESS;
  return grid_fail(&A->head, GrB_INVALID_VALUE,
                   "%s: %llu entries of a matrix of %llu x %llu; the full form needs all of them", call,
                   (unsigned long long)A->nvals, (unsigned long long)A->nrows, (unsigned long long)A->ncols);
}

GrB_Info grid_matrix_unpack(grid_packed *a, GrB_Matrix A, bool may_be_iso, const char *call) {
  grid_replicated_matrix w = {0};
  GrB_Info info;
  TRY(grid_matrix_require(A, GRID_MERGED));
  if (a->form == GxB_FULL) TRY(check_full(A, call));
  const bool by_position = has_positions(a, A);
  if (!by_position) TRY(grid_matrix_require_host(A, 0, call));
  if (may_be_iso) TRY(grid_matrix_is_iso(&a->iso, A));
  if (!by_position) TRY(grid_matrix_share(&w, A, a->by_column, call));
  info = by_position ? unpack_bitmap(a, A)
                     : unpack_share(a, &w, grid_packed_range_of(A->nrows, A->ncols, a->by_column));
  info = grid_agree(&A->head, info);
  if (info != GrB_SUCCESS) grid_packed_free(a);
done:
  grid_replicated_matrix_free(&w);
  return info;
}
