/* gridblas biconnected. count: the numbers of components, of bridges, of articulation points. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/components/check_biconnected.h"

static GrB_Info run(job *j) {
  GrB_Vector articulation = NULL;
  GrB_Matrix bridge = NULL;
  GrB_Info info = Grid_biconnected(&j->matrix, &articulation, &bridge, j->g->A);
  if (info == GrB_SUCCESS) info = GrB_Matrix_nvals(&j->count[1], bridge);
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&j->count[2], articulation);
  GrB_Vector_free(&articulation);
  GrB_Matrix_free(&bridge);
  return info;
}

static int report_results(job *j) {
  GrB_Index edges = 0;
  int64_t last = -1;
  GrB_Info info = GrB_Matrix_nvals(&edges, j->matrix);
  if (info == GrB_SUCCESS && edges > 0)
    info = GrB_Matrix_reduce_INT64(&last, NULL, GrB_MAX_MONOID_INT64, j->matrix, NULL);
  j->count[0] = (uint64_t)(last + 1);
  report_count(j->r, "biconnected_components", j->count[0]);
  report_count(j->r, "bridges", j->count[1]);
  report_count(j->r, "articulation_points", j->count[2]);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  check_biconnected_counts is = {0};
  const char *why = check_biconnected(&is, NULL, &e->graph, e->matrix.row, e->matrix.col, e->matrix.value,
                                      e->matrix.n, text, capacity);
  if (why != NULL) return why;
  if (is.components == j->count[0] && is.bridges == j->count[1] && is.articulation_points == j->count[2])
    return NULL;
  return "the numbers of components, bridges or articulation points differ";
}

const algorithm algorithm_biconnected = {
    .command = {.name = "biconnected",
                .example = "biconnected GRAPH",
                .summary = "biconnected components, bridges and articulation points",
                .about = "Biconnected components: two edges are in one if a cycle has both. A bridge is a "
                         "component of one edge, an articulation point a vertex of several components; "
                         "without either the graph has more connected components. Edges count both ways.",
                .answer = "`vertex vertex component` for every edge, once, in no order",
                .accepts = OPT_ANSWER,
                .work = WORK_SEARCHES},
    .entry = "component",
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "the components are those of a serial search",
};
