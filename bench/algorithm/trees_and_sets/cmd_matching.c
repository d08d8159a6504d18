/* gridblas matching. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/trees_and_sets/check_matching.h"

/* The matching as a matrix: the weight of each of its edges, once. */
static GrB_Info run(job *j) {
  GrB_Vector mate = NULL;
  GrB_Info info = Grid_matching(&mate, j->g->A, j->o->seed);
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(&j->matrix, GrB_FP64, j->g->n, j->g->n);
  if (info == GrB_SUCCESS) info = Grid_Matrix_indicator(j->matrix, mate);
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_select_INT64(j->matrix, NULL, NULL, GrB_TRIU, j->matrix, 1, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_eWiseMult_BinaryOp(j->matrix, NULL, NULL, GrB_SECOND_FP64, j->matrix, j->g->A, NULL);
  GrB_Vector_free(&mate);
  return info;
}

static int report_results(job *j) {
  GrB_Index edges = 0;
  double weight = 0;
  GrB_Info info = GrB_Matrix_nvals(&edges, j->matrix);
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_reduce_FP64(&weight, NULL, GrB_PLUS_MONOID_FP64, j->matrix, NULL);
  report_count(j->r, "edges_in_the_matching", edges);
  report_number(j->r, "weight", weight);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  (void)j;
  return check_matched_edges(&e->graph, e->matrix.row, e->matrix.col, e->matrix.n, true, check_matching, text,
                             capacity);
}

const algorithm algorithm_matching = {
    .command = {.name = "matching",
                .example = "matching GRAPH",
                .summary = "a maximal matching of heavy edges: at least half of the largest weight",
                .about =
                    "A matching: edges of which no two have a common vertex. Each is the heaviest at both "
                    "its ends among the edges that remain when it is taken, so that no edge can be "
                    "added, and the weight is at least half of the largest possible. Edges count both "
                    "ways. Which of several edges of one weight is taken depends on --seed, and not on "
                    "the number of processes.",
                .answer = "`vertex vertex weight` for every edge of the matching, once, in no order",
                .accepts = OPT_ANSWER | OPT_WEIGHTS | OPT_SEED,
                .work = WORK_PRODUCTS},
    .entry = "weight",
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "every edge outside has one at an end that is as heavy",
};
