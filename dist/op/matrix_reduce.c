/* GrB_reduce of a matrix to a vector or a value (specification 4.3.10). It is its row sums, or the sum of all
 * its values, which may be the sum of the row sums. */
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/object/device_retry.h"
#include "dist/op/matrix_row_sums.h"
#include "dist/op/vector_reduce.h"
#include "semiring/support/tuning.h"
#include "spmat/lmat_ops.h"

static const char call[] = "GrB_reduce";

/* ---- to a vector --------------------------------------------------------------------------------------- */

static GrB_Info reduce_rows(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                            const GrB_Monoid op, const GrB_Matrix A, const GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_vector(w, call, "w"));
  TRY(grid_check_object(op, &w->head, call, "op"));
  TRY(grid_check_object(A, &w->head, call, "A"));
  info = grid_sum_rows(&(grid_row_sums){call, w, mask, accum, op, A, NULL, false}, desc);
done:
  return info;
}

GrB_Info GrB_Matrix_reduce_Monoid(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                  const GrB_Monoid op, const GrB_Matrix A, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL_RETRY(call, reduce_rows(w, mask, accum, op, A, desc), w, mask, A);
}

GrB_Info GrB_Matrix_reduce_BinaryOp(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                    const GrB_BinaryOp op, const GrB_Matrix A, const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  struct GrB_Monoid_opaque op_monoid;
  GrB_Monoid m = NULL;
  GrB_Info info = grid_check_vector(w, call, "w");
  if (info == GrB_SUCCESS) info = grid_monoid_of(&m, &op_monoid, op, &w->head, call);
  return info == GrB_SUCCESS ? GrB_Matrix_reduce_Monoid(w, mask, accum, m, A, desc) : info;
}

/* ---- to a value ---------------------------------------------------------------------------------------- */

static GrB_Info sum_values(void *z, bool *present, GrB_Matrix A, GrB_Monoid monoid) {
  return A->bitmap.only
             ? grid_vec_reduce(z, present, &A->bitmap.chunk, monoid->op, monoid->terminal, monoid->any)
             : grid_lmat_sum(z, present, &A->block, monoid);
}

/* A program that asks for the least weight before each search has all values read once. */
static GrB_Info sum_block(void *z, bool *present, const void *object, GrB_Monoid monoid) {
  const GrB_Matrix A = (GrB_Matrix)(uintptr_t)object;
  const GrB_BinaryOp op = monoid->op;
  const size_t size = op->z->size, most = sizeof A->cached.sums.at / sizeof *A->cached.sums.at;
  const bool retained = op->head.builtin && size <= sizeof A->cached.sums.at->sum;
  for (size_t k = 0; retained && k < most; k++)
    if (A->cached.sums.at[k].op == op) {
      *present = A->cached.sums.at[k].present;
      memcpy(z, &A->cached.sums.at[k].sum, size);
      return GrB_SUCCESS;
    }
  GrB_Info info = sum_values(z, present, A, monoid);
  if (info != GrB_SUCCESS || !retained) return info;
  const unsigned k = A->cached.sums.next++ % (unsigned)most;
  A->cached.sums.at[k].op = op;
  A->cached.sums.at[k].present = *present;
  if (*present) memcpy(&A->cached.sums.at[k].sum, z, size);
  return info;
}

/* On the device, where values alone cannot be summed (spmat/lmat_ops.h). Known alike on all processes. */
static bool is_summed_by_rows(GrB_Matrix A) {
  const grid_local_matrix *p = &A->block;
  return !grid_tune.matrix_device || (grid_ctx.P == 1 && (p->row.ids || p->col.ids));
}

static GrB_Info reduce(grid_reduce_output p, GrB_BinaryOp accum, GrB_Monoid monoid, GrB_Matrix A) {
  GrB_Vector sums = NULL;
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info == GrB_SUCCESS) info = grid_check_object(monoid, &A->head, call, "monoid");
  if (info != GrB_SUCCESS) return info;
  TRY(grid_check_cast(monoid->op->z, A->type, &A->head, call, "A", "op"));
  TRY(grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_MERGED));
  grid_reduction_input what = {&A->head, "A", A->type, sum_block, A};
  if (!A->bitmap.only &&
      (grid_is_paged(A) || A->delegates.split || (grid_is_summed_by_product(A) && is_summed_by_rows(A)))) {
    TRY(GrB_Vector_new(&sums, monoid->op->z, A->nrows));
    TRY(GrB_Matrix_reduce_Monoid(sums, NULL, NULL, monoid, A, NULL));
    what = grid_vector_reduction_input(sums);
  } else if (!A->bitmap.only) {
    TRY(grid_matrix_require(A, GRID_WHOLE));
  }
  info = grid_reduce(p, accum, monoid, &what);
done:
  GrB_Vector_free(&sums);
  return info;
}

#define DEFINE(P, T, C, TYPE)                                                                         \
  GrB_Info P##_Matrix_reduce_##T(C *x, const GrB_BinaryOp accum, const GrB_Monoid monoid,             \
                                 const GrB_Matrix A, const GrB_Descriptor desc) {                     \
    return GRID_TRACE_CALL(                                                                           \
        call, reduce((grid_reduce_output){.x = x, .type = TYPE, .desc = desc}, accum, monoid, A), A); \
  }
#define DEFINE_TYPE(P, T, C) DEFINE(P, T, C, P##_##T)
GRID_PREDEFINED_TYPES(DEFINE_TYPE)
DEFINE(GrB, UDT, void, NULL)

GrB_Info GrB_Matrix_reduce_Monoid_Scalar(GrB_Scalar x, const GrB_BinaryOp accum, const GrB_Monoid op,
                                         const GrB_Matrix A, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(
      call, reduce((grid_reduce_output){.scalar = x, .is_scalar = true, .desc = desc}, accum, op, A), x, A);
}

GrB_Info GrB_Matrix_reduce_BinaryOp_Scalar(GrB_Scalar x, const GrB_BinaryOp accum, const GrB_BinaryOp op,
                                           const GrB_Matrix A, const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  struct GrB_Monoid_opaque op_monoid;
  GrB_Monoid m = NULL;
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info == GrB_SUCCESS) info = grid_monoid_of(&m, &op_monoid, op, &A->head, call);
  if (info != GrB_SUCCESS) return info;
  return GRID_TRACE_CALL(
      call, reduce((grid_reduce_output){.scalar = x, .is_scalar = true, .desc = desc}, accum, m, A), x, A);
}
