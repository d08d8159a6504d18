/* gridblas louvain. number[0]: the modularity. */
#include "bench/algorithm/label_groups.h"
#include "bench/check/structure/check_communities.h"

static GrB_Info run(job *j) {
  GrB_Vector community = NULL;
  const GrB_Info info = Grid_louvain(&community, &j->number[0], j->g->A, j->o->resolution, j->o->seed);
  j->answer[0] = (column){"community", true, community};
  j->columns = 1;
  return info;
}

static int report_results(job *j) {
  report_number(j->r, "modularity", j->number[0]);
  return groups_report(j, "community", "communities");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_communities(&e->graph, e->value[0], j->number[0], j->o->resolution, 1e-6, text, capacity);
}

const algorithm algorithm_louvain = {
    .command =
        {.name = "louvain",
         .example = "louvain GRAPH",
         .summary = "communities of large modularity",
         .about = "Communities by Louvain's method: vertices move to the neighbouring community that raises "
                  "the modularity most, then each community becomes a vertex of a smaller graph, and so on "
                  "while the modularity grows. Edges count alike and in both directions. Which communities "
                  "are found depends on --seed, and not on the number of processes.",
         .answer = "`vertex community` for every vertex",
         .needs_graph = true,
         .accepts = OPT_ANSWER | OPT_SEED | OPT_RESOLUTION,
         .work = WORK_PRODUCTS,
         .run = algorithm_command},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "the modularity is that of a serial computation; joining two communities does not raise it",
};
