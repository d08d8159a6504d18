/* GxB_Matrix_reshape and GxB_Matrix_reshapeDup: entries keep their number, counted by rows or by columns, in
 * a matrix of other dimensions; they move there in one exchange. */
#include "dist/extensions/containers/replace_object.h"
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/object/burble.h"
#include "dist/op/extensions/cast_handle.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/outofcore/operations/unite_disjoint.h"
#include "gridblas_gxb_operations.h"

typedef struct {
  const char *call;
  GrB_Matrix A;
  bool by_col;
  uint64_t nrows, ncols; /* new */
  GrB_Matrix made;       /* the result */
} reshaping;

static GrB_Info check(const reshaping *x, GrB_Descriptor desc) {
  __extension__ typedef unsigned __int128 uint128;
  const GrB_Matrix A = x->A;
  grid_desc d;
  GrB_Info info = grid_desc_get(desc, x->call, &d);
  if (info != GrB_SUCCESS) return info;
  if ((uint128)A->nrows * A->ncols != (uint128)x->nrows * x->ncols)
    return grid_fail(&A->head, GrB_DIMENSION_MISMATCH,
                     "%s: a matrix of %llu x %llu cannot become one of %llu x %llu", x->call,
                     (unsigned long long)A->nrows, (unsigned long long)A->ncols, (unsigned long long)x->nrows,
                     (unsigned long long)x->ncols);
  if ((uint128)A->nrows * A->ncols > (uint128)GrB_INDEX_MAX + 1)
    return grid_fail(&A->head, GrB_OUT_OF_MEMORY, "%s: a matrix of %llu x %llu has more than 2^60 positions",
                     x->call, (unsigned long long)A->nrows, (unsigned long long)A->ncols);
  return GrB_SUCCESS;
}

/* Without positions rows alone do not say how many columns there are. */
static bool is_same_shape(const reshaping *x) {
  return x->A->nrows == x->nrows && x->A->ncols == x->ncols;
}

static void move_tuples(const reshaping *x, grid_tuples *t) {
  const uint64_t nrows = x->A->nrows, ncols = x->A->ncols;
#pragma omp parallel for schedule(static) if (t->n > 1 << 15)
  for (uint64_t k = 0; k < t->n; k++) {
    const uint64_t number = x->by_col ? t->col[k] * nrows + t->row[k] : t->row[k] * ncols + t->col[k];
    t->row[k] = x->by_col ? number % x->nrows : number / x->ncols;
    t->col[k] = x->by_col ? number / x->nrows : number % x->ncols;
  }
}

/* *block = that of x->made on this process with the entries of A, or of a row panel of it. Collective, agreed
 * on. */
static GrB_Info move_entries(grid_local_matrix *block, const void *context, GrB_Matrix A) {
  const reshaping *x = context;
  grid_tuples t = {0};
  GrB_Info info = grid_matrix_require(A, GRID_ROWS);
  if (info != GrB_SUCCESS) return info;
  info = grid_matrix_tuples(A, &t);
  if (info == GrB_SUCCESS) move_tuples(x, &t);
  const void *one = A->block.iso ? A->block.iso_val : NULL;
  return grid_route_tuples(x->made, &t, A->type, one, info, block, x->call);
}

/* x->made = a new matrix of the new dimensions with A's entries. Collective, agreed on. */
static GrB_Info make_reshaped(reshaping *x) {
  const GrB_Matrix A = x->A;
  GrB_Matrix T = NULL;
  grid_local_matrix block = {0};
  bool out_of_core;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_exceeds_memory(&A, 1, 0, &out_of_core));
  TRY(GrB_Matrix_new(&x->made, A->type, x->nrows, x->ncols));
  if (out_of_core) {
    TRY(grid_move_panels(&T, A->type, x->made, A, move_entries, x));
    grid_matrix_replace(x->made, T);
  } else {
    TRY(move_entries(&block, x, A));
    TRY(grid_matrix_adopt(x->made, &(grid_build){0}, &block, info));
  }
done:
  GrB_Matrix_free(&T);
  if (block.type) grid_lmat_free(&block);
  return info;
}

static GrB_Info reshape(reshaping *x, GrB_Descriptor desc) {
  const GrB_Matrix C = x->A;
  GrB_Info info = grid_check_matrix(C, x->call, "C");
  if (info != GrB_SUCCESS) return info;
  TRY(check(x, desc));
  if (is_same_shape(x)) goto done;
  TRY(make_reshaped(x));
  grid_matrix_replace(C, x->made);
  grid_dense_force(C);
done:
  GrB_Matrix_free(&x->made);
  return info;
}

GrB_Info GxB_Matrix_reshape(GrB_Matrix C, bool by_col, GrB_Index nrows_new, GrB_Index ncols_new,
                            const GrB_Descriptor desc) {
  static const char call[] = "GxB_Matrix_reshape";
  return GRID_TRACE_CALL(call, reshape(&(reshaping){call, C, by_col, nrows_new, ncols_new}, desc), C);
}

static GrB_Info dup_matrix(GrB_Matrix *C, reshaping *x, GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  if (!C) return grid_fail(&x->A->head, GrB_NULL_POINTER, "%s: argument C is NULL", x->call);
  TRY(check(x, desc));
  if (is_same_shape(x)) {
    info = GrB_Matrix_dup(C, x->A);
    goto done;
  }
  TRY(make_reshaped(x));
  grid_dense_force(x->made);
  *C = x->made;
  x->made = NULL;
done:
  GrB_Matrix_free(&x->made);
  return info;
}

static GrB_Info reshape_dup(GrB_Matrix *C, reshaping x, GrB_Descriptor desc) {
  grid_cast_handle A = {0};
  GrB_Info info = grid_check_initialized(x.call);
  if (info != GrB_SUCCESS) return info;
  info = grid_cast_handle_read(&A, x.A, NULL, x.call, "A");
  x.A = A.A;
  if (info == GrB_SUCCESS) info = dup_matrix(C, &x, desc);
  grid_cast_handle_free(&A);
  return info;
}

GrB_Info GxB_Matrix_reshapeDup(GrB_Matrix *C, const GrB_Matrix A, bool by_col, GrB_Index nrows_new,
                               GrB_Index ncols_new, const GrB_Descriptor desc) {
  static const char call[] = "GxB_Matrix_reshapeDup";
  return GRID_TRACE_CALL(call, reshape_dup(C, (reshaping){call, A, by_col, nrows_new, ncols_new}, desc), A);
}
