/* GxB_Matrix_build_Vector and its likes: tuples come as vectors, which all processes read whole. */
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/object/burble.h"
#include "dist/op/index_vector.h"
#include "gridblas_gxb_operations.h"

typedef struct {
  const char *call;
  grid_head *head;
  GrB_Descriptor desc;
  grid_tuple_vector rows, cols, values; /* cols only for matrices; values only without a scalar */
} tuple_lists;

static void lists_free(tuple_lists *x) {
  grid_free(x->rows.val);
  grid_free(x->cols.val);
  grid_free(x->values.val);
}

/* Reads the vectors of an equal number of entries. */
static GrB_Info read_lists(tuple_lists *x, GrB_Vector I, GrB_Vector J, bool with_cols, GrB_Vector X,
                           bool with_values) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_tuple_vector_read(&x->rows, I, GrB_INT64, x->desc, GRID_ROW_LIST, x->head, x->call, "I"));
  if (with_cols)
    TRY(grid_tuple_vector_read(&x->cols, J, GrB_INT64, x->desc, GRID_COL_LIST, x->head, x->call, "J"));
  if (with_values)
    TRY(grid_tuple_vector_read(&x->values, X, NULL, x->desc, GRID_VALUE_LIST, x->head, x->call, "X"));
  if ((with_cols && x->cols.n != x->rows.n) || (with_values && x->values.n != x->rows.n))
    info = grid_fail(x->head, GrB_INVALID_VALUE, "%s: the lists have different numbers of entries", x->call);
done:
  return info;
}

/* ---- a matrix ------------------------------------------------------------------------------------------ */

static GrB_Info build_matrix(GrB_Matrix C, GrB_Vector I, GrB_Vector J, GrB_Vector X, GrB_BinaryOp dup,
                             GrB_Descriptor desc) {
  tuple_lists x = {.call = "GxB_Matrix_build_Vector", .desc = desc};
  GrB_Info info = grid_check_matrix(C, x.call, "C");
  if (info != GrB_SUCCESS) return info;
  x.head = &C->head;
  TRY(read_lists(&x, I, J, true, X, true));
  const grid_build b = {.row = x.rows.val,
                        .col = x.cols.val,
                        .val = x.values.val,
                        .type = x.values.type,
                        .n = x.rows.n,
                        .dup = dup,
                        .is_replicated = true};
  info = grid_matrix_build(C, &b, x.call);
done:
  lists_free(&x);
  return info;
}

GrB_Info GxB_Matrix_build_Vector(GrB_Matrix C, const GrB_Vector rows, const GrB_Vector cols,
                                 const GrB_Vector values, const GrB_BinaryOp dup, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_Matrix_build_Vector", build_matrix(C, rows, cols, values, dup, desc), C, rows,
                         cols, values);
}

static GrB_Info build_matrix_scalar(GrB_Matrix C, GrB_Vector I, GrB_Vector J, GrB_Scalar scalar,
                                    GrB_Descriptor desc) {
  tuple_lists x = {.call = "GxB_Matrix_build_Scalar_Vector", .desc = desc};
  GrB_Info info = grid_check_matrix(C, x.call, "C");
  if (info != GrB_SUCCESS) return info;
  x.head = &C->head;
  TRY(read_lists(&x, I, J, true, NULL, false));
  info = GxB_Matrix_build_Scalar(C, x.rows.val, x.cols.val, scalar, x.rows.n);
done:
  lists_free(&x);
  return info;
}

GrB_Info GxB_Matrix_build_Scalar_Vector(GrB_Matrix C, const GrB_Vector rows, const GrB_Vector cols,
                                        const GrB_Scalar scalar, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_Matrix_build_Scalar_Vector", build_matrix_scalar(C, rows, cols, scalar, desc),
                         C, rows, cols, scalar);
}

/* ---- a vector ------------------------------------------------------------------------------------------ */

static GrB_Info build_vector(GrB_Vector w, GrB_Vector I, GrB_Vector X, GrB_BinaryOp dup,
                             GrB_Descriptor desc) {
  tuple_lists x = {.call = "GxB_Vector_build_Vector", .desc = desc};
  GrB_Info info = grid_check_vector(w, x.call, "w");
  if (info != GrB_SUCCESS) return info;
  x.head = &w->head;
  TRY(read_lists(&x, I, NULL, false, X, true));
  /* each process sends a share of them */
  const uint64_t n = x.rows.n, P = (uint64_t)grid_ctx.P, k = (uint64_t)grid_ctx.k, from = n / P * k,
                 end = k + 1 == P ? n : from + n / P;
  info = grid_vector_build(w, (const GrB_Index *)x.rows.val + from,
                           (const char *)x.values.val + from * x.values.type->size, x.values.type, end - from,
                           dup, x.call);
done:
  lists_free(&x);
  return info;
}

GrB_Info GxB_Vector_build_Vector(GrB_Vector w, const GrB_Vector rows, const GrB_Vector values,
                                 const GrB_BinaryOp dup, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_Vector_build_Vector", build_vector(w, rows, values, dup, desc), w, rows,
                         values);
}

static GrB_Info build_vector_scalar(GrB_Vector w, GrB_Vector I, GrB_Scalar scalar, GrB_Descriptor desc) {
  tuple_lists x = {.call = "GxB_Vector_build_Scalar_Vector", .desc = desc};
  GrB_Info info = grid_check_vector(w, x.call, "w");
  if (info != GrB_SUCCESS) return info;
  x.head = &w->head;
  TRY(read_lists(&x, I, NULL, false, NULL, false));
  info = GxB_Vector_build_Scalar(w, x.rows.val, scalar, x.rows.n);
done:
  lists_free(&x);
  return info;
}

GrB_Info GxB_Vector_build_Scalar_Vector(GrB_Vector w, const GrB_Vector rows, const GrB_Scalar scalar,
                                        const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_Vector_build_Scalar_Vector", build_vector_scalar(w, rows, scalar, desc), w,
                         rows, scalar);
}
