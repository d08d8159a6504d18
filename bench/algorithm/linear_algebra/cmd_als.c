/* gridblas als. */
#include <stdlib.h>

#include "bench/algorithm/linear_algebra/factor_command.h"
#include "bench/check/linear_algebra/check_als.h"

static GrB_Info run(job *j) {
  const options *o = j->o;
  const GrB_Info info = factor_errors(j);
  if (info != GrB_SUCCESS) return info;
  return Grid_als(&j->matrix, &j->second, j->series, j->g->A, o->factors, o->lambda, o->iterations, o->seed);
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  const options *o = j->o;
  const check_als_job is = {.columns = j->g->ncols, .k = o->factors, .lambda = o->lambda, .allowed = 1e-9};
  const dense_factors f = factor_arrays(j, e);
  const char *why = f.P == NULL || f.Q == NULL ? check_no_memory : NULL;
  if (why == NULL) why = check_als_error(&e->graph, &is, f.P, f.Q, j->series[o->iterations], text, capacity);
  if (why == NULL && o->iterations > 0) why = check_als_rows(&e->graph, &is, f.P, f.Q, text, capacity);
  free(f.P), free(f.Q);
  return why;
}

const algorithm algorithm_als = {
    .command = {.name = "als",
                .example = "als RATINGS",
                .summary = "collaborative filtering by alternating least squares",
                .about =
                    "Collaborative filtering by alternating least squares: a vector of factors for each row "
                    "(a user) and each column (an item), as by the command factors, which takes more and "
                    "shorter iterations. The regularization counts once for each rating of a row or column. "
                    "The error is printed after each iteration.",
                .answer = "`row|column vertex factor ...` for every row and column",
                .accepts =
                    OPT_CHECKPOINTS | OPT_ANSWER | OPT_WEIGHTS | OPT_FACTORS | OPT_ITERATIONS | OPT_SEED,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = factor_report,
    .check = check,
    .write = factor_write,
    .checked = "the errors are those of the factors, and the columns' equations hold",
};
