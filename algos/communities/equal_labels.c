/* Entries of a matrix between vertices of one label. An operator reads the labels of an entry's row and
 * column from a list, which each process has. On GPUs, and where the lists would take more memory than the
 * matrix, products bring both labels to each entry. */
#include "algos/communities/equal_labels.h"

#include <stdlib.h>

/* The operator gets the address of the list of labels as its number. */
static void has_equal_labels(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  const int64_t *const *label = y;
  (void)x;
  *(bool *)z = (*label)[i] == (*label)[j];
}

static GrB_Info select_by_list(GrB_Matrix C, GrB_Matrix A, GrB_Vector label, GrB_Index n) {
  GrB_Info info;
  GrB_IndexUnaryOp op = NULL;
  int64_t *list = malloc((n + 1) * sizeof *list);
  TRY(Grid_agree(list == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for a list of labels"));
  TRY(GrB_Vector_extractTuples_INT64(NULL, list, &n, label));
  TRY(GrB_IndexUnaryOp_new(&op, has_equal_labels, GrB_BOOL, GrB_FP64, GrB_UINT64));
  TRY(GrB_Matrix_select_UINT64(C, NULL, NULL, op, A, (uint64_t)(uintptr_t)list, NULL));
  TRY(GrB_Matrix_wait(C, GrB_COMPLETE)); /* reads the list */
out:
  GrB_IndexUnaryOp_free(&op);
  free(list);
  return info;
}

static GrB_Info select_by_products(GrB_Matrix C, GrB_Matrix A, GrB_Vector label, GrB_Index n) {
  GrB_Info info;
  GrB_Matrix D = NULL, row = NULL, column = NULL, same = NULL;
  TRY(GrB_Matrix_new(&row, GrB_INT64, n, n));
  TRY(GrB_Matrix_new(&column, GrB_INT64, n, n));
  TRY(GrB_Matrix_new(&same, GrB_BOOL, n, n));
  /* each entry is one product, so any monoid does */
  TRY(GrB_Matrix_diag(&D, label, 0));
  TRY(GrB_mxm(row, NULL, NULL, GrB_MIN_FIRST_SEMIRING_INT64, D, A, NULL));
  TRY(GrB_mxm(column, NULL, NULL, GrB_MIN_SECOND_SEMIRING_INT64, A, D, NULL));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(same, NULL, NULL, GrB_EQ_INT64, row, column, NULL));
  TRY(GrB_Matrix_assign(C, same, NULL, A, GrB_ALL, n, GrB_ALL, n, NULL));
out:
  GrB_Matrix_free(&D);
  GrB_Matrix_free(&row);
  GrB_Matrix_free(&column);
  GrB_Matrix_free(&same);
  return info;
}

GrB_Info grid_select_equal_labels(GrB_Matrix *C, GrB_Matrix A, GrB_Vector label) {
  GrB_Info info;
  GrB_Index n, entries;
  const GrB_Index processes = (GrB_Index)Grid_size();
  TRY(GrB_Matrix_nrows(&n, A));
  TRY(GrB_Matrix_nvals(&entries, A));
  TRY(GrB_Matrix_new(C, GrB_FP64, n, n));
  TRY(Grid_device() == Grid_CPU && (processes == 1 || n <= entries / processes)
          ? select_by_list(*C, A, label, n)
          : select_by_products(*C, A, label, n));
out:
  return info;
}
