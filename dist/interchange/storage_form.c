/* See storage_form.h. */
#include "dist/interchange/storage_form.h"

#include <string.h>

#include "dist/matrix/storage/matrix_outofcore.h"
#include "gridblas_gxb_data.h"

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
  return choose(real, A->hints.form.sparsity, is_full);
}

int grid_vector_form(GrB_Vector v, uint64_t nvals) {
  const bool is_full = nvals == v->n && nvals, is_list = nvals <= v->n / GRID_LIST_SHARE;
  const int control = v->form.sparsity & ~GxB_HYPERSPARSE; /* a vector is never hypersparse */
  return choose(is_full   ? GxB_FULL
                : is_list ? GxB_SPARSE
                          : GxB_BITMAP,
                control || !v->form.sparsity ? control : GxB_SPARSE, is_full);
}

/* ---- iso: a single entry is one value, too ---- */

static GrB_Info agree_iso(bool *iso, grid_head *head, size_t size, bool has_entries, const void *value) {
  char *one = grid_calloc(1, size);
  GrB_Info info = grid_agree(head, one ? GrB_SUCCESS : grid_fail_memory(head, "a value", 1, size));
  TRY(info);
  if (value) memcpy(one, value, size);
  info = grid_agree_on_iso_value(has_entries, has_entries && value, size, one, iso);
done:
  grid_free(one);
  return info;
}

GrB_Info grid_matrix_is_iso(bool *iso, GrB_Matrix A) {
  GrB_Info info;
  TRY(grid_matrix_require(A, GRID_OUTOFCORE | GRID_MERGED));
  if (grid_is_paged(A))
    return agree_iso(iso, &A->head, A->type->size, grid_pages_nvals(A->pages) > 0, A->pages->one);
  *iso = A->nvals && A->bitmap.is_iso;
  if (A->bitmap.only) return info;
  if (A->delegates.split) TRY(grid_matrix_require(A, GRID_WHOLE));
  const grid_local_matrix *p = &A->block;
  const bool is_one = p->iso || (p->nvals == 1 && !p->device);
  info = agree_iso(iso, &A->head, A->type->size, p->nvals > 0, is_one ? grid_lmat_value(p, 0) : NULL);
done:
  return info;
}

GrB_Info grid_vector_is_iso(bool *iso, GrB_Vector v) {
  const grid_chunk *c = &v->chunk;
  const void *one = c->iso && c->nvals ? grid_chunk_iso_value(c) : NULL;
  if (c->nvals == 1 && !c->iso && !c->device) {
    grid_iter it = grid_iter_begin(c);
    if (grid_iter_next(&it)) one = it.v;
  }
  return agree_iso(iso, &v->head, v->type->size, c->nvals > 0, one);
}

/* ---- fields ---- */

static grid_form_hints *find_hints(const grid_subject *s) {
  return s->kind == GRID_ON_Matrix ? &((GrB_Matrix)s->object)->hints.form : &((GrB_Vector)s->object)->form;
}

GrB_Info grid_get_format(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)f;
  *value = s->kind != GRID_ON_Matrix || grid_matrix_is_by_column(s->object) ? GxB_BY_COL : GxB_BY_ROW;
  return GrB_SUCCESS;
}

GrB_Info grid_set_format(const grid_subject *s, const grid_field *f, int32_t value) {
  if (value != GxB_BY_ROW && value != GxB_BY_COL)
    return grid_fail(s->object, GrB_INVALID_VALUE, "%s: %s is %d; it is GxB_BY_ROW or GxB_BY_COL", s->call,
                     f->name, (int)value);
  if (s->kind == GRID_ON_Matrix)
    ((GrB_Matrix)s->object)->hints.orientation = value == GxB_BY_COL ? GrB_COLMAJOR : GrB_ROWMAJOR;
  return GrB_SUCCESS; /* a vector is always by column */
}

GrB_Info grid_get_sparsity(const grid_subject *s, const grid_field *f, int64_t *value) {
  const int32_t control = find_hints(s)->sparsity;
  (void)f;
  *value = control ? control : GxB_ANY_SPARSITY;
  return GrB_SUCCESS;
}

GrB_Info grid_set_sparsity(const grid_subject *s, const grid_field *f, int32_t value) {
  (void)f;
  find_hints(s)->sparsity = value & GxB_ANY_SPARSITY; /* no known bit: any form */
  return GrB_SUCCESS;
}

GrB_Info grid_get_status(const grid_subject *s, const grid_field *f, int64_t *value) {
  GrB_Vector v = s->object;
  uint64_t nvals = 0;
  GrB_Info info = GrB_SUCCESS;
  (void)f;
  if (s->kind == GRID_ON_Matrix) {
    *value = grid_matrix_form(s->object);
    return info;
  }
  info = grid_check_vector(v, s->call, "v");
  if (info == GrB_SUCCESS) info = grid_vector_count(&nvals, v);
  if (info == GrB_SUCCESS) *value = grid_vector_form(v, nvals);
  return info;
}

GrB_Info grid_get_iso(const grid_subject *s, const grid_field *f, int64_t *value) {
  bool iso = false;
  GrB_Info info = s->kind == GRID_ON_Matrix ? grid_check_matrix(s->object, s->call, "A")
                                            : grid_check_vector(s->object, s->call, "v");
  (void)f;
  if (info == GrB_SUCCESS)
    info =
        s->kind == GRID_ON_Matrix ? grid_matrix_is_iso(&iso, s->object) : grid_vector_is_iso(&iso, s->object);
  if (info == GrB_SUCCESS) *value = iso;
  return info;
}

/* SuiteSparse's default: the share of positions with entries above which a bitmap pays, by the smaller
 * dimension. */
static double default_bitmap_switch(uint64_t n) {
  static const struct {
    uint64_t most;
    float share;
  } table[] = {{1, 0.04f}, {2, 0.05f}, {4, 0.06f}, {8, 0.08f}, {16, 0.10f}, {32, 0.20f}, {64, 0.30f}};
  for (size_t k = 0; k < sizeof table / sizeof *table; k++)
    if (n <= table[k].most) return (double)table[k].share;
  return (double)0.40f;
}

GrB_Info grid_get_switch(const grid_subject *s, const grid_field *f, double *value) {
  const grid_form_hints *h = find_hints(s);
  if (f->field == GxB_HYPER_SWITCH) {
    *value = h->has_hyper_switch ? h->hyper_switch : GxB_HYPER_DEFAULT;
    return GrB_SUCCESS;
  }
  const GrB_Matrix A = s->kind == GRID_ON_Matrix ? s->object : NULL;
  *value = h->has_bitmap_switch ? h->bitmap_switch
                                : default_bitmap_switch(!A                    ? 1
                                                        : A->nrows < A->ncols ? A->nrows
                                                                              : A->ncols);
  return GrB_SUCCESS;
}

GrB_Info grid_set_switch(const grid_subject *s, const grid_field *f, double value) {
  grid_form_hints *h = find_hints(s);
  if (f->field == GxB_HYPER_SWITCH)
    h->hyper_switch = value, h->has_hyper_switch = true;
  else
    h->bitmap_switch = value, h->has_bitmap_switch = true;
  return GrB_SUCCESS;
}
