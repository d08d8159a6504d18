/* gridblas lcc. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/structure/check_lcc.h"

static GrB_Info run(job *j) {
  return Grid_lcc(answer_vector(j, 0, "coefficient", false), j->g->A);
}

static int report_results(job *j) {
  return report_mean(j, "mean_coefficient");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  (void)j;
  return check_lcc(&e->graph, e->value[0], text, capacity);
}

const algorithm algorithm_lcc = {
    .command = {.name = "lcc",
                .example = "lcc GRAPH",
                .summary = "local clustering coefficients: connected pairs of neighbours",
                .about =
                    "Local clustering coefficients: of all ordered pairs of a vertex's neighbours, the share "
                    "with an edge. In a directed graph neighbours are those of either direction.",
                .answer = "`vertex coefficient` for every vertex",
                .accepts = OPT_CHECKPOINTS | OPT_DIRECTED | OPT_ANSWER,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "coefficients are those of a serial computation",
};
