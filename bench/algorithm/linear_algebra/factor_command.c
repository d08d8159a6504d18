/* See factor_command.h. */
#include "bench/algorithm/linear_algebra/factor_command.h"

#include <math.h>
#include <stdlib.h>

GrB_Info factor_errors(job *j) {
  j->series = malloc((j->o->iterations + 1) * sizeof *j->series);
  return Grid_agree(j->series == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the errors");
}

int factor_report(job *j) {
  char key[48];
  report_count(j->r, "factors", j->o->factors);
  for (uint64_t t = 0; t <= j->o->iterations; t++) {
    snprintf(key, sizeof key, "error_after_%llu", (unsigned long long)t);
    report_number(j->r, key, j->series[t]);
  }
  report_series(j->r, "root mean square error", "iteration", j->series, j->o->iterations + 1);
  return STATUS_OK;
}

int factor_write(output *out, const job *j) {
  const int status = answer_write_rows(out, "row", j->matrix, j->g);
  return status == STATUS_OK ? answer_write_rows(out, "column", j->second, j->g) : status;
}

static double *dense(const triples *t, uint64_t n, uint64_t k) {
  double *F = malloc((n * k + 1) * sizeof *F);
  for (uint64_t i = 0; F != NULL && i < n * k; i++) F[i] = (double)NAN;
  for (uint64_t e = 0; F != NULL && e < t->n; e++) F[t->row[e] * k + t->col[e]] = t->value[e];
  return F;
}

dense_factors factor_arrays(const job *j, const gathered_answer *e) {
  const uint64_t k = j->o->factors;
  return (dense_factors){dense(&e->matrix, j->g->n, k), dense(&e->second, j->g->ncols, k)};
}
