/* gridblas bipartite-matching. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/trees_and_sets/check_matching.h"

/* The matching as a matrix. */
static GrB_Info run(job *j) {
  GrB_Vector mate = NULL;
  GrB_Info info = Grid_bipartite_matching(&mate, NULL, j->g->A);
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(&j->matrix, GrB_BOOL, j->g->n, j->g->n);
  if (info == GrB_SUCCESS) info = Grid_Matrix_indicator(j->matrix, mate);
  GrB_Vector_free(&mate);
  return info;
}

static int report_results(job *j) {
  GrB_Index edges = 0;
  const GrB_Info info = GrB_Matrix_nvals(&edges, j->matrix);
  report_count(j->r, "edges_in_the_matching", edges);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  (void)j;
  return check_matched_edges(&e->graph, e->matrix.row, e->matrix.col, e->matrix.n, false,
                             check_bipartite_matching, text, capacity);
}

const algorithm algorithm_bipartite_matching = {
    .command = {.name = "bipartite-matching",
                .example = "bipartite-matching GRAPH",
                .summary = "a maximum matching of the beginnings and ends of directed edges",
                .about = "As many edges as possible of which no two begin at one vertex or end at one. With "
                         "--directed, edges from one set of vertices to another make it a maximum matching "
                         "of the two sets: of people and tasks. Of a matrix it is the structural rank, but "
                         "that loops, its diagonal, are ignored.",
                .answer = "`vertex vertex 1` for every edge of the matching, in no order",
                .accepts = OPT_DIRECTED | OPT_ANSWER,
                .work = WORK_SEARCHES},
    .entry = "matched",
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "a serial search finds no path that makes it larger",
};
