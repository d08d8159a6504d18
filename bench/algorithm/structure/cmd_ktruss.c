/* gridblas ktruss. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/structure/check_ktruss.h"

static GrB_Info run(job *j) {
  return Grid_ktruss(&j->matrix, j->g->A, j->o->k);
}

/* Reports the edges and vertices of the truss. */
static int report_results(job *j) {
  GrB_Index entries = 0, vertices = 0;
  GrB_Vector degree = NULL;
  GrB_Info info = GrB_Matrix_nvals(&entries, j->matrix);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&degree, GrB_INT64, j->g->n);
  if (info == GrB_SUCCESS) info = Grid_Matrix_degree(degree, j->matrix, false);
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&vertices, degree);
  report_count(j->r, "k", (uint64_t)j->o->k);
  report_count(j->r, "edges_in_the_truss", entries / 2);
  report_count(j->r, "vertices_in_the_truss", vertices);
  GrB_Vector_free(&degree);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_ktruss(&e->graph, (uint64_t)j->o->k, e->matrix.row, e->matrix.col, e->matrix.value,
                      e->matrix.n, text, capacity);
}

const algorithm algorithm_ktruss = {
    .command = {.name = "ktruss",
                .example = "ktruss GRAPH --k K",
                .summary = "the k-truss: a subgraph whose edges are in K - 2 triangles",
                .about =
                    "The k-truss: the largest part of the graph whose edges all have K - 2 triangles or more "
                    "in it. Edges count in both directions, and once.",
                .answer = "`vertex vertex triangles` for every edge of the truss, in both directions, in no "
                          "order",
                .accepts = OPT_CHECKPOINTS | OPT_ANSWER | OPT_K,
                .work = WORK_PRODUCTS},
    .entry = "triangles",
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "the truss is that of a serial computation",
};
