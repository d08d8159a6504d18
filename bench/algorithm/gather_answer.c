/* The answer of an algorithm as arrays of one process. */
#include "bench/algorithm/gather_answer.h"

#include <stdlib.h>

void gathered_answer_free(gathered_answer *e) {
  free(e->graph.from), free(e->graph.to), free(e->graph.weight);
  for (int k = 0; k < MOST_COLUMNS; k++) free(e->value[k]);
  free(e->matrix.row), free(e->matrix.col), free(e->matrix.value);
  free(e->second.row), free(e->second.col), free(e->second.value);
}

/* One after another on every process. */
int gather_answer_vectors(gathered_answer *e, const job *j) {
  const uint64_t n = j->g->n;
  GrB_Vector wide = NULL;
  int status = STATUS_OK;
  for (int k = 0; status == STATUS_OK && k < j->columns; k++) {
    GrB_Info info = GrB_Vector_new(&wide, GrB_FP64, n);
    if (info == GrB_SUCCESS)
      info = GrB_Vector_apply(wide, NULL, NULL, GrB_IDENTITY_FP64, j->answer[k].v, NULL);
    e->value[k] = malloc(n * sizeof *e->value[k]);
    info = Grid_agree(info == GrB_SUCCESS && e->value[k] == NULL ? GrB_OUT_OF_MEMORY : info,
                      "no memory for the whole answer");
    status = info == GrB_SUCCESS ? gather_fp64(e->value[k], wide, n) : fail_library("gathering the answer");
    GrB_Vector_free(&wide);
    if (Grid_rank() != 0) {
      free(e->value[k]);
      e->value[k] = NULL;
    }
  }
  return status;
}

/* GrB_Matrix_extractTuples gives all entries to every process. */
int gather_answer_matrix(triples *e, GrB_Matrix A) {
  GrB_Matrix wide = NULL;
  GrB_Index n = 0, nrows = 0, ncols = 0;
  GrB_Info info = GrB_Matrix_nvals(&n, A);
  if (info == GrB_SUCCESS) info = GrB_Matrix_nrows(&nrows, A);
  if (info == GrB_SUCCESS) info = GrB_Matrix_ncols(&ncols, A);
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(&wide, GrB_FP64, nrows, ncols);
  if (info == GrB_SUCCESS) info = GrB_Matrix_apply(wide, NULL, NULL, GrB_IDENTITY_FP64, A, NULL);
  e->row = malloc((n + 1) * sizeof *e->row);
  e->col = malloc((n + 1) * sizeof *e->col);
  e->value = malloc((n + 1) * sizeof *e->value);
  const bool allocated = e->row != NULL && e->col != NULL && e->value != NULL;
  info = Grid_agree(info == GrB_SUCCESS && !allocated ? GrB_OUT_OF_MEMORY : info,
                    "no memory for the whole answer");
  if (info == GrB_SUCCESS) info = GrB_Matrix_extractTuples_FP64(e->row, e->col, e->value, &n, wide);
  e->n = n;
  GrB_Matrix_free(&wide);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("gathering the answer");
}
