/* gridblas louvain, gridblas leiden. number[0]: the modularity. */
#include "bench/algorithm/label_groups.h"
#include "bench/check/communities/check_communities.h"

typedef GrB_Info method(GrB_Vector *, double *, GrB_Matrix, double, uint64_t);

static GrB_Info run(job *j, method *call) {
  return call(answer_vector(j, 0, "community", true), &j->number[0], j->g->A, j->o->resolution, j->o->seed);
}

static GrB_Info run_louvain(job *j) {
  return run(j, Grid_louvain);
}

static GrB_Info run_leiden(job *j) {
  return run(j, Grid_leiden);
}

static int report_results(job *j) {
  report_number(j->r, "modularity", j->number[0]);
  return groups_report(j, "community", "communities");
}

static const char *check_louvain(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_communities(&e->graph, e->value[0], j->number[0], j->o->resolution, 1e-6, false, text,
                           capacity);
}

static const char *check_leiden(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_communities(&e->graph, e->value[0], j->number[0], j->o->resolution, 1e-6, true, text,
                           capacity);
}

const algorithm algorithm_louvain = {
    .command =
        {.name = "louvain",
         .example = "louvain GRAPH",
         .summary = "communities of large modularity",
         .about = "Communities by Louvain's method: vertices move to the neighbouring community that raises "
                  "the modularity most, then each community becomes a vertex of a smaller graph, and so on "
                  "while the modularity grows. Edges count by their weights and in both directions. Which "
                  "communities are found depends on --seed, and not on the number of processes.",
         .answer = "`vertex community` for every vertex",
         .accepts = OPT_CHECKPOINTS | OPT_ANSWER | OPT_SEED | OPT_RESOLUTION | OPT_ONES,
         .work = WORK_PRODUCTS},
    .run = run_louvain,
    .report_results = report_results,
    .check = check_louvain,
    .checked = "the modularity is that of a serial computation; joining two communities does not raise it",
};

const algorithm algorithm_leiden = {
    .command =
        {.name = "leiden",
         .example = "leiden GRAPH",
         .summary = "communities of large modularity, connected within",
         .about = "Communities by Leiden's method: as louvain, but each community is divided into connected "
                  "parts before these become vertices of the smaller graph, so that parts can move to other "
                  "communities. The vertices of a community are connected inside it. Edges count by their "
                  "weights and in both directions. Which communities are found depends on --seed, and not "
                  "on the number of processes.",
         .answer = "`vertex community` for every vertex",
         .accepts = OPT_CHECKPOINTS | OPT_ANSWER | OPT_SEED | OPT_RESOLUTION | OPT_ONES,
         .work = WORK_PRODUCTS},
    .run = run_leiden,
    .report_results = report_results,
    .check = check_leiden,
    .checked = "the modularity is that of a serial computation; communities are connected",
};
