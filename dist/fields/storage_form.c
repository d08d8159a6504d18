/* See storage_form.h. */
#include "dist/fields/storage_form.h"

#include <string.h>

#include "dist/matrix/storage/matrix_outofcore.h"
#include "gridblas_gxb_objects.h"

/* ---- the form ---- */

/* `real`, or the next form that `control` allows; without any a bitmap, as SuiteSparse has it. */
static int choose(int real, int control, bool is_full) {
  static const int order[] = {GxB_SPARSE, GxB_HYPERSPARSE, GxB_BITMAP};
  if (control == 0 || (control & real)) return real;
  if (is_full && (control & GxB_FULL)) return GxB_FULL;
  if (is_full && (control & GxB_BITMAP)) return GxB_BITMAP;
  for (size_t k = 0; k < sizeof order / sizeof *order; k++)
    if (control & order[k]) return order[k];
  return GxB_BITMAP;
}

int grid_matrix_form(GrB_Matrix A) {
  const uint64_t vectors = grid_matrix_is_by_column(A) ? A->ncols : A->nrows;
  uint64_t n;
  const bool is_full = !__builtin_mul_overflow(A->nrows, A->ncols, &n) && n == A->nvals && n;
  const int real = is_full                            ? GxB_FULL
                   : A->bitmap.present                ? GxB_BITMAP
                   : A->nvals <= vectors / GRID_HYPER ? GxB_HYPERSPARSE
                                                      : GxB_SPARSE;
  return choose(real, A->hints.options.sparsity_control, is_full);
}

int grid_vector_form(GrB_Vector v, uint64_t nvals) {
  const bool is_full = nvals == v->n && nvals, is_list = nvals <= v->n / GRID_LIST_SHARE;
  const int control = v->options.sparsity_control & ~GxB_HYPERSPARSE; /* a vector is never hypersparse */
  return choose(is_full   ? GxB_FULL
                : is_list ? GxB_SPARSE
                          : GxB_BITMAP,
                control || !v->options.sparsity_control ? control : GxB_SPARSE, is_full);
}

/* ---- iso: a single entry is one value, too ---- */

static GrB_Info agree_iso(bool *iso, grid_head *head, size_t size, bool has_entries, const void *value) {
  char *one = grid_calloc(1, size);
  GrB_Info info = one ? GrB_SUCCESS : grid_fail_memory(head, "a value", 1, size);
  if (one && value) memcpy(one, value, size);
  info = grid_agree_on_iso_value(head, info, has_entries, has_entries && value, size, one, iso);
  grid_free(one);
  return info;
}

/* The one value of a chunk's entries, or NULL. */
static const void *find_one(const grid_chunk *c) {
  if (c->nvals && c->iso) return grid_chunk_iso_value(c);
  if (c->nvals != 1 || c->device) return NULL;
  grid_iter it = grid_iter_begin(c);
  return grid_iter_next(&it) ? it.v : NULL;
}

GrB_Info grid_matrix_is_iso(bool *iso, GrB_Matrix A) {
  const grid_chunk *c = &A->bitmap.chunk;
  GrB_Info info;
  TRY(grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_MERGED));
  if (grid_is_paged(A))
    return agree_iso(iso, &A->head, A->type->size, grid_pages_nvals(A->pages) > 0, A->pages->one);
  if (A->bitmap.only) return agree_iso(iso, &A->head, A->type->size, c->nvals > 0, find_one(c));
  if (A->delegates.split) TRY(grid_matrix_require(A, GRID_WHOLE));
  const grid_local_matrix *p = &A->block;
  const bool is_one = p->iso || (p->nvals == 1 && !p->device);
  info = agree_iso(iso, &A->head, A->type->size, p->nvals > 0, is_one ? grid_lmat_value(p, 0) : NULL);
done:
  return info;
}

GrB_Info grid_vector_is_iso(bool *iso, GrB_Vector v) {
  const grid_chunk *c = &v->chunk;
  return agree_iso(iso, &v->head, v->type->size, c->nvals > 0, find_one(c));
}
