/* gridblas spectral-embedding. The answer's matrix: the coordinates. */
#include <stdlib.h>

#include "bench/algorithm/linear_algebra/spectrum_command.h"
#include "bench/check/linear_algebra/check_spectral_embedding.h"

static GrB_Info run(job *j) {
  const options *o = j->o;
  GrB_Vector values = NULL;
  const uint64_t n = j->g->n;
  const GrB_Info info =
      Grid_spectral_embedding(&values, &j->matrix, &j->count[0], &j->number[0], j->g->A,
                              spectrum_count(j, n > 1 ? n - 1 : n), o->tolerance, o->iterations, o->seed);
  return spectrum_take(j, &values, info);
}

static int report_results(job *j) {
  return spectrum_report(j, "value");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  const uint64_t k = j->count[1];
  double *coordinates = triples_dense(&e->matrix, j->g->n, k);
  const check_embedding is = {.k = k,
                              .value = j->series,
                              .coordinates = coordinates,
                              .residual = j->number[0],
                              .all = j->count[0] + 1 >= j->g->n};
  const char *why =
      coordinates == NULL ? check_no_memory : check_spectral_embedding(&e->graph, &is, text, capacity);
  free(coordinates);
  return why;
}

static int write(output *out, const job *j) {
  return answer_write_rows(out, NULL, j->matrix, j->g);
}

const algorithm algorithm_spectral_embedding = {
    .command = {.name = "spectral-embedding",
                .example = "spectral-embedding GRAPH",
                .summary = "coordinates of the vertices such that neighbors are near",
                .about = "Coordinates of the vertices of an undirected graph such that neighbors are near "
                         "(Laplacian eigenmaps), for drawing, clustering and partitioning. They are the "
                         "eigenvectors of the smallest eigenvalues of the normalized Laplacian, by Lanczos' "
                         "method; the constant one is left out. A value of 0 says that the graph is not "
                         "connected.",
                .answer = "`vertex number ...` for every vertex, a number for each coordinate",
                .accepts = SPECTRUM_OPTIONS,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .write = write,
    .checked =
        "the coordinates are orthonormal by degrees, and their residuals are those of a serial "
        "computation",
};
