/* gridblas transitive-closure. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/traversal/check_transitive_closure.h"

static GrB_Info run(job *j) {
  return Grid_transitive_closure(&j->matrix, j->g->A);
}

static int report_results(job *j) {
  GrB_Index pairs = 0;
  const GrB_Info info = GrB_Matrix_nvals(&pairs, j->matrix);
  report_count(j->r, "connected_pairs", pairs);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  (void)j;
  return check_transitive_closure(&e->graph, e->matrix.row, e->matrix.col, e->matrix.n, text, capacity);
}

const algorithm algorithm_transitive_closure = {
    .command = {.name = "transitive-closure",
                .example = "transitive-closure GRAPH",
                .summary = "the pairs of vertices that a path leads from and to",
                .about =
                    "The transitive closure: the pairs of vertices with a path of one edge or more from "
                    "the first to the second. For small graphs: there may be as many pairs as the square "
                    "of the vertices.",
                .answer = "`vertex vertex 1` for every pair, in no order",
                .accepts = OPT_CHECKPOINTS | OPT_DIRECTED | OPT_ANSWER,
                .work = WORK_SEARCHES},
    .entry = "path",
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "the pairs are those of serial searches",
};
