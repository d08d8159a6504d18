/* See vector_arrays.h: the entries of a vector in new arrays for the program. */
#include <string.h>

#include "dist/fields/storage_form.h"
#include "dist/extensions/pack/vector_arrays.h"
#include "dist/grid/layout.h"

/* A new array of n elements, zero; NULL, without failure, for no elements. */
static void *new_array(uint64_t n, size_t size, uint64_t *bytes, GrB_Info *info) {
  void *array = n ? grid_user_calloc(n, size) : NULL;
  if (n && !array && *info == GrB_SUCCESS) *info = grid_fail_memory(NULL, "an unpacked array", n, size);
  *bytes = array ? n * size : 0;
  return array;
}

static void copy_first(void *x, const grid_chunk *c) {
  grid_iter it = grid_iter_begin(c);
  if (grid_iter_next(&it)) memcpy(x, it.v, c->type->size);
}

static GrB_Info unpack_list(grid_packed *a, const grid_chunk *c, uint64_t first) {
  GrB_Info info = GrB_SUCCESS;
  a->i = new_array(c->nvals, sizeof *a->i, &a->i_size, &info);
  a->x = new_array(a->iso && c->nvals ? 1 : c->nvals, c->type->size, &a->x_size, &info);
  if (info != GrB_SUCCESS || c->nvals == 0) return info;
  if (a->iso) copy_first(a->x, c);
  return grid_vec_tuples(a->i, a->iso ? NULL : a->x, c->type, c, first);
}

/* Values where there is no entry are 0. */
static GrB_Info unpack_positions(grid_packed *a, const grid_chunk *c) {
  const size_t size = c->type->size;
  GrB_Info info = GrB_SUCCESS;
  if (a->form == GxB_BITMAP) a->b = new_array(c->n, 1, &a->b_size, &info);
  a->x = new_array(a->iso && c->n ? 1 : c->n, size, &a->x_size, &info);
  if (info != GrB_SUCCESS || c->nvals == 0) return info;
  if (a->iso) copy_first(a->x, c);
  for (grid_iter it = grid_iter_begin(c); grid_iter_next(&it);) {
    if (a->b) a->b[it.i] = 1;
    if (!a->iso) memcpy((char *)a->x + it.i * size, it.v, size);
  }
  return info;
}

static GrB_Info check_full(GrB_Vector v, GrB_Info fail, const char *call) {
  uint64_t nvals;
  const GrB_Info info = grid_vector_count(&nvals, v);
  if (info != GrB_SUCCESS || nvals == v->n) return info;
  return grid_fail(&v->head, fail,
                   "%s: %llu entries of a vector of size %llu; the full form needs all of them", call,
                   (unsigned long long)nvals, (unsigned long long)v->n);
}

GrB_Info grid_vector_unpack(grid_packed *a, GrB_Vector v, bool may_be_iso, GrB_Info fail, const char *call) {
  const grid_chunk *c = &v->chunk;
  GrB_Info info = GrB_SUCCESS;
  if (a->form == GxB_FULL) TRY(check_full(v, fail, call));
  TRY(grid_agree(&v->head, grid_chunk_to_host(c)));
  if (may_be_iso) TRY(grid_vector_is_iso(&a->iso, v));
  a->nvals = c->nvals;
  info =
      a->form == GxB_SPARSE ? unpack_list(a, c, grid_chunk_first(v->n, grid_ctx.k)) : unpack_positions(a, c);
  info = grid_agree(&v->head, info);
  if (info != GrB_SUCCESS) grid_packed_free(a);
done:
  return info;
}
