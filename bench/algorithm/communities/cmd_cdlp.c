/* gridblas cdlp. */
#include "bench/algorithm/label_groups.h"
#include "bench/check/communities/check_cdlp.h"

static GrB_Info run(job *j) {
  return Grid_cdlp(answer_vector(j, 0, "label", true), j->g->A, j->o->iterations);
}

static int report_results(job *j) {
  return groups_report(j, "community", "communities");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_cdlp(&e->graph, j->o->iterations, e->value[0], text, capacity);
}

const algorithm algorithm_cdlp = {
    .command = {.name = "cdlp",
                .example = "cdlp GRAPH",
                .summary = "communities by label propagation",
                .about =
                    "Communities by label propagation, as LDBC Graphalytics defines CDLP: each vertex has "
                    "its own name as label, and in each iteration all take at once the label that most of "
                    "their neighbours have, of several the smallest. With --directed an edge counts for both "
                    "its ends, and two that are opposite twice.",
                .answer = "`vertex label` for every vertex",
                .accepts = OPT_CHECKPOINTS | OPT_DIRECTED | OPT_ANSWER | OPT_ITERATIONS,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "labels are those of a serial computation",
};
