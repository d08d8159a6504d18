/* gridblas sssp-many. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/traversal/check_all_pairs.h"

static GrB_Info run(job *j) {
  return Grid_shortest_paths_many(&j->matrix, j->g->A, j->source, j->nsources);
}

static int report_results(job *j) {
  GrB_Index reached = 0;
  double longest = 0;
  GrB_Info info = GrB_Matrix_nvals(&reached, j->matrix);
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_reduce_FP64(&longest, NULL, GrB_MAX_MONOID_FP64, j->matrix, NULL);
  report_count(j->r, "reached_by_all_together", reached);
  report_number(j->r, "largest_distance", longest);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_paths_many(&e->graph, j->source, j->nsources, e->matrix.col, e->matrix.row, e->matrix.value,
                          e->matrix.n, text, capacity);
}

const algorithm algorithm_sssp_many = {
    .command =
        {.name = "sssp-many",
         .example = "sssp-many GRAPH --samples N",
         .summary = "shortest paths from many vertices at once, with weights",
         .about = "The lengths of the shortest paths from many vertices at once, with weights of 0 or more: "
                  "the distances of the vertices that each source (--sources or --samples) reaches.",
         .answer = "`source vertex distance` for every vertex that a source reaches, in no order",
         .accepts = OPT_CHECKPOINTS | OPT_DIRECTED | OPT_ANSWER | OPT_WEIGHTS | OPT_SOURCES | NEEDS_SOURCES,
         .work = WORK_PRODUCTS},
    .sources_are_columns = true,
    .entry = "distance",
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "the distances are those of serial searches",
};
