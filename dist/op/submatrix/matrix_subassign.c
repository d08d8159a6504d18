/* GxB_subassign of a matrix or a value to a matrix: S = C(I, J), S<Mask> accum= A, C(I, J) = S. Where there
 * is no mask it is GrB_assign. */
#include "dist/object/burble.h"
#include "dist/matrix/matrix_output.h"
#include "dist/op/submatrix/assign_region.h"
#include "dist/op/submatrix/matrix_assign.h"
#include "dist/op/submatrix/matrix_index_lists.h"
#include "gridblas_gxb_operations.h"

static const char call[] = "GxB_subassign";

/* What is assigned: A, or a value x of `type` (NULL: no entries). */
typedef struct {
  GrB_Matrix A;
  const void *x;
  GrB_Type type;
} source;

/* The lists as they were given. */
typedef struct {
  const GrB_Index *I, *J;
  GrB_Index ni, nj;
} region;

static GrB_Info assign(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, const source *from, region r,
                       GrB_Descriptor desc) {
  if (from->A) return GrB_Matrix_assign(C, mask, accum, from->A, r.I, r.ni, r.J, r.nj, desc);
  return grid_matrix_assign_value(C, mask, accum, from->x, from->type, r.I, r.ni, r.J, r.nj, desc);
}

/* By the steps above, with a region of rows x cols, not empty. */
static GrB_Info assign_region(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, const source *from, region r,
                              uint64_t rows, uint64_t cols, GrB_Descriptor desc, bool reads_output) {
  GrB_Matrix S = NULL;
  GrB_Info info = GrB_SUCCESS;
  TRY(GrB_Matrix_new(&S, C->type, rows, cols));
  if (reads_output) TRY(GrB_Matrix_extract(S, NULL, NULL, C, r.I, r.ni, r.J, r.nj, NULL));
  TRY(assign(S, mask, accum, from, (region){GrB_ALL, GrB_ALL, rows, cols}, desc));
  info = GrB_Matrix_assign(C, NULL, NULL, S, r.I, r.ni, r.J, r.nj, NULL);
done:
  GrB_Matrix_free(&S);
  return info;
}

static GrB_Info subassign(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, source from, region r,
                          GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  grid_list rows = {0}, cols = {0};
  const GrB_Matrix A = from.A;
  if (mask) TRY(grid_check_object(mask, &C->head, call, "Mask"));
  TRY(grid_check_write(&C->head, C->type, "C", mask ? mask->type : NULL, accum, desc, from.type, call, &d));
  TRY(grid_list_read(&rows, r.I, r.ni, C->nrows, false, &C->head, call, "I"));
  TRY(grid_list_read(&cols, r.J, r.nj, C->ncols, false, &C->head, call, "J"));
  const uint64_t m = rows.total, n = cols.total;
  if (mask)
    TRY(grid_check_shape(mask->nrows, mask->ncols, m, n, &C->head, call, "Mask", "what I and J name"));
  if (A)
    TRY(grid_check_shape(d.tran0 ? A->ncols : A->nrows, d.tran0 ? A->nrows : A->ncols, m, n, &C->head, call,
                         "A", "what I and J name"));
  if ((rows.all && cols.all) || (!mask && !d.complement))
    info = assign(C, mask, accum, &from, r, desc);
  else if (m > 0 && n > 0)
    info = assign_region(C, mask, accum, &from, r, m, n, desc, accum || !d.replace);
done:
  grid_list_free(&rows);
  grid_list_free(&cols);
  return info;
}

static GrB_Info subassign_matrix(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Matrix A, region r,
                                 GrB_Descriptor desc) {
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info == GrB_SUCCESS) info = grid_check_object(A, &C->head, call, "A");
  return info == GrB_SUCCESS ? subassign(C, mask, accum, (source){A, NULL, A->type}, r, desc) : info;
}

GrB_Info GxB_Matrix_subassign(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                              const GrB_Matrix A, const GrB_Index *rows, GrB_Index nrows,
                              const GrB_Index *cols, GrB_Index ncols, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(call, subassign_matrix(C, Mask, accum, A, (region){rows, cols, nrows, ncols}, desc),
                         C, Mask, A);
}

/* type NULL: x is of C's user-defined type. */
static GrB_Info subassign_value(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, const void *x,
                                GrB_Type type, region r, GrB_Descriptor desc) {
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info != GrB_SUCCESS) return info;
  if (!type) {
    if (!x) return grid_fail(&C->head, GrB_NULL_POINTER, "%s: argument x is NULL", call);
    info = grid_check_user_type(type = C->type, &C->head, call);
  }
  return info == GrB_SUCCESS ? subassign(C, mask, accum, (source){NULL, x, type}, r, desc) : info;
}

#define DEFINE(T, C_TYPE, TYPE, X)                                                                           \
  GrB_Info GxB_Matrix_subassign_##T(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, C_TYPE x, \
                                    const GrB_Index *I, GrB_Index ni, const GrB_Index *J, GrB_Index nj,      \
                                    const GrB_Descriptor desc) {                                             \
    return GRID_TRACE_SIZED_CALL(call, grid_assign_estimate(C, Mask, I, ni, J, nj),                          \
                                 subassign_value(C, Mask, accum, X, TYPE, (region){I, J, ni, nj}, desc), C,  \
                                 Mask);                                                                      \
  }
#define DEFINE_TYPE(P, T, C_TYPE) DEFINE(T, C_TYPE, P##_##T, &x)
GRID_PREDEFINED_TYPES(DEFINE_TYPE)
DEFINE(UDT, const void *, NULL, x)
#undef DEFINE_TYPE
#undef DEFINE

static GrB_Info subassign_scalar(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Scalar x, region r,
                                 GrB_Descriptor desc) {
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info == GrB_SUCCESS) info = grid_check_scalar(x, &C->head, call, "x");
  if (info != GrB_SUCCESS) return info;
  return subassign_value(C, mask, accum, x->present ? x->val : NULL, x->type, r, desc);
}

GrB_Info GxB_Matrix_subassign_Scalar(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                                     const GrB_Scalar x, const GrB_Index *I, GrB_Index ni, const GrB_Index *J,
                                     GrB_Index nj, const GrB_Descriptor desc) {
  return GRID_TRACE_SIZED_CALL(call, grid_assign_estimate(C, Mask, I, ni, J, nj),
                               subassign_scalar(C, Mask, accum, x, (region){I, J, ni, nj}, desc), C, Mask, x);
}
