/* See spectrum_command.h. */
#include "bench/algorithm/linear_algebra/spectrum_command.h"

#include <inttypes.h>
#include <stdlib.h>

int64_t spectrum_count(const job *j, uint64_t most) {
  const uint64_t k = (uint64_t)j->o->k;
  return (int64_t)(k < most ? k : most);
}

GrB_Info spectrum_take(job *j, GrB_Vector *values, GrB_Info info) {
  GrB_Index k;
  if (info == GrB_SUCCESS) info = GrB_Vector_size(&k, *values);
  if (info != GrB_SUCCESS) return info;
  j->count[1] = k;
  j->series = malloc(k * sizeof *j->series);
  info = Grid_agree(j->series == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the values");
  if (info == GrB_SUCCESS && gather_fp64(j->series, *values, k) != STATUS_OK) info = GrB_PANIC;
  GrB_Vector_free(values);
  return info;
}

int spectrum_report(job *j, const char *name) {
  char key[48];
  report_count(j->r, "iterations", j->count[0]);
  report_number(j->r, "residual", j->number[0]);
  report_flag(j->r, "converged", j->number[0] <= j->o->tolerance);
  for (uint64_t c = 0; c < j->count[1]; c++) {
    snprintf(key, sizeof key, "%s_%" PRIu64, name, c + 1);
    report_number(j->r, key, j->series[c]);
  }
  return STATUS_OK;
}

const char *spectrum_check(const job *j, const gathered_answer *e, const triples *V, const triples *U,
                           char *text, size_t capacity) {
  const uint64_t k = j->count[1], columns = j->g->ncols;
  double *vectors = triples_dense(V, columns, k), *left = U == NULL ? NULL : triples_dense(U, j->g->n, k);
  const check_pairs is = {.columns = columns,
                          .k = k,
                          .value = j->series,
                          .vectors = vectors,
                          .left = left,
                          .residual = j->number[0],
                          .all = j->count[0] >= columns};
  const char *why = vectors == NULL || (U != NULL && left == NULL)
                        ? check_no_memory
                        : check_eigenpairs(&e->graph, &is, text, capacity);
  free(vectors), free(left);
  return why;
}
