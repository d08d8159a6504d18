/* See iterator.h: life of an iterator. */
#include "dist/extensions/iterator.h"

#include "dist/grid/layout.h"
#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/object/burble.h"
#include "dist/vector/vector.h"

GrB_Info GxB_Iterator_new(GxB_Iterator *iterator) {
  static const char call[] = "GxB_Iterator_new";
  GrB_Info info = grid_semiring_check_init(call);
  if (info != GrB_SUCCESS) return info;
  if (!iterator) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument iterator is NULL", call);
  GxB_Iterator it = grid_calloc(1, sizeof *it);
  if (!it) return grid_fail_memory(NULL, "an iterator", 1, sizeof *it);
  *iterator = it;
  return GrB_SUCCESS;
}

static void detach(GxB_Iterator it) {
  if (it->m.type) grid_lmat_free(&it->m);
  grid_free(it->idx);
  grid_free(it->val);
  *it = (struct GB_Iterator_opaque){0};
}

GrB_Info GxB_Iterator_free(GxB_Iterator *iterator) {
  if (!iterator || !*iterator) return GrB_SUCCESS;
  detach(*iterator);
  grid_free(*iterator);
  *iterator = NULL;
  return GrB_SUCCESS;
}

static GrB_Info check(GxB_Iterator it, GrB_Descriptor desc, grid_head *head, const char *call) {
  if (!it) return grid_fail(head, GrB_NULL_POINTER, "%s: argument iterator is NULL", call);
  return desc ? grid_check_object(desc, head, call, "desc") : GrB_SUCCESS;
}

/* ---- matrices ---- */

static GrB_Info attach_matrix(GxB_Iterator it, GrB_Matrix A, GrB_Descriptor desc, bool by_column,
                              const char *call) {
  grid_replicated_matrix w = {0};
  grid_local_matrix m = {0};
  GrB_Info info;
  TRY(grid_check_matrix(A, call, "A"));
  TRY(check(it, desc, &A->head, call));
  TRY(grid_matrix_share(&w, A, by_column, call));
  info = by_column ? grid_cpu_lmat_transpose(w.p, false, &m) : grid_cpu_lmat_copy_rows(&m, w.p);
  TRY(grid_agree(&A->head, info));
  detach(it);
  it->m = m;
  m = (grid_local_matrix){0};
  it->type = A->type;
  it->range = grid_packed_range_of(A->nrows, A->ncols, by_column);
  it->dim = by_column ? A->ncols : A->nrows;
  it->nvals = it->m.nvals;
  it->vectors = (grid_index_map){.axis = &it->m.row, .base = by_column ? w.col : w.row};
  it->indices = (grid_index_map){.axis = &it->m.col, .base = by_column ? w.row : w.col};
  it->listed = it->m.row.ids ? it->m.row.n : it->range.count;
  it->k = it->listed;
  it->e = it->end = it->nvals;
done:
  if (m.type) grid_lmat_free(&m);
  grid_replicated_matrix_free(&w);
  return info;
}

GrB_Info GxB_rowIterator_attach(GxB_Iterator iterator, GrB_Matrix A, GrB_Descriptor desc) {
  static const char call[] = "GxB_rowIterator_attach";
  return GRID_TRACE_CALL(call, attach_matrix(iterator, A, desc, false, call), A);
}

GrB_Info GxB_colIterator_attach(GxB_Iterator iterator, GrB_Matrix A, GrB_Descriptor desc) {
  static const char call[] = "GxB_colIterator_attach";
  return GRID_TRACE_CALL(call, attach_matrix(iterator, A, desc, true, call), A);
}

GrB_Info GxB_Matrix_Iterator_attach(GxB_Iterator iterator, GrB_Matrix A, GrB_Descriptor desc) {
  static const char call[] = "GxB_Matrix_Iterator_attach";
  return GRID_TRACE_CALL(call, attach_matrix(iterator, A, desc, false, call), A);
}

/* ---- vectors ---- */

static GrB_Info attach_vector(GxB_Iterator it, GrB_Vector v, GrB_Descriptor desc) {
  static const char call[] = "GxB_Vector_Iterator_attach";
  uint64_t *idx = NULL;
  char *val = NULL;
  GrB_Info info;
  TRY(grid_check_vector(v, call, "v"));
  TRY(check(it, desc, &v->head, call));
  const uint64_t n = v->chunk.nvals;
  idx = grid_malloc(n, sizeof *idx);
  val = grid_malloc(n, v->type->size);
  if (!idx || !val)
    info = grid_fail_memory(NULL, "entries of an iterator", n, sizeof *idx + v->type->size);
  else
    info = grid_vec_tuples(idx, val, v->type, &v->chunk, grid_chunk_first(v->n, grid_ctx.k));
  TRY(grid_agree(&v->head, info));
  detach(it);
  it->type = v->type;
  it->e = it->nvals = n;
  it->idx = idx, it->val = val;
  idx = NULL, val = NULL;
done:
  grid_free(idx);
  grid_free(val);
  return info;
}

GrB_Info GxB_Vector_Iterator_attach(GxB_Iterator iterator, GrB_Vector v, GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_Vector_Iterator_attach", attach_vector(iterator, v, desc), v);
}
