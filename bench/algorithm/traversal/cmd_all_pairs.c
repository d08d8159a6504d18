/* gridblas all-pairs. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/traversal/check_all_pairs.h"

static GrB_Info run(job *j) {
  return Grid_all_pairs(&j->matrix, j->g->A);
}

static int report_results(job *j) {
  GrB_Index pairs = 0;
  double longest = 0;
  GrB_Info info = GrB_Matrix_nvals(&pairs, j->matrix);
  if (info == GrB_SUCCESS && pairs > 0)
    info = GrB_Matrix_reduce_FP64(&longest, NULL, GrB_MAX_MONOID_FP64, j->matrix, NULL);
  report_count(j->r, "connected_pairs", pairs);
  report_number(j->r, "largest_distance", longest);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  (void)j;
  return check_all_pairs(&e->graph, e->matrix.row, e->matrix.col, e->matrix.value, e->matrix.n, text,
                         capacity);
}

const algorithm algorithm_all_pairs = {
    .command = {.name = "all-pairs",
                .example = "all-pairs GRAPH",
                .summary = "the distances between all pairs of vertices, with weights",
                .about =
                    "The lengths of the shortest paths between all pairs of vertices, with weights of 0 or "
                    "more; a vertex is at the distance 0 from itself. For small graphs: there may be as many "
                    "pairs as the square of the vertices.",
                .answer = "`vertex vertex distance` for every pair with a path, in no order",
                .accepts = OPT_CHECKPOINTS | OPT_DIRECTED | OPT_ANSWER | OPT_WEIGHTS,
                .work = WORK_PRODUCTS},
    .entry = "distance",
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "the distances are those of serial searches",
};
