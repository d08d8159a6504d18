/* gridblas diameter. count[0]: the bound. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/traversal/check_diameter.h"

static GrB_Info run(job *j) {
  int64_t diameter = 0;
  const GrB_Info info = Grid_diameter(&diameter, answer_vector(j, 0, "level", false), j->g->A, j->source[0]);
  j->count[0] = (uint64_t)diameter;
  return info;
}

/* The smallest vertex at a level, by its name in the graph's file, into the report. */
static int report_vertex_at(job *j, const char *label, int64_t level) {
  int64_t vertex = 0;
  uint64_t name = 0;
  GrB_Vector at = NULL;
  GrB_Info info = GrB_Vector_new(&at, GrB_INT64, j->g->n);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_select_INT64(at, NULL, NULL, GrB_VALUEEQ_INT64, j->answer[0].v, level, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_apply_IndexOp_INT64(at, NULL, NULL, GrB_ROWINDEX_INT64, at, 0, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_reduce_INT64(&vertex, NULL, GrB_MIN_MONOID_INT64, at, NULL);
  GrB_Vector_free(&at);
  if (info != GrB_SUCCESS) return fail_library("measuring the answer");
  const int status = graph_name(&name, j->g, (uint64_t)vertex);
  report_count(j->r, label, name);
  return status;
}

static int report_results(job *j) {
  report_count(j->r, "diameter_at_least", j->count[0]);
  const int status = report_vertex_at(j, "from", 0);
  return status == STATUS_OK ? report_vertex_at(j, "to", (int64_t)j->count[0]) : status;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_diameter(&e->graph, j->source[0], e->value[0], (int64_t)j->count[0], text, capacity);
}

const algorithm algorithm_diameter = {
    .command =
        {.name = "diameter",
         .example = "diameter GRAPH",
         .summary = "a lower bound of the diameter, and two vertices at that distance",
         .about = "A lower bound of the diameter by double sweep: searches, each from the farthest vertex of "
                  "the one before, until one reaches no farther. The first starts at --source; only its "
                  "component is searched. Edges count in both directions.",
         .answer = "`vertex level` for every vertex of the component: its distance from one end",
         .needs_graph = true,
         .accepts = OPT_ANSWER | OPT_SOURCE,
         .work = WORK_SEARCHES,
         .run = algorithm_command},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "the levels are those of a serial search, and no search reaches farther",
};
