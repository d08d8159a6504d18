/* Building a matrix from tuples: the checks; transfer/matrix_fill.c does the rest. */
#include <string.h>

#include "dist/object/burble.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "gridblas_gxb_operations.h"

/* The operator that combines duplicates has one type, to which the values can be cast
 * (specification 4.2.5.9). */
GrB_Info grid_check_dup(grid_head *head, GrB_Type into, GrB_BinaryOp dup, GrB_Type type, const char *call) {
  if (!dup) return GrB_SUCCESS;
  GrB_Info info;
  TRY(grid_check_binary(dup, head, call, "dup"));
  if (dup->x == dup->z && dup->y == dup->z && grid_compatible(dup->z, type) && grid_compatible(into, dup->z))
    return GrB_SUCCESS;
  return grid_fail(head, GrB_DOMAIN_MISMATCH,
                   "%s: dup is %s(%s, %s) -> %s; it cannot combine values of type %s into %s", call,
                   dup->name, dup->x->name, dup->y->name, dup->z->name, type->name, into->name);
done:
  return info;
}

/* Fills C; values are cast to dup's type first. */
static GrB_Info fill_cast(GrB_Matrix C, const grid_build *b, const char *call) {
  if (!b->dup || !b->val || b->dup->z == b->type) return grid_matrix_fill(C, b, call);
  GrB_Type type = b->dup->z;
  void *val = grid_malloc(b->n, type->size);
  GrB_Info info = val ? GrB_SUCCESS : grid_fail_memory(&C->head, "converted values", b->n, type->size);
  info = grid_agree(&C->head, info);
  if (info == GrB_SUCCESS) {
    grid_cast_array(val, type, b->val, b->type, 1, b->n);
    grid_build cast = *b;
    cast.val = val;
    cast.type = type;
    info = grid_matrix_fill(C, &cast, call);
  }
  grid_free(val);
  return info;
}

GrB_Info grid_matrix_build(GrB_Matrix C, const grid_build *build, const char *call) {
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info != GrB_SUCCESS) return info;
  grid_build last_wins = *build, *b = &last_wins;
  if (b->dup == GxB_IGNORE_DUP) b->dup = NULL, b->newest_wins = true;
  if (b->n && (!b->row || !b->col))
    return grid_fail(&C->head, GrB_NULL_POINTER, "%s: an index array is NULL", call);
  info = grid_matrix_require(C, GRID_ROWS);
  if (info != GrB_SUCCESS) return info;
  if (C->nvals)
    return grid_fail(&C->head, GrB_OUTPUT_NOT_EMPTY, "%s: C holds %llu entries already", call,
                     (unsigned long long)C->nvals);
  if (b->mirror && C->nrows != C->ncols)
    return grid_fail(&C->head, GrB_INVALID_VALUE, "%s: MIRROR needs a square matrix, C is %llu x %llu", call,
                     (unsigned long long)C->nrows, (unsigned long long)C->ncols);
  if (b->type && !grid_compatible(C->type, b->type))
    return grid_fail(&C->head, GrB_DOMAIN_MISMATCH, "%s: values of type %s cannot become %s", call,
                     b->type->name, C->type->name);
  if (b->type) info = grid_check_dup(&C->head, C->type, b->dup, b->type, call);
  if (info == GrB_SUCCESS) info = fill_cast(C, b, call);
  if (info == GrB_SUCCESS) grid_dense_force(C);
  return info;
}

GrB_Info grid_matrix_make_one(GrB_Matrix A, const char *call, char **one) {
  const double one_fp = 1;
  if (A->type->code == GRID_T_UDT)
    return grid_fail(&A->head, GrB_DOMAIN_MISMATCH,
                     "%s: entries without values, but the matrix's type %s has no value 1", call,
                     A->type->name);
  *one = grid_calloc(1, A->type->size);
  if (*one) grid_cast_array(*one, A->type, &one_fp, GrB_FP64, 0, 1);
  const GrB_Info info =
      grid_agree(&A->head, *one ? GrB_SUCCESS : grid_fail_memory(&A->head, "a value", 1, A->type->size));
  if (info != GrB_SUCCESS) grid_free(*one), *one = NULL;
  return info;
}

GrB_Info grid_check_build_flags(grid_head *head, int flags, int accepted, const char *call) {
  static const char *const names[] = {"Grid_MIRROR", "Grid_NO_LOOPS", "Grid_BY_DEGREE", "Grid_DUP_MAX",
                                      "Grid_DUP_PLUS"};
  const unsigned unknown = (unsigned)flags & ~(unsigned)accepted;
  char list[128] = "";
  if (!unknown) return GrB_SUCCESS;
  for (size_t k = 0, n = 0; k < sizeof names / sizeof *names; k++)
    if (accepted & 1 << k)
      n += (size_t)snprintf(list + n, sizeof list - n, "%s%s (0x%x)", n ? ", " : "", names[k], 1U << k);
  return grid_fail(head, GrB_INVALID_VALUE, "%s: unknown flag 0x%x in the argument flags; it accepts %s",
                   call, unknown & -unknown, list);
}

