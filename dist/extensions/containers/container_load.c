/* GxB_load_Matrix_from_Container and GxB_load_Vector_from_Container. */
#include "dist/grid/layout.h"
#include "dist/extensions/containers/container.h"
#include "dist/extensions/containers/replace_object.h"
#include "dist/extensions/pack/vector_arrays.h"
#include "dist/object/burble.h"

static GrB_Info load_matrix(GrB_Matrix A, GxB_Container c, GrB_Descriptor desc) {
  static const char call[] = "GxB_load_Matrix_from_Container";
  grid_container_part part = {0};
  GrB_Matrix made = NULL;
  GrB_Info info;
  TRY(grid_check_matrix(A, call, "A"));
  TRY(grid_container_read(&part, c, false, desc, &A->head, call));
  TRY(GrB_Matrix_new(&made, part.type, part.nrows, part.ncols));
  info = grid_matrix_pack(made, &part.a, call);
  if (info != GrB_SUCCESS) { /* the text is about `made` */
    char text[256];
    snprintf(text, sizeof text, "%s", grid_last_error());
    TRY(grid_fail(&A->head, info, "%s", text));
  }
  grid_matrix_replace(A, made);
  A->hints.orientation = made->hints.orientation;
  grid_container_clear(c);
done:
  grid_container_part_free(&part);
  GrB_Matrix_free(&made);
  return info;
}

GrB_Info GxB_load_Matrix_from_Container(GrB_Matrix A, GxB_Container Container, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_load_Matrix_from_Container", load_matrix(A, Container, desc), A);
}

/* *t = entries whose indices may be anywhere, sent to their owners. */
static GrB_Info route_list(grid_chunk *t, const grid_container_part *part, grid_head *head,
                           const char *call) {
  const grid_packed *a = &part->a;
  grid_routed_entries in = {0};
  uint64_t where = 0, bad = a->nvals;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t k = 0; k < a->nvals && bad == a->nvals; k++)
    if (a->i[k] >= part->nrows) bad = k;
  if (bad < a->nvals)
    info = grid_fail(head, GrB_INVALID_OBJECT, "%s: an index is %llu, which is not below %llu", call,
                     (unsigned long long)a->i[bad], (unsigned long long)part->nrows);
  for (uint64_t k = 1; k < a->nvals && a->strict && a->sorted && info == GrB_SUCCESS; k++)
    if (a->i[k - 1] >= a->i[k])
      info = grid_fail(head, GrB_INDEX_OUT_OF_BOUNDS,
                       "%s: index %llu is not above the one before it, and the container is not jumbled",
                       call, (unsigned long long)a->i[k]);
  TRY(grid_route(&in, a->nvals, a->i, a->x, a->iso ? 0 : 1, part->type->size, part->nrows, info));
  info = grid_vec_build(t, in.idx, in.val, part->type, 1, in.n, (grid_dup){0}, &where);
  if (info == GrB_INVALID_VALUE)
    info = grid_fail(head, GrB_INDEX_OUT_OF_BOUNDS, "%s: index %llu occurs more than once", call,
                     (unsigned long long)(grid_chunk_first(part->nrows, grid_ctx.k) + where));
done:
  grid_routed_entries_free(&in);
  return info;
}

static GrB_Info load_vector(GrB_Vector V, GxB_Container c, GrB_Descriptor desc) {
  static const char call[] = "GxB_load_Vector_from_Container";
  grid_container_part part = {0};
  grid_chunk t = {0};
  GrB_Info info;
  TRY(grid_check_vector(V, call, "V"));
  TRY(grid_container_read(&part, c, true, desc, &V->head, call));
  grid_chunk_init(&t, part.type, grid_chunk_length(part.nrows, grid_ctx.k));
  if (part.nrows == 0 && part.a.form == GxB_SPARSE)
    info = part.a.nvals ? grid_fail(&V->head, GrB_INVALID_OBJECT, "%s: entries of a vector of size 0", call)
                        : GrB_SUCCESS;
  else
    info = part.a.form == GxB_SPARSE ? route_list(&t, &part, &V->head, call)
                                     : grid_chunk_from_arrays(&t, &part.a, 0, call);
  TRY(grid_agree(&V->head, info));
  grid_vector_replace(V, part.nrows, &t);
  grid_container_clear(c);
done:
  if (t.type) grid_chunk_free(&t);
  grid_container_part_free(&part);
  return info;
}

GrB_Info GxB_load_Vector_from_Container(GrB_Vector V, GxB_Container Container, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_load_Vector_from_Container", load_vector(V, Container, desc), V);
}
