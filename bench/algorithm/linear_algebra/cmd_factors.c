/* gridblas factors. The answer's matrices: the factors of the rows and of the columns; series: the errors. */
#include <math.h>
#include <stdlib.h>

#include "bench/algorithm/algorithm.h"
#include "bench/check/linear_algebra/check_factors.h"

static GrB_Info run(job *j) {
  const options *o = j->o;
  j->series = malloc((o->iterations + 1) * sizeof *j->series);
  const GrB_Info info =
      Grid_agree(j->series == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the errors");
  if (info != GrB_SUCCESS) return info;
  return Grid_factors(&j->matrix, &j->second, j->series, j->g->A, o->factors, o->rate, o->lambda,
                      o->iterations, o->seed);
}

static int report_results(job *j) {
  char key[48];
  report_count(j->r, "factors", j->o->factors);
  for (uint64_t t = 0; t <= j->o->iterations; t++) {
    snprintf(key, sizeof key, "error_after_%llu", (unsigned long long)t);
    report_number(j->r, key, j->series[t]);
  }
  report_series(j->r, "root mean square error", "iteration", j->series, j->o->iterations + 1);
  return STATUS_OK;
}

/* As a dense array by rows, NaN where there is no entry; NULL: out of memory. */
static double *dense(const triples *t, uint64_t n, uint64_t k) {
  double *F = malloc((n * k + 1) * sizeof *F);
  for (uint64_t i = 0; F != NULL && i < n * k; i++) F[i] = (double)NAN;
  for (uint64_t e = 0; F != NULL && e < t->n; e++) F[t->row[e] * k + t->col[e]] = t->value[e];
  return F;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  const options *o = j->o;
  const check_factors_job is = {.columns = j->g->ncols,
                                .k = o->factors,
                                .rate = o->rate,
                                .lambda = o->lambda,
                                .iterations = o->iterations,
                                .seed = o->seed,
                                .allowed = 1e-7};
  double *P = dense(&e->matrix, j->g->n, o->factors), *Q = dense(&e->second, j->g->ncols, o->factors);
  const char *why = P == NULL || Q == NULL ? check_no_memory
                                           : check_factors(&e->graph, &is, P, Q, j->series, text, capacity);
  free(P), free(Q);
  return why;
}

static int write(output *out, const job *j) {
  const int status = answer_write_rows(out, "row", j->matrix, j->g);
  return status == STATUS_OK ? answer_write_rows(out, "column", j->second, j->g) : status;
}

const algorithm algorithm_factors = {
    .command = {.name = "factors",
                .example = "factors RATINGS",
                .summary = "collaborative filtering: factors of a matrix of ratings",
                .about =
                    "Collaborative filtering: a vector of factors for each row (a user) and each column (an "
                    "item), whose dot products approximate the ratings. By gradient descent; the error is "
                    "printed after each iteration. The matrix need not be square; in an edge list the first "
                    "end of an edge is the user, the second the item, and their ids are independent.",
                .answer = "`row|column vertex factor ...` for every row and column",
                .needs_graph = true,
                .accepts = OPT_CHECKPOINTS | OPT_ANSWER | OPT_WEIGHTS | OPT_FACTORS | OPT_RATE |
                           OPT_ITERATIONS | OPT_SEED,
                .work = WORK_PRODUCTS,
                .run = algorithm_command},
    .run = run,
    .report_results = report_results,
    .check = check,
    .write = write,
    .checked = "factors and errors are those of a serial computation",
};
