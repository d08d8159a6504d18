/* A spectral embedding x by its definition: v = D^(1/2) x are eigenvectors of N = D^(-1/2) A D^(-1/2), whose
 * pairs check_eigenpairs checks. */
#include "bench/check/linear_algebra/check_spectral_embedding.h"

#include <math.h>
#include <stdlib.h>

#include "bench/check/linear_algebra/check_eigenpairs.h"

typedef struct {
  uint64_t n, columns;     /* of vectors: k, and the constant one if there are edges */
  double *root;            /* of the degree; 1 where it is 0 */
  double sum;              /* of degrees */
  double *weight;          /* of the edges as they were read, in N */
  double *value, *vectors; /* of N, the constant one first */
} scaled;

static bool find_roots(scaled *s, const check_graph *g) {
  check_rows rows;
  if (!check_rows_make(&rows, g, false)) return false;
  for (uint64_t v = 0; v < g->n; v++) {
    double degree = 0;
    for (uint64_t e = rows.start[v]; e < rows.start[v + 1]; e++)
      degree += rows.weight == NULL ? 1 : rows.weight[e];
    s->root[v] = sqrt(degree), s->sum += degree;
  }
  check_rows_free(&rows);
  return true;
}

/* Vertices without edges are not in the constant vector; with them 1 stands for the root of their degree. */
static void find_vectors(scaled *s, const check_embedding *is) {
  const uint64_t first = s->columns - is->k;
  if (first == 1) s->value[0] = 1;
  for (uint64_t c = 0; c < is->k; c++) s->value[first + c] = 1 - is->value[c];
  for (uint64_t v = 0; v < s->n; v++) {
    double *row = s->vectors + v * s->columns;
    if (first == 1) row[0] = s->root[v] / sqrt(s->sum);
    if (s->root[v] == 0) s->root[v] = 1;
    for (uint64_t c = 0; c < is->k; c++) row[first + c] = is->coordinates[v * is->k + c] * s->root[v];
  }
}

static const char *check_scaled(scaled *s, const check_graph *g, const check_embedding *is, char *text,
                                size_t capacity) {
  check_graph scaled_graph = *g;
  if (!find_roots(s, g)) return check_no_memory;
  s->columns = is->k + (s->sum > 0);
  find_vectors(s, is);
  for (uint64_t e = 0; e < g->m; e++)
    s->weight[e] = (g->weight == NULL ? 1 : g->weight[e]) / (s->root[g->from[e]] * s->root[g->to[e]]);
  scaled_graph.weight = s->weight;
  const check_pairs pairs = {.columns = s->n,
                             .k = s->columns,
                             .value = s->value,
                             .vectors = s->vectors,
                             .residual = is->residual,
                             .all = is->all};
  return check_eigenpairs(&scaled_graph, &pairs, text, capacity);
}

const char *check_spectral_embedding(const check_graph *g, const check_embedding *is, char *text,
                                     size_t capacity) {
  scaled s = {.n = g->n};
  const char *why = check_no_memory;
  s.root = malloc((g->n + 1) * sizeof *s.root), s.weight = malloc((g->m + 1) * sizeof *s.weight);
  s.value = malloc((is->k + 1) * sizeof *s.value);
  s.vectors = malloc((g->n + 1) * (is->k + 1) * sizeof *s.vectors);
  if (s.root && s.weight && s.value && s.vectors) why = check_scaled(&s, g, is, text, capacity);
  free(s.root), free(s.weight), free(s.value), free(s.vectors);
  return why;
}
