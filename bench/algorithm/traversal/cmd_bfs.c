/* gridblas bfs. Its answer is checked by the rules of Graph500 and against SuiteSparse:GraphBLAS, not by a
 * serial computation of this program. count[0]: levels. */
#include "bench/algorithm/algorithm.h"
#include "bench/validate/check_bfs.h"
#include "bench/validate/reference.h"

static GrB_Info run(job *j) {
  return Grid_bfs(answer_vector(j, 0, "level", false), answer_vector(j, 1, "parent", true), j->g->A,
                  j->source[0], j->o->depth);
}

/* reached = nvals(level), deepest = max(level), edges = sum of the degrees of the vertices with a level. */
static GrB_Info measure(uint64_t *reached, int32_t *deepest, uint64_t *edges, const job *j) {
  const graph *g = j->g;
  GrB_Vector level = j->answer[0].v, degree = NULL;
  GrB_Info info = GrB_Vector_nvals(reached, level);
  if (info == GrB_SUCCESS) info = GrB_Vector_reduce_INT32(deepest, NULL, GrB_MAX_MONOID_INT32, level, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&degree, GrB_INT64, g->n);
  /* degree<level, replace> = degree */
  if (info == GrB_SUCCESS) info = Grid_Matrix_degree(degree, g->A, false);
  if (info == GrB_SUCCESS) info = GrB_Vector_assign(degree, level, NULL, degree, GrB_ALL, g->n, GrB_DESC_RS);
  if (info == GrB_SUCCESS) info = GrB_Vector_reduce_UINT64(edges, NULL, GrB_PLUS_MONOID_UINT64, degree, NULL);
  GrB_Vector_free(&degree);
  if (!g->directed) *edges /= 2;
  return info;
}

static int report_results(job *j) {
  uint64_t reached = 0, edges = 0;
  int32_t deepest = 0;
  const GrB_Info info = measure(&reached, &deepest, &edges, j);
  const double levels = (double)deepest + 1;
  report_count(j->r, "reached", reached);
  report_count(j->r, "levels", (uint64_t)deepest + 1);
  report_number(j->r, "level_us", 1e6 * j->seconds / levels);
  report_number(j->r, "MTEPS", j->seconds > 0 ? 1e-6 * (double)edges / j->seconds : 0);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static int verify(job *j) {
  const options *o = j->o;
  uint64_t inside;
  checker c;
  int status = checker_open(&c, j->g, o, true);
  if (status == STATUS_OK)
    status = checker_run(&c, j->answer[0].v, j->answer[1].v, j->source[0], o->depth, &inside);
  if (status == STATUS_OK) status = checker_compare(&c, j->source[0], o->depth);
  checker_close(&c);
  if (status == STATUS_OK)
    report_text(j->r, "check",
                reference_missing() == NULL ? "the five rules hold, levels equal SuiteSparse:GraphBLAS's"
                                            : "the five rules hold, levels not compared");
  return status;
}

const algorithm algorithm_bfs = {
    .command = {.name = "bfs",
                .example = "bfs GRAPH",
                .summary = "breadth-first search: levels, parents, speed",
                .about =
                    "Breadth-first search: levels and parents of the vertices that can be reached from one. "
                    "--check validates the tree by the five Graph500 rules and compares levels with "
                    "SuiteSparse:GraphBLAS.",
                .answer = "`vertex level parent` for every vertex reached",
                .accepts = OPT_DIRECTED | OPT_ANSWER | OPT_SOURCE | OPT_DEPTH,
                .work = WORK_SEARCHES},
    .run = run,
    .report_results = report_results,
    .verify = verify,
};
