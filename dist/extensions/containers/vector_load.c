/* GxB_Vector_load and GxB_Vector_unload: a full vector as one array. */
#include "dist/grid/layout.h"
#include "dist/extensions/containers/replace_object.h"
#include "dist/extensions/pack/vector_arrays.h"
#include "dist/object/burble.h"

static GrB_Info unload(GrB_Vector V, void **X, GrB_Type *type, uint64_t *n, uint64_t *X_size, int *handling,
                       GrB_Descriptor desc) {
  static const char call[] = "GxB_Vector_unload";
  grid_packed a = {.form = GxB_FULL};
  grid_chunk none;
  GrB_Info info;
  TRY(grid_check_vector(V, call, "V"));
  if (!X || !type || !n || !X_size || !handling)
    TRY(grid_fail(&V->head, GrB_NULL_POINTER, "%s: argument %s is NULL", call,
                  !X        ? "X"
                  : !type   ? "type"
                  : !n      ? "n"
                  : !X_size ? "X_size"
                            : "handling"));
  if (desc) TRY(grid_check_object(desc, &V->head, call, "desc"));
  TRY(grid_vector_unpack(&a, V, false, GrB_INVALID_OBJECT, call));
  *X = a.x, *X_size = a.x_size;
  *type = V->type, *n = V->n;
  *handling = GrB_DEFAULT;
  grid_chunk_init(&none, V->type, 0);
  grid_vector_replace(V, 0, &none);
done:
  return info;
}

GrB_Info GxB_Vector_unload(GrB_Vector V, void **X, GrB_Type *type, uint64_t *n, uint64_t *X_size,
                           int *handling, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_Vector_unload", unload(V, X, type, n, X_size, handling, desc), V);
}

static GrB_Info load(GrB_Vector V, void **X, GrB_Type type, uint64_t n, uint64_t X_size, int handling,
                     GrB_Descriptor desc) {
  static const char call[] = "GxB_Vector_load";
  grid_chunk t = {0};
  GrB_Info info;
  TRY(grid_check_vector(V, call, "V"));
  if (!X) TRY(grid_fail(&V->head, GrB_NULL_POINTER, "%s: argument X is NULL", call));
  TRY(grid_check_object(type, &V->head, call, "type"));
  if (desc) TRY(grid_check_object(desc, &V->head, call, "desc"));
  if (n > GrB_INDEX_MAX + 1)
    TRY(grid_fail(&V->head, GrB_INVALID_VALUE, "%s: size %llu is more than 2^60", call,
                  (unsigned long long)n));
  if (handling != GrB_DEFAULT && handling != GxB_IS_READONLY)
    TRY(grid_fail(&V->head, GrB_INVALID_VALUE,
                  "%s: argument handling is %d; it is GrB_DEFAULT or GxB_IS_READONLY", call, handling));
  grid_chunk_init(&t, type, grid_chunk_length(n, grid_ctx.k));
  const grid_packed a = {.form = GxB_FULL, .x = *X, .x_size = X_size};
  TRY(grid_agree(&V->head, grid_chunk_from_arrays(&t, &a, 0, call)));
  grid_vector_replace(V, n, &t);
  if (handling == GrB_DEFAULT) {
    grid_user_free(*X);
    *X = NULL;
  }
done:
  if (t.type) grid_chunk_free(&t);
  return info;
}

GrB_Info GxB_Vector_load(GrB_Vector V, void **X, GrB_Type type, uint64_t n, uint64_t X_size, int handling,
                         const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_Vector_load", load(V, X, type, n, X_size, handling, desc), V);
}
