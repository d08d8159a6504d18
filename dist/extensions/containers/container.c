/* See container.h: life of a container. */
#include "dist/extensions/containers/container.h"

#include "dist/extensions/containers/replace_object.h"
#include "dist/object/burble.h"

GrB_Info grid_container_check(GrB_Vector *known, GxB_Container c, grid_head *head, const char *call) {
  static const char *const name[] = {"p", "h", "b", "i", "x"};
  if (!c) return grid_fail(head, GrB_NULL_POINTER, "%s: argument Container is NULL", call);
  const GrB_Vector all[] = {c->p, c->h, c->b, c->i, c->x};
  for (int k = 0; k < GRID_C_VECTORS; k++) {
    char what[32];
    snprintf(what, sizeof what, "Container->%s", name[k]);
    known[k] = all[k];
    const GrB_Info info = grid_check_object(all[k], head, call, what);
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

static void clear_numbers(GxB_Container c) {
  c->nrows = c->ncols = c->nvals = 0;
  c->nrows_nonempty = c->ncols_nonempty = -1;
  c->format = GxB_FULL;
  c->orientation = GrB_ROWMAJOR;
  c->iso = c->jumbled = false;
}

void grid_container_clear(GxB_Container c) {
  const GrB_Vector all[] = {c->p, c->h, c->b, c->i, c->x};
  for (int k = 0; k < GRID_C_VECTORS; k++) {
    grid_chunk none;
    grid_chunk_init(&none, all[k]->type, 0);
    grid_vector_replace(all[k], 0, &none);
  }
  if (c->Y) GrB_Matrix_free(&c->Y);
  clear_numbers(c);
}

GrB_Info GxB_Container_free(GxB_Container *Container) {
  GRID_CALL_SCOPE;
  if (!Container || !*Container) return GrB_SUCCESS;
  GxB_Container c = *Container;
  GrB_Vector *const all[] = {&c->p, &c->h, &c->b, &c->i, &c->x};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) GrB_Vector_free(all[k]);
  for (size_t k = 0; k < sizeof c->vector_future / sizeof c->vector_future[0]; k++)
    GrB_Vector_free(&c->vector_future[k]);
  GrB_Matrix_free(&c->Y);
  for (size_t k = 0; k < sizeof c->matrix_future / sizeof c->matrix_future[0]; k++)
    GrB_Matrix_free(&c->matrix_future[k]);
  grid_free(c);
  *Container = NULL;
  return GrB_SUCCESS;
}

static GrB_Info new_container(GxB_Container *Container) {
  static const char call[] = "GxB_Container_new";
  GxB_Container c = NULL;
  GrB_Info info = grid_check_initialized(call);
  TRY(info);
  if (!Container) TRY(grid_fail(NULL, GrB_NULL_POINTER, "%s: argument Container is NULL", call));
  c = grid_calloc(1, sizeof *c);
  TRY(grid_agree(NULL, c ? GrB_SUCCESS : grid_fail_memory(NULL, "a container", 1, sizeof *c)));
  clear_numbers(c);
  TRY(GrB_Vector_new(&c->p, GrB_UINT32, 0));
  TRY(GrB_Vector_new(&c->h, GrB_INT32, 0));
  TRY(GrB_Vector_new(&c->b, GrB_INT8, 0));
  TRY(GrB_Vector_new(&c->i, GrB_INT32, 0));
  TRY(GrB_Vector_new(&c->x, GrB_BOOL, 0));
  *Container = c;
  c = NULL;
done:
  GxB_Container_free(&c);
  return info;
}

GrB_Info GxB_Container_new(GxB_Container *Container) {
  return GRID_TRACE_CALL("GxB_Container_new", new_container(Container), NULL);
}

/* ---- the hash that a container does not have ---- */

GrB_Info GxB_unpack_HyperHash(GrB_Matrix A, GrB_Matrix *Y, const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  static const char call[] = "GxB_unpack_HyperHash";
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info == GrB_SUCCESS && desc) info = grid_check_object(desc, &A->head, call, "desc");
  if (info == GrB_SUCCESS && !Y) info = grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument Y is NULL", call);
  if (info == GrB_SUCCESS) *Y = NULL;
  return info;
}

GrB_Info GxB_pack_HyperHash(GrB_Matrix A, GrB_Matrix *Y, const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  static const char call[] = "GxB_pack_HyperHash";
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info == GrB_SUCCESS && desc) info = grid_check_object(desc, &A->head, call, "desc");
  if (info == GrB_SUCCESS && !Y) info = grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument Y is NULL", call);
  return info == GrB_SUCCESS ? GrB_Matrix_free(Y) : info;
}
