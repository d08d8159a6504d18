/* gridblas topological-order. count[0]: the graph has no cycle. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/traversal/check_topological_order.h"

static GrB_Info run(job *j) {
  bool acyclic = false;
  const GrB_Info info = Grid_topological_order(NULL, answer_vector(j, 0, "level", false), &acyclic, j->g->A);
  j->count[0] = acyclic;
  return info;
}

static int report_results(job *j) {
  int64_t deepest = -1;
  GrB_Index ordered = 0;
  GrB_Info info = GrB_Vector_nvals(&ordered, j->answer[0].v);
  if (info == GrB_SUCCESS && ordered > 0)
    info = GrB_Vector_reduce_INT64(&deepest, NULL, GrB_MAX_MONOID_INT64, j->answer[0].v, NULL);
  report_flag(j->r, "acyclic", j->count[0] == 1);
  report_count(j->r, "ordered_vertices", ordered);
  report_count(j->r, "levels", (uint64_t)(deepest + 1));
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_topological_order(&e->graph, e->value[0], j->count[0] == 1, text, capacity);
}

const algorithm algorithm_topological_order = {
    .command =
        {.name = "topological-order",
         .example = "topological-order GRAPH",
         .summary = "levels of a directed graph without cycles: its longest paths",
         .about = "The number of edges on a longest path to each vertex of a directed graph without cycles. "
                  "By these levels every edge leads upwards, so they are a topological order. Vertices on a "
                  "cycle, or behind one, have no level. Use --directed: an edge in both directions is a "
                  "cycle.",
         .answer = "`vertex level` for every vertex that is not on a cycle, or behind one",
         .accepts = OPT_DIRECTED | OPT_ANSWER,
         .work = WORK_SEARCHES},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "the levels are those of a serial computation",
};
