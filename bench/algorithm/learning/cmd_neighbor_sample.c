/* gridblas neighbor-sample. The answer's matrix: the edges drawn; its vector: the hops. */
#include <stdlib.h>

#include "bench/algorithm/algorithm.h"
#include "bench/check/learning/check_neighbor_sample.h"

static GrB_Info run(job *j) {
  const options *o = j->o;
  return Grid_neighbor_sample(&j->matrix, answer_vector(j, 0, "hop", false), j->g->A, j->source, j->nsources,
                              o->fanouts, o->nfanouts, o->seed);
}

static int report_results(job *j) {
  GrB_Index vertices = 0, edges = 0;
  GrB_Info info = GrB_Vector_nvals(&vertices, j->answer[0].v);
  if (info == GrB_SUCCESS) info = GrB_Matrix_nvals(&edges, j->matrix);
  report_count(j->r, "vertices_in_sample", vertices);
  report_count(j->r, "edges_in_sample", edges);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  const check_sample s = {.sources = j->source,
                          .nsources = j->nsources,
                          .fanouts = j->o->fanouts,
                          .nfanouts = j->o->nfanouts,
                          .row = e->matrix.row,
                          .col = e->matrix.col,
                          .value = e->matrix.value,
                          .hop = e->value[0],
                          .n = e->matrix.n};
  return check_neighbor_sample(&e->graph, &s, text, capacity);
}

/* *hops(i,j) = the hop that drew j of row i, one more than the hop of i */
static GrB_Info find_hops(GrB_Matrix *hops, const job *j) {
  GrB_Matrix D = NULL;
  GrB_Vector next = NULL;
  GrB_Info info = GrB_Vector_new(&next, GrB_INT64, j->g->n);
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(hops, GrB_INT64, j->g->n, j->g->n);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_apply_BinaryOp2nd_INT64(next, NULL, NULL, GrB_PLUS_INT64, j->answer[0].v, 1, NULL);
  if (info == GrB_SUCCESS) info = GrB_Matrix_diag(&D, next, 0);
  if (info == GrB_SUCCESS)
    info = GrB_mxm(*hops, NULL, NULL, GrB_MIN_FIRST_SEMIRING_INT64, D, j->matrix, NULL);
  GrB_Matrix_free(&D);
  GrB_Vector_free(&next);
  return info;
}

static int write(output *out, const job *j) {
  GrB_Matrix hops = NULL;
  const GrB_Info info = find_hops(&hops, j);
  const int status =
      info == GrB_SUCCESS ? answer_write_matrix(out, hops, NULL, j->g) : fail_library("writing the answer");
  GrB_Matrix_free(&hops);
  return status;
}

const algorithm algorithm_neighbor_sample = {
    .command = {.name = "neighbor-sample",
                .example = "neighbor-sample GRAPH --samples N",
                .summary = "random neighbors of vertices, and of these: a mini-batch",
                .about =
                    "A mini-batch for a graph neural network: random neighbors of the sources (--sources or "
                    "--samples), of these neighbors, and so on, in each hop at most as many of a vertex as "
                    "--fanouts says. A vertex's neighbors are drawn once. The sample depends on --seed, and "
                    "not on the number of processes.",
                .answer = "`vertex neighbor hop` for every edge drawn, in no order",
                .accepts = OPT_DIRECTED | OPT_ANSWER | OPT_SOURCES | NEEDS_SOURCES | OPT_FANOUTS,
                .work = WORK_SEARCHES},
    .run = run,
    .report_results = report_results,
    .check = check,
    .write = write,
    .checked = "all edges drawn are edges, as many as the fan-outs allow, and hops are right",
};
