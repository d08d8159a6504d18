/* gridblas components. */
#include "bench/algorithm/label_groups.h"
#include "bench/check/components/check_components.h"

static GrB_Info run(job *j) {
  return (j->o->strong ? Grid_strong_components : Grid_components)(answer_vector(j, 0, "component", true),
                                                                   j->g->A);
}

static int report_results(job *j) {
  return groups_report(j, "component", "components");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_components(&e->graph, e->value[0], j->o->strong, text, capacity);
}

const algorithm algorithm_components = {
    .command =
        {.name = "components",
         .example = "components GRAPH",
         .summary = "connected components (of a directed graph: weak, or --strong ones)",
         .about =
             "Connected components: each vertex gets the smallest vertex that it is connected with. "
             "Edges connect in both directions. With --strong a component has the vertices that reach each "
             "other along directed edges.",
         .answer = "`vertex component` for every vertex",
         .accepts = OPT_CHECKPOINTS | OPT_DIRECTED | OPT_ANSWER | OPT_STRONG,
         .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "components are those of a serial computation",
};