static GrB_Info build_local(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, const void *values,
                            GrB_Type type, GrB_Index n, GrB_BinaryOp dup, int flags) {
  const char *call = "Grid_Matrix_build";
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  info = grid_check_matrix(C, call, "C");
  if (info != GrB_SUCCESS) return info;
  info = grid_check_build_flags(&C->head, flags, Grid_MIRROR | Grid_NO_LOOPS, call);
  if (info != GrB_SUCCESS) return info;
  /* Arrays are local: a process without tuples may pass no value array where others do. The processes agree
   * on whether there are values, and on the number of tuples. */
  uint64_t v[2] = {values ? n : 0, values ? 0 : n};
  if (values || type) info = grid_check_object(type, &C->head, call, "type");
  if (info == GrB_SUCCESS && n && (!rows || !cols))
    info = grid_fail(&C->head, GrB_NULL_POINTER, "%s: an index array is NULL", call);
  if ((info = grid_agree_sum(&C->head, info, v, 2)) != GrB_SUCCESS) return info;
  if (v[0] && v[1])
    return grid_fail(&C->head, GrB_NULL_POINTER,
                     "%s: argument values is NULL on one process with tuples, but not on another", call);
  const bool valued = v[0] || (!v[1] && type); /* no tuples anywhere: the type argument decides */
  char *one = NULL;
  if (!valued) info = grid_matrix_make_one(C, call, &one);
  if (info == GrB_SUCCESS)
    info = grid_matrix_build(C,
                             &(grid_build){.row = rows,
                                           .col = cols,
                                           .val = valued ? (values ? values : "") : NULL,
                                           .one = one,
                                           .type = valued ? type : NULL,
                                           .n = n,
                                           .total = v[0] + v[1],
                                           .dup = dup,
                                           .mirror = flags & Grid_MIRROR,
                                           .no_loops = flags & Grid_NO_LOOPS},
                             call);
  grid_free(one);
  return info;
}

GrB_Info Grid_Matrix_build(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, const void *values,
                           GrB_Type type, GrB_Index n, GrB_BinaryOp dup, int flags) {
  return GRID_TRACE_CALL("Grid_Matrix_build", build_local(C, rows, cols, values, type, n, dup, flags), C);
}

static GrB_Info build_on_all(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, const void *values,
                             GrB_Type type, GrB_Index nvals, GrB_BinaryOp dup) {
  const char *call = "GrB_Matrix_build";
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  info = grid_check_matrix(C, call, "C");
  if (info != GrB_SUCCESS) return info;
  if (!values && nvals) return grid_fail(&C->head, GrB_NULL_POINTER, "%s: argument values is NULL", call);
  if (!type && (info = grid_check_user_type(type = C->type, &C->head, call)) != GrB_SUCCESS) return info;
  return grid_matrix_build(C,
                           &(grid_build){.row = rows,
                                         .col = cols,
                                         .val = values ? values : "",
                                         .type = type,
                                         .n = nvals,
                                         .dup = dup,
                                         .is_replicated = true},
                           call);
}

#define BUILD(P, T, C_TYPE)                                                                                  \
  GrB_Info P##_Matrix_build_##T(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols,                  \
                                const C_TYPE *values, GrB_Index nvals, GrB_BinaryOp dup) {                   \
    return GRID_TRACE_CALL("GrB_Matrix_build", build_on_all(C, rows, cols, values, P##_##T, nvals, dup), C); \
  }
GRID_PREDEFINED_TYPES(BUILD)

GrB_Info GrB_Matrix_build_UDT(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, const void *values,
                              GrB_Index nvals, GrB_BinaryOp dup) {
  return GRID_TRACE_CALL("GrB_Matrix_build", build_on_all(C, rows, cols, values, NULL, nvals, dup), C);
}

static GrB_Info build_scalar(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, GrB_Scalar scalar,
                             GrB_Index n) {
  static const char call[] = "GxB_Matrix_build_Scalar";
  GrB_Info info = grid_check_matrix(C, call, "C");
  if (info != GrB_SUCCESS) return info;
  TRY(grid_check_scalar(scalar, &C->head, call, "scalar"));
  TRY(grid_check_cast(C->type, scalar->type, &C->head, call, "scalar", "C"));
  if (!scalar->present) return grid_fail(&C->head, GrB_EMPTY_OBJECT, "%s: scalar has no entry", call);
  char *one = grid_malloc(1, C->type->size);
  if (one) grid_cast_array(one, C->type, scalar->val, scalar->type, 0, 1);
  info = grid_agree(&C->head, one ? info : grid_fail_memory(NULL, "a value", 1, C->type->size));
  const grid_build b = {
      .row = rows, .col = cols, .one = one, .n = n, .newest_wins = true, .is_replicated = true};
  if (info == GrB_SUCCESS) info = grid_matrix_build(C, &b, call);
  grid_free(one);
done:
  return info;
}

GrB_Info GxB_Matrix_build_Scalar(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols,
                                 const GrB_Scalar scalar, GrB_Index nvals) {
  return GRID_TRACE_CALL("GxB_Matrix_build_Scalar", build_scalar(C, rows, cols, scalar, nvals), C, scalar);
}
