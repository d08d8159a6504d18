/* gridblas conjugate-gradient. count[0]: iterations; number[0]: the relative residual. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/linear_algebra/check_conjugate_gradient.h"

/* L = the degrees by weight, and `shift`, on the diagonal - A without loops */
static GrB_Info make_laplacian(GrB_Matrix *L, const graph *g, double shift) {
  GrB_Matrix D = NULL;
  GrB_Vector degree = NULL;
  GrB_Info info = GrB_Matrix_new(L, GrB_FP64, g->n, g->n);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&degree, GrB_FP64, g->n);
  if (info == GrB_SUCCESS) info = GrB_Matrix_select_INT64(*L, NULL, NULL, GrB_OFFDIAG, g->A, 0, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_assign_FP64(degree, NULL, NULL, shift, GrB_ALL, g->n, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Matrix_reduce_Monoid(degree, NULL, GrB_PLUS_FP64, GrB_PLUS_MONOID_FP64, *L, NULL);
  if (info == GrB_SUCCESS) info = GrB_Matrix_apply(*L, NULL, NULL, GrB_AINV_FP64, *L, NULL);
  if (info == GrB_SUCCESS) info = GrB_Matrix_diag(&D, degree, 0);
  if (info == GrB_SUCCESS) info = GrB_Matrix_eWiseAdd_BinaryOp(*L, NULL, NULL, GrB_PLUS_FP64, *L, D, NULL);
  if (info == GrB_SUCCESS) info = GrB_Matrix_wait(*L, GrB_MATERIALIZE);
  GrB_Matrix_free(&D);
  GrB_Vector_free(&degree);
  return info;
}

static int prepare(job *j) {
  const options *o = j->o;
  GrB_Info info = GrB_SUCCESS;
  if (o->values != NULL) {
    const int status = vertex_values_read(&j->input, o->values, j->g);
    if (status != STATUS_OK) return status;
  } else {
    info = GrB_Vector_new(&j->input, GrB_FP64, j->g->n);
    if (info == GrB_SUCCESS) info = GrB_Vector_assign_FP64(j->input, NULL, NULL, 1, GrB_ALL, j->g->n, NULL);
  }
  if (info == GrB_SUCCESS && o->laplacian > 0) info = make_laplacian(&j->system, j->g, o->laplacian);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("making the equations");
}

static GrB_Info run(job *j) {
  const GrB_Matrix A = j->system != NULL ? j->system : j->g->A;
  return Grid_conjugate_gradient(answer_vector(j, 0, "solution", false), &j->count[0], &j->number[0], A,
                                 j->input, NULL, j->o->tolerance, j->o->iterations);
}

static int report_results(job *j) {
  report_count(j->r, "iterations", j->count[0]);
  report_number(j->r, "residual", j->number[0]);
  report_flag(j->r, "converged", j->number[0] <= j->o->tolerance);
  return STATUS_OK;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_conjugate_gradient(&e->graph, e->value[0], e->input, j->o->laplacian, j->number[0], text,
                                  capacity);
}

const algorithm algorithm_conjugate_gradient = {
    .command = {.name = "conjugate-gradient",
                .example = "conjugate-gradient GRAPH",
                .summary = "the solution of linear equations, symmetric and positive definite",
                .about =
                    "The solution x of A x = b by conjugate gradients, with the diagonal of A as "
                    "preconditioner. A is the matrix in the file, symmetric and positive definite; entries "
                    "of one triangle count in both. With --laplacian it is the Laplacian of the graph and a "
                    "number on its diagonal, which suits every graph with weights of 0 or more. b is 1 at "
                    "every vertex, or from --right.",
                .answer = "`vertex number` for every vertex",
                .accepts = OPT_CHECKPOINTS | OPT_ANSWER | OPT_LOOPS | OPT_ONES | OPT_RIGHT | OPT_RESIDUAL |
                           OPT_ITERATIONS,
                .work = WORK_PRODUCTS},
    .prepare = prepare,
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "the residual is that of a serial computation",
};
