/* gridblas square-clustering. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/structure/check_square_clustering.h"

static GrB_Info run(job *j) {
  return Grid_square_clustering(answer_vector(j, 0, "coefficient", false), j->g->A);
}

static int report_results(job *j) {
  return report_mean(j, "mean_coefficient");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  (void)j;
  return check_square_clustering(&e->graph, e->value[0], text, capacity);
}

const algorithm algorithm_square_clustering = {
    .command = {.name = "square-clustering",
                .example = "square-clustering GRAPH",
                .summary = "clustering by squares: of the possible ones, the share that exist",
                .about =
                    "Square clustering coefficients: of the cycles of four vertices that the neighbours of a "
                    "vertex could form, the share that exist. Edges count in both directions, and once.",
                .answer = "`vertex coefficient` for every vertex",
                .accepts = OPT_CHECKPOINTS | OPT_ANSWER,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "coefficients are those of a serial computation",
};
