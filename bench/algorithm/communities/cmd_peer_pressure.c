/* gridblas peer-pressure. count[0]: the number of iterations. */
#include "bench/algorithm/label_groups.h"
#include "bench/check/communities/check_peer_pressure.h"

static GrB_Info run(job *j) {
  return Grid_peer_pressure(answer_vector(j, 0, "cluster", true), &j->count[0], j->g->A, j->o->iterations);
}

static int report_results(job *j) {
  report_count(j->r, "iterations", j->count[0]);
  return groups_report(j, "cluster", "clusters");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_peer_pressure(&e->graph, e->value[0], j->count[0], j->o->iterations, text, capacity);
}

const algorithm algorithm_peer_pressure = {
    .command = {.name = "peer-pressure",
                .example = "peer-pressure GRAPH",
                .summary = "clusters by the votes of neighbours",
                .about =
                    "Clusters by peer pressure: each vertex begins as a cluster, and in each iteration votes "
                    "for its neighbours and itself to be in its cluster, its vote divided among them; every "
                    "vertex joins the cluster with most votes, of several the smallest.",
                .answer = "`vertex cluster` for every vertex",
                .accepts = OPT_CHECKPOINTS | OPT_DIRECTED | OPT_ANSWER | OPT_ITERATIONS,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "clusters are those of a serial computation",
};
