/* gridblas markov-clustering. count[0]: the number of iterations. */
#include "bench/algorithm/label_groups.h"
#include "bench/check/communities/check_markov_clustering.h"

static GrB_Info run(job *j) {
  return Grid_markov_clustering(answer_vector(j, 0, "cluster", true), &j->count[0], j->g->A, j->o->inflation,
                                j->o->iterations);
}

static int report_results(job *j) {
  report_count(j->r, "iterations", j->count[0]);
  return groups_report(j, "cluster", "clusters");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_markov_clustering(&e->graph, e->value[0], j->count[0], j->o->inflation, j->o->iterations, text,
                                 capacity);
}

const algorithm algorithm_markov_clustering = {
    .command = {.name = "markov-clustering",
                .example = "markov-clustering GRAPH",
                .summary = "clusters that a random walk stays in",
                .about = "Clusters by Markov clustering (MCL): a random walk takes two steps at a time, its "
                         "likely steps become more likely, and unlikely ones are dropped, until it stays "
                         "within clusters. Edges count by their weights and in both directions.",
                .answer = "`vertex cluster` for every vertex",
                .accepts = OPT_CHECKPOINTS | OPT_ANSWER | OPT_ITERATIONS | OPT_INFLATION | OPT_ONES,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "clusters are those of a serial computation",
};
