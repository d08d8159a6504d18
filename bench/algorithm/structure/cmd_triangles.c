/* gridblas triangles. count[0]: their number. Those of each vertex are counted only for --out and --check. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/structure/check_triangles.h"

static GrB_Info run(job *j) {
  const bool per_vertex = j->o->check || j->o->out != NULL;
  return Grid_triangles(&j->count[0], per_vertex ? answer_vector(j, 0, "triangles", false) : NULL, j->g->A);
}

static int report_results(job *j) {
  int64_t most = 0;
  GrB_Info info = GrB_SUCCESS;
  report_count(j->r, "triangles", j->count[0]);
  if (j->columns == 0) return STATUS_OK;
  info = GrB_Vector_reduce_INT64(&most, NULL, GrB_MAX_MONOID_INT64, j->answer[0].v, NULL);
  report_count(j->r, "most_at_a_vertex", (uint64_t)most);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_triangles(&e->graph, e->value[0], j->count[0], text, capacity);
}

const algorithm algorithm_triangles = {
    .command = {.name = "triangles",
                .example = "triangles GRAPH",
                .summary = "the number of triangles, in all and at each vertex",
                .about =
                    "Triangles: how many triples of vertices are connected by three edges. Edges count in "
                    "both directions, and once. With --out or --check those of each vertex are counted, too.",
                .answer = "`vertex triangles` for every vertex",
                .accepts = OPT_CHECKPOINTS | OPT_ANSWER,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "triangles are those of a serial computation",
};
