/* gridblas msf. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/trees_and_sets/check_msf.h"

static GrB_Info run(job *j) {
  return Grid_msf(&j->matrix, j->g->A);
}

/* Reports the edges and the weight of the forest. Each edge reduces the number of trees by one. */
static int report_results(job *j) {
  GrB_Index edges = 0;
  double weight = 0;
  GrB_Info info = GrB_Matrix_nvals(&edges, j->matrix);
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_reduce_FP64(&weight, NULL, GrB_PLUS_MONOID_FP64, j->matrix, NULL);
  report_count(j->r, "edges_in_the_forest", edges);
  report_count(j->r, "trees", j->g->n - edges);
  report_number(j->r, "weight", weight);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  (void)j;
  return check_msf(&e->graph, e->matrix.row, e->matrix.col, e->matrix.value, e->matrix.n, text, capacity);
}

const algorithm algorithm_msf = {
    .command = {.name = "msf",
                .example = "msf GRAPH",
                .summary = "a minimum spanning forest: a tree of least weight for each component",
                .about =
                    "A minimum spanning forest: the edges of least total weight that connect each component. "
                    "Edges count in both directions. Edges of equal weight are ordered by their vertices, so "
                    "that the forest is unique.",
                .answer = "`vertex vertex weight` for every edge of the forest, once, in no order",
                .accepts = OPT_ANSWER | OPT_WEIGHTS,
                .work = WORK_PRODUCTS},
    .entry = "weight",
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "the forest is that of a serial computation",
};
