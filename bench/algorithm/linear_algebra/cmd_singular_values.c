/* gridblas singular-values. The answer's matrices: the left and the right vectors. */
#include "bench/algorithm/linear_algebra/factor_command.h"
#include "bench/algorithm/linear_algebra/spectrum_command.h"

static GrB_Info run(job *j) {
  const options *o = j->o;
  GrB_Vector values = NULL;
  const GrB_Info info =
      Grid_singular_values(&values, &j->matrix, &j->second, &j->count[0], &j->number[0], j->g->A,
                           spectrum_count(j, j->g->ncols), o->tolerance, o->iterations, o->seed);
  return spectrum_take(j, &values, info);
}

static int report_results(job *j) {
  return spectrum_report(j, "singular_value");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return spectrum_check(j, e, &e->second, &e->matrix, text, capacity);
}

const algorithm algorithm_singular_values = {
    .command = {.name = "singular-values",
                .example = "singular-values GRAPH",
                .summary = "the largest singular values of a matrix of any shape, and their vectors",
                .about =
                    "The largest singular values of a matrix of any shape, and their left and right vectors "
                    "(truncated SVD), by Lanczos' method. An edge is an entry in the row of its first end "
                    "and the column of its second one; loops count.",
                .answer =
                    "`row|column vertex number ...`, a number for each value: the left and right vectors",
                .accepts = SPECTRUM_OPTIONS | OPT_MATRIX,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .write = factor_write,
    .checked = "the vectors are orthonormal, and their residuals are those of a serial computation",
};
