/* gridblas kcore. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/structure/check_kcore.h"

static GrB_Info run(job *j) {
  return Grid_kcore(answer_vector(j, 0, "core", false), j->g->A);
}

/* Reports the largest core number, and how many vertices have it. */
static int report_results(job *j) {
  int64_t most = 0;
  GrB_Index count = 0;
  GrB_Vector innermost = NULL;
  GrB_Info info = GrB_Vector_reduce_INT64(&most, NULL, GrB_MAX_MONOID_INT64, j->answer[0].v, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&innermost, GrB_INT64, j->g->n);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_select_INT64(innermost, NULL, NULL, GrB_VALUEEQ_INT64, j->answer[0].v, most, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&count, innermost);
  report_count(j->r, "largest_core_number", (uint64_t)most);
  report_count(j->r, "vertices_in_that_core", count);
  GrB_Vector_free(&innermost);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  (void)j;
  return check_kcore(&e->graph, e->value[0], text, capacity);
}

const algorithm algorithm_kcore = {
    .command = {.name = "kcore",
                .example = "kcore GRAPH",
                .summary = "core numbers (k-core decomposition)",
                .about =
                    "Core numbers: the largest k such that a vertex is in a part of the graph whose vertices "
                    "all have k neighbours there. Edges count in both directions, and once.",
                .answer = "`vertex core` for every vertex",
                .accepts = OPT_CHECKPOINTS | OPT_ANSWER,
                .work = WORK_SEARCHES},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "core numbers are those of a serial computation",
};
