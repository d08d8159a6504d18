/* gridblas power-iteration. count[0]: iterations; number[0]: the value; number[1]: the residual. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/linear_algebra/check_power_iteration.h"

static GrB_Info run(job *j) {
  const options *o = j->o;
  return Grid_power_iteration(&j->number[0], answer_vector(j, 0, "part", false), &j->count[0], &j->number[1],
                              j->g->A, NULL, o->tolerance, o->iterations, o->seed);
}

static int report_results(job *j) {
  report_count(j->r, "iterations", j->count[0]);
  report_number(j->r, "residual", j->number[1]);
  report_flag(j->r, "converged", j->number[1] <= j->o->tolerance);
  report_number(j->r, "eigenvalue", j->number[0]);
  return STATUS_OK;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_power_iteration(&e->graph, j->number[0], e->value[0], j->number[1], text, capacity);
}

const algorithm algorithm_power_iteration = {
    .command = {.name = "power-iteration",
                .example = "power-iteration GRAPH",
                .summary = "the eigenvalue of largest absolute value of any square matrix, and its vector",
                .about =
                    "The eigenvalue of largest absolute value of a square matrix, symmetric or not, and its "
                    "vector, by power iteration. An edge is an entry in the row of its first end and the "
                    "column of its second one; loops are entries of the diagonal. Where several eigenvalues "
                    "are equally large, as in bipartite graphs, it does not converge.",
                .answer = "`vertex number` for every vertex: the vector",
                .accepts = OPT_CHECKPOINTS | OPT_ANSWER | OPT_DIRECTED | OPT_ONES | OPT_LOOPS | OPT_RESIDUAL |
                           OPT_ITERATIONS | OPT_SEED,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "the vector has norm 1, and value and residual are those of a serial computation",
};
