/* gridblas components. */
#include "bench/algorithm/groups.h"
#include "bench/check/components.h"

static GrB_Info run(job *j) {
  GrB_Vector component = NULL;
  const GrB_Info info =
      j->o->strong ? Grid_strong_components(&component, j->g->A) : Grid_components(&component, j->g->A);
  j->answer[0] = (column){"component", true, component};
  j->columns = 1;
  return info;
}

static int tell(job *j) {
  return groups_tell(j, "component", "components");
}

static const char *check(const job *j, const evidence *e, char *text, size_t room) {
  return check_components(&e->graph, e->value[0], j->o->strong, text, room);
}

const algorithm algorithm_components = {
    .command =
        {.name = "components",
         .example = "components GRAPH",
         .line = "connected components (of a directed graph: weak, or --strong ones)",
         .about =
             "Connected components: each vertex gets the smallest vertex that it is connected with. "
             "Edges connect in both directions; --strong with --directed: in theirs, and a component is of "
             "vertices that reach each other.",
         .answer = "`vertex component` for every vertex",
         .takes_graph = true,
         .takes = TAKES_DIRECTED | TAKES_ANSWER | TAKES_STRONG,
         .work = WORK_PRODUCTS,
         .run = algorithm_command},
    .run = run,
    .tell = tell,
    .check = check,
    .checked = "components are those of a serial computation",
};
