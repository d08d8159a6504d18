/* The answer of an algorithm as arrays of one process. */
#include "bench/algorithm/gather_answer.h"

#include <math.h>
#include <stdlib.h>

void gathered_answer_free(gathered_answer *e) {
  free(e->graph.from), free(e->graph.to), free(e->graph.weight);
  for (int k = 0; k < MOST_COLUMNS; k++) free(e->value[k]);
  free(e->input), free(e->group);
  free(e->matrix.row), free(e->matrix.col), free(e->matrix.value);
  free(e->second.row), free(e->second.col), free(e->second.value);
}

/* *value becomes n numbers on process 0, NULL on the others, which have them for a while, too. */
static int gather_vector(double **value, GrB_Vector v, uint64_t n) {
  GrB_Vector fp64 = NULL;
  GrB_Info info = GrB_Vector_new(&fp64, GrB_FP64, n);
  if (info == GrB_SUCCESS) info = GrB_Vector_apply(fp64, NULL, NULL, GrB_IDENTITY_FP64, v, NULL);
  *value = malloc(n * sizeof **value);
  info = Grid_agree(info == GrB_SUCCESS && *value == NULL ? GrB_OUT_OF_MEMORY : info,
                    "no memory for the whole answer");
  const int status =
      info == GrB_SUCCESS ? gather_fp64(*value, fp64, n) : fail_library("gathering the answer");
  GrB_Vector_free(&fp64);
  if (Grid_rank() != 0) {
    free(*value);
    *value = NULL;
  }
  return status;
}

int gather_answer_vectors(gathered_answer *e, const job *j) {
  int status = STATUS_OK;
  for (int k = 0; status == STATUS_OK && k < j->columns; k++)
    status = gather_vector(&e->value[k], j->answer[k].v, j->g->n);
  return status;
}

int gather_inputs(gathered_answer *e, const job *j) {
  int status = STATUS_OK;
  if (j->input != NULL) status = gather_vector(&e->input, j->input, j->g->n);
  if (status == STATUS_OK && j->groups.group != NULL)
    status = gather_vector(&e->group, j->groups.group, j->g->n);
  return status;
}

/* GrB_Matrix_extractTuples gives all entries to every process. */
int gather_answer_matrix(triples *e, GrB_Matrix A) {
  GrB_Matrix fp64 = NULL;
  GrB_Index n = 0, nrows = 0, ncols = 0;
  GrB_Info info = GrB_Matrix_nvals(&n, A);
  if (info == GrB_SUCCESS) info = GrB_Matrix_nrows(&nrows, A);
  if (info == GrB_SUCCESS) info = GrB_Matrix_ncols(&ncols, A);
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(&fp64, GrB_FP64, nrows, ncols);
  if (info == GrB_SUCCESS) info = GrB_Matrix_apply(fp64, NULL, NULL, GrB_IDENTITY_FP64, A, NULL);
  e->row = malloc((n + 1) * sizeof *e->row);
  e->col = malloc((n + 1) * sizeof *e->col);
  e->value = malloc((n + 1) * sizeof *e->value);
  const bool allocated = e->row != NULL && e->col != NULL && e->value != NULL;
  info = Grid_agree(info == GrB_SUCCESS && !allocated ? GrB_OUT_OF_MEMORY : info,
                    "no memory for the whole answer");
  if (info == GrB_SUCCESS) info = GrB_Matrix_extractTuples_FP64(e->row, e->col, e->value, &n, fp64);
  e->n = n;
  GrB_Matrix_free(&fp64);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("gathering the answer");
}

double *triples_dense(const triples *t, uint64_t nrows, uint64_t ncols) {
  double *F = malloc((nrows * ncols + 1) * sizeof *F);
  for (uint64_t i = 0; F != NULL && i < nrows * ncols; i++) F[i] = (double)NAN;
  for (uint64_t e = 0; F != NULL && e < t->n; e++) F[t->row[e] * ncols + t->col[e]] = t->value[e];
  return F;
}
