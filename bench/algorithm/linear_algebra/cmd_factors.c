/* gridblas factors. */
#include <stdlib.h>

#include "bench/algorithm/linear_algebra/factor_command.h"
#include "bench/check/linear_algebra/check_factors.h"

static GrB_Info run(job *j) {
  const options *o = j->o;
  const GrB_Info info = factor_errors(j);
  if (info != GrB_SUCCESS) return info;
  return Grid_factors(&j->matrix, &j->second, j->series, j->g->A, o->factors, o->rate, o->lambda,
                      o->iterations, o->seed);
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
  const dense_factors f = factor_arrays(j, e);
  const char *why = f.P == NULL || f.Q == NULL
                        ? check_no_memory
                        : check_factors(&e->graph, &is, f.P, f.Q, j->series, text, capacity);
  free(f.P), free(f.Q);
  return why;
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
                .accepts = OPT_CHECKPOINTS | OPT_ANSWER | OPT_WEIGHTS | OPT_FACTORS | OPT_RATE |
                           OPT_ITERATIONS | OPT_SEED,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = factor_report,
    .check = check,
    .write = factor_write,
    .checked = "factors and errors are those of a serial computation",
};
