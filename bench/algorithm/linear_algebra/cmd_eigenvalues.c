/* gridblas eigenvalues. The answer's matrix: the vectors. */
#include "bench/algorithm/linear_algebra/spectrum_command.h"

static GrB_Info run(job *j) {
  const options *o = j->o;
  GrB_Vector values = NULL;
  const GrB_Info info = Grid_lanczos(&values, &j->matrix, &j->count[0], &j->number[0], j->g->A,
                                     spectrum_count(j, j->g->ncols), o->tolerance, o->iterations, o->seed);
  return spectrum_take(j, &values, info);
}

static int report_results(job *j) {
  return spectrum_report(j, "eigenvalue");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return spectrum_check(j, e, &e->matrix, NULL, text, capacity);
}

static int write(output *out, const job *j) {
  return answer_write_rows(out, NULL, j->matrix, j->g);
}

const algorithm algorithm_eigenvalues = {
    .command = {.name = "eigenvalues",
                .example = "eigenvalues GRAPH",
                .summary = "the largest eigenvalues of a symmetric matrix, and their vectors",
                .about =
                    "The largest eigenvalues of a symmetric matrix, and their vectors, by Lanczos' method. "
                    "Edges count in both directions, loops are entries of the diagonal. An eigenvalue that "
                    "occurs several times may be found less often where --iterations, or the tolerance, end "
                    "before all rows are done.",
                .answer = "`vertex number ...` for every vertex, a number for each eigenvalue",
                .accepts = SPECTRUM_OPTIONS | OPT_LOOPS,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .write = write,
    .checked = "the vectors are orthonormal, and their residuals are those of a serial computation",
};
