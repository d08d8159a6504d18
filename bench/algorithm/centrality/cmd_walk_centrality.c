/* gridblas katz, eigenvector and hits. count[0]: iterations; number[0]: the last change; number[1]: alpha. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/centrality/check_walk_centrality.h"

#define WALK_OPTIONS \
  (OPT_CHECKPOINTS | OPT_ANSWER | OPT_DIRECTED | OPT_ONES | OPT_ITERATIONS | OPT_CHANGE | OPT_FP32)

/* NULL, or with --fp32 the same start in that type: x everywhere. */
static GrB_Info make_start(GrB_Vector *start, const job *j, float x) {
  *start = NULL;
  if (!j->o->fp32) return GrB_SUCCESS;
  const GrB_Info info = GrB_Vector_new(start, GrB_FP32, j->g->n);
  return info == GrB_SUCCESS ? GrB_Vector_assign_FP32(*start, NULL, NULL, x, GrB_ALL, j->g->n, NULL) : info;
}

/* sum(v) = the weights of the edges into v, whatever their signs. */
static GrB_Info add_weights(GrB_Vector sum, GrB_Matrix A, GrB_Index n) {
  GrB_Matrix size = NULL;
  GrB_Info info = GrB_Matrix_new(&size, GrB_FP64, n, n);
  if (info == GrB_SUCCESS) info = GrB_Matrix_apply(size, NULL, NULL, GrB_ABS_FP64, A, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_reduce_Monoid(sum, NULL, NULL, GrB_PLUS_MONOID_FP64, size, GrB_DESC_T0);
  GrB_Matrix_free(&size);
  return info;
}

/* --alpha, or half the inverse of the largest sum of weights into a vertex, with which every graph converges.
 */
static GrB_Info choose_alpha(double *alpha, const job *j) {
  const graph *g = j->g;
  GrB_Vector sum = NULL;
  double most = 0;
  *alpha = j->o->alpha;
  if (*alpha > 0) return GrB_SUCCESS;
  GrB_Info info = GrB_Vector_new(&sum, g->weighted ? GrB_FP64 : GrB_INT64, g->n);
  if (info == GrB_SUCCESS)
    info = g->weighted ? add_weights(sum, g->A, g->n) : Grid_Matrix_degree(sum, g->A, true);
  if (info == GrB_SUCCESS) info = GrB_Vector_reduce_FP64(&most, NULL, GrB_MAX_MONOID_FP64, sum, NULL);
  GrB_Vector_free(&sum);
  *alpha = most > 0 ? 0.5 / most : 0.5;
  return info;
}

static GrB_Info run_katz(job *j) {
  GrB_Vector start;
  GrB_Info info = make_start(&start, j, 0);
  if (info == GrB_SUCCESS) info = choose_alpha(&j->number[1], j);
  if (info == GrB_SUCCESS)
    info = Grid_katz(answer_vector(j, 0, "centrality", false), &j->count[0], &j->number[0], j->g->A, start,
                     NULL, j->number[1], j->o->tolerance, j->o->iterations);
  GrB_Vector_free(&start);
  return info;
}

static GrB_Info run_eigenvector(job *j) {
  GrB_Vector start;
  GrB_Info info = make_start(&start, j, 1);
  if (info == GrB_SUCCESS)
    info = Grid_eigenvector(answer_vector(j, 0, "centrality", false), &j->count[0], &j->number[0], j->g->A,
                            start, j->o->tolerance, j->o->iterations);
  GrB_Vector_free(&start);
  return info;
}

static GrB_Info run_hits(job *j) {
  GrB_Vector start;
  GrB_Info info = make_start(&start, j, 1);
  if (info == GrB_SUCCESS)
    info = Grid_hits(answer_vector(j, 0, "hub", false), answer_vector(j, 1, "authority", false), &j->count[0],
                     &j->number[0], j->g->A, start, j->o->tolerance, j->o->iterations);
  GrB_Vector_free(&start);
  return info;
}

static int report_results(job *j) {
  report_count(j->r, "iterations", j->count[0]);
  report_number(j->r, "last_change", j->number[0]);
  if (j->number[1] > 0) report_number(j->r, "alpha", j->number[1]);
  if (j->columns == 1) return report_largest(j, 0, "largest_centrality", false);
  const int status = report_largest(j, 0, "largest_hub", false);
  return status == STATUS_OK ? report_largest(j, 1, "largest_authority", false) : status;
}

static const char *check_kind(const job *j, const gathered_answer *e, check_walk_kind kind, char *text,
                              size_t capacity) {
  const check_walk_job is = {.kind = kind,
                             .alpha = j->number[1],
                             .tolerance = j->o->tolerance,
                             .limit = j->o->iterations,
                             .iterations = j->count[0],
                             .allowed = j->o->fp32 ? 1e-5 : 1e-10};
  return check_walk_centrality(&e->graph, &is, e->value[0], kind == CHECK_HITS ? e->value[1] : NULL, text,
                               capacity);
}

static const char *check_katz(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_kind(j, e, CHECK_KATZ, text, capacity);
}

static const char *check_eigenvector(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_kind(j, e, CHECK_EIGENVECTOR, text, capacity);
}

static const char *check_hits(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_kind(j, e, CHECK_HITS, text, capacity);
}

const algorithm algorithm_katz = {
    .command = {.name = "katz",
                .example = "katz GRAPH",
                .summary = "Katz centrality: walks that end at a vertex, long ones counting less",
                .about = "Katz centrality: the number of walks that end at a vertex, where those of k edges "
                         "count alpha^k times, and the product of their weights. It converges if --alpha is "
                         "below the inverse of the largest eigenvalue.",
                .answer = "`vertex centrality` for every vertex",
                .accepts = WALK_OPTIONS | OPT_ALPHA,
                .work = WORK_PRODUCTS},
    .run = run_katz,
    .report_results = report_results,
    .check = check_katz,
    .checked = "values and iterations are those of a serial computation",
};

const algorithm algorithm_eigenvector = {
    .command = {.name = "eigenvector",
                .example = "eigenvector GRAPH",
                .summary = "eigenvector centrality: as central as the neighbors in sum",
                .about = "Eigenvector centrality: a vertex is as central as those with edges to it are in "
                         "sum, by their weights, by power iteration. The Euclidean norm is 1.",
                .answer = "`vertex centrality` for every vertex",
                .accepts = WALK_OPTIONS,
                .work = WORK_PRODUCTS},
    .run = run_eigenvector,
    .report_results = report_results,
    .check = check_eigenvector,
    .checked = "values and iterations are those of a serial computation",
};

const algorithm algorithm_hits = {
    .command =
        {.name = "hits",
         .example = "hits GRAPH --directed",
         .summary = "hubs and authorities of a directed graph",
         .about =
             "Hubs and authorities (HITS): a hub has edges to authorities, an authority edges from "
             "hubs. Edges count by their weights. By power iteration; hubs and authorities add up to 1 each.",
         .answer = "`vertex hub authority` for every vertex",
         .accepts = WALK_OPTIONS,
         .work = WORK_PRODUCTS},
    .run = run_hits,
    .report_results = report_results,
    .check = check_hits,
    .checked = "values and iterations are those of a serial computation",
};
