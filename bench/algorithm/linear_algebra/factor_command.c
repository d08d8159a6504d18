/* See factor_command.h. */
#include "bench/algorithm/linear_algebra/factor_command.h"

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

dense_factors factor_arrays(const job *j, const gathered_answer *e) {
  const uint64_t k = j->o->factors;
  return (dense_factors){triples_dense(&e->matrix, j->g->n, k), triples_dense(&e->second, j->g->ncols, k)};
}
