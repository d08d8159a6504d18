/* gridblas components. */
#include <stdlib.h>

#include "bench/algorithm/algorithm.h"
#include "bench/check/components.h"

static GrB_Info run(job *j) {
  GrB_Vector component = NULL;
  const GrB_Info info =
      j->o->strong ? Grid_strong_components(&component, j->g->A) : Grid_components(&component, j->g->A);
  j->answer[0] = (column){"component", true, component};
  j->columns = 1;
  return info;
}

/* How many there are, and how many vertices the largest has. */
static int tell(job *j) {
  GrB_Vector size = NULL, own = NULL;
  uint64_t n = j->g->n, count = 0, alone = 0;
  int64_t most = 0;
  GrB_Index *label = NULL, mine;
  GrB_Info info = own_entries(NULL, (void **)&label, sizeof *label, &mine, j->answer[0].v, "no memory");
  int64_t *one = malloc((mine + 1) * sizeof *one);
  info = Grid_agree(info == GrB_SUCCESS && one == NULL ? GrB_OUT_OF_MEMORY : info, "no memory");
  for (uint64_t k = 0; info == GrB_SUCCESS && k < mine; k++) one[k] = 1;
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&size, GrB_INT64, n);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&own, GrB_INT64, n);
  if (info == GrB_SUCCESS) info = Grid_Vector_build(size, label, one, GrB_INT64, mine, GrB_PLUS_INT64);
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&count, size);
  if (info == GrB_SUCCESS) info = GrB_Vector_reduce_INT64(&most, NULL, GrB_MAX_MONOID_INT64, size, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_select_INT64(own, NULL, NULL, GrB_VALUEEQ_INT64, size, 1, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&alone, own);
  report_count(j->r, "components", count);
  report_count(j->r, "largest_component", (uint64_t)most);
  report_count(j->r, "components_of_one_vertex", alone);
  GrB_Vector_free(&size);
  GrB_Vector_free(&own);
  free(label);
  free(one);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
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
         .run = algorithm_command},
    .run = run,
    .tell = tell,
    .check = check,
    .checked = "components are those of a serial computation",
};
